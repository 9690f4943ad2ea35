"""Functions of a game that never come back: whoever waits gets an error instead of waiting for ever."""

import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

from tests.support.small_matches import kalah
from tests.support.toys import piles
from tunesmith.games.errors import GameError, InputError
from tunesmith.tuning.play.sandbox import deadline
from tunesmith.tuning.play.sandbox.deadline import compiling, watched


def test_answers_come_through() -> None:
    with watched(kalah(), "adding") as ask:
        assert [ask(max, 2, 3), ask(len, "four")] == [3, 4]


def test_who_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "PATIENCE", 0.01)
    never = threading.Event()
    with watched(kalah(), "looking for openings") as ask:
        with pytest.raises(
            GameError, match=r"'kalah': no end in sight after 0\.01 s while looking for openings"
        ):
            ask(never.wait)
        never.set()


def test_what_a_game_raises_is_told_with_what_was_done() -> None:
    with watched(kalah(), "counting") as ask:
        with pytest.raises(GameError, match="'kalah': ZeroDivisionError: .* while counting"):
            ask(lambda: 1 // 0)
        assert ask(abs, -1) == 1  # it goes on


def test_what_a_game_prints_is_no_output_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with watched(kalah(), "listening") as ask:
        ask(print, "hello")
    assert capsys.readouterr() == ("", "hello\n")


def test_errors_that_speak_for_themselves_stay_as_they_are() -> None:
    def refuse() -> None:
        raise InputError("state: expected six ponds")

    with watched(kalah(), "reading") as ask, pytest.raises(InputError, match="^state: expected six ponds$"):
        ask(refuse)
    with pytest.raises(InputError, match="^state: expected six ponds$"), compiling(kalah()):
        refuse()


def test_code_that_cannot_be_compiled_is_one_line() -> None:
    with pytest.raises(GameError) as error, compiling(kalah()):
        raise TypeError("no such type\nand a long story")
    assert str(error.value) == "kalah: cannot be compiled: TypeError: no such type"


def test_a_table_that_is_too_large_to_compile_is_named() -> None:
    table = np.zeros(200_000, np.int64)

    def features(state: tuple[int, ...], out: Any) -> None:
        out[0] = table[state[0]]

    named = pytest.raises(
        GameError, match=r"^piles: compiling needs more memory .* features .* table is an array of 1\.6 MB"
    )
    with named, compiling(piles(features=features)):
        raise MemoryError
    unnamed = pytest.raises(
        GameError, match="more memory than there is; does the game use a very large tuple"
    )
    with unnamed, compiling(piles()):
        raise MemoryError


WATCHED = """
import time
from tunesmith.tuning.play.sandbox.deadline import Watch
with Watch(0):
    pass
with Watch(600):
    print("in time", flush=True)
with Watch(0.05):
    time.sleep(600)
"""


def test_a_batch_without_end_ends_its_process_and_the_exit_code_says_so() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WATCHED], capture_output=True, text=True, check=False, timeout=300
    )
    assert ended.stdout == "in time\n"
    assert ended.returncode == deadline.HUNG


WORKED = """
import time
from tunesmith.tuning.play.sandbox.deadline import Watch
with Watch(600, 0.3):
    time.sleep(2)
print("waiting is no work", flush=True)
with Watch(600, 0.3):
    while True:
        pass
"""


def test_computing_without_end_is_told_from_waiting_on_a_busy_machine() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WORKED], capture_output=True, text=True, check=False, timeout=300
    )
    assert ended.stdout == "waiting is no work\n"
    assert ended.returncode == deadline.HUNG
