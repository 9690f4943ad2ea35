"""Templates made into searches of one game: `bind(template, game)`, with one mask of features or two.

A template is a plain function whose free names stand in `engine.compile.slots`. Binding copies it, and every function
it calls, with the game's own functions in their place, names the copy after the game and a digest of all code
and constants it depends on, and compiles it with the disk cache on. The digest in the name is what makes the
cache safe: numba's own check looks at one source file only, and keeps two functions of one name apart by
nothing. Weights never enter here: they are arguments of the bound function."""

import hashlib
import logging
import threading
import types
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from tunesmith.engine.compile import jit, slots
from tunesmith.engine.evaluation import ALL_FEATURES, Wanted, weighted_sum
from tunesmith.games.game import Cloner, Game, digest, follow, is_plain

logger = logging.getLogger("tunesmith.engine")

Template = Callable[..., Any]
Exchange = tuple[Template, Template]

_bound: "WeakKeyDictionary[Game, dict[tuple[Template, Wanted, Exchange | None], Any]]" = WeakKeyDictionary()
_binding = threading.RLock()  # parts that are half copied must not be seen by another thread
_compiled_parts: "WeakKeyDictionary[Game, dict[tuple[Wanted, Exchange | None], Cloner]]" = WeakKeyDictionary()


def bind(
    template: Template, game: Game, wanted: Wanted = ALL_FEATURES, exchange: Exchange | None = None
) -> Any:
    """Return `template` bound to `game` and compiled (the same object for the same arguments).

    `wanted` is the mask of features that must be computed, see `wanted_features`, or one for each of two searchers.
    `exchange` names a part of the template and another template of the same parameters, which takes the part's place.

    Raises
    ------
    GameError
        A function of the game refers to something whose value cannot be known (`games.digest`).
    """
    made = _bound.setdefault(game, {})
    key = (template, wanted, exchange)
    with _binding:
        if key not in made:
            made[key] = _bind(template, game, wanted, exchange)
    return made[key]


def _bind(template: Template, game: Game, wanted: Wanted, exchange: Exchange | None) -> Any:
    plain = uncompiled(template, game, wanted, exchange)
    if not jit.COMPILED:
        return plain
    found, large = follow(plain)
    name = _name(plain.__name__, found, game)
    for array in large:
        logger.warning("%s: compiled anew in every process: %s", game.name, array.words)
    # Parts are compiled without a cache of their own: they end up inside the cached whole. The same parts
    # serve all templates of the process, so each is compiled at most once.
    parts = _compiled_parts.setdefault(game, {})
    kind = (wanted, exchange)
    if kind not in parts:
        parts[kind] = _filler(game, wanted, exchange, _compile_part)
    compiled_part = parts[kind].clone(template)
    whole = compiled_part.py_func
    whole.__name__ = whole.__qualname__ = name
    whole.__module__ = template.__module__
    return jit.compile_function(whole, cache=True)


def uncompiled(
    template: Template, game: Game, wanted: Wanted = ALL_FEATURES, exchange: Exchange | None = None
) -> Any:
    """Return `template` bound to `game` as plain Python."""
    return _filler(game, wanted, exchange, lambda function: function).clone(template)


def _filler(
    game: Game, wanted: Wanted, exchange: Exchange | None, finish: Callable[[types.FunctionType], object]
) -> Cloner:
    return Cloner(substitution(game, wanted, exchange), finish)


def substitution(
    game: Game, wanted: Wanted, exchange: Exchange | None = None
) -> Callable[[str, object], object]:
    """Return what tells, by name and value, what a global of a template stands for in `game`."""
    functions = game.functions()
    first, second = wanted if isinstance(wanted, tuple) else (wanted, None)
    constants = facts(game) | {"HAS_TWO_MASKS": int(second is not None), "FEATURES_WANTED": first}
    if second is not None:
        functions["other_sum"] = uncompiled(weighted_sum, game, second)

    def substitute(name: str, value: object) -> object:
        if isinstance(value, slots.Constant):
            return constants[value.name]
        if exchange is not None and value is exchange[0]:
            return exchange[1]
        if is_plain(value) and value.__module__ == slots.__name__:
            return functions.get(value.__name__, value)  # type: ignore[attr-defined]
        if name == "FEATURES_WANTED" and (second is None or value != second):  # `other_sum` keeps its mask
            return constants[name]
        return value

    return substitute


def _compile_part(part: types.FunctionType) -> Any:
    """Compile a part under a name of its own.

    Cached wholes carry their parts as symbols; of two symbols of one name in a process, the linker keeps one.
    They also carry the module of each part, and import it when they are loaded. A copy of a user's file, or a
    file of the same functions, is another module, so all parts are said to belong to this one.
    """
    part.__module__ = __name__
    part.__name__ = part.__qualname__ = f"{part.__name__}_{digest(part)[:16]}"
    return jit.compile_part(part)


def facts(game: Game) -> dict[str, int]:
    """Return the numbers that templates know a game by (the names of `engine.compile.slots`)."""
    return {
        "MAX_MOVES": game.max_moves,
        "N_FEATURES": game.n_features,
        "N_STAGES": game.n_stages,
        "N_SYMMETRIES": game.n_symmetries,
        "MAX_PLIES": game.max_plies,
        "REPETITION_LIMIT": game.repetition_limit,
        "REPETITION_FIRST": int(game.repetition_first),
        "SIMULTANEOUS": int(game.simultaneous),
        "HAS_QUIET": int(game.noisy_moves is not None),
        "HAS_HINT": int(game.move_hint is not None),
        "HAS_PASS": int(game.pass_turn is not None),
        "HAS_MARGIN": int(game.final_margin is not None),
        "HAS_SETTLED": int(game.settled_margin is not None),
        "HAS_STRIP": int(game.strip_counters is not None),
        "HAS_TWO_MASKS": 0,  # a question of who plays: `substitution`
    }


def _name(template: str, found: str, game: Game) -> str:
    """Return the name of a compiled template, with all that it depends on."""
    short = hashlib.sha256(f"{jit.version()} {found}".encode()).hexdigest()[:24]
    readable = "".join(letter if letter.isalnum() else "_" for letter in game.name)[:40]
    return f"{template}_{readable}_{short}"
