"""Solved boards: the proof in its small form, as plain Python, and what it says where a value differs."""

from typing import Any

import pytest

from tests.support.searching import all_as_python
from tunesmith.experiments.proofs import solved_boards as proof


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[dict[str, Any]]]:
    """The smallest positions of each kind, and short searches."""
    fanorona = proof.read("fanorona")
    endgames = [row for row in fanorona if row["size"] == [9, 5] and row["value"] == 1]
    rows = {
        "kalah": [row for row in proof.read("kalah") if row["pits"] == 1],
        "pentago": [row for row in proof.read("pentago") if row["id"] in ("pens-p33", "pens-p34")],
        "fanorona": [*(row for row in fanorona if row["size"] == [3, 3]), *endgames[:4]],
    }
    monkeypatch.setattr(proof, "read", lambda game: rows[game])
    for name, number in (("NODES", 2000), ("ENDGAME_NODES", 300), ("SIMULATIONS", 100)):
        monkeypatch.setattr(proof, name, number)
    return rows


@pytest.mark.usefixtures("few")
def test_every_kind_of_position_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    with all_as_python():
        assert proof.main([]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [sum(line.startswith(game) for line in said) for game in ("kalah", "pentago", "fanorona")] == [
        6,
        2,
        5,
    ]
    assert said[-1] == "all values are those of the other programs"


def test_the_largest_boards_are_solved_with_every_move_and_their_time_is_said(
    few: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(proof, "LARGE", {(1, 3)})
    monkeypatch.setattr(proof, "LARGE_MB", 1)
    assert len(few["kalah"]) == 6
    with all_as_python():
        assert proof.main(["--large"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split(",")[3] for line in said[:-1]] == [" standard", " empty-capture"]
    assert all("s of CPU time: (6, {'1': 6})" in line for line in said[:-1])


def test_values_that_differ_are_named_and_fail_the_proof(
    few: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    few["kalah"][0] = {**few["kalah"][0], "value": 5}
    few["pentago"][0] = {**few["pentago"][0], "value": -few["pentago"][0]["value"] or 1}
    for row in few["fanorona"][1:]:
        row["value"] = -1
    with all_as_python():
        assert proof.main([]) == 1
    last = capsys.readouterr().out.splitlines()[-3:]
    assert [line.split(maxsplit=1)[0].rstrip(",") for line in last] == ["kalah", "pentago", "fanorona"]
    assert all(", expected " in line for line in last)
