"""What the controller spends is measured on its own path, with answers that are made up."""

import os
from pathlib import Path

import pytest

from tests.support.small_matches import matchup
from tunesmith.experiments.cluster.intake import Load, answer, cpu_seconds, measure, openings
from tunesmith.tuning.play.matchup import Batch, Pair
from tunesmith.tuning.play.records import to_table
from tunesmith.tuning.play.selfplay import settings

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")


def test_made_up_games_are_told_as_real_ones() -> None:
    pairs = tuple(Pair(number, opening.moves) for number, opening in enumerate(openings(5)))
    found = answer(0.001, "", matchup(), Batch(pairs, 0.0))
    assert found.seconds == pytest.approx(0.005)
    assert [(row.pair, row.game) for row in found.games] == [(n, game) for n in range(5) for game in (0, 1)]
    texts = {number: opening.text for number, opening in enumerate(openings(5))}
    players = {number: ("a", "b") for number in range(5)}
    assert to_table(found.games, texts, players, settings(matchup())).num_rows == 10


def test_openings_differ() -> None:
    assert len({opening.text for opening in openings(1000)}) == 1000


def test_the_time_of_a_process_grows() -> None:
    before = cpu_seconds(os.getpid())
    while cpu_seconds(os.getpid()) < before + 0.02:
        pass


@pytest.mark.slow  # a scheduler and workers take their time to start
def test_a_load_is_taken_in_whole_and_counted() -> None:
    found = measure(Load(2, 0.01, 20, 0.001), processes=1)
    assert found.pairs == 20 and 1 <= found.batches <= 20
    assert found.seconds >= 20 * 0.01 / 2
    assert 0 < found.share <= 1
    assert found.controller_cpu > 0 and found.bytes_sent > 1000 and found.bytes_received > 1000
    assert found.content()["games_per_second"] == pytest.approx(40 / found.seconds)
