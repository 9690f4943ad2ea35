"""Matches under another runner: what it is told, and what is read of its games; the runner is a made-up one."""

import json
from pathlib import Path

from tests.support.toys import piles
from tunesmith.experiments.proofs.clocks.cutegames import is_right, page, read_pgn, settings, told

GAME = piles()
HEADS = '[Event "?"]\n[First "tuned"]\n[Second "hand"]\n[Result "{0}"]\n[FEN "{1}"]\n{2}[PlyCount "2"]\n\n{3} {0}\n\n\n'
PGN = "".join(
    HEADS.format(*one)
    for one in (
        ("1-0", "2 1 0 4", '[Winner "tuned"]\n[Loser "hand"]\n', "1. a1 b1 2. a1"),
        ("1-0", "2 1 1 4", '[Winner "tuned"]\n[Loser "hand"]\n', "1... a2 2. b1"),
        ("0-1", "2 1 0 4", '[Winner "hand"]\n[Loser "tuned"]\n', "1. a1 b1 2. a1"),  # the last stone wins
        ("1-0", "2 1 0 4", '[Adjudicated "Out of time"]\n[Winner "tuned"]\n[Loser "hand"]\n', "1. a1"),
        ("*", "2 1 0 4", '[Adjudicated "Result mismatch"]\n', "1. a2 b1"),
    )
)


def test_games_are_read_and_replayed_by_our_rules():
    found = list(read_pgn(PGN))
    assert [one.moves for one in found[:2]] == [["a1", "b1", "a1"], ["a2", "b1"]]
    assert [one.result for one in found] == [1, 1, -1, 1, None]
    assert [is_right(GAME, one) for one in found] == [True, True, False, False, False]
    assert not is_right(GAME, found[0]._replace(moves=["b2"]))


def test_a_row_counts_whole_games_and_names_faults():
    row = told(GAME, "1+0.01", list(read_pgn(PGN)))
    del row["commit"]
    assert row == {
        "game": GAME.name, "clock": "1+0.01", "games": 5, "won": 2, "drawn": 0, "lost": 1,
        "out_of_time": 1, "other_faults": 1, "right": 2,
    }  # fmt: skip
    assert f"| {GAME.name} | 1+0.01 s | 5 | 2 | 0 | 1 | 1 | 1 | 2 right |" in page([{**row, "commit": "abc"}])


def test_the_runner_is_told_of_both_engines_and_the_clock(tmp_path: Path):
    said = json.loads(json.dumps(settings(tmp_path, "kalah", "1+0.01", 6)))
    assert said["timecontrol"] == {"type": "clock", "time": 1000, "increment": 10} and said["games"] == 6
    assert [one["parameters"].split()[-3] for one in said["engines"]] == ["tuned", "hand"]
