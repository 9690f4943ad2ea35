"""The game of tests/golden/referring, and one edit of each kind of thing that it refers to."""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

GOLDEN = Path(__file__).parents[1] / "golden" / "referring"
BEFORE, AFTER = 105.0, 189.0  # a feature at the start: 5 * 21, and 9 * 21 after its edit


class Edit(NamedTuple):
    """A change of one file, and the feature whose 5 becomes a 9."""

    feature: str
    file: str
    old: str
    new: str


EDITS = (
    Edit("plain", "game.py", "PLAIN = 5", "PLAIN = 9"),
    Edit("float", "game.py", "FLOAT = 5.0", "FLOAT = 9.0"),
    Edit("scalar", "game.py", "np.int64(5)", "np.int64(9)"),
    Edit("enum", "game.py", "A = 5", "A = 9"),
    Edit("closure", "game.py", "closed = make(5)", "closed = make(9)"),
    Edit("compiled", "game.py", "def compiled(x):\n    return 5", "def compiled(x):\n    return 9"),
    Edit("compiled_global", "game.py", "PLAIN_OF_COMPILED = 5", "PLAIN_OF_COMPILED = 9"),
    Edit("table", "game.py", "TABLE = np.full(3000, 5", "TABLE = np.full(3000, 9"),
    Edit("spread", "game.py", "SPREAD = np.full(3000, 5", "SPREAD = np.full(3000, 9"),
    Edit("nested", "game.py", "(np.full(3000, 5)", "(np.full(3000, 9)"),
    Edit("pair", "game.py", "Pair(5, 1)", "Pair(9, 1)"),
    Edit("words", "game.py", "WORDS = (1, (2, 5))", "WORDS = (1, (2, 9))"),
    Edit("default", "game.py", "def default(x, by=5)", "def default(x, by=9)"),
    Edit("helper", "game.py", "def helper(x):\n    return 5", "def helper(x):\n    return 9"),
    Edit("module", "race_tables.py", "VALUE = 5", "VALUE = 9"),
    Edit(
        "module_function",
        "race_tables.py",
        "def by_function(x):\n    return 5",
        "def by_function(x):\n    return 9",
    ),
    Edit(
        "module_compiled",
        "race_tables.py",
        "def by_compiled_function(x):\n    return 5",
        "def by_compiled_function(x):\n    return 9",
    ),
    Edit("module_array", "race_tables.py", "np.full((30, 2), 5)", "np.full((30, 2), 9)"),
)
WITH_IT = {"module": "taken"}  # features that change with another


def copy_to(folder: Path) -> Path:
    """Copy the game to a folder; return its file."""
    shutil.copytree(GOLDEN, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "game.py"


def change(folder: Path, edit: Edit | None) -> None:
    """Give the game's files their first content, but for the edit; later than all before, as an editor would."""
    for name in ("game.py", "race_tables.py"):
        text = (GOLDEN / name).read_text(encoding="utf-8")
        if edit is not None and edit.file == name:
            assert text.count(edit.old) == 1, edit
            text = text.replace(edit.old, edit.new)
        path = folder / name
        if path.read_text(encoding="utf-8") != text:
            later = (
                path.stat().st_mtime_ns + 2_000_000_000
            )  # Python tells its own copies apart by whole seconds
            path.write_text(text, encoding="utf-8")
            os.utime(path, ns=(later, later))


def expected(edit: Edit | None) -> dict[str, float]:
    """Return the value of each feature that an edit changes."""
    return (
        {} if edit is None else dict.fromkeys({edit.feature, WITH_IT.get(edit.feature, edit.feature)}, AFTER)
    )
