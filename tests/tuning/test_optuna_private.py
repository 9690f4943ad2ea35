"""The names of Optuna that are not public are what `optuna_private` takes them for.

A failure here means: another version of Optuna; read what has become of the name, then correct the one module."""

import re

import optuna
import pytest
from optuna.storages import InMemoryStorage, RDBStorage
from optuna.study import StudyDirection

from tests import ROOT
from tunesmith.tuning import optuna_private as private

pytestmark = pytest.mark.filterwarnings("ignore:.*[Hh]eartbeat")


@pytest.fixture(params=["memory", "database"])
def study(request, tmp_path):
    """A study with one finished and one running trial, in either kind of storage."""
    address = f"sqlite:///{tmp_path / 'trials.db'}"
    in_memory = request.param == "memory"
    with (
        pytest.warns(optuna.exceptions.ExperimentalWarning) if not in_memory else pytest.MonkeyPatch.context()
    ):
        storage = (
            InMemoryStorage() if in_memory else RDBStorage(address, heartbeat_interval=60, grace_period=120)
        )
    made = optuna.create_study(storage=storage, study_name="one")
    made.tell(made.ask(), 0.5)
    made.ask()
    return made


def test_the_version_is_the_one_it_was_written_for():
    assert optuna.__version__.startswith(f"{private.WRITTEN_FOR}.")


def test_storage_and_numbers_lead_to_the_trials(study):
    for trial in study.get_trials():
        found = private.storage_of(study).get_trial(private.id_of(trial))
        assert (found.number, found.state) == (trial.number, trial.state)


def test_a_renamed_trial_is_a_copy_and_otherwise_the_same(study):
    trial = study.get_trials()[0]
    before = private.id_of(trial)
    renamed = private.with_id(trial, 77)
    assert (private.id_of(renamed), private.id_of(trial)) == (77, before)
    assert (renamed.number, renamed.value) == (trial.number, trial.value)


def test_life_is_shown_to_a_database_and_to_no_other_storage(study):
    database = private._database_of(study)
    assert (database is None) == isinstance(private.storage_of(study), InMemoryStorage)
    running = study.ask()
    private.show_life(study, running)
    assert private.silent_trials(study) == set()
    if database is not None:
        database.grace_period = -60  # whoever spoke just now is silent by that
        assert private.id_of(running) in private.silent_trials(study)


def test_a_storage_describes_its_studies():
    found = private.FrozenStudy(
        study_name="one", direction=StudyDirection.MAXIMIZE, user_attrs={}, system_attrs={}, study_id=3
    )
    assert (found.study_name, found._study_id) == ("one", 3)


def test_no_other_module_reaches_into_optuna():
    names = re.compile(
        r"\._(trial_id|study_id)\b|study\._storage\b|_get_stale_trial_ids|from optuna[.\w]*\._"
    )
    found = {
        str(path.relative_to(ROOT))
        for folder in ("engine", "games", "tuning", "experiments")
        for path in (ROOT / folder).rglob("*.py")
        if names.search(path.read_text())
    }
    assert found == {"tuning/optuna_private.py"}
