"""Does our engine keep to a clock that other programs hold, on a busy machine?

Whole games of two real `tunesmith ugi` processes from random openings, the tuned weights on both sides. Each side has a
clock with an increment, which is held here: it runs from the moment before `go` is written to the one when `bestmove`
is read, so all that the system does meanwhile counts. Beside the games so many processes keep the machine busy
(`--load`), each with the same claim to a core as an engine; what else the machine does is told as its load.

A row a game and clock: games, moves, games lost on time, the least that was left when a move was read, the share of the
time (clock and increments) spent in games from the median length up, the mean load, and how long a thread that slept
for a moment had to wait for a core at the most, which no engine can help. Such a figure is that of a machine
and its load: what is claimed is that nothing is lost on time. The exit code is 1 if a game is.

    python -m tunesmith.experiments.proofs.clocks.ugi_games --games 200 --load 3 --out experiments/results/clocks.json
"""

import argparse
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

from tunesmith import games as game_registry
from tunesmith.engine.board import Board
from tunesmith.engine.files import write
from tunesmith.experiments.bench import machine
from tunesmith.experiments.questions.page import markdown
from tunesmith.games.game import Game
from tunesmith.tuning.external.engine import Clocks, Engine
from tunesmith.tuning.external.limits import GoLimit, parse_go
from tunesmith.tuning.external.protocol import UGI
from tunesmith.tuning.files import read_json, write_json

CLOCKS = ("1+0.01", "0.1+0.005")
PLIES = 4  # of an opening
PATIENCE = 300.0  # seconds until an engine is ready: the very first one compiles its search
LATE = 60.0  # seconds: a clock that has run out is noted, and the move still waited for
HEAD = [
    "game",
    "clock",
    "seed",
    "load",
    "games",
    "moves",
    "lost on time",
    "least left",
    "longest wait",
    "spent",
]
COMMAND = "python -m tunesmith.experiments.proofs.clocks.ugi_games"
MOMENT = 0.002  # seconds
BUSY = "while True: pass"
Row = dict[str, Any]


@dataclass
class Played:
    """A game by the clock: own moves and seconds of both sides, the least that was left of a clock, in seconds."""

    moves: tuple[int, int]
    spent: tuple[float, float]
    least: float

    @property
    def is_lost(self) -> bool:
        """Whether a clock ran out."""
        return self.least <= 0


def opening(game: Game, rng: random.Random) -> Board:
    """Return a position after random plies that is not over."""
    while True:
        board = Board(game)
        for _ in range(PLIES):
            if not board.is_over:
                board.play(rng.choice(board.legal_moves()))
        if not board.is_over:
            return board


def play(engines: Sequence[Engine], board: Board, limit: GoLimit) -> Played:
    """Play a game to its end, or until a clock has run out; the first player's engine is the first one."""
    for engine in engines:
        engine.new_game()
    left, spent, moves, least = [limit.value, limit.value], [0.0, 0.0], [0, 0], limit.value / 1000
    while not board.is_over and least > 0:
        at = board.mover
        clocks = Clocks((left[0], left[1]), (limit.increment,) * 2, at)
        answer = engines[at].go("", board.notation, limit, clocks)
        board.push(answer.move)
        least = min(least, left[at] / 1000 - answer.seconds)
        left[at] = max(0, left[at] - round(1000 * answer.seconds)) + limit.increment
        spent[at] += answer.seconds
        moves[at] += 1
    return Played((moves[0], moves[1]), (spent[0], spent[1]), least)


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep the machine busy."""
    running = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


class Sleeper(threading.Thread):
    """Sleeps for moments: how long does the machine let it wait beyond them? `longest`, in seconds."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.longest, self._is_over = 0.0, threading.Event()

    def run(self) -> None:
        """Sleep until `end`."""
        while True:
            began = time.monotonic()
            if self._is_over.wait(MOMENT):
                return
            self.longest = max(self.longest, time.monotonic() - began - MOMENT)

    def end(self) -> float:
        """End it; return the longest wait."""
        self._is_over.set()
        self.join()
        return self.longest


def row(name: str, clock: str, games: int, load: int, seed: int) -> Row:
    """Play the games of a row."""
    game, rng, limit = game_registry.load(name), random.Random(seed), parse_go(f"tc:{clock}")
    command = (sys.executable, "-m", "tunesmith.tuning.cli", "ugi", name, "--weights", "tuned", "--seed", "1")
    found: list[Played] = []
    looks: list[float] = []
    engines: list[Engine] = []
    sleeper = Sleeper()
    try:
        for _ in range(2):
            engines.append(Engine(command, PATIENCE, LATE, protocol=UGI))
            engines[-1].ready()
        sleeper.start()
        with busy(load):
            for _ in range(games):
                found.append(play(engines, opening(game, rng), limit))
                looks.append(os.getloadavg()[0])
    finally:
        for engine in engines:
            engine.close()
    wait = {"longest_wait_ms": round(1000 * sleeper.end())}
    return told(found, looks, {"game": name, "clock": clock, "load": load, "seed": seed, **wait})


def told(found: Sequence[Played], looks: Sequence[float], terms: Row) -> Row:
    """Return the row of some games."""
    limit = parse_go(f"tc:{terms['clock']}")
    middle = median(n for one in found for n in one.moves)
    shares = [
        1000 * spent / (limit.value + n * limit.increment)
        for one in found
        for n, spent in zip(one.moves, one.spent, strict=True)
        if n >= middle and not one.is_lost
    ]
    return {
        **terms,
        "games": len(found),
        "moves": sum(sum(one.moves) for one in found),
        "lost": sum(one.is_lost for one in found),
        "least_left_ms": round(1000 * min(one.least for one in found)),
        "spent": round(mean(shares), 3) if shares else None,
        "mean_load": round(mean(looks), 1),
        "cores": os.cpu_count(),
        "commit": machine.commit(),
    }


def cells(one: Row) -> list[str]:
    """Return a row as text."""
    return [
        str(one["game"]),
        f"{one['clock']} s",
        str(one["seed"]),
        f"{one['load']} beside, mean {one['mean_load']} on {one['cores']} cores",
        f"{one['games']:,}",
        f"{one['moves']:,}",
        str(one["lost"]),
        f"{one['least_left_ms']} ms",
        f"{one['longest_wait_ms']} ms",
        "" if one["spent"] is None else f"{one['spent']:.0%}",
    ]


def page(rows: Sequence[Row], measured: str) -> str:
    """Return the page of some rows; `measured` says with which command."""
    commits = ", ".join(sorted({str(one["commit"]) for one in rows}))
    return "\n".join(
        [
            "# Is a game lost on time, on a busy machine?",
            "",
            "Whole games of two `tunesmith ugi` processes; another process holds the clocks (they run from before",
            "`go` is written until `bestmove` is read). Load: processes that compete for the cores, and the mean of",
            "all that wanted one. Longest wait: of a thread beside, beyond the 2 ms that it meant to sleep: so long a",
            "program may have no core. Spent: of clock and increments, in games from the median length up.",
            "",
            *markdown(HEAD, [cells(one) for one in rows]),
            "",
            f"{measured}; commit {commits}.",
            "",
        ]
    )


def keep(path: Path, new: Row, measured: str) -> None:
    """Put a row into a file, in place of the one of the same game, clock, load and seed, and write the page anew."""
    known: list[Row] = read_json(path) or []
    rows = {(one["game"], one["clock"], one["load"], one["seed"]): one for one in [*known, new]}
    found = [rows[key] for key in sorted(rows)]
    write_json(path, found, stands_alone=True)
    write(path.with_suffix(".md"), page(found, measured))


def main(arguments: Sequence[str] | None = None) -> int:
    """Play all rows, print them, and write a file and its page; return 1 if a game was lost on time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200, help="of each game and clock (default 200)")
    parser.add_argument("--load", type=int, default=3, help="busy processes beside (default 3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", nargs="*", default=["kalah", "fanorona"])
    parser.add_argument("--clock", nargs="*", default=list(CLOCKS))
    parser.add_argument(
        "--out", type=Path, help="JSON file, kept but for the rows played; its page beside it"
    )
    given = parser.parse_args(arguments)
    played: list[Row] = []
    for name in given.game:
        for clock in given.clock:
            played.append(row(name, clock, given.games, given.load, given.seed))
            print(" | ".join(cells(played[-1])), flush=True)
            if given.out:
                keep(given.out, played[-1], f"`{COMMAND} --games {given.games} --load {given.load}`")
    return int(any(one["lost"] for one in played))


if __name__ == "__main__":
    sys.exit(main())
