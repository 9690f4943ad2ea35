"""What do the words beside the figures mean? The glossary of the guides, as part of a page that stands alone.

There is one text, `guides/glossary.md` of the package `tunesmith.experiments`, which is installed with it; README
and guides link to it, pages carry the parts of it that they need.
"""

import re
from functools import cache
from importlib.resources import files

from tunesmith.tuning.report.html import Content, Markup, el, page
from tunesmith.tuning.report.parts import section

TITLE = "What the words mean"
GAMES, STRENGTH, TESTS = "Games and counts", "Strength", "Sequential tests"
FITS, SEARCH = "Fits", "Search by playing"
_ENTRY = re.compile(r"(?ms)^\*\*(?P<term>[^*]+?)\.?\*\* (?P<text>.+?)(?=\n\n|\Z)")


@cache
def entries() -> dict[str, dict[str, str]]:
    """Return the texts in Markdown, by heading and term."""
    text = (files("tunesmith.experiments") / "guides" / "glossary.md").read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in text.split("\n## ")[1:])
    return {
        heading.strip(): {found["term"]: " ".join(found["text"].split()) for found in _ENTRY.finditer(body)}
        for heading, _, body in parts
    }


def glossary(*headings: str) -> Markup:
    """Return the section with these parts of the glossary, folded."""
    shown: list[Content] = []
    for heading in headings:
        shown += [el("h3", heading), _definitions(heading)]
    return section("glossary", TITLE, el("details", el("summary", "Definitions"), shown))


def whole_page() -> str:
    """Return a page with every definition."""
    parts = [el("section", el("h2", heading), _definitions(heading)) for heading in entries()]
    return page(TITLE, el("main", el("h1", TITLE), el("div", parts, id="glossary")))


def _definitions(heading: str) -> Markup:
    found = entries()[heading]
    return el("dl", [(el("dt", term), el("dd", _inline(text))) for term, text in found.items()])


def _inline(text: str) -> list[Content]:
    return [el("code", part) if at % 2 else part for at, part in enumerate(text.split("`"))]
