"""Small matches for tests: Kalah between equal players, weak and quick, with noise so that games differ."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.listening import Listening
from tunesmith.engine import weights as weight_files
from tunesmith.engine.weights import Weights
from tunesmith.games import registry
from tunesmith.games.game import Game
from tunesmith.tuning import manifest
from tunesmith.tuning.config import Openings
from tunesmith.tuning.documents.matches import Summary
from tunesmith.tuning.play import selfplay
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.openings.random import make_openings
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.search.matches import TrialMatches

LIMIT = "nodes:40"
NOISE = Noise(0.2, 20)
QUICK = ("--limit", LIMIT, "--backend", "threads", "--jobs", "1", "--hash", "1")  # for the command line


@cache
def kalah() -> Game:
    """Load Kalah."""
    return registry.load("kalah")


@cache
def hand(name: str = "hand") -> Weights:
    """Load weights of Kalah."""
    return weight_files.load(name, kalah())


@cache
def openings(count: int = 200, plies: int = 6) -> tuple[Opening, ...]:
    """Make openings of Kalah."""
    return tuple(make_openings(kalah(), hand(), Openings(plies=plies), count=count, purpose="train", seed=1))


def matchup(limit: str = LIMIT, **changes: Any) -> Matchup:
    """Return `hand` against itself; changes are fields of a match."""
    settings: dict[str, Any] = {"seed": 1, "noise": NOISE, "hash_mb": 1}
    return Matchup("kalah", hand(), hand(), (limit, limit), **{**settings, **changes})


def play(folder: Path, pairs: range, **changes: Any) -> Summary:
    """Play some pairs in this process, if nothing else is asked for."""
    beginnings = changes.pop("openings", openings())
    jobs, backend = changes.pop("jobs", 1), changes.pop("backend", "threads")
    listener = changes.pop("listener", Listening(changes.pop("progress", lambda *_: None)))
    return selfplay.play(matchup(**changes), beginnings, pairs, folder, Resources(jobs, backend, listener))


def trial_matches(folder: Path, jobs: int) -> TrialMatches:
    """Return where settings meet `hand` and `hand-1`."""
    return TrialMatches(
        matchup(seed=3, noise=Noise(), move_cap=500),
        (("hand", hand()), ("hand-1", hand("hand-1"))),
        openings(),
        folder,
        Resources(jobs, "threads"),
    )


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of every Parquet file of a folder; the folder's list must say the same."""
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("*.parquet"))
    }
    entered = manifest.entries(folder)
    assert {name: entered.pop(name, ()) for name in found} == {name: (own,) for name, own in found.items()}
    assert not [name for name in entered if name.endswith(".parquet")]
    return found
