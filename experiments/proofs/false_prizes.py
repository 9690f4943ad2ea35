"""How often does a complete tuning call weights stronger that cannot be?

Whole studies (search by playing, sequential test, measurement) of a game whose features and results are noise
(`noise_game`): any gain is luck. The sequential test may call 5 % of them stronger (alpha = 0.05). The exit
code is 1 if more than `--most` do. Only the seed differs from study to study.

    python -m tunesmith.experiments.proofs.false_prizes --runs 40 --most 4
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tunesmith.engine import weights
from tunesmith.experiments.proofs import noise_game
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.files import read_json, write_json
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play.resources import Resources

GAME = str(Path(noise_game.__file__))
BASELINE = (30.0, -20.0, 10.0)


def config(seed: int, baseline: Path, trials: int = 12, pairs: int = 24) -> StudyConfig:
    """Return a study of one seed."""
    ends = {"low": -60.0, "high": 60.0}
    return StudyConfig.model_validate(
        {
            "name": f"noise-{seed}",
            "game": GAME,
            "seed": seed,
            "baseline": str(baseline),
            "hash_mb": 1,
            "openings": {"plies": 7, "max_score": 2000.0},
            "search": {
                "trials": trials,
                "start": "baseline",
                "limit": "depth:1",
                "pairs": pairs,
                "space": {name: ends for name in noise_game.FEATURES},
            },
            "verify": {
                "limit": "depth:1",
                "elo1": 60.0,
                "max_pairs": 400,
                "measure_pairs": 60,
                "second_limit": "depth:2",
                "second_pairs": 20,
            },
        }
    )


def tune(seed: int, folder: Path, **size: int) -> dict[str, Any]:
    """Run one study to its verdict; return what it found."""
    baseline = folder / "baseline.json"
    weights.save(weights.from_array(noise_game.GAME, _table()), baseline)
    root = folder / str(seed)
    verdict = run_study(config(seed, baseline, **size), root, Resources(1, "threads"))
    result = read_json(root / "search" / "result.json")
    return {
        "seed": seed,
        "verdict": verdict.outcome,
        "expected": round(result["estimate"]["elo"], 1),
        "best_observed": round(result["observed_best"]["elo"], 1),
        "measured": round(verdict.gain.elo, 1),
    }


def _table() -> Any:
    import numpy as np

    return np.array([BASELINE])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="How often complete tunings of noise end in 'stronger'.")
    parser.add_argument("--runs", type=int, default=40, help="complete studies (default 40)")
    parser.add_argument("--most", type=int, default=4, help="of them that may be called stronger (default 4)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first study; the others follow")
    parser.add_argument("--out", type=Path, help="JSON file to write")
    options = parser.parse_args(arguments)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.runs):
            found.append(tune(seed, Path(folder)))
            print(found[-1], flush=True)
            if options.out:
                write_json(options.out, found, stands_alone=True)
    counts = Counter(row["verdict"] for row in found)
    print(f"{options.runs} studies: " + ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())))
    return int(counts["stronger"] > options.most)


if __name__ == "__main__":
    sys.exit(main())
