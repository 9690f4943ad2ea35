"""A module with one number or operator changed, and whether its tests notice.

A whole number grows by one, another by a twentieth, + becomes -, * becomes /, < becomes <=, `and` becomes `or`, a
minus before an expression goes, and so on. Docstrings, annotations, decorators and messages are not changed.

Tests are collected once, and a process is forked for each change. A change inside a function is put into the module as
the tests have imported it. Any other (a constant, a class) may have been copied by whoever imported it: for it the
module is imported anew, and with it all that imports it. Tests that need several times the processor time they need
without a change find no end, and have failed.
"""

import ast
import contextlib
import importlib
import importlib.machinery
import importlib.util
import json
import math
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import NamedTuple

import hypothesis
import pytest

PATIENCE = 5  # tests of a change may take so many times the processor time they take without it, and 3 s
SLEEP = 600.0  # seconds after which tests that need no processor have failed
PROFILE = "mutation"
OTHERS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.And: ast.Or, ast.Or: ast.And,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
PLAIN = {"property", "staticmethod", "classmethod"}  # decorators under which a function stays what it is


class Mutant(NamedTuple):
    """A module with one change: in which line, what it says there now, and the whole.

    function: the plain function or method that contains it, as in Class.method; empty if none does.
    """

    line: int
    text: str
    tree: ast.Module
    function: str


class Place(NamedTuple):
    """What may be changed: the node, for a chain of comparisons which of its signs, and where it stands."""

    line: int
    statement: ast.stmt
    node: ast.AST
    sign: int = 0


def count(source: str) -> int:
    """Return how many changes of a module there are."""
    return len(_places(ast.parse(source)))


def mutant(source: str, number: int) -> Mutant:
    """Return change `number` of a module; they are in order of its lines."""
    tree = ast.parse(source)
    place = _places(tree)[number]
    function = _function_around(tree, place.node)
    if isinstance(place.node, ast.UnaryOp):
        tree = _Drop(place.node).visit(tree)
    else:
        _change(place)
    return Mutant(place.line, ast.unparse(place.statement).partition("\n")[0], tree, function)


def _function_around(tree: ast.Module, node: ast.AST) -> str:
    """Return the name of the outermost function around a node; empty if it has a decorator that may replace it."""
    bodies = [("", tree.body)]
    bodies += [(f"{one.name}.", one.body) for one in tree.body if isinstance(one, ast.ClassDef)]
    for prefix, body in bodies:
        for one in body:
            if isinstance(one, ast.FunctionDef) and any(inner is node for inner in ast.walk(one)):
                kept = {ast.unparse(given) for given in one.decorator_list} <= {
                    "property",
                    "staticmethod",
                    "classmethod",
                }
                return prefix + one.name if kept else ""
    return ""


def _places(tree: ast.Module) -> list[Place]:
    """Return what may be changed, in order of lines."""
    found = [
        Place(getattr(node, "lineno", statement.lineno), statement, node, sign)
        for statement in ast.walk(tree)
        if isinstance(statement, ast.stmt)
        and not isinstance(statement, ast.Raise | ast.Import | ast.ImportFrom)
        for node, sign in _within(statement)
    ]
    return sorted(found, key=lambda place: place.line)


def _within(node: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    if isinstance(node, ast.AugAssign) and type(node.op) in OTHERS:
        yield node, 0
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.stmt | ast.JoinedStr):
                continue
            if _is_number(child) or _is_negated(child):
                yield child, 0
            elif isinstance(child, ast.BinOp | ast.BoolOp) and type(child.op) in OTHERS:
                yield child, 0
            elif isinstance(child, ast.Compare):
                yield from ((child, sign) for sign, one in enumerate(child.ops) if type(one) in OTHERS)
            yield from _within(child)


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _is_negated(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not _is_number(node.operand)


def _change(place: Place) -> None:
    node = place.node
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        node.value = node.value + 1 if isinstance(node.value, int) else node.value * 1.05 or 0.05
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        node.op = OTHERS[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.Compare):
        node.ops[place.sign] = OTHERS[type(node.ops[place.sign])]()  # type: ignore[call-overload]


class _Drop(ast.NodeTransformer):
    """Leaves one sign out."""

    def __init__(self, node: ast.UnaryOp) -> None:
        self.node = node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return node.operand if node is self.node else node


class Changed(importlib.machinery.SourceFileLoader):
    """Loads a changed module in place of its file."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        """Compile the changed tree."""
        return compile(self.tree, self.path, "exec")


class Finder:
    """Finds the changed module before anybody finds its file."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name, self.path, self.tree = name, path, tree

    def find_spec(
        self, name: str, _: Sequence[str] | None = None, __: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of the one module."""
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(
            name, self.path, loader=Changed(name, str(self.path), self.tree)
        )


# --- the tests of a module, in forked processes


def serve(name: str, path: Path, tests: Sequence[str], numbers: Iterable[int]) -> None:
    """Print for each change whether the tests pass with it; -1, no change, comes first."""
    source = path.read_text(encoding="utf-8")
    places = {number: mutant(source, number).function for number in numbers}
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as folder, _silent() as tell:
        known = Path(folder) / "imported"
        child = _Child(name, path, tests, Path(folder))
        is_green, seconds = child.wait(lambda: child.run_anew(-1, known), 600)
        tell(-1, is_green)
        if not is_green:
            return
        patience = 3 + math.ceil(PATIENCE * seconds)
        _import(known, name)
        for number in (one for one, function in places.items() if not function):
            tell(number, child.wait(lambda one=number: child.run_anew(one), patience)[0])  # type: ignore[misc]
        child.run_collected({one: function for one, function in places.items() if function}, patience, tell)


@contextlib.contextmanager
def _silent() -> Iterator[Callable[[int, bool], None]]:
    """Send away what tests print; yield what tells the parent of a change."""
    own = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    sys.stdout.flush()
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    yield lambda number, is_green: _write(own, f"{number} {int(is_green)}\n")


def _write(file: int, text: str) -> None:
    os.write(file, text.encode())


class _QuickestFirst:
    """Notes how long tests take, and orders them by what was noted before: the first red one ends them."""

    def __init__(self, noted: Path) -> None:
        self.before = json.loads(noted.read_text(encoding="utf-8")) if noted.exists() else {}
        self.seconds: dict[str, float] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: float(self.before.get(item.nodeid, 0.0)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration


class _Child:
    """Tests of a module, run in forked processes."""

    def __init__(self, name: str, path: Path, tests: Sequence[str], folder: Path) -> None:
        self.name, self.path, self.seconds = name, path, folder / "seconds"
        # the same examples every time, and no search for smaller ones: that one fails is enough
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile(PROFILE, deadline=None, derandomize=True, database=None,
                                             phases=phases, max_examples=40)  # fmt: skip
        self.options = [*tests, "-x", "-q", "-s", "-n0", "-p", "no:cacheprovider", "--no-header",
                        f"--hypothesis-profile={PROFILE}", "-o", "python_files=test_*.py",
                        f"--basetemp={folder / 'tests'}"]  # fmt: skip

    def wait(self, work: Callable[[], int], patience: int) -> tuple[bool, float]:
        """Return whether work in a process of its own came to 0, and the processor time it took."""
        child = os.fork()
        if not child:
            code = 1
            try:
                os.setpgid(0, 0)
                import resource  # only where there is fork

                resource.setrlimit(resource.RLIMIT_CPU, (patience, patience))
                code = work()
            finally:
                os._exit(code)
        end = time.monotonic() + SLEEP
        while time.monotonic() < end:
            number, status, used = os.wait4(child, os.WNOHANG)
            if number:
                return status == 0, used.ru_utime + used.ru_stime
            time.sleep(0.005)
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return False, SLEEP

    def run_anew(self, number: int, known: Path | None = None) -> int:
        """Import a changed module and all that imports it; return pytest's exit code.

        known: where to note what was imported; beside it stand the seconds of each test.
        """
        if self.name in sys.modules:
            raise RuntimeError(f"{self.name} is imported already: no test would see a change of it")
        if number >= 0:
            sys.meta_path.insert(0, Finder(self.name, self.path, self.changed(number)))
        quickest = _QuickestFirst(self.seconds)
        code = int(pytest.main(self.options, plugins=[quickest]))
        if known:
            known.write_text("\n".join(_imported()), encoding="utf-8")
            self.seconds.write_text(json.dumps(quickest.seconds), encoding="utf-8")
        return code

    def run_collected(self, places: dict[int, str], patience: int, tell: Callable[[int, bool], None]) -> None:
        """Collect the tests once, and run them for each change of a function."""

        class Loop:
            @pytest.hookimpl(tryfirst=True)
            def pytest_runtestloop(inner, session: pytest.Session) -> bool:
                for number, function in places.items():
                    tell(number, self.wait(lambda: self.run_changed(session, number, function), patience)[0])  # noqa: B023
                return True

        pytest.main(self.options, plugins=[Loop(), _QuickestFirst(self.seconds)])

    def run_changed(self, session: pytest.Session, number: int, function: str) -> int:
        """Change one function where it stands, and run what was collected."""
        from _pytest.main import pytest_runtestloop

        module = sys.modules[self.name]
        fresh = ModuleType(self.name)
        fresh.__file__ = str(self.path)
        exec(compile(self.changed(number), str(self.path), "exec"), fresh.__dict__)
        old, new = _function(module, function), _function(fresh, function)
        old.__code__, old.__defaults__, old.__kwdefaults__ = (
            new.__code__,
            new.__defaults__,
            new.__kwdefaults__,
        )
        pytest_runtestloop(session)
        return int(session.testsfailed > 0)

    def changed(self, number: int) -> ast.Module:
        """Return the changed tree, with its places in the file."""
        return ast.fix_missing_locations(mutant(self.path.read_text(encoding="utf-8"), number).tree)


def _function(module: ModuleType, name: str) -> FunctionType:
    """Return a function of a module, or a method as it stands in its class."""
    *owners, own = name.split(".")
    found = vars(vars(module)[owners[0]] if owners else module)[own]
    found = getattr(found, "fget", None) or getattr(found, "__func__", None) or found
    if not isinstance(found, FunctionType):
        raise TypeError(f"{name} is {type(found).__name__}, expected a function")
    return found


def _imported() -> list[str]:
    """Return the names of what is imported now, but for pytest and the tests, which it rewrites."""
    found = [(name, getattr(module, "__file__", None) or "") for name, module in list(sys.modules.items())]
    return [
        name
        for name, file in found
        if name.startswith("tunesmith.") or ("site-packages" in file and not name.startswith("_pytest"))
    ]


class _Missing:
    """Finds that there is no module of that name, so that what imports it cannot be imported either."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(self, name: str, *_: object) -> None:
        if name == self.name:
            raise ImportError(name)


def _import(names: Path, but: str) -> None:
    """Import what the tests need and what does not import the module, once for all changes."""
    sys.meta_path.insert(0, _Missing(but))
    for name in names.read_text(encoding="utf-8").split():
        try:
            importlib.import_module(name)
        except Exception:  # a part that another package makes as it likes: it is imported again when needed
            continue
    del sys.meta_path[0]
