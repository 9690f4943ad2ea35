"""The pages say what the figures are."""

from typing import Any

import pytest

from tests.experiments.cluster.test_cost import load
from tunesmith.experiments.cluster.tables import cost_page, duration, number, prose, result_page
from tunesmith.experiments.cluster.trouble import Trouble


def found(is_same: bool = True) -> dict[str, Any]:
    """Return what a run keeps, made up."""
    return {
        "date": "2026-01-02T00:00:00",
        "machine": {"commit": "abc1234", "cores": 2, "cpu": "CPU", "load": [0.5, 0.5, 0.5]},
        "intake": [row.content() for row in (load(100, 100), load(50, 4000))],
        "plays": [{"name": "Kalah at nodes:5", "game_seconds": 0.01}],
        "learning": {
            "name": "Kalah at nodes:5",
            "games": 40,
            "game_seconds": 0.01,
            "dataset_seconds": 0.0003,
            "fit_seconds": 0.0001,
        },
        "trouble": [vars(Trouble("a worker is killed", 5, is_same, 7.0, "Dask worker a|b is gone"))],
        "took": 100.0,
    }


def test_the_page_of_a_run_says_whether_all_is_the_same() -> None:
    page = " ".join(result_page(found()).split())
    assert "| a worker is killed | 5 | yes | 7 s | Dask worker a/b is gone |" in page
    assert "All are the same, and nothing is lost." in page
    assert "at commit abc1234, 2026-01-02" in page
    assert "takes 2.0 times what writing them took" in page
    page = " ".join(result_page(found(is_same=False)).split())
    assert "| NO |" in page and "Not the same: a worker is killed." in page


def test_the_page_of_costs_has_a_column_for_each_number_of_workers() -> None:
    page = cost_page(found())
    assert "| games | 1 worker | 2 workers | 8 workers | 50 workers | 200 workers | 1,000 workers |" in page
    assert "| Kalah at nodes:5 | 100 | 200 |" in page
    assert "then the controller is the limit" in page
    assert "fishtest" in page and all(len(line) <= 150 for line in page.splitlines() if "|" not in line)


def test_times_and_numbers_are_short() -> None:
    assert [duration(seconds) for seconds in (3.0, 200.0, 9000.0, 400_000.0)] == [
        "3.0 s",
        "3.3 min",
        "2.5 h",
        "4.6 days",
    ]
    assert [number(value) for value in (0.012345, 3.14159, 12345.6)] == ["0.0123", "3.14", "12,300"]


@pytest.mark.parametrize("words", [40, 1])
def test_a_paragraph_ends_with_an_empty_line(words: int) -> None:
    lines = prose("many words of prose " * words)
    assert lines[-1] == "" and len(lines) > 1
