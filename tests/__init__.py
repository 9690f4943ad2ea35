"""Tests mirror the packages; `support` is what they share, `naive` are slow twins, `golden/` data of other programs.

Tests, and the processes they start, import each other as `tests...` from a folder that holds a link to this one and
nothing else: in the repository's own folder `engine` and `games` would be importable by these names, which are other
people's."""

import contextlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IMPORTS = str(ROOT / "build" / "imports")  # what PYTHONPATH is for a process that imports tests


def _link() -> None:
    link = Path(IMPORTS) / "tests"
    link.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):  # another worker's
        link.symlink_to(ROOT / "tests")


_link()
if IMPORTS not in sys.path:
    sys.path.insert(0, IMPORTS)
