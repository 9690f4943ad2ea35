"""What does a second worker bring? The same pairs played by one and by two, as processes and on a Dask cluster.

Prints, all from one run: pairs a second of each, the ratio of two workers to one, the CPU time of the process that
hands out and writes as a part of the workers' time, and whether all files are the same bit for bit. The
cluster is one scheduler and one or two workers of one thread on this machine. Goals on two idle cores: 1.8 for
processes, 1.6 for Dask, 2 %. A machine with other things to do tells nothing about the ratios."""

import argparse
import contextlib
import hashlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tunesmith.engine import weights as weight_files
from tunesmith.experiments.proofs._dask import cluster
from tunesmith.games import registry
from tunesmith.tuning.config import Openings
from tunesmith.tuning.play import selfplay
from tunesmith.tuning.play.cluster import connect
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.openings.random import make_openings
from tunesmith.tuning.play.resources import Resources

WARM = 16  # pairs that start the workers, before the clock


def play(game: str, openings: list[Opening], limit: str, folder: Path, jobs: int, backend: str) -> float:
    """Play all openings; return pairs a second."""
    player = weight_files.load("hand", registry.load(game))
    matchup = Matchup(game, player, player, (limit, limit), 1, Noise(0.1, 30))
    resources = Resources(jobs, backend)
    selfplay.play(matchup, openings, range(WARM), folder, resources)
    start = time.perf_counter()
    selfplay.play(matchup, openings, range(len(openings)), folder, resources)
    return (len(openings) - WARM) / (time.perf_counter() - start)


@contextlib.contextmanager
def backend_of(kind: str, workers: int, scratch: Path) -> Iterator[str]:
    """Give the name of a backend for the block: with "dask" that of a cluster of so many workers."""
    if kind != "dask":
        yield kind
        return
    folder = scratch / f"cluster-{workers}"
    folder.mkdir()
    with cluster(folder, workers) as there:
        connect(there.address).wait_for_workers(workers, timeout=120)
        yield f"dask:{there.address}"


def digest(folder: Path) -> str:
    """Return a digest of all games."""
    files = sorted(folder.glob("*.parquet"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="kalah")
    parser.add_argument("--pairs", type=int, default=1500)
    parser.add_argument("--limit", default="nodes:1000")
    wanted = parser.parse_args()
    game = registry.load(wanted.game)
    hand = weight_files.load("hand", game)
    openings = make_openings(game, hand, Openings(plies=8), count=wanted.pairs, purpose="train", seed=1)
    digests = set()
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as scratch:
        for kind in ("loky", "dask"):
            speeds = []
            for jobs in (1, 2):
                folder = Path(scratch) / f"{kind}-{jobs}"
                with backend_of(kind, jobs, Path(scratch)) as backend:
                    own = time.process_time()
                    speeds.append(play(wanted.game, openings, wanted.limit, folder, jobs, backend))
                    own = time.process_time() - own
                    spent = own * speeds[-1] / (len(openings) - WARM) / jobs
                digests.add(digest(folder))
                print(
                    f"{kind}, {jobs} worker(s): {speeds[-1]:.1f} pairs/s, {100 * spent:.1f} % outside",
                    flush=True,
                )
            print(f"{kind}: two workers give {speeds[1] / speeds[0]:.2f} times one", flush=True)
    print(f"files: {'all the same' if len(digests) == 1 else 'different'}")
    if len(digests) != 1:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
