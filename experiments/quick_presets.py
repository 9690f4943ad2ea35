"""What does the quick preset of a study take, by stage, and what does it gain?

`GAME.toml` is run with `--preset quick` by one worker, in a folder that is thrown away; --set changes settings, as in
`tunesmith run`, such as back to what the preset was before. Told are processor minutes, which do not grow with what
else the machine does, with the game compiled before; the pairs of each stage; and the gain that the proof measured.
What is found is added to the file, a row for each seed and choice of pairs, and its page is made anew.

    python -m tunesmith.experiments.quick_presets --game kalah --out experiments/results/quick-presets.json
"""

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tunesmith.experiments.bench.machine import commit
from tunesmith.experiments.proofs._cells import add_out, store, stored
from tunesmith.experiments.questions.page import markdown
from tunesmith.tuning.config import StudyConfig, load
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play.resources import Log, Resources

HERE = Path(__file__).parent
PLAY, PROOF, REST = "play", "verify", "rest"
STAGES = (PLAY, "fit", "check", "search", PROOF)  # as a study calls them; openings and the page are the rest

Cell = dict[str, Any]


class StageClock(Log):
    """Counts the processor seconds of this process by stage of a study."""

    def __init__(self) -> None:
        self.seconds = defaultdict[str, float](float)
        self._stage, self._since = REST, time.process_time()

    def stage(self, stage: str, **facts: Any) -> None:
        """Begin a part of a study; what was done since the last one belongs to that."""
        now = time.process_time()
        self.seconds[self._stage] += now - self._since
        self._stage, self._since = stage if stage in STAGES else REST, now


def pairs_of(config: StudyConfig) -> dict[str, str]:
    """Return the pairs that a study may play, in words, by stage."""
    play, search, verify = config.play, config.search, config.verify
    check = play.check_pairs if play.has_checks else 0
    opponents = [verify.opponent_pairs] * len(verify.opponents)
    fixed = [verify.measure_pairs, verify.second_pairs, *opponents]
    return {
        PLAY: f"{play.generations} x {play.pairs:,}",
        "check": f"{play.generations} x {check:,}",
        "search": f"{search.trials:,} x {search.pairs:,}" if search.trials else "",
        PROOF: f"to {verify.max_pairs:,}, " + " + ".join(f"{pairs:,}" for pairs in fixed),
    }


def cell(config: StudyConfig) -> Cell:
    """Run a study; return its minutes by stage, its pairs and its verdict."""
    clock = StageClock()
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as folder:
        verdict = run_study(config, Path(folder) / "study", Resources(1, "threads", clock))
    clock.stage(REST)
    minutes = {stage: round(clock.seconds[stage] / 60, 4) for stage in (*STAGES, REST)}
    gain = verdict.gain
    return {
        "seed": config.seed,
        "pairs": pairs_of(config),
        "minutes": minutes,
        "outcome": verdict.outcome,
        "gain": {"elo": round(gain.elo, 1), "half": round(gain.elo_half_width, 1), "limit": gain.limit},
        "sentence": verdict.sentence,
        "commit": commit(),
    }


HEADS = ("pairs of play", "of checks", "of the search", "of the proof", "seed",
         "minutes", *STAGES, REST, "verdict", "gain, Elo", "commit")  # fmt: skip


def page_of(games: Mapping[str, Any]) -> str:
    """Return the page of all presets that were run."""
    commands = dict.fromkeys(f"    {row['command']}" for rows in games.values() for row in rows)
    said = " ".join(__doc__.split("\n\n")[1].split())
    parts = ["# What the quick presets take, and what they gain", "\n".join(commands), said]
    for game, rows in games.items():
        parts += [f"## {game}", "\n".join(markdown(HEADS, [_row(row) for row in rows]))]
    return "\n\n".join(parts) + "\n"


def _row(row: Cell) -> list[str]:
    pairs, minutes, gain = row["pairs"], row["minutes"], row["gain"]
    return [
        *(pairs[stage] for stage in (PLAY, "check", "search", PROOF)), str(row["seed"]),
        f"**{sum(minutes.values()):.1f}**", *(f"{minutes[stage]:.1f}" for stage in (*STAGES, REST)),
        row["outcome"], f"{gain['elo']:+z.0f} ± {gain['half']:.0f}", row["commit"] or "",
    ]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one study's preset; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="kalah")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", dest="changes", help="another setting"
    )
    add_out(parser)
    given = parser.parse_args(arguments)
    config = load(HERE / f"{given.game}.toml", "quick", given.changes)
    changed = "".join(f" --set {change}" for change in given.changes)
    command = f"python -m tunesmith.experiments.quick_presets --game {given.game}{changed}"
    made = stored(given.out)
    rows = made.setdefault(given.game, [])
    found = cell(config) | {"command": command}
    rows[:] = [
        *(row for row in rows if (row["seed"], row["pairs"]) != (found["seed"], found["pairs"])),
        found,
    ]
    page = page_of(made)
    store(given.out, made, page)
    print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
