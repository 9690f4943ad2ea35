"""What others have put into names reaches a terminal as letters."""

import io
import sys

import pytest

from tunesmith.tuning.cli.live import Live
from tunesmith.tuning.cli.printing import print_grid
from tunesmith.tuning.cli.terminal import harmless, printing_harmlessly

EVIL = "a\x1b]0;title\x07\x1b[2Jb\r\x9b31m\u202ec"
SHOWN = r"a\x1b]0;title\x07\x1b[2Jb\r\x9b31m\u202ec"


class Terminal(io.StringIO):
    """Somebody looks on."""

    def isatty(self) -> bool:
        return True


def opened(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Look on from now on (pytest would take its place between a fixture and its test)."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(sys, "stderr", screen)
    return screen


def test_control_characters_are_shown_as_what_they_are() -> None:
    assert harmless(EVIL) == SHOWN
    assert harmless("±\té\n中") == "±\té\n中"


def test_whatever_a_command_prints_is_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = opened(monkeypatch)
    with printing_harmlessly(), printing_harmlessly():
        print(EVIL)
        print(EVIL, file=sys.stderr)
    assert terminal.getvalue() == f"{SHOWN}\n" * 2
    assert sys.stdout is terminal


def test_what_is_drawn_in_place_has_our_codes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = opened(monkeypatch)
    monkeypatch.setenv("COLUMNS", "200")
    with printing_harmlessly():
        tell = Live()
        tell.progress(EVIL, 1, 2)
        tell.stage(EVIL)
        tell.note(EVIL)
    shown = terminal.getvalue()
    assert f"{SHOWN}: 1/2 pairs" in shown and f"{SHOWN}\n" in shown
    assert not any(code in shown for code in ("\x07", "\x1b]", "\x1b[2J", "\x9b", "\u202e"))


def test_tables_on_a_terminal_show_names_harmlessly(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = opened(monkeypatch)
    with printing_harmlessly():
        print_grid([[EVIL, "1"]], ["name", "games"])
    assert SHOWN in terminal.getvalue() and "\x07" not in terminal.getvalue()
