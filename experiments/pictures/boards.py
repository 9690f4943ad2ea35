"""A board a game: where do tuned and hand-made weights differ most, and who was right?

    python -m tunesmith.experiments.pictures.boards --out experiments/results/boards.json

Both play some games on openings that no fit saw. Of all calm positions after the opening the one is taken where the
results that the two evaluations expect differ most. Then each of the two searches it. Evaluations are Elo, as the side
to move sees them."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player, evaluation_parts
from tunesmith.engine.weights import Weights
from tunesmith.experiments.five_games import GAMES
from tunesmith.experiments.pictures.frame import WIDTH, picture, word
from tunesmith.games.errors import TunesmithError
from tunesmith.games.game import Game
from tunesmith.tuning.config import Openings
from tunesmith.tuning.files import write_json
from tunesmith.tuning.play.openings.random import make_openings
from tunesmith.tuning.report.html import Markup
from tunesmith.tuning.stats.elo import elo_to_score

PAIRS, PLIES, LIMIT, DEEP = 8, 6, "nodes:400", "nodes:100000"
NAMES = ("hand", "tuned")
_SHOWN = 4  # features
_BOARD, _ROW = 300, 24  # units that a board is wide, and a line of figures high

Found = dict[str, Any]


def differing(spec: str) -> Found:
    """Return the position of a game on which the two evaluations differ most, and what there is to say of it."""
    game = game_registry.load(spec)
    both = {name: weight_files.load(name, game) for name in NAMES}
    n_seen, best, most = 0, None, -1.0
    for board, result in _positions(game, both):
        n_seen += 1
        hand, tuned = (elo_to_score(_evaluation(board, both[name])) for name in NAMES)
        if abs(hand - tuned) > most:
            best, most = (board, result), abs(hand - tuned)
    if best is None:
        raise TunesmithError(f"{spec}: no calm position in {2 * PAIRS} games")
    board, result = best
    parts = {name: evaluation_parts(game, both[name], board.state)[1] for name in NAMES}
    return {
        "game": spec,
        "digests": {name: weights.digest for name, weights in both.items()},
        "position": board.text,
        "seen": n_seen,
        "evaluations": {name: _evaluation(board, weights) for name, weights in both.items()},
        "parts": {name: [own[name].elo for own in parts.values()] for name in parts["hand"]},
        "searched": {name: _searched(board, weights) for name, weights in both.items()},
        "result": result,
    }


def _positions(game: Game, both: dict[str, Weights]) -> Iterator[tuple[Board, int | None]]:
    """Yield the calm positions of all games, with the game's result as their mover sees it."""
    terms = Openings(plies=PLIES)
    for opening in make_openings(game, both["hand"], terms, count=PAIRS, purpose="verify", seed=1):
        for order in (NAMES, NAMES[::-1]):
            board = _played(game, [both[name] for name in order], opening.text.split(" "))
            for at in range(PLIES, board.n_plies):
                seen = Board(game, game.state_to_text(board.states[at]))
                if not seen.is_over and _is_calm(game, seen):
                    result = board.result
                    yield seen, None if result is None else result * (1 - 2 * seen.mover)


def _is_calm(game: Game, board: Board) -> bool:
    if game.simultaneous and board.mover:
        return False
    return game.is_quiet is None or bool(game.is_quiet(board.state))


def _played(game: Game, sides: Sequence[Weights], opening: Sequence[str]) -> Board:
    players = [Player(game, weights, parse_limit(LIMIT), hash_mb=1, seed=1) for weights in sides]
    board = Board(game)
    for move in opening:
        board.push(move)
    while not board.is_over:
        board.push(players[board.mover].choose(board))
    return board


def _evaluation(board: Board, weights: Weights) -> float:
    return evaluation_parts(board.game, weights, board.state)[0] / 100


def _searched(board: Board, weights: Weights) -> float:
    return Player(board.game, weights, parse_limit(DEEP), seed=1).analyse(board).score / 100


# --- the picture


def drawn(found: Found) -> str:
    """Draw a board with what each of the two says of it, and the features they differ in most."""
    game = game_registry.load(found["game"])
    board, height = _board(game, found["position"])
    lines = [
        ("evaluation, Elo for the side to move", *found["evaluations"].values()),
        *((name.replace("_", " "), *own) for name, own in _widest(found)),
        (f"searched, {DEEP}", *found["searched"].values()),
    ]
    columns = (WIDTH - 90, WIDTH)
    top = height + 34
    return picture(
        f"{found['game']}, {found['position']}: {words(found)}",
        top + _ROW * len(lines) + 10,
        Markup(board),
        *(word(name, x, top - 4, "small end") for name, x in zip(NAMES, columns, strict=True)),
        *(
            part
            for at, (name, *own) in enumerate(lines)
            for part in _line(name, own, columns, top + _ROW * (at + 1) - 6, is_part=0 < at < len(lines) - 1)
        ),
    )


def _line(
    name: str, own: Sequence[float], columns: Sequence[float], y: float, *, is_part: bool
) -> Iterator[Markup]:
    kind = "small" if is_part else "word"
    yield word(name, 14 if is_part else 0, y, kind)
    yield from (word(_elo(value), x, y, f"{kind} end") for value, x in zip(own, columns, strict=True))


def _elo(value: float) -> str:
    return "won" if value > 1e5 else "lost" if value < -1e5 else f"{value:+z.0f}"


def _widest(found: Found) -> list[tuple[str, list[float]]]:
    """Return the features whose parts in the two evaluations differ most, in Elo."""
    parts: dict[str, list[float]] = found["parts"]
    return sorted(parts.items(), key=lambda row: -abs(row[1][0] - row[1][1]))[:_SHOWN]


def _board(game: Game, text: str) -> tuple[str, float]:
    """Return the game's own picture of a position in the middle of ours, and its height."""
    svg = game.draw_svg(game.text_to_state(text))
    head, _, rest = svg.partition("viewBox=")
    across, down = (float(number) for number in rest[1 : rest.index(rest[0], 1)].split()[2:])
    height = round(_BOARD * down / across)
    place = f'x="{(WIDTH - _BOARD) / 2:g}" y="4" width="{_BOARD}" height="{height}" '
    return f"{head}{place}viewBox={rest}", height


def words(found: Found) -> str:
    """Say what each of the two expects, and how the game went on."""
    hand, tuned = (_elo(found["evaluations"][name]) for name in NAMES)
    deep = ", ".join(f"{_elo(found['searched'][name])} by {name}" for name in NAMES)
    ended = {1: "won", 0: "drew", -1: "lost", None: "did not finish"}[found["result"]]
    return (
        f"hand says {hand} Elo for the side to move, tuned ({found['digests']['tuned'][:12]}) {tuned}; searched "
        f"{deep}; the side to move {ended} this game"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="file of the positions")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GAMES, help="which games (default: all)")
    options = parser.parse_args(arguments)
    try:
        kept = json.loads(options.out.read_text(encoding="utf-8")) if options.out.is_file() else {}
        found = dict(kept)
        for game in options.games:
            found[game] = differing(game)
            write_json(options.out, {name: found[name] for name in GAMES if name in found}, stands_alone=True)
    except TunesmithError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    for game, one in found.items():
        print(f"- {game}: {words(one)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
