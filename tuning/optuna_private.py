"""What of Optuna is not public and is used all the same, in one place. Written for Optuna 5.0.

Samplers are told of a trial, not of its number in the storage, and nothing public writes an attribute to a trial
that is not one's own, shows that it is alive, or lets a storage describe its studies. A test of this file says
which of these names another version of Optuna has changed."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from optuna.storages import RDBStorage
from optuna.study._frozen import FrozenStudy

if TYPE_CHECKING:
    from optuna.storages import BaseStorage
    from optuna.study import Study
    from optuna.trial import FrozenTrial, Trial, TrialState

WRITTEN_FOR = "5.0"


def storage_of(study: Study) -> BaseStorage:
    """Return the storage that a study is in."""
    return study._storage


def id_of(trial: Trial | FrozenTrial) -> int:
    """Return the number by which its storage knows a trial."""
    return trial._trial_id


def with_id(trial: FrozenTrial, number: int) -> FrozenTrial:
    """Return a copy of a trial that is known by another number."""
    copied = copy.copy(trial)
    copied._trial_id = number
    return copied


def show_life(study: Study, trial: Trial) -> None:
    """Tell other machines at the study's database, if it is in one, that a trial is being played."""
    database = _database_of(study)
    if database is not None:
        database.record_heartbeat(id_of(trial))


def silent_trials(study: Study) -> set[int]:
    """Return the numbers of a database's trials that nobody has shown life of for its grace period."""
    database = _database_of(study)
    return set(database._get_stale_trial_ids(study._study_id)) if database is not None else set()


def tell_once(study: Study, trial: Trial | FrozenTrial, score: float | None, state: TrialState) -> None:
    """End a trial; raises `UpdateFinishedTrialError`, and changes nothing, if it has ended already.

    `Study.tell` looks first and writes then, and says of a trial that has ended that it is a ValueError.
    """
    values = None if score is None else [score]
    frozen = storage_of(study).get_trial(id_of(trial))
    study._thread_local.cached_all_trials = None
    study.sampler.after_trial(study, frozen, state, values)
    storage_of(study).set_trial_state_values(id_of(trial), state, values)


def _database_of(study: Study) -> RDBStorage | None:
    storage = storage_of(study)
    backend = getattr(storage, "_backend", storage)  # Optuna puts a cache before a database
    return backend if isinstance(backend, RDBStorage) else None


__all__ = [
    "WRITTEN_FOR",
    "FrozenStudy",
    "id_of",
    "show_life",
    "silent_trials",
    "storage_of",
    "tell_once",
    "with_id",
]
