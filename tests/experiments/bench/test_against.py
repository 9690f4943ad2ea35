"""Speed beside another commit: the figures, the table, and answers that differ."""

import contextlib
import json
import sys
from collections.abc import Sequence

import pytest

from tunesmith.experiments.bench import __main__ as bench
from tunesmith.experiments.bench import against
from tunesmith.experiments.bench.race import MismatchError

COMPARED: list[list[str]] = []
SIDE = against.Side  # before tests put a made-up one in its place


class Clockwork:
    """A side whose seconds and answer are given by its place: then 4 s, now 1 s or 2 s, in turns."""

    def __init__(self, what: str, spec: str, path: object, root: str, features: Sequence[str] = ()) -> None:
        self.times = [4.0, 4.0, 4.0] if root == "" else [1.0, 2.0, 2.0]
        self.answer = spec if what != "search" else root
        self.features = ["bank", "old"] if root == "" else ["new", "bank"]
        COMPARED.append(list(features))

    def names(self) -> list[str]:
        return self.features

    def once(self) -> tuple[float, str]:
        return self.times.pop(0), self.answer

    def close(self) -> None:
        self.times = []


@pytest.fixture(autouse=True)
def _clockwork(monkeypatch) -> None:
    monkeypatch.setattr(against, "Side", Clockwork)
    against.shared_features.cache_clear()


def test_the_ratio_is_that_of_the_middle_times_with_its_range() -> None:
    row = against.race("solve", "kalah", None, "", 3)
    assert (row["then"], row["now"], row["times as fast"]) == (4.0, 2.0, 2.0)
    assert (row["from"], row["to"]) == (2.0, 4.0)
    assert (
        against.lines("abc", [row])[-1] == "| solve `kalah` | 4.000 s | 2.000 s | **2.00** (2.00 to 4.00) |"
    )


def test_features_that_only_one_side_has_are_left_out() -> None:
    COMPARED.clear()
    against.race("evaluate", "kalah", None, "", 3)
    assert COMPARED[2:] == [["bank"]] * 4  # of each side one that compiles, and one that is measured


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


def test_a_figure_that_has_fallen_is_printed_in_red_and_written_in_black(
    tmp_path, monkeypatch, capsys
) -> None:
    rows = [{"what": what, "game": "kalah", "times as fast": 3.0} for what in ("search", "evaluate")]
    (tmp_path / "speed.json").write_text(json.dumps({"rows": rows}))
    monkeypatch.setattr(bench, "RESULTS", tmp_path)
    found = [
        against.race("evaluate", "kalah", None, "", 3) | {"what": what, "times as fast": ratio}
        for what, ratio in (("search", 2.9), ("evaluate", 2.6))
    ]
    monkeypatch.setattr(against, "compare", lambda *_: found)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert bench.main(["--against", "abc", "--out", str(tmp_path / "now.json")]) == 0
    same, fallen = capsys.readouterr().out.splitlines()
    assert same.startswith("| search `kalah` |") and fallen.startswith("\x1b[31m| evaluate `kalah` |")
    assert "worse than the committed 3" in fallen
    assert "\x1b" not in (tmp_path / "now.md").read_text()


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


@pytest.mark.parametrize("what", ["evaluate", "search", "solve"])
def test_the_code_of_today_can_be_measured(what: str, monkeypatch) -> None:
    """A process finds by their names what it measures: a name that is gone would be found by nobody else."""
    monkeypatch.setattr(against, "N_EVALUATIONS", 10)
    monkeypatch.setattr(against, "N_NODES", 100)
    with contextlib.closing(SIDE(what, "kalah:ponds=2,seeds=1", None, "tunesmith.", ["bank"])) as side:
        seconds, answer = side.once()
    assert seconds > 0 and answer is not None
