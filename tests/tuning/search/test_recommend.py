"""What all trials together recommend: never the luckiest, and with an interval that counts all luck."""

import numpy as np
import pytest

from tests.support.made_up import space
from tunesmith.experiments.proofs._made_up_search import Luck, MadeUpSearch, point_space
from tunesmith.experiments.proofs.search_intervals import Cell, measure
from tunesmith.tuning.search.recommend import Encoder, Seen, _middle, landscape, recommend
from tunesmith.tuning.search.samplers.quadratic import fit_local


def seen(setting: dict, score: float, pairs: int, first: int = 0, correlation: float = 0.17) -> Seen:
    """A setting that played some pairs on openings from number `first` on."""
    openings = np.arange(first, first + pairs)
    classes = Luck(correlation).classes(str(setting).encode(), score, openings, 3)
    return Seen(setting, tuple(np.bincount(classes, minlength=5).tolist()), openings, classes / 4)


def test_the_luckiest_of_equals_is_not_believed():
    """Twenty equal settings: the best observed looks good, the recommended one is estimated near nothing."""
    search = MadeUpSearch(lambda x: 0.5, (0.0,), 20, 32, None, start_is_opponent=False)
    found = [recommend(point_space((0.0,)), search.play(seed), seed) for seed in range(10)]
    lucky = np.mean([one.observed_best.elo for one in found])
    assert lucky > 50
    assert abs(np.mean([one.estimate.elo for one in found])) < 0.2 * lucky


def test_a_recommendation_names_values_at_the_end_of_a_range():
    """FIELD E10."""
    rising = [seen({"aspiration": a}, 0.3 + a / 500, 400, 400 * a) for a in range(0, 201, 20)]
    assert recommend(space(), rising, 1).at_bound == ["aspiration"]


@pytest.mark.parametrize("problem", ["equal", "LOG"])
def test_intervals_hold_the_truth_and_nothing_is_called_better_falsely(problem):
    """A few searches; all of them are in `experiments.proofs.search_intervals`."""
    found = measure(Cell(problem, 0.35), 20, trials=30)
    assert sum(found.held) >= 17
    assert sum(found.false) <= 2


def test_of_several_parameters_the_middle_of_a_smooth_hill_is_recommended():
    """Noise roughens the process's own top; the weighted mean of hundreds of short trials lies nearer."""
    hill = np.array([0.3, -0.2])
    search = MadeUpSearch(
        lambda x: 0.62 - 0.2 * float(np.sum((x - hill) ** 2)), (0.0, 0.0), 150, 10, "clop", Luck(0.17)
    )
    found = [recommend(point_space((0.0, 0.0)), search.play(seed), seed).setting for seed in range(4)]
    off = [np.hypot(one["x0"] - hill[0], one["x1"] - hill[1]) for one in found]
    assert np.mean(off) < 0.17


@pytest.mark.parametrize(("n", "share"), [(1, 1 / 3), (2, 2 / 3)])
def test_the_middle_lies_between_where_the_best_may_be_and_where_settings_lived_longest(n, share):
    """Recomputed for a smooth hill; and neither of the two alone is recommended, nor the process's best place."""
    start = (0.0,) * n
    parameters = point_space(start)
    search = MadeUpSearch(
        lambda x: 0.62 - 0.2 * float(np.sum((x - 0.3) ** 2)), start, 60, 20, "clop", Luck(0.17)
    )
    trials = search.play(3)
    encoder = Encoder(parameters.parameters)
    hill = landscape(encoder, trials)
    candidates = np.random.default_rng(1).uniform(-1, 1, (400, n))
    found = _middle(parameters, encoder, hill, trials, candidates, np.random.default_rng(2))
    if n == 1:
        places = np.linspace(-1, 1, 201)[:, None]
        tops = np.sort(places[hill.summits(places, np.random.default_rng(2)), 0])[32:-32, None]
    else:
        best = candidates[np.argsort(-hill.expected(candidates))[:150]]
        tops = best[hill.summits(best, np.random.default_rng(2))]
    fit = fit_local(
        encoder.points([one.setting for one in trials]), np.array([results(one.counts) for one in trials])
    )
    lived = (
        fit.weights @ encoder.points([one.setting for one in trials]) / fit.weights.sum()
    )  # all played as many
    share *= hill.smooth if n == 1 else 1
    expected = share * lived + (1 - share) * tops.mean(axis=0)
    assert [found[f"x{at}"] for at in range(n)] == pytest.approx(expected, abs=1e-6)
    assert np.abs(lived - tops.mean(axis=0)).max() > 0.01


def results(counts: tuple[int, ...]) -> list[int]:
    """Games won, drawn and lost in pairs that lost both, lost and drew, ...; an even pair is a win and a loss."""
    ll, ld, even, wd, ww = counts
    return [2 * ww + wd + even, ld + wd, 2 * ll + ld + even]


@pytest.mark.parametrize("n", [1, 3])
def test_few_trials_have_no_middle(n):
    start = (0.0,) * n
    parameters = point_space(start)
    trials = MadeUpSearch(lambda x: 0.6 - 0.2 * float(x[0] ** 2), start, 6, 20, None).play(1)
    encoder = Encoder(parameters.parameters)
    points = encoder.points([one.setting for one in trials])
    hill = landscape(encoder, trials)
    assert _middle(parameters, encoder, hill, trials, points, np.random.default_rng(2)) is None


def test_a_cliff_is_not_taken_for_the_slope_of_a_hill():
    """Where settings beyond an edge lose everything the weighted mean lies far from it, and is contradicted."""

    def score(x: np.ndarray) -> float:
        return 0.5 + 0.35 * float(x[0]) if x[0] <= 0.6 else 0.2

    plays = [
        seen({"x0": x, "x1": y}, score(np.array([x])), 100, int(1e4 * (x + 2) + 1e6 * (y + 2)))
        for x in np.linspace(-1, 1, 21)
        for y in (-0.5, 0.5)
    ]
    found = recommend(point_space((0.0, 0.0)), plays, 1)
    assert 0.45 <= found.setting["x0"] <= 0.62


def test_a_setting_whose_gain_may_be_all_luck_is_recommended_and_not_called_better():
    """The start is no better a guess than what the games speak for, however little they say."""
    search = MadeUpSearch(lambda x: 0.5 + 0.02 * float(x[0]), (0.0,), 30, 10, None)
    found = recommend(point_space((0.0,)), search.play(4), 4)
    assert found.setting["x0"] > 0.05
    assert found.gain.score < 0
    assert found.gain.better < 0.5


def test_luck_that_all_settings_share_makes_the_interval_wider():
    """The same scores on the same openings, and on openings of their own: two settings of the same strength."""
    own = [seen({"aspiration": a}, 0.6, 64, 64 * a, correlation=0.9) for a in range(0, 201, 10)]
    same = [seen({"aspiration": a}, 0.6, 64, 0, correlation=0.9) for a in range(0, 201, 10)]
    apart, together = (recommend(space(), trials, 1).estimate.error for trials in (own, same))
    assert together > 2 * apart


def test_a_start_that_is_the_opponent_has_its_score_for_sure():
    search = MadeUpSearch(lambda x: 0.5 + 0.3 * float(x[0]), (0.0,), 12, 64, None)
    found = recommend(point_space((0.0,)), search.play(1), 1)
    assert found.start.estimate.score == pytest.approx(0.5, abs=0.005)
    assert found.gain.error == pytest.approx(found.estimate.error, rel=0.1)


def test_the_gain_counts_the_noise_of_a_start_that_plays():
    both = [
        MadeUpSearch(lambda x: 0.5 + 0.3 * float(x[0]), (0.0,), 12, 64, None, start_is_opponent=known)
        for known in (True, False)
    ]
    known, played = (
        recommend(point_space((0.0,)), search.play(1), 1).start.estimate.error for search in both
    )
    assert played > 5 * known
