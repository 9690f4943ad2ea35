"""How did a study come from its baseline to its candidate? One row for each weight file, in the order of making.

Gains are what each step knew of itself: a fit the loss on held-out pairs, a search the expected Elo of its model
against its opponents, the candidate the measured Elo (95 % intervals). `written` is when the study wrote the file
(`history.jsonl`), UTC; of a study that did not record it, the time of the file."""

import logging
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from tunesmith.games.errors import StudyError
from tunesmith.tuning.documents.fit import GenerationFit, Losses
from tunesmith.tuning.documents.history import EloInterval, LineageRow
from tunesmith.tuning.documents.matches import Gain, Verdict
from tunesmith.tuning.documents.search import Interval, SearchResult
from tunesmith.tuning.files import read_lines, read_object
from tunesmith.tuning.proof.verdict import verdict_of
from tunesmith.tuning.stats.words import interval_words
from tunesmith.tuning.study import MADE, chosen_weights, require

logger = logging.getLogger("tunesmith.tuning")


class Knows(NamedTuple):
    """What a step knew of its weights: in how many games, the gain in words and in figures."""

    games: int | None = None
    gain: str | None = None
    loss: Losses | None = None
    elo: EloInterval | None = None


def lineage(root: Path) -> list[LineageRow]:
    """Return the rows of a study, finished or not.

    The weights that the study has chosen are so in their row, `is_chosen`.
    """
    config, chosen = require(root).config, chosen_weights(root)
    made = {(row.get("name"), row.get("digest")): str(row.get("written")) for row in read_lines(root / MADE)}
    rows = []
    for step, name, knows in _steps(root, config):
        path = root / "weights" / f"{name}.json"
        if path.exists():
            rows.append(_row(step, path, knows, chosen is not None and chosen.name == name, made))
        elif knows != Knows():
            logger.warning("%s is missing: its step has no row", path)
    return rows


def _row(
    step: str, path: Path, knows: Knows, is_chosen: bool, made: Mapping[tuple[Any, Any], str]
) -> LineageRow:
    digest = (read_object(path) or {}).get("digest")
    if not isinstance(digest, str):
        raise StudyError(
            f"{path}: expected a weight file, found {'a folder' if path.is_dir() else 'another'}"
        )
    of_file = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    known = {
        "step": step,
        "file": f"weights/{path.name}",
        "digest": digest,
        "written": made.get((path.stem, digest), of_file),
        "games": knows.games,
        "gain": knows.gain,
        "is_chosen": is_chosen,
    }
    row = LineageRow.of(known, path)
    figures = {"loss": knows.loss, "elo": knows.elo}
    return row.model_copy(update={name: one for name, one in figures.items() if one is not None})


def _steps(root: Path, config: Mapping[str, Any]) -> Iterator[tuple[str, str, Knows]]:
    yield f"baseline {config.get('baseline', '')}".strip(), "baseline", Knows()
    fits = {path.stem for folder in ("weights", "fit") for path in (root / folder).glob("gen-*.json")}
    for name in sorted(fits, key=lambda name: (len(name), name)):
        facts = GenerationFit.find(root / "fit" / f"{name}.json")
        yield f"fit {name.removeprefix('gen-')}", name, _fit(facts)
    yield "search", "search", _search(SearchResult.find(root / "search" / "result.json"))
    yield "candidate", "candidate", _candidate(verdict_of(root))


def _fit(facts: GenerationFit | None) -> Knows:
    if facts is None:
        return Knows()
    loss, part = facts.loss.judged, "held-out" if facts.loss.held_out else "training"
    return Knows(facts.games, f"loss on {part} pairs {loss.prior:.5f} -> {loss.fit:.5f}", loss=loss)


def _search(facts: SearchResult | None) -> Knows:
    if facts is None:
        return Knows()
    at = facts.estimate
    words = f"expected {at.elo:+z.0f} Elo ({at.elo_low:+z.0f} .. {at.elo_high:+z.0f}) by its model"
    return Knows(facts.games, words, elo=_interval(at))


def _candidate(verdict: Verdict | None) -> Knows:
    if verdict is None:
        return Knows()
    gain = verdict.gain
    interval = _interval(gain)
    words = f"{verdict.outcome}: {interval_words(interval, 0)} Elo at {gain.limit}"
    return Knows(gain.games, words, elo=interval)


def _interval(of: Gain | Interval) -> EloInterval:
    return EloInterval(elo=of.elo, elo_low=of.elo_low, elo_high=of.elo_high)
