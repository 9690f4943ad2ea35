"""Matches from the command line: what is reported is what was asked for."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tunesmith.engine import weights
from tunesmith.games import registry
from tunesmith.games.errors import FaultError
from tunesmith.tuning.cli import run
from tunesmith.tuning.play import selfplay, store
from tunesmith.tuning.play.match import Beginnings, play_match
from tunesmith.tuning.play.matchup import Matchup, Pair
from tunesmith.tuning.play.records import Games, to_table
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.worker import fault_rows


def match(folder: Path, pairs: int, capsys: pytest.CaptureFixture[str]) -> dict:
    command = [
        "match",
        "kalah",
        "hand",
        "hand-1",
        "--limit",
        "nodes:20",
        "--jobs",
        "1",
        "--backend",
        "threads",
    ]
    assert run([*command, "--pairs", str(pairs), "--out", str(folder), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_fewer_pairs_than_a_folder_holds_are_reported_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = match(tmp_path / "three", 3, capsys)
    match(tmp_path / "six", 6, capsys)
    assert match(tmp_path / "six", 3, capsys) == alone
    assert alone["pairs"] == 3


def test_a_match_of_faults_alone_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """However they came about, in this run or in an earlier one: what nobody could play is no score of 50 %."""
    game = registry.load("kalah")
    hand = weights.load("hand", game)
    matchup = Matchup("kalah", hand, hand, ("nodes:20", "nodes:20"), 1)

    def faults(folder: Path, pairs: range) -> Iterator[Games]:
        rows = [
            row for number in pairs for row in fault_rows(matchup, Pair(number, (), None), "it fell over")
        ]
        names = (hand.digest, hand.digest)
        yield Games(to_table(rows, dict.fromkeys(pairs, ""), names, {}), {})

    monkeypatch.setattr(selfplay, "play", lambda *_: None)
    monkeypatch.setattr(store, "read_blocks", faults)
    with pytest.raises(
        FaultError, match="every game ended by a fault of the game; the first: .*it fell over"
    ) as caught:
        play_match(matchup, ("a", "b"), Beginnings(2, 2, 1e6), Resources())
    assert caught.value.exit_code == 1
