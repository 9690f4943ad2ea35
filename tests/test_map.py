"""The map is true: every room's docstring names the files of its folder, and the README's map names every room."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("games", "engine", "tuning", "experiments")
# Each game has the same files, which the docstring of `games` lists; the foyer's are in the README alone, because
# what everybody imports stays empty; the front is one file.
NAMED_ABOVE = {"games", "tuning", "tuning/front"}


def rooms() -> list[str]:
    """List the folders that hold modules, but for those of the single games."""
    folders = {path.parent for package in PACKAGES for path in (ROOT / package).rglob("__init__.py")}
    names = sorted(folder.relative_to(ROOT).as_posix() for folder in folders)
    return [name for name in names if not name.startswith("games/")]


def files(room: str) -> set[str]:
    """Name the modules of a room, and its rooms with a slash behind."""
    inside = (ROOT / room).iterdir()
    return {
        path.stem if path.suffix == ".py" else f"{path.name}/"
        for path in inside
        if (path.suffix == ".py" and not path.name.startswith("_")) or (path / "__init__.py").is_file()
    }


def named(docstring: str) -> set[str]:
    """Name what a docstring's list names: the words in backquotes before the colon of each item."""
    items = re.findall(r"(?ms)^- (`.+?):", docstring)
    return {name for item in items for name in re.findall(r"`([^`]+)`", item)}


def source(room: str) -> str:
    """Return the source of a room's `__init__`."""
    return (ROOT / room / "__init__.py").read_text(encoding="utf-8")


def docstring(room: str) -> str:
    """Return what the `__init__` of a room says."""
    return ast.get_docstring(ast.parse(source(room))) or ""


@pytest.mark.parametrize("room", [room for room in rooms() if room not in NAMED_ABOVE])
def test_a_room_says_its_question_and_names_its_files(room: str) -> None:
    assert named(docstring(room)) == files(room)


def test_the_games_name_the_files_that_every_game_has() -> None:
    every = {"__init__", "board", "rules", "symmetry", "features", "notation", "drawing"}
    assert named(docstring("games")) == every | {name for name in files("games") if not name.endswith("/")}


@pytest.mark.parametrize("room", [room for room in rooms() if room.count("/") == 1])
def test_the_readme_names_every_room(room: str) -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    map_of_rooms = page.partition("## Map")[2].partition("\n## ")[0]
    package, name = room.split("/")
    part = re.search(rf"(?ms)^{package}/.*?(?=^\w|\Z)", map_of_rooms)
    assert part is not None
    assert f"  {name}/" in part[0]


def test_a_docstring_is_read_as_people_read_it() -> None:
    text = "What?\n\n- `a`: first\n- `b`, `c` (two\n  lines): more `not` this\n- `d/`: a room\nTo add one, edit `e`."
    assert named(text) == {"a", "b", "c", "d/"}


@pytest.mark.parametrize("room", [room for room in rooms() if "\n__all__ = " in source(room)])
def test_what_a_room_offers_is_there_and_sorted(room: str) -> None:
    package = import_module("tunesmith" if room == "tuning/front" else f"tunesmith.{room.replace('/', '.')}")
    assert package.__all__ == sorted(package.__all__, key=by_kind)
    assert all(hasattr(package, name) for name in package.__all__)
    assert not set(package.__all__) & files(room), (
        "a name that is a module's, too, means one today and the other tomorrow"
    )


def by_kind(name: str) -> tuple[int, str]:
    """Order names as ruff does: constants, classes, functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)
