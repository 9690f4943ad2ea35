"""What a question may say: pairs of a match, by limit."""

import pytest

from tunesmith.experiments.questions.terms import Match


@pytest.mark.parametrize(("timed", "expected"), [(None, 10), (50, 50), (4, 4)])
def test_limits_in_time_may_have_pairs_of_their_own(timed: int | None, expected: int) -> None:
    part = Match(name="m", limits=["nodes:10", "time:0.01"], pairs=10, timed_pairs=timed)
    assert part.pairs_at("nodes:10") == part.pairs_at("depth:2") == range(10)
    assert part.pairs_at("time:0.01") == part.pairs_at("game-time:1") == range(expected)
