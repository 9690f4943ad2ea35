"""The command `tunesmith gauntlet`: tables in a terminal, a page, JSON."""

import json
from pathlib import Path

from tests.support.circle import circle
from tests.support.pages import Page
from tunesmith.tuning.cli import run
from tunesmith.tuning.cli.gauntlet import cross_rows


def test_the_command_prints_tables_and_writes_pages(tmp_path: Path, capsys) -> None:
    arguments = ["gauntlet", "kalah", "hand", "random", "greedy", "--pairs", "4", "--plies", "6"]
    arguments += ["--limit", "nodes:40", "--jobs", "1", "--backend", "threads", "--resamples", "100"]
    assert run([*arguments, "--out", str(tmp_path / "g"), "--anchor", "random=1000"]) == 0
    said = capsys.readouterr()
    assert "random" in said.out and "+1000 .. +1000" in said.out and "LL LD DD+WL WD WW" in said.out
    assert "3 players, 24 games" in said.err
    assert Page((tmp_path / "g" / "gauntlet.html").read_text()).defects == []
    assert run([*arguments, "--out", str(tmp_path / "g"), "--json", "--first-only"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["pairings"]) == 2 and found["terms"]["first_only"]
    assert run([*arguments, "--anchor", "nobody=3"]) == 2
    assert "anchor: expected one of hand, random, greedy, found 'nobody'" in capsys.readouterr().err
    assert run([*arguments, "--anchor", "random=x"]) == 2
    assert run([*arguments, "--anchor", "random=nan"]) == 2
    assert run([*arguments, "--draws", "third"]) == 2


def test_a_cross_table_is_the_same_from_both_sides() -> None:
    rows = cross_rows(circle())
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0][2:] == [
        "",
        "25/146",
        "121/146",
        "",
    ]  # rock loses to paper, beats scissors, met no spectator
    assert rows[1][2] == "121/146" and rows[3][2:] == [""] * 4
