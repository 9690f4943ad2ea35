"""Measure, and write the tables: `python -m tunesmith.experiments.cluster --out experiments/results/cluster.json`."""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tunesmith.engine import weights as weight_files
from tunesmith.experiments.bench import machine
from tunesmith.experiments.cluster.intake import Load, measure
from tunesmith.experiments.cluster.tables import cost_page, intake_rows, result_page, trouble_rows
from tunesmith.experiments.cluster.trouble import Effort, prove
from tunesmith.games import registry
from tunesmith.tuning.config import FitOptions, Openings
from tunesmith.tuning.data.dataset import build_rows
from tunesmith.tuning.files import read_json, write_json
from tunesmith.tuning.fit.texel import fit
from tunesmith.tuning.play import selfplay
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.openings.random import make_openings
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.store import read_games

COST = Path(__file__).with_name("cost.md")


@dataclass(frozen=True)
class Wanted:
    """What is measured: loads of made-up play, limits of real games and pairs of each, and what is killed."""

    loads: tuple[Load, ...] = (
        Load(4, 0.02, 2000),
        Load(4, 0.5, 100),
        Load(16, 0.02, 4000, 0.0),
        Load(16, 0.02, 4000, 0.02),
        Load(16, 0.02, 4000, 0.1),
        Load(64, 0.5, 1000),
        Load(256, 2.0, 1500),
        Load(1000, 20.0, 3000),
    )
    limits: tuple[str, ...] = ("nodes:1000", "nodes:16000")
    pairs: int = 100
    effort: Effort = field(default_factory=Effort)


def played(limit: str, pairs: int, folder: Path) -> float:
    """Play games of Kalah; return how long each took, in seconds of one core's time."""
    game = registry.load("kalah")
    hand = weight_files.load("hand", game)
    openings = make_openings(game, hand, Openings(plies=6), count=pairs, purpose="train", seed=1)
    matchup = Matchup("kalah", hand, hand, (limit, limit), 1, Noise(0.1, 30))
    began = time.process_time()
    selfplay.play(matchup, openings, range(pairs), folder, Resources(1, "threads"))
    return (time.process_time() - began) / (2 * pairs)


def learned(folder: Path, pairs: int) -> dict[str, Any]:
    """Make rows of games and fit to them; return how long each took, in seconds of CPU time a game."""
    game = registry.load("kalah")
    hand = weight_files.load("hand", game)
    games, began = read_games(folder), time.process_time()
    rows = build_rows(game, games, judge=hand).rows
    built = time.process_time()
    fit(rows, hand.array(game), FitOptions(ridge=1.0))
    spent = {"dataset_seconds": built - began, "fit_seconds": time.process_time() - built}
    return {"games": 2 * pairs, **{name: seconds / (2 * pairs) for name, seconds in spent.items()}}


def run(wanted: Wanted) -> dict[str, Any]:
    """Measure all of it."""
    found: dict[str, Any] = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {**machine.describe(), "commit": machine.commit()},
    }
    began, loads = time.monotonic(), []
    for load in wanted.loads:
        loads.append(measure(load))
        print(intake_rows(loads[-1:])[-1], file=sys.stderr, flush=True)
    found["intake"] = [row.content() for row in loads]
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as scratch:
        root = Path(scratch)
        played(wanted.limits[0], 1, root / "compiled")
        found["plays"] = [
            {"name": f"Kalah at {limit}", "game_seconds": played(limit, wanted.pairs, root / limit)}
            for limit in wanted.limits
        ]
        learned(root / wanted.limits[0], wanted.pairs)  # compiled
        found["learning"] = {**found["plays"][0], **learned(root / wanted.limits[0], wanted.pairs)}
        rows = prove(
            root, wanted.effort, lambda row: print(row.what, row.is_same, file=sys.stderr, flush=True)
        )
    found["trouble"] = [asdict(row) for row in rows]
    found["took"] = time.monotonic() - began
    return found


def main(arguments: Sequence[str] | None = None, wanted: Wanted | None = None) -> int:
    """Measure, print the tables, and write them; exit code 1 if any files differ."""
    parser = argparse.ArgumentParser(prog="python -m tunesmith.experiments.cluster", description=__doc__)
    parser.add_argument(
        "--out", type=Path, help="JSON file for the figures; its page, and cost.md, are written too"
    )
    parser.add_argument("--pages", action="store_true", help="measure nothing: write the pages of --out anew")
    options = parser.parse_args(arguments)
    found = (options.out and read_json(options.out)) if options.pages else run(wanted or Wanted())
    if found is None:
        parser.error("--pages: needs --out, a file that this command has written")
    print("\n".join(trouble_rows(found["trouble"])))
    if options.out:
        write_json(options.out, found, stands_alone=True)
        options.out.with_suffix(".md").write_text(result_page(found), encoding="utf-8")
        cost = COST if wanted is None else options.out.with_name(COST.name)
        cost.write_text(cost_page(found), encoding="utf-8")
    return int(any(not row["is_same"] for row in found["trouble"]))


if __name__ == "__main__":
    sys.exit(main())
