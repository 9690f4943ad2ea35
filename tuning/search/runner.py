"""Where several settings of a search play at once, so that no worker waits for the end of a trial.

A setting begins under a number with the pairs it is to play; `next` waits until any has played them all. Lower numbers
are served first. Games are those of `TrialMatches.play`, whoever plays them and in whatever order they come back.
`SerialRunner` does the same with one setting after the other, for matches that know no other way (other people's
engines, made-up pairs)."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tunesmith.engine.match import NO_RESULT
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import FaultError
from tunesmith.tuning.files import locked
from tunesmith.tuning.play import playable, selfplay, store
from tunesmith.tuning.play.backends import open_backend
from tunesmith.tuning.play.matchup import Answer, Pair
from tunesmith.tuning.play.point_of_view import for_first_named
from tunesmith.tuning.play.pool import Pool
from tunesmith.tuning.search.matches import TrialMatches, hush
from tunesmith.tuning.search.outcome import Array, Outcome, known_results, results_of, scores_of

if TYPE_CHECKING:
    import numpy.typing as npt


class Runner(Protocol):
    """Several settings at once; close it when done."""

    def begin(self, number: int, candidate: Weights, pairs: range) -> None:
        """Let a setting play some pairs of the search, under a number."""

    def next(self) -> tuple[int, Outcome | FaultError]:
        """Wait for any setting to have played its pairs; return its number and what came of it."""

    def leave(self, number: int) -> None:
        """Put the games of a setting in order that `next` has returned."""

    def close(self) -> None:
        """Stop all workers."""


class SerialRunner:
    """All workers play for one setting, then for the next."""

    def __init__(self, matches: Any) -> None:
        self._matches = matches
        self._waiting: dict[int, tuple[Weights, range]] = {}

    def begin(self, number: int, candidate: Weights, pairs: range) -> None:
        """See `Runner`."""
        self._waiting[number] = candidate, pairs

    def next(self) -> tuple[int, Outcome | FaultError]:
        """See `Runner`."""
        number = self._choose(sorted(self._waiting))
        candidate, pairs = self._waiting.pop(number)
        try:
            return number, self._matches.play(candidate, pairs)
        except FaultError as error:
            return number, error

    def _choose(self, numbers: list[int]) -> int:
        return numbers[0]

    def leave(self, number: int) -> None:
        """See `Runner`."""

    def close(self) -> None:
        """See `Runner`."""


class ParallelRunner:
    """Workers play for the lowest number that has something to play."""

    def __init__(self, matches: TrialMatches) -> None:
        self._trial_matches = matches
        self._pool = Pool(open_backend(matches.resources.backend, matches.resources.jobs))
        self._matches: dict[int, list[_TrialMatch]] = {}
        self._pairs: dict[int, range] = {}
        self._locks: dict[int, contextlib.ExitStack] = {}

    def begin(self, number: int, candidate: Weights, pairs: range) -> None:
        """See `Runner`."""
        locks = self._locks[number] = contextlib.ExitStack()
        self._matches[number], self._pairs[number] = [], pairs
        for at in range(len(self._trial_matches.opponents)):
            match = _TrialMatch(self._trial_matches, candidate, at, pairs)
            self._matches[number].append(match)
            if match.is_known:
                continue
            locks.enter_context(locked(match.folder))
            with hush():
                missing = match.begin()
            if missing:
                known = match.games.deaths(), match.games.remember
                self._pool.add((number, at), number, match.matchup, missing, *known)

    def next(self) -> tuple[int, Outcome | FaultError]:
        """See `Runner`."""
        while True:
            ready = [number for number in self._pairs if self._is_ready(number)]
            if ready:
                number = min(ready)
                return number, self._outcome(number, self._stop(number))
            (number, at), answer = self._pool.next()
            fault = self._matches[number][at].take(answer)
            if fault is not None:
                self._stop(number)
                return number, fault

    def leave(self, number: int) -> None:
        """See `Runner`."""
        for match in self._matches.pop(number):
            with hush():
                match.end()
        self._locks.pop(number).close()

    def close(self) -> None:
        """See `Runner`."""
        self._pool.close()
        for locks in self._locks.values():
            locks.close()

    def _stop(self, number: int) -> range:
        """Let nothing more be played for a setting; return the pairs that it was to play."""
        for at in range(len(self._matches[number])):
            self._pool.drop((number, at))
        return self._pairs.pop(number)

    def _is_ready(self, number: int) -> bool:
        return all(match.is_done for match in self._matches[number])

    def _outcome(self, number: int, pairs: range) -> Outcome:
        matches = self._matches[number]
        names = tuple(name for name, _ in self._trial_matches.opponents)
        scores, wdl = (
            np.array([match.scores for match in matches]),
            np.array([match.wdl for match in matches]),
        )
        return Outcome(names, scores, wdl, self._trial_matches.openings_of(pairs)[0])


def runner_for(matches: Any) -> Runner:
    """Return what plays the settings of some matches: at once where that is possible, else one after the other."""
    if isinstance(matches, TrialMatches):
        return ParallelRunner(matches)
    return SerialRunner(matches)


class _TrialMatch:
    """One setting against one opponent: its folder, what it is to play, and what has come back."""

    def __init__(self, matches: TrialMatches, candidate: Weights, at: int, pairs: range) -> None:
        opponent = matches.opponents[at][1]
        self.is_known = candidate.digest == opponent.digest
        self.folder: Path = matches.folder_of(candidate, pairs, at)
        self.scores: Array = np.full(len(pairs), np.nan)
        self.wdl: npt.NDArray[np.int64] = np.zeros((len(pairs), 3), np.int64)
        self.matchup, self._game = selfplay.pinned(matches.between(candidate, opponent, pairs))
        self._openings = matches.openings_of(pairs)[1]
        self._open: set[int] = set()
        self._is_broken = False
        if self.is_known:
            self.scores, self.wdl = known_results(len(pairs))

    def begin(self) -> list[Pair]:
        """Look at what the folder holds; compile if there is anything to play; return what has to be played."""
        pairs = range(len(self._openings))
        playable.check(self.matchup, self._game, pairs, self._openings)
        self.games = selfplay.PairFolder(self.matchup, self._openings, pairs, self.folder)
        missing = self.games.missing()
        there = store.read_games(self.folder, pairs)
        if len(there):
            self.scores, self.wdl = scores_of(there, len(pairs)), results_of(there, len(pairs))
        if missing:
            selfplay.compile_search(self.matchup, self._game)
        self._open = {pair.number for pair in missing}
        return missing

    @property
    def is_done(self) -> bool:
        """Whether all has come back."""
        return not self._open

    def take(self, answer: Answer) -> FaultError | None:
        """Keep the games of an answer; return what is wrong if too many are faults."""
        try:
            self.games.take(answer)
        except FaultError as error:
            self._is_broken = True
            return error
        for row in answer.games:
            self._open.discard(row.pair)
            if row.result != NO_RESULT:
                self.wdl[row.pair, 1 - for_first_named(row.result, row.game)] += 1
        for pair in {row.pair for row in answer.games}:
            results = [row.result for row in answer.games if row.pair == pair]
            if NO_RESULT not in results:
                self.scores[pair] = (self.wdl[pair] @ np.array([2, 1, 0])) / 4
        return None

    def end(self) -> None:
        """Make whole files of parts; faults of a setting that failed are not kept, so that they are tried again."""
        if not self.is_known and not self._is_broken:
            self.games.merge()
