"""Pages that run: the blocks of a Markdown page, one after the other, in one folder.

What a block is follows from the line that opens it:

    ```python game.py       a file with a name is written (toml, json, c ... likewise), nothing is run
    ```python               without a name it is run
    ```console              lines after `$ ` are commands, the lines below each are its whole output
    ```console numbers      the same words; numbers may differ (fitted, or told by a clock)
    ```console exit=2       the last command ends with this code; with 2, its output is the line on standard error
    ```console all          standard error first, then standard output
    ```sh                   commands that are shown and not run: they are read, so that what they name exists
    ```text                 an output whose command stands below it: a recorded figure
    ```                     a drawing

A line `...` in an output stands for any lines, `…` in a line for anything. Commands of a page run as they stand: nothing is made smaller. Only the
port 8786 is another one in the test. A command that ends with `&` goes on until the page ends."""

import importlib.util
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import typer

from tests import IMPORTS
from tunesmith.tuning.cli import run
from tunesmith.tuning.cli.app import app
from tunesmith.tuning.config import parse_options
from tunesmith.tuning.play.player import OWN, split

PORT = "8786"  # on which somebody's own scheduler may listen
ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\S*) ?(.*)\n((?:.*\n)*?)```$", re.M)
NUMBER = re.compile(r"\b[0-9a-f]{12,64}\b|[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")


class Block(NamedTuple):
    """A fenced block: its language, the words after it, its text, the line of the page it begins at."""

    language: str
    words: list[str]
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    return [
        Block(found[1], found[2].split(), found[3], page[: found.start()].count("\n") + 1)
        for found in FENCE.finditer(page)
    ]


def commands(block: Block) -> list[tuple[str, str]]:
    """Return each command of a console block with the output shown below it."""
    pieces = re.split(r"^\$ ", block.text, flags=re.M)
    assert not pieces[0].strip(), f"line {block.line}: output before the first command"
    joined = (piece.replace("\\\n", " ") for piece in pieces[1:])
    return [(command.strip(), output) for command, _, output in (piece.partition("\n") for piece in joined)]


def read(line: str) -> None:
    """Read a line of shell as the program that it calls would, if it is one of ours; nothing is run.

    Raises
    ------
    Exception
        A command, option, option of a player, module or target that it names does not exist.
    """
    words = shlex.split(line, comments=True)
    for word in words if words[:1] == ["tunesmith"] else ():
        if re.fullmatch(r"[\w-]+@\w+=.*", word):
            parse_options(split(word)[1], word, others=OWN)
    if words[:1] == ["tunesmith"]:
        _understand(typer.main.get_command(app), words[1:])
    elif words[:1] == ["make"]:
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
        assert all(word in targets for word in words[1:] if "=" not in word), line
    elif words[1:2] == ["-m"] and words[2].startswith("tunesmith."):
        assert importlib.util.find_spec(words[2]) is not None, line


def _understand(command: Any, words: list[str]) -> None:
    """Find a command, below its group, and parse the words after it."""
    while hasattr(command, "commands") and words != ["--help"]:
        command, words = command.commands[words[0]], words[1:]
    if words != ["--help"]:
        command.make_context(command.name, words)


def agrees(shown: str, real: str, any_numbers: bool) -> bool:
    """Tell whether an output is what the page shows."""
    wanted, found = (canonical(text, any_numbers) for text in (shown, real))
    parts = (re.escape(line).replace("…", ".*") + "\n" if line != "..." else r"(?:.*\n)*?" for line in wanted)
    return re.fullmatch("".join(parts), "".join(line + "\n" for line in found)) is not None


def canonical(text: str, any_numbers: bool) -> list[str]:
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if any_numbers:  # columns of other numbers have other widths
        lines = [re.sub(r" +", " ", NUMBER.sub("#", line)).strip() for line in lines]
    return lines


def listens(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


class Page:
    """A page at work in a folder, which is the current one."""

    def __init__(self, folder: Path, read: Callable[[], Any]) -> None:
        self.folder = folder
        self._read = read  # capsys.readouterr
        self._names: dict[str, Any] = {}
        self._behind: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = str(free.getsockname()[1])

    def play(self, block: Block) -> None:
        """Write or run one block."""
        if block.language == "console":
            *before, last = commands(block)
            for command, shown in before:
                self._command(command, shown, block, 0)
            wanted = next((int(word[5:]) for word in block.words if word.startswith("exit=")), 0)
            self._command(*last, block, wanted)
        elif block.words:
            path = self.folder / block.words[0]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "sh":
            for line in block.text.replace("\\\n", " ").splitlines():
                read(line)
        elif block.language in ("text", ""):
            pass  # tests of the figures, or of the map, know what it says
        elif block.language == "python":
            exec(compile(block.text, f"block of line {block.line}", "exec"), self._names)
        else:
            raise AssertionError(f"line {block.line}: a block that is neither run nor written")

    def _command(self, command: str, shown: str, block: Block, expected: int) -> None:
        code, out, err = self.done(command)
        where = f"line {block.line}: {command}\n{err}{out}"
        assert code == expected, f"exit code {code}; {where}"
        # Watchers of earlier commands, which end with their process elsewhere, may still speak before it.
        refusal = err[max(0, err.find("tunesmith: ")) :]
        real = err + out if "all" in block.words else refusal if expected == 2 else out
        assert agrees(shown, real, "numbers" in block.words), f"other output; {where}"

    def done(self, command: str) -> tuple[int, str, str]:
        """Run a command; return its exit code, output and errors."""
        command = command.replace(PORT, self._port)
        if command.startswith("tunesmith "):
            self._read()
            code = run(shlex.split(command)[1:])
            out, err = self._read()
            return code, out, err
        environment = {**os.environ, "PYTHONPATH": IMPORTS}
        environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        if command.endswith("&"):
            self._start(command.rstrip("& "), environment)
            return 0, "", ""
        done = subprocess.run(
            command, shell=True, env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr

    def _start(self, command: str, environment: dict[str, str]) -> None:
        """Start what goes on; if it is to listen, wait until it does, as a person waits for its first line."""
        with (self.folder / f"behind-{len(self._behind)}.log").open("w") as log:
            process = subprocess.Popen(
                command, shell=True, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        self._behind.append(process)
        end = time.monotonic() + 100
        while f"--port {self._port}" in command and not listens(int(self._port)):
            assert time.monotonic() < end and process.poll() is None, f"{command}: does not listen"
            time.sleep(0.1)

    def close(self) -> None:
        """End what still runs."""
        for process in reversed(self._behind):
            os.killpg(process.pid, signal.SIGTERM)
        for process in self._behind:
            process.wait(timeout=30)
