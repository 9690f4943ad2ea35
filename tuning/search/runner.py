"""Where several settings of a search play at once, so that no worker waits for the end of a trial.

A setting is seated under a number with the openings it may play; `want` asks for its first so many openings,
`next` waits until any setting has played what it was asked for. Lower numbers are served first. Games are
those of `TrialMatches.play`, whoever plays them and in whatever order they come back. `SerialRunner` does the same with
one setting after the other, for matches that know no other way (other people's engines, made-up pairs)."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tunesmith.engine.match import NO_RESULT
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import FaultError
from tunesmith.tuning.files import locked
from tunesmith.tuning.play import selfplay
from tunesmith.tuning.play.backends import open_backend
from tunesmith.tuning.play.matchup import Answer, Pair
from tunesmith.tuning.play.point_of_view import for_first_named
from tunesmith.tuning.play.pool import Pool
from tunesmith.tuning.search.matches import TrialMatches, hush
from tunesmith.tuning.search.outcome import Array, Outcome, known_results, results_of, scores_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from tunesmith.tuning.play.openings.opening import Opening


class Runner(Protocol):
    """Several settings at once; close it when done."""

    def seat(self, number: int, candidate: Weights, pairs: int) -> None:
        """Give a setting a number, and at most so many openings."""

    def want(self, number: int, pairs: int) -> None:
        """Ask for the first `pairs` openings of a setting."""

    def next(self) -> tuple[int, Outcome | FaultError]:
        """Wait for any setting to have played what it was asked for; return its number and how it stands."""

    def leave(self, number: int) -> None:
        """Put a setting's games in order: nothing more is asked of it."""

    def close(self) -> None:
        """Stop all workers."""


class SerialRunner:
    """All workers play for one setting, then for the next."""

    def __init__(self, matches: Any) -> None:
        self._matches = matches
        self._seated: dict[int, tuple[Weights, int]] = {}
        self._wanted: dict[int, int] = {}

    def seat(self, number: int, candidate: Weights, pairs: int) -> None:
        """See `Runner`."""
        self._seated[number] = candidate, pairs

    def want(self, number: int, pairs: int) -> None:
        """See `Runner`."""
        self._wanted[number] = min(pairs, self._seated[number][1])

    def next(self) -> tuple[int, Outcome | FaultError]:
        """See `Runner`."""
        number = self._choose(sorted(self._wanted))
        pairs = self._wanted.pop(number)
        try:
            return number, self._matches.play(self._seated[number][0], pairs)
        except FaultError as error:
            return number, error

    def _choose(self, numbers: list[int]) -> int:
        return numbers[0]

    def leave(self, number: int) -> None:
        """See `Runner`."""
        self._seated.pop(number, None)
        self._wanted.pop(number, None)

    def close(self) -> None:
        """See `Runner`."""


class ParallelRunner:
    """Workers play for the lowest number that has something to play."""

    def __init__(self, matches: TrialMatches) -> None:
        self._trial_matches = matches
        self._pool = Pool(open_backend(matches.resources.backend, matches.resources.jobs))
        self._matches: dict[int, list[_TrialMatch]] = {}
        self._wanted: dict[int, int] = {}
        self._locks: dict[int, contextlib.ExitStack] = {}

    def seat(self, number: int, candidate: Weights, pairs: int) -> None:
        """See `Runner`."""
        openings = self._trial_matches.openings(pairs)
        locks = self._locks[number] = contextlib.ExitStack()
        self._matches[number] = []
        for at, (_, opponent) in enumerate(self._trial_matches.opponents):
            match = _TrialMatch(
                self._trial_matches, candidate, opponent, at, openings, min(pairs, len(openings))
            )
            if not match.is_known:
                locks.enter_context(locked(match.folder))
                with hush():
                    match.begin()
            self._matches[number].append(match)

    def want(self, number: int, pairs: int) -> None:
        """See `Runner`."""
        self._wanted[number] = pairs
        for at, match in enumerate(self._matches[number]):
            missing = match.ask(pairs)
            if missing:
                self._pool.add((number, at), number, match.matchup, missing)

    def next(self) -> tuple[int, Outcome | FaultError]:
        """See `Runner`."""
        while True:
            ready = [number for number in self._wanted if self._is_ready(number)]
            if ready:
                number = min(ready)
                return number, self._outcome(number, self._wanted.pop(number))
            (number, at), answer = self._pool.next()
            fault = self._matches[number][at].take(answer)
            if fault is not None:
                del self._wanted[number]
                return number, fault

    def leave(self, number: int) -> None:
        """See `Runner`."""
        self._wanted.pop(number, None)
        for at, match in enumerate(self._matches.pop(number)):
            self._pool.drop((number, at))
            with hush():
                match.end()
        self._locks.pop(number).close()

    def close(self) -> None:
        """See `Runner`."""
        self._pool.close()
        for locks in self._locks.values():
            locks.close()

    def _is_ready(self, number: int) -> bool:
        return all(match.is_done for match in self._matches[number])

    def _outcome(self, number: int, pairs: int) -> Outcome:
        matches = self._matches[number]
        names = tuple(name for name, _ in self._trial_matches.opponents)
        scores = np.array([match.scores[:pairs] for match in matches])
        return Outcome(names, scores, np.array([match.wdl[:pairs] for match in matches]), "")


def runner_for(matches: Any) -> Runner:
    """Return what plays the settings of some matches: at once where that is possible, else one after the other."""
    if isinstance(matches, TrialMatches):
        return ParallelRunner(matches)
    return SerialRunner(matches)


class _TrialMatch:
    """One setting against one opponent: its folder, what is asked for, and what has come back."""

    def __init__(
        self,
        matches: TrialMatches,
        candidate: Weights,
        opponent: Weights,
        at: int,
        openings: Sequence[Opening],
        pairs: int,
    ) -> None:
        self.is_known = candidate.digest == opponent.digest
        self.folder: Path = matches.folder_of(candidate, at)
        self.scores: Array = np.full(pairs, np.nan)
        self.wdl: npt.NDArray[np.int64] = np.zeros((pairs, 3), np.int64)
        self.matchup, self._game = selfplay.pinned(matches.between(candidate, opponent))
        self._openings, self._pairs = openings, pairs
        self._missing: list[Pair] = []
        self._open: set[int] = set()
        self._is_broken = False
        if self.is_known:
            self.scores, self.wdl = known_results(pairs)

    def begin(self) -> None:
        """Look at what the folder holds; compile if there is anything to play."""
        pairs = range(self._pairs)
        selfplay.check(self.matchup, self._game, pairs, self._openings)
        self._games = selfplay.PairFolder(self.matchup, self._openings, pairs, self.folder)
        self._missing = self._games.missing()
        there = self._games.there
        if there is not None and len(there):
            self.scores, self.wdl = scores_of(there, self._pairs), results_of(there, self._pairs)
        if self._missing:
            selfplay.compile_search(self.matchup, self._game)

    def ask(self, pairs: int) -> list[Pair]:
        """Return the pairs below a number that have to be played now."""
        wanted = [pair for pair in self._missing if pair.number < pairs]
        self._missing = self._missing[len(wanted) :]
        self._open |= {pair.number for pair in wanted}
        return wanted

    @property
    def is_done(self) -> bool:
        """Whether all that was asked for has come back."""
        return not self._open

    def take(self, answer: Answer) -> FaultError | None:
        """Keep the games of an answer; return what is wrong if too many are faults."""
        try:
            self._games.take(answer)
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
            self._games.merge()
