"""An engine that speaks UCI or UGI, as a child process that cannot keep us waiting.

Every command has a time-out of our own, in seconds: an engine that exceeds it, dies or talks nonsense is killed
with all that it has started, and the caller gets an `EngineFault` with a short reason (`crash`, `hang`,
`time loss`, `ignores nodes`, `flood`, `nonsense`). Its words are those of a `Protocol`."""

import contextlib
import queue
import re
import subprocess
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tunesmith.tuning.external.limits import GoLimit
from tunesmith.tuning.external.options import Option, Setting, check_settings, read_option
from tunesmith.tuning.external.process_tree import ProcessTree
from tunesmith.tuning.external.protocol import UCI, Protocol

NO_MOVE = ("(none)", "0000", "NULL")
LONGEST_LINE = 1 << 16
QUOTED, LONGEST_QUOTE = 3, 200  # lines that an error quotes, and letters of one
FLOOD_LINES, FLOOD_LETTERS = 50_000, 1 << 23  # that no answer needs
WAITING_LINES = 10_000  # that are read before somebody asks for them; then the engine has to wait
LOST = -1_000_000  # score in place of a forced loss, whatever its distance; a win is its opposite
BOTH = 2  # of the two engines of a game, where nobody knows which one is at fault
_COMPLAINT = re.compile("illegal|not legal|invalid|position stays", re.IGNORECASE)
CHATTER = ("uciok", "ugiok", "readyok", "option name", "id ", "bestmove", "info depth", "info nodes")
FAR_BEYOND = 4  # times the nodes asked for, and
ANYWAY = 50_000  # as many more: engines look at the count every few thousand nodes
SINGLE = ("threads", "number of threads")  # more than one thread plays another game every time


class EngineFault(Exception):
    """An engine failed: `reason` in one or two words, `detail` for people.

    `side`: which of a game's two engines (0, 1, BOTH), None: the one that was spoken to.
    """

    def __init__(self, reason: str, detail: str, side: int | None = None) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail, self.side = reason, detail, side


class Clocks(NamedTuple):
    """Both sides' time left and increment, the first player's first, in milliseconds."""

    left: tuple[int, int]
    increments: tuple[int, int]
    side: int  # whose clock runs


class Answer(NamedTuple):
    """A move as the engine writes it (empty: none), the seconds it took, and the mover's last score, if it told one."""

    move: str
    seconds: float
    score: int | None


class Engine:
    """A running engine.

    Parameters
    ----------
    command
        Program and arguments.
    patience
        Seconds that an answer may take where no time is set.
    margin
        Seconds that a move may take beyond its `movetime`.
    folder
        Where it starts; None: where we are.
    protocol
        What it speaks.
    """

    def __init__(
        self,
        command: Sequence[str],
        patience: float = 30.0,
        margin: float = 1.0,
        folder: Path | None = None,
        protocol: Protocol = UCI,
    ) -> None:
        self._patience, self._margin, self._last = patience, margin, ""
        self.protocol, self._is_killed = protocol, False
        self._written: deque[str] = deque(maxlen=QUOTED)
        self._complaints: deque[str] = deque(maxlen=QUOTED)
        self._tree = ProcessTree()
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=self._tree.environment,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineFault("crash", f"cannot be started: {error.strerror}") from None
        self._lines: queue.Queue[tuple[float, str | None]] = queue.Queue(
            WAITING_LINES
        )  # and when it was read
        self._read_at = 0.0  # when the line in `_last` was
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read, self._overhear)]
        for reader in self._readers:
            reader.start()
        self.name = Path(command[0]).name
        self.complaint = ""  # of what it was told before it was last ready: a move that it calls illegal
        self.options: dict[str, Option] = {}
        self._greet()

    def _greet(self) -> None:
        self._send(self.protocol.hello)
        for line in self._until(self.protocol.welcome, self._patience, self.protocol.hello):
            option = read_option(line)
            if option is not None:
                self.options[option.name] = option
            elif line.startswith("id name "):
                self.name = line.removeprefix("id name ").strip()

    def defaults(self, hash_mb: int) -> dict[str, Setting]:
        """Return what we set unless told otherwise: no book, one thread, a small table, no pondering."""
        wanted: dict[str, Setting] = {"ownbook": False, "ponder": False, **dict.fromkeys(SINGLE, 1)}
        found: dict[str, Setting] = {}
        for name, option in self.options.items():
            value = wanted.get(name.lower())
            if name.lower() == "hash" and option.kind == "spin":
                found[name] = min(max(hash_mb, option.low or 1), option.high or hash_mb)
            elif value is not None and option.kind == ("check" if value is False else "spin"):
                found[name] = value
        return found

    def configure(self, wanted: Mapping[str, Any], where: str) -> None:
        """Set options; InputError for what the engine does not offer or cannot take."""
        for name, value in check_settings(self.options, wanted, where).items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            self._send(f"setoption name {name} value {text}")
        self.ready()

    def ready(self) -> None:
        """Wait until the engine has done all it was told, and forget what it said of its own accord until then."""
        self.complaint = ""
        self._forget()
        self._send("isready")
        for line in self._until("readyok", self._patience, "isready"):
            self._listen(line)

    def _listen(self, line: str) -> None:
        if line.startswith("info string") and _COMPLAINT.search(line):
            self.complaint = _printable(line.removeprefix("info string").strip())

    def _forget(self) -> None:
        for _ in range(self._lines.qsize()):  # not until it is empty: whoever floods us would keep us here
            end = self._lines.get()
            if end[1] is None:  # it has ended, which is not to be forgotten
                self._lines.put(end)
                return
            self._listen(end[1])  # it may have complained before it was asked whether it is ready

    def new_game(self) -> None:
        """Make the engine forget what it knows of earlier games."""
        self._send(self.protocol.new_game)
        self.ready()

    def set_position(self, fen: str, moves: Sequence[str]) -> None:
        """Tell the engine of a position; `fen` is the one before `moves` (empty: the start of the game)."""
        self._send(self.protocol.position(fen, moves))
        self.ready()  # an engine that has answered twice would else be taken to have answered this

    def ask(self, question: str, answers: Collection[str]) -> str:
        """Return the engine's answer to a question about its position (UGI), one of `answers`."""
        self._send(f"query {question}")
        for _ in self._until("response", self._patience, f"query {question}"):
            pass
        word = " ".join(self._last.split()[1:])
        if word not in answers:
            raise EngineFault(
                "nonsense",
                f"{_printable(word)!r} to 'query {question}', expected one of {', '.join(answers)}",
            )
        return word

    def go(self, fen: str, moves: Sequence[str], limit: GoLimit, clocks: Clocks | None = None) -> Answer:
        """Return the engine's answer in a position; `fen` is the one before `moves` (empty: the start).

        clocks
            Of a limit that is a clock: what both sides have left, and `side`, whose clock runs.
        """
        self.set_position(fen, moves)
        both = (limit.value, limit.value), (limit.increment, limit.increment)
        clocks = clocks or Clocks(*both, 0)
        seconds = max(clocks.left[clocks.side], 1) / 1000 if limit.is_clock else limit.seconds
        return self._answered(self.protocol.go(limit, clocks.left, clocks.increments), limit, seconds)

    def _answered(self, command: str, limit: GoLimit, seconds: float) -> Answer:
        most, score = FAR_BEYOND * limit.value + ANYWAY, None
        patience = seconds + self._margin if seconds else self._patience
        began = time.monotonic()
        self._send(command)
        for line in self._until("bestmove", patience, command, seconds > 0):
            words = line.split()
            score = _score(words, score)
            if limit.kind == "nodes" and _nodes(words) > most:
                self.kill()
                raise EngineFault(
                    "ignores nodes", f"asked for {limit.value} nodes, still searching after {_nodes(words)}"
                )
        used, answer = self._read_at - began, self._last.split()
        move = answer[1] if len(answer) > 1 and answer[1] not in NO_MOVE else ""
        return Answer(move, used, score)

    def _until(self, word: str, seconds: float, command: str, is_timed: bool = False) -> Iterator[str]:
        """Yield lines up to one that begins with `word`, which is left in `_last`."""
        deadline, n_lines, n_letters = time.monotonic() + seconds, 0, 0
        while True:
            try:
                at, line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                at, line = time.monotonic(), ""
            if line is None:
                self.kill()
                raise EngineFault("crash", f"{self._end()} at {command!r}{self._words()}")
            if line.split()[:1] == [word]:
                self._last, self._read_at = line, at
                return
            if time.monotonic() >= deadline:
                self.kill()
                raise EngineFault(
                    "time loss" if is_timed else "hang",
                    f"no answer to {command!r} in {seconds:g} s{self._words()}",
                )
            n_lines, n_letters = n_lines + 1, n_letters + len(line)
            if n_lines > FLOOD_LINES or n_letters > FLOOD_LETTERS:
                self.kill()
                raise EngineFault(
                    "flood", f"{n_lines:,} lines of {n_letters:,} letters after {command!r}, no answer"
                )
            yield line

    def _send(self, line: str) -> None:
        pipe = self._process.stdin
        try:
            if pipe is not None:
                pipe.write(line.encode() + b"\n")
                pipe.flush()
        except (OSError, ValueError):
            self.kill()
            raise EngineFault("crash", f"{self._end()} before {line!r}{self._words()}") from None

    def _end(self) -> str:
        return f"ended with code {self._process.returncode}"

    def _words(self) -> str:
        """Quote the last lines of an engine that was killed, those of its error output if there are any."""
        for reader in self._readers:
            reader.join(1.0)  # a child of it may hold its output open
        said = [_printable(line) for line in (list(self._complaints) or list(self._written))]
        return f"; it wrote: {' | '.join(said)}" if said else ""

    def _read(self) -> None:
        pipe = self._process.stdout
        with contextlib.suppress(OSError, ValueError):
            while pipe is not None:
                line, now = pipe.readline(LONGEST_LINE), time.monotonic()
                if not line:
                    break
                text = line.decode("utf-8", "replace").strip()
                if text and not text.startswith(CHATTER):
                    self._written.append(text)
                if not self._is_killed:
                    self._lines.put((now, text))
        self._lines.put((time.monotonic(), None))

    def _overhear(self) -> None:
        pipe = self._process.stderr
        with contextlib.suppress(OSError, ValueError):
            while pipe is not None and (line := pipe.readline(LONGEST_LINE)):
                if text := line.decode("utf-8", "replace").strip():
                    self._complaints.append(text)

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def close(self) -> None:
        """Ask the engine to quit; kill what is left of it."""
        with contextlib.suppress(EngineFault):
            if self.is_alive:
                self._send("quit")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self.kill()

    def kill(self) -> None:
        """Kill the engine and all that it has started, and collect it."""
        self._is_killed = True
        self._tree.kill(self._process)
        with contextlib.suppress(queue.Empty):  # a reader that waits for room comes free
            while True:
                self._lines.get_nowait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError, ValueError):
                if pipe is not None and pipe is self._process.stdin:
                    pipe.close()


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)[:LONGEST_QUOTE]


def _nodes(words: Sequence[str]) -> int:
    """Return the number of nodes that an `info` line reports, 0 if it reports none."""
    if words[:1] != ["info"] or "nodes" not in words[:-1]:
        return 0
    text = words[words.index("nodes") + 1]
    return int(text) if text.isascii() and text.isdigit() else 0


def _score(words: Sequence[str], before: int | None) -> int | None:
    """Return the score that an `info` line tells (cp; LOST, or its opposite, for a forced end), or the one before."""
    if words[:1] != ["info"] or "score" not in words[:-2]:
        return before
    kind, text = words[words.index("score") + 1 : words.index("score") + 3]
    try:
        value = int(text)
    except ValueError:
        return before
    if kind == "mate":
        return -LOST if value > 0 else LOST
    return value if kind == "cp" else before
