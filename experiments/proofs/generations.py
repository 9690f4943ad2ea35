"""Is the choice among a study's generations at least as good as the rules that it replaced?

Small studies of a game, one a seed, play and fit some generations and check each with few pairs. All generations then
meet the baseline in a longer match, on the same openings. Told are the gains of what the study chose (`chosen`), of
the last generation that scored more than half of the points in its check (`half`, as the product chose before), and
of the last generation (`last`).

    python -m tunesmith.experiments.proofs.generations --seeds 6 --jobs 2
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from tunesmith.experiments.proofs.same_numbers import tunesmith

STUDY = """
name = "generations"
game = "{game}"
seed = {seed}
openings = {{ plies = 6, max_score = 400.0 }}
play = {{ limit = "{limit}", pairs = {pairs}, generations = {generations}, check_pairs = {checks} }}
[verify]
limit = "{limit}"
max_pairs = 2
measure_pairs = 2
second_pairs = 0
opponents = []
"""


def by_half(path: Sequence[dict[str, object]]) -> str:
    """Return what the old rule would have chosen of the same checks: the last that scored more than half."""
    kept = [str(one["made"]) for one in path if one["check"]["estimate"]["score"] > 0.5]  # type: ignore[index]
    return kept[-1] if kept else str(path[-1]["made"])


def study(folder: Path, settings: dict[str, Any], measured: int, jobs: int) -> dict[str, float]:
    """Run a study; return the gain over the baseline (Elo) of what each rule chooses."""
    (folder / "study.toml").write_text(STUDY.format(**settings), encoding="utf-8")
    tunesmith("run", folder / "study.toml", "--out", folder / "out", "--jobs", jobs)
    found = json.loads((folder / "out" / "generations.json").read_text(encoding="utf-8"))
    names = [one["made"] for one in found["path"]]
    gains = {
        name: gain(folder / "out" / "weights" / f"{name}.json", settings, measured, jobs) for name in names
    }
    return {"chosen": gains[found["chosen"]], "half": gains[by_half(found["path"])], "last": gains[names[-1]]}


def gain(weights: Path, settings: dict[str, Any], pairs: int, jobs: int) -> float:
    """Return the Elo of weights against the game's own by a match of so many pairs."""
    limit = ("--limit", settings["limit"], "--seed", 77, "--jobs", jobs)
    words = ("match", settings["game"], weights, "hand", "--pairs", pairs, *limit, "--json")
    return float(json.loads(tunesmith(*words))["estimate"]["elo"])


def report(seeds: Sequence[int], settings: dict[str, Any], measured: int, jobs: int) -> bool:
    """Print a line a study and the means; return whether the choice is not worse than the old rule by 2 errors."""
    rows = []
    print(f"{settings['game']}, {settings['generations']} generations of {settings['pairs']} pairs, checks of "
          f"{settings['checks']}, {settings['limit']}; gains over hand by {measured} pairs, Elo")  # fmt: skip
    print(f"{'seed':>4} {'chosen':>7} {'half':>7} {'last':>7}")
    for seed in seeds:
        with tempfile.TemporaryDirectory(prefix="tunesmith-") as folder:
            rows.append(study(Path(folder), {**settings, "seed": seed}, measured, jobs))
        print(f"{seed:4d} " + " ".join(f"{value:+7.1f}" for value in rows[-1].values()), flush=True)
    apart = [row["chosen"] - row["half"] for row in rows]
    error = stdev(apart) / len(apart) ** 0.5 if len(apart) > 1 else 0.0
    print("mean " + " ".join(f"{mean(row[name] for row in rows):+7.1f}" for name in rows[0]))
    print(f"chosen less half: {mean(apart):+z.1f}, standard error {error:.1f}")
    return mean(apart) >= -2 * error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="The choice among generations, beside other rules.")
    parser.add_argument("--game", default="kalah")
    parser.add_argument("--seeds", type=int, default=4, help="studies (default 4)")
    parser.add_argument("--pairs", type=int, default=150)
    parser.add_argument("--generations", type=int, default=3)
    parser.add_argument("--checks", type=int, default=40)
    parser.add_argument("--limit", default="nodes:60")
    parser.add_argument("--measured", type=int, default=300, help="pairs that measure a generation")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    settings = {name: getattr(options, name) for name in ("game", "pairs", "generations", "checks", "limit")}
    return 0 if report(range(1, options.seeds + 1), settings, options.measured, options.jobs) else 1


if __name__ == "__main__":
    sys.exit(main())
