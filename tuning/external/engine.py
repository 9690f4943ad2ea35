"""An engine that speaks UCI, as a child process that cannot keep us waiting.

Every command has a time-out of our own, in seconds: an engine that exceeds it, dies or talks nonsense is killed
with all that it has started, and the caller gets an `EngineFault` with a short reason (`crash`, `hang`,
`time loss`, `ignores nodes`). Options are checked against what the engine offers before they are sent, because UCI
has no answer to a misspelt one. Source: the UCI protocol by S. Meyer-Kahlen, 2006."""

import contextlib
import difflib
import os
import queue
import re
import shlex
import shutil
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunesmith.games.errors import InputError
from tunesmith.tuning.external.process_tree import ProcessTree

PLACES = ("/usr/games", "/usr/local/games")  # of Debian's engines, often not on PATH
KINDS = ("nodes", "depth", "movetime")
NO_MOVE = ("(none)", "0000", "NULL")
LONGEST_LINE = 1 << 16
QUOTED, LONGEST_QUOTE = 3, 200  # lines that an error quotes, and letters of one
CHATTER = ("uciok", "readyok", "option name", "id ", "bestmove", "info depth", "info nodes")
FAR_BEYOND = 4  # times the nodes asked for, and
ANYWAY = 50_000  # as many more: engines look at the count every few thousand nodes
SINGLE = ("Threads", "Number of Threads")  # more than one thread plays another game every time
_OPTION = re.compile(r"option name (.+?) type (check|spin|combo|button|string)(?: (.*))?$")
_WORDS = {"true": True, "false": False}

Setting = bool | int | str


class EngineFault(Exception):
    """An engine failed: `reason` in one or two words, `detail` for people."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail


@dataclass(frozen=True)
class GoLimit:
    """What ends the search of a move: so many `nodes`, plies of `depth`, or milliseconds of `movetime`."""

    kind: str
    value: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.value}"

    @property
    def seconds(self) -> float:
        """Time that the move takes by itself, 0 where that is not known."""
        return self.value / 1000 if self.kind == "movetime" else 0.0


def parse_go(text: str) -> GoLimit:
    """Return the limit of a text such as `nodes:2000`, `depth:5`, `movetime:50` (ms) or `time:0.05` (s)."""
    kind, _, value = text.partition(":")
    with contextlib.suppress(ValueError):
        number = float(value) * 1000 if kind == "time" else float(int(value))
        kind = "movetime" if kind == "time" else kind
        if kind in KINDS and 1 <= number < 1e12:
            return GoLimit(kind, round(number))
    raise InputError(f"limit: expected nodes:N, depth:N, movetime:MS or time:SECONDS, found {text!r}")


@dataclass(frozen=True)
class Option:
    """An option that an engine offers; `low` and `high` of a spin, `words` of a combo."""

    name: str
    kind: str
    default: Setting | None = None
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()

    def check(self, value: Any, where: str) -> Setting:
        """Return a value that the engine can take, or raise InputError."""
        match self.kind:
            case "check":
                is_good, expected = isinstance(value, bool), "true or false"
            case "spin":
                low, high = (-(2**63) if self.low is None else self.low), (self.high or 0)
                high = 2**63 if self.high is None else high
                is_good = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
                expected = f"a whole number, {low} .. {high}"
            case "combo":
                is_good, expected = value in self.words, "one of " + ", ".join(self.words)
            case "string":
                is_good = isinstance(value, str) and "\n" not in value
                expected = "text of one line"
            case _:
                is_good, expected = False, "nothing: it is a button"
        if not is_good:
            raise InputError(f"{where}: expected {expected}, found {value!r}")
        return value  # type: ignore[no-any-return]


def read_option(line: str) -> Option | None:
    """Return the option that a line of the engine declares, None for any other line."""
    found = _OPTION.match(line.strip())
    if found is None:
        return None
    name, kind, rest = found[1], found[2], found[3] or ""
    parts = re.split(r"(?:^|\s)(default|min|max|var)(?:\s|$)", rest)
    values = [(key, value.strip()) for key, value in zip(parts[1::2], parts[2::2], strict=True)]
    of = dict(values)
    words = tuple(value for key, value in values if key == "var")
    default: Setting | None = of.get("default")
    low, high = (_whole(of.get(key)) for key in ("min", "max"))
    if kind == "spin":
        default = _whole(of.get("default"))
    elif kind == "check":
        default = _WORDS.get(str(default).lower())
    return Option(name, kind, default, low, high, words)


def _whole(text: str | None) -> int | None:
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


def check_settings(
    offered: Mapping[str, Option], wanted: Mapping[str, Any], where: str
) -> dict[str, Setting]:
    """Return settings that an engine offers with values it can take; refuse all others by name."""
    return {
        name: find_option(offered, name, where).check(value, f"{where}: {name}")
        for name, value in wanted.items()
    }


def find_option(offered: Mapping[str, Option], name: str, where: str) -> Option:
    """Return an offered option by its exact name; the error names the nearest one."""
    if name not in offered:
        folded = {known.lower(): known for known in offered}
        near = difflib.get_close_matches(name.lower(), list(folded), n=1, cutoff=0.5)
        hint = f"; did you mean {folded[near[0]]!r}?" if near else ""
        raise InputError(f"{where}: the engine offers no option {name!r}{hint}")
    return offered[name]


def find_program(command: str, folder: Path | None = None) -> str:
    """Return the path of an engine: as given, beside the study file, on PATH, or where Debian puts games."""
    return find_command(command, folder)[0][0]


def find_command(command: str, folder: Path | None = None) -> tuple[tuple[str, ...], Path]:
    """Return the program and the arguments of a command line, and the folder where the engine starts.

    A program is a file (a path counts from `folder`; blanks in it need no quotes), or a name on PATH or where
    Debian puts games. It starts in its own folder; one found by its name in `folder`, or here without one.
    """
    here = Path.cwd() if folder is None else folder
    words = [match.end() for match in re.finditer(r"\S+", command)]
    for end in reversed(words):
        file = here / command[:end].strip()
        if folder is not None and file.is_file():  # a link may be what makes it run (virtual environments)
            return (str(file.absolute()), *_split(command[end:])), file.absolute().parent
    first, *rest = _split(command) or [command]
    if folder is not None and (here / first).is_file():
        return (str((here / first).absolute()), *rest), (here / first).absolute().parent
    path = os.pathsep.join([os.environ.get("PATH", ""), *PLACES])
    found = shutil.which(first, path=path)
    if found is None:
        raise InputError(f"engine {command!r}: no such program on PATH or in {', '.join(PLACES)}")
    if os.path.dirname(first):
        return (os.path.abspath(found), *rest), Path(found).absolute().parent
    return (found, *rest), here.absolute()


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text, posix=os.name != "nt")
    except ValueError:  # a quote that does not close is a letter of a name
        return text.split()


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
    """

    def __init__(
        self,
        command: Sequence[str],
        patience: float = 30.0,
        margin: float = 1.0,
        folder: Path | None = None,
    ) -> None:
        self._patience, self._margin, self._last = patience, margin, ""
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
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read, self._overhear)]
        for reader in self._readers:
            reader.start()
        self.name = Path(command[0]).name
        self.options: dict[str, Option] = {}
        self._greet()

    def _greet(self) -> None:
        self._send("uci")
        for line in self._until("uciok", self._patience, "uci"):
            option = read_option(line)
            if option is not None:
                self.options[option.name] = option
            elif line.startswith("id name "):
                self.name = line.removeprefix("id name ").strip()

    def defaults(self, hash_mb: int) -> dict[str, Setting]:
        """Return what we set unless told otherwise: no book, one thread, a small table, no pondering."""
        wanted: dict[str, Setting] = {"OwnBook": False, "Ponder": False, **dict.fromkeys(SINGLE, 1)}
        hash_option = self.options.get("Hash")
        if hash_option is not None and hash_option.kind == "spin":
            wanted["Hash"] = min(max(hash_mb, hash_option.low or 1), hash_option.high or hash_mb)
        return {
            name: value
            for name, value in wanted.items()
            if name in self.options and self.options[name].kind == ("check" if value is False else "spin")
        }

    def configure(self, wanted: Mapping[str, Any], where: str) -> None:
        """Set options; InputError for what the engine does not offer or cannot take."""
        for name, value in check_settings(self.options, wanted, where).items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            self._send(f"setoption name {name} value {text}")
        self.ready()

    def ready(self) -> None:
        """Wait until the engine has done all it was told, and forget what it said of its own accord until then."""
        self._forget()
        self._send("isready")
        for _ in self._until("readyok", self._patience, "isready"):
            pass

    def _forget(self) -> None:
        while not self._lines.empty():
            if self._lines.get() is None:  # it has ended, which is not to be forgotten
                self._lines.put(None)
                return

    def new_game(self) -> None:
        """Make the engine forget what it knows of earlier games."""
        self._send("ucinewgame")
        self.ready()

    def go(self, fen: str, moves: Sequence[str], limit: GoLimit) -> str:
        """Return the engine's move as it writes it, empty if it has none; `fen` is the position before `moves`."""
        self._send(f"position fen {fen}" + (f" moves {' '.join(moves)}" if moves else ""))
        self.ready()  # an engine that has answered twice would else be taken to have answered this
        self._send(f"go {limit.kind} {limit.value}")
        most = FAR_BEYOND * limit.value + ANYWAY
        patience = limit.seconds + self._margin if limit.seconds else self._patience
        for line in self._until("bestmove", patience, f"go {limit.kind} {limit.value}", limit.seconds > 0):
            words = line.split()
            if limit.kind == "nodes" and _nodes(words) > most:
                self.kill()
                raise EngineFault(
                    "ignores nodes", f"asked for {limit.value} nodes, still searching after {_nodes(words)}"
                )
        answer = self._last.split()
        return answer[1] if len(answer) > 1 and answer[1] not in NO_MOVE else ""

    def _until(self, word: str, seconds: float, command: str, is_timed: bool = False) -> Iterator[str]:
        """Yield lines up to one that begins with `word`, which is left in `_last`."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                line = ""
            if line is None:
                self.kill()
                raise EngineFault("crash", f"{self._end()} at {command!r}{self._words()}")
            if line.split()[:1] == [word]:
                self._last = line
                return
            if time.monotonic() >= deadline:
                self.kill()
                raise EngineFault(
                    "time loss" if is_timed else "hang",
                    f"no answer to {command!r} in {seconds:g} s{self._words()}",
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
                line = pipe.readline(LONGEST_LINE)
                if not line:
                    break
                text = line.decode("utf-8", "replace").strip()
                if text and not text.startswith(CHATTER):
                    self._written.append(text)
                self._lines.put(text)
        self._lines.put(None)

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
        self._tree.kill(self._process)
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
