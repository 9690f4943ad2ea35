"""What our samplers share: failed and pruned trials, choices, any order, a new process."""

import numpy as np
import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution
from optuna.trial import TrialState

from tests.support.sampling import MAKERS, tune
from tunesmith.experiments.clop_problems import problem
from tunesmith.tuning.search.samplers import WDL, CLOPSampler


@pytest.fixture(autouse=True)
def _quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_same_seed_same_trials(name):
    hill = problem("LOG", 2)
    first, second = (tune(MAKERS[name](5), hill, 300, 10, 1)[1] for _ in range(2))
    assert [t.params for t in first.trials] == [t.params for t in second.trials]


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_a_new_process_knows_what_the_trials_know(name):
    """A fresh sampler on the stored trials recommends what the old one does."""
    hill = problem("LOG", 2)
    recommended, study = tune(MAKERS[name](5), hill, 500, 10, 1)
    again = MAKERS[name](77).recommend(study)
    assert again == pytest.approx(recommended)


def test_trials_may_come_in_any_order():
    """Results told in reverse order give the same model (FIELD E21)."""
    rng = np.random.default_rng(3)
    distributions = {"x": FloatDistribution(-1, 1), "y": FloatDistribution(-1, 1)}
    trials = [
        optuna.create_trial(
            params={"x": x, "y": y},
            distributions=distributions,
            value=rng.binomial(20, problem("LOG", 2).win_rate([x, y])) / 20,
        )
        for x, y in rng.uniform(-1, 1, (60, 2))
    ]
    found = []
    for order in (trials, trials[::-1]):
        study = optuna.create_study(direction="maximize")
        study.add_trials(order)
        found.append(CLOPSampler(games_per_trial=20).recommend(study))
    assert found[0] == pytest.approx(found[1], abs=1e-9)


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_failed_trials_count_for_nothing_and_pruned_ones_for_what_they_played(name):
    hill = problem("LOG", 1)
    recommended, study = tune(MAKERS[name](2), hill, 300, 10, 2)
    for _ in range(4):
        study.tell(study.ask({"x0": FloatDistribution(-1, 1)}), state=TrialState.FAIL)
    assert MAKERS[name](2).recommend(study) == recommended
    trials = [
        study.ask({"x0": FloatDistribution(-1, 1)}) for _ in range(3)
    ]  # both sides of one iteration among them
    for trial, counts in zip(trials, ([400, 0, 100], [100, 0, 400], [400, 0, 100]), strict=True):
        trial.set_user_attr(WDL, counts)
        study.tell(trial, state=TrialState.PRUNED)
    assert MAKERS[name](2).recommend(study) != recommended


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_choices_are_drawn_at_random_and_counted(name, caplog):
    sampler = MAKERS[name](0)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    space = {"x": FloatDistribution(0, 1), "kind": CategoricalDistribution(["a", "b"])}
    for _ in range(10):
        study.tell(study.ask(space), 0.5)
    assert {trial.params["kind"] for trial in study.trials} == {"a", "b"}
    assert sampler.n_fallbacks == 10
    assert len([r for r in caplog.records if "choice" in r.message]) == 1
    assert set(sampler.recommend(study)) == {"x"}
