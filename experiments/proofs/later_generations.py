"""What should a generation after the first be fitted to, and what should hold it: which games, and which prior?

A cell plays the games of two generations of a study with defaults in all but their number and the limit: the first by
`hand`, fitted from there; the second by the weights of this fit. The second fit is made in several ways of the same
games: `all games, hand` as prior, as a study does; the `newest games` alone with the `newest` weights, which played
them, as prior; and what lies between. Each meets the first way in a match at the same limit on openings that no fit
saw, the same for all ways of a seed. Gains over the first way in Elo, mean over seeds with its 95 % interval (t); the
sum of all matches beside it, which knows nothing of how seeds differ. No check drops anything. Exit code 1 if another
way is shown to be better by the seeds: then a study should take it.

    python -m tunesmith.experiments.proofs.later_generations --game fanorona --matches 400
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tunesmith.engine.weights import Weights
from tunesmith.experiments.proofs.learning_curves import Terms, openings_of
from tunesmith.experiments.questions.page import Mean, markdown
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.pipeline import context
from tunesmith.tuning.pipeline.fit_games import make_weights
from tunesmith.tuning.play import selfplay
from tunesmith.tuning.play.matchup import Noise
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.store import read_games
from tunesmith.tuning.play.summary import pair_results
from tunesmith.tuning.stats.elo import estimate

ALL, NEWEST = "all games, hand", "newest games, newest"
WAYS = {ALL: (True, False), NEWEST: (False, True), "all games, newest": (True, True),
        "newest games, hand": (False, False)}  # all games? the newest as prior?  # fmt: skip

Counts = list[int]


def games_of(
    config: StudyConfig, player: Weights, generation: int, folder: Path, resources: Resources
) -> Games:
    """Play a generation's games, those that are missing; return them."""
    players, pairs = context.load_players(config), config.play.pairs
    seed = context.play_seed(config, generation)
    plain = context.matchup_of(config, player, player, config.play.limit, seed)
    openings = openings_of(config, players, "train", 2 * pairs)[(generation - 1) * pairs :][:pairs]
    matchup = replace(plain, noise=Noise(config.play.noise, config.play.noise_plies))
    selfplay.play(matchup, openings, range(pairs), folder, resources)
    return read_games(folder, range(pairs), generation=generation - 1)


def cell(
    terms: Terms, pairs: int, seed: int, ways: Sequence[str], folder: Path, resources: Resources
) -> dict[str, Counts]:
    """Return the counts of pairs of each way against the first."""
    plain = terms.study(4 * pairs, seed)
    config = plain.model_copy(update={"play": plain.play.model_copy(update={"pairs": pairs})})
    players = context.load_players(config)
    old = games_of(config, players.baseline, 1, folder / f"{seed}-{pairs}-1", resources)
    player = make_weights(players.game, players.baseline, [old], config.fit, seed).weights
    new = games_of(config, player, 2, folder / f"{seed}-{pairs}-2", resources)
    made = {
        way: make_weights(
            players.game,
            player if is_newest else players.baseline,
            [old, new] if has_all else [new],
            config.fit,
            seed,
        ).weights
        for way, (has_all, is_newest) in WAYS.items()
        if way in (ALL, *ways)
    }
    return {way: meet(config, made[way], made[ALL], terms.pairs, resources) for way in ways}


def meet(config: StudyConfig, one: Weights, other: Weights, pairs: int, resources: Resources) -> Counts:
    """Return the counts of a match on openings of the proof."""
    matchup = context.matchup_of(config, one, other, config.play.limit, context.proof_seed(config, 0))
    openings = openings_of(config, context.load_players(config), "verify", pairs)
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as scratch:
        selfplay.play(matchup, openings, range(pairs), Path(scratch), resources)
        return list(pair_results(read_games(Path(scratch))).counts)


def rows_of(cells: Sequence[dict[str, Counts]]) -> list[list[str]]:
    """Return a row of the table for each way; a cell a seed."""
    rows = []
    for way in cells[0]:
        found = [ways[way] for ways in cells]
        total = estimate([sum(column) for column in zip(*found, strict=True)])
        mean = Mean.of([round(estimate(counts).elo, 2) for counts in found])
        rows.append([way, str(mean.seeds), mean.words, f"{total.elo:+z.0f} ± {total.elo_half_width:.0f}"])
    return rows


HEADS = ("way", "seeds", f"Elo over {ALL}", "all matches")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the cells and print them; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="kalah")
    parser.add_argument("--pairs", type=int, default=160, help="in each of two generations")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--ways", nargs="+", choices=[*WAYS][1:], default=[NEWEST], metavar="WAY")
    parser.add_argument("--matches", type=int, default=1000, help="pairs of each match")
    parser.add_argument("--limit", default=Terms("").limit)
    parser.add_argument("--options", default="", metavar="KEY=VALUE,...", help="search options of both sides")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    terms = Terms(given.game, given.limit, given.matches, given.options)
    cells = []
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as scratch:
        for seed in given.seeds:
            cells.append(cell(terms, given.pairs, seed, given.ways, Path(scratch), Resources(given.jobs)))
            print(
                f"{terms.name}, {2 * given.pairs:,} games a generation, seed {seed}: {cells[-1]}", flush=True
            )
    print("\n".join(markdown(HEADS, rows_of(cells))))
    means = [Mean.of([estimate(ways[way]).elo for ways in cells]) for way in given.ways]
    return 1 if any(one.seeds > 1 and one.value > one.half for one in means) else 0


if __name__ == "__main__":
    sys.exit(main())
