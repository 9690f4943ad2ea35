"""Speed beside another commit: the figures, the table, and answers that differ."""

import pytest

from tunesmith.experiments.bench import __main__ as bench
from tunesmith.experiments.bench import against
from tunesmith.experiments.bench.race import MismatchError


class Clockwork:
    """A side whose seconds and answer are given by its place: then 4 s, now 1 s or 2 s, in turns."""

    def __init__(self, what: str, spec: str, path: object, root: str) -> None:
        self.times = [4.0, 4.0, 4.0] if root == "" else [1.0, 2.0, 2.0]
        self.answer = spec if what != "search" else root

    def once(self) -> tuple[float, str]:
        return self.times.pop(0), self.answer

    def close(self) -> None:
        self.times = []


@pytest.fixture(autouse=True)
def _clockwork(monkeypatch) -> None:
    monkeypatch.setattr(against, "Side", Clockwork)


def test_the_ratio_is_that_of_the_middle_times_with_its_range() -> None:
    row = against.race("solve", "kalah", None, "", 3)
    assert (row["then"], row["now"], row["times as fast"]) == (4.0, 2.0, 2.0)
    assert (row["from"], row["to"]) == (2.0, 4.0)
    assert (
        against.lines("abc", [row])[-1] == "| solve `kalah` | 4.000 s | 2.000 s | **2.00** (2.00 to 4.00) |"
    )


def test_speeds_are_work_a_second() -> None:
    row = against.race("evaluate", "kalah", None, "", 3)
    assert (row["then"], row["now"], row["times as fast"], row["unit"]) == (0.25, 0.5, 2.0, "positions/s")


def test_other_answers_end_the_run() -> None:
    with pytest.raises(MismatchError, match="search kalah: expected , found tunesmith"):
        against.race("search", "kalah", None, "", 3)


def test_figures_are_the_solved_board_and_two_of_each_game() -> None:
    assert against.figures(["kalah", "pentago"]) == [
        ("solve", "kalah:seeds=3"),
        ("evaluate", "kalah"),
        ("search", "kalah"),
        ("evaluate", "pentago"),
        ("search", "pentago"),
    ]


def test_unknown_games_and_commits_are_refused(capsys) -> None:
    assert bench.main(["--against", "HEAD", "--only", "chess"]) == 2
    assert (
        "--only: expected expendibots, fanorona, kalah, pentago, ropasci360, found 'chess'"
        in capsys.readouterr().err
    )
    assert bench.main(["--against", "no-such-commit"]) == 2
    assert (
        "--against: expected a commit of this repository, found 'no-such-commit'" in capsys.readouterr().err
    )
