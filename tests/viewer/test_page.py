"""The page is one file that runs the viewer and nothing else."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from horotree.viewer import view
from horotree.viewer.page import check_script, read_script, to_html, to_iframe
from tests.viewer.models import HOSTILE, breast_cancer, hostile


class Elements(HTMLParser):
    """What a parser finds in a page: elements with their attributes, and texts by element."""

    def __init__(self, page):
        super().__init__()
        self.found, self.texts, self.inside = [], {}, None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.inside = len(self.found)
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside is not None:
            self.texts[self.inside] = self.texts.get(self.inside, "") + data

    def named(self, tag):
        return [
            (attrs, self.texts.get(i, ""))
            for i, (name, attrs) in enumerate(self.found)
            if name == tag
        ]


def policy_of(page):
    (policy,) = (
        attrs["content"]
        for attrs, _ in Elements(page).named("meta")
        if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    return dict(part.strip().split(" ", 1) for part in policy.split(";"))


def named(text):
    """Return how a policy names a script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_policy_allows_the_viewers_script_alone():
    page = to_html(b"data", "Title")
    policy = policy_of(page)
    scripts = Elements(page).named("script")
    assert [attrs.get("type") for attrs, _ in scripts] == ["text/plain", None]
    ((_, style),) = Elements(page).named("style")
    assert policy == {
        "default-src": "'none'",
        "script-src": named(scripts[1][1]),
        "style-src": named(style),
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_the_policy_comes_before_all_that_it_is_for():
    tags = [tag for tag, _ in Elements(to_html(b"", "")).found]
    assert tags.index("meta") < tags.index("style") < tags.index("script")
    assert to_html(b"", "").index("http-equiv") < to_html(b"", "").index("<style>")


def test_the_data_are_the_payload():
    payload = bytes(range(256)) * 3
    ((attrs, text), _) = Elements(to_html(payload, "")).named("script")
    assert attrs["id"] == "horotree-data"
    assert base64.b64decode(text, validate=True) == payload


def test_the_page_loads_nothing():
    page = view(breast_cancer()[0]).html
    loading = {"src", "href", "srcset", "data", "action", "background", "poster"}
    for _, attrs in Elements(page).found:
        assert not loading & set(attrs)
    without_data = page.replace(Elements(page).named("script")[0][1], "")
    script = Elements(without_data).named("script")[1][1]
    for address in re.findall(r"https?://[^\s\"'`)]+", without_data):
        assert address.startswith("http://www.w3.org/"), address  # names of SVG, never loaded
    assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\(", script)


def test_hostile_titles_stay_text():
    for title in HOSTILE:
        elements = Elements(to_html(b"", title))
        assert len(elements.named("script")) == 2
        assert not elements.named("img")
    assert Elements(to_html(b"", HOSTILE[0])).named("title") == [({}, HOSTILE[0])]


def test_hostile_names_do_not_touch_the_page():
    page = view(hostile(), title=HOSTILE[0]).html
    elements = Elements(page)
    expected = [tag for tag, _ in Elements(to_html(b"", "")).found]
    assert [tag for tag, _ in elements.found] == expected
    page.encode("utf-8", "strict")
    assert "\u2028" not in page.replace(read_script(), "")


def test_a_reader_without_javascript_is_told():
    assert Elements(to_html(b"", "")).named("noscript")


@pytest.mark.parametrize("bad", ["</script>", "</SCRIPT", "<!-- <script>", "<Script"])
def test_scripts_that_would_end_their_element_are_refused(bad):
    with pytest.raises(ValueError, match="must not hold"):
        check_script(f"let x = '{bad}';")


def test_a_frame_holds_the_page_and_no_more():
    page = view(hostile(), title=HOSTILE[2]).html
    ((tag, attrs),) = Elements(to_iframe(page, height="300px")).found
    assert tag == "iframe"
    assert attrs["srcdoc"] == page
    assert "src" not in attrs
    assert set(attrs["sandbox"].split()) == {"allow-scripts", "allow-downloads"}
    assert "300px" in attrs["style"]
