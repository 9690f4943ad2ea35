"""Play in a process of one's own, so that a game that hangs or dies takes nobody else along.

A Dask worker must survive the games it is given: a dead one is replaced, its task tried again on the next and
kills that one too. So each thread of a worker keeps a child that plays for it. The two talk through the child's
standard input and output, in frames of 8 bytes of length and then the object; what the game itself prints goes
to standard error. A child ends when nobody asks for long, when it has played `RENEWAL` games, and when its
parent is gone."""

import os
import select
import subprocess
import sys
import threading
from multiprocessing.reduction import ForkingPickler
from typing import Any, BinaryIO

from tunesmith.games.errors import GameError, TunesmithError
from tunesmith.tuning.play.matchup import RENEWAL, Answer, Batch, Matchup
from tunesmith.tuning.play.sandbox.process import ONE_THREAD, safe_environment, start
from tunesmith.tuning.play.worker import play_batch

IDLE = 120.0  # seconds without a question after which a child ends


class WorkerDiedError(Exception):
    """A process that played is gone; `code` is its exit code, negative for a signal."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def play_apart(matchup: Matchup, batch: Batch) -> Answer:
    """Play a batch in the child of this thread (`tuning.play.worker.play_batch`).

    Raises
    ------
    TunesmithError
        The game cannot be loaded or compiled there.
    WorkerDiedError
        The child died of the batch.
    """
    while True:
        child = _child()
        try:
            _send(child.stdin, (matchup, batch))
            answer = _receive(child.stdout)
        except (OSError, EOFError):
            _own.child = None
            if child.wait() != 0:
                raise WorkerDiedError(child.returncode) from None
            continue  # it had ended of itself, unasked
        if isinstance(answer, TunesmithError):
            raise answer
        assert_answer: Answer = answer
        return assert_answer


_own = threading.local()


def _child() -> Any:
    child = getattr(_own, "child", None)
    if child is None or child.poll() is not None:
        _own.child = child = subprocess.Popen(
            [sys.executable, "-m", "tunesmith.tuning.play.isolated", str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**safe_environment(), **ONE_THREAD},
        )
    return child


def _send(stream: BinaryIO, content: object) -> None:
    frame = ForkingPickler.dumps(content)
    stream.write(len(frame).to_bytes(8, "big"))
    stream.write(frame)
    stream.flush()


def _receive(stream: BinaryIO) -> Any:
    length = int.from_bytes(_exactly(stream, 8), "big")
    return ForkingPickler.loads(_exactly(stream, length))


def _exactly(stream: BinaryIO, length: int) -> bytes:
    found = stream.read(length)
    if len(found) < length:
        raise EOFError
    return found


def serve(parent: int) -> None:
    """Be the child: answer until there is a reason to end."""
    answers = os.fdopen(os.dup(1), "wb")
    start(parent)
    played = 0
    while played < RENEWAL and _is_asked():
        try:
            matchup, batch = _receive(sys.stdin.buffer)
        except EOFError:
            return
        answer = _answer(matchup, batch)
        played += 2 * len(batch.pairs)
        _send(answers, answer)


def _is_asked() -> bool:
    if sys.platform == "win32":
        return True  # pipes cannot be waited for there: the child stays as long as its parent
    return bool(select.select([sys.stdin.buffer], [], [], IDLE)[0])


def _answer(matchup: Matchup, batch: Batch) -> Answer | TunesmithError:
    try:
        return play_batch(matchup, batch)
    except TunesmithError as error:
        return error
    except Exception as error:  # code of the game, when it is loaded or compiled
        return GameError(f"{matchup.game}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    serve(int(sys.argv[1]))
