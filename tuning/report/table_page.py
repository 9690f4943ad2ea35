"""What does a fit to somebody's table look like on a page? The sections of the report that need no study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tunesmith.engine.files import replace
from tunesmith.games.errors import InputError
from tunesmith.tuning.report.html import el, join, style
from tunesmith.tuning.report.numbers import clip
from tunesmith.tuning.report.reading import Record, Study
from tunesmith.tuning.report.sections.fit import fit
from tunesmith.tuning.report.sections.weights import weights


def write_page(target: Path, name: str, facts: dict[str, Any]) -> None:
    """Write one self-contained HTML file about the fit of table `name`."""
    try:
        replace(target, render(name, facts))
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror}") from error


def render(name: str, facts: dict[str, Any]) -> str:
    """Return the page."""
    study = Study(Path(name), Record(), Record(), ((1, Record(facts)),), (), Record(), ())
    source = Record(facts).at("table")
    told = join(
        f"Fitted to {clip(name, 80)} ({source.text('format')}, results of the "
        f"{'side to move' if source.text('perspective') == 'mover' else 'first player'}). Nothing here is proved "
        "by play: let the new weights play the old ones."
    )
    head = el("head", el("meta", charset="utf-8"),
              el("meta", name="viewport", content="width=device-width, initial-scale=1"),
              el("title", f"{clip(name, 60)}: fitted weights"),
              style((Path(__file__).parent / "assets" / "page.css").read_text(encoding="utf-8")))  # fmt: skip
    body = el("body", el("main", el("h1", clip(name, 80)), el("p", told), weights(study), fit(study)))
    return f"<!doctype html>\n{el('html', head, body, lang='en')}\n"
