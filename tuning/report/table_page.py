"""What does a fit to somebody's table look like on a page? The sections of the report that need no study."""

from pathlib import Path

from tunesmith.engine.files import write
from tunesmith.tuning.documents.fit import TableFacts
from tunesmith.tuning.report.html import el, join, page
from tunesmith.tuning.report.numbers import clip
from tunesmith.tuning.report.reading import Record, StudyFiles
from tunesmith.tuning.report.sections.fit import fit
from tunesmith.tuning.report.sections.weights import weights


def write_page(target: Path, name: str, facts: TableFacts) -> None:
    """Write one self-contained HTML file about the fit of table `name`."""
    write(target, render(name, facts))


def render(name: str, facts: TableFacts) -> str:
    """Return the page."""
    content = Record(facts.content())
    study = StudyFiles(Path(name), Record(), Record(), ((1, content),), (), Record(), ())
    source = content.at("table")
    told = join(
        f"Fitted to {clip(name, 80)} ({source.text('format')}, results of the "
        f"{'side to move' if source.text('perspective') == 'mover' else 'first player'}). Nothing here is proved "
        "by play: let the new weights play the old ones."
    )
    body = el("main", el("h1", clip(name, 80)), el("p", told), weights(study), fit(study))
    return page(f"{clip(name, 60)}: fitted weights", body)
