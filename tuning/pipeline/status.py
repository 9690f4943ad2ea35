"""How far a study is and what it has found, read from its folder; disturbs nothing.

The sequential test is told as it stands: the log-likelihood ratio of the pairs so far, consumed in order of their
number, between its two bounds."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from tunesmith.games.errors import StudyError
from tunesmith.tuning.files import read_json, read_lines
from tunesmith.tuning.proof.verdict import verdict_of
from tunesmith.tuning.study import Chosen, chosen_weights, require, stored_config


def describe(root: Path) -> dict[str, Any]:
    """Return stage, games, fits, checks, trials, chosen weights, verification runs and verdict of a study."""
    config = require(root).get("config")
    if not isinstance(config, dict):
        config = stored_config(root).model_dump()  # refuses it, and says why
    progress = read_json(root / "status.json") or {"stage": "not begun"}
    fits = [read_json(path) for path in sorted((root / "fit").glob("gen-*.json"))]
    chosen = chosen_weights(root)
    verdict = verdict_of(root)
    runs = [run for run in map(read_json, sorted((root / "verify").glob("*.json"))) if run]
    return {
        "study": str(root),
        "name": config.get("name"),
        "game": config.get("game"),
        **progress,
        "games": _games(root),
        "fits": [{k: f[k] for k in ("generation", "games", "rows", "loss")} for f in fits if f],
        "checks": [
            {k: c[k] for k in ("name", "opponent", "pairs", "estimate", "is_better")}
            for c in (read_json(path) for path in sorted((root / "check").glob("gen-*.json")))
            if c
        ],
        "trials": _trials(root),
        "chosen": None if chosen is None else asdict(chosen),
        "runs": [
            {k: r[k] for k in ("name", "opponent", "limit", "pairs", "counts", "decision")}
            | {"is_of_chosen": _is_of(r, chosen)}
            for r in runs
        ],
        "test": _test(root, chosen),
        "verdict": None if verdict is None else verdict.content(),
    }


def _games(root: Path) -> dict[str, int]:
    """Return how many games each part of a study has on disk."""
    from pyarrow import parquet

    found: dict[str, int] = {}
    for path in root.glob("*/**/*.parquet"):
        where = path.parent.relative_to(root)
        name = "search/games" if where.parts[0] == "search" else where.as_posix()  # a folder for each setting
        try:
            found[name] = found.get(name, 0) + int(parquet.read_metadata(path).num_rows)
        except (OSError, ValueError) as error:
            raise StudyError(f"{path}: damaged: {error}") from error
    return found


def _is_of(run: dict[str, Any], chosen: Chosen | None) -> bool:
    """Whether a stored run was played by the weights that the study has chosen."""
    return chosen is None or (run.get("candidate") or {}).get("digest") == chosen.digest


def _test(root: Path, chosen: Chosen | None) -> dict[str, Any] | None:
    """Return where the sequential test stands, None if it has not begun."""
    done = read_json(root / "verify" / "main.json")
    if done is not None and not _is_of(done, chosen):
        return None
    if done is not None and done.get("path"):
        pairs, ratio = done["path"][-1]
        bounds = {key: done["sprt"][key] for key in ("lower", "upper")}
        return {"pairs": pairs, "llr": ratio, **bounds, "decision": done["decision"]}
    folder = root / "verify" / "main" / "games"
    return _running_test(root, folder) if any(folder.glob("*.parquet")) else None


def _running_test(root: Path, folder: Path) -> dict[str, Any]:
    from tunesmith.tuning.pipeline.prove import settings_test
    from tunesmith.tuning.play import store
    from tunesmith.tuning.stats.sprt import walk

    test, games = settings_test(stored_config(root)), store.read_games(folder)
    played = set(games.pair.tolist())
    n_pairs = next(pair for pair in range(len(played) + 1) if pair not in played)
    results = store.pair_results(games)
    at = walk(test, [results.get(pair) for pair in range(n_pairs)]).decision
    return {"pairs": n_pairs, "llr": at.llr, "lower": at.lower, "upper": at.upper, "decision": None}


def _trials(root: Path) -> dict[str, int]:
    """Return how many trials of the search ended in each way; a log that is being written may end in half a line."""
    path = root / "search" / "trials.jsonl"
    rows = read_lines(path)
    states = [str(row["state"]).lower() for row in rows if not row.get("ghost")]
    return {state: states.count(state) for state in dict.fromkeys(states)}


def lines(facts: dict[str, Any]) -> list[str]:
    """Return the same as lines for a terminal."""
    details = [f"{key} {facts[key]}" for key in ("generation", "run", "purpose") if key in facts]
    made = [
        f"{facts['name']} ({facts['game']}): {facts['stage']}{' ' + ', '.join(details) if details else ''}"
    ]
    for folder, count in sorted(facts["games"].items()):
        made.append(f"  {folder}: {count:,} games")
    for fit in facts["fits"]:
        loss = fit["loss"]["held_out"] or fit["loss"]["training"]
        made.append(
            f"  fit {fit['generation']}: {fit['games']:,} games, {fit['rows']:,} positions, "
            f"held-out loss {loss['prior']:.5f} -> {loss['fit']:.5f}"
        )
    for check in facts["checks"]:
        e, kept = check["estimate"], "kept" if check["is_better"] else "not kept"
        made.append(
            f"  check {check['name']}: {check['pairs']} pairs against {check['opponent']['name']}, "
            f"{e['elo']:+.1f} ± {e['elo_half_width']:.1f} Elo, {kept}"
        )
    if facts["trials"]:
        ends = ", ".join(f"{count} {state}" for state, count in facts["trials"].items())
        made.append(f"  search: {ends}")
    if facts["chosen"]:
        made.append(f"  chosen: {facts['chosen']['name']}, {facts['chosen']['digest'][:12]}")
    if facts["test"]:
        made.append(f"  {test_line(facts['test'])}")
    for run in facts["runs"]:
        decided = f", {run['decision']}" if run["decision"] else ""
        whose = "" if run["is_of_chosen"] else ", by other weights than the chosen ones: does not count"
        made.append(
            f"  {run['name']}: {run['pairs']} pairs against {run['opponent']['name']}{decided}{whose}"
        )
    if facts["verdict"]:
        made.append(facts["verdict"]["sentence"])
    return made


def test_line(test: dict[str, Any]) -> str:
    """Return where the sequential test stands between its bounds, as words and as a picture."""
    lower, upper, width = test["lower"], test["upper"], 24
    place = round(width * (min(max(test["llr"], lower), upper) - lower) / (upper - lower))
    picture = "".join("*" if at == place else "-" for at in range(width + 1))
    ended = f", {test['decision']}" if test["decision"] else ""
    return (
        f"sequential test: {test['pairs']:,} pairs, LLR {lower:.2f} [{picture}] {upper:.2f}: "
        f"{test['llr']:+.2f}{ended}"
    )


def n_games(facts: dict[str, Any]) -> int:
    """Return the number of games on disk."""
    return sum(facts["games"].values())
