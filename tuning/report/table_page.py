"""What does a fit to somebody's table look like on a page? The sections of the report that need no study."""

from pathlib import Path

from tunesmith.engine.files import write
from tunesmith.tuning.documents.fit import SIDES, TableFacts
from tunesmith.tuning.fit.notes import TEMPO
from tunesmith.tuning.report.glossary import FITS, glossary
from tunesmith.tuning.report.html import Markup, el, page
from tunesmith.tuning.report.numbers import clip, counted
from tunesmith.tuning.report.reading import Record, StudyFiles
from tunesmith.tuning.report.sections.fit import fit
from tunesmith.tuning.report.sections.weights import weights


def write_page(target: Path, name: str, facts: TableFacts) -> None:
    """Write one self-contained HTML file about the fit of table `name`."""
    write(target, render(name, facts))


def render(name: str, facts: TableFacts) -> str:
    """Return the page."""
    content = Record(_explained(facts).content())
    study = StudyFiles(Path(name), Record(), Record(), ((1, content),), (), Record(), ())
    parts = [_head(name, content), weights(study), fit(study), glossary(FITS)]
    return page(f"{clip(name, 60)}: fitted weights", el("main", parts))


def _explained(facts: TableFacts) -> TableFacts:
    """Say what `tempo` means where the features are not the mover's: the page knows only the usual meaning."""
    if facts.table.seen_from == "mover":
        return facts
    rows = [
        row.model_copy(update={"meaning": "the first player's (White's) advantage, whoever moves"})
        if row.feature == TEMPO and not row.meaning else row
        for row in facts.weights
    ]  # fmt: skip
    return facts.model_copy(update={"weights": rows})


def _head(name: str, fitted: Record) -> Markup:
    source = fitted.at("table")
    side = SIDES["first" if source.text("perspective") == "first" else "mover"]
    rows, games = counted(fitted.number("rows"), "position"), counted(fitted.number("games"), "game")
    return el(
        "header",
        el("p", "Weights fitted to a table · ", el("strong", clip(name, 80)), class_="eyebrow"),
        el("h1", headline(fitted)),
        el("p", f"Fitted to {clip(name, 80)} ({source.text('format')}, results of the {side}): ", rows,
           " of ", games, "."),
        el("p", "Nothing here is proved by play: let the new weights play the old ones."),
    )  # fmt: skip


def headline(fitted: Record) -> str:
    """Return what the fit found, in a sentence."""
    rows = fitted.rows("weights")
    n_fitted = sum(row.text("status") in ("fitted", "at bound") for row in rows)
    found = f"{n_fitted} of {len(rows)} weights fitted"
    mean, error = fitted.number("gain_held_out", "mean"), fitted.number("gain_held_out", "error")
    before, after = (fitted.number("loss", "held_out", key) for key in ("prior", "fit"))
    if mean is None or not error or before is None or after is None:
        return f"{found}; whether they predict better was not measured."
    is_new = not any(row.number("before") for row in rows)
    old = "a guess of 50\u202f% everywhere" if is_new else "the old ones"
    verb = (
        "predict better than" if mean > 2 * error
        else "predict worse than" if mean < -2 * error
        else "are not shown to predict better than"
    )  # fmt: skip
    return f"{found}: on games that the fit never saw they {verb} {old} (loss {before:.5f} before, {after:.5f} after)."
