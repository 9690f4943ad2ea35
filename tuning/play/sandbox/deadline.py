"""A game's own code may never come back: whoever waits for it here gets an error instead of waiting for ever.

Calls are made in a thread that is given up when one takes longer than `PATIENCE` seconds; it ends with the
process. Workers, which can be ended, have a watch of their own (`tuning.play.worker`)."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from tunesmith.games.errors import GameError, InputError, TunesmithError
from tunesmith.games.game import Game

PATIENCE = 60.0

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
        questions.put((function, arguments))
        try:
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
    except Exception as error:  # whatever a compiler says about code of the game
        line = (str(error).splitlines() or [""])[0]
        raise GameError(f"{game.name}: cannot be compiled: {type(error).__name__}: {line[:200]}") from error


def _answer(questions: queue.SimpleQueue[Any], answers: queue.SimpleQueue[Any]) -> None:
    while (question := questions.get()) is not None:
        function, arguments = question
        try:
            answers.put((function(*arguments), None))
        except BaseException as error:  # code of the game may raise anything
            answers.put((None, error))


__all__ = ["Ask", "compiling", "watched"]
