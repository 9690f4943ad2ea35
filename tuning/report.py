"""What did a study find? One page that a person can read, print and pass on.

`write_report` turns the JSON files of a study folder into `report.html`: one file, no script, nothing loaded
from anywhere, the same bytes for the same files. Every part of a study may be missing or damaged; the page then
says so. Units: Elo, the candidate's view; evaluations of positions are the mover's. The parts are in `report_*`.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from games.errors import StudyError
from tuning.markup import Content, Markup, el, join, style
from tuning.report_data import Study, read_study
from tuning.report_fit import fit
from tuning.report_games import positions, selfplay
from tuning.report_head import head
from tuning.report_matches import matches, proof
from tuning.report_methods import methods
from tuning.report_numbers import clip
from tuning.report_search import search
from tuning.report_weights import weights

_CONTENTS = (
    ("weights", "Weights"),
    ("fit", "Fit"),
    ("search", "Search"),
    ("proof", "Proof"),
    ("matches", "All matches"),
    ("games", "Self-play"),
    ("positions", "Positions"),
    ("methods", "Methods"),
)


def write_report(study: Path) -> Path:
    """Write `report.html` into the folder of a study and return its path.

    Raises
    ------
    StudyError
        `study` is not a folder, or cannot be written to.
    """
    page = render(read_study(study))
    target = study / "report.html"
    try:
        _replace(target, page)
    except OSError as error:
        raise StudyError(f"{target}: cannot be written: {error.strerror or error}") from None
    return target


def render(study: Study) -> str:
    """Return the page of a study."""
    parts = (head, _contents, weights, fit, search, proof, matches, selfplay, positions, methods)
    sections = [part(study) for part in parts]
    footer = el(
        "footer",
        el(
            "p",
            "Written by Tunesmith from the files of the study folder ",
            el("code", clip(study.folder.name, 80)),
            ".",
        ),
    )
    body = el("main", sections, footer)
    return f"<!doctype html>\n{el('html', el('head', _meta(study)), el('body', body), lang='en')}\n"


def _meta(study: Study) -> Content:
    return join(
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", f"{clip(study.name, 60)}: Tunesmith report"),
        style((Path(__file__).with_name("report.css")).read_text(encoding="utf-8")),
    )


def _contents(study: Study) -> Markup:
    shown = [row for row in _CONTENTS if row[0] != "search" or study.searches]
    links = [el("li", el("a", title, href=f"#{name}")) for name, title in shown]
    return el("nav", el("ul", links), aria_label="Contents")


def _replace(target: Path, text: str) -> None:
    """Write to a temporary name beside the target, then rename."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".report-", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
