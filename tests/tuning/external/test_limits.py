"""What ends the search of a move."""

import pytest

from tunesmith.games.errors import InputError
from tunesmith.tuning.external.limits import GoLimit, parse_go


@pytest.mark.parametrize("text", ["nodes", "nodes:0", "plies:3", "depth:x", "nodes:1.5", "", "time:nan"])
def test_a_limit_that_makes_no_sense_is_refused(text):
    with pytest.raises(InputError, match="limit: expected"):
        parse_go(text)


def test_limits_are_read():
    assert parse_go("time:0.05") == parse_go("movetime:50") == GoLimit("movetime", 50)
    assert str(parse_go("depth:5")) == "depth:5"


def test_clocks_are_read_with_their_increment():
    for text in ("tc:8+0.08", "tc=8+0.08"):
        limit = parse_go(text)
        assert (limit.value, limit.increment, str(limit)) == (8000, 80, "tc:8+0.08")
        assert limit.is_clock and limit.is_timed and not limit.seconds
    assert str(parse_go("tc:60")) == "tc:60" and not parse_go("nodes:5").is_timed
    for wrong in ("tc:", "tc:0", "tc:8+", "tc:8+x", "tc:-1+1", "tc"):
        with pytest.raises(InputError, match="tc:SECONDS"):
            parse_go(wrong)
