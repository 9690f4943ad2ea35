"""An edit of anything that a game refers to changes its evaluation, wherever it is evaluated.

Compiled code lies on the disk under a digest of all it depends on. The game of tests/golden/referring refers to
a number in every way there is; after each edit the evaluation must be that of plain Python."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import IMPORTS
from tests.support.referring import BEFORE, EDITS, copy_to, expected
from tunesmith.engine.compile import jit

ROOT = Path(__file__).parents[3]

Found = dict[str, dict[str, float]]


def ask(place: str, folder: Path, cache: Path, compiled: bool) -> Found:
    """Return the features after each edit."""
    environment = {
        **os.environ,
        "PYTHONPATH": IMPORTS,
        "TUNESMITH_CACHE": str(cache),
        "TUNESMITH_NUMBA": str(int(compiled)),
    }
    call = [sys.executable, "-m", "tests.support.following", place, str(copy_to(folder))]
    done = subprocess.run(
        call, check=False, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "NumbaWarning" not in done.stderr
    found: Found = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one place compiles, the next one loads."""
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize(
    ("place", "compiled"),
    [
        ("here", False),
        *(pytest.param(place, True, marks=pytest.mark.slow) for place in ("here", "forked", "loky", "dask")),
    ],
)
def test_the_evaluation_follows_every_edit(place: str, compiled: bool, tmp_path: Path, cache: Path) -> None:
    if compiled and not jit.COMPILED:
        pytest.skip("nothing is compiled")
    found = ask(place, tmp_path / "race", cache, compiled)
    for edit in (*EDITS, None):
        values = found[edit.feature if edit else ""]
        assert values == dict.fromkeys(values, BEFORE) | expected(edit), edit
