"""What is around every page that we write? One HTML file, nothing loaded from anywhere, light and dark.

`report.css` is the common style; a page may add a sheet and a script of its own. The same contents give the
same bytes."""

from __future__ import annotations

from pathlib import Path

from tuning.markup import Markup, el, join, script, style

_HERE = Path(__file__).parent


def page(title: str, body: Markup, sheet: str | None = None, program: str | None = None) -> str:
    """Return a whole page; `sheet` and `program` name files beside this one."""
    meta = join(
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        style(_own("report.css")),
        style(_own(sheet)) if sheet else None,
    )
    code = script(_own(program)) if program else None
    return f"<!doctype html>\n{el('html', el('head', meta), el('body', body, code), lang='en')}\n"


def _own(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
