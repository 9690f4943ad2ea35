"""How did a study come from its baseline to its candidate? One row for each weight file, in the order of making.

Gains are what each step knew of itself: a fit the loss on held-out pairs, a search the expected Elo of its model
against its opponents, the candidate the measured Elo (95 % intervals). `written` is the time of the file, UTC."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tunesmith.tuning.documents import GenerationFit, Verdict
from tunesmith.tuning.documents.search import SearchResult
from tunesmith.tuning.files import read_json
from tunesmith.tuning.proof.verdict import verdict_of
from tunesmith.tuning.study import chosen_weights, require


def lineage(root: Path) -> list[dict[str, Any]]:
    """Return the rows of a study, finished or not: step, file, digest, written, games, gain (in words).

    The weights that the study has chosen are so in their row, `is_chosen`.
    """
    config, chosen = require(root).config, chosen_weights(root)
    return [
        {
            "step": step,
            "file": f"weights/{name}.json",
            **_file(path),
            **facts,
            "is_chosen": chosen is not None and chosen.name == name,
        }
        for step, name, facts in _steps(root, config)
        if (path := root / "weights" / f"{name}.json").is_file()
    ]


def _steps(root: Path, config: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    yield f"baseline {config.get('baseline', '')}".strip(), "baseline", {"games": None, "gain": None}
    fits = sorted((root / "weights").glob("gen-*.json"), key=lambda path: (len(path.name), path.name))
    for path in fits:
        yield (
            f"fit {path.stem.removeprefix('gen-')}",
            path.stem,
            _fit(GenerationFit.find(root / "fit" / path.name)),
        )
    yield "search", "search", _search(SearchResult.find(root / "search" / "result.json"))
    yield "candidate", "candidate", _candidate(verdict_of(root))


def _file(path: Path) -> dict[str, Any]:
    content = read_json(path)
    moment = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return {"digest": content.get("digest"), "written": moment.isoformat(timespec="seconds")}


def _fit(facts: GenerationFit | None) -> dict[str, Any]:
    if facts is None:
        return {"games": None, "gain": None}
    loss, part = facts.loss.judged, "held-out" if facts.loss.held_out else "training"
    words = f"loss on {part} pairs {loss.prior:.5f} -> {loss.fit:.5f}"
    return {"games": facts.games, "gain": words, "loss": loss.content()}


def _search(facts: SearchResult | None) -> dict[str, Any]:
    if facts is None:
        return {"games": None, "gain": None}
    at = facts.estimate
    words = f"expected {at.elo:+.0f} Elo ({at.elo_low:+.0f} .. {at.elo_high:+.0f}) by its model"
    return {
        "games": facts.games,
        "gain": words,
        "elo": {"elo": at.elo, "elo_low": at.elo_low, "elo_high": at.elo_high},
    }


def _candidate(verdict: Verdict | None) -> dict[str, Any]:
    if verdict is None:
        return {"games": None, "gain": None}
    gain = verdict.gain
    words = f"{verdict.outcome}: {gain.elo:+.0f} ± {gain.elo_half_width:.0f} Elo at {gain.limit}"
    return {
        "games": gain.games,
        "gain": words,
        "elo": {"elo": gain.elo, "elo_low": gain.elo_low, "elo_high": gain.elo_high},
    }
