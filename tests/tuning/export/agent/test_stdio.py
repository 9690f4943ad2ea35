"""An agent on standard input and output, line by line, in the code that is written for piles."""

import io
import sys
from types import SimpleNamespace

import pytest

from tests.support.piles_agent import agent, thinker


def said(monkeypatch: pytest.MonkeyPatch, lines: str) -> list[str]:
    """Run `main` on some lines."""
    names, out = agent(), io.StringIO()
    monkeypatch.setitem(names, "load_weights", lambda: None)
    monkeypatch.setattr(
        sys, "stdin", SimpleNamespace(buffer=io.BytesIO(lines.encode("utf-8", "surrogateescape")))
    )
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setitem(names, "Thinker", lambda _: thinker())
    for name in [name for name, value in names.items() if getattr(value, "__name__", "") == "load_weights"]:
        monkeypatch.setitem(names, name, lambda: None)
    names["main"]()
    return out.getvalue().splitlines()


def test_each_question_has_one_line_until_quit(monkeypatch: pytest.MonkeyPatch) -> None:
    found = said(monkeypatch, "state 1 0 0 0\n\nnewgame\nhello\nquit\nstate 1 0 0 0\n")
    assert found[:2] == ["move a1", "ok"]
    assert found[2].startswith("error expected state TEXT, ") and found[2].endswith("found 'hello'")
    assert len(found) == 3


def test_info_tells_how_the_last_move_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    words = said(monkeypatch, "state 2 1 0 0\ninfo\n")[1].split()
    told = dict(zip(words[1::2], words[2::2], strict=True))
    assert words[0] == "info" and list(told) == ["depth", "score", "nodes", "seconds", "speed"]
    assert int(told["depth"]) >= 1 and int(told["nodes"]) >= 1 and float(told["seconds"]) >= 0


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("state 2 0 0 0", "move a2"),  # the last stones
        ("state 1 1 0 0 moves a1", "move b1"),
        ("state 0 0 1 9", "error the game is over in '0 0 1 9'"),
        ("state 1 1 0", "error piles: expected four numbers, found '1 1 0'"),
        ("state 1 1 0 0 moves a2", "error piles move: expected one of a1, b1, found 'a2'"),
        ("state 1 0 0 0 moves a1 a1", "error moves: expected a legal move, found 'a1'"),
    ],
)
def test_answers_to_positions(monkeypatch: pytest.MonkeyPatch, line: str, answer: str) -> None:
    assert said(monkeypatch, line) == [answer]


def test_a_search_that_fails_still_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The move of `first_choice`: in piles the first with a hint."""
    names = agent()
    broken = SimpleNamespace(
        clock=lambda: 0.0, forget=lambda: None, set_clock=lambda _: None, choose=lambda _: 1 // 0
    )
    name = next(name for name, value in names.items() if getattr(value, "__name__", "") == "decide")
    assert names[name](broken, names["Game"]()) == 1
