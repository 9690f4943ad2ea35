"""What do the defaults of a study gain by games played, and what is each of them worth?

A cell plays the games of `tunesmith run` with defaults in all but their number (one generation, so that no game goes
to checks) and the limit, fits them in several ways, and measures each way's weights against `hand` at the same limit
on openings that no fit saw, the same for all ways and numbers of games of a seed. More games of a seed begin with the
fewer. Ways: `defaults`; each default as it was before, alone (`results only`: no scores in the labels; `quiet only`;
`12 positions` a game; `one ridge` for all weights; `no last moves`: no position that is won by one of the last two
moves of its game) and together (`as before`); `two generations` of the same number of games in all, those of the check
counted; `run`: the weights that `tunesmith run` itself promotes to its proof, in one generation: the same as
`defaults`, or a study loses what its fit has gained. A gain's interval is that of the mean over seeds (t), a difference
is paired by seed. Cost of a way: processor seconds of its fit.
Kalah is held to GOALS, and to a gain over `as before` above zero with fewer games than the most; other games, by the
mean, to what `as before` reaches with four times the games. Exit code 1 if a goal is missed. A cell that the file holds
is not made again; with --folder games are kept, too. --options: as a study's, for both sides of all games.

    python -m tunesmith.experiments.proofs.learning_curves --game kalah --out experiments/results/learning-curves.json
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple
from unittest import mock

from tunesmith.engine.weights import Weights
from tunesmith.experiments.bench.machine import commit
from tunesmith.experiments.proofs._cells import add_out, store, stored
from tunesmith.experiments.questions.page import Mean, markdown
from tunesmith.tuning.config import StudyConfig, parse_options
from tunesmith.tuning.data import dataset
from tunesmith.tuning.fit import ridge
from tunesmith.tuning.fit.shrinkage import ONE, kinds_of
from tunesmith.tuning.pipeline import context
from tunesmith.tuning.pipeline.fit_games import make_weights
from tunesmith.tuning.pipeline.generations import tune
from tunesmith.tuning.play import selfplay
from tunesmith.tuning.play.matchup import Noise
from tunesmith.tuning.play.openings import choose_openings
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.store import read_games
from tunesmith.tuning.play.summary import pair_results
from tunesmith.tuning.stats.elo import estimate
from tunesmith.tuning.study import open_study

GOALS = {80: 125.0, 640: 170.0, 4000: 180.0}  # Elo over hand by games played, for Kalah
PART = 4  # elsewhere the defaults have this part of the games that the fit as before has
DEFAULTS, RESULTS, BEFORE, GENERATIONS = "defaults", "results only", "as before", "two generations"
QUIET, POSITIONS, RIDGE, LAST, RUN = "quiet only", "12 positions", "one ridge", "no last moves", "run"
CHANGES: dict[str, dict[str, Any]] = {
    DEFAULTS: {},
    RESULTS: {"blend": 1.0},
    BEFORE: {"blend": 1.0, "quiet": "game", "positions_per_game": 12},
    QUIET: {"quiet": "game"},
    POSITIONS: {"positions_per_game": 12},
    RIDGE: {},
    LAST: {},
}
ONE_RIDGE, NO_LAST = (BEFORE, RIDGE), (BEFORE, LAST)
WHOLE = {RUN: 1, GENERATIONS: 2}  # ways that are stages of a whole study, with its generations
WAYS = (*CHANGES, *WHOLE)

Cell = dict[str, Any]  # what a file holds of one seed, way and number of games
Cells = dict[str, dict[str, dict[str, Cell]]]  # of a game: by games played, way and seed


class Terms(NamedTuple):
    """What all cells of a game have in common: `pairs` measure each; options: `KEY=VALUE,...` of both sides."""

    game: str
    limit: str = "nodes:400"
    pairs: int = 1000
    options: str = ""

    @property
    def name(self) -> str:
        """What file and page call the cells: the game, with its options if there are any."""
        return f"{self.game}, {self.options}" if self.options else self.game

    def study(self, games: int, seed: int, generations: int = 1) -> StudyConfig:
        """Return the study that plays so many games, checks among them; none where they do not suffice for checks."""
        plain = StudyConfig.model_validate(
            {"name": f"curve-{seed}", "game": self.game, "seed": seed, "options": parse_options(self.options)}
        )
        play = plain.play.model_copy(update={"limit": self.limit, "generations": generations})
        checks = play.check_pairs if play.has_checks else 0
        play = play.model_copy(update={"pairs": games // 2 // generations - checks})
        return plain.model_copy(update={"play": play})


def plan(name: str, sizes: Sequence[int], ways: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the numbers of games and ways of a seed, the defaults and what they are compared with first."""
    if name != "kalah":
        yield from ((size // PART, way) for way in ways if way != BEFORE for size in sizes)
        yield from ((size, BEFORE) for size in sizes if BEFORE in ways)
        return
    for way in ways:
        yield from ((size, way) for size in sizes)


def weights_of(
    terms: Terms, games: int, seed: int, way: str, folder: Path, resources: Resources
) -> tuple[Weights, Cell]:
    """Play and fit in one way; return the weights and what is told of them."""
    if way in WHOLE:
        config = terms.study(games, seed, WHOLE[way])
        players = context.load_players(config)
        study = open_study(folder / f"{seed}-{games}-{WHOLE[way]}", config, context.pins(players))
        return tune(study, players, resources), {}
    config = terms.study(games, seed)
    players = context.load_players(config)
    plain = context.matchup_of(
        config, players.baseline, players.baseline, terms.limit, context.play_seed(config, 1)
    )
    matchup = replace(plain, noise=Noise(config.play.noise, config.play.noise_plies))
    openings = openings_of(config, players, "train", config.play.pairs)
    selfplay.play(matchup, openings, range(len(openings)), folder / str(seed), resources)
    played = read_games(folder / str(seed), range(len(openings)))
    settings = config.fit.model_copy(update=CHANGES[way])
    kinds = mock.Mock(return_value=(ONE,)) if way in ONE_RIDGE else kinds_of
    began = time.process_time()
    last = 0 if way in NO_LAST else dataset.LAST_PLIES
    with mock.patch.object(ridge, "kinds_of", kinds), mock.patch.object(dataset, "LAST_PLIES", last):
        made = make_weights(players.game, players.baseline, [played], settings, seed)
    seconds = round(time.process_time() - began, 1)
    options, path = made.ran.options, made.ran.ridge_path
    chosen = {"blend": options.blend, "ridge": options.ridge, "kind": path.kind, "rows": made.data.rows.n}
    return made.weights, chosen | {"seconds": seconds}


def openings_of(config: StudyConfig, players: context.Players, purpose: str, count: int) -> list[Opening]:
    """Return the first openings of a study for a purpose."""
    return choose_openings(
        players.game,
        players.baseline,
        config.openings,
        count=count,
        purpose=purpose,
        seed=config.seed,
    )


def cell(terms: Terms, games: int, seed: int, way: str, folder: Path, resources: Resources) -> Cell:
    """Make one cell: play, fit, and measure the weights against `hand`."""
    made, facts = weights_of(terms, games, seed, way, folder, resources)
    config = terms.study(games, seed)
    players = context.load_players(config)
    seeded = context.proof_seed(config, 0)
    matchup = context.matchup_of(config, made, players.baseline, terms.limit, seeded)
    openings = openings_of(config, players, "verify", terms.pairs)
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as scratch:
        selfplay.play(matchup, openings, range(terms.pairs), Path(scratch), resources)
        counts = pair_results(read_games(Path(scratch))).counts
    return {"elo": round(estimate(counts).elo, 2), "counts": list(counts), **facts, "commit": commit()}


# --- what the cells say


def gain(cells: Cells, games: int, way: str) -> Mean | None:
    """Return the gain over `hand`; None where no seed was measured."""
    found = [one["elo"] for one in cells.get(str(games), {}).get(way, {}).values()]
    return Mean.of(found) if found else None


def worth(cells: Cells, games: int, way: str, others: int | None = None) -> Mean | None:
    """Return what the defaults gain over a way, which has `others` games (None: as many), over the seeds of both."""
    one, other = (
        cells.get(str(n), {}).get(name, {}) for n, name in ((games, DEFAULTS), (others or games, way))
    )
    apart = [one[seed]["elo"] - other[seed]["elo"] for seed in one if seed in other]
    return Mean.of(apart) if apart else None


def sizes_of(cells: Cells, way: str) -> list[int]:
    """Return the numbers of games for which a way was measured."""
    return sorted(int(games) for games, ways in cells.items() if ways.get(way))


def misses(name: str, cells: Cells) -> list[str]:
    """Name the goals that the cells miss."""
    found = []
    for games in sizes_of(cells, DEFAULTS):
        own = gain(cells, games, DEFAULTS)
        if name == "kalah":
            goal, more = GOALS.get(games, 0.0), worth(cells, games, BEFORE)
            if own and own.value < goal:
                found.append(f"{name}, {games:,} games: {own.words} Elo, the goal is {goal:+z.0f}")
            if more and games < max(GOALS) and more.value - more.half <= 0:
                found.append(
                    f"{name}, {games:,} games: {more.words} Elo over the fit as before is not above zero"
                )
        elif (less := worth(cells, games, BEFORE, PART * games)) and less.value < 0:
            found.append(
                f"{name}, {games:,} games: {less.words} Elo beside as before of {PART * games:,} games"
            )
    return found


HEADS = (
    "switched off",
    "games",
    "seeds",
    "what the default is worth, Elo",
    "seconds of its fit",
    "and without",
)
SAID = """Gains over `hand` in Elo at {limit}, mean of the seeds with its 95 % interval; each seed is measured
by {pairs:,} pairs of games on openings that no fit saw, the same for everything of that seed. A difference is paired
by seed. `results only`: labels without scores (`fit.blend = 1`). `as before`: results only, 12 positions a game, quiet
games only, one ridge for all weights, no positions that are won by one of the last two
moves of their game. `no last moves`: the defaults without these positions."""
STAYS = {  # why what may be worth nothing in Kalah is not deleted
    RIDGE: "with labels of results alone a ridge for each group predicts games that no fit saw better in some cells of "
    "five games and in none worse (`shrinkage.md`)",
    POSITIONS: "the 40 positions are a number; 12 would make nothing simpler",
    GENERATIONS: "in a study of thousands of games the second won its check (`expendibots.md`)",
    RUN: "a study is to keep all that its fit gains, and does",
}


def page_of(games: Mapping[str, Any]) -> str:
    """Return the page of all games that were measured."""
    commands = dict.fromkeys(f"    {command}" for found in games.values() for command in found["commands"])
    parts = ["# What the defaults of a study gain, by games played", "\n".join(commands)]
    for name, found in games.items():
        cells, terms = found["cells"], found["terms"]
        said = SAID.format(limit=terms["limit"], pairs=terms["pairs"]).replace("\n", " ")
        parts += [f"## {name}", said, "\n".join(curve(name, cells))]
        if rows := list(ablation(cells)):
            parts.append("\n".join(markdown(HEADS, rows)))
        if name == "kalah" and (said_of := list(nothing(cells))):
            parts.append("\n".join(said_of))
        missed = misses(name, cells)
        parts.append(
            "Missed: " + "; ".join(missed) + "." if missed else "No goal that was measured is missed."
        )
    return "\n\n".join(parts) + "\n"


def curve(name: str, cells: Cells) -> list[str]:
    """Return the table of gains by games played."""
    if name == "kalah":
        rows = [
            [f"{games:,}", *words(gain(cells, games, DEFAULTS)), f"{GOALS.get(games, 0):+z.0f}",
             *words(gain(cells, games, BEFORE))[1:], *words(worth(cells, games, BEFORE))[1:]]
            for games in sizes_of(cells, DEFAULTS)
        ]  # fmt: skip
        return markdown(["games", "seeds", "defaults", "goal", "as before", "defaults above it"], rows)
    rows = [
        [f"{games:,}", *words(gain(cells, games, DEFAULTS)), f"{PART * games:,}",
         *words(gain(cells, PART * games, BEFORE)), *words(worth(cells, games, BEFORE, PART * games))[1:]]
        for games in sizes_of(cells, DEFAULTS)
    ]  # fmt: skip
    header = ["games", "seeds", "defaults", "games", "seeds", "as before", "defaults above it"]
    return markdown(header, rows)


def ablation(cells: Cells) -> Iterator[list[str]]:
    """Yield a row for each way and number of games: what the default is worth, and what it costs."""
    for way in WAYS[1:]:
        for games in sizes_of(cells, way):
            known = [
                [one["seconds"] for one in cells[str(games)].get(name, {}).values() if "seconds" in one]
                for name in (DEFAULTS, way)
            ]
            told = [f"{mean(seconds):.1f}" if seconds else "" for seconds in known]
            if (found := worth(cells, games, way)) is not None:
                yield [way, f"{games:,}", *words(found), *told]


def nothing(cells: Cells) -> Iterator[str]:
    """Yield a line for each way whose intervals all hold zero: why the default stays."""
    for way, why in STAYS.items():
        found = [worth(cells, games, way) for games in sizes_of(cells, way)]
        if found and all(one is not None and abs(one.value) <= one.half for one in found):
            yield f"- `{way}`: worth nothing that shows; it stays, as {why}."


def words(found: Mean | None) -> list[str]:
    """Return the cells of a table for a mean: how many seeds, and the mean."""
    return ["0", ""] if found is None else [str(found.seeds), found.words]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the cells that the file lacks; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="kalah")
    parser.add_argument("--games", type=int, nargs="+", default=list(GOALS), help="games played")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5, 6])
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=[DEFAULTS, BEFORE], metavar="WAY")
    parser.add_argument("--pairs", type=int, default=Terms("").pairs, help="pairs that measure a cell")
    parser.add_argument("--limit", default=Terms("").limit, help="of the moves of all games")
    parser.add_argument("--options", default="", metavar="KEY=VALUE,...", help="search options of both sides")
    parser.add_argument("--folder", type=Path, help="where games are kept; none: nowhere")
    parser.add_argument("--jobs", type=int, default=1)
    add_out(parser)
    given = parser.parse_args(arguments)
    terms, made = Terms(given.game, given.limit, given.pairs, given.options), stored(given.out)
    kept = made.setdefault(terms.name, {"terms": terms._asdict(), "commands": [], "cells": {}})
    if kept["terms"] != terms._asdict():
        parser.error(f"{given.out}: holds cells of {kept['terms']}, asked for are {terms._asdict()}")
    command = command_of(given)
    kept["commands"] = [*(one for one in kept["commands"] if one != command), command]
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as scratch:
        folder = (given.folder or Path(scratch)) / terms.name
        for seed in given.seeds:
            for games, way in plan(terms.name, given.games, given.ways):
                if terms.study(games, seed, WHOLE.get(way, 1)).play.pairs < 1:
                    continue  # its checks alone would take more games
                at = kept["cells"].setdefault(str(games), {}).setdefault(way, {})
                if str(seed) not in at:
                    at[str(seed)] = cell(terms, games, seed, way, folder, Resources(given.jobs))
                    print(f"{terms.name}, {games:,} games, seed {seed}, {way}: {at[str(seed)]}", flush=True)
                    store(given.out, made, page_of(made))
    print(page_of(made))
    return 1 if misses(terms.name, kept["cells"]) else 0


def command_of(given: argparse.Namespace) -> str:
    """Return the command that makes the cells, without what makes no difference."""
    numbers = [f"--games {' '.join(map(str, given.games))}", f"--seeds {' '.join(map(str, given.seeds))}"]
    ways = " ".join(f"'{way}'" if " " in way else way for way in given.ways)
    options = f" --options {given.options}" if given.options else ""
    return (
        f"python -m tunesmith.experiments.proofs.learning_curves --game {given.game} {' '.join(numbers)} --ways {ways} "
        f"--pairs {given.pairs} --limit {given.limit}{options}"
    )


if __name__ == "__main__":
    sys.exit(main())
