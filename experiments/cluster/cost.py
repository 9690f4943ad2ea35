"""What would games, proofs and searches cost on up to 1,000 workers, and what is the first bottleneck?

A model on paper, from what `intake` measured: the controller spends so much CPU time on a batch and on a game, the
scheduler on a batch, and neither can spend more than a second of it in a second; a batch lasts as long as
`tuning.play.pool` makes it. Workers are threads, each on a core of its own. Lengths of sequential tests are those of
`tuning.stats.sprt`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith.experiments.cluster.intake import Intake
from tunesmith.tuning.play.pool import BATCH_SECONDS, FEW, MOST_PAIRS
from tunesmith.tuning.stats.sprt import Sprt, expected_length

WORKERS = (1, 2, 8, 50, 200, 1000)
WIRE = 125e6  # bytes a second of a network of 1 Gbit/s
GAIN = 2.0  # normalised Elo: the bounds [0, 2] of a test, and the true gain
TRIALS, PAIRS = 384, 10  # of the search that experiments/kalah.toml speaks of


@dataclass(frozen=True)
class Spent:
    """Seconds of CPU time: the controller on a batch and on a game, the scheduler on a batch; bytes of a game."""

    controller_batch: float
    controller_game: float
    scheduler_batch: float
    game_bytes: float


@dataclass(frozen=True)
class Play:
    """A kind of games: its name, and how long a game takes on a core in seconds."""

    name: str
    game_seconds: float


@dataclass(frozen=True)
class Rate:
    """Games a second with so many workers, and what keeps it from being more."""

    workers: int
    games: float
    busy: float
    bottleneck: str


def spent(rows: Sequence[Intake]) -> Spent:
    """Return what a batch and a game cost, by least squares over several loads; none is below 0."""
    cells = np.array([(row.batches, 2 * row.pairs) for row in rows], float)
    cost = np.array([row.controller_cpu for row in rows])
    scale = 1 / np.maximum(cost, 1e-9)  # each load counts alike, however long it was
    found = np.linalg.lstsq(cells * scale[:, None], cost * scale, rcond=None)[0]
    if found.min() < 0:  # one of the two explains it all
        best = int(np.argmax(found))
        found = np.zeros(2)
        found[best] = float(np.mean(cost / cells[:, best]))
    batches, games = cells.sum(axis=0)
    counted = [row for row in rows if row.delay is not None]
    passed = sum(row.bytes_sent + row.bytes_received for row in counted)
    return Spent(
        controller_batch=float(found[0]),
        controller_game=float(found[1]),
        scheduler_batch=sum(row.scheduler_cpu for row in rows) / batches,
        game_bytes=passed / max(1, sum(2 * row.pairs for row in counted)),
    )


def pairs_in_batch(workers: int, game_seconds: float) -> int:
    """Return how many pairs the pool puts in a batch."""
    seconds = BATCH_SECONDS * max(1.0, workers / FEW)
    return max(1, min(MOST_PAIRS, round(seconds / (2 * game_seconds))))


def rate(workers: int, play: Play, cost: Spent) -> Rate:
    """Return how many games a second come in, and where the limit is."""
    games = 2 * pairs_in_batch(workers, play.game_seconds)  # of a batch
    limits = {
        "the workers": workers / play.game_seconds,
        "the controller": games / (cost.controller_batch + games * cost.controller_game),
        "the scheduler": games / cost.scheduler_batch,
        "the network": WIRE / cost.game_bytes if cost.game_bytes else float("inf"),
    }
    bottleneck = min(limits, key=lambda name: limits[name])
    return Rate(workers, limits[bottleneck], limits[bottleneck] / limits["the workers"], bottleneck)


def full_load(play: Play, cost: Spent) -> int:
    """Return the number of workers from which on something else is the limit, up to a million."""
    most = 1
    while most < 1_000_000 and rate(most, play, cost).bottleneck == "the workers":
        most = most + 1 if most < 100 else int(most * 1.01)
    return most


def proof_games(gain: float = GAIN) -> float:
    """Return the mean number of games of a test of [0, gain] normalised Elo whose true difference is `gain`."""
    return expected_length(Sprt(0.0, gain), gain).expected_games


def busy_in_search(workers: int, at_once: int, pairs: int = PAIRS) -> int:
    """Return how many workers the trials in flight can keep busy: a pair is played by one."""
    return min(workers, at_once * pairs)


def at_once_for(workers: int, pairs: int = PAIRS) -> int:
    """Return the trials in flight that keep all workers busy."""
    return -(-workers // pairs)


def search_seconds(workers: int, at_once: int, play: Play, cost: Spent) -> float:
    """Return how long a search of `TRIALS` trials of `PAIRS` pairs takes."""
    busy = busy_in_search(workers, at_once)
    return 2 * TRIALS * PAIRS / rate(busy, play, cost).games
