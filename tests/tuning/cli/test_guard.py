"""Errors that nobody foresaw: one line, a file with the traceback, exit code 70; with the guard off they are raised."""

import os
import sys
from pathlib import Path

import pytest

from tunesmith.tuning.cli import guard, run
from tunesmith.tuning.stats import elo


@pytest.fixture
def broken_command(monkeypatch):
    """A command that meets an error of ours; returns what raises it, to be exchanged."""

    def meet(error: BaseException) -> list[str]:
        def fail(*_: object) -> None:
            raise error

        monkeypatch.setattr(elo, "estimate", fail)
        return ["stats", "elo", "1", "2", "3"]

    return meet


def test_an_unforeseen_error_is_one_line_and_its_traceback_a_file(
    broken_command, monkeypatch, tmp_path, capsys
):
    monkeypatch.setenv(guard.SWITCH, "1")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run(broken_command(IndexError("somewhere\ndeep"))) == 70
    said = capsys.readouterr().err
    (file,) = tmp_path.iterdir()
    assert said.count("\n") == 1 and "IndexError: somewhere" in said and str(file) in said
    written = file.read_text()
    assert written.startswith("tunesmith stats elo 1 2 3\n")
    assert "Traceback" in written and "IndexError: somewhere\ndeep" in written


def test_without_a_folder_to_write_to_it_is_still_one_line(broken_command, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv(guard.SWITCH, "1")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    assert run(broken_command(IndexError())) == 70
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "IndexError; its traceback could not be written" in said


def test_the_tests_run_with_the_guard_off(broken_command):
    assert not guard.is_on()
    with pytest.raises(IndexError):
        run(broken_command(IndexError()))


def test_interrupts_and_closed_pipes_are_none_of_its_business(broken_command, monkeypatch, capfd):
    monkeypatch.setenv(guard.SWITCH, "1")
    assert run(broken_command(KeyboardInterrupt())) == 130
    saved = os.dup(1)
    try:
        monkeypatch.setattr(sys, "stdout", open(1, "w", closefd=False))  # noqa: SIM115
        assert run(broken_command(BrokenPipeError())) == 0
    finally:
        os.dup2(saved, 1)
        os.close(saved)
    with pytest.raises(SystemExit):
        run(broken_command(SystemExit(3)))
    assert "unexpected error" not in capfd.readouterr().err


def test_names_that_are_no_text_or_no_names_are_refused(tmp_path, capsys, monkeypatch):
    strange = os.fsdecode(b"caf\xe9.toml")
    assert run(["run", strange]) == 2
    assert "expected a name in UTF-8" in capsys.readouterr().err
    assert run(["match", "kalah", "a" * 5000, "hand"]) == 2
    assert run(["run", "a" * 5000]) == 2
    assert run(["dataset", "a" * 5000]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert run(["games"]) == 2
    assert "current folder: expected a name in UTF-8" in capsys.readouterr().err
    monkeypatch.chdir(Path("/"))
