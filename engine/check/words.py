"""Exceptions of a user's code, and of the compiler about it, as `file:line: what is wrong` in words.

Plain Python's exceptions are looked up in their traceback, the compiler's in their text, which is long and
speaks of its own parts: the sentences below say what the author can change instead."""

import re
import sysconfig
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

_OURS = str(Path(__file__).parents[1])
_FOREIGN = (_OURS, *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")))

# What compiled functions may work with, said in several messages.
_KNOWN = "compiled functions know ints, floats, tuples of them, and numpy arrays of int64 or float64"


def explain_exception(error: BaseException, function: Callable[..., Any]) -> str:
    """Return `file:line: Type: message` of what `function` raised, the line being the author's own."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if not _is_foreign(frame.filename)]
    place = f"{own[-1].filename}:{own[-1].lineno}" if own else where_defined(function)
    return f"{place}: {type(error).__name__}: {_one_line(str(error))}".rstrip(": ")


def where_defined(function: Callable[..., Any]) -> str:
    """Return `file:line` of a function's first line."""
    if not isinstance(function, FunctionType):
        return repr(function)
    return f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"


def explain_compiler(error: BaseException, function: Callable[..., Any]) -> str:
    """Return `file:line: what the compiler could not do, in words`."""
    text = str(error)
    return f"{_place(error, text, function)}: {_sentence(text)}"


def _is_foreign(filename: str) -> bool:
    return filename.startswith("<") or any(filename.startswith(folder) for folder in _FOREIGN if folder)


def _one_line(text: str, most: int = 300) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}..."


def _place(error: BaseException, text: str, function: Callable[..., Any]) -> str:
    """Find the innermost place: the compiler lists them from the inside out."""
    places = re.findall(r'File "(.+?)", line (\d+)', text)
    full = {f"{line}": path for path, line in re.findall(r"at (\S.*?) \((\d+)\)", text)}
    raised = re.search(r"Raised from (\S.*?):(\d+)|Raised from (\S.*?) \((\d+)\)", text)
    if places:
        # The returns that do not fit together come in any order.
        path, line = max(places, key=lambda place: int(place[1])) if "unify return" in text else places[0]
        return f"{_longer(path, full.get(line, ''), function)}:{line}"
    if raised:
        path, line = (group for group in raised.groups() if group)
        return f"{path}:{line}"
    spot = getattr(error, "loc", None)
    return f"{spot.filename}:{spot.line}" if spot is not None else where_defined(function)


def _longer(path: str, full: str, function: Callable[..., Any]) -> str:
    """Return the whole path of a file that the compiler names relative to the current folder."""
    own = function.__code__.co_filename if isinstance(function, FunctionType) else ""
    return next((whole for whole in (full, own) if Path(whole).name == Path(path).name), path)


def _sentence(text: str) -> str:
    for pattern, make in _SENTENCES:
        found = re.search(pattern, text)
        if found:
            return make(*found.groups())
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During:"))]
    return f"the compiler says: {_one_line(telling[0] if telling else text)}"


def _operation(name: str, arguments: str) -> str:
    if name == "getitem" and "slice" in arguments:
        return "a slice of a tuple needs constant bounds; name the elements instead"
    if name == "getitem" and arguments.startswith("Tuple("):
        return f"a tuple of different types needs a constant index ({_plain(arguments)})"
    if name == "setitem" and "uple(" in arguments:
        return "a tuple cannot be changed; return a new one"
    if name == "tuple":
        return "a tuple of unknown length cannot be made; write its elements out"
    return f"{name}({_plain(arguments)}) is not possible"


def _plain(types: str) -> str:
    """Return the compiler's names of types in shorter words."""
    types = re.sub(r"Literal\[(\w+)\]\((.*?)\)", r"\1", types)
    types = re.sub(r"Module\(<module '(\w+)'.*?>\)", r"module \1", types)
    types = re.sub(r"type\(CPUDispatcher\(<function (?:.*\.)?(\w+) at .*?>\)\)", r"function \1", types)
    types = re.sub(r"UniTuple\((\w+) x (\d+)\)", r"tuple of \2 \1", types)
    types = re.sub(r"array\((\w+), 1d, \w\)", r"array of \1", types)
    return _one_line(types.replace("Tuple(", "tuple of ("), 160)


def _global(name: str, kind: str) -> str:
    if kind == "function":
        return f"{name!r} calls itself, directly or through others; recursion cannot be compiled"
    return f"the module's {name!r} is of type {kind}; {_KNOWN}"


_SENTENCES: list[tuple[str, Callable[..., str]]] = [
    (r"Untyped global name '(.+?)': Int value is too large", lambda n: f"the number {n!r} exceeds 64 bits"),
    (r"Int value is too large: (\d+)", lambda n: f"the number {n} exceeds 64 bits"),
    (r"Untyped global name '(.+?)': Cannot determine Numba type of <class '(.+?)'>", _global),
    (r"NameError: name '(.+?)' is not defined", lambda n: f"the name {n!r} is not defined"),
    (
        r"The use of a (?:reflected )?(\w+).*? type, assigned to variable '(.+?)' in globals",
        lambda kind, name: _global(name, kind),
    ),
    (
        r"Can't unify return type from the following types: (.*)",
        lambda types: f"returns different types on different paths: {_plain(types)}",
    ),
    (
        r"Cannot unify (.*) and (.*) for '(.+?)(?:\.\d+)?'",
        lambda a, b, name: f"the variable {name!r} is {_plain(a)} on one path and {_plain(b)} on another",
    ),
    (
        r"Cannot infer the type of variable '(.+?)'",
        lambda name: f"the type of {name!r} is not known (an empty list?); {_KNOWN}",
    ),
    (
        r"Unknown attribute '(.+?)' of type (.*)",
        lambda name, kind: f"{_plain(kind)} has no {name!r} in compiled code",
    ),
    (
        r"No implementation of function Function\(<(?:built-in function|class) '?(\w+)'?>\) found for "
        r"signature:\s+>>> \w+\((.*)\)\s*\n",
        _operation,
    ),
    (r"Use of unsupported NumPy function '(.+?)'", lambda name: f"{name} is not available in compiled code"),
    (
        r"Cannot bind .* to signature '(.*)' due to",
        lambda signature: f"called with the wrong number of arguments; it takes {signature}",
    ),
    (
        r"Use of unsupported opcode \((\w+)\)",
        lambda opcode: f"this kind of statement cannot be compiled ({opcode.lower().replace('_', ' ')})",
    ),
    (r"The use of yield in a closure", lambda: "a generator expression cannot be compiled; write a loop"),
    (r"The '(.+?)' construct is not supported", lambda what: f"{what!r} cannot be compiled"),
]
