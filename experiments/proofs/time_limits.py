"""Do searches keep to their time, and do they use it? Real searches by the clock, and whole games of any length.

By how much do moves overrun `time:SECONDS`? Random positions of every game, searched with every technique that makes a
node dear (moves sorted by evaluation, quiescence); then whole games under `game-time:SECONDS`. Wall time, measured
round the call from Python, so run it on an idle machine: what the system takes away counts as an overrun.

How is the time for a game shared out? Games of 5 to 400 moves, on a clock that the proof moves by itself. Everything of
the search is real and run as plain Python, its rule too (`engine.search.time_control`); made up are a game that ends
after a given number of moves, and the clock, which goes on by `TICK` seconds whenever the search looks at it, once a
node. What the rule knows of lengths it learned from other games of the same distribution, as a study does
(`tuning.data.moves_to_go`). A row a distribution: what games from the median length up spent of their time (least,
mean), what shorter ones spent (mean, not judged), moves without a finished depth 1, games that overran.

The exit code is 1 if a move overran by more than 10 ms or a game at all, a game from the median up spent less than
80 %, or a move had no finished depth 1.

    python -m tunesmith.experiments.proofs.time_limits --moves 40 --countdowns 40 --seed 1
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.compile import bind
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.player import Player
from tunesmith.engine.search import alphabeta, time_control
from tunesmith.engine.search.deepening import think_once
from tunesmith.engine.searcher import MAX_PLY, REACHED, SECONDS_LEFT, new_searcher
from tunesmith.experiments.questions.page import markdown
from tunesmith.games.game import ONGOING, Game, State
from tunesmith.tuning.data.moves_to_go import table_of

ALLOWED = 0.010  # seconds
OPTIONS = {"defaults": SearchOptions(), "sorted": SearchOptions(sort=1, quiescence=8)}

Lengths = npt.NDArray[np.int64]

TICK = 0.001  # seconds a node
SECONDS = 40.0  # for a game: 40,000 nodes; depth 1 takes 4 of them
TAUGHT = 400  # games that the rule learned from
WANTED = 0.8
MOVES = 3
DISTRIBUTIONS: dict[str, tuple[float, float, float]] = {  # least, median, most own moves
    "narrow": (25, 30, 35),
    "wide": (10, 40, 120),
    "few are long": (5, 30, 400),
    "most are long": (5, 150, 400),
}


def overruns(game: Game, options: SearchOptions, seconds: float, moves: int, seed: int) -> list[float]:
    """Return by how many seconds searches of `moves` random positions overran."""
    rng = random.Random(seed)
    player = Player(game, weight_files.load("hand", game), Limit("time", seconds), options)
    found: list[float] = []
    player.analyse(Board(game))  # compilation is not on the clock
    while len(found) < moves:
        board = Board(game)
        for _ in range(rng.randrange(30)):
            if not board.is_over:
                board.play(rng.choice(board.legal_moves()))
        if board.is_over or len(board.legal_moves()) == 1:
            continue
        began = time.perf_counter()
        player.analyse(board)
        found.append(time.perf_counter() - began - seconds)
    return found


def game_clock(game: Game, seconds: float, seed: int) -> tuple[float, int]:
    """Return the seconds that one player's searches took in a game against random moves, and their number."""
    rng = random.Random(seed)
    player = Player(game, weight_files.load("hand", game), Limit("game-time", seconds))
    player.analyse(Board(game))
    player.new_game()
    board, spent, n = Board(game), 0.0, 0
    while not board.is_over:
        if board.mover == 0:
            began = time.perf_counter()
            board.push(player.choose(board))
            spent += time.perf_counter() - began
            n += 1
        else:
            board.play(rng.choice(board.legal_moves()))
    return spent, n


def initial() -> State:
    """Return the start: 400 plies of each side to go, which nobody plays."""
    return (800, 1)


def legal_moves(state: State, out: Any) -> int:
    """Fill in all moves."""
    for move in range(MOVES):
        out[move] = move
    return MOVES


def apply_move(state: State, move: int) -> State:
    """Count down, and mix the move into the position."""
    return (state[0] - 1, (state[1] * 25_214_903 + move * 40_503 + 11) % 2_147_483_647)


def features(state: State, out: Any) -> None:
    """Fill in a number between -1 and 1 that depends on all moves."""
    out[0] = (state[1] // 7 % 2_001) / 1_000.0 - 1.0


def _untold(text: str) -> State:
    raise NotImplementedError(text)


GAME = Game(
    name="countdown",
    variant={},
    initial=initial,
    legal_moves=legal_moves,
    apply_move=apply_move,
    mover=lambda state: state[0] % 2,
    outcome=lambda state: ONGOING if state[0] > 0 else 0,
    features=features,
    feature_names=("luck",),
    feature_meanings=("a number without meaning",),
    max_moves=MOVES,
    state_to_text=str,
    text_to_state=_untold,
    move_to_text=lambda state, move: str(move),
    text_to_move=lambda state, text: int(text),
    draw_text=str,
    draw_svg=str,
)


@dataclass(frozen=True)
class Played:
    """One player's clock in one game: own moves, seconds, moves without a finished depth 1."""

    moves: int
    spent: float
    without_depth: int


def drawn(distribution: str, n: int, seed: int | None = None) -> Lengths:
    """Return `n` lengths in own moves: drawn, or, without a seed, evenly from the shortest to the longest."""
    least, median, most = DISTRIBUTIONS[distribution]
    places = np.linspace(0, 1, n) if seed is None else np.random.default_rng(seed).random(n)
    found = np.interp(places, [0, 0.5, 1], np.log([least, median, most]))
    return np.rint(np.exp(found)).astype(np.int64)


def taught(lengths: Lengths) -> Any:
    """Return float64 (1, cells) of moves to go that games of these lengths (own moves) teach."""
    ply = np.concatenate([2 * np.arange(n) for n in lengths])
    to_come = np.concatenate([np.arange(n, 0, -1.0) for n in lengths])
    owner = np.repeat(np.arange(len(lengths)), lengths)
    return table_of(to_come, ply, owner, np.ones((len(ply), 1)))


@contextmanager
def own_clock(tick: float) -> Iterator[None]:
    """Let searches in plain Python have a clock that goes on by `tick` seconds whenever they look at it."""
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += tick
        return now

    clock.known_by_identity = True  # type: ignore[attr-defined]  # each has code of its own
    with ExitStack() as stack:
        for module, name, value in (
            (time_control, "clock", clock),
            (alphabeta, "clock", clock),
            (alphabeta, "_CLOCK_PERIOD", 0),
        ):
            stack.enter_context(patch.object(module, name, value))
        yield


def play(length: int, to_go: Any, seconds: float, seed: int) -> Played:
    """Play the first player's moves of a game of so many own moves, within the clock of `own_clock`."""
    rng = np.random.default_rng(seed)
    limit, options = Limit("game-time", seconds), SearchOptions(table=False)
    searcher = new_searcher(GAME, np.ones((1, 1)), 100.0, options, limit, 1, to_go)
    memory = searcher.memory[0]
    think = bind.uncompiled(think_once, GAME)
    keys = np.zeros(MAX_PLY + 1, np.int64)
    without = 0
    state: State = (2 * length, int(rng.integers(1, 2_147_483_647)))
    for at in range(length):
        move = think(searcher.memory, searcher.transposition, state, keys, 0, 2 * at)
        without += int(memory["counters"][REACHED] < 1)
        state = apply_move(apply_move(state, move), int(rng.integers(MOVES)))
    return Played(length, seconds - float(memory["numbers"][SECONDS_LEFT]), without)


def row(distribution: str, games: int, seconds: float, seed: int) -> tuple[list[str], bool]:
    """Return a distribution's row, and whether it is as wanted."""
    lengths = drawn(distribution, games)
    to_go = taught(drawn(distribution, TAUGHT, seed))
    with own_clock(TICK):
        found = [play(int(n), to_go, seconds, seed + at) for at, n in enumerate(lengths)]
    median = float(np.median(lengths))
    long = [one.spent / seconds for one in found if one.moves >= median]
    short = [one.spent / seconds for one in found if one.moves < median]
    without = sum(one.without_depth for one in found)
    overran = sum(one.spent > seconds for one in found)
    cells = [
        distribution,
        f"{lengths[0]} to {lengths[-1]}, median {median:.0f}",
        f"{min(long):.0%}, {np.mean(long):.0%}",
        f"{np.mean(short):.0%}",
        str(without),
        str(overran),
    ]
    return cells, min(long) >= WANTED and without == 0 and overran == 0


def real(names: Sequence[str], moves: int, seconds: float, game_seconds: float, seed: int) -> bool:
    """Print what searches by the clock overran; return whether that is as wanted."""
    is_good = True
    for name in names:
        game = game_registry.load(name)
        for what, options in OPTIONS.items():
            late = sorted(overruns(game, options, seconds, moves, seed))
            is_good &= late[-1] <= ALLOWED
            print(
                f"{name:12} {what:9} time:{seconds:g}  {len(late)} moves, overrun in ms: "
                f"median {1000 * late[len(late) // 2]:.2f}, most {1000 * late[-1]:.2f}"
            )
        spent, n = game_clock(game, game_seconds, seed)
        is_good &= spent <= game_seconds
        print(f"{name:12} game-time:{game_seconds:g}  {n} moves took {spent:.3f} s")
    return is_good


def made_up(n: int, seconds: float, seed: int) -> bool:
    """Print what made-up games spent, `n` of each distribution; return whether that is as wanted."""
    found = [row(name, n, seconds, seed) for name in DISTRIBUTIONS]
    header = [
        "lengths",
        "own moves",
        "spent from the median up: least, mean",
        "spent below: mean",
        "no depth 1",
        "overran",
    ]
    print("\n".join(markdown(header, [cells for cells, _ in found])))
    return all(is_good for _, is_good in found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return 1 if something is not as wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--moves", type=int, default=40, help="by the clock, of each game (default 40; 0: none)"
    )
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--game-seconds", type=float, default=2.0)
    parser.add_argument("--games", nargs="*", default=game_registry.names())
    parser.add_argument(
        "--countdowns", type=int, default=40, help="of each distribution (default 40; 0: none)"
    )
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    is_good = True
    if given.moves:
        is_good = real(given.games, given.moves, given.seconds, given.game_seconds, given.seed)
    if given.countdowns:
        is_good &= made_up(given.countdowns, SECONDS, given.seed)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
