"""The charts of a report as pictures: SVG or PNG, drawn by matplotlib (an extra), with no network and no browser.

Each chart is drawn from the table of the same name (`tuning.report.tables`), so picture and CSV cannot differ; equal
studies give equal files. Units: Elo, the candidate's view."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tunesmith.games.errors import InputError
from tunesmith.tuning.extras import extra
from tunesmith.tuning.report.html import printable
from tunesmith.tuning.report.numbers import clip
from tunesmith.tuning.report.reading import StudyFiles
from tunesmith.tuning.report.tables import Table, file_name, make_folder, tables
from tunesmith.tuning.stats.elo import Z95

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = ("svg", "png")


def write_plots(study: StudyFiles, folder: Path, kind: str = "svg") -> list[Path]:
    """Write every chart as `<name>.svg` or `.png`; return the paths.

    Raises
    ------
    InputError
        The format is neither, matplotlib is missing, or the folder cannot be written to.
    """
    if kind not in FORMATS:
        raise InputError(f"--format: expected one of {', '.join(FORMATS)}, found {kind!r}")
    with extra("plots", "--plots"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    make_folder(folder)
    written = []
    with mpl.rc_context(
        {"svg.hashsalt": "tunesmith", "text.parse_math": False}
    ):  # equal files for equal studies
        for table in tables(study):
            draw = _drawer(table.name)
            if draw is None:
                continue
            figure = Figure(figsize=(8, max(4.5, 0.2 * len(table.rows)) if table.name == "weights" else 4.5))
            draw(figure.add_subplot(), table)
            figure.tight_layout()
            written.append(folder / f"{file_name(table.name)}.{kind}")
            _save(figure, written[-1], kind)
    return written


def _save(figure: Any, path: Path, kind: str) -> None:
    picture = io.BytesIO()
    figure.savefig(
        picture, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else {"Software": None}
    )
    try:
        path.write_bytes(picture.getvalue())
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _drawer(name: str) -> Callable[[Axes, Table], None] | None:
    if name.startswith("sequential-"):
        return _draw_path
    return {
        "weights": _draw_weights,
        "calibration": _draw_calibration,
        "learning_curve": _draw_curve,
        "matches": _draw_matches,
        "trials": _draw_trials,
    }.get(name)


def _draw_path(axes: Axes, table: Table) -> None:
    axes.plot(table.column("pair"), table.column("llr"))
    for bound in ("lower", "upper"):
        if table.column(bound)[0] is not None:
            axes.axhline(table.column(bound)[0], linestyle="--", color="grey")
    axes.set(
        xlabel="pairs, in the order of their numbers",
        ylabel="log-likelihood ratio",
        title="Sequential test between its bounds",
    )


def _draw_weights(axes: Axes, table: Table) -> None:
    names = [
        _short(f"{stage}.{feature}")
        for stage, feature in zip(table.column("stage"), table.column("feature"), strict=True)
    ]
    errors = [error or 0 for error in table.column("error")]
    places = range(len(names))
    axes.errorbar(
        table.column("after"),
        places,
        xerr=errors,
        fmt="o",
        markersize=3,
        label="after, with posterior errors",
    )
    axes.plot(table.column("before"), places, "x", color="grey", label="before")
    axes.set_yticks(places, names, fontsize=6)
    axes.set_xscale("symlog", linthresh=10)
    _plain_numbers(axes)
    axes.invert_yaxis()
    axes.legend()
    axes.set(xlabel="Elo per unit of the feature", title="Weights")


def _draw_calibration(axes: Axes, table: Table) -> None:
    chosen = [i for i, stage in enumerate(table.column("stage")) if stage == "all"]
    predicted, actual, error = (
        [table.column(name)[i] for i in chosen] for name in ("predicted", "actual", "error")
    )
    axes.errorbar(predicted, actual, yerr=[Z95 * (e or 0) for e in error], fmt="o", label="held-out pairs")
    axes.plot([0, 1], [0, 1], "--", color="grey")
    axes.set(xlabel="predicted score", ylabel="actual score", title="Calibration")


def _draw_curve(axes: Axes, table: Table) -> None:
    axes.plot(table.column("pairs"), table.column("loss"), "o-")
    axes.set_xscale("log", base=2)
    axes.set_xticks(table.column("pairs"))
    _plain_numbers(axes)
    axes.set(xlabel="pairs fitted", ylabel="loss on held-out pairs", title="Learning curve")


def _draw_matches(axes: Axes, table: Table) -> None:
    rows: list[dict[str, Any]] = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    rows = [row for row in rows if None not in (row["elo"], row["elo_low"], row["elo_high"])]
    elo = [row["elo"] for row in rows]
    sides = [[row["elo"] - row["elo_low"] for row in rows], [row["elo_high"] - row["elo"] for row in rows]]
    axes.errorbar(elo, range(len(rows)), xerr=sides, fmt="o")
    axes.axvline(0, linestyle="--", color="grey")
    axes.set_yticks(
        range(len(rows)), [_short(f"{row['match']}: {row['opponent']}, {row['limit']}") for row in rows]
    )
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set(xlabel="Elo of the new weights, 95 % interval", title="Matches")


def _draw_trials(axes: Axes, table: Table) -> None:
    rows = zip(table.column("number"), table.column("score"), table.column("state"), strict=True)
    own = [row for row in rows if row[1] is not None and row[2] == "COMPLETE"]
    axes.plot([row[0] for row in own], [row[1] for row in own], "o")
    axes.axhline(0.5, linestyle="--", color="grey")
    axes.set(xlabel="trial", ylabel="score", title="Trials of the search")


def _plain_numbers(axes: Axes) -> None:
    """Write powers out: their usual form is mathematical text, which names of a study must not become."""
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.xaxis.set_minor_formatter("")


def _short(text: str) -> str:
    """Return a label that has a place and glyphs."""
    return clip(printable(text), 50)
