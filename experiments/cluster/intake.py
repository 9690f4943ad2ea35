"""What does the controller spend on a game, and how many games a second can it take in?

The cluster is real: the product's pool and files, a Dask scheduler, workers in processes of their own. Only play is
made up: a worker sleeps as long as the games would take and answers with moves that mean nothing, so that one machine
can have hundreds of workers. CPU times are the kernel's, so that other programs of the machine do not count; the rate
is by the clock."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.engine import weights as weight_files
from tunesmith.engine.compile.arith import mix
from tunesmith.experiments.cluster.relay import Relay
from tunesmith.experiments.proofs._dask import cluster
from tunesmith.games import registry
from tunesmith.tuning.play import cluster as dask_backend
from tunesmith.tuning.play.matchup import Answer, Batch, Matchup, Pair, PlayedGame, pair_seed
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.pool import Pool
from tunesmith.tuning.play.selfplay import PairFolder

LENGTH = 60  # moves of a made-up game
TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass(frozen=True)
class Load:
    """Made-up play: threads of all workers, seconds a pair, pairs in all.

    delay: seconds each way to the scheduler, by a relay that counts bytes; None: nothing in between.
    """

    threads: int
    pair_seconds: float
    pairs: int
    delay: float | None = None


@dataclass(frozen=True)
class Intake:
    """What came of it: seconds by the clock and of CPU time, batches, bytes."""

    threads: int
    pair_seconds: float
    pairs: int
    delay: float | None
    seconds: float
    batches: int
    controller_cpu: float
    scheduler_cpu: float
    workers_cpu: float
    bytes_sent: int
    bytes_received: int

    @property
    def games_per_second(self) -> float:
        """By the clock."""
        return 2 * self.pairs / self.seconds

    @property
    def share(self) -> float:
        """The part of what so many workers could play with nobody to wait for."""
        return self.pairs * self.pair_seconds / self.threads / self.seconds

    def content(self) -> dict[str, Any]:
        """Return what a file keeps."""
        return {**asdict(self), "games_per_second": self.games_per_second, "share": self.share}


def answer(seconds: float, code: str, matchup: Matchup, batch: Batch) -> Answer:
    """Take the time that the pairs of a batch would, on a worker, and make games up."""
    time.sleep(seconds * len(batch.pairs))
    return Answer(
        [game for pair in batch.pairs for game in made_up(matchup, pair)], seconds * len(batch.pairs)
    )


def made_up(matchup: Matchup, pair: Pair) -> list[PlayedGame]:
    """Return two games of a pair whose moves and scores mean nothing."""
    seed = pair_seed(matchup.seed, pair.number)
    moves = [np.resize(np.array([*pair.opening, 1, 2, 3 + game], np.int64), LENGTH) for game in (0, 1)]
    scores = np.arange(LENGTH, dtype=np.float32) + np.float32(pair.number % 97)
    both = enumerate((seed, mix(seed)))
    return [
        PlayedGame(pair.number, game, own, len(pair.opening), moves[game], scores, 1 - 2 * game, "end")
        for game, own in both
    ]


class PretendCluster(dask_backend.Cluster):
    """A Dask cluster whose workers answer by `answer`; `batches` counts what was sent."""

    def __init__(self, address: str, pair_seconds: float) -> None:
        super().__init__(address)
        self.batches = 0
        self._play = partial(answer, pair_seconds)

    def submit(self, matchup: Matchup, batch: Batch) -> Any:
        self.batches += 1
        return super().submit(matchup, batch)


def openings(count: int) -> list[Opening]:
    """Return so many different openings of six moves."""
    spelled = (tuple(number // 8**place % 8 for place in range(6)) for number in range(count))
    return [Opening(moves, " ".join(map(str, moves))) for moves in spelled]


def take_in(backend: PretendCluster, load: Load, folder: Path) -> float:
    """Take in all pairs as the product does; return the seconds."""
    player = weight_files.load("hand", registry.load("kalah"))
    matchup = Matchup("kalah", player, player, ("nodes:1000", "nodes:1000"), 1)
    games = PairFolder(matchup, openings(load.pairs), range(load.pairs), folder)
    folder.mkdir()
    missing, pool = games.missing(), Pool(backend)
    began = time.perf_counter()
    try:
        pool.add((0, 0), 0, matchup, missing)
        while pool.is_busy:
            games.take(pool.next()[1])
        seconds = time.perf_counter() - began
    finally:
        pool.close()
    games.finish()
    return seconds


def cpu_seconds(process: int) -> float:
    """Return the CPU time that a process has spent (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def measure(load: Load, processes: int = 2) -> Intake:
    """Play a load on a cluster of its own, whose threads are those of a few processes."""
    with contextlib.ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tunesmith-")))
        there = stack.enter_context(cluster(scratch, 0, "--no-nanny"))
        workers = [there.add(load.threads // processes) for _ in range(processes)]
        relay = None if load.delay is None else stack.enter_context(Relay(there.address, load.delay))
        address = there.address if relay is None else relay.address
        client = stack.enter_context(dask_backend.connect(address))
        client.wait_for_workers(processes, timeout=120)
        warm = replace(load, pairs=min(load.pairs, load.threads))
        take_in(PretendCluster(address, load.pair_seconds), warm, scratch / "warm")
        backend = PretendCluster(address, load.pair_seconds)
        before, passed, own = _spent(there, workers), _passed(relay), time.process_time()
        seconds = take_in(backend, load, scratch / "games")
        own, after = time.process_time() - own, _spent(there, workers)
        sent, received = (b - a for a, b in zip(passed, _passed(relay), strict=True))
    scheduler, playing = (b - a for a, b in zip(before, after, strict=True))
    return Intake(
        **asdict(load),
        seconds=seconds,
        batches=backend.batches,
        controller_cpu=own,
        scheduler_cpu=scheduler,
        workers_cpu=playing,
        bytes_sent=sent,
        bytes_received=received,
    )


def _passed(relay: Relay | None) -> tuple[int, int]:
    return (0, 0) if relay is None else (relay.passed[0], relay.passed[1])


def _spent(there: Any, workers: list[Any]) -> tuple[float, float]:
    return cpu_seconds(there.scheduler.pid), sum(cpu_seconds(one.pid) for one in workers)
