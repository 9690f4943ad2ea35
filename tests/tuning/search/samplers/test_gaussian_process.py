"""The smoother finds what noise hides, and knows how much it does not know."""

import numpy as np
import pytest

from tunesmith.tuning.search.samplers.gaussian_process import (
    Belief,
    Shape,
    _Data,
    _shape,
    believe,
    fit_landscape,
    matern,
)


def hill(x):
    return 0.5 + 0.2 * np.exp(-((x[:, 0] - 0.3) ** 2) / 0.3)


def test_matern_is_the_formula():
    a, b = np.array([[0.0, 0.0]]), np.array([[0.3, -0.4]])
    d = 5**0.5 * ((0.3 / 0.5) ** 2 + (0.4 / 2.0) ** 2) ** 0.5
    assert matern(a, b, np.array([0.5, 2.0])) == pytest.approx((1 + d + d * d / 3) * np.exp(-d))


@pytest.mark.parametrize("has_edges", [False, True])
def test_the_slope_of_a_shapes_cost_is_that_of_its_values(has_edges):
    rng = np.random.default_rng(2)
    x, noise = rng.uniform(-1, 1, (40, 2)), np.full(40, 0.05)
    data = _Data(x, hill(x) + rng.normal(size=40) * noise, noise)
    sizes = np.log([0.5, 1.3, 0.15])
    cost, slope = data.cost_and_slope(_shape(sizes, has_edges))
    assert cost == pytest.approx(data.cost(_shape(sizes, has_edges)))
    both = [(sizes + step, sizes - step) for step in 1e-5 * np.eye(3)]
    told = [
        (data.cost(_shape(up, has_edges)) - data.cost(_shape(down, has_edges))) / 2e-5 for up, down in both
    ]
    assert slope == pytest.approx(told, rel=1e-3)


def test_where_an_edge_is_found_the_best_place_is_at_it():
    """A cliff to the left of the best place, a slow fall to its right: smooth landscapes round it off."""
    x = np.linspace(-1, 1, 80)[:, None]
    score = np.where(x[:, 0] < -0.3, 0.2, 0.6 - 0.2 * (x[:, 0] + 0.3))
    found = believe(x, score + 0.02 * np.random.default_rng(4).normal(size=80), np.full(80, 0.02))
    assert found.chances[[one.shape.has_edges for one in found.landscapes]].sum() > 0.9
    tops = x[found.summits(x, np.random.default_rng(5)), 0]
    assert -0.32 < np.median(tops) < -0.15
    assert found.smooth < 0.1


def test_how_smooth_a_landscape_is_does_not_count_that_it_may_be_flat():
    """Two smooth hills of .1 and .2, one with edges of .1, none at all .6: smooth with .3 of .4."""
    x = np.linspace(-1, 1, 5)[:, None]
    shapes = [(0.0, False), (0.1, False), (0.2, False), (0.1, True)]
    data = _Data(x, np.full(5, 0.5), np.full(5, 0.1))
    hills = tuple(data.landscape(Shape(np.ones(1), height, edges)) for height, edges in shapes)
    assert Belief(hills, np.array([0.6, 0.1, 0.2, 0.1]), np.eye(5)).smooth == pytest.approx(0.75)


def test_a_hill_that_is_hardly_believed_is_still_looked_at_for_its_best_place():
    """Nine in ten that it is noise alone: the best place is that of the hill there would be."""
    x = np.linspace(-1, 1, 60)[:, None]
    score = 0.5 + 0.02 * np.exp(-((x[:, 0] - 0.4) ** 2) / 0.2)
    found = believe(x, score, np.full(60, 0.04))
    assert found.chances[[one.shape.height == 0 for one in found.landscapes]].sum() > 0.9
    assert x[np.argmax(found.expected(x)), 0] == pytest.approx(0.4, abs=0.2)
    assert np.median(x[found.summits(x, np.random.default_rng(6)), 0]) == pytest.approx(0.4, abs=0.3)


def test_many_settings_are_pooled_with_their_neighbours_and_lose_no_game():
    """Means weigh settings by what is known of them, and noise falls as it does for as many games at one place."""
    x = np.linspace(-1, 1, 64)[:, None]
    data = _Data(x, hill(x), np.full(64, 0.08))
    pooled = data.pooled(16)
    assert len(pooled.x) == 16 and data.pooled(64) is data
    assert np.diff(np.sort(pooled.x[:, 0])) == pytest.approx(8 / 63)
    assert pooled.noise == pytest.approx(np.eye(16) * 0.08**2 / 4)
    assert pooled.y + pooled.mean == pytest.approx(hill(pooled.x), abs=0.01)


def test_smoothing_is_nearer_the_truth_than_the_trials():
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, (60, 1))
    noise = np.full(60, 0.06)
    score = hill(x) + rng.normal(size=60) * noise
    fitted = fit_landscape(x, score, noise)
    smooth, error = fitted.score(x)
    assert np.abs(smooth - hill(x)).mean() < 0.5 * np.abs(score - hill(x)).mean()
    assert np.mean(np.abs(smooth - hill(x)) < 2 * error) > 0.8


def test_far_from_trials_the_errors_are_wide():
    x = np.linspace(-1, 0, 20)[:, None]
    fitted = fit_landscape(x, hill(x), np.full(20, 0.02))
    errors = fitted.score(np.array([[-0.5], [1.0]]))[1]
    assert errors[1] > 3 * errors[0]


def test_the_difference_of_two_settings_has_their_joint_error():
    """Neighbours are known to be alike better than either is known."""
    rng = np.random.default_rng(3)
    x = rng.uniform(-1, 1, (30, 1))
    fitted = fit_landscape(x, hill(x) + 0.1 * rng.normal(size=30), np.full(30, 0.1))
    near = fitted.difference(np.array([0.2]), np.array([0.25]))[1]
    far = fitted.difference(np.array([-0.9]), np.array([0.9]))[1]
    assert near < 0.3 * far
    gain, error = fitted.difference(np.array([0.3]), np.array([0.3]))
    assert gain == pytest.approx(0)
    assert error == pytest.approx(0, abs=1e-6)


def test_results_that_differ_by_noise_alone_give_a_flat_landscape():
    rng = np.random.default_rng(5)
    x = rng.uniform(-1, 1, (40, 2))
    fitted = fit_landscape(x, 0.5 + 0.05 * rng.normal(size=40), np.full(40, 0.05))
    spread = np.ptp(fitted.score(rng.uniform(-1, 1, (200, 2)))[0])
    assert spread < 0.08


def test_more_settings_than_decide_the_lengths():
    rng = np.random.default_rng(7)
    x = rng.uniform(-1, 1, (450, 1))
    fitted = fit_landscape(x, hill(x) + 0.05 * rng.normal(size=450), np.full(450, 0.05))
    assert np.abs(fitted.score(x)[0] - hill(x)).max() < 0.05


def test_of_equals_the_best_is_lucky_by_what_noise_alone_makes_of_it():
    """The wider the choice, the more luck; none where one is far ahead."""
    rng = np.random.default_rng(8)
    x = np.linspace(-1, 1, 40)[:, None]
    noise = np.full(40, 0.03)
    lucky = []
    for _ in range(20):
        belief = believe(x, 0.5 + noise * rng.normal(size=40), noise)
        scores = belief.score(x)[0]
        lucky.append(scores.max() - 0.5 - belief.optimism(x, int(scores.argmax()), rng)[0])
    assert abs(np.mean(lucky)) < 0.004
    steep = believe(x, 0.5 + 0.4 * x[:, 0] + noise * rng.normal(size=40), noise)
    assert steep.optimism(x, 39, rng)[0] < 0.01


def test_luck_that_nobody_knows_exactly_widens_the_error_of_a_gain():
    rng = np.random.default_rng(12)
    x, noise = np.linspace(-1, 1, 40)[:, None], np.full(40, 0.03)
    belief = believe(x, hill(x) + noise * rng.normal(size=40), noise)
    mean, unsure = belief.optimism(x, 26, rng)
    assert 0 < unsure < 0.03
    ends = np.array([0.3]), np.array([-1.0])
    gain, error, better = belief.difference(*ends, mean, unsure)
    known = belief.difference(*ends, mean)
    assert gain == pytest.approx(known[0]) and better <= known[2]
    assert error == pytest.approx(np.hypot(known[1], unsure))


def test_nothing_is_believed_where_there_is_noise_alone():
    rng = np.random.default_rng(9)
    x, noise = rng.uniform(-1, 1, (50, 2)), np.full(50, 0.03)
    flat = believe(x, 0.5 + noise * rng.normal(size=50), noise)
    hilly = believe(x, hill(x) + noise * rng.normal(size=50), noise)
    assert flat.chances[[one.shape.height == 0 for one in flat.landscapes]].sum() > 0.5
    assert all(one.shape.height > 0 for one in hilly.landscapes)
    assert hilly.difference(np.array([0.3, 0.0]), np.array([-1.0, 0.0]))[2] > 0.99
