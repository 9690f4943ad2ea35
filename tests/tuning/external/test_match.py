"""Matches of chess engines: pairs as their games say, faults, going on, ends."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.uci_study import BOOK, SHORT, engine, games, study
from tunesmith.tuning.cli import run
from tunesmith.tuning.stats import elo

__all__ = ["study"]  # fixtures

CASES = Path(__file__).parents[2] / "golden" / "cases"


def test_a_match_of_two_settings_counts_pairs_as_its_games_say(study):
    code, found, _ = study("pairs = 4\n" + engine(skill=100) + engine(skill=0) + BOOK)
    assert code == 0
    rows = games()
    assert [(row["pair"], row["game"]) for row in rows] == [(n, g) for n in range(4) for g in (0, 1)]
    counts = [0] * 5
    for white, black in zip(rows[::2], rows[1::2], strict=True):
        assert (white["fen"], white["opening"]) == (black["fen"], black["opening"])
        assert white["white"] == black["black"] == found["first"]["digest"] + white["white"][16:]
        if white["result"] is not None and black["result"] is not None:
            counts[2 + white["result"] - black["result"]] += 1
    assert found["counts"] == counts == [0, 0, 0, 4, 0]
    assert found["estimate"]["elo"] == elo.estimate(counts).elo
    assert found["summary"]["games"] == 8 and found["summary"]["faults"] == 0
    assert found["first"]["options"] == {"OwnBook": False, "Hash": 4, "Own Skill": 100}


def test_a_match_goes_on_where_it_stopped_with_the_same_games(study):
    text = engine(skill=100) + engine(skill=0) + BOOK
    whole = study("pairs = 3\n" + text)[1]
    lines = Path("out/match/games.jsonl").read_text().splitlines(keepends=True)
    before = games()
    Path("out/match/games.jsonl").write_text(
        "".join(lines[:3]) + lines[3][:40]
    )  # a pair, half a pair, half a line
    again = study("pairs = 3\n" + text)[1]
    rows = {(row["pair"], row["game"]): row for row in games()}
    assert [rows[key] for key in sorted(rows)] == before
    assert again == whole


def test_faults_are_rows_in_no_score(study):
    code, found, _ = study("pairs = 2\n" + engine() + engine("crash", "second", skill=51))
    assert code == 0
    assert found["summary"]["faults"] == 2 and found["counts"] == [0] * 5
    row = found["faults"][0]
    assert (row["pair"], row["game"], row["fault"], row["end_reason"]) == (0, 0, 1, "crash")
    assert row["names"][1] == "Fake 1.0" and row["moves"] and row["seed"] and "code 3" in row["detail"]


def test_a_match_of_nothing_but_faults_is_given_up(study):
    code, _, said = study("pairs = 20\n" + engine() + engine("illegal", skill=51))
    assert code == 1
    assert "games ended by a fault of an engine" in said and "illegal move: a1a1" in said


def test_no_engine_is_left_after_a_match(study):
    mark = f"mark-{os.getpid()}"
    study("pairs = 2\n" + engine(mark) + engine("stubborn", mark, skill=1) + BOOK)
    assert len(games()) == 4
    found = subprocess.run(["pgrep", "-f", mark], capture_output=True, text=True, check=False)
    assert found.stdout == ""


def test_a_match_plays_all_openings_of_its_file(study, tmp_path):
    lines = [f"rnbqkbnr/pppppppp/8/8/{row}/8/{rest}/RNBQKBNR b KQkq -" for row, rest in
             (("4P3", "PPPP1PPP"), ("3P4", "PPP1PPPP"))]  # fmt: skip
    (tmp_path / "book.epd").write_text("\n".join([*lines, "bad line"]))
    code, found, said = study(engine() + engine(skill=1) + '[openings]\nfile = "book.epd"\n')
    assert code == 0
    assert [row["fen"].split()[0] for row in games()[::2]] == [line.split()[0] for line in lines]
    assert found["openings"]["bad"] == {"neither EPD nor FEN": [3]} and "line 3" in said


def test_a_sequential_test_ends_a_match(study):
    code, found, _ = study(engine(skill=100) + engine(skill=0) + BOOK + "[test]\nelo1 = 300.0\n")
    assert code == 0
    assert found["decision"] == "H1" and found["llr"] >= found["upper"]
    assert found["pairs"] < len(SHORT) == found["sprt"]["max_pairs"]


def played(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict]:
    """Play the match of a case, from another folder; return its games."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PY", sys.executable)
    shutil.copytree(case, tmp_path / "case")
    assert run(["engines", "case/match.toml", "--out", "out"]) == 0
    return games()


@pytest.mark.parametrize(("case", "move"), [("C14", "a7a8q"), ("C15", "e1g1")])
def test_moves_are_passed_on_as_the_other_engine_knows_them(tmp_path, monkeypatch, case, move):
    rows = played(CASES / "06" / case, tmp_path, monkeypatch)
    assert {row["fault"] for row in rows} == {None}
    assert rows[0]["moves"][0] == move


def test_an_engine_starts_in_its_own_folder(tmp_path, monkeypatch):
    rows = played(CASES / "08", tmp_path, monkeypatch)
    assert [row["end_reason"] for row in rows] == ["fifty moves"] * 2
    assert rows[0]["names"] == ["one", "two"]


def test_an_engine_starts_where_its_table_says(tmp_path, monkeypatch, capsys):
    shutil.copytree(CASES / "08", tmp_path / "mine")
    text = (tmp_path / "mine" / "match.toml").read_text()
    (tmp_path / "mine" / "match.toml").write_text(text.replace('name = "one"', 'name = "one"\ndir = "."'))
    monkeypatch.setenv("PY", sys.executable)
    assert run(["engines", str(tmp_path / "mine" / "match.toml"), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert (
        f"it wrote: info string Error starting engine: adapter.eng not found in {tmp_path / 'mine'}" in said
    )
