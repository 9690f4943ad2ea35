"""Is the house in order? Rooms, files, parameters, untyped records, circles, and modules that no test is named after.

Everything is counted from the sources of the folders as they stand, nothing is imported. A room is a folder that
holds modules; a module's test is `tests/<its folder>/test_<its name>.py`, of a package `__init__` or of a game's
files `test_<name of the folder>.py` beside or in the mirrored folder. The exit code is 1 if a room has more than 30
modules, modules import each other in a circle, or more modules than `UNTESTED_MOST` have no test of their name.

    python -m tunesmith.experiments.proofs.house --json
"""

from __future__ import annotations

import argparse
import ast
import json
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
PACKAGES = ("games", "engine", "tuning", "experiments")
ROOM_MOST = 30  # modules
UNTESTED_MOST = 10
# What gives parameters that nobody writes out: compiled code takes them one by one, a command reads them from a line.
COMPILED = {"njit", "jit", "compiled"}
COMMANDS = {"command", "callback"}


@dataclass(frozen=True)
class Parameters:
    """A public function and how many parameters it has (`self` is none)."""

    count: int
    name: str
    path: str


@dataclass(frozen=True)
class House:
    """What is counted; `untested` and `circles` name modules by their paths."""

    rooms: dict[str, int]
    lines: int
    lines_of_tests: int
    median_file: int
    largest_files: list[tuple[int, str]]
    longest_parameters: list[Parameters]
    untyped_records: int
    circles: list[list[str]]
    untested: list[str]

    @property
    def largest_room(self) -> tuple[str, int]:
        """The room with most modules."""
        return max(self.rooms.items(), key=lambda room: room[1])


def modules(root: Path, folders: Iterable[str] = PACKAGES) -> list[str]:
    """List the Python files of the folders as paths from the root."""
    found = (path for folder in folders for path in (root / folder).rglob("*.py"))
    kept = (path.relative_to(root) for path in found if "templates" not in path.parts)
    return sorted(path.as_posix() for path in kept)


def count(root: Path) -> House:
    """Count the house below `root`."""
    paths = modules(root)
    texts = {path: (root / path).read_text(encoding="utf-8") for path in paths}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    sizes = {path: len(text.splitlines()) for path, text in texts.items()}
    tests = modules(root, ("tests",))
    functions = [one for path, tree in trees.items() for one in parameters(tree, path)]
    return House(
        rooms=dict(sorted(Counter(PurePosixPath(path).parent.as_posix() for path in paths).items())),
        lines=sum(sizes.values()),
        lines_of_tests=sum(len((root / path).read_text(encoding="utf-8").splitlines()) for path in tests),
        median_file=round(statistics.median(sizes.values())) if sizes else 0,
        largest_files=sorted(((size, path) for path, size in sizes.items()), reverse=True)[:5],
        longest_parameters=sorted(functions, key=lambda one: (-one.count, one.path, one.name))[:10],
        untyped_records=sum(text.count("dict[str, Any]") for path, text in texts.items() if is_tuning(path)),
        circles=circles(edges(trees)),
        untested=[path for path in paths if not is_tested(path, tests) and has_logic(trees[path])],
    )


def is_tuning(path: str) -> bool:
    """Whether a module belongs to `tuning`."""
    return path.startswith("tuning/")


# --- parameters


WRITTEN_OUT = {"tuning/export/agent/alphabeta.py"}  # templates that agents are written from


def parameters(tree: ast.Module, path: str) -> Iterator[Parameters]:
    """Yield the public functions and methods of a module; compiled templates and commands are left out."""
    is_template = path.startswith(("engine/search/", "games/")) or path in WRITTEN_OUT
    for owner, node in public(tree.body):
        names = {word for decorator in node.decorator_list for word in words_of(decorator)}
        if names & (COMPILED | COMMANDS) or is_template or is_command(node):
            continue
        given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        counted = [one for one in given if one.arg not in ("self", "cls")]
        yield Parameters(len(counted), f"{owner}{node.name}", path)


def public(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield (class and dot, function) of what has no leading underscore."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public(node.body, f"{node.name}.")
        if isinstance(node, ast.FunctionDef) and (not node.name.startswith("_") or node.name == "__init__"):
            yield owner, node


def words_of(node: ast.AST) -> set[str]:
    """Return the names in an expression: `app.command()` gives app and command."""
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return names | {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}


def is_command(node: ast.FunctionDef) -> bool:
    """Whether the parameters are those of a command line: their types are typer's, or of the module `option`."""
    given = [*node.args.args, *node.args.kwonlyargs]
    names = {word for one in given if one.annotation for word in words_of(one.annotation)}
    return any(name == "option" or name.endswith(("Option", "Argument")) for name in names)


# --- circles


def edges(trees: dict[str, ast.Module]) -> dict[str, set[str]]:
    """Return which module imports which when it is imported itself."""
    homes = {dotted(path): path for path in trees}
    found: dict[str, set[str]] = {}
    for path, tree in trees.items():
        names = [name for node in at_once(tree.body) for name in imported(node)]
        named = (homes.get(name) or homes.get(name.rpartition(".")[0]) for name in names)
        found[path] = {home for home in named if home and home != path}
    return found


def dotted(path: str) -> str:
    """Return a module's import name."""
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(("tunesmith", *(parts[:-1] if parts[-1] == "__init__" else parts)))


def at_once(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the imports that run with the module; those inside functions and for type checking do not."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
            yield from at_once([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            yield from at_once(node.body)


def imported(node: ast.stmt) -> list[str]:
    """Return the dotted names an import statement names, `a.b` for `from a import b`."""
    if isinstance(node, ast.Import):
        return [name.name for name in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [f"{node.module}.{name.name}" for name in node.names]
    return []


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import each other, directly or by way of others."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        todo = list(graph[start])
        while todo:
            if (node := todo.pop()) not in seen:
                seen.add(node)
                todo += graph.get(node, ())
        return seen

    reach = {node: reached(node) for node in graph}
    groups = {
        tuple(sorted(other for other in graph if other in reach[node] and node in reach[other]))
        for node in graph
        if node in reach[node]
    }
    return [list(group) for group in sorted(groups)]


# --- tests of their name


def is_tested(path: str, tests: Iterable[str]) -> bool:
    """Whether a test file is named after a module, or after the folder for a package or a game."""
    return not set(tests).isdisjoint(test_names(path))


def test_names(path: str) -> set[str]:
    """Return the test files that a module may be tested in: its own, or its folder's for `__init__` and games."""
    folder, name = PurePosixPath("tests") / PurePosixPath(path).parent, PurePosixPath(path).stem
    if name in ("__init__", "__main__"):
        return {f"{folder}/test_{folder.name}.py", f"{folder.parent}/test_{folder.name}.py"}
    own = {f"{folder}/test_{name}.py"}
    return own | {f"{folder.parent}/test_{folder.name}.py"} if path.startswith("games/") else own


def has_logic(tree: ast.Module) -> bool:
    """Whether a module holds code of its own: a function that is more than the import of what is asked for."""
    return any(
        isinstance(node, ast.FunctionDef) and not node.name.startswith("__") for node in ast.walk(tree)
    )


# --- what is printed


def lines_of(house: House) -> Iterator[str]:
    """Yield the figures as lines for a person."""
    yield f"lines of the product      {house.lines:,} (tests {house.lines_of_tests:,})"
    yield f"median file               {house.median_file} lines"
    yield f"largest files             {', '.join(f'{path} {size}' for size, path in house.largest_files)}"
    yield f"largest room              {house.largest_room[0]} with {house.largest_room[1]} modules"
    yield f"dict[str, Any] in tuning  {house.untyped_records}"
    yield f"import circles            {len(house.circles)}"
    yield from (f"  {', '.join(circle)}" for circle in house.circles)
    yield "longest parameter lists   (public functions; templates and commands left out)"
    yield from (f"  {one.count:>3}  {one.path}: {one.name}" for one in house.longest_parameters)
    yield f"modules without a test    {len(house.untested)} of their name, that hold logic"
    yield from (f"  {path}" for path in house.untested)
    yield "modules a room"
    yield from (f"  {number:>3}  {room}" for room, number in house.rooms.items())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Counts of the house: rooms, files, parameters, tests.")
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--seconds", nargs="*", default=[], metavar="COMMAND=SECONDS", help="measured elsewhere, printed with the rest"
    )  # fmt: skip
    options = parser.parse_args(arguments)
    house = count(options.root)
    if options.json:
        seconds = dict(text.rsplit("=", 1) for text in options.seconds)
        print(json.dumps({**asdict(house), "seconds": seconds}, indent=1))
    else:
        print("\n".join([*lines_of(house), *(text.replace("=", ": ") + " s" for text in options.seconds)]))
    is_kept = (
        house.largest_room[1] <= ROOM_MOST and not house.circles and len(house.untested) <= UNTESTED_MOST
    )
    return 0 if is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
