"""The file of a user's game and the modules beside it: the game's alone, whatever they are called."""

import random
import sys
import types
from pathlib import Path

import pytest

from tests.games.test_registry import later
from tunesmith.games import registry
from tunesmith.games.digest import digest
from tunesmith.games.errors import GameError
from tunesmith.games.user_file import run_file

GAME = """
import random
import types as kinds
import engine.rules as rules
from engine import tables
from engine.tables import *
import numpy
import bisect
FOUND = random.VALUE, kinds.VALUE, rules.VALUE, tables.VALUE, TABLE, numpy.__name__, bisect.bisect([1, 2], 1)
def lazily():
    import queue
    return queue.VALUE
def chosen():
    import random
    return random.VALUE
"""
FILES = {
    "game.py": GAME,
    "random.py": "VALUE = 1\n",
    "types.py": "import game\nVALUE = 2\n",
    "engine/__init__.py": "import random\n",
    "engine/rules.py": "from . import tables\nVALUE = 3 if tables.VALUE == 4 else 0\n",
    "engine/tables.py": "VALUE = 4\nTABLE = 5\n",
    "queue.py": "import random\nVALUE = 6 + random.VALUE\n",
    "numpy/notes.txt": "no module\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a file, with helpers that have the names of Python's own and of other people's modules."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_helpers_are_found_beside_the_file_whatever_they_are_called(folder: Path) -> None:
    module = run_file(folder / "game.py")
    assert module.FOUND == (1, 2, 3, 4, 5, "numpy", 1)
    assert module.lazily() == 7


def test_helpers_are_known_to_the_game_alone(folder: Path) -> None:
    before = {"random": random, "types": types}
    path = list(sys.path)
    run_file(folder / "game.py").lazily()
    assert {name: sys.modules[name] for name in before} == before
    assert not hasattr(random, "VALUE") and "engine" not in sys.modules and sys.path == path


def test_two_games_may_have_helpers_of_the_same_name(folder: Path) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "game.py").write_text(GAME)
    for name in ("random.py", "types.py", "engine/__init__.py", "engine/rules.py", "engine/tables.py"):
        (folder / "other" / name).parent.mkdir(exist_ok=True)
        (folder / "other" / name).write_text("VALUE = 50\nTABLE = 51\n")
    first, second = run_file(folder / "game.py"), run_file(folder / "other" / "game.py")
    assert second.FOUND[:5] == (50, 50, 50, 50, 51)
    assert (first.chosen(), second.chosen()) == (1, 50)


def test_tunesmith_is_never_a_helper(folder: Path) -> None:
    (folder / "tunesmith").mkdir()
    (folder / "tunesmith" / "__init__.py").write_text("1 / 0\n")
    (folder / "game.py").write_text("from tunesmith.games.game import Game\n")
    assert run_file(folder / "game.py").Game is registry.Game


def test_a_helper_that_a_function_of_the_rules_imports_is_refused_whatever_it_is_called(folder: Path) -> None:
    with pytest.raises(GameError, match="imports random inside the function"):
        digest(run_file(folder / "game.py").chosen)


def test_a_helper_that_changes_is_run_anew(folder: Path) -> None:
    text = "from tests.support.toys import piles\nfrom random import VALUE\nGAME = piles(max_plies=VALUE)\n"
    (folder / "game.py").write_text(text)
    assert registry.load(str(folder / "game.py")).max_plies == 1
    later(folder / "random.py", "VALUE = 9\n")
    assert registry.load(str(folder / "game.py")).max_plies == 9


def test_what_a_file_prints_is_no_output_of_the_command(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "game.py").write_text("print('hello')\n")
    run_file(folder / "game.py")
    assert capsys.readouterr() == ("", "hello\n")


def test_a_failure_names_the_line_of_the_file_that_it_came_from(folder: Path) -> None:
    (folder / "game.py").write_text("import math\n\nSIZE = nothing + 1\n")
    with pytest.raises(GameError, match=r"NameError: name 'nothing' is not defined \(game\.py:3\)"):
        run_file(folder / "game.py")
    (folder / "game.py").write_text("import helper\n")
    (folder / "helper.py").write_text("import math\nmath.sqrt(-1)\n")
    with pytest.raises(GameError, match=r"\(helper\.py:2\)"):
        run_file(folder / "game.py")
