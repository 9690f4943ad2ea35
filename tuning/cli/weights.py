"""`tunesmith weights`: weight files for people, and for agents in other languages.

show, check, diff, export; history, promote and rollback say where weights come from, and which ones are a game's
`tuned`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.games.texts import counted
from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.printing import print_grid, print_json
from tunesmith.tuning.export.languages import LANGUAGES

if TYPE_CHECKING:
    from tunesmith.tuning.documents.history import LineageRow, TunedRow
    from tunesmith.tuning.pipeline.table_weights import NamedWeights

app = typer.Typer(help="Show, check, compare, export and promote weight files.", no_args_is_help=True)

FILE = "GAME/NAME such as kalah/hand-1, a NAME with --game, or a file; weights fitted to a table, too."
File = Annotated[str, typer.Argument(metavar="WEIGHTS", help=FILE)]


@app.command()
def show(
    file: File,
    game: option.GameOption = None,
    allow_variant: option.Variant = False,
    as_json: option.Json = False,
) -> None:
    """Print weights: numbers by stage, unit, origin, digest and proofs."""
    from tunesmith.tuning.proof.promotion import sentences

    if (table := _table(file)) is not None:
        _show_table(file, table, as_json)
        return
    _, weights = _load(file, game, allow_variant)
    if as_json:
        print_json(weights.to_json())
        return
    print(f"{weights.game} {_variant(weights.variant)}")
    facts = [["digest", weights.digest], ["scale", f"{weights.scale:g} Elo per unit"]]
    facts += [[key, str(value)] for key, value in weights.provenance.items()]
    facts += [["search", f"{name} = {value}"] for name, value in weights.options.items()]
    print_grid(facts)
    rows = [[f, *(f"{weights.values[s][f]:.4g}" for s in weights.stages)] for f in weights.features]
    print_grid(rows, ["feature", *weights.stages])
    for sentence in sentences(weights) or ["none"]:
        print(f"proof   {sentence}")
    if not weights.is_covered:
        print(f"note    {_cover(False)}")


def _show_table(file: str, table: NamedWeights, as_json: bool) -> None:
    stages, features = table.names.stages, table.names.features
    rows = dict(zip(stages, table.values.tolist(), strict=True))
    if as_json:
        named = {stage: dict(zip(features, row, strict=True)) for stage, row in rows.items()}
        print_json({"file": file, "unit": table.unit, "weights": named, "source": dict(table.source)})
        return
    print(f"{file}: weights of a table, of no game")
    print_grid([["unit", f"{table.unit:g} Elo"], *([key, str(value)] for key, value in table.source.items())])
    cells = [[name, *(f"{rows[stage][at]:.4g}" for stage in stages)] for at, name in enumerate(features)]
    print_grid(cells, ["feature", *stages])


def _cover(is_covered: bool) -> str:
    """Return in words whether damage of proof and provenance would be seen."""
    return f"proof and provenance are {'covered' if is_covered else 'not covered'} by a digest"


@app.command()
def check(
    file: File,
    game: option.GameOption = None,
    allow_variant: option.Variant = False,
    as_json: option.Json = False,
) -> None:
    """Load weights as the engine does; exit 1 if one changes no evaluation."""
    from tunesmith.tuning.pipeline import preflight

    if (table := _table(file)) is not None:
        count = counted(table.values.size, "weight")
        if as_json:
            print_json({"file": file, "weights": table.values.size, "unit": table.unit, "faults": []})
        else:
            print(f"{file}: ok, {count} of a table; which of them change an evaluation no game can tell")
        return
    loaded, weights = _load(file, game, allow_variant)
    faults = preflight.check(loaded, weights)
    if as_json:
        print_json(
            {"file": file, "digest": weights.digest, "is_covered": weights.is_covered, "faults": faults}
        )
    else:
        for fault in faults:
            print(f"{file}: {fault}")
        told = "FAILED" if faults else "ok"
        print(f"{file}: {told}, digest {weights.digest}; {_cover(weights.is_covered)}")
    if faults:
        raise typer.Exit(1)


@app.command()
def diff(first: File, second: File, game: option.GameOption = None, as_json: option.Json = False) -> None:
    """Print what differs between weights, in Elo, so that units do not matter."""
    if any(_table(name) is not None for name in (first, second)):
        _print_changes(_in_elo(first, game), _in_elo(second, game), [], as_json, {})
        return
    loaded, a = _load(first, game, True)
    _, b = _load(second, game or loaded.spec, True)
    options = sorted({*a.options, *b.options})
    searches = [
        (o, a.options.get(o), b.options.get(o)) for o in options if a.options.get(o) != b.options.get(o)
    ]
    if a.variant != b.variant and not as_json:
        print(f"variant {_variant(a.variant)} | {_variant(b.variant)}")
    _print_changes(
        _scaled(loaded, a), _scaled(loaded, b), searches, as_json, {"variant": [a.variant, b.variant]}
    )


Elo = dict[tuple[str, str], float]  # of a weight, by stage and feature


def _scaled(game: Any, weights: Any) -> Elo:
    return {
        (stage, name): weights.scale * weights.values[stage][name]
        for stage in game.stage_names
        for name in game.feature_names
    }


def _in_elo(file: str, spec: str | None) -> Elo:
    """Return the weights of a table or of a game in Elo."""
    table = _table(file)
    if table is None:
        return _scaled(*_load(file, spec, True))
    return {
        (stage, name): table.unit * value
        for stage, row in zip(table.names.stages, table.values.tolist(), strict=True)
        for name, value in zip(table.names.features, row, strict=True)
    }


def _print_changes(
    first: Elo, second: Elo, searches: list[Any], as_json: bool, more: Mapping[str, Any]
) -> None:
    """Print the weights that differ, or stand on one side only, and the options that differ."""
    keys = list(dict.fromkeys([*first, *second]))
    changed = [(*key, first.get(key), second.get(key)) for key in keys if first.get(key) != second.get(key)]
    if as_json:
        names = ("stage", "feature", "first", "second")
        print_json(
            {
                "weights": [dict(zip(names, row, strict=True)) for row in changed],
                "options": [dict(zip(("option", "first", "second"), row, strict=True)) for row in searches],
                **more,
            }
        )
        return
    cells = [
        [
            stage, name, *("" if value is None else f"{value:.2f}" for value in (x, y)),
            "" if x is None or y is None else f"{y - x:+z.2f}",
        ]
        for stage, name, x, y in changed
    ]  # fmt: skip
    print_grid(cells, ["stage", "feature", "first (Elo)", "second (Elo)", "change"])
    for name, x, y in searches:
        print(f"search.{name}: {x} | {y}")
    if not changed and not searches:
        print("no difference")


@app.command()
def export(
    file: File,
    to: Annotated[str, typer.Option(metavar="LANGUAGE", help=f"One of {', '.join(LANGUAGES)}.")],
    out: Annotated[Path | None, typer.Option(metavar="PATH", help="File to write (default: print).")] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of the constants, class or module (default: the game's).")
    ] = None,
    game: option.GameOption = None,
    allow_variant: option.Variant = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: option.Json = False,
) -> None:
    """Write weights as constants and an evaluation in another language."""
    from tunesmith.engine import files
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.export import of_table, of_weights, source

    if out is not None and out.exists() and not force:
        raise InputError(f"--out: {out} is there already; --force replaces it")
    if _table(file) is not None:
        constants = of_table(Path(file))
    else:
        loaded, weights = _load(file, game, allow_variant)
        constants = of_weights(weights, loaded)
    text = source(constants, to, name)
    if out is not None:
        files.write(out, text)
    if as_json:
        where = {"text": text} if out is None else {"written": str(out)}
        print_json({"weights": constants.title, "language": to, **where})
    elif out is None:
        print(text, end="")
    else:
        print(f"{out}: {constants.title} as {to}")


def _table(file: str) -> NamedWeights | None:
    """Return weights that were fitted to a table, None where a file holds others."""
    from tunesmith.tuning.pipeline.table_weights import is_table_weights, read_weights

    return read_weights(Path(file)) if is_table_weights(Path(file)) else None


def _variant(variant: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value}" for name, value in variant.items())


def _load(file: str, spec: str | None, allow_variant: bool) -> tuple[Any, Any]:
    """Return the game and the weights of an argument."""
    from tunesmith.tuning.play.player import named_weights

    return named_weights(file, spec, allow_variant)


@app.command()
def history(
    source: Annotated[
        str, typer.Argument(metavar="STUDY|GAME", help=f"A study's folder, or a game. {option.GAME}")
    ],
    as_json: option.Json = False,
) -> None:
    """Print the weights of a study step by step, or the tuned weights that a game has had."""
    from tunesmith import games

    rows: Sequence[LineageRow | TunedRow]
    if Path(source).is_dir() and source not in games.names():
        from tunesmith.tuning.proof.lineage import lineage

        rows = steps = lineage(Path(source))
        cells = [
            [_step(r), (r.digest or "")[:12], _minute(r.written), _count(r.games), r.gain or ""]
            for r in steps
        ]
        header = ["step", "digest", "written (UTC)", "games", "gain"]
    else:
        from tunesmith.tuning.proof.promotion import weights_over_time

        rows = tuned = weights_over_time(games.load(source))
        cells = [[Path(r.file).name, r.digest[:12], _minute(r.on or ""), _origin(r)] for r in tuned]
        header = ["file", "digest", "promoted (UTC)", "proof"]
    if as_json:
        print_json({"weights": [row.content() for row in rows]})
    elif rows:
        print_grid(cells, header)
    else:
        print(f"{source}: no tuned weights")


def _step(row: LineageRow) -> str:
    """Return a step in words; the one that made what the study proves is marked."""
    return f"{row.step} (chosen)" if row.is_chosen and row.step != "candidate" else row.step


def _minute(moment: str) -> str:
    return moment[:16].replace("T", " ")


def _count(games: int | None) -> str:
    return "" if games is None else f"{games:,}"


def _origin(row: TunedRow) -> str:
    return f"forced: {row.forced}" if row.forced else row.proof or "none"


def _near(path: str) -> str:
    """Return a path as seen from here, if it is below."""
    here, there = Path.cwd(), Path(path).resolve()
    return str(there.relative_to(here)) if there.is_relative_to(here) else path


@app.command()
def promote(
    source: Annotated[
        str, typer.Argument(metavar="STUDY|WEIGHTS", help="A finished study, or a proven file.")
    ],
    game: option.GameOption = None,
    force: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="Take weights without a proof; the reason is recorded."),
    ] = None,
    edition: Annotated[
        int | None, typer.Option(help="Take only a proof on openings of this edition (default: of any).")
    ] = None,
    as_json: option.Json = False,
) -> None:
    """Make proven weights the game's `tuned` ones; the file they replace is kept for rollback."""
    from tunesmith import games
    from tunesmith.engine import weights as weight_files
    from tunesmith.tuning.proof import promotion

    if Path(source).is_dir():
        from tunesmith.tuning.study import stored_config

        spec = game or stored_config(Path(source)).game
        path, loaded = promotion.of_study(Path(source)), games.load(spec)
    else:
        from tunesmith.tuning.play.player import game_of

        loaded = games.load(game_of(source, game))
        path = weight_files.find(source, loaded)
    found = promotion.promote(loaded, path, force, edition)
    if as_json:
        print_json(found)
        return
    print(f"{_near(found.file)}: now {found.digest[:12]} of {path}")
    print(
        f"forced  {found.forced} (although {found.although})" if found.forced else f"proof   {found.sentence}"
    )
    if found.kept and found.replaced:
        print(f"kept    {found.replaced[:12]} as {_near(found.kept)}")
    if not found.compared and not found.forced:
        print("note    the proof says nothing of the tuned weights that were replaced")
    if found.unused_edition:
        print(
            f"note    openings of edition {found.edition} have proved earlier tuned weights too, so that they had a "
            f"say in the choice: edition {found.unused_edition} has others (openings.edition in a study, "
            f"tunesmith verify --edition {found.unused_edition})"
        )
    if not found.is_covered and not found.forced:
        print(f"note    {_cover(False)}: damage of {path} would not have been seen")


@app.command()
def rollback(game: option.Game, as_json: option.Json = False) -> None:
    """Bring back the tuned weights that were replaced last."""
    from tunesmith import games
    from tunesmith.tuning.proof import promotion

    found = promotion.rollback(games.load(game))
    if as_json:
        print_json(found)
        return
    print(f"{_near(found.file)}: back to {found.digest[:12]} ({found.left} earlier kept)")
    if found.kept and found.undone:
        print(f"undone  {found.undone[:12]}, kept as {_near(found.kept)}")
