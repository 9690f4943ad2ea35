"""Games of our engine against another program that speaks UGI, from seeded random openings, each with both colours.

Our rules judge. The games are those of `tunesmith engines`."""

import contextlib
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from tunesmith import games
from tunesmith.experiments.sparring.opponent import NOBODY, OURS, THEIRS, Played
from tunesmith.games.errors import InputError
from tunesmith.tuning.documents.engines import EngineGame
from tunesmith.tuning.external.engine import EngineFault
from tunesmith.tuning.external.limits import parse_go
from tunesmith.tuning.external.match import EnginePool, Player, Terms, play_pairs
from tunesmith.tuning.external.openings import RandomOpenings
from tunesmith.tuning.external.programs import find_command
from tunesmith.tuning.external.protocol import UGI
from tunesmith.tuning.external.rules import OwnRules

PLIES = 4  # of an opening
MOVE_CAP = 1000
PATIENCE = 120  # seconds for what is no search
COMPILING = 1800  # seconds that our engine may take, before the first game, to be ready at all


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


def play(game: str, us: Player, them: Player, work: Path, pairs: int, seed: int, jobs: int) -> list[Played]:
    """Play the games that `work` lacks; return all."""
    rules = OwnRules(games.load(game))
    openings = RandomOpenings(rules, PLIES, seed).first(pairs)
    if len(openings) < pairs:
        raise InputError(f"--games: expected at most {2 * len(openings)} of {game}, found {2 * pairs}")
    warm_up(us)
    pool = EnginePool()
    try:
        found = play_pairs(us, them, openings, work, Terms(seed, MOVE_CAP, rules, jobs=jobs, engines=pool))
    finally:
        pool.close()
    return list(as_played(row for pair in found.values() for row in pair))


def as_played(rows: Iterable[EngineGame]) -> Iterable[Played]:
    """Give the games as ours; we are the first of each pair."""
    for row in rows:
        we_begin = row.game == 0
        fault = None
        if row.result is None:
            fault = OURS if row.fault == row.game else THEIRS if row.fault == 1 - row.game else NOBODY
        result = row.result if row.result is None or we_begin else -row.result
        yield Played(
            we_begin, row.seed, [*row.opening, *row.moves], result, row.detail or row.end_reason, fault
        )
