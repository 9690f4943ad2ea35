"""HTML by construction: text stays text, whatever it holds, and everything closes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.pages import Page
from tunesmith.tuning.report.html import Markup, el, escape, fill, join, printable, style

ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=60)


def test_elements() -> None:
    """Content, attributes in the Python way of writing, and what is left out."""
    assert el("p", "a < b", None, el("b", 1 and "c")) == "<p>a &lt; b<b>c</b></p>"
    assert el("line", x1="5%", y1=1.25, stroke_width=2.0, class_="grid", hidden=False) == (
        '<line x1="5%" y1="1.25" stroke-width="2" class="grid"/>'
    )
    assert el("details", open=True, id=None) == "<details open></details>"
    assert el("td") == "<td></td>"
    assert join("a", ["b", ("c", None)], Markup("<i></i>")) == "abc<i></i>"


def test_fill() -> None:
    """Names in braces stand for parts; white space of a long string is that of a paragraph."""
    assert fill("a  {x}\n   < {y}{x}", x=el("b", "&"), y=None) == "a <b>&amp;</b> &lt; <b>&amp;</b>"
    with pytest.raises(KeyError):
        fill("{missing}")


@given(ANY_TEXT)
def test_text_stays_text(text: str) -> None:
    """What a browser reads back is the text, and nothing else became an element."""
    page = Page(el("html", el("p", text, title=text)))
    assert page.defects == []
    assert [tag for tag, _ in page.tags] == ["html", "p"]
    read = page.texts["p"].removeprefix(" ").replace("\r\n", "\n")
    assert read == printable(text)
    assert page.tags[1][1]["title"] == printable(text)
    escape(text).encode("utf-8")


@pytest.mark.parametrize("text", ["\x00", "\ud800", "\u202e", "\ufffe", "\x9f", "\x1b", "\r"])
def test_what_no_page_can_show(text: str) -> None:
    """Control characters, halves of pairs and changes of direction become a replacement character."""
    assert printable(f"a{text}b") == "a\ufffdb"


def test_ordinary_text_is_kept() -> None:
    """Lines, tabs, accents, signs and other scripts are no control characters."""
    text = "a\tb\nc é ± − 象棋 🎲 \u202f"
    assert printable(text) == text


def test_style_cannot_be_closed() -> None:
    """A sheet ends where we end it."""
    assert style("a{}</style><script>") == "<style>a{}style><script></style>"
