"""Which studies does a folder hold, what did each find, and what sets two of them apart?

Studies are only read. One that is damaged is listed with what is wrong with it, and the others with it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tunesmith import games as game_registry
from tunesmith.games.errors import InputError, TunesmithError
from tunesmith.tuning.documents.status import Changed, StudiesCompared, StudyLine
from tunesmith.tuning.pipeline.status import describe_status, n_games, stage_words
from tunesmith.tuning.proof.verdict import verdict_of
from tunesmith.tuning.settings_file import flatten
from tunesmith.tuning.stats.words import interval_words
from tunesmith.tuning.study import chosen_weights, require

DEEPEST = 3  # folders below the one that is asked for
PINS = "study.json"


def folders(root: Path, pins: str = PINS) -> list[Path]:
    """Return the folders of studies in `root`, itself included, by name; `pins` is the file that makes one."""
    if not root.is_dir():
        raise InputError(f"{root}: expected a folder of studies, found none")
    return sorted(path.parent for path in _below(root, pins, DEEPEST))


def _below(root: Path, pins: str, depth: int) -> Iterator[Path]:
    if (root / pins).is_file():
        yield root / pins
        return  # what lies in a study is its own
    for path in root.iterdir() if depth else ():
        if path.is_dir() and not path.is_symlink():
            yield from _below(path, pins, depth - 1)


def line_of(root: Path) -> StudyLine:
    """Return a study in few words."""
    try:
        facts = describe_status(root)
    except TunesmithError as error:
        return StudyLine(
            study=str(root), game=None, stage="damaged", games=0, outcome=None, gain=None, told=str(error)
        )
    verdict = facts.verdict
    return StudyLine(
        study=str(root),
        game=facts.game,
        stage=stage_words(facts),
        games=n_games(facts),
        outcome=None if verdict is None else verdict.outcome,
        gain=None if verdict is None else verdict.gain,
        told=None if verdict is None else verdict.sentence,
    )


def compare(first: Path, second: Path) -> StudiesCompared:
    """Return what differs between two studies: settings, what they are pinned to, and the weights they chose.

    Raises
    ------
    InputError
        One of them is no study.
    StudyError
        A file of one is damaged.
    """
    a, b = require(first), require(second)
    lines, notes, weights = [line_of(first), line_of(second)], _notes(first, second), list[Changed]()
    try:
        weights = _weights(first, second) if lines[0].game == lines[1].game else []
    except TunesmithError as error:
        notes.append(f"their weights are not compared: {error}")
    return StudiesCompared(
        studies=lines,
        settings=_changed(flatten(a.config), flatten(b.config)),
        pinned=_changed(a.pinned, b.pinned),
        weights=weights,
        notes=notes,
    )


def _changed(one: dict[str, Any], other: dict[str, Any]) -> list[Changed]:
    return [
        Changed(name=name, first=one.get(name), second=other.get(name))
        for name in sorted({*one, *other})
        if one.get(name) != other.get(name)
    ]


def _weights(first: Path, second: Path) -> list[Changed]:
    """Return the chosen weights that differ, in Elo, as stage.feature; none where a study has not chosen yet."""
    elo: list[dict[str, Any]] = []
    for root in (first, second):
        chosen = chosen_weights(root)
        if chosen is None:
            return []
        found = chosen.load(root, game_registry.load(require(root).config["game"]))
        elo.append(
            {
                f"{stage}.{name}": round(found.scale * value, 2)
                for stage, row in found.values.items()
                for name, value in row.items()
            }
        )
    return _changed(elo[0], elo[1])


def _notes(first: Path, second: Path) -> list[str]:
    """Say whether two measured gains may be held against each other."""
    one, other = verdict_of(first), verdict_of(second)
    if one is None or other is None:
        return ["a gain is known of both only when both are finished"]
    if (
        one.game != other.game
        or one.baseline.digest != other.baseline.digest
        or one.gain.limit != other.gain.limit
    ):
        return ["the gains are over other players or at other limits: they cannot be compared"]
    apart = one.gain.elo - other.gain.elo
    half = (one.gain.elo_half_width**2 + other.gain.elo_half_width**2) ** 0.5
    told = "which these games show" if abs(apart) > half else "which these games do not show"
    return [
        f"the first gained {apart:+z.1f} ± {half:.1f} Elo more over the same baseline, {told}; "
        "a match of both says more"
    ]


def gain_words(line: StudyLine) -> str:
    """Return the measured gain of a study, empty where there is none."""
    return "" if line.gain is None else interval_words(line.gain, 0)
