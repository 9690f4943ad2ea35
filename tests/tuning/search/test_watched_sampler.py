"""A study's word for a sampler: every word has one, another word is an error, and what it left to chance is told."""

from typing import get_args

import optuna
import pytest
from optuna.distributions import FloatDistribution

from tests.support.made_up import HAND
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import SamplerName, Search
from tunesmith.tuning.search.samplers import SAMPLERS
from tunesmith.tuning.search.space import Parameter, WeightSpace
from tunesmith.tuning.search.watched_sampler import WatchedSampler, make_sampler, sampler_named

SPACE = WeightSpace(HAND, (Parameter("scale", "scale", 1.0, 0.5, 2.0),))


def test_the_words_of_a_study_file_are_the_samplers_that_there_are() -> None:
    """A sampler is added by two lines, and this test fails after the first."""
    assert set(get_args(SamplerName)) == set(SAMPLERS)


def test_another_word_is_an_error_and_no_sampler() -> None:
    with pytest.raises(InputError, match=r"expected one of random, .*, clop, found 'tpee'"):
        sampler_named("tpee")
    with pytest.raises(InputError, match="found 'tpee'"):
        make_sampler(Search().model_copy(update={"sampler": "tpee"}), SPACE, 1)


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
