"""Which formulas of statistics and fit could be wrong without a test that says so?

One number or operator of a module is changed at a time (a whole number by one, another by a twentieth, + to -, * to /,
< to <= and so on), and the module's own test file runs on it, in a process of its own; no file is touched. A change
that no test notices has survived: the formula is tested too loosely, or the number does not matter (a tolerance, a most
of iterations). Docstrings, annotations and messages are not changed. Tests that find no end count as red.
Of more than --most changes of a module some are drawn. The exit code is 1 if the tests are red without any change.

    python -m tunesmith.experiments.proofs.mutation stats.elo stats.likelihood --most 40 --seed 1
"""

import argparse
import ast
import importlib.machinery
import importlib.util
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
MODULES = ("stats.elo", "stats.sprt", "stats.likelihood", "stats.stopped_test", "fit.loss", "fit.scale")
SECONDS = 300.0  # for the tests of one change
OTHERS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip


class Mutant(NamedTuple):
    """A module with one change: in which line, what it says there now, and the whole."""

    line: int
    text: str
    tree: ast.Module


class Outcome(NamedTuple):
    """How many changes were tried, and which no test noticed; `is_sound`: without a change the tests pass."""

    is_sound: bool
    tried: int
    survivors: tuple[Mutant, ...]


def count(source: str) -> int:
    """Return how many changes of a module there are."""
    return len(_places(ast.parse(source)))


def mutant(source: str, number: int) -> Mutant:
    """Return change `number` of a module; they are in order of its lines."""
    tree = ast.parse(source)
    line, statement, node = _places(tree)[number]
    _change(node)
    return Mutant(line, ast.unparse(statement).partition("\n")[0], tree)


def _places(tree: ast.Module) -> list[tuple[int, ast.stmt, ast.AST]]:
    """Return what may be changed, each with its line and statement."""
    found = [
        (getattr(node, "lineno", statement.lineno), statement, node)
        for statement in ast.walk(tree)
        if isinstance(statement, ast.stmt)
        and not isinstance(statement, ast.Raise | ast.Import | ast.ImportFrom)
        for node in _within(statement)
    ]
    return sorted(found, key=lambda place: place[0])


def _within(node: ast.AST) -> Iterator[ast.AST]:
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.stmt | ast.JoinedStr):
                continue
            if _is_number(child) or (isinstance(child, ast.BinOp) and type(child.op) in OTHERS):
                yield child
            elif isinstance(child, ast.Compare) and type(child.ops[0]) in OTHERS:
                yield child
            yield from _within(child)


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _change(node: ast.AST) -> None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        node.value = node.value + 1 if isinstance(node.value, int) else node.value * 1.05 or 0.05
    elif isinstance(node, ast.BinOp):
        node.op = OTHERS[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.Compare):
        node.ops[0] = OTHERS[type(node.ops[0])]()  # type: ignore[call-overload]


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


def run_changed(name: str, path: Path, tests: Path, number: int) -> int:
    """Run the tests in this process with change `number` of the module, none for -1; return pytest's exit code."""
    import pytest

    if number >= 0:
        tree = mutant(path.read_text(encoding="utf-8"), number).tree
        sys.meta_path.insert(0, Finder(name, path, ast.fix_missing_locations(tree)))
    return int(pytest.main([str(tests), "-x", "-q", "-n0", "-p", "no:cacheprovider", "--no-header"]))


def _is_green(name: str, path: Path, tests: Path, number: int, folder: Path) -> bool:
    call = [
        sys.executable,
        "-m",
        "tunesmith.experiments.proofs.mutation",
        "--child",
        name,
        str(path),
        str(tests),
    ]
    environment = {**os.environ, "TUNESMITH_NUMBA": "0", "OMP_NUM_THREADS": "1"}
    try:
        told = subprocess.run([*call, str(number)], cwd=folder, env=environment, capture_output=True,
                              check=False, timeout=SECONDS)  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return told.returncode == 0


def outlive(name: str, path: Path, tests: Path, most: int, seed: int, folder: Path = ROOT) -> Outcome:
    """Try at most so many changes of a module, each in a child process started in `folder`."""
    if not _is_green(name, path, tests, -1, folder):
        return Outcome(False, 0, ())
    source = path.read_text(encoding="utf-8")
    every = count(source)
    chosen = sorted(random.Random(seed).sample(range(every), min(most, every)))
    alive = []
    for number in chosen:
        if _is_green(name, path, tests, number, folder):
            alive.append(mutant(source, number))
            print(f"    {path.name}:{alive[-1].line}: {alive[-1].text}", flush=True)
    return Outcome(True, len(chosen), tuple(alive))


def main(arguments: list[str] | None = None) -> int:
    """Print what survived of each module; return the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["--child"]:
        name, path, tests, number = words[1:]
        return run_changed(name, Path(path), Path(tests), int(number))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("modules", nargs="*", default=MODULES, help="as in stats.elo")
    parser.add_argument("--most", type=int, default=1000, help="changes of one module")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    is_sound = True
    for module in given.modules:
        room, _, file = module.partition(".")
        path, tests = ROOT / "tuning" / room / f"{file}.py", ROOT / "tests/tuning" / room / f"test_{file}.py"
        print(f"{module}: changes that no test of {tests.relative_to(ROOT)} noticed:", flush=True)
        found = outlive(f"tunesmith.tuning.{module}", path, tests, given.most, given.seed)
        is_sound &= found.is_sound
        told = (
            f"{len(found.survivors)} of {found.tried} survived" if found.is_sound else "red without a change"
        )
        print(f"{module}: {told}", flush=True)
    return 0 if is_sound else 1


if __name__ == "__main__":
    sys.exit(main())
