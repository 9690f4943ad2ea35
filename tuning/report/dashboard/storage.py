"""Studies as optuna-dashboard sees them: trials read from where they lie, with our notes laid over them.

A `ReadOnlyStorage` is an Optuna storage that only reads. Trials come live from the journal or the database of each
study; notes, plots and artifacts are made from the study's folder and kept in memory. So a dashboard can be
opened and closed at any time without a byte of a running study changing. A note that somebody types is kept in
memory too, and is gone when the dashboard is closed. Study `i` has the id `i`; its trials have the ids
`i * BLOCK + id in its own storage`."""

import threading
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from optuna.distributions import BaseDistribution
from optuna.storages import BaseStorage
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial, TrialState

from tunesmith.tuning.documents.search import PLACE
from tunesmith.tuning.optuna_private import FrozenStudy, id_of, with_id
from tunesmith.tuning.report.dashboard.notes import Attributes

BLOCK = 10**9  # more trials than any study has


@dataclass
class ShownStudy:
    """One study: its name as shown, where its trials are, and what is laid over them.

    `find` answers the storage of its trials and its id there, (None, 0) as long as nothing was searched.
    `attributes` answers, for the trials, the dashboard's own attributes: what is typed in the dashboard goes
    over them. `named` answers what is asked of the study first, as of its attributes.
    """

    name: str
    find: Callable[[], tuple[BaseStorage | None, int]]
    attributes: Callable[[Sequence[FrozenTrial]], Attributes]
    named: Callable[[], dict[str, str]]
    typed: Attributes = field(default_factory=dict)
    _found: tuple[BaseStorage | None, int] = (None, 0)

    @property
    def source(self) -> BaseStorage | None:
        """Where the trials are: a search that has begun since is found."""
        if self._found[0] is None:
            self._found = self.find()
        return self._found[0]

    @property
    def source_id(self) -> int:
        """The study's id in `source`."""
        return self._found[1]


class ReadOnly(RuntimeError):
    """Something tried to change a study through its dashboard."""


class ReadOnlyStorage(BaseStorage):
    """The studies of a dashboard; see the module."""

    def __init__(self, studies: Sequence[ShownStudy]) -> None:
        self._studies = list(studies)
        self._lock = threading.RLock()

    # --- studies

    def get_study_id_from_name(self, study_name: str) -> int:
        """Return the id of a study."""
        for number, shown in enumerate(self._studies):
            if shown.name == study_name:
                return number
        raise KeyError(study_name)

    def get_study_name_from_id(self, study_id: int) -> str:
        """Return the name of a study."""
        return self._shown(study_id).name

    def get_study_directions(self, study_id: int) -> list[StudyDirection]:
        """Return that scores are to be high."""
        self._shown(study_id)
        return [StudyDirection.MAXIMIZE]

    def get_study_user_attrs(self, study_id: int) -> Attributes:
        """Return what is asked of the study first; what its search notes for itself is in its files."""
        shown = self._shown(study_id)
        with self._lock:
            shown.attributes(self.get_all_trials(study_id, deepcopy=False))
            return shown.named()

    def get_study_system_attrs(self, study_id: int) -> Attributes:
        """Return notes, plots and artifacts."""
        shown = self._shown(study_id)
        with self._lock:
            own = shown.source.get_study_system_attrs(shown.source_id) if shown.source else {}
            ours = shown.attributes(self.get_all_trials(study_id, deepcopy=False))
            return {**own, **ours, **shown.typed}

    def set_study_system_attr(self, study_id: int, key: str, value: Any) -> None:
        """Keep what somebody typed, for as long as the dashboard is open."""
        with self._lock:
            self._shown(study_id).typed[key] = value

    def get_all_studies(self) -> list[FrozenStudy]:
        """Return all studies."""
        return [
            FrozenStudy(
                study_name=shown.name,
                direction=StudyDirection.MAXIMIZE,
                user_attrs=self.get_study_user_attrs(number),
                system_attrs=self.get_study_system_attrs(number),
                study_id=number,
            )
            for number, shown in enumerate(self._studies)
        ]

    # --- trials

    def get_all_trials(
        self, study_id: int, deepcopy: bool = True, states: Container[TrialState] | None = None
    ) -> list[FrozenTrial]:
        """Return the trials of a study under their ids here."""
        shown = self._shown(study_id)
        if shown.source is None:
            return []
        with self._lock:
            found = shown.source.get_all_trials(shown.source_id, deepcopy=deepcopy, states=states)
        return [_shown_trial(trial, study_id * BLOCK + id_of(trial)) for trial in found]

    def get_trial(self, trial_id: int) -> FrozenTrial:
        """Return one trial."""
        number, inner = divmod(trial_id, BLOCK)
        shown = self._shown(number)
        if shown.source is None:
            raise KeyError(trial_id)
        with self._lock:
            return _shown_trial(shown.source.get_trial(inner), trial_id)

    def _shown(self, study_id: int) -> ShownStudy:
        if not 0 <= study_id < len(self._studies):
            raise KeyError(f"no study has the id {study_id}")
        return self._studies[study_id]

    # --- what a dashboard must not do

    def create_new_study(self, directions: Sequence[StudyDirection], study_name: str | None = None) -> int:
        """Refuse."""
        _refuse()

    def delete_study(self, study_id: int) -> None:
        """Refuse."""
        _refuse()

    def set_study_user_attr(self, study_id: int, key: str, value: Any) -> None:
        """Refuse."""
        _refuse()

    def create_new_trial(self, study_id: int, template_trial: FrozenTrial | None = None) -> int:
        """Refuse."""
        _refuse()

    def set_trial_param(
        self, trial_id: int, param_name: str, param_value_internal: float, distribution: BaseDistribution
    ) -> None:
        """Refuse."""
        _refuse()

    def set_trial_state_values(
        self, trial_id: int, state: TrialState, values: Sequence[float] | None = None
    ) -> bool:
        """Refuse."""
        _refuse()

    def set_trial_intermediate_value(self, trial_id: int, step: int, intermediate_value: float) -> None:
        """Refuse."""
        _refuse()

    def set_trial_user_attr(self, trial_id: int, key: str, value: Any) -> None:
        """Refuse."""
        _refuse()

    def set_trial_system_attr(self, trial_id: int, key: str, value: Any) -> None:
        """Refuse."""
        _refuse()


def _shown_trial(trial: FrozenTrial, number: int) -> FrozenTrial:
    """Return a trial under its id here, without the folder of the machine that plays it."""
    shown = with_id(trial, number)
    shown.user_attrs = {key: value for key, value in trial.user_attrs.items() if key != PLACE}
    return shown


def _refuse() -> NoReturn:
    raise ReadOnly("a dashboard only shows: a study ends when its folder is deleted")
