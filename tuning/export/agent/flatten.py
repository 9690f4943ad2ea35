"""One Python file made of some functions and classes and all that they reach.

Each function is copied as it stands in its source, with its global names resolved: numbers and texts are written in
their place, tables become constants of the new file, other functions are copied in turn, what belongs to the standard
library is imported. `substitute` decides what a name stands for, as in `engine.compile.bind`. A copy is in one of three
manners: `ENGINE` (arrays are lists, options are constants), `LISTS` (arrays are lists), `ARRAYS` (numpy stays)."""

import ast
import builtins
import re
import textwrap
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.export.agent import literal
from tunesmith.tuning.export.agent.arrays_to_lists import Folded, Lists
from tunesmith.tuning.export.agent.python36 import OLDEST, Older
from tunesmith.tuning.export.agent.resolve import ARRAYS, ENGINE, LISTS, Resolver, source_of

WIDTH = 110  # of a line of numbers

# Called with (name, value, manner) of each global; returns the value it stands for, and the manner of its copy.
Substitute = Callable[[str, object, str], tuple[object, str]]


@dataclass
class Entry:
    """One name of the new file.

    `kind` is `import`, `table`, `class` or `function`; the names of what it uses are not final yet.
    """

    kind: str
    wish: str
    tree: ast.stmt
    home: str
    name: str = ""
    uses: list[tuple[int, str]] = field(default_factory=list)


class Flattener:
    """Collects what is reached; `text` writes the file.

    Parameters
    ----------
    substitute
        See the module's text.
    options
        The encoded search options, for functions of the engine.
    """

    def __init__(self, substitute: Substitute, options: Sequence[int]) -> None:
        self._substitute = substitute
        self._options = options
        self._entries: dict[tuple[int, str], Entry] = {}
        self._kept: list[object] = []  # so that no id is used twice

    def add(self, value: object, manner: str, name: str) -> None:
        """Add a function or class that is to have a certain name."""
        self._entry(value, manner, name).name = name

    def _entry(self, value: Any, manner: str, wish: str) -> Entry:
        manner = self._manner(value, manner)
        key = (id(value), manner)
        if key in self._entries:
            return self._entries[key]
        self._kept.append(value)
        entry = Entry("table", wish, ast.Pass(), literal.home_of(value))
        self._entries[key] = entry
        if isinstance(value, types.ModuleType) or (isinstance(value, Callable) and _is_foreign(value)):  # type: ignore[arg-type]
            self._import(entry, value)
        elif isinstance(value, types.FunctionType | type):
            self._copy(entry, value, manner)
        else:
            self._table(entry, value, manner)
        entry.tree = literal.negatives(entry.tree)  # type: ignore[assignment]
        self._reach(entry)
        return entry

    def _manner(self, value: object, manner: str) -> str:
        """Return the one manner of what has no other: tables are the same in both that know lists."""
        if isinstance(value, types.FunctionType) and not _is_foreign(value):
            return manner
        return ARRAYS if manner == ARRAYS and isinstance(value, np.ndarray) else LISTS

    def _import(self, entry: Entry, value: Any) -> None:
        literal.check_standard(value, "import")
        home = literal.home_of(value)
        entry.kind = "import"
        if isinstance(value, types.ModuleType):
            entry.wish = "np" if home == "numpy" else home.replace(".", "_")
            as_name = None if home == entry.wish else entry.wish
            entry.tree = ast.Import(names=[ast.alias(name=home, asname=as_name)])
            return
        name = _foreign_name(value)
        entry.wish = name
        entry.tree = ast.ImportFrom(
            module=home.split(".")[0] if literal.is_numpy(value) else home,
            names=[ast.alias(name=name)],
            level=0,
        )

    def _copy(self, entry: Entry, value: Any, manner: str) -> None:
        where = f"{literal.home_of(value)}.{value.__qualname__}"
        entry.kind = "class" if isinstance(value, type) else "function"
        entry.wish = value.__name__ if value.__name__.isidentifier() else "chosen"
        tree = source_of(value, where)
        tree = Older(where).visit(tree)
        tree = Resolver(self, value, manner, where).visit(tree)
        if manner != ARRAYS:
            options = self._options if manner == ENGINE else None
            tree = Lists(options).visit(tree)
            tree = Folded().visit(tree)
        entry.tree = tree

    def _table(self, entry: Entry, value: Any, manner: str) -> None:
        def refer(part: object) -> ast.expr:
            return self.named(part, manner, getattr(part, "__name__", "value"))

        entry.kind = "table"
        made = literal.written(value, refer, f"global {entry.wish}")
        if manner == ARRAYS and isinstance(value, np.ndarray):
            kind = ast.Constant(str(value.dtype))
            made = ast.Call(func=refer(np.array), args=[made, kind], keywords=[])
        entry.tree = ast.Assign(targets=[ast.Name(id=entry.wish, ctx=ast.Store())], value=made, lineno=0)

    def resolve(self, name: str, value: object, manner: str) -> ast.expr:
        """Return what to write for a global name: its value, or a name."""
        value, manner = self._substitute(name, value, manner)
        if isinstance(value, bool | int | float | str | bytes | np.generic) or value is None:
            plain = value.item() if isinstance(value, np.generic) else value
            is_special = isinstance(plain, float) and not (abs(plain) < float("inf"))
            return (
                literal.written(plain, lambda _: ast.Constant(None), name)
                if is_special
                else ast.Constant(_bare(plain))
            )
        return self.named(value, manner, name)

    def named(self, value: object, manner: str, name: str) -> ast.Name:
        """Return a name for a value that is written elsewhere in the file."""
        value = literal.YOUNGER.get(id(value), value)
        if getattr(value, "__module__", "") == "builtins" and hasattr(
            builtins, getattr(value, "__name__", "")
        ):
            return ast.Name(id=value.__name__, ctx=ast.Load())  # type: ignore[attr-defined]
        node = ast.Name(id=name, ctx=ast.Load())
        node.value, node.manner = value, manner  # type: ignore[attr-defined]
        self._kept.append(value)
        return node

    def _reach(self, entry: Entry) -> None:
        """Add what the entry uses; note it, for the order and for the final names."""
        for node in ast.walk(entry.tree):
            if isinstance(node, ast.Name) and hasattr(node, "value"):
                manner = getattr(node, "manner", LISTS)
                self._entry(node.value, manner, node.id)
                entry.uses.append((id(node.value), self._manner(node.value, manner)))

    def name_of(self, value: object, manner: str) -> str | None:
        """Return what the file calls something; None if it is not there."""
        entry = self._entries.get((id(value), self._manner(value, manner)))
        return None if entry is None else entry.name

    def text(self, heading: str) -> str:
        """Return the file; `heading` is its docstring."""
        self._choose_names()
        parts = [f'"""{heading}"""\n']
        imports = sorted(_text(e) for e in self._entries.values() if e.kind == "import")
        parts.append("\n".join(imports))
        for entry in self._ordered():
            text = _text(entry)
            parts.append(f"\n\n{text}" if entry.kind in ("class", "function") else text)
        text = "\n".join(parts) + "\n"
        text = re.sub(r"\n{4,}", "\n\n\n", text)
        _check_syntax(text)
        return text

    def _choose_names(self) -> None:
        """Give each entry a name that no other has, and no local variable of any function."""
        taken = set(dir(builtins)) | {e.name for e in self._entries.values() if e.name}
        for entry in self._entries.values():
            taken |= {
                n.id for n in ast.walk(entry.tree) if isinstance(n, ast.Name) and not hasattr(n, "value")
            }
            taken |= {n.arg for n in ast.walk(entry.tree) if isinstance(n, ast.arg)}
        for entry in self._entries.values():
            if not entry.name:
                entry.name = _free(entry.wish, taken)
                taken.add(entry.name)
        for entry in self._entries.values():
            for node in ast.walk(entry.tree):
                if isinstance(node, ast.Name) and hasattr(node, "value"):
                    key = (id(node.value), self._manner(node.value, getattr(node, "manner", LISTS)))
                    node.id = self._entries[key].name
            _rename(entry)

    def _ordered(self) -> Iterator[Entry]:
        """Yield tables, classes and functions, each after what is used when it is defined."""
        done: set[int] = set()
        entries = [e for e in self._entries.values() if e.kind != "import"]
        rank = {"table": 0, "class": 1, "function": 2}

        def follow(entry: Entry) -> Iterator[Entry]:
            if id(entry) in done or entry.kind == "import":
                return
            done.add(id(entry))
            if entry.kind != "function":
                for key in entry.uses:
                    yield from follow(self._entries[key])
            yield entry

        for entry in sorted(entries, key=lambda e: (_has_functions(e, self._entries), rank[e.kind])):
            yield from follow(entry)


def _has_functions(entry: Entry, entries: dict[tuple[int, str], Entry]) -> bool:
    return entry.kind != "table" or any(entries[key].kind in ("function", "class") for key in entry.uses)


def _is_foreign(value: object) -> bool:
    """Whether a function or class is imported and not copied."""
    return literal.is_standard(value) or literal.is_numpy(value)


def _foreign_name(value: Any) -> str:
    name = str(getattr(value, "__name__", ""))
    return "bool_" if value is np.bool_ else name


def _bare(value: Any) -> Any:
    """Return the plain number of a subclass (the placeholders of the engine are such)."""
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _free(wish: str, taken: set[str]) -> str:
    number = 2
    name = wish
    while name in taken:
        name = f"{wish}_{number}"
        number += 1
    return name


def _rename(entry: Entry) -> None:
    tree = entry.tree
    if isinstance(tree, ast.FunctionDef | ast.ClassDef):
        tree.name = entry.name
    elif isinstance(tree, ast.Assign):
        tree.targets = [ast.Name(id=entry.name, ctx=ast.Store())]
    elif isinstance(tree, ast.Import | ast.ImportFrom):
        alias = tree.names[0]
        alias.asname = None if entry.name == alias.name else entry.name


def _text(entry: Entry) -> str:
    text = ast.unparse(ast.fix_missing_locations(entry.tree))
    if entry.kind != "table" or len(text) <= WIDTH or re.search("['\"]", text):
        return text
    return textwrap.fill(
        text, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )


def _check_syntax(text: str) -> None:
    try:
        ast.parse(text, feature_version=OLDEST)
    except SyntaxError as error:
        line = text.splitlines()[(error.lineno or 1) - 1].strip()
        raise InputError(f"agent: expected code for Python 3.6, found {line!r:.100} ({error.msg})") from error
