"""Games by spec: `kalah`, `kalah:ponds=6,seeds=4`, `path/to/game.py`, `module:ATTR`.

A game of one's own is a Python file (or module) with `GAME`, a `games.game.Game`, or with `make(**variant)`
that returns one. Every shipped package has `make`, whose keyword arguments and defaults are the variants."""

import contextlib
import difflib
import importlib
import importlib.util
import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from tunesmith.games.errors import GameError, InputError, TunesmithError
from tunesmith.games.game import Game
from tunesmith.games.texts import place_in
from tunesmith.games.user_file import helpers, run_file

SHIPPED = ("expendibots", "fanorona", "kalah", "pentago", "ropasci360")

Stamps = dict[str, int]  # files and when they were changed, ns

Refuse = Callable[[Game], None]

_loaded: dict[tuple[str, str], tuple[Stamps, Game]] = {}  # by the path of a file and the spec
_refusals: list[Refuse] = []


def names() -> list[str]:
    """Return the names of the shipped games, sorted."""
    return [name for name in SHIPPED if importlib.util.find_spec(f"tunesmith.games.{name}") is not None]


def without_folder(spec: str) -> str:
    """Return a game's spec with the name of its file alone: the same game elsewhere has the same."""
    head, dot, variant = spec.partition(".py")
    return f"{os.path.basename(head)}{dot}{variant}"


def load(spec: str) -> Game:
    """Return the game of `spec` (see the module's text); the same object for the same spec.

    The file of a user's game is run anew once it, or a file that it imports, has changed.

    Raises
    ------
    InputError
        Unknown game, file or variant, or a value that the variant does not take.
    GameError
        The file of a user's game fails when it is run, or holds no game.
    """
    path = _path(spec)
    key = path, spec
    if key in _loaded:
        stamps, game = _loaded[key]
        if stamps == _stamps(stamps):
            return _passed(game)
        _forget_bytecode(stamps)
    game = _load(spec)
    _loaded[key] = _stamps([path, *helpers(Path(path))] if path else ()), game
    return _passed(game)


def spec_of(game: Game) -> str | None:
    """Return the spec that `load` had for a game, with the whole path of a file; None if it was never loaded."""
    for (path, spec), (_, known) in _loaded.items():
        if known is game:
            return f"{path}{spec.partition('.py')[2]}" if path else spec
    return None


def _passed(game: Game) -> Game:
    for refuse in _refusals:
        refuse(game)
    return game


@contextlib.contextmanager
def guarded(refuse: Refuse) -> Iterator[None]:
    """For the block, have `refuse` look at every game that is loaded: it raises GameError where one is unfit."""
    _refusals.append(refuse)
    try:
        yield
    finally:
        _refusals.remove(refuse)


def _path(spec: str) -> str:
    """Return the file of a user's game, "" where the spec names none."""
    path = spec.partition(".py")[0] + ".py"
    return os.path.abspath(path) if os.path.isfile(path) else ""


def _stamps(files: Iterable[str]) -> Stamps:
    return {file: os.stat(file).st_mtime_ns if os.path.isfile(file) else 0 for file in files}


def _forget_bytecode(files: Iterable[str]) -> None:
    """Remove Python's own copies of files that have changed: it tells changes by whole seconds and sizes."""
    for file in files:
        with contextlib.suppress(OSError):
            os.unlink(importlib.util.cache_from_source(file))
    importlib.invalidate_caches()


def _load(spec: str) -> Game:
    head, _, tail = spec.partition(":")
    if head.endswith(".py"):
        return _from_module(run_file(Path(head)), spec, "GAME", tail)
    if head in names():
        return _make(importlib.import_module(f"tunesmith.games.{head}").make, spec, tail)
    if tail and "=" not in tail:
        return _from_module(_import(head, spec), spec, tail, "")
    near = difflib.get_close_matches(head, names(), n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise InputError(
        f"game {spec!r}: expected one of {', '.join(names())}, a path to a .py file, or module:ATTR{hint}"
    )


def _from_module(module: ModuleType, spec: str, attribute: str, variant: str) -> Game:
    if variant or (not hasattr(module, attribute) and hasattr(module, "make")):
        if not hasattr(module, "make"):
            raise InputError(f"game {spec!r}: has variants in the spec, but the file has no make(**variant)")
        try:
            return _make(module.make, spec, variant)
        except TunesmithError:
            raise
        except (Exception, SystemExit) as error:  # a user's function may raise anything
            where = place_in(error, Path(module.__file__).parent) if module.__file__ else ""
            raise GameError(
                f"game {spec!r}: make({variant}) failed: {type(error).__name__}: {error}{where}"
            ) from error
    found = getattr(module, attribute, None)
    if not isinstance(found, Game):
        raise GameError(
            f"game {spec!r}: expected {attribute} to be a tunesmith.games.game.Game, found {found!r}"
        )
    return found


def _import(name: str, spec: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # a user's module may raise anything
        raise InputError(f"game {spec!r}: importing {name!r} failed: {error}") from error


def _make(make: Callable[..., Game], spec: str, text: str) -> Game:
    return make(**_variant(inspect.signature(make), spec, text))


def _variant(signature: inspect.Signature, spec: str, text: str) -> dict[str, Any]:
    known = {name: parameter.default for name, parameter in signature.parameters.items()}
    chosen: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or name not in known:
            raise InputError(
                f"game {spec!r}: expected name=value with name one of {', '.join(known)}, found {part!r}"
            )
        if name in chosen:
            raise InputError(f"game {spec!r}: {name!r} is given twice")
        chosen[name] = _value(value, known[name], f"game {spec!r}: {name}")
    return chosen


def _value(text: str, default: Any, where: str) -> Any:
    if isinstance(default, bool):
        if text.lower() not in ("true", "false"):
            raise InputError(f"{where}: expected true or false, found {text!r}")
        return text.lower() == "true"
    if isinstance(default, int):
        try:
            return int(text)
        except ValueError:
            raise InputError(f"{where}: expected a whole number, found {text!r}") from None
    return text
