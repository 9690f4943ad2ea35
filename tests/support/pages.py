"""Reads a page the way a browser's parser would, strictly: what opens must close, what is written is text."""

import re
from html.parser import HTMLParser

VOID = {"meta", "br", "img", "wbr"}
BLOCKS = {"dd", "div", "dt", "figcaption", "h1", "h2", "h3", "li", "p", "pre", "summary", "td", "th"}


class Page(HTMLParser):
    """The text, elements and defects of a page.

    `tags` holds every element as (name, attributes); `texts` the text of each element with an id, and of the
    first of each name; `defects` what was not closed or closed out of turn; `rows` the cells of every row of
    a table, as text, below the id of the section they stand in.
    """

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.rows: list[tuple[str, list[str]]] = []
        self.defects: list[str] = []
        self._open: list[tuple[str, str | None]] = []
        self._cells: list[str] | None = None
        self.feed(html)
        self.close()
        self.defects += [f"{tag} is not closed" for tag, _ in self._open]

    @property
    def text(self) -> str:
        """All text of the page."""
        return tidy(self.texts["html"])

    def section(self, name: str) -> str:
        """Return the text of an element by its id or name."""
        return tidy(self.texts[name])

    def table_rows(self, section: str) -> list[list[str]]:
        """Return the cells of every row in a section."""
        return [[tidy(cell) for cell in cells] for where, cells in self.rows if where == section]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in VOID:
            return
        name = dict(attrs).get("id") or (tag if tag not in self.texts else None)
        self._open.append((tag, name))
        if name is not None:
            self.texts[name] = ""
        if tag in BLOCKS:
            self.handle_data(" ")
        if tag == "tr":
            self._cells = []
        if tag in ("td", "th") and self._cells is not None:
            self._cells.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1][0] != tag:
            self.defects.append(f"line {self.getpos()[0]}: </{tag}> closes {self._open[-1:]}")
            return
        self._open.pop()
        if tag == "tr" and self._cells is not None:
            inside = [name for name, key in self._open if name == "section"]
            where = next((key for name, key in reversed(self._open) if name == "section" and key), "header")
            self.rows.append((where if inside else "header", self._cells))
            self._cells = None

    def handle_data(self, data: str) -> None:
        for _, name in self._open:
            if name is not None and not (name == "html" and self._open[-1][0] == "style"):
                self.texts[name] += data
        inside = {tag for tag, _ in self._open}
        if self._cells and inside & {"td", "th"} and "title" not in inside:
            self._cells[-1] += data


def tidy(text: str) -> str:
    """Return a text with plain spaces and the minus of keyboards."""
    return re.sub(r"[\s\u202f\xa0]+", " ", text.replace("\u2212", "-")).strip()


def number(text: str) -> float:
    """Read a number from a cell."""
    return float(text.replace(",", ""))
