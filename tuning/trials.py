"""Plays settings of a search: pairs on common openings against pinned opponents, each pair at most once.

All settings play the same openings in the same order, so two of them are compared pair by pair. Games lie in a
folder named by the digest of the weights: whoever asks for a setting again gets its games back, and more of
them on further openings. Scores are the setting's, 0 to 1 a pair; counts run LL, LD, DD+WL, WD, WW."""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from engine.match import NO_RESULT
from engine.weights import Weights
from tuning import selfplay, stats, store
from tuning.batches import Matchup
from tuning.openings import Opening

if TYPE_CHECKING:
    from tuning.hall import Hall

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a setting scored on the first openings.

    Attributes
    ----------
    scores
        (opponents, pairs); NaN for a pair without two results.
    wdl
        (opponents, pairs, 3): games won, drawn, lost.
    moves
        Digest of all moves: equal if and only if the same games were played.
    """

    names: tuple[str, ...]
    scores: Array
    wdl: npt.NDArray[np.int64]
    moves: str

    @property
    def pairs(self) -> int:
        """Number of openings."""
        return int(self.scores.shape[1])

    def since(self, pair: int) -> Outcome:
        """Return what came from opening number `pair` on."""
        return Outcome(self.names, self.scores[:, pair:], self.wdl[:, pair:], self.moves)

    def counts(self, opponent: int | None = None) -> list[int]:
        """Return the pairs of each class, worst first, against one opponent or all."""
        found = self.scores if opponent is None else self.scores[opponent]
        classes = np.rint(4 * found[np.isfinite(found)]).astype(int)
        return [int(n) for n in np.bincount(classes, minlength=5)]

    def results(self) -> list[int]:
        """Return games won, drawn and lost."""
        return [int(n) for n in self.wdl.sum(axis=(0, 1))]

    @property
    def score(self) -> float:
        """Mean score, every opponent alike."""
        return stats.moments(self.counts()).score

    def by_opponent(self) -> dict[str, list[int]]:
        """Return the counts against each opponent."""
        return {name: self.counts(at) for at, name in enumerate(self.names)}


@dataclass(frozen=True)
class Ring:
    """Where settings meet their opponents.

    Attributes
    ----------
    openings
        Asked for that many openings, returns them or as many as there are.
    folder
        Games lie in `<folder>/<digest>/<opponent>`.
    """

    game: str
    opponents: tuple[tuple[str, Weights], ...]
    limit: str
    openings: Callable[[int], Sequence[Opening]]
    seed: int
    folder: Path
    jobs: int
    backend: str
    hash_mb: int
    move_cap: int

    def play(self, candidate: Weights, pairs: int, mirrors: bool = False) -> Outcome:
        """Play what is missing of the first `pairs` openings; return all of them.

        A setting that is an opponent itself scores one half without a game, unless `mirrors` asks for games.
        """
        openings = self.openings(pairs)
        pairs = min(pairs, len(openings))
        scores, wdl, digest = [], [], hashlib.sha256()
        for at, (_, opponent) in enumerate(self.opponents):
            if candidate.digest == opponent.digest and not mirrors:
                known = known_results(pairs)
                scores.append(known[0])
                wdl.append(known[1])
                continue
            games = self._games(candidate, opponent, at, openings, pairs)
            digest.update(b"".join(games.lines()) + games.starts.tobytes())
            scores.append(scores_of(games, pairs))
            wdl.append(results_of(games, pairs))
        names = tuple(name for name, _ in self.opponents)
        return Outcome(names, np.array(scores), np.array(wdl), digest.hexdigest()[:16])

    def hall(self) -> Hall:
        """Return where several settings play at once."""
        from tuning.hall import ManyTables, OneByOne

        return OneByOne(self) if self.backend.startswith("dask") else ManyTables(self)

    def folder_of(self, candidate: Weights, opponent: int) -> Path:
        """Return where the games of a setting against an opponent lie."""
        return self.folder / candidate.digest[:24] / str(opponent)

    def matchup(self, candidate: Weights, opponent: Weights) -> Matchup:
        """Return what a setting's games depend on besides openings."""
        limits = self.limit, self.limit
        return selfplay.matchup(
            self.game,
            candidate,
            opponent,
            limits,
            seed=self.seed,
            move_cap=self.move_cap,
            hash_mb=self.hash_mb,
        )

    def _games(
        self, candidate: Weights, opponent: Weights, at: int, openings: Sequence[Opening], pairs: int
    ) -> store.Games:
        folder = self.folder_of(candidate, at)
        with quiet():
            selfplay.play(
                self.game,
                candidate,
                opponent,
                limit=self.limit,
                openings=openings,
                pairs=range(pairs),
                seed=self.seed,
                folder=folder,
                jobs=self.jobs,
                backend=self.backend,
                hash_mb=self.hash_mb,
                move_cap=self.move_cap,
            )
        return store.read_games(folder, range(pairs))


def is_worse(trial: Outcome, best: Outcome, level: float) -> bool:
    """Whether a setting lost to the best one so far on common openings (Wilcoxon, one-sided, at `level`)."""
    from scipy.stats import wilcoxon

    n = min(trial.pairs, best.pairs)
    apart = (trial.scores[:, :n] - best.scores[:, :n]).ravel()
    apart = apart[np.isfinite(apart)]
    if len(apart) == 0 or not apart.any():
        return False
    return bool(wilcoxon(apart, alternative="less", zero_method="zsplit").pvalue < level)


def paired_difference(one: Outcome, other: Outcome) -> tuple[float, float]:
    """Return by how much `one` scores more on common openings, and the standard error of that."""
    n = min(one.pairs, other.pairs)
    apart = (one.scores[:, :n] - other.scores[:, :n]).ravel()
    apart = apart[np.isfinite(apart)]
    if len(apart) < 2:
        return 0.0, 0.5
    return float(apart.mean()), float(apart.std(ddof=1) / len(apart) ** 0.5)


def known_results(pairs: int) -> tuple[Array, npt.NDArray[np.int64]]:
    """Return scores and results of a setting against itself: known, so they count as much as games do."""
    return np.full(pairs, 0.5), np.tile([1, 0, 1], (pairs, 1))


def scores_of(games: store.Games, pairs: int) -> Array:
    """Return the score of each pair, NaN for those without two results."""
    found = store.pair_results(games)
    scores = np.full(pairs, np.nan)
    scores[found.pair] = found.classes / 4
    return scores


def results_of(games: store.Games, pairs: int) -> npt.NDArray[np.int64]:
    """Return games won, drawn, lost by the first-named player in each pair; those without result are in none."""
    own = np.where(games.game == 0, games.result, -games.result)
    wdl = np.zeros((pairs, 3), np.int64)
    for column, value in enumerate((1, 0, -1)):
        np.add.at(wdl[:, column], games.pair[(own == value) & (games.result != NO_RESULT)], 1)
    return wdl


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep remarks on few games to errors: a search makes hundreds of small matches."""
    logger: Any = logging.getLogger("tuning")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)
