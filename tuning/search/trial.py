"""One running trial: how far it has played, when it is pruned, and when it is over.

It plays chunk by chunk, and is pruned when it has lost to the setting that was best when it was asked for (a
Wilcoxon test on common openings, its error shared among all looks). A trial of a setting that another trial is
playing waits for that one: it goes on where that one ends, so that their games count once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tunesmith.engine.weights import Weights
from tunesmith.games.errors import FaultError
from tunesmith.tuning.config import Search
from tunesmith.tuning.search.outcome import Outcome, is_worse

if TYPE_CHECKING:
    from optuna.trial import Trial

FEW_PAIRS = 16  # before which no trial is pruned

Asker = dict[str, str | list[str]]  # `sampler`, and `at_random`: parameters that it left to chance


@dataclass(eq=False)
class RunningTrial:
    """A trial, its setting, and what it has played.

    Attributes
    ----------
    asker
        Which sampler made it.
    best
        How the best other setting stood when this one was asked for.
    first, last, wanted
        Its first opening, its end, and up to where it is to play now.
    """

    trial: Trial
    weights: Weights
    asker: Asker
    best: Outcome | None
    first: int = 0
    last: int = 0
    wanted: int = 0
    is_seated: bool = False
    is_over: bool = False
    is_pruned: bool = False
    outcome: Outcome | None = None
    failure: FaultError | None = None
    _chunk: int = field(default=1, repr=False)
    _level: float = field(default=0.0, repr=False)

    @property
    def number(self) -> int:
        """Number of the trial."""
        return int(self.trial.number)

    def waits_for(self, other: RunningTrial) -> bool:
        """Whether another trial plays the same setting and comes first."""
        return other.number < self.number and other.weights.digest == self.weights.digest

    def begin(self, first: int, search: Search) -> None:
        """Start to play at an opening."""
        self.first, self.last, self._chunk = first, first + search.pairs, search.chunk
        looks = [at for at in range(first + search.chunk, self.last, search.chunk) if at >= FEW_PAIRS]
        self._level = search.prune / max(1, len(looks))
        self.wanted = min(first + search.chunk, self.last)
        self.is_seated = True

    def hear(self, outcome: Outcome | FaultError) -> bool:
        """Take in what came of the games up to `wanted`; return whether the trial is over."""
        if isinstance(outcome, FaultError):
            self.failure, self.is_over = outcome, True
            return True
        self.outcome = outcome
        self.is_over = self.wanted >= self.last or outcome.pairs < self.wanted
        if not self.is_over and self._has_lost(outcome):
            self.is_over = self.is_pruned = True
        self.wanted = min(self.wanted + self._chunk, self.last)
        return self.is_over

    def _has_lost(self, outcome: Outcome) -> bool:
        if self.best is None or self._level == 0 or self.wanted < FEW_PAIRS:
            return False
        return is_worse(outcome, self.best, self._level)
