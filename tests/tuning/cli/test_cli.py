"""The command line: exit codes, one clear line for wrong input, JSON for programs."""

import errno
import io
import json
import os

import pytest

from tunesmith.tuning import files
from tunesmith.tuning.cli import run


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["perft", "kallah", "3"], "did you mean 'kalah'?"),
        (["perft", "kalah:pond=3", "3"], "expected name=value with name one of ponds, seeds, empty_capture"),
        (["perft", "kalah", "x"], "Invalid value for 'DEPTH'"),
        (["probe", "kalah", "--weights", "none.json"], "weights 'none.json': no such file"),
        (["probe", "kalah", "--weights", "hand-9"], "one of kalah's names"),
        (["probe", "kalah", "--limit", "fast"], "limit: expected depth:N"),
        (["probe", "kalah", "--state", "[[1]]"], "[[1]]"),
        (["stats", "elo", "1", "2"], "expected 3 counts"),
        (["stats", "sprt", "1", "2", "3", "--bounds", "5", "0"], ""),
        (["run", "nowhere.toml"], "nowhere.toml: no such study file"),
        (["status", "nowhere"], "not a study"),
        (["match", "kalah", "hand", "nobody"], "one of kalah's names"),
        (["selfplay", "kalah", "--pairs", "1000000000000", "--out", "x"], "expected at most 10,000,000"),
        (["match", "kalah", "hand", "hand-1", "--pairs", "1000000000000"], "expected at most 10,000,000"),
        (["gauntlet", "kalah", "hand", "hand-1", "--pairs", "1000000000000"], "expected at most 10,000,000"),
        (
            ["verify", "kalah", "hand", "hand-1", "--max-pairs", "1000000000000"],
            "--max-pairs: input should be less",
        ),
        (["verify", "kalah", "hand", "hand-1", "--measure-pairs", "1000000000000"], "--measure-pairs: input"),
        (["nonsense"], "No such command 'nonsense'"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(arguments, words, capsys):
    assert run(arguments) == 2
    errors = capsys.readouterr().err.strip()
    assert words in errors and errors.startswith("tunesmith: ") and len(errors.splitlines()) == 1


def test_statistics_as_json_have_the_names_of_the_manual(capsys):
    assert (
        run(["stats", "sprt", "379", "10170", "21828", "10640", "343", "--bounds", "0", "2", "--json"]) == 0
    )
    assert set(json.loads(capsys.readouterr().out)) == {"llr", "lower", "upper", "decision"}
    assert run(["stats", "elo", "34", "54", "63", "64", "75", "--json"]) == 0
    names = {"score", "elo", "elo_half_width", "nelo", "nelo_half_width", "los"}
    assert names <= set(json.loads(capsys.readouterr().out))


def test_a_hand_made_file_is_compared_in_elo(capsys):
    assert run(["weights", "diff", "kalah/hand", "kalah/hand-6"]) == 0
    assert "no difference" in capsys.readouterr().out


def test_a_line_that_is_no_text_is_answered(monkeypatch, capsys):
    lines = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\nquit\n"), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", lines)
    assert run(["play", "kalah", "--limit", "nodes:10"]) == 0
    assert "The command moves lists what is legal." in capsys.readouterr().out


def test_an_interrupted_game_has_the_exit_code_of_interrupts(monkeypatch):
    def interrupt(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    monkeypatch.setattr("tunesmith.tuning.cli.human.play.__defaults__", (0, None, interrupt, print, ""))
    assert run(["play", "kalah", "--limit", "nodes:10"]) == 130


def test_a_full_disk_is_one_line_wherever_it_is_met(monkeypatch, capsys, tmp_path):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "journal.log")

    monkeypatch.setattr("tunesmith.tuning.cli.games.print_json", full)
    assert run(["games", "--json"]) == 2
    assert capsys.readouterr().err == "tunesmith: journal.log: cannot be written: No space left on device\n"
    monkeypatch.setattr("os.ftruncate", full)
    with files.locked(tmp_path):  # the number in the lock's file is for people only
        assert (tmp_path / files.LOCK).exists()
