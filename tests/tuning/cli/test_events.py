"""A run told to programs: one JSON object a line on standard error, and counts not more than once a second."""

import json
import math
from typing import Any

import pytest

from tunesmith.tuning.cli import events
from tunesmith.tuning.cli.events import Events


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands where it is put."""
    now = [1000.0]
    monkeypatch.setattr(events.time, "monotonic", lambda: now[0])
    return now


def told(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    said = capsys.readouterr()
    assert said.out == ""  # left for the result
    return [json.loads(line) for line in said.err.splitlines()]


def test_each_kind_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    tell = Events()
    tell.stage("play", generation=2)
    tell.test(12, 1.5, -2.94, math.inf)
    tell.note("  two\nlines\n")
    assert told(capsys) == [
        {"event": "stage", "stage": "play", "generation": 2},
        {"event": "test", "pairs": 12, "llr": 1.5, "lower": -2.94, "upper": None},
        {"event": "note", "text": "two\nlines"},
    ]


def test_pairs_are_counted_once_a_second_and_at_the_end(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    tell = Events()
    for pairs in range(0, 31):
        tell.progress("gen-1", pairs, 30)
        clock[0] += 0.125
    rows = told(capsys)
    assert [row["pairs"] for row in rows] == [0, 8, 16, 24, 30]
    assert [row["games_per_second"] for row in rows] == [None, None, 16.0, 16.0, 16.0]  # eight pairs a second


def test_games_that_were_there_before_and_compilation_are_in_no_speed(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    tell = Events()
    tell.progress("gen-1", 100, 120)
    clock[0] += 60.0
    tell.progress("gen-1", 110, 130)
    clock[0] += 2.0
    tell.progress("gen-1", 130, 130)
    assert told(capsys)[-1]["games_per_second"] == 20.0
