"""What is written into a search's memory before it begins, and how it ends."""

import time

import pytest

from tests.support.toys import piles
from tunesmith.engine.board import Board
from tunesmith.engine.limits import Limit
from tunesmith.engine.player import Player
from tunesmith.engine.searcher import (
    DEPTH_LIMIT,
    GAME_SECONDS,
    MOVES_TO_GO,
    NODE_LIMIT,
    SECONDS,
    SECONDS_LEFT,
)
from tunesmith.engine.weights import from_array
from tunesmith.tuning.external.thinking import Mind, Thought
from tunesmith.tuning.play.ugi_lines import LEARNED, LEAST, OF_INCREMENT, Go

GAME = piles()


@pytest.fixture
def mind() -> Mind:
    player = Player(GAME, from_array(GAME, [[1.0, 2.0, -3.0], [0.5, 0.0, 4.0]]), Limit("nodes", 1), hash_mb=1)
    player.spare_compiling()
    return Mind(player)


def numbers(mind: Mind, *fields: int) -> list[float]:
    return [round(float(mind.player.searcher.memory["numbers"][0, field]), 6) for field in fields]


def share(mind: Mind, go: Go, late: float) -> float:
    """Return the seconds that a move is meant to take."""
    mind.limit(go, late)
    return numbers(mind, SECONDS_LEFT)[0] / float(mind.player.searcher.memory["to_go"][0, 0, 0])


def test_a_clock_is_shared_out_and_an_increment_makes_the_share_larger(mind: Mind):
    alone = share(mind, Go(left=10.0), 0.5)
    assert 9.0 / MOVES_TO_GO < alone < 9.5 / MOVES_TO_GO  # a part of the clock is kept
    assert numbers(mind, GAME_SECONDS, SECONDS) == [numbers(mind, SECONDS_LEFT)[0], 0.0]
    assert share(mind, Go(left=10.0, increment=0.4), 0.5) == pytest.approx(alone + OF_INCREMENT * 0.4)
    assert share(mind, Go(left=10.0), 0.5) == pytest.approx(alone)  # each time from the rule's own figure


def test_a_new_game_begins_with_another_clock(mind: Mind):
    before = share(mind, Go(left=0.5), 0.0)
    share(mind, Go(left=10.0), 0.0)
    assert share(mind, Go(left=0.5), 0.0) < before  # of ten seconds more is kept
    mind.new_game()
    assert share(mind, Go(left=0.5), 0.0) == pytest.approx(before)


def test_a_clock_that_has_run_out_leaves_a_moment(mind: Mind):
    mind.limit(Go(left=-3.0), 0.01)
    assert numbers(mind, SECONDS_LEFT)[0] == LEAST
    mind.limit(Go(seconds=0.002), 0.01)
    assert numbers(mind, SECONDS, GAME_SECONDS) == [0.001, 0.0]


def test_other_limits_leave_no_clock_behind(mind: Mind):
    mind.limit(Go(left=10.0), 0.0)
    mind.limit(Go(depth=7, nodes=300), 0.0)
    assert numbers(mind, SECONDS, GAME_SECONDS) == [0.0, 0.0]
    counters = mind.player.searcher.memory["counters"][0]
    assert (counters[DEPTH_LIMIT], counters[NODE_LIMIT]) == (7, 300)


def test_a_search_is_stopped_at_any_time_and_then_tells_its_move(mind: Mind):
    heard: list[str] = []
    thought = Thought(mind, Board(GAME), Go(), 0.0, time.perf_counter(), heard.append)
    assert not thought.is_over
    thought.stop()
    assert thought.is_over and [line.split()[0] for line in heard][-2:] == ["info", "bestmove"]


def test_the_move_is_told_last_whatever_is_told_of_the_search(mind: Mind):
    heard: list[str] = []
    for _ in range(20):
        thought = Thought(mind, Board(GAME), Go(nodes=60), 0.0, time.perf_counter(), heard.append)
        thought.wait()
        assert thought.is_over and heard[-1].startswith("bestmove ")


def test_how_late_a_move_is_read_is_learned_from_the_next_clock(mind: Mind):
    heard: list[str] = []
    go = Go(left=10.0, increment=1.0)
    Thought(mind, Board(GAME), go, 0.0, time.perf_counter(), heard.append).wait()
    assert 10.0 < mind.clock.expected <= 11.0
    mind.limit(Go(left=mind.clock.expected - 0.5, increment=1.0), 0.0)
    assert mind.clock.lag == pytest.approx(0.5 * LEARNED)
