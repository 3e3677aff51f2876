"""Pages: one file, nothing from elsewhere, no text that acts."""

import base64
import hashlib
import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from horotree.cli.output.page import GENERATOR, FileLink, Picture, Report, write_page

ALLOWED = {"html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "section"}
ALLOWED |= {"img", "pre", "footer"}


class Reader(HTMLParser):
    """Collects what a browser would see."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.texts = [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.texts.append(data)


texts = st.text(st.characters(codec="utf-8", exclude_characters="\r\0")) | st.sampled_from(
    ["</style><script>alert(1)</script>", '" onerror="alert(1)', "<!--", "&lt;", "']]>", "\udcff"]
)


@given(texts, texts, texts, texts)
def test_texts_stay_texts(title, lead, caption, report):
    parts = [Picture(title, caption, lead, b"png"), Report(caption, report)]
    page = Reader(write_page(title, lead, parts))
    assert set(page.tags) == ALLOWED
    assert {name for name, _ in page.attributes} <= {"lang", "charset", "http-equiv"} | {
        "content",
        "name",
        "alt",
        "src",
    }
    shown = report.encode("utf-8", "backslashreplace").decode()
    assert shown in "".join(page.texts)


def test_a_browser_is_told_to_load_nothing_and_run_nothing():
    page = write_page("t", "l", [Picture("a", "b", "c", b"png")])
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in policy
    (style,) = re.findall(r"<style>(.*?)</style>", page, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy
    assert not re.search(r"https?:|//|url\(|@import|<script|<link", page)


def test_a_link_leads_to_the_file_and_is_one_text():
    page = Reader(write_page("t", "l", [], link=FileLink('a "b" <c>.html', "see <all>")))
    assert ("href", "a%20%22b%22%20%3Cc%3E.html") in page.attributes
    assert "see <all>" in page.texts
    assert "a" not in Reader(write_page("t", "l", [])).tags


def test_pictures_are_inside():
    page = Reader(write_page("t", "l", [Picture("a", "b", "c", b"\x89PNG...")]))
    (source,) = (value for name, value in page.attributes if name == "src")
    assert base64.b64decode(source.removeprefix("data:image/png;base64,")) == b"\x89PNG..."
    assert ("alt", "c") in page.attributes


def test_a_page_says_who_made_it_near_its_beginning():
    assert GENERATOR in write_page("t" * 10, "l", [])[:1000]
