"""What lines of UGI say."""

import random

import pytest

from tunesmith.games.errors import InputError
from tunesmith.tuning.play.ugi_lines import Clock, Go, read_go, read_position


def asked(text: str, mover: int) -> dict[str, object]:
    return vars(read_go(text, mover))


def test_clocks_are_the_movers():
    text = "p1time 8000 p2time 3000 p1inc 80 p2inc 50"
    assert asked(text, 0) == vars(Go(8.0, 0.08)) and asked(text, 1) == vars(Go(3.0, 0.05))
    assert asked("movetime 250", 0) == vars(Go(seconds=0.25))
    assert asked("infinite", 1) == vars(Go()) == asked("", 0)
    with pytest.raises(InputError):
        read_go("p1time", 0)


def test_a_position_is_a_line_of_the_games_notation_with_moves_behind_it():
    assert read_position("startpos") == ("", []) == read_position("startpos moves")
    assert read_position("fen [[1, 2], [3]] moves a b") == ("[[1, 2], [3]]", ["a", "b"])
    for wrong in ("", "fen", "fen moves a", "startpos a", "moves a"):
        with pytest.raises(InputError):
            read_position(wrong)


def simulated(first: float, increment: float, moves: int, mean_lag: float, seed: int) -> list[float]:
    """Play a game on a made-up clock, on which each move loses time on the way; return what was left at each move."""
    rng, clock, left, found = random.Random(seed), Clock(), first, list[float]()
    for at in range(moves):
        go = Go(left, increment)
        most, ((to_go,),) = clock.shared(go, 0.01, [[max(10.0, 40.0 - at)]])
        used = min(most / to_go * rng.uniform(0.5, 2.5), 0.9 * most)  # as searches take their shares
        clock.moved(go, used)
        left -= used + rng.expovariate(1 / mean_lag)
        found.append(left)
        left += increment
    return found


@pytest.mark.parametrize("mean_lag", [0.0005, 0.004, 0.008])
def test_a_clock_with_a_small_increment_never_runs_out_whatever_the_way_takes(mean_lag: float):
    for seed in range(40):
        left = simulated(1.0, 0.01, 60, mean_lag, seed)
        assert min(left) > 0, (seed, left.index(min(left)))
        assert left[-1] < 0.35  # and it is used


def test_a_clock_without_an_increment_lasts_for_a_game_three_times_as_long_as_expected():
    assert min(simulated(10.0, 0.0, 120, 0.0005, 1)) > 0


def test_a_clock_that_is_not_told_teaches_nothing():
    clock = Clock()
    clock.moved(Go(nodes=5), 0.3)
    clock.shared(Go(left=0.2), 0.0, [[20.0]])
    assert clock.lag == 0.0


def test_the_last_of_a_clock_is_for_games_that_last_longer_than_others():
    parts = []
    for left in (1.6, 1.4):
        clock = Clock()
        clock.shared(Go(left=10.0), 0.0, [[5.0]])
        for _ in range(40):
            clock.moved(Go(), 0.0)
        parts.append(clock.shared(Go(left=left), 0.0, [[5.0]])[1][0][0])
    assert parts == pytest.approx([5.0, 40.0])
