"""A run is killed again and again, in every way there is; what it leaves is what an undisturbed run leaves."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.tuning.small_matches import digests, workers
from tests.tuning.test_faults import GOOD, run, start, wait_until_gone
from tuning.store import missing_pairs, read_games

pytestmark = [
    pytest.mark.slow,  # more than twenty deaths of processes that take seconds to start
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc"),
    pytest.mark.timeout(900),
]

PAIRS = 100
KILLS = 20
ENDS = [  # how a life ends: the signal, and whether the whole group gets it
    (signal.SIGKILL, False),
    (signal.SIGKILL, True),
    (signal.SIGINT, True),
    (signal.SIGTERM, False),
    (signal.SIGHUP, True),
]


def wait_for_news(process: subprocess.Popen[str]) -> bool:
    """Wait until the next batch has ended; tell whether the run goes on."""
    assert process.stdout is not None
    line = process.stdout.readline()
    return line.startswith("done") and int(line.split()[1]) < PAIRS


def live_and_die(folder: Path, how: tuple[signal.Signals, bool], rng: random.Random) -> int:
    """Run until killed; return the number of kills, 0 if the run came to its end before."""
    process = start(folder, PAIRS, 2, GOOD)
    kills = 0
    children: set[int] = set()
    for _ in range(2):  # the first line tells of what was there
        if not wait_for_news(process):
            process.communicate(timeout=60)
            return 0
    found = workers(process.pid)
    children.update(found)
    os.kill(rng.choice(found), signal.SIGKILL)
    kills += 1
    is_going_on = wait_for_news(process)
    time.sleep(rng.uniform(0, 0.3))
    children.update(workers(process.pid))
    number, is_for_all = how
    (os.killpg if is_for_all else os.kill)(process.pid, number)
    process.communicate(timeout=60)
    wait_until_gone([*children])
    return kills + is_going_on


def test_killed_twenty_times_a_run_leaves_the_same_files(tmp_path: Path) -> None:
    rng = random.Random(5)
    undisturbed, chaos = tmp_path / "undisturbed", tmp_path / "chaos"
    kills = 0
    ways = ENDS * KILLS
    while kills < KILLS:
        died = live_and_die(chaos, ways.pop(), rng)
        assert died, f"the run ended after {kills} kills: more pairs are needed"
        kills += died
    assert 0 < len(missing_pairs(chaos, range(PAIRS))) < PAIRS
    found = run(chaos, PAIRS, 2, GOOD)
    assert (found["games"], found["faults"]) == (2 * PAIRS, 0)
    assert run(undisturbed, PAIRS, 2, GOOD) == found
    assert digests(chaos) == digests(undisturbed)
    assert len(read_games(chaos)) == 2 * PAIRS
    assert not [path.name for path in chaos.iterdir() if path.name not in {*digests(chaos), ".lock"}]
