"""Which code plays? Digests of a game's code and of the engine's, which every folder of games pins.

A game's is taken of what its functions refer to by value (`games.digest`) and of its facts; texts and drawings
of positions play no part. The engine's is taken of the statements of its source, in whatever file they stand:
comments, docstrings, imports and names of files count for nothing, nor do the questions of `engine.check`."""

import ast
import functools
import hashlib
import inspect
import json
from pathlib import Path

from tunesmith import engine
from tunesmith.games.game import Game, digest

_FACTS = (
    *("feature_names", "stage_names", "cheap_features", "max_moves", "max_plies"),
    *("repetition_limit", "repetition_first", "simultaneous", "n_symmetries"),
)


def code_pins(game: Game) -> dict[str, str]:
    """Return what a folder of games pins of the code that made them: digests by name."""
    return {"code of the game": code_digest(game), "code of the engine": engine_digest()}


def code_digest(game: Game) -> str:
    """Return a digest of all code and constants of a game's functions, and of the facts that go with them.

    Raises
    ------
    GameError
        A function refers to something whose value cannot be known.
    """
    rules = {name: digest(function) for name, function in game.functions().items()}
    facts = {name: getattr(game, name) for name in _FACTS}
    return hashlib.sha256(json.dumps([rules, facts], sort_keys=True).encode()).hexdigest()[:16]


@functools.cache
def engine_digest() -> str:
    """Return the digest of the engine, and of what binds games to it."""
    files = [
        *(path for path in Path(engine.__file__).parent.rglob("*.py") if path.parent.name != "check"),
        *Path(inspect.getfile(Game)).parent.glob("*.py"),
    ]
    statements = [_said(statement) for path in files for statement in ast.parse(path.read_bytes()).body]
    return hashlib.sha256("\n".join(sorted(filter(None, statements))).encode()).hexdigest()[:16]


def _said(statement: ast.stmt) -> str:
    """Return a statement of a module as text, without the docstrings and imports in it; "" if nothing is left."""
    module = ast.Module([statement], [])
    for node in ast.walk(module):
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(node, field, None)
            if isinstance(inner, list):
                setattr(node, field, [part for part in inner if not _is_silent(part)])
    return ast.unparse(module)


def _is_silent(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.Import | ast.ImportFrom)
