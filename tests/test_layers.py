"""Imports point one way, from room to room, and in no circle.

`offences` judges one source by its place in the tree; the tests run it over the real files and over made-up
ones. Imports count wherever they stand: inside functions, under TYPE_CHECKING, by a name given as text."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("games", "engine", "tuning", "experiments")
FOLDERS = (*PACKAGES, "tests")

# From below to above: what stands in a line may import what stands in the lines before it, and its own room. The
# foyer are the modules of tuning/ itself; the front (tuning/front, the package `tunesmith`) may offer anything.
LAYERS = (
    ("games",),
    ("engine",),
    ("stats",),
    ("foyer",),
    ("fit",),
    ("play",),
    ("data", "search", "proof", "report"),
    ("pipeline",),
    ("export", "external"),
    ("cli",),
    ("notebook",),
    ("experiments",),
)
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
# A room that sees less than its layer would let it.
SEES = {"stats": ("tunesmith.games.errors", "tunesmith.games.lazy")}
# Rooms that are nothing to each other, although one lies below: a record of the foyer holds an estimate of `stats`.
APART = {("fit", "stats")}

# What offends today. An entry goes as soon as the file is mended: the tests fail if it stays.
KNOWN_OFFENCES: frozenset[str] = frozenset({})

# What the engine may know of the games: what a game is and how it fails, never one by name.
ENGINE_SEES = (
    "tunesmith.games.game",
    "tunesmith.games.errors",
    "tunesmith.games.lazy",
    "tunesmith.games.texts",
)
NUMBA = {"numba", "llvmlite"}
NUMBA_HOME = "engine/compile/jit.py"
# python-chess is GPL and an extra: one adapter knows it.
CHESS_HOME = "tuning/external/chess_rules.py"
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


def room_of(path: str) -> str:
    """Name the room a file or folder of the project lies in; `front` and `tests` have no layer."""
    parts = PurePosixPath(path).with_suffix("").parts
    if parts[0] != "tuning":
        return parts[0]
    inner = parts[1] if len(parts) > 1 else "foyer"
    return inner if inner in LEVEL or inner == "front" else "foyer"


def room_named(name: str) -> str | None:
    """Name the room of something imported from us, None for other people's and for the front."""
    top, _, rest = name.partition(".")
    return room_of(rest.replace(".", "/")) if top == "tunesmith" and rest else None


def package_of(path: str) -> tuple[str, ...]:
    """Return the parts of the package that relative imports of a file start from."""
    folder = PurePosixPath(path).parent.parts
    return folder if folder[0] == "tests" else ("tunesmith", *folder)


def imported(tree: ast.AST, path: str) -> Iterator[tuple[int, str]]:
    """Yield (line, dotted name) of everything a module imports; `from a import b` gives `a.b`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, name.name) for name in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                package = package_of(path)
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
    here, there, top = room_of(path), room_named(name), name.partition(".")[0]
    if top in NUMBA:
        return path == NUMBA_HOME
    if top == "chess":
        return path == CHESS_HOME
    if top in FOLDERS:  # ours is `tunesmith.engine`; `engine` is somebody's own file
        return False
    if there is None or here == "front":
        return here != "games" or top in {"numpy"} or top in sys.stdlib_module_names
    if here == "games":
        other = any(is_within(name, f"tunesmith.games.{game}") for game in games - {named_game(path)})
        return there == "games" and not (named_game(path) is not None and other)
    if here == "engine" and there == "games":
        return any(is_within(name, module) for module in ENGINE_SEES)
    if here in SEES and there != here:
        return any(is_within(name, module) for module in SEES[here])
    return there == here or (there in LEVEL and LEVEL[there] < LEVEL[here] and (here, there) not in APART)


def offences(source: str, path: str, games: frozenset[str]) -> list[str]:
    """List what the source of the file at `path` does against the rules, each with its line."""
    tree = ast.parse(source)
    layer = PurePosixPath(path).parts[0]
    found = []
    if layer != "tests":
        for line, name in imported(tree, path):
            if not is_allowed(name, path, games):
                found.append(f"{path}:{line}: {room_of(path)} must not import {name}")
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


def without_line(offence: str) -> str:
    """Return an offence as `KNOWN_OFFENCES` has it: lines move."""
    path, _, what = offence.partition(": ")
    return f"{path.partition(':')[0]}: {what}"


def games_on_disk() -> frozenset[str]:
    """Name the games that have a folder."""
    return frozenset(path.parent.name for path in (ROOT / "games").glob("*/__init__.py"))


@cache
def found_in(path: str) -> list[str]:
    """List the offences of a file of the project."""
    return offences((ROOT / path).read_text(encoding="utf-8"), path, games_on_disk())


@pytest.mark.parametrize("path", sources())
def test_file_keeps_the_layers(path: str) -> None:
    """No file of the project offends, but for what is known."""
    assert [found for found in found_in(path) if without_line(found) not in KNOWN_OFFENCES] == []


def test_known_offences_still_offend() -> None:
    """What is mended is taken off the list."""
    found = {without_line(offence) for path in sources() for offence in found_in(path)}
    assert sorted(KNOWN_OFFENCES - found - set(circles(graph()))) == []


def test_layers_have_files() -> None:
    """The parametrised test above cannot pass for want of files."""
    assert {room_of(path) for path in sources()} >= set(LEVEL)


# --- circles


def at_once(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements that run when a module is imported (but for type checking)."""
    todo = list(tree.body)
    while todo:
        node = todo.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                continue
            case ast.If(test=test) if "TYPE_CHECKING" in ast.unparse(test):
                todo += node.orelse
            case ast.Import() | ast.ImportFrom():
                yield node
            case _:
                todo += [inner for inner in ast.iter_child_nodes(node) if isinstance(inner, ast.stmt)]


def module_name(path: str) -> str:
    """Return the dotted name of a file of the project."""
    parts = PurePosixPath(path).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return "tunesmith" if parts == ("tuning", "front") else ".".join(("tunesmith", *parts))


def graph() -> dict[str, set[str]]:
    """Return what each of our modules imports of ours at once."""
    paths = {module_name(path): path for path in sources() if not path.startswith("tests/")}
    found: dict[str, set[str]] = {}
    for module, path in paths.items():
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        names = [name for node in at_once(tree) for _, name in imported(node, path)]
        homes = (name if name in paths else name.rpartition(".")[0] for name in names)
        found[module] = {home for home in homes if home in paths} - {module}
    return found


def circles(edges: dict[str, set[str]]) -> list[str]:
    """List the groups of modules that import each other, each as `circle: a, b, ...`."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        todo = list(edges.get(start, ()))
        while todo:
            node = todo.pop()
            if node not in seen:
                seen.add(node)
                todo += edges.get(node, ())
        return seen

    reach = {node: reached(node) for node in edges}
    groups = {
        frozenset({other for other in reach[node] if node in reach.get(other, ())} | {node})
        for node in edges
        if node in reach[node]
    }
    return sorted(f"circle: {', '.join(sorted(group))}" for group in groups)


def test_no_circles() -> None:
    """No module imports itself by way of others, but for what is known."""
    assert [circle for circle in circles(graph()) if circle not in KNOWN_OFFENCES] == []


def test_circles_are_found() -> None:
    """The search finds a circle, and nothing in a chain."""
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["circle: b, c"]
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []


GAMES = frozenset({"kalah", "pentago"})

FORBIDDEN = [
    ("games/game.py", "import tunesmith.engine.board"),
    ("games/game.py", "from tunesmith.tuning import stats"),
    ("games/game.py", "import scipy"),
    ("games/game.py", "from numba import njit"),
    ("games/game.py", "def f():\n    import pandas as pd"),
    ("games/game.py", "if TYPE_CHECKING:\n    from tunesmith.engine import Board"),
    ("games/registry.py", "import importlib\nimportlib.import_module('tunesmith.engine.compile.bind')"),
    ("games/kalah/rules.py", "from tunesmith.games.pentago import rules"),
    ("games/kalah/rules.py", "from ..pentago.rules import initial"),
    ("games/kalah/rules.py", "from tunesmith.games import pentago"),
    ("games/kalah/rules.py", "from ...engine import board"),
    ("games/kalah/rules.py", "from games import game"),
    ("engine/board.py", "import games"),
    ("engine/board.py", "from tunesmith import games"),
    ("engine/board.py", "import tunesmith.games.kalah"),
    ("engine/board.py", "from tunesmith.games import load"),
    ("engine/board.py", "from tunesmith.games import kalah"),
    ("engine/board.py", "from tunesmith.games.registry import load"),
    ("engine/board.py", "from tunesmith.games.kalah.rules import initial"),
    ("engine/board.py", "__import__('tunesmith.games.kalah')"),
    ("engine/board.py", "from tunesmith.tuning.stats.elo import elo"),
    ("engine/board.py", "import numba"),
    ("engine/board.py", "from numba.typed import List"),
    ("engine/board.py", "import llvmlite.binding"),
    ("engine/board.py", "from engine import files"),
    ("tuning/config.py", "from tunesmith.tuning.fit.run import FitOptions"),
    ("tuning/config.py", "from tunesmith.tuning import fit"),
    ("tuning/stats/elo.py", "from tunesmith.tuning.config import load"),
    ("tuning/stats/elo.py", "from tunesmith.engine import files"),
    ("tuning/fit/texel.py", "import tunesmith.experiments.proofs"),
    ("tuning/fit/texel.py", "import numba"),
    ("tuning/fit/texel.py", "from tests.naive import kalah"),
    ("tuning/fit/texel.py", "from tunesmith.tuning.stats import elo"),
    ("tuning/fit/texel.py", "from ..play import store"),
    ("tuning/play/gauntlet.py", "from tunesmith.tuning.cli.options import jobs"),
    ("tuning/data/table/layout.py", "from tunesmith.tuning.search.space import Space"),
    ("tuning/search/loop.py", "def f():\n    from tunesmith.tuning.pipeline import context"),
    ("tuning/report/dashboard/app.py", "from tunesmith.tuning.external import report"),
    ("tuning/report/charts.py", "from tunesmith.tuning.pipeline.status import describe_status"),
    ("tuning/pipeline/study.py", "from tunesmith.tuning.export import constants"),
    ("tuning/export/constants.py", "from tunesmith.tuning.external import words"),
    ("tuning/external/study.py", "from tunesmith.tuning import cli"),
    ("tuning/external/match.py", "import chess"),
    ("experiments/chess_table.py", "def f():\n    import chess.pgn"),
    ("tuning/play/store.py", "import pickle"),
    ("tuning/play/store.py", "from pickle import dumps"),
    ("tuning/play/store.py", "from joblib import dump"),
    ("tuning/play/store.py", "import joblib\njoblib.dump(x, path)"),
    ("tuning/play/store.py", "frame.to_pickle(path)"),
    ("tuning/play/store.py", "np.load(path, allow_pickle=True)"),
    ("experiments/proofs/speed.py", "import shelve"),
    ("games/kalah/rules.py", "def f(x):\n    assert x"),
    ("engine/board.py", "assert True, 'text'"),
    ("tuning/fit/texel.py", "class A:\n    def f(self):\n        assert self"),
    ("engine/board.py", '"""Answers."""\n' + "x = 1\n" * 400),
    ("tests/test_a.py", "x = 1\n" * 401),
    ("tuning/cli/__init__.py", "# Long because of its comment\n" + "x = 1\n" * 400),
]

ALLOWED = [
    ("games/game.py", "from __future__ import annotations\nimport math, json\nimport numpy as np"),
    ("games/game.py", "from numpy.typing import NDArray\nfrom tunesmith.games.errors import TunesmithError"),
    ("games/registry.py", "from tunesmith.games import kalah, pentago"),
    ("games/registry.py", "import importlib\nimportlib.import_module(name)"),
    (
        "games/kalah/__init__.py",
        "from tunesmith.games.game import Game\nfrom tunesmith.games.kalah import rules\nfrom . import rules",
    ),
    ("games/kalah/rules.py", "from ..game import ONGOING\nfrom .features import features"),
    ("engine/__init__.py", "from .board import Board"),
    (
        "engine/board.py",
        "import tunesmith.games.game\nfrom tunesmith.games import game, errors\nfrom tunesmith.games.game import Game",
    ),
    ("engine/weights.py", "import pydantic\nfrom tunesmith.engine.compile import jit"),
    ("engine/compile/jit.py", "import numba\nfrom numba.core import types"),
    ("tuning/config.py", "from tunesmith.tuning import files\nfrom tunesmith.engine import files"),
    (
        "tuning/stats/elo.py",
        "from tunesmith.games.errors import InputError\nfrom tunesmith.tuning.stats import sprt",
    ),
    ("tuning/fit/texel.py", "from tunesmith.tuning.config import FitOptions\nfrom . import loss"),
    (
        "tuning/data/dataset.py",
        "from tunesmith.tuning.play import store\nfrom tunesmith.tuning.fit.loss import Rows",
    ),
    (
        "tuning/cli/app.py",
        "from tunesmith import games\nfrom tunesmith.games import load\nfrom tunesmith.engine.board import Board\n"
        "import optuna\nfrom tunesmith.tuning import report",
    ),
    ("tuning/front/__init__.py", "from tunesmith.tuning.pipeline.study import run_study"),
    ("tuning/play/selfplay.py", "from joblib import Parallel, delayed\nnp.load(path, allow_pickle=False)"),
    ("experiments/proofs/speed.py", "from tunesmith import games, engine, tuning\nassert tuning"),
    ("tuning/external/chess_rules.py", "import chess\nimport chess.pgn"),
    (
        "tests/test_a.py",
        "import numba, chess, pickle, tunesmith.games.kalah\nfrom tests.naive import kalah\nassert kalah",
    ),
    ("engine/search/alphabeta.py", '"""Searches. Long because it is one loop."""\n' + "x = 1\n" * 400),
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
