"""Plays settings of a search: pairs on common openings against pinned opponents, each pair at most once.

All settings play the same openings in the same order, so two of them are compared pair by pair. Games lie in a
folder named by the digest of the weights: whoever asks for a setting again gets its games back, and more of
them on further openings."""

import contextlib
import hashlib
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.engine.weights import Weights
from tunesmith.tuning.play import selfplay, store
from tunesmith.tuning.play.matchup import Matchup
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.search.outcome import Outcome, known_results, results_of, scores_of


@dataclass(frozen=True)
class TrialMatches:
    """Where settings meet their opponents.

    Attributes
    ----------
    matchup
        How all games are played; settings take the place of its first-named player, opponents of its second.
    opponents
        Names and weights.
    openings
        Asked for that many openings, returns them or as many as there are.
    folder
        Games lie in `<folder>/<digest>/<opponent>`.
    """

    matchup: Matchup
    opponents: tuple[tuple[str, Weights], ...]
    openings: Callable[[int], Sequence[Opening]]
    folder: Path
    resources: Resources

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

    def folder_of(self, candidate: Weights, opponent: int) -> Path:
        """Return where the games of a setting against an opponent lie."""
        return self.folder / candidate.digest[:24] / str(opponent)

    def between(self, candidate: Weights, opponent: Weights) -> Matchup:
        """Return what a setting's games depend on besides openings."""
        return replace(self.matchup, first=candidate, second=opponent)

    def _games(
        self, candidate: Weights, opponent: Weights, at: int, openings: Sequence[Opening], pairs: int
    ) -> Games:
        folder = self.folder_of(candidate, at)
        with hush():
            matchup = self.between(candidate, opponent)
            selfplay.play(matchup, openings, range(pairs), folder, self.resources)
        return store.read_games(folder, range(pairs))


@contextlib.contextmanager
def hush() -> Iterator[None]:
    """Keep remarks on few games to errors: a search makes hundreds of small matches."""
    logger: Any = logging.getLogger("tunesmith.tuning")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)
