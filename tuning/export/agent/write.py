"""The folder of an agent: its code, its weights, what makes it a package or a program, and a README.

A manner of writing the game's functions is taken only if the code passes its trial: with lists, which are fast, or else
with numpy's arrays, as the game's author wrote them."""

import ast
import json
import keyword
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tunesmith.engine import files
from tunesmith.engine.limits import Limit, parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.searcher import DEFAULT_HASH_MB
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.export.agent.arrays_to_lists import NotPlainError
from tunesmith.tuning.export.agent.build import COURSE_LIMIT, PLAYERS, Builder
from tunesmith.tuning.export.agent.comparison import LoadedAgent
from tunesmith.tuning.export.agent.python36 import OLDEST
from tunesmith.tuning.export.agent.readme import heading, readme
from tunesmith.tuning.export.agent.resolve import ARRAYS, LISTS
from tunesmith.tuning.export.agent.speed import quickened

MANNERS = ((LISTS, LISTS), (LISTS, ARRAYS), (ARRAYS, ARRAYS))  # of rules and features, of texts
DEFAULT_LIMIT = "nodes:5000"
# What is searched to count how often functions are asked the same.
SEARCHES, NODES = 4, 600
SHADOWED = ("numpy", "referee")  # besides Python's own modules, what is imported where a referee plays
END = "\n\nif __name__ == '__main__':\n    main()\n"
PACKAGE = '''"""{heading}"""

import importlib

# By its full name, whatever the folder is called.
Player = importlib.import_module(__name__ + ".player").Player
'''
PROGRAM = '''"""{heading} Started with `python FOLDER` or `python -m PACKAGE`."""

import importlib

importlib.import_module(__package__ + ".player" if __package__ else "player").main()
'''


def default_limit(game: Game) -> Limit:
    """Return the limit of an agent that is given none: the referee's clock, where there is a referee."""
    return parse_limit(COURSE_LIMIT if game.name in PLAYERS else DEFAULT_LIMIT)


def write_agent(
    game: Game,
    weights: Weights,
    out: Path,
    limit: Limit | None = None,
    hash_mb: int = DEFAULT_HASH_MB,
    name: str | None = None,
    force: bool = False,
) -> Path:
    """Write the folder of an agent; return it.

    Parameters
    ----------
    weights
        With the search options to play with.
    out
        The folder; with `name`, where the folder of that name is made.
    limit
        What ends the search of a move; default `default_limit`.
    hash_mb
        Size of the transposition table in MiB.
    force
        Write into a folder that is not empty: files of an agent are replaced, others stay.

    Raises
    ------
    InputError
        The folder is taken, the name is none of a package, options and limit do not fit the game, or the
        game's code cannot be written for Python 3.6.
    """
    folder = _folder(game, out, name, force)
    limit = limit or default_limit(game)
    code, manners = _code(game, weights, limit, hash_mb)
    needs_numpy = "numpy" in _imports(code)
    title = heading(game, weights)
    texts = {
        "player.py": code,
        "__main__.py": PROGRAM.format(heading=title),
        "weights.json": json.dumps(weights.to_json(), indent=1, allow_nan=False) + "\n",
        "README.md": readme(game, weights, limit, folder.name, needs_numpy, hash_mb),
    }
    if game.name in PLAYERS:
        texts["__init__.py"] = PACKAGE.format(heading=title)
    for file, text in texts.items():
        if file.endswith(".py"):
            ast.parse(text, feature_version=OLDEST)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from error
    for file, text in texts.items():
        files.write(folder / file, text)
    return folder


def _folder(game: Game, out: Path, name: str | None, force: bool) -> Path:
    folder = out / name if name is not None else out
    package = folder.resolve().name
    own = package if name is None else name
    is_named = re.fullmatch(r"[A-Za-z_]\w*", own, re.ASCII) and not keyword.iskeyword(own)
    if name is not None and not is_named:
        raise InputError(f"--name: expected letters, digits and underscores, found {name!r:.100}")
    if game.name in PLAYERS and re.search(r"[.:]", package):  # referees read these as parts of a name
        raise InputError(
            "--out: expected the name of a package, without dots or colons (--name NAME makes OUT/NAME), "
            f"found {package!r:.100}"
        )
    if game.name in PLAYERS and package in (*sys.stdlib_module_names, *SHADOWED):
        raise InputError(
            f"{'--out' if name is None else '--name'}: expected a name that no module has: whoever imports {package!r} "
            "beside the agent, as referees and other players do, would find the agent instead"
        )
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: expected a folder, found a file")
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise InputError(
            f"{folder}: expected a new or empty folder, found files in it (--force replaces an agent's)"
        )
    return folder


def _code(game: Game, weights: Weights, limit: Limit, hash_mb: int) -> tuple[str, tuple[str, str]]:
    """Return the code, in the first manner that passes its trial, and that manner."""
    options: SearchOptions = weights.search_options
    faults = []
    for manners in MANNERS:
        try:
            builder = Builder(game, weights, options, limit, hash_mb, manners)
            text, names = builder.code(heading(game, weights))
        except NotPlainError as error:
            faults.append(str(error))
            continue
        fault = LoadedAgent(game, weights, options, text, names).fault()
        if fault is None:
            return _faster(builder, text, names) + END, manners
        faults.append(fault)
    raise InputError(
        f"agent of {game.name}: the code written does not play as the game does: {faults[-1]:.300}"
    )


def _faster(builder: Builder, text: str, names: dict[str, str]) -> str:
    """Return the code made faster; as it was if that does not play as the game does."""
    game, weights, options = builder.game, builder.weights, builder.options

    def searches(tree: ast.Module, prepare: Callable[[dict[str, Any]], None]) -> None:
        agent = LoadedAgent(game, weights, options, tree, names)
        prepare(agent.module)
        agent.search(SEARCHES, NODES)

    made = quickened(text, set(names.values()) | {"main"}, builder.weighing(), searches)
    return made if LoadedAgent(game, weights, options, made, names).fault(seed=2) is None else text


def _imports(code: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found
