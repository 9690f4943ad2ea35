"""What does a study of many games take: to play, to go on with, to look at, to describe?

Kalah at depth 1, the cheapest search there is, from openings of ten random moves: one generation of self-play, a fit to
one position of each game, a small proof. The study is stopped when half of its games are there (`half`), stopped once
more as soon as it has gone on (`resume`: what it takes to come so far), and run to its end (`rest`); then `status`,
`dataset`, `report`, and `run` of the finished study (`again`). A folder in which that was begun is gone on with."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tunesmith.experiments.large.process import run, tunesmith
from tunesmith.tuning.files import read_json, write_json
from tunesmith.tuning.play.store import SHARD

STUDY = """\
name = "large"
game = "kalah"
openings = { plies = 10 }
play = { limit = "depth:1", pairs = PAIRS, generations = 1, check_pairs = 0 }
fit = { positions_per_game = 1 }
verify = { limit = "depth:1", max_pairs = 100, measure_pairs = 50, second_pairs = 0 }
"""
PARTS = ("half", "resume", "rest", "status", "dataset", "report", "again")


def measure(pairs: int, folder: Path, jobs: int) -> dict[str, Any]:
    """Run a study in a folder and return what it took, and what the commands after it take."""
    folder.mkdir(parents=True, exist_ok=True)
    settings, study, notes = (folder / name for name in ("large.toml", "study", "took.json"))
    settings.write_text(STUDY.replace("PAIRS", str(pairs)), encoding="utf-8")
    whole = tunesmith("run", str(settings), "--out", str(study), "--jobs", str(jobs))
    games = study / "games" / "gen-1"
    took: dict[str, Any] = read_json(notes) or {}

    def part(name: str, command: list[str], is_enough: Callable[[], bool] = lambda: False) -> None:
        if name not in took:
            took[name] = run(command, is_enough)._asdict()
            write_json(notes, took, stands_alone=True)

    part("half", whole, lambda: _files(games) >= pairs // SHARD // 2)
    begun = _files(games)
    part("resume", whole, lambda: _files(games) > begun)
    part("rest", whole)
    for command in ("status", "dataset", "report"):
        part(command, tunesmith(command, str(study)))
    part("again", whole)
    return {
        "games": 2 * pairs,
        "files": sum(not path.name.startswith(".") for path in games.iterdir()),
        "bytes": sum(path.stat().st_size for path in games.iterdir()),
        **took,
    }


def _files(games: Path) -> int:
    """Return how many whole files of games there are; looked at often, so names alone are counted."""
    return sum(1 for _ in games.glob("shard-?????.parquet"))
