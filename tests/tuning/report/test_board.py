"""Pictures of positions: those of all games are shown, nothing that could run or load is."""

import re
from base64 import b64decode

import pytest

from tunesmith import games
from tunesmith.tuning.report.board import checked_svg, picture

pytestmark = pytest.mark.pages

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'


@pytest.mark.parametrize("name", games.names())
def test_every_game_can_be_shown(name: str) -> None:
    """The start of each shipped game passes as it is."""
    game = games.load(name)
    svg = game.draw_svg(game.initial())
    assert checked_svg(svg) == svg
    shown = re.fullmatch(
        r'<img src="data:image/svg\+xml;base64,([^"]*)" alt="[^"]*" class="board"/>', picture(svg, "text")
    )
    assert shown is not None
    assert b64decode(shown[1]).decode("utf-8") == svg


def test_namespace_is_added() -> None:
    """A picture made for a page of HTML need not name its namespace."""
    assert (
        checked_svg('<svg viewBox="0 0 9 9"><g/></svg>')
        == HEAD.replace(
            'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"',
            'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"',
        )
        + "<g/></svg>"
    )


@pytest.mark.parametrize(
    "inside",
    [
        '<rect width="3" fill="url(#wood)" style="fill: url(\'#wood\')"/>',
        "<style>.a{fill:#123;stroke:url(#b)}</style>",
        '<use href="#stone"/>',
        '<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#stone"/>',
        "<title>a &lt;script&gt; in words</title>",
        '<text aria-label="x">onload=1 javascript</text>',
    ],
)
def test_harmless(inside: str) -> None:
    """References within the picture and words about scripts are harmless."""
    assert checked_svg(f"{HEAD}{inside}</svg>") is not None


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        '<rect onclick="alert(1)"/>',
        '<rect ONLOAD="alert(1)"/>',
        '<image href="http://example.org/x.png"/>',
        '<image href="data:image/png;base64,"/>',
        '<use href="http://example.org/x.svg#a"/>',
        '<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="data:x#a"/>',
        '<a href="javascript:alert(1)"><g/></a>',
        "<foreignObject><p>x</p></foreignObject>",
        '<rect fill="url(http://example.org/x#a)"/>',
        '<rect style="fill:url(//example.org/x)"/>',
        '<rect style="fill:u\\72l(//example.org)"/>',
        "<style>@import 'x.css'; .a{}</style>",
        "<style>.a{background:url(x)}</style>",
        "<style>.a{background:image-set('x')}</style>",
        "<style><g/>@import 'x'</style>",
        "<style>.a{}<g/>@import 'x';</style>",
        "<animate attributeName='href' to='javascript:alert(1)'/>",
        '<set attributeName="onload" to="alert(1)"/>',
        '<g xmlns="http://www.w3.org/1999/xhtml"/>',
        '<iframe src="x"/>',
        "<!-- a --><g/>",
        "<![CDATA[x]]>",
        "<?xml-stylesheet href='x'?>",
        "<g>",
        "&undefined;",
    ],
)
def test_refused(inside: str) -> None:
    """Whatever could run, load or break out makes the picture text."""
    svg = f"{HEAD}{inside}</svg>"
    assert checked_svg(svg) is None
    assert picture(svg, "the <board>") == '<pre class="board">the &lt;board&gt;</pre>'


@pytest.mark.parametrize(
    "svg",
    ["", "text", "<html/>", "<svg", HEAD, f'<!DOCTYPE svg [<!ENTITY a "b">]>{HEAD}</svg>', HEAD + "<g/>" * 60_000 + "</svg>",
     '<svg xmlns="http://www.w3.org/1999/xhtml"></svg>', "<p>" + HEAD + "</svg></p>"],
)  # fmt: skip
def test_no_picture(svg: str) -> None:
    """What is not one picture of sensible size is none."""
    assert checked_svg(svg) is None


def test_nothing_to_show() -> None:
    """Neither picture nor text: the report says so."""
    assert picture(None, None) == '<pre class="board">no picture of this position</pre>'
