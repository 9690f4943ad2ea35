"""`tunesmith show`: a game as a page, games as text.

What is written follows from the name of `--out`: a page for one game (.html), or lines of moves (.txt) and, for chess
engines, PGN (.pgn) for all games of a folder."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.games.texts import counted
from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.options import require_file
from tunesmith.tuning.cli.printing import print_json

if TYPE_CHECKING:
    from tunesmith.games.game import Game
    from tunesmith.tuning.report.game_page import Neighbour, Story

PAGE, TEXT, PGN = ".html", ".txt", ".pgn"


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command()(show)


def show(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help=f"{option.GAME} chess: games of engines (uci), with --study."),
    ],
    moves: Annotated[str | None, typer.Option(help="Moves, separated by spaces.")] = None,
    transcript: Annotated[Path | None, typer.Option(help="A text file of moves; # begins a comment.")] = None,
    study: Annotated[Path | None, typer.Option(help="A study, or a folder of played games.")] = None,
    pair: Annotated[
        int | None, typer.Option(help="With --study: number of the pair (default: 0; of text: all).", min=0)
    ] = None,
    which: Annotated[
        int | None, typer.Option("--game", help="With --study: game 0 or 1 (default: 0).", min=0, max=1)
    ] = None,
    count: Annotated[
        int,
        typer.Option(help="With --study: pages for so many games, linked to each other.", min=1, max=1000),
    ] = 1,
    state: option.State = None,
    weights: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER", help=f"Whose evaluation of moves without a score. {option.PLAIN_PLAYER}"
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option(help="FILE.html for a page, FILE.txt for lines of moves, FILE.pgn for chess.")
    ] = Path("game.html"),
    as_json: option.Json = False,
) -> None:
    """Write a game as a page to page through, or games as text."""
    from tunesmith import games
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.external.report import is_engines
    from tunesmith.tuning.play.player import read_weights
    from tunesmith.tuning.report import game_source

    given = {"--moves": moves, "--transcript": transcript, "--study": study}
    chosen = [name for name, value in given.items() if value is not None]
    if len(chosen) != 1 or (study and state):
        found = " and ".join([*chosen, *(["--state"] if state else [])]) or "none"
        raise InputError(
            f"show: expected one of --moves, --transcript, --study (which takes no --state), found {found}"
        )
    _check_ending(out)
    require_file("--out", out)
    if study is not None and is_engines(study):
        _print(_write_engines(study, out, pair, which), as_json)
        return
    if out.suffix.lower() == PGN:
        raise InputError(f"--out {out}: PGN is for games of chess engines (--study with a study of uci)")
    loaded = games.load(game)
    judge = None if weights is None else read_weights(weights, loaded)
    if study is not None:
        if judge is not None:
            raise InputError(
                "--weights: is for --moves and --transcript; games of a study have scores of their own"
            )
        _print(_write_stored(loaded, game, study, (pair, which, count), out), as_json)
        return
    if transcript is not None:
        story = game_source.from_file(loaded, transcript, state)
    else:
        story = game_source.from_text(loaded, [moves or ""], state, "--moves")
    _print(_write_one(story if judge is None else game_source.evaluated(story, judge), out), as_json)


def _check_ending(out: Path) -> None:
    from tunesmith.games.errors import InputError

    if out.suffix.lower() not in (PAGE, TEXT, PGN):
        raise InputError(f"--out: expected a name that ends with {PAGE}, {TEXT} or {PGN}, found {str(out)!r}")


def _print(rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print_json({"games": rows})
        return
    files = list(dict.fromkeys(row["written"] for row in rows))
    if len(files) == 1 and len(rows) > 1:
        print(f"{counted(len(rows), 'game')}: {files[0]}")
        return
    for row in rows:
        who = f"{' - '.join(row['players'])}: " if row["players"] else ""
        print(f"{who}{row['outcome']}, {counted(row['moves'], 'move')}: {row['written']}")


def _write_one(story: Story, out: Path) -> list[dict[str, Any]]:
    from tunesmith.engine.files import write
    from tunesmith.tuning.report import game_page, game_source

    if out.suffix.lower() == TEXT:
        write(out, "\n".join(game_source.as_lines(story)) + "\n")
    else:
        game_page.write_strip(story, out)
    return [_row(story, out)]


def _row(story: Story, out: Path) -> dict[str, Any]:
    from tunesmith.tuning.report import game_page

    board = story.board
    texts = [
        board.game.move_to_text(state, move) for state, move in zip(board.states, board.moves, strict=False)
    ]
    return {
        "players": list(story.players or ()),
        "outcome": game_page.outcome(story),
        "result": board.result,
        "moves": len(board.moves),
        "line": texts,
        "scores": [story.scores.get(at) for at in range(len(texts))],
        "written": str(out),
    }


def _write_stored(
    game: Game, spec: str, study: Path, wanted: tuple[int | None, int | None, int], out: Path
) -> list[dict[str, Any]]:
    """Write one game of a folder, some pages that are linked, or all games as text."""
    from dataclasses import replace

    from tunesmith.engine.files import write
    from tunesmith.tuning.report import game_page, game_source

    pair, which, count = wanted
    if out.suffix.lower() == TEXT:
        stories = [
            game_source.from_folder(game, study, *number)
            for number in _chosen(game_source.numbers_in(study), pair, which)
        ]
        write(out, "\n\n".join("\n".join(game_source.as_lines(story)) for story in stories) + "\n")
        return [_row(story, out) for story in stories]
    first = (pair or 0, which or 0)
    story = game_source.from_folder(game, study, *first)  # refuses a game that is not there
    numbers = game_source.numbers_in(study)
    at = numbers.index(first) if first in numbers else None
    if at is None:  # a fault, of which no game is kept
        return _write_one(story, out)
    shown = numbers[at : at + count]
    pages = {number: _page(out, number, count) for number in shown}
    rows = []
    for place, number in enumerate(shown, start=at):
        story = game_source.from_folder(game, study, *number)
        near = [
            _neighbour(label, numbers[other], pages, spec, study)
            for label, other in (("Previous game", place - 1), ("Next game", place + 1))
            if 0 <= other < len(numbers)
        ]
        page = game_page.write_strip(replace(story, neighbours=tuple(near)), pages[number])
        rows.append(_row(story, page))
    return rows


def _chosen(numbers: list[tuple[int, int]], pair: int | None, which: int | None) -> list[tuple[int, int]]:
    from tunesmith.games.errors import InputError

    found = [one for one in numbers if pair in (None, one[0]) and which in (None, one[1])]
    if not found:
        raise InputError(f"--pair {pair}: no such game; there are pairs {numbers[0][0]} to {numbers[-1][0]}")
    return found


def _page(out: Path, number: tuple[int, int], count: int) -> Path:
    """Return the file of a page: `--out` itself for one, else with the numbers of pair and game."""
    return out if count == 1 else out.with_name(f"{out.stem}-{number[0]}-{number[1]}{out.suffix}")


def _neighbour(
    label: str, number: tuple[int, int], pages: dict[tuple[int, int], Path], spec: str, study: Path
) -> Neighbour:
    from tunesmith.tuning.report.game_page import Neighbour

    page = pages.get(number)
    pair, which = map(str, number)
    command = ["tunesmith", "show", spec, "--study", str(study), "--pair", pair, "--game", which]
    return Neighbour(label, None if page is None else page.name, shlex.join(command))


def _write_engines(study: Path, out: Path, pair: int | None, which: int | None) -> list[dict[str, Any]]:
    """Write games of engines as PGN (chess), or one a line."""
    from tunesmith.engine.files import write
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.external import pgn

    suffix = out.suffix.lower()
    if suffix == PAGE:
        raise InputError(
            f"--out {out}: games of chess engines are written as .pgn or .txt: give --out games.pgn"
        )
    is_chess = pgn.is_chess(study)
    if suffix == PGN and not is_chess:
        raise InputError(f"--out {out}: PGN is for chess: give --out games.txt, a game a line")
    rows = [row for row in pgn.games_of(study) if pair in (None, row.pair) and which in (None, row.game)]
    if not rows:
        raise InputError(f"{study}: expected games of engines there, found none")
    write(
        out,
        "\n".join(
            pgn.as_pgn(row, study.name) if suffix == PGN else pgn.as_line(row, is_chess) for row in rows
        ),
    )
    return [
        {"players": row.names, "outcome": row.end_reason, "result": row.result,
         "moves": len(row.opening) + len(row.moves), "written": str(out)}
        for row in rows
    ]  # fmt: skip
