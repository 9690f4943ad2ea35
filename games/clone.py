"""Copies of plain functions with other values for their global names.

A game is written once, with its constants as module globals (`PONDS = 6`). A variant is the same code
with other constants; an engine template is the same code with a game's functions in place of names it
leaves free. Both are made here: `clone` copies a function and, in turn, every plain function it reaches
through its globals, so that the copies see the substitutes. Globals of the originals are never touched.
`digest` identifies everything such a function depends on (byte code and constants, recursively)."""

import builtins
import hashlib
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

Function = Callable[..., Any]

# Functions of these packages are left as they are: compilers know them by identity.
FOREIGN = frozenset({"numpy", "math", "numba", "builtins"})


def global_names(code: types.CodeType) -> Iterator[str]:
    """Yield every name that `code`, or code nested in it, may look up among its globals."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from global_names(constant)


def is_plain(value: object) -> bool:
    """Whether `value` is a Python function of a game or of the engine, that is: one to be copied.

    A function with the attribute `known_by_identity` is left alone (a compiler has its own version of it).
    """
    return (
        isinstance(value, types.FunctionType)
        and value.__module__.split(".")[0] not in FOREIGN
        and not hasattr(value, "known_by_identity")
    )


class Cloner:
    """Copies functions under one substitution; each original is copied once.

    Parameters
    ----------
    substitute
        Called with (name, value) for every global that a copied function uses; returns the value that
        the copy sees. Plain functions in the answer are copied in turn.
    finish
        Called with each finished copy; what it returns takes the copy's place (a compiled function).
    """

    def __init__(
        self,
        substitute: Callable[[str, object], object],
        finish: Callable[[types.FunctionType], object] = lambda function: function,
    ) -> None:
        self._substitute = substitute
        self._finish = finish
        self._done: dict[int, object] = {}
        self._kept: list[object] = []  # keeps originals alive, so that no id is used twice

    def clone(self, function: Any) -> Any:
        """Return the copy of `function` (made on the first call)."""
        known = self._done.get(id(function))
        if known is not None:
            return known
        namespace = {"__builtins__": builtins, "__name__": function.__module__}
        copy = types.FunctionType(
            function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
        )
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__module__ = function.__module__
        copy.__qualname__ = function.__qualname__
        copy.__doc__ = function.__doc__
        copy.__dict__.update(function.__dict__)
        self._kept.append(function)
        self._done[id(function)] = copy  # recursion in plain Python sees the unfinished copy
        for name in set(global_names(function.__code__)):
            if name in function.__globals__:
                value = self._substitute(name, function.__globals__[name])
                if is_plain(value):
                    value = self.clone(value)
                namespace[name] = value
        finished = self._finish(copy)
        self._done[id(function)] = finished
        return finished


def specialise(functions: Mapping[str, Function], constants: Mapping[str, object]) -> dict[str, Function]:
    """Copy `functions`, and all they call, with `constants` in place of the globals of those names."""
    cloner = Cloner(lambda name, value: constants.get(name, value))
    return {name: cloner.clone(function) for name, function in functions.items()}


def digest(function: types.FunctionType) -> str:
    """Return a hex digest of `function`: its code, the constants it uses, and the functions it calls."""
    hasher = hashlib.sha256()
    _feed(function, hasher, set())
    return hasher.hexdigest()


def _feed(function: types.FunctionType, hasher: Any, seen: set[int]) -> None:
    if id(function) in seen:
        return
    seen.add(id(function))
    hasher.update(function.__qualname__.encode())
    _feed_code(function.__code__, hasher)
    hasher.update(repr(function.__defaults__).encode())
    for name in sorted(set(global_names(function.__code__))):
        if name not in function.__globals__:
            continue
        value = function.__globals__[name]
        hasher.update(name.encode())
        if is_plain(value):
            _feed(value, hasher, seen)
        elif isinstance(value, np.ndarray):
            hasher.update(f"{value.dtype}{value.shape}".encode() + value.tobytes())
        elif isinstance(value, types.ModuleType):
            hasher.update(value.__name__.encode())
        elif isinstance(value, int | float | bool | str | tuple):
            hasher.update(repr(value).encode())
        else:
            hasher.update(getattr(value, "__qualname__", type(value).__qualname__).encode())


def _feed_code(code: types.CodeType, hasher: Any) -> None:
    hasher.update(code.co_code)
    hasher.update(repr((code.co_names, code.co_varnames, code.co_freevars)).encode())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _feed_code(constant, hasher)
        elif isinstance(constant, frozenset):
            hasher.update(repr(sorted(constant, key=repr)).encode())
        else:
            hasher.update(repr(constant).encode())
