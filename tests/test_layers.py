"""Imports point one way: games <- engine <- tuning <- experiments.

`offences` judges one source by its place in the tree; the tests run it over the real files and over made-up
ones. Imports count wherever they stand: inside functions, under TYPE_CHECKING, by a name given as text."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("games", "engine", "tuning", "experiments")
FOLDERS = (*LAYERS, "tests")

# What the engine may know of the games: what a game is and how it fails, never one by name.
ENGINE_SEES = ("games.game", "games.errors")
NUMBA = {"numba", "llvmlite"}
NUMBA_HOME = "engine/jit.py"
# python-chess is GPL and an extra: one adapter knows it.
CHESS_HOME = "tuning/uci.py"
# Weights, games and studies are files that people and other programs read, and that cannot run code.
PICKLES = {"pickle", "_pickle", "dill", "shelve", "joblib.dump", "joblib.load"}
PICKLING = {"joblib.dump", "joblib.load", "to_pickle", "read_pickle"}

LONGEST = 400
EXCUSE = "Long because"


def sources() -> list[str]:
    """List every Python file of the project, relative to its root."""
    return sorted(
        path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")
    )


def imported(tree: ast.Module, path: str) -> Iterator[tuple[int, str]]:
    """Yield (line, dotted name) of everything a module imports; `from a import b` gives `a.b`."""
    package = PurePosixPath(path).parent.parts
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, name.name) for name in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                above = package[: len(package) - level + 1] if level else ()
                base = [*above, *([module] if module else [])]
                yield from ((node.lineno, ".".join([*base, name.name])) for name in names)
            case ast.Call(
                func=ast.Attribute(attr="import_module") | ast.Name(id="import_module" | "__import__"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node.lineno, name


def pickled(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of what writes or reads pickles without importing them by name."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=attr) if {attr, ast.unparse(node)} & PICKLING:
                yield node.lineno, ast.unparse(node)
            case ast.keyword(arg="allow_pickle", value=ast.Constant(value=True)):
                yield node.lineno, "allow_pickle=True"


def is_within(name: str, module: str) -> bool:
    """Tell whether a dotted name is the module or something inside it."""
    return name == module or name.startswith(module + ".")


def named_game(path: str) -> str | None:
    """Name the game whose folder a file lies in: games/kalah/rules.py gives kalah."""
    parts = PurePosixPath(path).parts
    return parts[1] if parts[0] == "games" and len(parts) > 2 else None


def is_allowed(name: str, path: str, games: frozenset[str]) -> bool:
    """Tell whether the file at `path` may import `name`; `games` holds the names of all games."""
    layer, top = PurePosixPath(path).parts[0], name.partition(".")[0]
    if top in NUMBA:
        return path == NUMBA_HOME
    if top == "chess":
        return path == CHESS_HOME or layer == "tests"
    if top in LAYERS and layer in LAYERS and LAYERS.index(top) > LAYERS.index(layer):
        return False
    if top == "tests":
        return layer == "tests"
    if layer == "games":
        other = any(is_within(name, f"games.{game}") for game in games - {named_game(path)})
        from_game = named_game(path) is not None and other
        return not from_game and (top in {"games", "numpy"} or top in sys.stdlib_module_names)
    if layer == "engine" and top == "games":
        return any(is_within(name, module) for module in ENGINE_SEES)
    return True


def offences(source: str, path: str, games: frozenset[str]) -> list[str]:
    """List what the source of the file at `path` does against the rules, each with its line."""
    tree = ast.parse(source)
    layer = PurePosixPath(path).parts[0]
    found = []
    if layer != "tests":
        for line, name in imported(tree, path):
            if not is_allowed(name, path, games):
                found.append(f"{path}:{line}: {layer} must not import {name}")
            if any(is_within(name, pickle) for pickle in PICKLES):
                found.append(f"{path}:{line}: no pickles ({name})")
        found += [f"{path}:{line}: no pickles ({text})" for line, text in pickled(tree)]
    if layer in {"games", "engine", "tuning"}:
        lines = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert)]
        found += [f"{path}:{line}: raise an error, assert disappears under -O" for line in lines]
    length = len(source.splitlines())
    if length > LONGEST and EXCUSE not in (ast.get_docstring(tree) or ""):
        found.append(f'{path}: {length} lines, and no "{EXCUSE} ..." in its docstring')
    return found


def games_on_disk() -> frozenset[str]:
    """Name the games that have a folder."""
    return frozenset(path.parent.name for path in (ROOT / "games").glob("*/__init__.py"))


@pytest.mark.parametrize("path", sources())
def test_file_keeps_the_layers(path: str) -> None:
    """No file of the project offends."""
    assert offences((ROOT / path).read_text(encoding="utf-8"), path, games_on_disk()) == []


def test_layers_have_files() -> None:
    """The parametrised test above cannot pass for want of files."""
    assert {path.partition("/")[0] for path in sources()} >= {"games", "engine", "tuning"}


GAMES = frozenset({"kalah", "pentago"})

FORBIDDEN = [
    ("games/game.py", "import engine.board"),
    ("games/game.py", "from tuning import stats"),
    ("games/game.py", "import scipy"),
    ("games/game.py", "from numba import njit"),
    ("games/game.py", "def f():\n    import pandas as pd"),
    ("games/game.py", "if TYPE_CHECKING:\n    from engine import Board"),
    ("games/registry.py", "import importlib\nimportlib.import_module('engine.bind')"),
    ("games/kalah/rules.py", "from games.pentago import rules"),
    ("games/kalah/rules.py", "from ..pentago.rules import initial"),
    ("games/kalah/rules.py", "from games import pentago"),
    ("games/kalah/rules.py", "from ...engine import board"),
    ("engine/board.py", "import games"),
    ("engine/board.py", "import games.kalah"),
    ("engine/board.py", "from games import load"),
    ("engine/board.py", "from games import kalah"),
    ("engine/board.py", "from games.registry import load"),
    ("engine/board.py", "from games.kalah.rules import initial"),
    ("engine/board.py", "__import__('games.kalah')"),
    ("engine/board.py", "from tuning.stats import elo"),
    ("engine/board.py", "import numba"),
    ("engine/board.py", "from numba.typed import List"),
    ("engine/board.py", "import llvmlite.binding"),
    ("tuning/texel.py", "import experiments.proofs"),
    ("tuning/texel.py", "import numba"),
    ("tuning/texel.py", "from tests.naive import kalah"),
    ("tuning/uci_match.py", "import chess"),
    ("experiments/chess_table.py", "def f():\n    import chess.pgn"),
    ("tuning/store.py", "import pickle"),
    ("tuning/store.py", "from pickle import dumps"),
    ("tuning/store.py", "from joblib import dump"),
    ("tuning/store.py", "import joblib\njoblib.dump(x, path)"),
    ("tuning/store.py", "frame.to_pickle(path)"),
    ("tuning/store.py", "np.load(path, allow_pickle=True)"),
    ("experiments/proofs/speed.py", "import shelve"),
    ("games/kalah/rules.py", "def f(x):\n    assert x"),
    ("engine/board.py", "assert True, 'text'"),
    ("tuning/texel.py", "class A:\n    def f(self):\n        assert self"),
    ("engine/board.py", '"""Answers."""\n' + "x = 1\n" * 400),
    ("tests/test_a.py", "x = 1\n" * 401),
    ("tuning/cli.py", "# Long because of its comment\n" + "x = 1\n" * 400),
]

ALLOWED = [
    ("games/game.py", "from __future__ import annotations\nimport math, json\nimport numpy as np"),
    ("games/game.py", "from numpy.typing import NDArray\nfrom games.errors import TunesmithError"),
    ("games/registry.py", "from games import kalah, pentago"),
    ("games/registry.py", "import importlib\nimportlib.import_module(name)"),
    (
        "games/kalah/__init__.py",
        "from games.game import Game\nfrom games.kalah import rules\nfrom . import rules",
    ),
    ("games/kalah/rules.py", "from ..game import ONGOING\nfrom .features import features"),
    ("engine/__init__.py", "from .board import Board"),
    ("engine/board.py", "import games.game\nfrom games import game, errors\nfrom games.game import Game"),
    ("engine/weights.py", "import pydantic\nfrom engine import jit"),
    ("engine/jit.py", "import numba\nfrom numba.core import types"),
    ("tuning/cli.py", "import games\nfrom games import load\nfrom engine.board import Board\nimport optuna"),
    ("tuning/selfplay.py", "from joblib import Parallel, delayed\nnp.load(path, allow_pickle=False)"),
    ("experiments/proofs/speed.py", "import games, engine, tuning\nassert tuning"),
    ("tuning/uci.py", "import chess\nimport chess.pgn"),
    (
        "tests/test_a.py",
        "import numba, chess, pickle, games.kalah\nfrom tests.naive import kalah\nassert kalah",
    ),
    ("engine/alphabeta.py", '"""Searches. Long because it is one loop."""\n' + "x = 1\n" * 400),
    ("engine/board.py", "x = 1\n" * 400),
]


@pytest.mark.parametrize(("path", "source"), FORBIDDEN, ids=range(len(FORBIDDEN)))
def test_checker_catches(path: str, source: str) -> None:
    """Each made-up offence is found, once, and the message names the file."""
    found = offences(source, path, GAMES)
    assert len(found) == 1
    assert found[0].startswith(path)


@pytest.mark.parametrize(("path", "source"), ALLOWED, ids=range(len(ALLOWED)))
def test_checker_lets_pass(path: str, source: str) -> None:
    """Nothing is found in a source that keeps the rules."""
    assert offences(source, path, GAMES) == []
