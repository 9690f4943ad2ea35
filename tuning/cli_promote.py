"""`tunesmith weights history|promote|rollback`: where weights come from, and which ones are a game's `tuned`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tuning.cli_common import GameArgument, JsonOption, print_json, print_table


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (history, promote, rollback):
        app.command()(command)


def history(
    source: Annotated[str, typer.Argument(metavar="STUDY|GAME", help="A study's folder, or a game spec.")],
    as_json: JsonOption = False,
) -> None:
    """Print how a study's weights came about, or which tuned weights a game has had."""
    import games

    if Path(source).is_dir() and source not in games.names():
        from tuning.lineage import lineage

        rows = lineage(Path(source))
        cells = [
            [r["step"], r["digest"][:12], _minute(r["written"]), _count(r["games"]), r["gain"] or ""]
            for r in rows
        ]
        header = ["step", "digest", "written (UTC)", "games", "gain"]
    else:
        from tuning.promotion import shelved

        rows = shelved(games.load(source))
        cells = [[Path(r["file"]).name, r["digest"][:12], _minute(r["on"] or ""), _origin(r)] for r in rows]
        header = ["file", "digest", "promoted (UTC)", "proof"]
    if as_json:
        print_json({"weights": rows})
    elif rows:
        print_table(cells, header)
    else:
        print(f"{source}: no tuned weights")


def _minute(moment: str) -> str:
    return moment[:16].replace("T", " ")


def _count(games: int | None) -> str:
    return "" if games is None else f"{games:,}"


def _origin(row: dict[str, Any]) -> str:
    return f"forced: {row['forced']}" if row["forced"] else str(row["proof"] or "none")


def _near(path: str) -> str:
    """Return a path as seen from here, if it is below."""
    here, there = Path.cwd(), Path(path).resolve()
    return str(there.relative_to(here)) if there.is_relative_to(here) else path


def promote(
    source: Annotated[
        str, typer.Argument(metavar="STUDY|WEIGHTS", help="A finished study, or a proven file.")
    ],
    game: Annotated[
        str | None, typer.Option("--game", help="Game spec (default: the one the source says).")
    ] = None,
    force: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="Take weights without a proof; the reason is recorded."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make proven weights the game's `tuned` ones; the file they replace is kept for rollback."""
    import games
    from engine import weights as weight_files
    from tuning import promotion
    from tuning.cli_weights import game_of

    if Path(source).is_dir():
        from tuning.study import stored_config

        spec = game or stored_config(Path(source)).game
        path, loaded = promotion.of_study(Path(source)), games.load(spec)
    else:
        loaded = games.load(game_of(source, game))
        path = weight_files.find(source, loaded)
    found = promotion.promote(loaded, path, force)
    if as_json:
        print_json(found)
        return
    print(f"{_near(found['file'])}: now {found['digest'][:12]} of {path}")
    print(
        f"forced  {found['forced']} (although {found['although']})"
        if found["forced"]
        else f"proof   {found['sentence']}"
    )
    if found["kept"]:
        print(f"kept    {found['replaced'][:12]} as {_near(found['kept'])}")
    if not found["compared"] and not found["forced"]:
        print("note    the proof says nothing of the tuned weights that were replaced")


def rollback(game: GameArgument, as_json: JsonOption = False) -> None:
    """Bring back the tuned weights that the present ones replaced, one step."""
    import games
    from tuning import promotion

    found = promotion.rollback(games.load(game))
    if as_json:
        print_json(found)
        return
    print(f"{_near(found['file'])}: back to {found['digest'][:12]} ({found['left']} earlier kept)")
    if found["kept"]:
        print(f"undone  {found['undone'][:12]}, kept as {_near(found['kept'])}")
