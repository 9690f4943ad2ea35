"""The tables of a report as CSV, for other programs.

`tables` reads them from the study's files exactly as the report does; `write_tables` writes a file for each. Units
are those of the files: Elo, the candidate's view; counts of pairs worst first."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunesmith.engine import files
from tunesmith.games.errors import InputError
from tunesmith.tuning.report.reading import Record, StudyFiles

_COUNTS = ("LL", "LD", "DD+WL", "WD", "WW")

Cell = str | float | int | None


@dataclass(frozen=True)
class Table:
    """Rows under a header; None is an empty cell."""

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def column(self, name: str) -> list[Any]:
        """Return the cells of a column."""
        at = self.header.index(name)
        return [row[at] for row in self.rows]


# --- tables


def tables(study: StudyFiles) -> Iterator[Table]:
    """Yield every table of a study that has rows."""
    found = [
        _matches(study),
        *_paths(study),
        _losses(study),
        *_of_fits(study),
        _trials(study),
        _of_rows("pilot", study.pilot),
    ]
    yield from (table for table in found if table.rows)


def _matches(study: StudyFiles) -> Table:
    header = ("match", "kind", "opponent", "limit", "pairs", "games", "distinct_games", *_COUNTS)
    measures = ("score", "elo", "elo_low", "elo_high", "nelo", "los")
    rows = []
    for run in study.runs:
        counts = [*run.numbers("counts"), None, None, None, None, None][:5]
        about = (run.text("name"), run.text("kind"), run.text("opponent", "name"), run.text("limit"))
        sizes = (_whole(run.number(key)) for key in ("pairs", "games", "distinct_games"))
        found = (run.number("estimate", key) for key in measures)
        rows.append((*about, *sizes, *map(_whole, counts), *found, run.text("decision")))
    return Table("matches", (*header, *measures, "decision"), tuple(rows))


def _paths(study: StudyFiles) -> Iterator[Table]:
    for run in study.sequential:
        bounds = run.number("sprt", "lower"), run.number("sprt", "upper")
        rows = tuple((_whole(pair), llr, *bounds) for pair, llr in run.points("path"))
        yield Table(f"sequential-{run.text('name') or 'test'}", ("pair", "llr", "lower", "upper"), rows)


def _losses(study: StudyFiles) -> Table:
    rows = [
        (generation, part, fit.number("loss", part, "prior"), fit.number("loss", part, "fit"))
        for generation, fit in study.fits
        for part in ("training", "held_out")
        if fit.number("loss", part, "fit") is not None
    ]
    return Table("losses", ("generation", "pairs", "before", "after"), tuple(rows))


def _of_fits(study: StudyFiles) -> Iterator[Table]:
    for name in ("weights", "calibration", "residuals", "residuals_by_score", "interactions", "sources"):
        yield _of_rows(name, study.fit.rows(name))
    yield _of_rows("learning_curve", study.fit.rows("learning_curve", "parts"))
    selected = tuple((name, _whole(value.number())) for name, value in study.fit.items("selection"))
    yield Table("selection", ("what", "positions"), selected)


def _trials(study: StudyFiles) -> Table:
    names = sorted({name for row in study.trials for name, _ in row.items("setting")})
    keys = ("number", "state", "score", "games", "sampler", "digest")
    rows = []
    for row in study.trials:
        counts = [*row.numbers("counts"), None, None, None, None, None][:5]
        setting = (_cell(row.at("setting", name).value) for name in names)
        rows.append((*(_cell(row.at(key).value) for key in keys), *map(_whole, counts), *setting))
    return Table("trials", (*keys, *_COUNTS, *names), tuple(rows))


def _of_rows(name: str, rows: list[Record] | tuple[Record, ...]) -> Table:
    """Return records as rows; what is no single value in them is left out."""
    keys = {
        key: None for row in rows for key, value in row.items() if not isinstance(value.value, dict | list)
    }
    cells = tuple(tuple(_cell(row.at(key).value) for key in keys) for row in rows)
    return Table(name, tuple(keys), cells)


def _cell(value: Any) -> Cell:
    return value if isinstance(value, str | int | float) else None


def _whole(value: float | None) -> Cell:
    return int(value) if value is not None and value == int(value) else value


def write_tables(study: StudyFiles, folder: Path) -> list[Path]:
    """Write every table as `<name>.csv`; return the paths. Raises InputError if that cannot be."""
    make_folder(folder)
    written = []
    for table in tables(study):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([table.header, *table.rows])
        written.append(folder / f"{file_name(table.name)}.csv")
        files.write(written[-1], text.getvalue())
    return written


def make_folder(folder: Path) -> None:
    """Make a folder unless it is there; raises InputError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from error


def file_name(name: str) -> str:
    """Return a name that no path can be made of."""
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in name)[:80]
