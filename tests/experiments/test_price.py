"""What it costs to prove a gain: follows the scatter of pairs, and what is written is what was recorded."""

import pytest

from tunesmith.experiments import price
from tunesmith.experiments.questions.ask import RESULTS
from tunesmith.tuning.files import read_json
from tunesmith.tuning.stats.elo import estimate

DECIDED = [250, 0, 500, 0, 250]  # no draws, and no side wins by the opening: as two independent games
DRAWN = [0, 50, 900, 50, 0]


def test_where_nothing_is_drawn_an_elo_is_a_normalised_one() -> None:
    assert price.normalised(5.0, DECIDED) == pytest.approx(5.0, rel=1e-3)
    for counts in (DECIDED, [10, 30, 60, 40, 15]):
        found = estimate(counts)
        assert price.normalised(found.elo, counts) == pytest.approx(found.nelo)


def test_half_the_gain_takes_four_times_the_games_and_less_scatter_fewer() -> None:
    assert price.price(5.0, DECIDED).expected == pytest.approx(
        25_591, rel=1e-3
    )  # tunesmith stats length --bounds 0 5
    for name in ("expected", "fixed"):
        ratio = getattr(price.price(5.0, DECIDED), name) / getattr(price.price(10.0, DECIDED), name)
        assert ratio == pytest.approx(4, rel=0.01)
    assert price.price(5.0, DRAWN).expected < price.price(5.0, DECIDED).expected / 10


def test_more_pairs_tell_the_price_more_closely() -> None:
    assert price.uncertainty(DRAWN) == pytest.approx(2 * price.uncertainty([4 * n for n in DRAWN]))


def test_the_page_has_every_game() -> None:
    found = price.page({path.stem: read_json(path) for path in RESULTS.glob("*.json")})
    assert all(found.count(f"| {game} |") == len(price.GAINS) + 1 for game in price.MATCHES)
