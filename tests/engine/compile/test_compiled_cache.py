"""A cache of compiled code that cannot be used costs time, never an answer."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import IMPORTS
from tunesmith.engine.compile import jit

ROOT = Path(__file__).parents[3]
PROGRAM = """
import logging
logging.basicConfig(format="%(message)s")
from tunesmith.engine.compile import jit

def twice(x):
    return 2 * x

print(jit.compile_function(twice, cache=True)(21))
"""

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="nothing is compiled")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that compiles."""
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def said(program: Path, cache: Path, **more: str) -> list[str]:
    """Run the program; return its warnings once the answer is right."""
    environment = {**os.environ, "PYTHONPATH": IMPORTS, "TUNESMITH_CACHE": str(cache), **more}
    done = subprocess.run(
        [sys.executable, program], check=False, env=environment, capture_output=True, text=True, timeout=200
    )
    assert done.stdout == "42\n", done.stderr
    return done.stderr.splitlines()


def test_a_folder_that_cannot_be_written_is_one_warning(program: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    warnings = said(program, tmp_path / "file" / "cache")
    assert len(warnings) == 1
    assert warnings[0].startswith("no folder for compiled code")


@pytest.mark.parametrize("ending", ["nbc", "nbi"])
def test_a_cut_file_is_compiled_anew_and_then_good_again(program: Path, tmp_path: Path, ending: str) -> None:
    cache = tmp_path / "cache"
    assert said(program, cache) == []
    files = list(cache.rglob(f"*.{ending}"))
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[:20])
    warnings = said(program, cache)
    assert len(warnings) == 1
    assert warnings[0].startswith("compiled code unreadable or not writable")
    assert said(program, cache) == []
    assert said(program, cache) == []


def test_processes_that_start_at_once_compile_once(program: Path, tmp_path: Path) -> None:
    text = program.read_text().replace("print(", "f = ").replace("(21))", "")
    program.write_text(f"{text}\nf(21)\nprint(sum(f._compiled.stats.cache_misses.values()))\n")
    environment = {**os.environ, "PYTHONPATH": IMPORTS, "TUNESMITH_CACHE": str(tmp_path / "cache")}
    started = [
        subprocess.Popen([sys.executable, program], env=environment, stdout=subprocess.PIPE) for _ in range(3)
    ]
    assert sorted(int(process.communicate(timeout=200)[0]) for process in started) == [0, 0, 1]


def test_a_lock_that_stays_taken_costs_a_compilation(program: Path, tmp_path: Path) -> None:
    """Of a process that was suspended while it compiled, for example."""
    assert said(program, tmp_path / "cache") == []
    (compiled,) = (tmp_path / "cache").rglob("*.nbc")
    (lock,) = (tmp_path / "cache").rglob("*.lock")
    compiled.unlink()
    program.write_text(program.read_text().replace("def twice", "jit.PATIENCE = 0.1\n\ndef twice"))
    with lock.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert said(program, tmp_path / "cache") == []
    assert list((tmp_path / "cache").rglob("*.nbc"))


def test_a_copy_of_a_users_file_loads_what_the_first_one_compiled(tmp_path: Path) -> None:
    """Compiled code remembers the module it came from, which the copy, of another name, is not."""
    toys = (Path(__file__).parents[2] / "support" / "toys.py").read_text(encoding="utf-8")
    program = tmp_path / "count.py"
    program.write_text(
        "import logging, sys\nlogging.basicConfig(format='%(message)s')\nfrom tunesmith import games\nfrom tunesmith.engine.perft import perft\n"
        "print(perft(games.load(sys.argv[1]), 2))\n"
    )
    for name in ("first.py", "second.py"):
        (tmp_path / name).write_text(f"{toys}\nGAME = piles()\n")
        call = [sys.executable, str(program), str(tmp_path / name)]
        environment = {
            **os.environ,
            "PYTHONPATH": IMPORTS,
            "TUNESMITH_CACHE": str(tmp_path / "cache"),
        }
        done = subprocess.run(call, check=False, env=environment, capture_output=True, text=True, timeout=200)
        assert (done.stdout, done.stderr) == ("16\n", "")
