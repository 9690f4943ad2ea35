"""What did a study find? One page that a person can read, print and pass on.

`write_report` turns the files of a study folder into `report.html`: one file, nothing loaded from anywhere, the
same bytes for the same files; its only script pages through a game. Every part of a study may be missing or
damaged; the page then says so. Units: Elo, the candidate's view; evaluations of positions are the mover's. The
parts are in `report_*`.
"""

from __future__ import annotations

from pathlib import Path

from tunesmith.engine.files import replace
from tunesmith.games.errors import StudyError
from tunesmith.tuning.report.game_page import PARTS
from tunesmith.tuning.report.html import Markup, el, page
from tunesmith.tuning.report.numbers import clip
from tunesmith.tuning.report.reading import Study, read_study
from tunesmith.tuning.report.sections.dataset import dataset
from tunesmith.tuning.report.sections.fit import fit
from tunesmith.tuning.report.sections.game import game
from tunesmith.tuning.report.sections.methods import methods
from tunesmith.tuning.report.sections.proof import matches, proof
from tunesmith.tuning.report.sections.search import search
from tunesmith.tuning.report.sections.selfplay import positions, selfplay
from tunesmith.tuning.report.sections.verdict import head
from tunesmith.tuning.report.sections.weights import weights

_CONTENTS = (
    ("weights", "Weights"),
    ("fit", "Fit"),
    ("search", "Search"),
    ("proof", "Proof"),
    ("matches", "All matches"),
    ("games", "Self-play"),
    ("data", "Training positions"),
    ("positions", "Positions"),
    ("game", "A game"),
    ("methods", "Methods"),
)


def write_report(study: Path) -> Path:
    """Write `report.html` into the folder of a study and return its path.

    Raises
    ------
    StudyError
        `study` is not a folder, or cannot be written to.
    """
    text = render(read_study(study))
    target = study / "report.html"
    try:
        replace(target, text)
    except OSError as error:
        raise StudyError(f"{target}: cannot be written: {error.strerror or error}") from None
    return target


def render(study: Study) -> str:
    """Return the page of a study."""
    told = game(study)
    before = (
        head,
        lambda study: _contents(study, bool(told)),
        weights,
        fit,
        search,
        proof,
        matches,
        selfplay,
        dataset,
        positions,
    )
    sections = [*(part(study) for part in before), told, methods(study)]
    footer = el(
        "footer",
        el(
            "p",
            "Written by Tunesmith from the files of the study folder ",
            el("code", clip(study.folder.name, 80)),
            ".",
        ),
    )
    parts = PARTS if told else ()
    return page(f"{clip(study.name, 60)}: Tunesmith report", el("main", sections, footer), *parts)


def _contents(study: Study, has_game: bool) -> Markup:
    is_there = {"search": study.searches, "game": has_game}
    shown = [row for row in _CONTENTS if is_there.get(row[0], True)]
    links = [el("li", el("a", title, href=f"#{name}")) for name, title in shown]
    return el("nav", el("ul", links), aria_label="Contents")
