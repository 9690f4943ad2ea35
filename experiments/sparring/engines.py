"""Games of our engine against another program that speaks UGI, from seeded balanced openings, each with both
colours.

Our rules judge, as in `tunesmith engines`."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tunesmith.engine.weights import Weights
from tunesmith.experiments.sparring.opponent import NOBODY, OURS, THEIRS, Played
from tunesmith.games.game import Game
from tunesmith.tuning.config import Openings
from tunesmith.tuning.external.engine import EngineFault
from tunesmith.tuning.external.limits import parse_go
from tunesmith.tuning.external.match import EnginePool, Player, Terms, play_one
from tunesmith.tuning.external.playing import EngineResult
from tunesmith.tuning.external.programs import find_command
from tunesmith.tuning.external.protocol import UGI
from tunesmith.tuning.external.rules import EngineOpening, OwnRules
from tunesmith.tuning.play.openings.random import make_openings

OPENINGS, LOOK = Openings(plies=4, max_score=50.0), "nodes:200000"  # and by what search they are judged
MOVE_CAP = 1000
PATIENCE = 120  # seconds for what is no search
COMPILING = 1800  # seconds that our engine may take, before the first game, to be ready at all

Play = Callable[[bool, int], Played]


def ours(game: str, weights: str, limit: str) -> Player:
    """Return our engine at compiled speed."""
    command = (sys.executable, "-m", "tunesmith.tuning.cli", "ugi", game, "--weights", weights)
    return Player("tunesmith", command, {}, parse_go(limit), PATIENCE, protocol=UGI)


def program(command: str, limit: str) -> Player:
    """Return the program of a command line."""
    words, start = find_command(command, Path.cwd())
    return Player(command, words, {}, parse_go(limit), PATIENCE, folder=start, protocol=UGI)


def warm_up(us: Player) -> None:
    """Start our engine once, so that what it compiles the first time is not taken for silence in a game."""
    with contextlib.suppress(EngineFault):  # a fault comes again in the games, where it is counted
        replace(us, patience=max(us.patience, COMPILING)).start().close()


def balanced(game: Game, judge: Weights, count: int, seed: int) -> list[EngineOpening]:
    """Return openings that `judge` does not hold to be won for a side: those would say nothing of the players."""
    made = make_openings(game, judge, OPENINGS, count=count, purpose="verify", seed=seed, judge_limit=LOOK)
    return [EngineOpening("", tuple(opening.text.split())) for opening in made]


@contextlib.contextmanager
def playing(
    game: Game, us: Player, them: Player, openings: Sequence[EngineOpening], seed: int, jobs: int
) -> Iterator[Play]:
    """Lend a function that plays the game of (who begins, seed); both colours of an opening have seeds in a row."""
    rules = OwnRules(game)
    warm_up(us)
    pool = EnginePool()
    terms = Terms(seed, MOVE_CAP, rules, jobs=jobs, engines=pool)

    def play(we_begin: bool, number: int) -> Played:
        opening = openings[(number - seed) // 2 % len(openings)]
        white, black = (us, them) if we_begin else (them, us)
        return as_played(play_one(white, black, opening, terms), we_begin, number)

    try:
        yield play
    finally:
        pool.close()


def as_played(made: EngineResult, we_begin: bool, seed: int) -> Played:
    """Return a game as ours; its seconds are by the clock, while the side thought."""
    at, sign = (0, 1) if we_begin else (1, -1)
    fault = None
    if made.result is None:
        fault = {at: OURS, 1 - at: THEIRS}.get(made.fault, NOBODY) if made.fault is not None else NOBODY
    return Played(
        we_begin,
        seed,
        [*made.opening.moves, *made.moves],
        None if made.result is None else sign * made.result,
        made.detail or made.end_reason,
        fault,
        made.seconds[::sign],
    )
