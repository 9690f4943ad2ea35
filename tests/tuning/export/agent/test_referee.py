"""Agents of the two courses' games under a referee: ours, and with TUNESMITH_REFEREE the course's own.

That variable names folders (joined by the separator of PATH) that hold a package `referee`; without it the cases
do not exist."""

import importlib
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests import IMPORTS
from tests.support import refereeing
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.evaluation import EVALUATION_MAX, WIN
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player
from tunesmith.engine.searcher import GENERATION, SCORE
from tunesmith.engine.weights import load
from tunesmith.tuning.export.agent.write import write_agent

GAMES = ("expendibots", "ropasci360")
NODES = {"expendibots": 20, "ropasci360": 150}  # a move: some more than there are moves
SECONDS = 2  # of a game with a clock


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder with two packages a game: GAME_quick looks at few nodes a move, GAME_timed has a clock."""
    folder = tmp_path_factory.mktemp("packages")
    for name in GAMES:
        game = games.load(name)
        for kind, limit in (("quick", f"nodes:{NODES[name]}"), ("timed", f"game-time:{SECONDS}")):
            write_agent(game, load("hand", game), folder, parse_limit(limit), name=f"{name}_{kind}")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def module(packages: Path, name: str) -> ModuleType:
    """Import a package as a referee does; return the module of its code."""
    importlib.import_module(name)
    return importlib.import_module(f"{name}.player")


def finished(board: Board) -> bool:
    return board.is_over and board.result in (1, 0, -1)


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_whole_games_against_itself_and_at_random(name, packages):
    game, player = games.load(name), importlib.import_module(f"{name}_quick").Player
    dice = refereeing.random_player(game, random.Random(4))
    assert finished(refereeing.play(game, player, player).board)
    results = [
        refereeing.play(game, player, dice).board.result,
        -refereeing.play(game, dice, player).board.result,
    ]
    assert sum(results) > 0  # from the agent's seat: random play is no match


def test_a_game_that_is_won_is_searched_anew_each_move(packages):
    """Else the table's longer wins are found first, and the winner walks to and fro until the game is drawn."""
    player = importlib.import_module("expendibots_quick").Player("white")
    counters = player.thinker.memory.counters
    generations = []
    for score in (0, EVALUATION_MAX, WIN - 9, 9 - WIN):
        counters[SCORE] = score
        player.chosen()
        generations.append(counters[GENERATION])
    assert [later - one for one, later in pairwise(generations)] == [0, 1, 1]


def test_who_leads_takes_coming_back_for_a_draw(packages, monkeypatch):
    code = module(packages, "expendibots_quick")
    asked: list[Any] = []
    monkeypatch.setattr(code.Thinker, "choose", lambda self, game: asked.append(game) or game.legal()[0])
    player = code.Player("white")

    def play(game: Any, *texts: str) -> None:
        for text in texts:
            game.play(code.text_to_move(game.states[-1], text))

    play(player.game, "M1:01-11", "M1:06-16")
    for score in (-1, 1):
        player.thinker.memory.counters[SCORE] = score
        player.chosen()
    behind, ahead = asked
    assert behind is player.game
    for game in (ahead, behind):
        play(game, "M1:11-01", "M1:16-06")  # the start again
    assert ahead.is_over() and ahead.result() == 0
    assert not behind.is_over()


@pytest.mark.parametrize("name", GAMES)
def test_it_keeps_within_its_clock(name, packages):
    game, player = games.load(name), importlib.import_module(f"{name}_timed").Player
    played = refereeing.play(game, player, player)
    assert finished(played.board)
    assert max(played.seconds) < SECONDS


@pytest.mark.parametrize("name", GAMES)
def test_out_of_time_it_still_plays_legal_moves_at_once(name, packages, monkeypatch):
    code = module(packages, f"{name}_timed")
    asked = []
    monkeypatch.setattr(code.Thinker, "choose", lambda self, game: asked.append(game))
    game = games.load(name)

    class Late(code.Player):
        def __init__(self, colour: str) -> None:
            super().__init__(colour)
            self.used = 0.95 * SECONDS

    dice = refereeing.random_player(game, random.Random(5))
    assert finished(refereeing.play(game, Late, dice).board)
    assert asked == []


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("failure", [ValueError("broken"), MemoryError(), RecursionError(), -7, None])
def test_a_failing_search_costs_no_game(name, failure, packages, monkeypatch):
    """An exception, a move that is not legal, no move: a legal one is played."""

    def choose(self: object, game: object) -> Any:
        if isinstance(failure, Exception):
            raise failure
        return failure

    code = module(packages, f"{name}_quick")
    monkeypatch.setattr(code.Thinker, "choose", choose)
    game = games.load(name)
    dice = refereeing.random_player(game, random.Random(6))
    assert finished(refereeing.play(game, dice, code.Player).board)


@pytest.mark.parametrize("name", GAMES)
def test_its_memory_stays_far_below_the_referees_limit(name, packages):
    """100 MB a player beyond what Python had after the imports, of virtual memory; Linux tells."""
    program = f"""
import {name}_timed.player as code
def peak():
    lines = open("/proc/self/status").read().splitlines()
    return [int(line.split()[1]) / 1024 for line in lines if line.startswith(("VmSize", "VmPeak"))]
before = min(peak())
players = [code.Player(colour) for colour in {refereeing.COLOURS[name]!r}]
players[0].action()
print(max(peak()) - before)
"""
    call = [sys.executable, "-S", "-c", program]
    answer = subprocess.run(call, cwd=packages, capture_output=True, text=True, check=True, env={})
    assert float(answer.stdout) < 100


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_over_a_game_it_plays_the_moves_of_the_compiled_engine(name, packages):
    """With the table and the history that moves before have left, and for the second chooser too."""
    game, kind = games.load(name), module(packages, f"{name}_quick").Player
    players = [Player(game, load("hand", game), parse_limit(f"nodes:{NODES[name]}")) for _ in range(2)]
    board = refereeing.play(game, kind, kind).board
    again = Board(game)
    for move in board.moves:
        assert players[again.mover].choose(again) == game.move_to_text(again.state, move)
        again.play(move)


# --- logs, and the referees of the courses


def test_logs_of_the_courses_referees_are_read():
    expendibots = games.load("expendibots")
    log = "[white] - MOVE 1 from (0, 1) to (0, 2).\n[black] - BOOM at (6, 6).\n[over ] - winner: white\n"
    assert refereeing.logged_actions(expendibots, log) == ["M1:01-02", "B66"]
    assert refereeing.logged_result(log) == 1
    ropasci = games.load("ropasci360")
    log = (
        "turn 1: upper: THROW symbol r to (4, -2)\nturn 1: lower: THROW symbol s to (-4, 0)\n"
        "turn 2: upper: SLIDE from (4, -2) to (3, -2)\nturn 2: lower: SWING from (-3, 2) to (-1, 0)\n"
        "draw: both players have an invincible token\n"
    )
    expected = ["Tr:4,-2", "Ts:-4,0", "L:4,-2>3,-2", "W:-3,2>-1,0"]
    assert refereeing.logged_actions(ropasci, log) == expected
    assert refereeing.logged_result(log) == 0


def referees() -> list[tuple[str, Path]]:
    """Return (game, folder) of each referee that TUNESMITH_REFEREE names."""
    found = []
    for folder in filter(None, os.environ.get("TUNESMITH_REFEREE", "").split(os.pathsep)):
        text = "".join(path.read_text() for path in (Path(folder) / "referee").glob("*.py"))
        assert text, f"TUNESMITH_REFEREE: no package referee in {folder}"
        found.append(("ropasci360" if "THROW" in text else "expendibots", Path(folder)))
    return found


RANDOM = """
import random, sys
sys.path.insert(0, {root!r})
from tunesmith import games
from tests.support.refereeing import random_player
Player = random_player(games.load({name!r}), random.Random())
"""


if REFEREES := referees():

    @pytest.mark.parametrize(
        ("name", "folder", "seat"), [(name, folder, seat) for name, folder in REFEREES for seat in (0, 1, 2)]
    )
    def test_under_the_courses_own_referee(name, folder, seat, packages, tmp_path):
        """Against a random player from both seats, and against itself; the log gives the same game in our rules."""
        root = IMPORTS
        (tmp_path / "dice.py").write_text(RANDOM.format(root=root, name=name))
        seats = ["dice", "dice"] if seat < 2 else [f"{name}_timed"] * 2
        if seat < 2:
            seats[seat] = f"{name}_timed"
        log = tmp_path / "game.log"
        path = os.pathsep.join([str(folder), str(packages), str(tmp_path)])
        limits = ["-t", "60", "-v", "0", "-l", str(log)] + (["-s", "100"] if seat == 2 else [])
        answer = subprocess.run(
            [sys.executable, "-m", "referee", *seats, *limits],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert re.search(r"\* (winner|draw)", answer.stdout), answer.stdout
        board = Board(games.load(name))
        for text in refereeing.logged_actions(board.game, log.read_text()):
            board.push(text)
        assert board.is_over
        assert board.result == refereeing.logged_result(log.read_text())
