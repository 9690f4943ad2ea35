"""What did a study find? One page that a person can read, print and pass on.

`write_report` turns the files of a study folder into `report.html`: one file, nothing loaded from anywhere, the
same bytes for the same files; its only script pages through a game. Every part of a study may be missing or
damaged; the page then says so. Units: Elo, the candidate's view; evaluations of positions are the mover's. The
sections are registered in `report.sections`.
"""

from collections.abc import Mapping
from pathlib import Path

from tunesmith.engine.files import write
from tunesmith.games.errors import StudyError
from tunesmith.tuning.report.game_page import PARTS
from tunesmith.tuning.report.glossary import FITS, GAMES, SEARCH, STRENGTH, TESTS, TITLE, glossary
from tunesmith.tuning.report.html import Markup, el, page
from tunesmith.tuning.report.numbers import clip
from tunesmith.tuning.report.reading import StudyFiles, read_study
from tunesmith.tuning.report.sections import SECTIONS, head


def write_report(study: Path) -> Path:
    """Write `report.html` into the folder of a study and return its path.

    Raises
    ------
    StudyError
        `study` is not a folder, or cannot be written to.
    """
    text = render(read_study(study))
    target = study / "report.html"
    write(target, text, StudyError)
    return target


def render(study: StudyFiles) -> str:
    """Return the page of a study."""
    written = {anchor: write(study) for anchor, (_, write) in SECTIONS.items()}
    words = glossary(GAMES, STRENGTH, TESTS, FITS, *([SEARCH] if study.searches else []))
    sections = [head(study), _contents(written), *written.values(), words]
    footer = el(
        "footer",
        el(
            "p",
            "Written by Tunesmith from the files of the study folder ",
            el("code", clip(study.folder.name, 80)),
            ". What is folded, the coverage of features, a whole game and the ",
            el("a", "definitions of all words", href="#glossary"),
            " are in the file, not on paper.",
        ),
    )
    parts = PARTS if written["game"] else ()
    return page(f"{clip(study.name, 60)}: Tunesmith report", el("main", sections, footer), *parts)


def _contents(written: Mapping[str, Markup | None]) -> Markup:
    links = [
        el("li", el("a", SECTIONS[anchor][0], href=f"#{anchor}"))
        for anchor, text in written.items()
        if text is not None
    ]
    links.append(el("li", el("a", TITLE, href="#glossary")))
    return el("nav", el("ul", links), aria_label="Contents")
