"""Tables of the commands: plain lines into a file, fitted to a terminal."""

import io
import re

import pytest

from tunesmith.tuning.cli.printing import print_grid

HEADER = ["feature", "value"]
ROWS = [["mobility", "+12.5"], ["[bold]threats[/bold]", "-3"]]


class Terminal(io.StringIO):
    """A terminal of 40 columns that keeps what it shows."""

    def isatty(self) -> bool:
        return True


def test_a_file_gets_plain_lines(capsys):
    print_grid(ROWS, HEADER)
    assert capsys.readouterr().out.splitlines() == [
        "feature               value",
        "mobility              +12.5",
        "[bold]threats[/bold]     -3",
    ]


def shown(monkeypatch: pytest.MonkeyPatch, rows: list[list[str]], columns: int = 40) -> list[str]:
    """Return the lines that a terminal shows, without their styles."""
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    print_grid(rows, HEADER)
    return [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in terminal.getvalue().splitlines()]


def test_a_terminal_shows_names_as_they_are_and_numbers_to_the_right(monkeypatch):
    head, rule, first, second = shown(monkeypatch, ROWS)
    assert head.split() == HEADER and set(rule) == {"\u2500"}
    assert first.split() == ROWS[0] and second.split() == ROWS[1]
    assert len(first) == len(second) == len(head)


def test_a_terminal_breaks_what_is_too_wide_and_loses_nothing(monkeypatch):
    lines = shown(monkeypatch, [["a" * 50, "1"]], columns=30)
    assert max(map(len, lines)) <= 30
    assert sum(line.count("a") for line in lines[2:]) == 50
