"""SPSA as published: its steps, its gains, what it refuses."""

import numpy as np
import optuna
import pytest
from optuna.distributions import FloatDistribution, IntDistribution

from tunesmith.tuning.search.samplers import SPSASampler


@pytest.fixture(autouse=True)
def _quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)


def test_spsa_gains_end_where_they_were_asked_to():
    """fishtest's schedule: at k = N the perturbation is c_end and the gain r_end; before, both are larger."""
    sampler = SPSASampler(2000, c_end=0.3, r_end=0.02)
    assert sampler.gains(1000) == pytest.approx((0.3, 0.02))
    c, r = sampler.gains(10)
    assert c == pytest.approx(0.3 * (1000 / 10) ** 0.101)
    assert r == pytest.approx(0.02 * 0.3**2 * ((100 + 1000) / (100 + 10)) ** 0.602 / c**2)


def test_spsa_sides_never_play_the_same_integers():
    """The smallest perturbation is half a step to either side, with the same luck (FIELD E8)."""
    sampler = SPSASampler(10_000, c_end=0.001, seed=4)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    space = {"n": IntDistribution(0, 10), "m": IntDistribution(1, 200, log=True)}
    study.tell(study.ask(space), 0.5)  # alone: the joint space is known from the second trial on
    for _ in range(30):
        sides = [study.ask(space), study.ask(space)]
        assert abs(sides[0].params["n"] - sides[1].params["n"]) == 1
        for side in sides:
            study.tell(side, 0.5)


def test_spsa_moves_towards_the_side_that_wins_and_by_its_formula():
    sampler = SPSASampler(2000, games_per_trial=20, c_end=0.2, r_end=0.01, seed=1)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    space = {"x": FloatDistribution(-1, 1)}
    study.tell(study.ask(space), 0.5)
    plus, minus = study.ask(space), study.ask(space)
    study.tell(plus, 0.75)
    study.tell(minus, 0.5)
    third, fourth = study.ask(space), study.ask(space)
    c, r = sampler.gains(1)
    sign = np.sign(plus.params["x"] - minus.params["x"])
    moved = (third.params["x"] + fourth.params["x"]) / 2
    assert moved == pytest.approx(sign * r * c * 10, rel=1e-6)  # 10 more wins less losses of 20 games


def test_spsa_never_steps_further_than_it_looked():
    """A trial of many games may be lucky in all of them."""
    sampler = SPSASampler(800, games_per_trial=200, c_end=0.2, seed=1)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    space = {"x": FloatDistribution(-1, 1)}
    study.tell(study.ask(space), 0.5)
    plus, minus = study.ask(space), study.ask(space)
    study.tell(plus, 1.0)
    study.tell(minus, 0.0)
    third, fourth = study.ask(space), study.ask(space)
    moved = (third.params["x"] + fourth.params["x"]) / 2
    assert moved == pytest.approx(plus.params["x"])


def test_spsa_starts_where_it_is_told_to():
    sampler = SPSASampler(1000, c_end=0.1, start={"x": 7.0}, seed=1)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    space = {"x": FloatDistribution(0, 10)}
    study.tell(study.ask(space), 0.5)
    sides = [study.ask(space).params["x"], study.ask(space).params["x"]]
    assert np.mean(sides) == pytest.approx(7.0)


def test_spsa_looks_as_far_as_published():
    """spsa_simul: a sixth of the range 0 to 200 is 33.333 to either side."""
    sampler = SPSASampler(2, c_end=1 / 3, r_end=0.003111, seed=1)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    space = {name: FloatDistribution(0, 200) for name in "abcd"}
    study.tell(study.ask(space), 0.5)
    sides = [study.ask(space).params for _ in range(2)]
    for name in space:
        assert sorted(side[name] for side in sides) == pytest.approx([100 - 33.333, 100 + 33.333], abs=5e-4)


@pytest.mark.parametrize(
    "wrong", [{"games": 0}, {"games": 1}, {"games": 100, "c_end": 0}, {"games": 100, "games_per_trial": 0}]
)
def test_spsa_refuses_what_makes_no_sense(wrong):
    with pytest.raises(ValueError, match="expected"):
        SPSASampler(**wrong)
