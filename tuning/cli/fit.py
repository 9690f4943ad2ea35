"""`tunesmith fit TABLE`: weights for somebody's own table of positions; `predict`: what weights say of one."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.games.texts import counted
from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.printing import print_grid, print_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tunesmith.tuning.config import FitOptions
    from tunesmith.tuning.documents.fit import GamesFit, PredictionFacts, TableFacts, WeightRow

Many = list[str] | None
Name = typer.Option
Table = Annotated[Path, typer.Argument(metavar="TABLE", help="Parquet, CSV or svmlight, a position a row.")]
Perspective = Annotated[str | None, Name(help="Whose results these are: mover, first or white.")]
Signed = Annotated[bool | None, Name("--signed/--unsigned", help="Results are -1, 0, 1, or 0, 0.5, 1.")]
Ignore = Annotated[Many, Name(metavar="NAME", help="Skip a column.")]
MaxBad = Annotated[float, Name(help="Largest share of rows that may be unusable.", min=0, max=1)]
SHOWN_ROWS = 10  # of a prediction that no file is asked for


ERRORS = (
    "error: standard error of the posterior, by data and prior together; it assumes changes of the size that the ridge "
    "expects\nerror by data: the data alone, without the ridge"
)


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("fit")(fit)
    app.command("predict")(predict)


def fit(
    table: Annotated[Path, typer.Argument(metavar="TABLE|DIR", help="Parquet, CSV or svmlight, a position a row; or a "
                                          "folder of games.")],
    out: Annotated[Many, Name(metavar="FILE", help="FILE.json or FILE.csv for weights, FILE.html for a page; "
                                                     "of a folder of games FILE.json.")] = None,
    perspective: Perspective = None,
    signed: Signed = None,
    features: Annotated[Many, Name("--feature", metavar="NAME", help="Fit these columns only.")] = None,
    ignore: Ignore = None,
    max_bad: MaxBad = 0.1,
    prior: Annotated[Path | None, Name(metavar="FILE", help="Old weights, which the fit stays near.")] = None,
    start: Annotated[Path | None, Name(metavar="FILE", help="Weights to start from, for speed.")] = None,
    loss: Annotated[str | None, Name(help="cross-entropy (default) or squared-error.")] = None,
    draws: Annotated[bool, Name("--draws", help="Draws are an outcome of their own, not half a win.")] = False,
    ridge: Annotated[float | None, Name(help="One pull of all weights to the prior (default: by cross-validation).",
                                      min=0)] = None,
    fixed: Annotated[Many, Name(metavar="NAME", help="Do not fit a weight, or any that match a pattern.")] = None,
    only: Annotated[Many, Name(metavar="NAME", help="Fit only these weights.")] = None,
    bound: Annotated[Many, Name(metavar="NAME=LOW:HIGH", help="Keep a weight in a range; NAME=+: positive.")] = None,
    order: Annotated[Many, Name(metavar="A<=B", help="Keep weights in order.")] = None,
    tie: Annotated[Many, Name(metavar="A=B", help="Keep weights equal.")] = None,
    step: Annotated[float | None, Name("--round", metavar="STEP", help="Write multiples of STEP, e.g. 1.")] = None,
    anchor: Annotated[str | None, Name(metavar="NAME=NUMBER", help="Choose the unit (default: Elo).")] = None,
    blend: Annotated[float | None, Name(help="Share of the result in what is fitted, the rest is `score` (default: "
                                        "chosen by cross-validation).", min=0, max=1)] = None,
    held_out: Annotated[float | None, Name(help="Share of the games that only judge the fit; the weights come "
                                           "from the others (default: 0.2).",
                                           min=0.01, max=0.9)] = None,
    no_tempo: Annotated[bool, Name("--no-tempo", help="Add no column for the worth of the move.")] = False,
    min_rows: Annotated[int | None, Name(help="A feature that is not 0 in fewer rows keeps its prior (default: 30).",
                                         min=0)] = None,
    keep_near_labels: Annotated[bool, Name("--keep-near-labels", help="Fit what is nearly the result, too.")] = False,
    no_compare: Annotated[bool, Name("--no-compare", help="Skip the comparison with boosted trees.")] = False,
    out_of_core: Annotated[bool | None, Name("--out-of-core/--in-memory", help="Features in a scratch file?")] = None,
    scratch: Annotated[Path | None, Name(metavar="DIR", help="Folder of the scratch file (default: TABLE's).")] = None,
    game: option.OwnGame = None,
    as_json: option.Json = False,
) -> None:  # fmt: skip
    """Fit weights to a table of positions with results, or to a folder of games."""
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.config import FitOptions
    from tunesmith.tuning.data.table import read_table
    from tunesmith.tuning.data.table.layout import TableOptions
    from tunesmith.tuning.pipeline.fit_table import fit_table
    from tunesmith.tuning.pipeline.table_weights import read_numbers, write_weights
    from tunesmith.tuning.settings_file import checked

    said = {
        "loss": loss, "draws": draws, "ridge": ridge, "blend": blend, "held_out": held_out, "fixed": fixed,
        "only": only, "bounds": bound, "orders": order, "ties": tie, "round": step, "min_rows": min_rows,
        "keep_near_labels": keep_near_labels,
    }  # fmt: skip
    options = checked(FitOptions, {key: value for key, value in said.items() if value is not None}, "fit")
    if table.is_dir():
        foreign = {"perspective": perspective, "signed": signed, "feature": features, "ignore": ignore,
                   "start": start, "anchor": anchor, "out-of-core": out_of_core, "scratch": scratch,
                   "draws": draws or None}  # fmt: skip
        for name in (name for name, value in foreign.items() if value is not None):
            raise InputError(f"--{name}: is for tables; a folder of games needs and knows no such thing")
        _fit_games(table, options, str(prior or "hand"), game, targets_of(out, (".json",)), as_json=as_json)
        return
    if game is not None:
        raise InputError("--game: is for a folder of games")
    targets = targets_of(out, (".json", ".csv", ".html"))
    how = TableOptions(perspective, signed, tuple(features or ()), tuple(ignore or ()), max_bad,
                       out_of_core, scratch)  # fmt: skip
    made = fit_table(
        read_table(table, how),
        options,
        prior=read_numbers(prior) if prior else None,
        start=read_numbers(start) if start else None,
        anchor=anchor,
        tempo=not no_tempo,
        compare=not no_compare,
    )
    source = {"table": table.name, **made.facts.table.content(), "games": made.facts.games}
    for target in targets:
        if target.suffix == ".html":
            _write_page(target, table.name, made.facts)
        else:
            write_weights(made, target, source)
    if as_json:
        print_json({**made.facts.content(), "written": [str(target) for target in targets]})
        return
    _print(table, made)
    for target in targets:
        print(f"written {target}")


def _fit_games(
    folder: Path, options: FitOptions, prior: str, game: str | None, targets: list[Path], *, as_json: bool
) -> None:
    """Fit a game's weights to a folder of its games, and print or write them."""
    from tunesmith.tuning.config import GameFitOptions
    from tunesmith.tuning.pipeline.fit_games import fit_folder, write_checked

    settings = GameFitOptions(**options.model_dump(exclude_unset=True))
    known, made, facts = fit_folder(folder, settings, prior, game)
    for target in targets:
        write_checked(known, made, target)
    if as_json:
        print_json({**facts.content(), "written": [str(target) for target in targets]})
        return
    stages = len(known.stage_names) > 1
    numbers = [
        (
            f"{row.stage}.{row.feature}" if stages else row.feature,
            row.after,
            math.nan if row.error is None else row.error,
            row,
        )
        for row in facts.weights
    ]
    print(f"{folder}: {known.spec}, {facts.rows:,} positions; prior: {prior}")
    _print_weights(numbers, groups="pairs")
    _print_losses(facts)
    for note in facts.notes:
        print(f"note: {note}")
    for target in targets:
        print(f"written {target}")


def predict(
    weights: Annotated[
        str, typer.Argument(metavar="WEIGHTS", help="Weights that fit wrote (.json or .csv), or GAME/NAME.")
    ],
    table: Table,
    out: Annotated[
        Many, Name(metavar="FILE", help="FILE.csv or FILE.parquet: line, score, probability of every row.")
    ] = None,
    perspective: Perspective = None,
    signed: Signed = None,
    ignore: Ignore = None,
    max_bad: MaxBad = 0.1,
    as_json: option.Json = False,
) -> None:
    """Score the rows of a table with weights; with results, say how well."""
    from tunesmith.tuning.data.table.layout import TableOptions
    from tunesmith.tuning.pipeline import predict
    from tunesmith.tuning.pipeline.table_weights import read_weights

    targets = targets_of(out, predict.ENDINGS)
    how = TableOptions(perspective, signed, ignore=tuple(ignore or ()), max_bad=max_bad)
    made = predict.predict(read_weights(_file_of(weights)), table, how)
    for target in targets:
        predict.write_prediction(made, target)
    written = [str(target) for target in targets]
    if as_json:
        print_json({"weights": weights, "file": str(table), **made.facts.content(), "written": written})
        return
    if not targets:
        _print_rows(made.columns)
    _print_prediction(made.facts)
    for name in written:
        print(f"written {name}")


def _file_of(weights: str) -> Path:
    """Return the file of weights, of a table or of a game."""
    from tunesmith import games
    from tunesmith.engine import weights as weight_files
    from tunesmith.tuning.play.player import game_of

    path = Path(weights)
    if path.suffix or path.is_file():
        return path
    return weight_files.find(weights, games.load(game_of(weights, None)))


def _print_rows(columns: Mapping[str, Any]) -> None:
    """Print the first rows of a prediction."""
    formats = {"line": "d", "score": "+.2f", "probability": ".4f", "result": "g", "loss": ".4f"}
    shown = [
        ["" if value != value else format(value, formats[name]) for value in column[:SHOWN_ROWS].tolist()]
        for name, column in columns.items()
    ]
    print_grid(list(zip(*shown, strict=True)), list(columns))
    left = len(columns["line"]) - SHOWN_ROWS
    if left > 0:
        print(f"and {counted(left, 'more row')}: --out FILE.csv or FILE.parquet writes all")


def _print_prediction(facts: PredictionFacts) -> None:
    unit = "Elo" if facts.unit == 1 else f"units of {facts.unit:.4g} Elo"
    print(
        f"{counted(facts.rows, 'row')}, weights in {unit}: mean size of a score {facts.mean_abs_score:.4g} Elo, "
        f"mean probability {facts.mean_probability:.4f} (a draw is half a win)"
    )
    if (found := facts.results) is not None:
        print(
            f"loss {found.loss:.5f} in {counted(found.rows, 'row')} with a result; {found.loss_of_mean:.5f} for always "
            f"saying their mean, {found.mean:.4f}"
        )
    for note in facts.notes:
        print(f"note: {note}")


def targets_of(out: Many, endings: tuple[str, ...]) -> list[Path]:
    """Return the files to write; one with another ending is refused before the work."""
    from tunesmith.games.errors import InputError

    targets = [Path(name) for name in out or ()]
    for target in targets:
        if target.suffix not in endings:
            expected = " or ".join(filter(None, (", ".join(endings[:-1]), endings[-1])))
            raise InputError(f"--out: expected a name that ends with {expected}, found {str(target)!r}")
        option.require_file("--out", target)
    return targets


def _write_page(target: Path, name: str, facts: TableFacts) -> None:
    from tunesmith.tuning.report.table_page import write_page

    write_page(target, name, facts)


def _print(table: Path, made: Any) -> None:
    from tunesmith.tuning.documents.fit import SIDES

    facts = made.facts
    source = facts.table
    print(
        f"{table.name}: {source.format}, results of the {SIDES[source.perspective]}: "
        f"{counted(facts.rows, 'row')}, {counted(facts.games, 'game')}"
    )
    if source.scratch:
        print(f"out of core: features in a scratch file of {source.scratch / 1e6:,.1f} MB")
    numbers = zip(made.names.full, made.weights.flat, made.errors.flat, facts.weights, strict=True)
    _print_weights(numbers, made.unit)
    unit = "Elo" if made.unit == 1 else f"units of {made.unit:.4g} Elo"
    _print_losses(facts, unit)
    size_before, size_after = (size / made.unit for size in facts.mean_abs_score)
    print(f"mean size of a score: {size_before:.4g} before, {size_after:.4g} after")
    if facts.draw_margin is not None:
        print(f"draws: between -{facts.draw_margin / made.unit:.4g} and +{facts.draw_margin / made.unit:.4g}")
    if (found := facts.rounding) is not None:
        print(
            f"rounded to {found.step:g}: loss {found.loss.before:.6f} before, {found.loss.rounded:.6f} after, "
            f"{found.loss.repaired:.6f} with {len(found.repaired)} rounded the other way"
        )
    for note in facts.notes:
        print(f"note: {note}")
    for remark in facts.remarks:
        print(f"      {remark}")


def _print_weights(
    numbers: Iterable[tuple[str, float, float, WeightRow]], unit: float = 1.0, groups: str = "games"
) -> None:
    """Print a line a weight: name, value and error in the unit written, the rest in Elo per unit.

    groups: what rows that share their luck are called.
    """
    cells = [
        [
            name, _number(weight), _number(error), _by_data(row, unit), _number(row.before / unit),
            f"{row.status}, tied" if row.tied else row.status, f"{row.rows:,}", f"{row.pairs:,}",
        ]
        for name, weight, error, row in numbers
    ]  # fmt: skip
    print_grid(cells, ["weight", "value", "error", "error by data", "before", "status", "rows", groups])
    print(ERRORS)


def _print_losses(facts: GamesFit | TableFacts, unit: str = "Elo") -> None:
    print(f"unit: {unit}; ridge {facts.ridge:g}")
    print(facts.blend_path.words(facts.blend))
    for part, losses in (("training", facts.loss.training), ("held out", facts.loss.held_out)):
        if losses is not None:
            print(f"loss, {part} games: {losses.prior:.5f} before, {losses.fit:.5f} after")


def _by_data(row: WeightRow, unit: float) -> str:
    if row.status != "fitted":
        return ""
    return "not determined" if row.data is None else _number(row.data.error / unit)


def _number(value: float) -> str:
    return "" if value != value else f"{value:.4g}" if abs(value) < 10_000 else f"{value:.0f}"
