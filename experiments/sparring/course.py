"""One game under a course's referee, and what its words say of it.

Both referees that are known (Expendibots, 2020; RoPaSci 360, 2021) write the same words with `-v 1`: who is asked,
what was returned, the CPU time and memory that are used, and the result or the fault. Our rules play the moves
again and must come to the referee's result."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.searcher import NODES, REACHED, SCORE
from tunesmith.experiments.sparring.opponent import NOBODY, OURS, THEIRS, Played
from tunesmith.games.errors import InputError
from tunesmith.tuning.export.agent.referee import expendibots_text, ropasci_text

AGENT, SEAT, THOUGHTS = "tunesmith_agent", "tunesmith_seat", "thoughts.jsonl"
TEXTS = {"expendibots": expendibots_text, "ropasci360": ropasci_text}
FIRST, SECOND = ("white", "upper"), ("black", "lower")
PATIENCE = 3600  # seconds on the clock for one game, where the processor is shared

# Our agent with a seed, which no referee gives it; after each action it notes what it thought.
PACKAGE = f'''
import json
from {AGENT}.player import Player as Agent

class Player(Agent):
    def __init__(self, colour):
        super().__init__(colour, {{seed}})
    def action(self):
        action, counters = super().action(), self.thinker.memory.counters
        found = [counters[{REACHED:d}], counters[{SCORE:d}] / 100, counters[{NODES:d}], self.thinker.seconds]
        with open("{THOUGHTS}", "a") as file:
            file.write(json.dumps(found) + "\\n")
        return action
'''

_ASKED = re.compile(r"\* +(?:asking|updating) player ([12])|\* +initialising (\w+) player")
_RETURNED = re.compile(r"\* +player [12] \(\w+\) returned action: (.*)")
_USED = re.compile(r"\* +time: .*?([\d.]+)s +\(game total\)")
_RESULT = re.compile(r"\* (?:winner: (\w+)|(draw).*)")
_ILLEGAL = re.compile(r"\* (?:error: )?(\w+) player's action")
_LATE = re.compile(r"\* player ([12]) \(\w+\) exceeded available time")
_NUMPY = re.compile(r"np\.\w+\(([^()]*)\)")


@dataclass(frozen=True)
class Course:
    """A folder with the package `referee` and the opponents' packages; the folder that holds our agent; limits."""

    folder: Path
    agent: Path
    seconds: float = 60
    megabytes: float = 100


def game_of(folder: Path) -> str:
    """Return the name of the game that a referee's folder is for."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((folder / "referee").glob("*.py")))
    known = {"Expendibots": "expendibots", "RoPaSci 360": "ropasci360"}
    for words, name in known.items():
        if f'GAME_NAME = "{words}"' in text:
            return name
    raise InputError(f"{folder}: expected a folder with the package referee of {' or '.join(known)}")


def play(course: Course, package: str, we_begin: bool, seed: int) -> Played:
    """Play one game in a copy of the folder."""
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as made:
        room = Path(made) / "room"
        shutil.copytree(course.folder, room, ignore=shutil.ignore_patterns(".git"))
        shutil.copytree(course.agent, room / AGENT)
        (room / SEAT).mkdir()
        (room / SEAT / "__init__.py").write_text(PACKAGE.format(seed=seed))
        players = (SEAT, package) if we_begin else (package, SEAT)
        limits = ["-t", f"{course.seconds:g}", "-s", f"{course.megabytes:g}", "-v", "1"]
        said = _run([sys.executable, "-m", "referee", *players, *limits], room)
        played = read(said, game_of(course.folder), we_begin, seed)
        if (room / THOUGHTS).exists():
            played.thoughts = [json.loads(line) for line in (room / THOUGHTS).read_text().splitlines()]
    return played


def _run(call: list[str], room: Path) -> str:
    one_thread = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    try:
        return subprocess.run(
            call, check=False, cwd=room, env=kept | one_thread, text=True, errors="replace", timeout=PATIENCE,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        ).stdout  # fmt: skip
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode("utf-8", "replace") if error.stdout else ""


def read(said: str, game: str, we_begin: bool, seed: int) -> Played:
    """Return the game that a referee's words tell of."""
    at, used, moves, lines = 0, [0.0, 0.0], [], said.splitlines()
    for line in lines:
        if found := _ASKED.match(line):
            at = int(found[1]) - 1 if found[1] else int(found[2] in SECOND)
        elif found := _USED.match(line):
            used[at] = float(found[1])
        elif found := _RETURNED.match(line):
            moves.append(_text(game, found[1]))
    result, ending, side = _end(lines, at)
    if result is not None and (fault := _disagreement(game, moves, result)):
        result, ending, side = None, fault, None
    if result is not None:
        result, fault_of = result if we_begin else -result, None
    else:
        fault_of = NOBODY if side is None else OURS if (side == 0) == we_begin else THEIRS
    return Played(we_begin, seed, moves, result, ending, fault_of, used if we_begin else used[::-1])


def _end(lines: list[str], at: int) -> tuple[int | None, str, int | None]:
    """Return the first player's result, how the game ended, and which player is at fault, None for nobody alone."""
    words = list(_last_words(lines))
    for line in words:
        if found := _RESULT.match(line):
            result = 0 if found[2] else 1 if found[1] in FIRST else -1
            return result, line[2:], None
        if found := _ILLEGAL.match(line):
            return None, "illegal action", int(found[1] in SECOND)
        if found := _LATE.match(line):
            return None, "out of time", int(found[1]) - 1
        if "exceeded shared space" in line:
            return None, "out of memory", None
    crash = next((line for line in reversed(lines) if re.match(r"[\w.]+(Error|Exception|Exit)\b", line)), "")
    return None, f"crash: {crash:.80}" if crash else "no end", at


def _last_words(lines: list[str]) -> Iterator[str]:
    """Give what is said once the game is over."""
    for number, line in enumerate(lines):
        if line.startswith(("** game over", "** game error")):
            yield from lines[number + 1 :]


def _text(game: str, action: str) -> str:
    """Return an action in the words of our game; as it was told where it is none."""
    try:
        return TEXTS[game](ast.literal_eval(_NUMPY.sub(r"\1", action)))
    except (ValueError, SyntaxError, TypeError, KeyError, IndexError):
        return action


def _disagreement(name: str, moves: list[str], result: int) -> str:
    """Return what our rules say otherwise than the referee, nothing if they agree."""
    board = Board(games.load(name))
    try:
        for move in moves:
            board.push(move)
    except InputError as error:
        return f"our rules: {error!s:.80}"
    return "" if board.result == result else f"our rules: result {board.result}, not {result}"
