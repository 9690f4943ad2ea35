"""The contract check in a process of its own, so that no game can hang or crash the one that asks.

The child plays and reports twice a second how many questions it has asked and which one is open. The parent
ends it when one question stays open too long (an endless loop), or finds it dead (compiled code that writes
anywhere): both are problems like any other. Messages are lines of JSON on the child's standard output; what
the game itself prints goes to standard error."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from typing import Any, TextIO

from tunesmith.engine.check import COMPILED_CODE, Examined, Problem, Watch, examine
from tunesmith.games.errors import GameError, InputError, TunesmithError
from tunesmith.games.registry import load
from tunesmith.tuning.play.sandbox.process import safe_environment

PATIENCE = 10.0  # seconds for one call of one function
COMPILER_PATIENCE = 900.0
LOADING = "the game's file"
_BEAT = 0.5
_SILENCE = 30.0  # without any beat the process hangs as a whole (a single operation that never ends)

Message = dict[str, Any]  # one line of JSON between the two processes


def check_spec(
    spec: str, positions: int = 2000, seed: int = 0, compiled: bool = True, patience: float = PATIENCE
) -> Examined:
    """Return what is wrong with the game of a spec, and what could not be checked; see `engine.check.examine`.

    Parameters
    ----------
    patience
        Seconds after which a function that has not returned counts as endless.

    Raises
    ------
    InputError, GameError
        There is no such game, or its file does not run.
    """
    request = {"spec": spec, "positions": positions, "seed": seed, "compiled": compiled}
    code = "from tunesmith.tuning.play.sandbox.contract import child; child()"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env=safe_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        return _converse(process, request, patience)
    finally:
        process.kill()
        process.wait()


def _converse(process: subprocess.Popen[str], request: Message, patience: float) -> Examined:
    lines: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):  # a child that died says so by its end
        print(json.dumps(request), file=process.stdin, flush=True)
    beat: Message = {"calls": -1, "function": LOADING, "limited": True}
    since = time.monotonic()
    while True:
        try:
            line = lines.get(timeout=patience + _SILENCE)
        except queue.Empty:
            what = f"the process stopped answering for {patience + _SILENCE:g} s in or after this call"
            return _ended(_problem({"rule": "time", "what": what, **_where(beat)}))
        if line is None:
            return _ended(_crashed(beat, process.wait()))
        message = json.loads(line)
        if "problems" in message:
            return Examined([_problem(fields) for fields in message["problems"]], message["unchecked"])
        if "refused" in message:
            raise (InputError if message["kind"] == "InputError" else GameError)(message["refused"])
        if message["calls"] != beat["calls"]:
            since = time.monotonic()
            beat = {}
        beat = {**beat, **message}
        allowed = patience if beat["limited"] else COMPILER_PATIENCE
        if time.monotonic() - since > allowed:
            what = f"did not return within {allowed:g} s"
            return _ended(_problem({"rule": "time", "what": what, **_where(beat)}))


def _ended(problem: Problem) -> Examined:
    """Return what is left of a check that this problem has ended."""
    return Examined([problem], ["anything after this: it ended the check"])


def _read(stream: TextIO, lines: queue.Queue[str | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def _problem(fields: Message) -> Problem:
    state = fields["state"]
    return Problem(**{**fields, "state": tuple(state) if isinstance(state, list) else state})


def _crashed(beat: Message, code: int) -> Problem:
    try:
        how = signal.Signals(-code).name
    except ValueError:
        how = f"exit code {code}"
    what = f"the process died ({how}) in or after this call; does compiled code write outside its buffer?"
    return _problem({"rule": "crash", "what": what, **_where(beat)})


def _where(beat: Message) -> Message:
    return {"function": beat["function"], "position": beat.get("position", ""), "state": beat.get("state")}


# --- the child


def child() -> None:
    """Answer one request from standard input (the other side of `check_spec`)."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a game prints is no answer
    request = json.loads(sys.stdin.readline())
    speaker = _Speaker(replies)
    speaker.watch.start(LOADING)
    threading.Thread(target=speaker.run, daemon=True).start()
    try:
        game = speaker.game = load(request.pop("spec"))
        found = examine(game, watch=speaker.watch, **request)
    except TunesmithError as error:
        speaker.say({"refused": str(error), "kind": type(error).__name__})
    else:
        problems = [asdict(problem) for problem in found.problems]
        speaker.say({"problems": problems, "unchecked": found.unchecked})
    os._exit(0)  # threads of the game may never end


class _Loud(Watch):
    """Reports every call of compiled code before it is made: if it kills the process, the position is known."""

    def __init__(self, speaker: _Speaker) -> None:
        super().__init__()
        self._speaker = speaker

    def start(self, function: str, state: Any = None, limited: bool = True) -> None:
        """Say that `function` is about to run."""
        super().start(function, state, limited)
        if function == COMPILED_CODE:
            self._speaker.beat(with_text=True)


class _Speaker:
    """Sends beats, and the answer, one line at a time."""

    def __init__(self, replies: TextIO) -> None:
        self.game: Any = None
        self.watch = _Loud(self)
        self._replies, self._lock = replies, threading.Lock()

    def say(self, message: Message) -> None:
        """Send one message."""
        with self._lock:
            print(json.dumps(message, default=repr), file=self._replies, flush=True)

    def beat(self, with_text: bool = False) -> int:
        """Send what is being asked; return the number of questions."""
        beat = {name: getattr(self.watch, name) for name in ("calls", "function", "state", "limited")}
        self.say({**beat, "position": self._text(beat["state"])} if with_text else beat)
        return self.watch.calls

    def run(self) -> None:
        """Send a beat twice a second; the position's text only where a question stays open."""
        calls = -1
        while True:
            if self.game is not None and calls == self.watch.calls:
                self.beat(with_text=True)
            calls = self.beat()
            time.sleep(_BEAT)

    def _text(self, state: Any) -> str:
        try:
            return str(self.game.state_to_text(state))
        except Exception:  # the text is for a message only
            return ""
