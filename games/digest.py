"""What does a function depend on, by value? `digest(function)`: its code and all that the code refers to.

The digest names compiled code on the disk and pins the code that made a folder of games, so it must change
with everything that may change an answer, and with nothing else. Followed by value are numbers, texts, arrays,
tuples and other collections of them, enums, defaults, closures, functions (and the functions they call, also
those that a compiler has wrapped), and what is read from modules and classes (`tables.VALUE`). Python's own
library, numpy and numba are known by name, other compiled libraries by name and version. Anything else is
refused: compiled code would go on with an old value of it. Names of modules and files, line numbers, comments
and docstrings count for nothing: the same game elsewhere has the same digest."""

import dataclasses
import enum
import functools
import hashlib
import importlib.metadata
import sys
import sysconfig
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tunesmith.games.bytecode import Use, read
from tunesmith.games.clone import without_compiler
from tunesmith.games.errors import GameError
from tunesmith.games.user_file import is_helper

# Known by name: what they do is settled by the versions of Python and numba, which compiled code is kept for.
LIBRARIES = sys.stdlib_module_names | {"numpy", "numba"}
MOST_KEPT = 10**6  # bytes of an array; the compiler keeps no code that refers to a larger one

_SCALARS = (bool, int, float, complex, str, bytes)
_ARRAYS = (np.ndarray, np.memmap, np.recarray)


class Large(NamedTuple):
    """An array that compiled code cannot be kept with: who refers to it, as what, and its size in bytes."""

    function: str
    name: str
    size: int

    @property
    def words(self) -> str:
        """What is wrong, and what to change."""
        return (
            f"{self.function}: {self.name} is an array of {self.size / 10**6:.1f} MB, and code that refers to more "
            f"than {MOST_KEPT / 10**6:.0f} MB cannot be kept on the disk; split it, or use a smaller type of numbers"
        )


def digest(function: Any) -> str:
    """Return a hex digest of `function`: its code, the values it uses, and the functions it calls.

    Raises
    ------
    GameError
        It refers to something whose value cannot be known; says what, and what to use instead.
    """
    return follow(function)[0]


def follow(function: Any) -> tuple[str, list[Large]]:
    """Return the digest of a function, and the arrays that are too large to be kept with compiled code."""
    walk = _Walk()
    walk.value(function, getattr(function, "__name__", "function"))
    return walk.hasher.hexdigest(), walk.large


class _Walk:
    """One walk over everything that a function refers to, each function once."""

    def __init__(self) -> None:
        self.hasher = hashlib.sha256()
        self.large: list[Large] = []
        self._seen: dict[int, int] = {}  # functions by identity; equal values may be one object or several
        self._open: list[object] = []  # collections that are being taken in
        self._where = "the game"

    def _put(self, *parts: str | bytes) -> None:
        for part in parts:
            content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
            self.hasher.update(f"{len(content)}:".encode() + content)

    def value(self, value: Any, name: str) -> None:
        """Take in a value; `name` is what its user calls it."""
        value = without_compiler(value)
        if value is None or value is Ellipsis or value is NotImplemented:
            self._put("constant", repr(value))
        elif isinstance(value, np.generic | np.dtype | np.ndarray):
            self._of_numpy(value, name)
        elif isinstance(value, enum.Enum):
            self._put("member", type(value).__name__, value.name)
            self.value(value.value, f"{name}.value")
        elif isinstance(value, _SCALARS):
            base = next(kind for kind in _SCALARS if isinstance(value, kind))
            self._put(base.__name__, base.__repr__(value))
        elif isinstance(value, types.FunctionType):
            self._function(value)
        elif isinstance(value, type):
            self._class(value, name)
        elif any(value is other for other in self._open):
            self._refuse(value, name)
        else:
            self._open.append(value)
            self._collection(value, name)
            self._open.pop()

    def _of_numpy(self, value: Any, name: str) -> None:
        kind = value if isinstance(value, np.dtype) else value.dtype
        if kind.hasobject or (isinstance(value, np.ndarray) and type(value) not in _ARRAYS):
            self._refuse(value, name)
        self._put("array" if isinstance(value, np.ndarray) else "numpy")
        self._put(repr(np.lib.format.dtype_to_descr(kind)))
        if not isinstance(value, np.dtype):
            self._put(repr(value.shape), value.tobytes())
            if value.nbytes > MOST_KEPT:
                self.large.append(Large(self._where, name, value.nbytes))

    def _collection(self, value: Any, name: str) -> None:
        if isinstance(value, tuple | list):
            self._sequence(value, name)
        elif isinstance(value, Mapping):
            self._put("mapping", str(len(value)))
            for key, inner in value.items():
                self.value(key, f"a key of {name}")
                self.value(inner, f"{name}[{key!r}]")
        elif isinstance(value, set | frozenset):
            self._put("set", str(len(value)))
            for part in sorted(value, key=repr):
                self.value(part, f"a member of {name}")
        elif isinstance(value, range | slice):
            self._put(type(value).__name__)
            self.value((value.start, value.stop, value.step), name)
        elif isinstance(value, functools.partial):
            self._put("partial")
            self.value((value.func, value.args, value.keywords), name)
        elif isinstance(value, types.ModuleType) or (members := members_of(value)) is None:
            self._by_name(value, name)
        else:
            self._put("record", type(value).__name__)
            self.value(dict(members), name)

    def _sequence(self, value: Any, name: str) -> None:
        fields = getattr(value, "_fields", None)
        self._put(type(value).__name__ if fields else "sequence", repr(fields), str(len(value)))
        for at, part in enumerate(value):
            self.value(part, f"{name}.{fields[at]}" if fields else f"{name}[{at}]")

    # --- functions

    def _function(self, function: types.FunctionType) -> None:
        if id(function) in self._seen:
            self._put("function again", str(self._seen[id(function)]))
            return
        self._seen[id(function)] = len(self._seen)
        if hasattr(function, "known_by_identity") or _is_library(function):
            self._put("known function", function.__qualname__)
            return
        outside, self._where = self._where, _place(function)
        self._put("function", function.__qualname__)
        reading = read(function.__code__)
        self._put(reading.digest)
        for module in reading.imports:
            if module.split(".")[0] not in LIBRARIES or is_helper(function.__globals__, module):
                self._refuse_import(module)
        self.value(function.__defaults__, "a default")
        self.value(function.__kwdefaults__, "a default")
        for use in reading.uses:
            scope = function.__globals__ if use.is_global else _closure(function)
            if use.name in scope:
                self._use(scope[use.name], use)
        self._where = outside

    def _use(self, value: Any, use: Use) -> None:
        """Take in what a function reads: of modules and classes the attributes that it asks for."""
        name = use.name
        for attribute in use.attributes:
            members = members_of(value)
            if members is None:
                break
            name, owner = f"{name}.{attribute}", value
            try:
                value = members[attribute] if attribute in members else getattr(value, attribute)
            except Exception:  # there is none: so will say whoever calls the function
                self._put("missing", name)
                return
            if _is_library_module(owner) and isinstance(value, Mapping | list | set):
                self._put("held by a library", name)  # os.environ, sys.path: each process has its own
                return
            value = value.__func__ if isinstance(value, staticmethod) else value
        self._put("use", name)
        self.value(value, name)

    # --- what is known by name

    def _class(self, value: type, name: str) -> None:
        if issubclass(value, enum.Enum):
            self._put("enum", value.__name__)
            self.value(list(value), name)
        elif issubclass(value, tuple) and hasattr(value, "_fields"):
            self._put("class", value.__name__, repr(value._fields))
            self.value(value._field_defaults, name)  # type: ignore[attr-defined]
        elif issubclass(value, BaseException):
            self._put("class", value.__name__)
        else:
            self._by_name(value, name)

    def _by_name(self, value: Any, name: str) -> None:
        """Take in what a library offers under a name, by that name and the library's version."""
        if type(value).__module__.startswith("numba.core.types"):  # int64, float32, ...
            self._put("numba", str(value))
            return
        home, own_name = _home(value)
        package = home.split(".")[0]
        version = _version(package)
        if version is None or _offered(home, own_name) is not value:
            self._refuse(value, name)
        self._put("library", package, own_name, version or "")

    # --- what is refused

    def _refuse(self, value: Any, name: str) -> None:
        if isinstance(value, types.ModuleType):
            raise GameError(
                f"{self._where}: {name} is a module, used as a whole: compiled code could go on with old values "
                f"of it; name what is used ({name}.VALUE), or import that alone"
            )
        raise GameError(
            f"{self._where}: {name} is {_kind(value)}, whose value cannot be followed: compiled code could go on "
            "with an old one; use numbers, texts, enums, arrays of numbers, tuples of these, and plain functions"
        )

    def _refuse_import(self, module: str) -> None:
        raise GameError(
            f"{self._where}: imports {module} inside the function, where its values cannot be followed: compiled "
            "code could go on with old ones; import it at the head of the file"
        )


def members_of(value: object) -> Mapping[str, Any] | None:
    """Return what `value.name` means for a module, a class or a record; None if it is none of these."""
    if isinstance(value, types.ModuleType | types.SimpleNamespace):
        return vars(value)
    if isinstance(value, enum.EnumMeta):
        return value.__members__
    if isinstance(value, type):
        return {name: inner for kind in reversed(value.__mro__) for name, inner in vars(kind).items()}
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return None


def _closure(function: types.FunctionType) -> dict[str, Any]:
    """Return the values of a function's closure by name, without those that have none yet."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in cells if cell != types.CellType()}


def _home(value: Any) -> tuple[str, str]:
    """Return the module that offers a value, and its name there; of what has none, empty texts."""
    if isinstance(value, types.ModuleType):
        return value.__name__, ""
    if isinstance(value, np.ufunc):
        is_numpys = getattr(np, value.__name__, None) is value
        return "numpy" if is_numpys else "scipy.special", value.__name__
    owner = getattr(value, "__objclass__", value)
    return getattr(owner, "__module__", None) or "", getattr(value, "__qualname__", "")


def _offered(home: str, name: str) -> object:
    """Return what a module offers under a name; None if nothing."""
    found: Any = sys.modules.get(home)
    for part in filter(None, name.split(".")):
        found = getattr(found, part, None)
    return found


def _is_library(function: types.FunctionType) -> bool:
    """Whether a function is Python's or numpy's own: by its package, and by where its file lies."""
    return _lies_in_library(function.__module__ or "", function.__code__.co_filename)


def _is_library_module(value: object) -> bool:
    """Whether a value is a module of Python's own library, of numpy or of numba."""
    return isinstance(value, types.ModuleType) and _lies_in_library(
        value.__name__, getattr(value, "__file__", None) or "<built in>"
    )


def _lies_in_library(module: str, file: str) -> bool:
    return module.split(".", maxsplit=1)[0] in LIBRARIES and file.startswith(("<", *_library_folders()))


@functools.cache
def _library_folders() -> tuple[str, ...]:
    named = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")]
    numba = getattr(sys.modules.get("numba"), "__file__", None)
    return (*named, str(Path(np.__file__).parent), *([str(Path(numba).parent)] if numba else []))


def _version(package: str) -> str | None:
    """Return the version of an installed library, "" where the name alone is enough, None if there is none."""
    if package in LIBRARIES:
        return ""
    found = getattr(sys.modules.get(package), "__version__", None)
    return found if isinstance(found, str) and package in _installed() else None


@functools.cache
def _installed() -> frozenset[str]:
    return frozenset(importlib.metadata.packages_distributions())


def _place(function: types.FunctionType) -> str:
    code = function.__code__
    return f"{function.__name__} ({Path(code.co_filename).name}:{code.co_firstlineno})"


def _kind(value: object) -> str:
    if isinstance(value, type):
        return "a class"
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        return "an array of objects"
    return f"a value of type {type(value).__name__}"
