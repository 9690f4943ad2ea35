"""Limits of a search as texts: what they mean, how they print, which are refused."""

import pytest

from tunesmith.engine.limits import MAX_DEPTH, Limit, parse_limit
from tunesmith.games.errors import InputError


@pytest.mark.parametrize("text", ["depth:6", "nodes:5000", "simulations:800", "time:0.1", "game-time:60"])
def test_a_limit_prints_as_it_was_written(text: str) -> None:
    assert str(parse_limit(text)) == text


def test_one_thing_is_limited_and_the_rest_is_free() -> None:
    assert parse_limit("nodes:50").nodes == 50 and parse_limit("nodes:50").depth == MAX_DEPTH
    assert parse_limit("depth:3").depth == 3 and parse_limit("depth:3").nodes > 10**15
    assert parse_limit("simulations:7").simulations == 7 and parse_limit("depth:3").simulations > 10**15
    assert (parse_limit("time:0.5").seconds, parse_limit("time:0.5").game_seconds) == (0.5, 0.0)
    assert (parse_limit("game-time:9").seconds, parse_limit("game-time:9").game_seconds) == (0.0, 9.0)


def test_only_time_depends_on_the_machine() -> None:
    timed = {kind for kind in ("depth", "nodes", "simulations", "time", "game-time")
             if not Limit(kind, 5).is_deterministic}  # fmt: skip
    assert timed == {"time", "game-time"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "6",
        "depth",
        "depth:0",
        "depth:1.5",
        "nodes:-3",
        "nodes:inf",
        "nodes:nan",
        "time:0",
        "hours:2",
        "depth:201",
    ],
)
def test_what_is_no_limit_is_refused_with_the_forms_there_are(text: str) -> None:
    with pytest.raises(InputError, match=r"expected depth:N \(1 to 200\), nodes:N") as caught:
        parse_limit(text)
    assert str(caught.value).endswith(repr(text))
