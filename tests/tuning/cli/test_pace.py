"""The speed of games: from the first that come in, and anew for a run that begins anew."""

import pytest

from tunesmith.tuning.cli import pace
from tunesmith.tuning.cli.pace import Pace, duration


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands where it is put."""
    now = [1000.0]
    monkeypatch.setattr(pace.time, "monotonic", lambda: now[0])
    return now


def test_two_minutes_of_compilation_are_in_no_speed(clock: list[float]) -> None:
    look = Pace()
    assert look(0) is None
    clock[0] += 120
    assert look(1) is None
    clock[0] += 0.5
    assert look(9) is None  # too short to say
    clock[0] += 1.5
    assert look(21) == 10.0


def test_another_run_of_the_same_name_is_measured_anew(clock: list[float]) -> None:
    look = Pace()
    for done in (0, 10, 20):
        clock[0] += 10
        look(done)
    clock[0] += 1000
    assert look(5) is None
    clock[0] += 3
    assert look(6) is None
    clock[0] += 2
    assert look(8) == 1.0


def test_times_have_the_unit_that_suits_them() -> None:
    assert [duration(s) for s in (3.4, 99, 600, 6600)] == ["3 s", "99 s", "10 min", "1 h 50 min"]
