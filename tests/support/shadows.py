"""A folder of somebody's files that have the names of Python's own modules, and tell when they are run."""

import sys
from pathlib import Path

TELLS = "import os\nopen(os.path.join({folder!r}, 'EXECUTED'), 'a').write('{name}\\n')\n"


def shadow(folder: Path) -> None:
    """Write a file for every module of Python's library."""
    for name in sys.stdlib_module_names:
        (folder / f"{name}.py").write_text(TELLS.format(folder=str(folder), name=name))


def executed(folder: Path) -> list[str]:
    """Return the names of the files that were run."""
    told = folder / "EXECUTED"
    return told.read_text().split() if told.is_file() else []
