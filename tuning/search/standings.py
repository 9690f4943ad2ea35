"""How settings stand in a search: every finished trial is read once, so long searches stay quick.

Trials of one setting (one digest of weights) are pooled. Ghosts, which a killed process left behind, and trials
beyond the total are no trials."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tunesmith.tuning.documents.document import Setting
from tunesmith.tuning.documents.search import PlayedTrial
from tunesmith.tuning.search.recommend import Seen

if TYPE_CHECKING:
    from optuna.study import Study
    from optuna.trial import FrozenTrial

GHOST, SURPLUS = "ghost", "surplus"

_FIGURES = {field.alias or name for name, field in PlayedTrial.model_fields.items()}


@dataclass
class Standing:
    """One setting: all its pairs, the openings it has a result on, its score on each, and whether any was a game."""

    params: Setting
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    openings: list[int] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    games: int = 0


class Standings:
    """All settings of a study so far, by digest; `update` reads what is new."""

    def __init__(self, study: Study, where: str = "search") -> None:
        from tunesmith.tuning.search.samplers.box import Reader

        self._study, self._reader, self._where = study, Reader(), where
        self.settings: dict[str, Standing] = {}
        self.states = {"COMPLETE": 0, "FAIL": 0}
        self.first_failure: str | None = None
        self.games = 0
        self.at_random = 0

    @property
    def n(self) -> int:
        """Number of finished trials."""
        return sum(self.states.values())

    def update(self) -> Standings:
        """Read the trials that have finished since the last call."""
        for trial in self._reader.new(self._study):
            if counts(trial):
                self._take(trial)
        return self

    def seen(self, setting: Any) -> list[Seen]:
        """Return all settings with pairs; `setting` turns Optuna's values into a setting."""
        return [
            Seen(
                setting(one.params),
                tuple(one.counts),
                np.array(one.openings, np.int64),
                np.array(one.scores, float),
                tuple(one.numbers),
                is_known=not one.games,
            )
            for one in self.settings.values()
            if sum(one.counts)
        ]

    def _take(self, trial: FrozenTrial) -> None:
        state = trial.state.name
        self.states[state] += 1
        self.at_random += bool(trial.user_attrs.get("at_random"))
        if state == "FAIL":
            self.first_failure = self.first_failure or str(trial.user_attrs.get("reason"))
            return
        told = figures(trial, self._where)
        own = self.settings.setdefault(told.digest, Standing(dict(trial.params)))
        own.counts = [a + b for a, b in zip(own.counts, told.counts, strict=True)]
        for at, score in enumerate(told.scores):
            if score is not None:
                own.openings.append((told.first + at) % told.openings)
                own.scores.append(score)
        own.numbers.append(trial.number)
        own.games += told.games
        self.games += told.games


def figures(trial: FrozenTrial, where: str) -> PlayedTrial:
    """Return what a storage says of a complete trial.

    Raises
    ------
    StudyError
        A field is missing or of another kind, or a figure is not that of the counts beside it; names `where`.
    """
    facts = {name: value for name, value in trial.user_attrs.items() if name in _FIGURES}
    return PlayedTrial.of({**facts, "score": trial.value}, f"{where}: trial {trial.number}")


def counts(trial: FrozenTrial) -> bool:
    """Whether a trial is one of those asked for: begun, no ghost, not beyond the total."""
    return trial.state.name != "WAITING" and not (
        trial.user_attrs.get(GHOST) or trial.user_attrs.get(SURPLUS)
    )
