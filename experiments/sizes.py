"""How large is what `pip install tunesmith` brings, and each extra? A table of megabytes on disk.

Counted from the files that the installed packages list. A package that several ask for is told once; extras count
beyond the plain installation. Python, pip and Tunesmith itself (two megabytes) are left out.

    python -m tunesmith.experiments.sizes
"""

import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tunesmith.experiments.questions.page import markdown

NAME = "tunesmith"
DEVELOPMENT = ("bench", "dev")
SMALL = 2_000_000  # bytes; packages below are told in one row
PURPOSE = {
    "cmaes": "the sampler cma-es",
    "joblib": "workers",
    "numba": "compiles games and searches",
    "numpy": "arrays",
    "optuna": "the search by playing",
    "pandas": "frames in notebooks",
    "pyarrow": "games and tables as files",
    "pydantic": "settings and documents",
    "rich": "what a terminal shows",
    "scipy": "the fit, statistics",
    "sqlalchemy": "storages of a search",
    "threadpoolctl": "one thread a worker",
    "typer": "the commands",
}


class Row(NamedTuple):
    """What is installed, who needs it, and its bytes; None where a package is not here to be measured."""

    what: str
    needed: str
    size: int | None


def found(name: str) -> Distribution | None:
    """Return an installed package, None if it is not here."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def asked(name: str, extras: Iterable[str] = ()) -> set[str]:
    """Return the packages that one asks for at once on this machine, with some of its extras."""
    package = found(name)
    names = set[str]()
    for line in (package.requires or []) if package else []:
        requirement = Requirement(line)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            names |= {canonicalize_name(requirement.name)} | (
                asked(requirement.name, requirement.extras) if requirement.extras else set()
            )
    return names


def closure(names: Iterable[str]) -> set[str]:
    """Return packages, and all that these ask for in turn."""
    seen, todo = set[str](), list(names)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += asked(name)
    return seen


def size(name: str) -> int | None:
    """Return the bytes of a package's files."""
    package = found(name)
    if package is None or package.files is None:
        return None
    paths = {Path(str(package.locate_file(file))) for file in package.files}
    return sum(path.stat().st_size for path in paths if path.is_file())


def total(names: Iterable[str]) -> int | None:
    """Return the bytes of some packages, None if one is not here."""
    sizes = [size(name) for name in names]
    return None if None in sizes else sum(one for one in sizes if one is not None)


def rows() -> Iterator[Row]:
    """Yield the packages of the plain installation, largest first, their sum, and each extra beyond them."""
    direct = asked(NAME)
    plain = closure(direct)
    parts = [Row(name, _needed(name, direct), size(name)) for name in plain]
    large = [row for row in parts if row.size is None or row.size >= SMALL]
    yield from sorted(large, key=lambda row: (-(row.size or 0), row.what))
    small = plain - {row.what for row in large}
    yield Row(f"{len(small)} smaller ones", "", total(small))
    yield Row("**plain installation**", "", total(plain))
    package = found(NAME)
    extras = (package.metadata.get_all("Provides-Extra") or []) if package else []
    for extra in sorted(set(extras) - set(DEVELOPMENT)):
        names = asked(NAME, [extra]) - plain
        yield Row(", ".join(sorted(names)), f"`tunesmith[{extra}]`", total(closure(names) - plain))


def _needed(name: str, direct: Iterable[str]) -> str:
    if name in PURPOSE:
        return PURPOSE[name]
    return ", ".join(sorted(one for one in direct if name in closure([one])))


def cells(row: Row) -> list[str]:
    """Return a row of the table."""
    shown = "not installed here" if row.size is None else f"{row.size / 1e6:,.0f}"
    return [row.what, row.needed, shown]


def main() -> int:
    """Print the table."""
    print("\n".join(markdown(("package", "needed for, or by", "MB"), [cells(row) for row in rows()])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
