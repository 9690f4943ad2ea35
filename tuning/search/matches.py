"""Plays settings of a search: pairs on a trial's own openings against pinned opponents, each pair at most once.

The pairs of a search are numbered through: pair p begins with opening p, and once there are no further ones, with
the first again. Every trial has pairs of its own, so no two trials share the luck of an opening unless openings
are too few. Games lie in a folder named by the digest of the weights and the first pair: whoever asks for the
same pairs of a setting again gets its games back."""

import contextlib
import hashlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tunesmith.engine.weights import Weights
from tunesmith.tuning.play import selfplay, store
from tunesmith.tuning.play.matchup import Matchup, pair_seed
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.summary import pair_results
from tunesmith.tuning.search.outcome import Outcome, known_results, results_of, scores_of


@runtime_checkable
class KeepsGames(Protocol):
    """Matches whose games can be counted again."""

    def counts_there(self, candidate: Any, pairs: range) -> dict[str, list[int]]:
        """See `TrialMatches`."""


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
        Of the whole search; pair p begins with number p, modulo their number.
    folder
        Games lie in `<folder>/<digest>/<first pair>/<opponent>`.
    """

    matchup: Matchup
    opponents: tuple[tuple[str, Weights], ...]
    openings: Sequence[Opening]
    folder: Path
    resources: Resources

    def play(self, candidate: Weights, pairs: range, mirrors: bool = False) -> Outcome:
        """Play what is missing of some pairs of the search; return all of them.

        A setting that is an opponent itself scores one half without a game, unless `mirrors` asks for games.
        """
        numbers, openings = self.openings_of(pairs)
        scores, wdl, digest = [], [], hashlib.sha256()
        for at, (_, opponent) in enumerate(self.opponents):
            if candidate.digest == opponent.digest and not mirrors:
                known = known_results(len(pairs))
                scores.append(known[0])
                wdl.append(known[1])
                continue
            games = self._games(candidate, opponent, at, pairs, openings)
            digest.update(b"".join(games.lines()) + games.starts.tobytes())
            scores.append(scores_of(games, len(pairs)))
            wdl.append(results_of(games, len(pairs)))
        names = tuple(name for name, _ in self.opponents)
        return Outcome(names, np.array(scores), np.array(wdl), numbers, digest.hexdigest()[:16])

    def counts_there(self, candidate: Weights, pairs: range) -> dict[str, list[int]]:
        """Return the counts of some pairs against each opponent of whom all games are kept; plays none.

        Nothing of games that were played again under a time limit: they are others than those that were counted.
        """
        found = {}
        for at, (name, opponent) in enumerate(self.opponents):
            folder = self.folder_of(candidate, pairs, at)
            if candidate.digest == opponent.digest or not folder.is_dir() or store.lost(folder):
                continue
            with hush():
                games = store.read_games(folder, range(len(pairs)))
            if len(games) == 2 * len(pairs):
                found[name] = list(pair_results(games).counts)
        return found

    def openings_of(self, pairs: range) -> tuple[npt.NDArray[np.int64], list[Opening]]:
        """Return numbers and openings of some pairs."""
        numbers = np.asarray(pairs, np.int64) % len(self.openings)
        return numbers, [self.openings[number] for number in numbers]

    def folder_of(self, candidate: Weights, pairs: range, opponent: int) -> Path:
        """Return where the games of a setting against an opponent lie."""
        return games_folder(self.folder, candidate.digest, pairs.start) / str(opponent)

    def between(self, candidate: Weights, opponent: Weights, pairs: range) -> Matchup:
        """Return what a setting's games depend on besides openings; games are drawn from a seed of these pairs."""
        seed = pair_seed(self.matchup.seed, pairs.start)
        return replace(self.matchup, first=candidate, second=opponent, seed=seed)

    def _games(
        self, candidate: Weights, opponent: Weights, at: int, pairs: range, openings: Sequence[Opening]
    ) -> Games:
        folder = self.folder_of(candidate, pairs, at)
        with hush():
            matchup = self.between(candidate, opponent, pairs)
            selfplay.play(matchup, openings, range(len(pairs)), folder, self.resources)
        return store.read_games(folder, range(len(pairs)))


def games_folder(games: Path, digest: str, first: int) -> Path:
    """Return where the games of a setting lie from pair number `first` of a search on, a folder for each opponent."""
    return games / digest[:24] / str(first)


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
