"""The demo's page in a real browser: dark where that is wanted, and the way to the viewer."""

import pytest

from horotree.cli.output.page import FileLink, Report, write_page
from horotree.viewer import view
from tests.viewer.conftest import wait_for
from tests.viewer.models import iris

COLORS = """() => {
  const style = (name) => getComputedStyle(document.querySelector(name));
  const colors = [style('body').backgroundColor, style('p').color, style('a').color];
  return colors.map((color) => color.match(/[0-9]+/g).map(Number));
}"""


def luminance(color):
    """Return that of the web's guidelines, from bytes."""
    red, green, blue = (
        c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
        for c in (byte / 255.0 for byte in color[:3])
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_the_system_and_leads_to_the_viewer(browser, tmp_path, scheme):
    parts = [Report("Errors", "1 of 100")]
    page_file = tmp_path / "index.html"
    page_file.write_text(
        write_page("A title", "Words.", parts, link=FileLink("viewer.html", "All"))
    )
    view(iris()[0]).write_html(tmp_path / "viewer.html")
    page = browser.new_page(color_scheme=scheme, viewport={"width": 400, "height": 800})
    page.goto(page_file.as_uri())
    ground, text, link = map(luminance, page.evaluate(COLORS))
    assert (ground < 0.1) == (scheme == "dark")
    for ink in (text, link):
        assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) > 4.5
    assert page.evaluate("document.documentElement.scrollWidth") == 400
    page.get_by_role("link").click()
    wait_for(page, "globalThis.horotree?.stats?.firstPaint > 0")
    assert page.url.endswith("/viewer.html")
    page.close()
