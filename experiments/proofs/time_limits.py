"""Does a search keep to its time? By how much do moves overrun `time:SECONDS`, and games `game-time:SECONDS`?

Random positions of every game, searched with every technique that makes a node dear (moves sorted by evaluation,
quiescence); then whole games on a game clock. Wall time, measured round the call from Python, so run it on an
idle machine: what the system takes away counts as an overrun. The exit code is 1 if a move overran by more than
10 ms or a game at all.

    python -m tunesmith.experiments.proofs.time_limits --moves 40 --seed 1
"""

import argparse
import random
import sys
import time
from collections.abc import Sequence

from tunesmith import games
from tunesmith.engine import weights
from tunesmith.engine.board import Board
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.player import Player
from tunesmith.games.game import Game

ALLOWED = 0.010  # seconds
OPTIONS = {"defaults": SearchOptions(), "sorted": SearchOptions(sort=1, quiescence=8)}


def overruns(game: Game, options: SearchOptions, seconds: float, moves: int, seed: int) -> list[float]:
    """Return by how many seconds searches of `moves` random positions overran."""
    rng = random.Random(seed)
    player = Player(game, weights.load("hand", game), Limit("time", seconds), options)
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
    player = Player(game, weights.load("hand", game), Limit("game-time", seconds))
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table; return 1 if a limit was overrun by more than is allowed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--game-seconds", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="*", default=games.names())
    given = parser.parse_args(arguments)
    failed = False
    for name in given.games:
        game = games.load(name)
        for what, options in OPTIONS.items():
            late = sorted(overruns(game, options, given.seconds, given.moves, given.seed))
            failed |= late[-1] > ALLOWED
            print(
                f"{name:12} {what:9} time:{given.seconds:g}  {len(late)} moves, overrun in ms: "
                f"median {1000 * late[len(late) // 2]:.2f}, most {1000 * late[-1]:.2f}"
            )
        spent, n = game_clock(game, given.game_seconds, given.seed)
        failed |= spent > given.game_seconds
        print(f"{name:12} game-time:{given.game_seconds:g}  {n} moves took {spent:.3f} s")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
