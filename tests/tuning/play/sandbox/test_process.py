"""How a process of a worker begins and ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import IMPORTS
from tests.support.shadows import executed, shadow
from tunesmith.tuning.play.sandbox.process import current_folder_on_path, exit_name, safe_path

ORPHAN = """
import os, signal, sys, time
from tunesmith.tuning.play.sandbox.process import start
start(os.getppid() + int(sys.argv[1]))
assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
if int(sys.argv[1]):
    time.sleep(600)
print("played")
"""


@pytest.mark.parametrize(
    ("code", "name"), [(0, "EXIT(0)"), (7, "EXIT(7)"), (-9, "SIGKILL(-9)"), (-11, "SIGSEGV(-11)")]
)
def test_exit_codes_have_names(code: int, name: str) -> None:
    assert exit_name(code) == name


@pytest.mark.parametrize(("stranger", "code", "said"), [(0, 0, "played\n"), (1, 1, "")])
def test_a_worker_ends_when_its_parent_is_gone(stranger: int, code: int, said: str) -> None:
    """A process whose parent is not the one that it was told of has lost it."""
    call = [sys.executable, "-c", ORPHAN, str(stranger)]
    ended = subprocess.run(call, capture_output=True, text=True, check=False, timeout=300)
    assert (ended.returncode, ended.stderr) == (code, said)
    assert ended.stdout == ""  # that is the command's: what a game prints is none of it


CHILDREN = """
import os, sys
from joblib.externals.loky import process_executor
from tests.support.small_matches import matchup, openings
from tunesmith.tuning.play import backends, isolated
from tunesmith.tuning.play.matchup import Batch, Pair
from tunesmith.tuning.play.sandbox.contract import check_spec

match, batch = matchup("nodes:5"), Batch((Pair(0, openings()[0].moves),), 0.0)
sys.path.insert(0, sys.argv[1])  # as `python program.py` and `python -m` do
if sys.argv[2] == "loky":
    workers = backends.open_backend("loky", 1)
    answer = workers.submit(match, batch).result()
    assert sys.path[0] == sys.argv[1] and "PYTHONSAFEPATH" not in os.environ
    workers.stop()
elif sys.argv[2] == "isolated":
    answer = isolated.play_apart(match, batch)
else:
    answer = not check_spec("kalah", positions=2, compiled=False).problems
assert answer
"""


@pytest.mark.parametrize("kind", ["loky", "isolated", "check"])
@pytest.mark.parametrize("entry", ["", "."])
def test_files_of_the_current_folder_do_not_run_in_our_children(
    kind: str, entry: str, tmp_path: Path
) -> None:
    shadow(tmp_path)
    environment = {**os.environ, "TUNESMITH_NUMBA": "0", "PYTHONPATH": IMPORTS}
    entry = entry and str(tmp_path)
    call = [sys.executable, "-P", "-c", CHILDREN, entry, kind]
    done = subprocess.run(
        call, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True, timeout=100
    )
    assert (done.returncode, executed(tmp_path)) == (0, []), done.stderr


def test_the_current_folder_shadows_pythons_library_but_not_where_an_installation_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    there = [entry for entry in sys.path if entry]
    monkeypatch.setattr(sys, "path", [*there, str(tmp_path)])
    assert current_folder_on_path() == "" and safe_path() == [*there, str(tmp_path)]
    for entry in ("", str(tmp_path)):
        monkeypatch.setattr(sys, "path", [entry, *there])
        assert current_folder_on_path() == (entry or ".") and safe_path() == there
