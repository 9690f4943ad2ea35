"""Copies of plain functions with other values for their global names.

A game is written once, with its constants as module globals (`PONDS = 6`). A variant is the same code
with other constants; an engine template is the same code with a game's functions in place of names it
leaves free. Both are made here: `clone` copies a function and, in turn, every plain function it reaches
through its globals, its closure and the modules it uses, so that the copies see the substitutes. A function
that a compiler has wrapped is copied as the plain function it was made of. Arrays that are not contiguous
become so: no compiled code that refers to others can be kept. The originals are never touched."""

import builtins
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from tunesmith.games.bytecode import Use, read

Function = Callable[..., Any]

# Functions of these packages are left as they are: compilers know them by identity.
FOREIGN = frozenset({"numpy", "math", "numba", "builtins"})


def is_plain(value: object) -> bool:
    """Whether `value` is a Python function of a game or of the engine, that is: one to be copied.

    A function with the attribute `known_by_identity` is left alone (a compiler has its own version of it).
    """
    return (
        isinstance(value, types.FunctionType)
        and value.__module__.split(".")[0] not in FOREIGN
        and not hasattr(value, "known_by_identity")
    )


def without_compiler(value: Any) -> Any:
    """Return the plain function that a compiler has wrapped; anything else as it is."""
    if isinstance(value, type | types.ModuleType | types.FunctionType):
        return value
    inner = getattr(value, "py_func", None)
    return inner if is_plain(inner) else value


def contiguous(value: Any) -> Any:
    """Return an array, or a tuple with arrays, with contiguous copies of those that are not; else `value`."""
    if isinstance(value, np.ndarray):
        flags = value.flags
        return value if flags.c_contiguous or flags.f_contiguous else value.copy()
    if isinstance(value, tuple):
        parts = [contiguous(part) for part in value]
        if all(new is old for new, old in zip(parts, value, strict=True)):
            return value
        return value._make(parts) if hasattr(value, "_make") else tuple(parts)
    return value


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
        cells = {name: types.CellType() for name in function.__code__.co_freevars}
        copy = types.FunctionType(
            function.__code__, namespace, function.__name__, function.__defaults__, tuple(cells.values())
        )
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__module__ = function.__module__
        copy.__qualname__ = function.__qualname__
        copy.__doc__ = function.__doc__
        copy.__dict__.update(function.__dict__)
        self._kept.append(function)
        self._done[id(function)] = copy  # recursion in plain Python sees the unfinished copy
        uses = read(function.__code__).uses
        for name in {use.name for use in uses if use.is_global} & function.__globals__.keys():
            value = self._substitute(name, function.__globals__[name])
            namespace[name] = self._copied(value, attributes_of(uses, name, is_global=True))
        for cell, (name, new) in zip(function.__closure__ or (), cells.items(), strict=True):
            if cell != types.CellType():
                new.cell_contents = self._copied(
                    cell.cell_contents, attributes_of(uses, name, is_global=False)
                )
        finished = self._finish(copy)
        self._done[id(function)] = finished
        return finished

    def _copied(self, value: Any, uses: list[tuple[str, ...]]) -> Any:
        """Return what a copy sees in place of `value`, of which it reads the attributes `uses`."""
        value = without_compiler(value)
        if is_plain(value):
            return self.clone(value)
        if isinstance(value, types.ModuleType):
            return self._module(value, uses)
        return contiguous(value)

    def _module(self, module: types.ModuleType, uses: list[tuple[str, ...]]) -> types.ModuleType:
        """Return a module with copies of those attributes that need one; the module itself if none does."""
        if module.__name__.split(".")[0] in FOREIGN or () in uses:
            return module
        found = {
            name: getattr(module, name) for name in {first for first, *_ in uses} if hasattr(module, name)
        }
        copies = {
            name: self._copied(value, [tuple(rest) for first, *rest in uses if first == name])
            for name, value in found.items()
        }
        if all(copies[name] is value for name, value in found.items()):
            return module
        small = types.ModuleType(module.__name__)
        small.__dict__.update(copies)
        return small


def attributes_of(uses: Iterable[Use], name: str, is_global: bool) -> list[tuple[str, ...]]:
    """Return the attributes that are read of a name, one entry a use; () is a use of the name alone."""
    return [use.attributes for use in uses if (use.is_global, use.name) == (is_global, name)]


def specialise(functions: Mapping[str, Function], constants: Mapping[str, object]) -> dict[str, Function]:
    """Copy `functions`, and all they call, with `constants` in place of the globals of those names."""
    cloner = Cloner(lambda name, value: constants.get(name, value))
    return {name: cloner.clone(function) for name, function in functions.items()}
