"""Nothing needs what only Linux has: such modules are imported where they are used, and there is a way without."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests import ROOT

UNIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "spwd", "syslog", "termios", "tty"}
FOLDERS = ("games", "engine", "tuning", "experiments")
# What Windows has not, taken away from a process that then plays a match.
WITHOUT = """
import os, signal, sys
class Gone:
    def find_spec(self, name, *_):
        if name in {names!r}:
            raise ImportError(name)
for name in {names!r}:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Gone())
for name in ("SIGKILL", "SIGHUP", "pthread_sigmask"):
    delattr(signal, name)
for name in ("fork", "killpg", "sched_getaffinity", "pread"):
    delattr(os, name)
from tunesmith.tuning.cli import main
sys.argv = ["tunesmith", *sys.argv[1:]]
main()
"""


def imported_at_once(path: Path) -> Iterator[str]:
    """Yield what a module imports when it is imported itself: not inside a function, not under `try`."""
    waiting: list[ast.stmt] = list(ast.parse(path.read_text(encoding="utf-8")).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]
        elif isinstance(node, ast.If | ast.ClassDef | ast.With):
            waiting += [*node.body, *getattr(node, "orelse", [])]


def test_no_module_imports_at_once_what_only_unix_has() -> None:
    """The dashboard, a proof, an adapter: whatever it is, importing it works everywhere."""
    found = {
        path.relative_to(ROOT).as_posix(): sorted(UNIX.intersection(imported_at_once(path)))
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_an_import_at_once_is_seen(tmp_path: Path) -> None:
    """The search above finds what it should, and lets pass what may fail or comes later."""
    path = tmp_path / "module.py"
    path.write_text(
        "import pwd, os\nif os.name:\n    from resource import getrusage\n"
        "try:\n    import fcntl\nexcept ImportError:\n    fcntl = None\ndef f():\n    import termios\n"
    )
    assert UNIX.intersection(imported_at_once(path)) == {"pwd", "resource"}


def test_a_match_is_played_without_what_windows_lacks(tmp_path: Path) -> None:
    """Folders are locked, games written and read; on Windows the locks are those of msvcrt."""
    words = ["match", "kalah", "random", "greedy", "--pairs", "1"]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(names=sorted(UNIX - {"posix"})), *words, "--limit", "depth:1",
         "--jobs", "1", "--backend", "threads", "--out", "games"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=250,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "1 pair at depth:1" in done.stdout
    assert list((tmp_path / "games").glob("*.parquet"))
