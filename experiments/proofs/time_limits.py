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

How deep do simultaneous searches get? Whole games of RoPaSci 360 under the referee's clock (60 s of CPU time a game),
of the tuned weights against themselves at `OPPONENT`: played by the compiled engine, and by the agent that is written
out in plain Python. A row a stretch of turns: the shares of turns whose search finished one turn, two, three (depths 2,
4, 6). Wanted: two turns in nine of ten compiled, in half in plain Python.

The exit code is 1 if a move overran by more than 10 ms or a game at all, a game from the median up spent less than
80 %, a move had no finished depth 1, or fewer turns than wanted finished depth 4.

    python -m tunesmith.experiments.proofs.time_limits --moves 40 --countdowns 40 --turns 4 --seed 1
"""

import argparse
import random
import runpy
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.compile import bind
from tunesmith.engine.limits import Limit, parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.player import Player
from tunesmith.engine.search import alphabeta, time_control
from tunesmith.engine.search.deepening import think_once
from tunesmith.engine.searcher import MAX_PLY, NODES, REACHED, SECONDS_LEFT, new_searcher
from tunesmith.experiments.questions.page import markdown
from tunesmith.games.game import ONGOING, Game, State
from tunesmith.tuning.data.moves_to_go import table_of
from tunesmith.tuning.export.agent.build import COURSE_LIMIT
from tunesmith.tuning.export.agent.write import write_agent

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

OPPONENT = Limit("nodes", 1000)
OPENING = 4  # random plies
STRETCHES = (10, 20, 30, 40, 1000)  # turns, up to which each goes
TWO_TURNS = {"compiled": 0.9, "plain Python": 0.5}  # wanted shares

# Asked for a move after those of a game; answers with it, the depth reached and the nodes.
Thinker = Callable[[Sequence[int]], tuple[int, int, int]]


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


def compiled_thinker(game: Game, limit: Limit) -> Thinker:
    """Return the compiled engine with the tuned weights, with a clock of its own."""
    player = Player(game, weight_files.load("tuned", game), limit)
    player.analyse(Board(game))  # compilation is not on the clock
    counters, numbers = player.searcher.memory["counters"][0], player.searcher.memory["numbers"][0]
    player.new_game()
    numbers[SECONDS_LEFT] = limit.game_seconds

    def think(moves: Sequence[int]) -> tuple[int, int, int]:
        board = Board(game)
        for move in moves:
            board.play(move)
        text = player.choose(board)
        return game.text_to_move(board.state, text), int(counters[REACHED]), int(counters[NODES])

    return think


def plain_thinker(game: Game, limit: Limit) -> Thinker:
    """Return the agent that is written out for the tuned weights."""
    weights = weight_files.load("tuned", game)
    with tempfile.TemporaryDirectory() as folder:
        module = runpy.run_path(str(write_agent(game, weights, Path(folder) / "agent", limit) / "player.py"))
    thinker = module["Thinker"](weights.to_json())
    counters = thinker.memory.counters

    def think(moves: Sequence[int]) -> tuple[int, int, int]:
        played = module["Game"]()
        for move in moves:
            played.play(move)
        return thinker.choose(played), counters[REACHED], counters[NODES]

    return think


def turns_of(game: Game, thinker: Thinker, seed: int) -> list[tuple[int, int]]:
    """Play a game against the tuned weights; return depth and nodes of each turn that was searched."""
    rng = random.Random(seed)
    opponent = Player(game, weight_files.load("tuned", game), OPPONENT, seed=seed)
    board, found = Board(game), []
    while not board.is_over:
        if len(board.moves) < OPENING:
            board.play(rng.choice(board.legal_moves()))
        elif board.mover == 0:
            move, depth, nodes = thinker(board.moves)
            found.append((depth, nodes))
            board.play(move)
        else:
            board.push(opponent.choose(board))
    return found


def depths(games: int, seed: int) -> bool:
    """Print how deep simultaneous searches get, by turn; return whether that is as wanted."""
    game, limit = game_registry.load("ropasci360"), parse_limit(COURSE_LIMIT)
    rows: list[list[str]] = []
    is_good = True
    for what, made in (("compiled", compiled_thinker), ("plain Python", plain_thinker)):
        played = [turns_of(game, made(game, limit), seed + at) for at in range(games)]
        first = 0
        for last in (*STRETCHES, None):
            found = [turn for one in played for turn in (one if last is None else one[first:last])]
            if found:
                shares = [sum(depth >= least for depth, _ in found) / len(found) for least in (2, 4, 6)]
                name = (
                    "all" if last is None else f"{first + 1} to {last}" if last < 1000 else f"{first + 1} on"
                )
                nodes = np.median([nodes for _, nodes in found])
                rows.append([what, name, str(len(found)), *(f"{s:.0%}" for s in shares), f"{nodes:,.0f}"])
            first = last or 0
        is_good &= shares[1] >= TWO_TURNS[what]
    header = ["player", "turns", "searched", "one turn", "two", "three", "nodes (median)"]
    print("\n".join(markdown(header, rows)))
    return is_good


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
    parser.add_argument(
        "--turns", type=int, default=4, help="games of RoPaSci 360, of each player (default 4; 0: none)"
    )
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    is_good = True
    if given.moves:
        is_good = real(given.games, given.moves, given.seconds, given.game_seconds, given.seed)
    if given.countdowns:
        is_good &= made_up(given.countdowns, SECONDS, given.seed)
    if given.turns:
        is_good &= depths(given.turns, given.seed)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
