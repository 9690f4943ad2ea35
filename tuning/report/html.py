"""How is HTML written so that no text from a file can become markup?

`el` builds one element; plain strings inside it are escaped, `Markup` is taken as it is, and every element is
closed, so that a page made of `el` alone is balanced and safe whatever the names in it. Attribute names are
written the Python way: `class_` is class, `stroke_width` is stroke-width; None and False leave one out.

`page` is what stands around every page that we write: one HTML file, nothing loaded from anywhere, light and dark.
The same contents give the same bytes.
"""

import html
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

_HERE = Path(__file__).parent / "assets"
_EMPTY = frozenset(("br", "circle", "img", "line", "meta", "path", "polyline", "rect", "wbr"))

# Control characters, halves of surrogate pairs (a JSON file can hold them, UTF-8 can not), and the marks that
# turn the direction of the text around them.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Content: TypeAlias = "str | Iterable[Content] | None"
Attribute: TypeAlias = "str | float | bool | None"


def printable(text: str) -> str:
    """Return the text with a replacement character for whatever a page could not show."""
    return _UNPRINTABLE.sub("\ufffd", text)


def escape(text: str) -> Markup:
    """Return plain text as HTML, fit for content and for attributes."""
    return Markup(html.escape(printable(text), quote=True))


def join(*content: Content) -> Markup:
    """Return the contents one after the other; None is nothing."""
    return Markup("".join(_pieces(content)))


def fill(template: str, **parts: Content) -> Markup:
    """Return a text in which `{name}` stands for a part; white space counts once, as in HTML."""
    texts = re.split(r"\{(\w+)\}", re.sub(r"\s+", " ", template).strip())
    return join(*(parts[text] if i % 2 else text for i, text in enumerate(texts)))


def el(tag: str, *content: Content, **attributes: Attribute) -> Markup:
    """Return one element; for sheets of styles see `style`."""
    opening = tag + "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in _EMPTY and not content:
        return Markup(f"<{opening}/>")
    return Markup(f"<{opening}>{join(*content)}</{tag}>")


def style(sheet: str) -> Markup:
    """Return a style element with a sheet of our own, which nothing may close early."""
    return Markup(f"<style>{sheet.replace('</', '')}</style>")


def script(program: str) -> Markup:
    """Return a script element with a program of our own, which nothing may close early."""
    if "</" in program or "<!--" in program:
        raise ValueError("the program would end its own element")
    return Markup(f"<script>{program}</script>")


def _pieces(content: Content) -> Iterable[str]:
    if content is None:
        return
    if isinstance(content, Markup):
        yield content
    elif isinstance(content, str):
        yield escape(content)
    else:
        for part in content:
            yield from _pieces(part)


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    text = value if isinstance(value, str) else f"{value:.6g}"
    return f' {name}="{escape(text)}"'


def page(title: str, body: Markup, sheet: str | None = None, program: str | None = None) -> str:
    """Return a whole page in the common style; `sheet` and `program` name files in `assets`, for it alone."""
    meta = join(
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        style(asset("page.css")),
        style(asset(sheet)) if sheet else None,
    )
    code = script(asset(program)) if program else None
    return f"<!doctype html>\n{el('html', el('head', meta), el('body', body, code), lang='en')}\n"


def asset(name: str) -> str:
    """Return the text of a file in `assets`."""
    return (_HERE / name).read_text(encoding="utf-8")
