"""The samplers as Optuna's own contract asks for, and as fishtest's and CLOP's descriptions say."""

import ast
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler
from optuna.testing.pytest_samplers import BasicSamplerTestCase, RelativeSamplerTestCase
from optuna.trial import TrialState

from tunesmith.experiments.clop_problems import PROBLEMS, Problem, problem
from tunesmith.tuning.search.samplers import WDL, CLOPSampler, SPSASampler
from tunesmith.tuning.search.samplers.box import axis
from tunesmith.tuning.search.samplers.quadratic import draw_width, fit_local

FOLDER = Path(__file__).parents[3] / "tuning" / "search" / "samplers"

MAKERS: dict[str, Callable[[int], Any]] = {
    "spsa": lambda seed: SPSASampler(1000, games_per_trial=10, seed=seed),
    "clop": lambda seed: CLOPSampler(games_per_trial=10, seed=seed),
}


@pytest.fixture(autouse=True)
def _quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)


# --- Optuna's public sampler tests, where they apply


class _Ours:
    @pytest.fixture(params=sorted(MAKERS))
    def sampler(self, request) -> Callable[[], BaseSampler]:
        return lambda: MAKERS[request.param](0)


class TestOptunaBasic(_Ours, BasicSamplerTestCase):
    """Every distribution, conditional and dynamic spaces, values that are no number."""


class TestOptunaRelative(_Ours, RelativeSamplerTestCase):
    """Joint sampling; choices are left to independent sampling, so the two tests of them do not apply."""

    test_sample_relative_categorical = None  # type: ignore[assignment]
    test_sample_relative_mixed = None  # type: ignore[assignment]


def test_samplers_stand_alone():
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            for name in names:
                top = name.partition(".")[0]
                assert top in {"numpy", "scipy", "optuna"} | sys.stdlib_module_names, f"{path.name}: {name}"


# --- on a study


def tune(sampler: Any, hill: Problem, games: int, per_trial: int, seed: int) -> tuple[Any, optuna.Study]:
    rng = np.random.default_rng([seed, 99])
    study = optuna.create_study(direction="maximize", sampler=sampler)
    space = {f"x{j}": FloatDistribution(-1, 1) for j in range(hill.n)}
    for _ in range(games // per_trial):
        trial = study.ask(space)
        x = [trial.params[name] for name in space]
        study.tell(trial, rng.binomial(per_trial, hill.win_rate(x)) / per_trial)
    return sampler.recommend(study), study


def regret(hill: Problem, params: dict[str, float]) -> float:
    return float(hill.regret([params[f"x{j}"] for j in range(hill.n)]))


@pytest.mark.parametrize(
    ("name", "hill"),
    [(m, h) for m in sorted(MAKERS) for h in (problem("LOG", 1), problem("LOG", 2))],
    ids=lambda value: value if isinstance(value, str) else value.name.replace(" ", ""),
)
def test_a_thousand_games_find_most_of_a_smooth_hill(name, hill):
    """The middle of the box loses ten times as much."""
    losses = [regret(hill, tune(MAKERS[name](seed), hill, 1000, 10, seed)[0]) for seed in range(4)]
    assert np.mean(losses) < 0.04
    assert hill.regret([0.0] * hill.n) > 0.09


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


# --- SPSA


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


# --- the local model


def test_bad_settings_lose_their_weight_and_good_ones_keep_it():
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, (300, 1))
    wins = rng.binomial(50, problem("LOG", 1).win_rate(x))
    local = fit_local(x, np.column_stack([wins, 0 * wins, 50 - wins]).astype(float))
    good, bad = local.weight(np.array([[-0.5], [0.9]]))
    assert good > 0.5
    assert bad < 0.01
    score, error = local.score(np.array([[-0.5]]))
    assert abs(score[0] - 0.619) < 4 * error[0] + 0.02


def test_where_a_quadratic_is_wrong_the_smoother_is_believed():
    """On a plateau between two cliffs the weighted mean lies off; what all settings show is plain enough."""
    hill = problem("STEP", 1)
    x = np.linspace(-1, 1, 81)[:, None]
    wins = np.rint(500 * hill.win_rate(x))
    study = optuna.create_study(direction="maximize")
    for at, won in zip(x[:, 0], wins, strict=True):
        study.add_trial(
            optuna.create_trial(
                params={"x0": float(at)},
                distributions={"x0": FloatDistribution(-1, 1)},
                value=won / 500,
                user_attrs={WDL: [int(won), 0, int(500 - won)]},
            )
        )
    assert regret(hill, CLOPSampler().recommend(study)) < 0.02


def test_one_setting_in_ten_is_drawn_from_the_whole_box():
    """Otherwise what a quadratic has once taken for bad is never seen again."""
    sampler, study = CLOPSampler(games_per_trial=50, seed=1), optuna.create_study(direction="maximize")
    study.sampler = sampler
    hill, rng = problem("LOG", 1), np.random.default_rng(1)
    for _ in range(300):
        trial = study.ask({"x0": FloatDistribution(-1, 1)})
        study.tell(trial, rng.binomial(50, float(hill.win_rate([trial.params["x0"]]))) / 50)
    late = [trial.params["x0"] for trial in study.trials[150:]]
    assert 2 <= sum(at > 0.3 for at in late) <= 25  # 35 % of the box, where no good setting lies


def test_with_few_games_every_setting_lives():
    x = np.linspace(-1, 1, 8)[:, None]
    wdl = np.array([[1.0, 0.0, 1.0]] * 4 + [[1.0, 0.0, 0.0]] * 4)
    assert fit_local(x, wdl).weights.min() > 0.3


def test_draws_narrow_the_errors_as_a_third_result_does():
    """Draws are neither wins nor losses: the score stays, its error is that of results with draws."""
    x = np.zeros((50, 1))
    with_draws = np.array([[3.0, 4.0, 3.0]] * 50)
    without = np.array([[5.0, 0.0, 5.0]] * 50)
    scores = [fit_local(x, wdl).score(np.zeros((1, 1))) for wdl in (with_draws, without)]
    assert scores[0][0] == pytest.approx(0.5)
    assert scores[1][0] == pytest.approx(0.5)
    assert scores[0][1] / scores[1][1] == pytest.approx(0.6**0.5, rel=0.02)  # variance per game .15 and .25


def test_draw_width_is_that_of_the_shares():
    """BayesElo: P(win) = s(q - delta), P(loss) = s(-q - delta)."""
    delta = 0.7
    win, loss = (1 / (1 + np.exp(delta - q)) for q in (0.3, -0.3))
    assert draw_width(1e6 * np.array([win, 1 - win - loss, loss])) == pytest.approx(delta, abs=1e-4)


@pytest.mark.parametrize(
    "distribution",
    [
        IntDistribution(-3, 9, step=3),
        IntDistribution(1, 64, log=True),
        FloatDistribution(0.1, 0.9, step=0.2),
        FloatDistribution(0.01, 10, log=True),
    ],
    ids=str,
)
def test_places_and_values_agree(distribution):
    one = axis(distribution)
    for unit in np.linspace(-1, 1, 23):
        value = one.value(float(unit))
        assert distribution._contains(distribution.to_internal_repr(value))
        assert one.value(one.unit(value)) == pytest.approx(value)


def test_rounding_by_chance_is_right_on_average():
    one = axis(IntDistribution(0, 10))
    unit = one.unit(3) + 0.3 * (one.unit(4) - one.unit(3))
    values = [one.value(unit, chance) for chance in np.linspace(0, 1, 1001)]
    assert set(values) == {3, 4}
    assert np.mean(values) == pytest.approx(3.3, abs=0.01)


# --- the problems


@pytest.mark.parametrize(
    ("name", "n", "best", "mean"),
    [
        ("LOG", 1, 0.61923, 0.367),
        ("FLAT", 1, 0.54983, 0.521),
        ("POWER", 1, 0.52910, 0.505),
        ("ANGLE", 1, 0.73106, 0.332),
        ("STEP", 1, 0.73106, 0.485),
        ("ROSENBROCK", 2, 0.73106, 0.206),
        ("CORRELATED", 2, 0.84142, 0.478),
    ],
)
def test_problems_are_those_of_the_source(name, n, best, mean):
    """Best and mean win rate, checked on a fine grid when the definitions were written down."""
    hill = problem(name, n)
    line = np.linspace(-1, 1, 100_001) if n == 1 else np.linspace(-1, 1, 1001)
    grid = np.stack(np.meshgrid(*[line] * n, indexing="ij"), axis=-1)
    rates = hill.win_rate(grid)
    assert hill.best_rate == pytest.approx(best, abs=1e-5)
    assert rates.max() <= hill.best_rate + 1e-9
    assert rates.mean() == pytest.approx(mean, abs=1.5e-3)


def test_no_setting_has_negative_regret():
    rng = np.random.default_rng(0)
    for hill in PROBLEMS:
        assert hill.regret(rng.uniform(-1, 1, (2000, hill.n))).min() >= -1e-12
        assert hill.regret(hill.best) == 0


def test_unknown_problems_are_named():
    with pytest.raises(ValueError, match="ROSENBROCK"):
        problem("ROSENBROCK", 3)
