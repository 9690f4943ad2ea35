"""How far a study is and what it has found, read from its folder; disturbs nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tuning.study import read_json, read_lines, require


def describe(root: Path) -> dict[str, Any]:
    """Return stage, games played, fits, verification runs and verdict of the study in `root`."""
    stored = require(root)
    progress = read_json(root / "status.json") or {"stage": "not begun"}
    fits = [read_json(path) for path in sorted((root / "fit").glob("gen-*.json"))]
    runs = [read_json(path) for path in sorted((root / "verify").glob("*.json"))]
    shards: dict[str, int] = {}
    for path in root.glob("*/**/*.parquet"):
        where = path.parent.relative_to(root)
        name = "tune/games" if where.parts[0] == "tune" else str(where)  # a folder for each setting
        shards[name] = shards.get(name, 0) + 1
    return {
        "study": str(root),
        "name": stored["config"].get("name"),
        "game": stored["config"].get("game"),
        **progress,
        "game_files": shards,
        "fits": [{k: f[k] for k in ("generation", "games", "rows", "loss")} for f in fits if f],
        "trials": _trials(root),
        "runs": [
            {k: r[k] for k in ("name", "opponent", "limit", "pairs", "counts", "decision")} for r in runs if r
        ],
        "verdict": read_json(root / "verdict.json"),
    }


def _trials(root: Path) -> dict[str, int]:
    """Return how many trials of the search ended in each way; a log that is being written may end in half a line."""
    path = root / "tune" / "trials.jsonl"
    rows = read_lines(path)
    states = [str(row["state"]).lower() for row in rows if not row.get("ghost")]
    return {state: states.count(state) for state in dict.fromkeys(states)}


def lines(facts: dict[str, Any]) -> list[str]:
    """Return the same as lines for a terminal."""
    details = [f"{key} {facts[key]}" for key in ("generation", "run", "purpose") if key in facts]
    made = [
        f"{facts['name']} ({facts['game']}): {facts['stage']}{' ' + ', '.join(details) if details else ''}"
    ]
    for folder, count in sorted(facts["game_files"].items()):
        made.append(f"  {folder}: {count} files")
    for fit in facts["fits"]:
        loss = fit["loss"]["held_out"] or fit["loss"]["training"]
        made.append(
            f"  fit {fit['generation']}: {fit['games']:,} games, {fit['rows']:,} positions, "
            f"held-out loss {loss['prior']:.5f} -> {loss['fit']:.5f}"
        )
    if facts["trials"]:
        ends = ", ".join(f"{count} {state}" for state, count in facts["trials"].items())
        made.append(f"  search: {ends}")
    for run in facts["runs"]:
        decided = f", {run['decision']}" if run["decision"] else ""
        made.append(f"  {run['name']}: {run['pairs']} pairs against {run['opponent']['name']}{decided}")
    if facts["verdict"]:
        made.append(facts["verdict"]["sentence"])
    return made
