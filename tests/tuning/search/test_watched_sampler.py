"""A study's word for a sampler: every word has one, another word is an error, and what it left to chance is told."""

from typing import get_args

import optuna
import pytest
from optuna.distributions import FloatDistribution

from tests.support.made_up import HAND
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import SamplerName, Search
from tunesmith.tuning.search.samplers import AUTO, SAMPLERS
from tunesmith.tuning.search.space import Parameter, WeightSpace
from tunesmith.tuning.search.watched_sampler import WatchedSampler, budget, make_sampler, sampler_of

SPACE = WeightSpace(HAND, (Parameter("scale", "scale", 1.0, 0.5, 2.0),))


def test_the_words_of_a_study_file_are_the_samplers_that_there_are() -> None:
    """A sampler is added by two lines, and this test fails after the first."""
    assert set(get_args(SamplerName)) == {AUTO, *SAMPLERS}


def test_another_word_is_an_error_and_no_sampler() -> None:
    with pytest.raises(InputError, match=r"expected one of auto, random, .*, clop, found 'tpee'"):
        make_sampler(Search().model_copy(update={"sampler": "tpee"}), SPACE, 1)


SCALE = Parameter("scale", "scale", 1.0, 0.5, 2.0)
SWITCH = Parameter("pvs", "option", True, choices=(False, True))
WORD = Parameter("ordering", "option", "fast", choices=("fast", "full", "none"))


@pytest.mark.parametrize(
    ("parameters", "trials", "name"),
    [
        ((SCALE,), 9, "clop"),  # three coefficients, three trials each
        ((SCALE,), 8, "tpe"),
        ((SCALE, SWITCH), 18, "clop"),
        ((SCALE, SWITCH), 17, "tpe"),
        ((SCALE, WORD), 500, "tpe"),
        ((SCALE,) * 5, 63, "clop"),
    ],
)
def test_auto_asks_what_there_is_to_search_and_how_many_trials(
    parameters: tuple[Parameter, ...], trials: int, name: str
) -> None:
    """CLOP's quadratic needs trials for its coefficients, and of three words it makes nothing."""
    assert sampler_of(Search(trials=trials), WeightSpace(HAND, parameters)) == name


def test_a_sampler_that_is_named_is_taken_whatever_there_is_to_search() -> None:
    assert sampler_of(Search(trials=1, sampler="clop"), WeightSpace(HAND, (WORD,))) == "clop"


def test_a_search_may_grow_until_auto_means_another_sampler() -> None:
    """Both see the same numbers: a switch is 0 or 1 to TPE, too."""
    both = WeightSpace(HAND, (SCALE, SWITCH))
    study = optuna.create_study(direction="maximize")
    for trials, number in ((4, 4), (40, 8)):
        study.sampler = make_sampler(Search(trials=trials), both, 1)
        for _ in range(number):
            study.tell(study.ask(both.distributions()), 0.5)
    assert {trial.params["pvs"] for trial in study.trials} == {0, 1}


@pytest.mark.parametrize("name", sorted(set(SAMPLERS) - {"gp"}))
def test_each_sampler_is_made_and_asked(name: str) -> None:
    sampler = make_sampler(Search(sampler=name, trials=10), SPACE, 1)  # type: ignore[arg-type]
    study = optuna.create_study(direction="maximize", sampler=sampler)
    for _ in range(3):
        trial = study.ask({"scale": FloatDistribution(0.5, 2.0)})
        assert 0.5 <= trial.params["scale"] <= 2.0
        study.tell(trial, 0.5)


def test_what_a_sampler_draws_by_its_own_method_is_not_left_to_chance() -> None:
    """Independent samplers are never said to have had no use for a parameter; others are, after their beginning."""
    told = {}
    for name in ("random", "cma-es"):
        sampler = make_sampler(Search(sampler=name, trials=10), SPACE, 1)  # type: ignore[arg-type]
        assert isinstance(sampler, WatchedSampler)
        study = optuna.create_study(direction="maximize", sampler=sampler)
        choice = optuna.distributions.CategoricalDistribution((False, True))
        for _ in range(3):
            study.tell(study.ask({"switch": choice}), 0.5)
        told[name] = sampler.at_random(2)
    assert told == {"random": [], "cma-es": ["switch"]}


def test_spsa_with_few_long_trials_is_warned_of() -> None:
    long, short = (
        budget(Search(trials=trials, sampler="spsa", pairs=3840 // trials), SPACE) for trials in (60, 240)
    )
    assert "30 steps are few" in long and "search.sampler=auto" in long
    assert "steps" not in short
    assert "steps" not in budget(Search(trials=60), SPACE)
