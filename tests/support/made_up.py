"""Searches without games: settings whose strength is known play made-up pairs, the same ones every time."""

import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.engine import weights as weight_files
from tunesmith.engine.weights import Weights
from tunesmith.experiments.proofs._made_up_search import Luck
from tunesmith.games import registry
from tunesmith.games.errors import FaultError
from tunesmith.tuning.config import Range, Search
from tunesmith.tuning.search.loop import SearchLoop
from tunesmith.tuning.search.outcome import Outcome, known_results
from tunesmith.tuning.search.space import WeightSpace, build_space
from tunesmith.tuning.search.storage import TrialStore

GAME = registry.load("kalah")
HAND = weight_files.load("hand", GAME)


class MadeUpMatches:
    """Opponent `hand`; a setting is the stronger, the nearer its aspiration is to 60 (and its scale to 1).

    Results on one opening have luck in common (`tunesmith.experiments.proofs._made_up_search.Luck`).
    """

    opponents = (("hand", HAND),)

    def __init__(
        self,
        openings: int = 100_000,
        seconds: float = 0.0,
        faults: int = 0,
        slope: float = 0.25,
        patience: int = 1 << 30,
        luck: Luck | None = None,
    ) -> None:
        self.openings = range(openings)
        self.seconds, self.faults, self.slope, self.luck = seconds, faults, slope, luck or Luck()
        self.patience = patience  # how often it plays before it waits for ever
        self.played: list[tuple[str, range]] = []

    def score(self, weights: Weights) -> float:
        """Expected score of a setting."""
        distance = (
            abs(weights.search_options.aspiration - 60) / 100 + abs(np.log(weights.scale / HAND.scale)) / 2
        )
        return float(np.clip(0.5 + self.slope * (0.5 - distance), 0, 1))

    def play(self, weights: Weights, pairs: range, mirrors: bool = False) -> Outcome:
        """The same results for the same setting on the same openings, whoever asks and how often."""
        self.played.append((weights.digest, pairs))
        time.sleep(self.seconds)
        if len(self.played) > self.patience:
            print("waits", flush=True)
            threading.Event().wait()
        if self.faults:
            self.faults -= 1
            raise FaultError("2 of 32 pairs ended by a fault of the game; the first: pair 0 (made up)")
        openings = np.asarray(pairs, np.int64) % len(self.openings)
        if weights.digest == HAND.digest and not mirrors:
            scores, wdl = known_results(len(pairs))
        else:
            classes = self.luck.classes(weights.digest.encode(), self.score(weights), openings, 7)
            scores = classes / 4
            wdl = np.column_stack([classes // 2, classes % 2, 2 - classes // 2 - classes % 2])
        return Outcome(("hand",), scores[None, :], wdl[None], openings, weights.digest)


def space(**ranges: Range) -> WeightSpace:
    """A space of Kalah; by default aspiration in tens."""
    chosen = ranges or {"aspiration": Range(low=0, high=200, step=10)}
    return build_space(GAME, HAND, Search(space=chosen), None)


def search(
    folder: Path,
    matches: Any = None,
    own: WeightSpace | None = None,
    say: Any = None,
    address: str | None = None,
    **settings: Any,
) -> SearchLoop:
    """A search in a folder; settings are those of `[search]`."""
    config = Search(**{"trials": 12, "pairs": 32, "sampler": "random", **settings})
    pinned = {f"search.{name}": value for name, value in config.model_dump(mode="json").items()}
    tell = say if say is not None else lambda line: None
    where = TrialStore(folder, "made-up", address)
    return SearchLoop(where, config, own or space(), matches or MadeUpMatches(), pinned, 7, tell)


if (
    __name__ == "__main__"
):  # a process to be killed when it has played so often (12), or watched at its work (0.3)
    folder, how, trials = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    if "." in how:
        search(folder, MadeUpMatches(seconds=float(how)), say=partial(print, flush=True), trials=trials).run()
    else:
        search(folder, MadeUpMatches(patience=int(how)), trials=trials).run()
