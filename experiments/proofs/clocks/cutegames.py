"""Does a runner that we did not write play a whole match of our engine?

[cutegames](https://github.com/kz04px/cutegames) (C++) runs two `tunesmith ugi` processes, the tuned against the
hand-made weights, from random openings with sides exchanged, by the clock; it knows nothing of the game and asks both
engines after each move. Its PGN file is then replayed by our rules: every move must be legal, every result the right
one. The exit code is 1 if a game was lost on time, adjudicated, or not as our rules say.

    python -m tunesmith.experiments.proofs.clocks.cutegames cutegames/build/cutegames --games 32
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tunesmith import games as game_registry
from tunesmith.engine.board import Board
from tunesmith.engine.files import write
from tunesmith.experiments.bench import machine
from tunesmith.experiments.proofs.clocks.ugi_games import opening
from tunesmith.experiments.questions.page import markdown
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.external.limits import parse_go
from tunesmith.tuning.files import read_json, write_json

NAMES = ("tuned", "hand")
RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0, "*": None}
TAG = re.compile(r'\[(\w+) "(.*)"\]')
COMMAND = "python -m tunesmith.experiments.proofs.clocks.cutegames"
HEAD = ["game", "clock", "games", "tuned won", "drawn", "lost", "out of time", "other faults", "replayed"]


class PgnGame(NamedTuple):
    """A game of the runner's file: tags by name, moves in the game's notation, the first player's result."""

    tags: dict[str, str]
    moves: list[str]
    result: int | None


def settings(folder: Path, name: str, clock: str, games: int) -> dict[str, Any]:
    """Return what the runner is told."""
    limit = parse_go(f"tc:{clock}")
    return {
        "games": games,
        "concurrency": 1,
        "game": "generic",
        "tournament": "roundrobin",
        "protocol": {"askturn": True, "gameover": "both"},
        "openings": {"path": str(folder / "openings.txt"), "repeat": True, "shuffle": False},
        "timecontrol": {"type": "clock", "time": limit.value, "increment": limit.increment},
        "pgn": {"enabled": True, "path": str(folder / "games.pgn"), "colour1": "First", "colour2": "Second"},
        "engines": [
            {
                "name": who,
                "protocol": "UGI",
                "path": sys.executable,
                "parameters": f"-m tunesmith.tuning.cli ugi {name} --weights {who} --seed 1",
            }
            for who in NAMES
        ],
    }


def read_pgn(text: str) -> Iterator[PgnGame]:
    """Return the games of the runner's file."""
    for part in re.split(r"(?=\[Event )", text):
        tags = dict(TAG.findall(part))
        words = [word for line in part.splitlines() if not line.startswith("[") for word in line.split()]
        if tags and words:
            moves = [word for word in words[:-1] if not re.fullmatch(r"\d+\.+", word)]
            yield PgnGame(tags, moves, RESULTS[words[-1]])


def is_right(game: Game, played: PgnGame) -> bool:
    """Whether our rules allow all moves of a game and give it the same result."""
    start = played.tags["FEN"]
    board = Board(game, None if start == "startpos" else start)
    try:
        for move in played.moves:
            board.push(move)
    except InputError:
        return False
    return board.is_over and board.result == played.result


def told(game: Game, clock: str, found: Sequence[PgnGame]) -> dict[str, Any]:
    """Return the row of a match."""
    whole = [one for one in found if "Adjudicated" not in one.tags]
    winners = [one.tags.get("Winner") for one in whole]
    late = sum(one.tags.get("Adjudicated") == "Out of time" for one in found)
    return {
        "game": game.name,
        "clock": clock,
        "games": len(found),
        "won": winners.count("tuned"),
        "drawn": winners.count(None),
        "lost": winners.count("hand"),
        "out_of_time": late,
        "other_faults": len(found) - len(whole) - late,
        "right": sum(is_right(game, one) for one in whole),
        "commit": machine.commit(),
    }


def play(runner: Path, name: str, clock: str, games: int, seed: int) -> dict[str, Any]:
    """Let the runner play a match; return its row."""
    game, rng = game_registry.load(name), random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as scratch:
        folder = Path(scratch)
        lines = [opening(game, rng).text for _ in range((games + 1) // 2)]
        (folder / "openings.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (folder / "settings.json").write_text(
            json.dumps(settings(folder, name, clock, games)), encoding="utf-8"
        )
        subprocess.run([runner.absolute(), "--settings", folder / "settings.json"], check=True, cwd=folder)
        return told(game, clock, list(read_pgn((folder / "games.pgn").read_text(encoding="utf-8"))))


def page(rows: Sequence[dict[str, Any]]) -> str:
    """Return the page of all matches."""
    fields = ("games", "won", "drawn", "lost", "out_of_time", "other_faults")
    cells = [
        [one["game"], f"{one['clock']} s", *(str(one[name]) for name in fields), f"{one['right']} right"]
        for one in rows
    ]
    commits = ", ".join(sorted({str(one["commit"]) for one in rows}))
    return "\n".join(
        [
            "# Our engine under a runner that we did not write",
            "",
            "[cutegames](https://github.com/kz04px/cutegames) runs `tunesmith ugi`, the tuned against the hand-made",
            "weights, from random openings with sides exchanged. Whole games are replayed by our rules: moves, result.",
            "",
            *markdown(HEAD, cells),
            "",
            f"`{COMMAND} cutegames/build/cutegames --games N`, commit {commits}.",
            "cutegames needs cmake, a C++20 compiler and boost.",
            "",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Play a match, print its row, and write a file and its page; return 1 if something is not as wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runner", type=Path, help="the program cutegames")
    parser.add_argument("--game", default="kalah")
    parser.add_argument("--clock", default="1+0.01")
    parser.add_argument("--games", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="JSON file, kept but for the row played; its page beside it")
    given = parser.parse_args(arguments)
    found = play(given.runner, given.game, given.clock, given.games, given.seed)
    print(found)
    if given.out:
        rows = {(one["game"], one["clock"]): one for one in [*(read_json(given.out) or []), found]}
        write_json(given.out, [rows[key] for key in sorted(rows)], stands_alone=True)
        write(given.out.with_suffix(".md"), page([rows[key] for key in sorted(rows)]))
    return int(found["right"] < found["games"])


if __name__ == "__main__":
    sys.exit(main())
