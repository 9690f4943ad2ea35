"""A game's own code may never come back: whoever waits for it here gets an error instead of waiting for ever.

Calls are made in a thread that is given up when one takes longer than `PATIENCE` seconds; it ends with the
process. Workers can be ended: a batch that goes on for ever ends its worker's process (`Watch`), and whoever sent the
batch reads that from the exit code."""

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, redirect_stdout
from typing import Any

from tunesmith.games.digest import follow
from tunesmith.games.errors import GameError, InputError, TunesmithError
from tunesmith.games.game import Game

PATIENCE = 60.0
LOOK = 0.5  # seconds between two looks at what a batch has used up
HUNG = 86  # exit code of a worker that ended itself because a batch went on for ever

Ask = Callable[..., Any]


@contextmanager
def watched(game: Game, doing: str) -> Generator[Ask]:
    """Give a function that calls what it is given with its arguments, watched; `doing` says what for.

    Raises
    ------
    GameError
        The call raises, or does not come back.
    """
    questions: queue.SimpleQueue[Any] = queue.SimpleQueue()
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_answer, args=(questions, answers), daemon=True).start()

    def ask(function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            with redirect_stdout(sys.stderr):  # what a game prints is no output of the command
                questions.put((function, arguments))
                answer, error = answers.get(timeout=PATIENCE)
        except queue.Empty:
            raise GameError(
                f"game {game.name!r}: no end in sight after {PATIENCE:g} s while {doing}: a function of the game "
                "hangs (tunesmith check says more)"
            ) from None
        if error is None:
            return answer
        if isinstance(error, TunesmithError):
            raise error
        raise GameError(
            f"game {game.name!r}: {type(error).__name__}: {error} while {doing} (tunesmith check says more)"
        ) from error

    try:
        yield ask
    finally:
        questions.put(None)


@contextmanager
def compiling(game: Game) -> Generator[None]:
    """Tell of code of the game that cannot be compiled in one line; no clock runs."""
    try:
        yield
    except InputError:
        raise
    except MemoryError as error:
        raise GameError(f"{game.name}: {_too_large(game)}") from error
    except Exception as error:  # whatever a compiler says about code of the game
        line = (str(error).splitlines() or [""])[0]
        raise GameError(f"{game.name}: cannot be compiled: {type(error).__name__}: {line[:200]}") from error


def _too_large(game: Game) -> str:
    """Say why there was not memory enough to compile, as far as it can be known."""
    tables = [table for function in game.functions().values() for table in follow(function)[1]]
    if not tables:
        return "compiling needs more memory than there is; does the game use a very large tuple, or very long code?"
    return f"compiling needs more memory than there is: {max(tables, key=lambda table: table.size).words}"


def _answer(questions: queue.SimpleQueue[Any], answers: queue.SimpleQueue[Any]) -> None:
    while (question := questions.get()) is not None:
        function, arguments = question
        try:
            answers.put((function(*arguments), None))
        except BaseException as error:  # code of the game may raise anything
            answers.put((None, error))


class Watch:
    """Ends the process when the block takes too long: compiled code cannot be stopped.

    Too long are `patience` seconds (0: no watch), or `work` seconds of computing (0: any amount), which a busy machine
    does not use up by letting the process wait.
    """

    def __init__(self, patience: float, work: float = 0.0) -> None:
        self._patience, self._work = patience, work
        self._is_over = threading.Event()

    def __enter__(self) -> None:
        if self._patience > 0:
            threading.Thread(target=self._look, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self._is_over.set()

    def _look(self) -> None:
        end, begun = time.monotonic() + self._patience, time.process_time()
        while not self._is_over.wait(min(LOOK, max(0.0, end - time.monotonic()))):
            is_worked_out = 0 < self._work <= time.process_time() - begun
            if is_worked_out or time.monotonic() >= end:
                os._exit(HUNG)
