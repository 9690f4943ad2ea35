"""A cluster of a proof has the workers that it is asked for, also when one has ended."""

import os
import signal
import time
from pathlib import Path

import pytest

from tunesmith.experiments.proofs._dask import cluster
from tunesmith.experiments.proofs._dying import living
from tunesmith.tuning.play.cluster import connect

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")


def numbers(file: Path) -> list[int]:
    return [int(line) for line in file.read_text().splitlines()]


@pytest.mark.slow  # a scheduler and workers take their time to start
def test_a_worker_that_was_killed_is_replaced_and_none_outlives_the_block(tmp_path: Path) -> None:
    with cluster(tmp_path, 1, "--no-nanny") as there:
        assert there.revive() == 0
        os.kill(numbers(there.started)[0], signal.SIGKILL)
        while not there.revive():
            time.sleep(0.05)
        with connect(there.address) as client:
            client.wait_for_workers(1, timeout=120)
    assert len(numbers(there.started)) == 2
    assert not living().keys() & {*numbers(there.started)}


def test_a_scheduler_that_does_not_start_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scheduler.json").mkdir()
    with pytest.raises(RuntimeError, match="the scheduler of Dask has ended"), cluster(tmp_path, 1):
        pass
