"""How is the file of a user's game run? With the modules that lie beside it, under names of their own.

What such a file imports is looked for in its own folder first, as when Python runs it, and then where packages are
installed. Modules of the folder are known to the game alone: whatever they are called (`random.py`, `queue.py`,
`types.py`), nobody else who imports that name gets them, and two games may have helpers of the same name. In
`sys.modules` they are `user_game_NAME_NUMBER.HELPER`. The import statements of these files are what is changed, so
an import inside a function finds the same modules."""

import builtins
import os
import re
import sys
import zlib
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from tunesmith.games.errors import GameError, InputError
from tunesmith.games.texts import place_in

PREFIX = "user_game_"
OWN = frozenset({"tunesmith"})  # never a helper, whatever lies there


def run_file(path: Path) -> ModuleType:
    """Run the file of a game, and all that it imports from its folder, anew; return it as a module.

    Raises
    ------
    InputError
        There is no such file.
    GameError
        Running it fails.
    """
    if not os.path.isfile(path):
        raise InputError(f"game {str(path)!r}: no such file")
    path = path.absolute()
    name = _name(path)
    forget(path)
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
    spec = ModuleSpec(name, _Loader(name, str(path)), origin=str(path), is_package=True)
    spec.submodule_search_locations = [str(path.parent)]
    spec.has_location = True
    module = module_from_spec(spec)
    sys.modules[name] = sys.modules[f"{name}.{path.stem}"] = module
    try:
        _Loader(name, str(path)).exec_module(module)
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        raise GameError(
            f"game {str(path)!r}: running the file failed: {type(error).__name__}: {error}"
            f"{place_in(error, path.parent)}"
        ) from error
    return module


def helpers(path: Path) -> list[str]:
    """Return the files that the file of a game has imported from its folder."""
    inside = f"{_name(path.absolute())}."
    found = [module for name, module in sys.modules.items() if name.startswith(inside)]
    return [module.__file__ for module in found if module.__file__]


def forget(path: Path) -> None:
    """Have the file of a game import its modules anew."""
    name = _name(path.absolute())
    for known in [known for known in sys.modules if known == name or known.startswith(f"{name}.")]:
        del sys.modules[known]


def is_helper(scope: Mapping[str, Any], name: str) -> bool:
    """Whether a module that is imported where the globals are `scope` comes from the folder of a user's game."""
    package = str(scope.get("__name__", "")).partition(".")[0]
    return package.startswith(PREFIX) and _is_own(package, name.partition(".")[0])


def _name(path: Path) -> str:
    """Return what a file is called in `sys.modules`: others may have its name in other folders."""
    word = re.sub(r"\W", "_", path.stem)
    return f"{PREFIX}{word}_{zlib.crc32(str(path).encode('utf-8', 'surrogateescape')):08x}"


class _Loader(SourceFileLoader):
    """Runs a file of a game's folder with the import statement of that folder."""

    def exec_module(self, module: ModuleType) -> None:
        package = module.__name__.partition(".")[0]
        vars(module)["__builtins__"] = {**vars(builtins), "__import__": _importer(package)}
        with redirect_stdout(sys.stderr):  # what it prints is no output of the command that reads it
            super().exec_module(module)


class _Finder(PathFinder):
    """Finds modules below a game's folder, as Python's own finder does elsewhere."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(PREFIX) or "." not in fullname:
            return None
        found = PathFinder.find_spec(fullname, path, target)
        if found is not None and isinstance(found.loader, SourceFileLoader):
            found.loader = _Loader(fullname, found.loader.path)
        return found


def _importer(package: str) -> Any:
    """Return what an import statement calls in the files of a game's folder."""

    def import_(
        name: str,
        scope: Mapping[str, Any] | None = None,
        local: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> ModuleType:
        if level == 0 and _is_own(package, name.partition(".")[0]):
            return builtins.__import__(name, {"__package__": package, "__name__": package}, None, fromlist, 1)
        return builtins.__import__(name, scope, local, fromlist, level)

    return import_


def _is_own(package: str, name: str) -> bool:
    """Whether a game's folder holds a module of that name; a mere folder only if nobody else has the name."""
    full = f"{package}.{name}"
    if name in OWN or package not in sys.modules:
        return False
    if full in sys.modules:
        return True
    found = _Finder.find_spec(full, list(sys.modules[package].__path__))
    return found is not None and (found.loader is not None or find_spec(name) is None)
