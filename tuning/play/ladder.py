"""Does a search technique win games? A ladder of players, each with one technique more than the one before.

A ladder file (TOML) names the game, the weights, the limits and the rungs. Every rung plays the rung below it in
pairs from the same openings, at each limit; the first rung is bare alpha-beta. Equal nodes ask what a technique is
worth if it costs nothing, equal time what it is worth. Results are from the higher rung's view, in Elo."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.engine.options import SearchOptions
from tunesmith.tuning import config
from tunesmith.tuning.documents.tournaments import LadderResult, LadderRow
from tunesmith.tuning.files import require_folder
from tunesmith.tuning.play import load, selfplay, store
from tunesmith.tuning.play.matchup import Matchup
from tunesmith.tuning.play.openings import choose_openings
from tunesmith.tuning.play.openings.file import read
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.summary import pair_results, summarise
from tunesmith.tuning.stats import elo
from tunesmith.tuning.stats.words import interval_words


class Rung(config.Strict):
    """A player: the options of the rung below, changed by `options`."""

    name: str = Field(min_length=1, max_length=60)
    options: config.OptionSection = Field(default_factory=dict)


class Ladder(config.Strict):
    """Everything that decides the numbers of a ladder."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$")
    game: str
    weights: str = "hand"
    seed: config.Seed = config.DEFAULTS.seed
    pairs: int = Field(100, ge=1, le=config.MOST_PAIRS)
    limits: list[config.LimitText] = Field(min_length=1)
    hash_mb: config.HashMb = config.DEFAULTS.hash_mb
    move_cap: config.MoveCap = config.DEFAULTS.play.move_cap
    openings: config.Openings = Field(default_factory=config.Openings)
    rung: list[Rung] = Field(min_length=2)


def players(ladder: Ladder, weights: weight_files.Weights) -> list[weight_files.Weights]:
    """Return the weights of each rung with the options it plays with."""
    found, options = [], SearchOptions.plain().changes()
    for rung in ladder.rung:
        options = options | rung.options
        found.append(replace(weights, options=SearchOptions.from_mapping(options, rung.name).changes()))
    return found


def climb(ladder: Ladder, folder: Path, resources: Resources) -> LadderResult:
    """Play what `folder` lacks of the ladder's matches; return all results, and write them to `ladder.json`.

    Raises
    ------
    InputError, StudyError
        A setting is wrong, or the folder holds games of other settings.
    """
    game = game_registry.load(ladder.game)
    weights = weight_files.load(ladder.weights, game)
    require_folder(folder)
    file = ladder.openings.file
    openings = choose_openings(
        game,
        weights,
        ladder.openings,
        count=ladder.pairs,
        purpose="verify",
        seed=ladder.seed,
        file=read(game, Path(file)) if file else None,
    )
    rows = []
    for at, limit, upper, lower in _matches(ladder, players(ladder, weights)):
        where = folder / limit.replace(":", "-") / f"{at:02d}"
        matchup = Matchup(
            ladder.game,
            upper,
            lower,
            (limit, limit),
            ladder.seed,
            move_cap=ladder.move_cap,
            hash_mb=ladder.hash_mb,
        )
        selfplay.play(matchup, openings, range(ladder.pairs), where, resources)
        rows.append(_row(where, ladder.pairs, rung=ladder.rung[at].name, limit=limit, options=upper.options))
    found = LadderResult(
        name=ladder.name,
        game=game.spec,
        weights=weights.digest,
        settings=ladder.model_dump(mode="json"),
        rows=rows,
    )
    found.write(folder / "ladder.json")
    return found


def _matches(
    ladder: Ladder, found: list[weight_files.Weights]
) -> Iterator[tuple[int, str, weight_files.Weights, weight_files.Weights]]:
    for limit in ladder.limits:
        for at in range(1, len(found)):
            yield at, limit, found[at], found[at - 1]


def _row(folder: Path, pairs: int, **what: Any) -> LadderRow:
    played = store.read_games(folder, range(pairs))
    counts = list(pair_results(played).counts)
    summary, busy = summarise(played, sum(counts)), load.find(folder)
    row = LadderRow(
        **what,
        counts=counts,
        pairs=sum(counts),
        distinct_games=summary.distinct_games,
        capped=summary.capped,
        faults=summary.faults,
        estimate=elo.estimate(counts),
    )
    return row if busy is None else row.model_copy(update={"load": busy})


def grid(ladder: Ladder, found: LadderResult) -> list[list[str]]:
    """Return a row a rung: its name, and Elo over the rung below at each limit; last the load, for limits in time."""
    limits = ladder.limits
    by_place = {(row.rung, row.limit): row for row in found.rows}
    first, *others = [rung.name for rung in ladder.rung]
    rows = [[first, *["-" for _ in limits]]]
    for name in others:
        cells = [by_place[name, limit] for limit in limits]
        rows.append([name, *[interval_words(cell.estimate, 0) for cell in cells]])
    busy = [load.together(row.load for row in found.rows if row.limit == limit) for limit in limits]
    if any(busy):
        rows.append(["load of the machine", *["-" if one is None else load.words(one) for one in busy]])
    return rows
