"""A run is killed again and again, in every way there is; what it leaves is what an undisturbed run leaves."""

import json
import random
import signal
from pathlib import Path

import pytest

from tests.support.missing import missing_pairs
from tests.support.small_matches import digests
from tests.tuning.play.test_faults import GOOD, PATIENCE, gate_of, run, start, wait_until_gone
from tunesmith.experiments.proofs._dying import played_for
from tunesmith.tuning import manifest
from tunesmith.tuning.play.selfplay import SUSPECTS
from tunesmith.tuning.play.store import read_games

pytestmark = [
    pytest.mark.slow,  # ten deaths of processes that take seconds to start
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc"),
    pytest.mark.timeout(900),
]

PAIRS = 60
CALLS = 300  # of functions in the last life of a batch, at most
ENDS = [  # how a life ends, after the death of a worker: the signal, and whether the whole group gets it
    (signal.SIGKILL, False),
    (signal.SIGKILL, True),
    (signal.SIGINT, True),
    (signal.SIGTERM, False),
    (signal.SIGHUP, True),
]


def live_and_die(folder: Path, how: tuple[signal.Signals, bool], rng: random.Random) -> None:
    """Run until killed: first a worker, at one of the next pairs, then the whole run, a few batches later.

    Everything is counted in pairs, batches and calls of functions, nothing in seconds.
    """
    # A pair that is known from two deaths plays alone, and would be a fault if it took a worker along once more.
    known = json.loads((folder / SUSPECTS).read_text()) if (folder / SUSPECTS).exists() else {}
    pair = rng.choice([pair for pair in missing_pairs(folder, range(PAIRS)) if str(pair) not in known][:4])
    death = gate_of(folder) / f"death-{pair}"
    death.touch()
    number, is_for_all = how
    ends = f"ends={number:d},{is_for_all:d},{rng.randrange(1, CALLS)}"
    process = start(folder, PAIRS, 2, GOOD, PATIENCE, "loky", ends)
    out, _ = process.communicate(timeout=240)
    children = played_for(out)
    wait_until_gone(children)
    assert children and not death.exists()
    assert missing_pairs(folder, range(PAIRS)), "the run came to its end"


def test_killed_ten_times_a_run_leaves_the_same_files(tmp_path: Path) -> None:
    rng = random.Random(5)
    undisturbed, chaos = tmp_path / "undisturbed", tmp_path / "chaos"
    gate_of(chaos).mkdir()
    for how in ENDS:
        live_and_die(chaos, how, rng)
    found = run(chaos, PAIRS, 2, GOOD)
    assert (found["games"], found["faults"]) == (2 * PAIRS, 0)
    assert run(undisturbed, PAIRS, 2, GOOD) == found
    assert digests(chaos) == digests(undisturbed)
    assert len(read_games(chaos)) == 2 * PAIRS
    assert not [
        path.name for path in chaos.iterdir() if path.name not in {*digests(chaos), ".lock", manifest.NAME}
    ]
