"""The plain log of a search: a line for each trial that has ended, made anew from the storage where it says less.

A controller that shares a database keeps the lines of the trials that it played itself."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tunesmith.engine.files import write as write_text
from tunesmith.games.errors import StudyError
from tunesmith.tuning import files
from tunesmith.tuning.documents.search import PLACE
from tunesmith.tuning.search import storage
from tunesmith.tuning.search.pilot import short
from tunesmith.tuning.search.space import Space
from tunesmith.tuning.search.storage import TrialStore
from tunesmith.tuning.stats import elo
from tunesmith.tuning.stats.words import elo_words

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial, Trial

logger = logging.getLogger("tunesmith.tuning")

LOG = "trials.jsonl"  # in plain words what the storage says
SLICE = "slice"  # of a trial asked for again: which slice of the openings its first attempt had


def rebuild(log: Path, trials: Sequence[FrozenTrial], space: Space[Any], place: str | None) -> None:
    """Write what the storage says of finished trials, in the order of their numbers; `place`: of those alone."""
    rows = [
        row_of(trial, trial.state.name, trial.value, _facts(trial), space)
        for trial in trials
        if trial.state.is_finished() and place in (None, trial.user_attrs.get(PLACE))
    ]
    text = files.as_lines(rows)
    before = log.read_bytes() if log.is_file() else b""
    if before == text.encode():
        return
    if before.count(b"\n") > len(
        rows
    ):  # the storage has lost trials: what is said of them here is all there is
        log.replace(log.with_name(f"{log.name}.cut"))
        logger.warning("%s: says more than the storage of the search; moved to %s.cut", log, log.name)
    write_text(log, text, StudyError)


def row_of(
    trial: Trial | FrozenTrial, state: str, score: float | None, facts: Mapping[str, Any], space: Space[Any]
) -> dict[str, Any]:
    """Return the line of a finished trial in the plain log."""
    setting = space.setting(trial.params) if set(trial.params) == set(space.start) else {}
    return {"number": trial.number, "state": state, "setting": setting, "score": score, **facts}


def _facts(trial: FrozenTrial) -> dict[str, Any]:
    return {name: value for name, value in trial.user_attrs.items() if name not in (PLACE, SLICE)}


def line_of(row: Mapping[str, Any], place: int, total: int) -> str:
    """Return the line of a finished trial for people; `place`: how many trials that count it makes, of `total`."""
    head = f"  trial {place} of {total}: {row['state'].lower()}"
    setting = ", ".join(f"{name} {short(value)}" for name, value in row["setting"].items())
    if "counts" not in row or not sum(row["counts"]):
        return f"{head}: {row.get('reason', 'no further openings')} ({setting})"
    if not row["games"]:
        return f"{head}: this is the opponent itself: score 1/2, no game is played ({setting})"
    facts = elo.estimate(row["counts"])
    return f"{head}: {elo_words(facts, 0)} in {row['games']} games ({setting})"


def mend_log(where: TrialStore, space: Space[Any]) -> None:
    """Make the plain log of a search's own storage anew where it does not say what the storage says."""
    if where.has_journal:
        trials = storage.stored_trials(where.open(), where.name)
        rebuild(where.folder / LOG, trials, space, None)
