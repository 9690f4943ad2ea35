"""How settings stand in a search: every finished trial is read once, so long searches stay quick.

Trials of one setting (one digest of weights) are pooled. Ghosts, which a killed process left behind, and trials
beyond the total are no trials."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tunesmith.tuning.documents.document import Setting
from tunesmith.tuning.search.recommend import Seen
from tunesmith.tuning.stats import elo

if TYPE_CHECKING:
    from optuna.study import Study
    from optuna.trial import FrozenTrial

GHOST, SURPLUS = "ghost", "surplus"


@dataclass
class Standing:
    """One setting: all its pairs, those of its complete trials, and how many openings it has met."""

    params: Setting
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    complete: list[int] = field(default_factory=lambda: [0] * 5)
    numbers: list[int] = field(default_factory=list)
    until: int = 0

    @property
    def sure(self) -> float:
        """Mean score of complete trials less one standard error; below any score without a pair."""
        facts = elo.moments(self.complete)
        return facts.score - (elo.spread(self.complete) / facts.units) ** 0.5 if facts.units else -1.0


class Standings:
    """All settings of a study so far, by digest; `update` reads what is new."""

    def __init__(self, study: Study) -> None:
        from tunesmith.tuning.search.samplers.box import Reader

        self._study, self._reader = study, Reader()
        self._sure: dict[str, float] = {}
        self.settings: dict[str, Standing] = {}
        self.states = {"COMPLETE": 0, "PRUNED": 0, "FAIL": 0}
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

    def best(self, but: str) -> tuple[str, Standing] | None:
        """Return the digest and the setting that is best for sure among all others, None without one."""
        others = [(sure, digest) for digest, sure in self._sure.items() if digest != but and sure >= 0]
        if not others:
            return None
        _, digest = max(others)
        return digest, self.settings[digest]

    def seen(self, setting: Any) -> list[Seen]:
        """Return all settings with pairs; `setting` turns Optuna's values into a setting."""
        return [
            Seen(setting(one.params), tuple(one.counts), tuple(one.numbers))
            for one in self.settings.values()
            if sum(one.counts)
        ]

    def _take(self, trial: FrozenTrial) -> None:
        facts, state = trial.user_attrs, trial.state.name
        self.states[state] += 1
        self.at_random += bool(facts.get("at_random"))
        if state == "FAIL":
            self.first_failure = self.first_failure or str(facts.get("reason"))
            return
        own = self.settings.setdefault(facts["digest"], Standing(dict(trial.params)))
        own.counts = [a + b for a, b in zip(own.counts, facts["counts"], strict=True)]
        if state == "COMPLETE":
            own.complete = [a + b for a, b in zip(own.complete, facts["counts"], strict=True)]
        own.numbers.append(trial.number)
        own.until = max(own.until, facts["until"])
        self._sure[facts["digest"]] = own.sure
        self.games += facts["games"]


def counts(trial: FrozenTrial) -> bool:
    """Whether a trial is one of those asked for: begun, no ghost, not beyond the total."""
    return trial.state.name != "WAITING" and not (
        trial.user_attrs.get(GHOST) or trial.user_attrs.get(SURPLUS)
    )
