"""Which way to hold weights predicts games that no fit saw best, and does it play better?

Games are those of FOLDER/GAME, as `tunesmith selfplay GAME --out FOLDER/GAME` wrote them; the prior is that of a study,
the weights by hand. A third of the pairs judge, by plain results; disjoint parts of the others are fitted, with the
choice of the product and, at the same ridge, with each way of `tuning.fit.shrinkage`. Told is by how much the mean loss
of each is above that of one ridge; the 95 % intervals count the luck of the fitted pairs (t over the parts) and that of
the judging ones. --match plays so many pairs of the choice against one ridge, both fitted to the last pairs for
which they differ, on openings of its own. What is found is added to the file, and its page is made anew.

    tunesmith selfplay kalah --out games/kalah --pairs 7500 --limit nodes:400 --plies 8 --max-score 200 --noise-plies 30
    python -m tunesmith.experiments.shrinkage games --game kalah --match 1000 --out experiments/results/shrinkage.json
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import t as student

from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.experiments.bench.machine import commit
from tunesmith.experiments.proofs._cells import add_out, store, stored
from tunesmith.experiments.proofs.recovery import CHOSEN, WAYS, fits
from tunesmith.experiments.proofs.same_numbers import tunesmith
from tunesmith.games.game import Game
from tunesmith.tuning.config import FitOptions, GameFitOptions
from tunesmith.tuning.data import dataset
from tunesmith.tuning.fit import calibration
from tunesmith.tuning.fit.constraints import Names, make_constraints
from tunesmith.tuning.fit.loss import mean_loss
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.shrinkage import ONE
from tunesmith.tuning.pipeline.fit_games import prior_scale
from tunesmith.tuning.play.store import read_games

SIZES = (40, 320, 1250)  # pairs
PLAYED = (
    "tunesmith selfplay GAME --out games/GAME --pairs {pairs} --limit nodes:400 --plies 8 --max-score 200 "
    "--noise-plies 30"
)
SCALE = 1e4  # losses are told in units of 0.0001 nats


def game_rows(game: Game, folder: Path) -> Rows:
    """Return the positions of games as a study takes them."""
    settings = GameFitOptions(positions_per_game=16, quiet="off")
    return dataset.build_rows(game, read_games(folder), settings).rows


class Unseen(NamedTuple):
    """How fits to `pairs` pairs predict games that no fit saw: mean loss, and excess over one ridge's by way.

    excess: each with the half width of its 95 % interval.
    """

    pairs: int
    parts: int
    prior: float
    one: float
    excess: dict[str, tuple[float, float]]
    kinds: dict[str, int]


def unseen(rows: Rows, hand: Floats, names: Names, pairs: int, most: int = 20, seed: int = 1) -> Unseen:
    """Fit disjoint parts of the pairs, at most `most`, and judge them on a third of all."""
    numbers = np.random.default_rng(seed).permutation(np.unique(rows.group))
    third = len(numbers) // 3
    judging = rows.take(np.isin(rows.group, numbers[:third]))
    losses: dict[str, list[float]] = {}
    weights: dict[str, list[Floats]] = {}
    kinds = []
    for at in range(third, len(numbers) - pairs + 1, pairs)[:most]:
        part = rows.take(np.isin(rows.group, numbers[at : at + pairs]))
        prior = hand * prior_scale(part, hand)
        made, choice = fits(part, prior, make_constraints(names, FitOptions()))
        kinds.append(choice.kind.name)
        for way, found in {**{way: one.weights for way, one in made.items()}, "prior": prior}.items():
            losses.setdefault(way, []).append(mean_loss(judging, found))
            weights.setdefault(way, []).append(found)
    before, one = float(np.mean(losses.pop("prior"))), losses[ONE]
    excess = excess_over(ONE, judging, losses, weights)
    return Unseen(pairs, len(one), before, float(np.mean(one)), excess, dict(Counter(kinds)))


def excess_over(
    base: str, judging: Rows, losses: Mapping[str, Sequence[float]], weights: Mapping[str, Sequence[Floats]]
) -> dict[str, tuple[float, float]]:
    """Return by how much the loss of each way is above that of `base`, and the half width of its 95 % interval.

    losses, weights (S, F): by way, of each part that was fitted.
    """
    found, parts = {}, len(losses[base])
    for way in (way for way in losses if way != base):
        apart = np.array(losses[way]) - np.array(losses[base])
        pairs_of = zip(weights[base], weights[way], strict=True)
        judged = np.mean([calibration.gain(judging, old, new).error for old, new in pairs_of])
        width = student.ppf(0.975, parts - 1) * np.hypot(apart.std(ddof=1) / parts**0.5, judged)
        found[way] = float(apart.mean()), float(width)
    return found


def match(game: Game, rows: Rows, hand: Floats, names: Names, pairs: int, played: int) -> dict[str, Any]:
    """Play the chosen weights against those of one ridge, fitted to the same pairs; return estimate and way.

    The pairs are the last ones for which another way than one ridge is chosen; of the first ones any.
    """
    numbers, limits = np.unique(rows.group), make_constraints(names, FitOptions())
    for end in range(len(numbers), pairs - 1, -pairs):
        part = rows.take(np.isin(rows.group, numbers[end - pairs : end]))
        made, choice = fits(part, hand * prior_scale(part, hand), limits, (CHOSEN, ONE))
        if choice.kind.name != ONE:
            break
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as folder:
        paths = [Path(folder) / f"{name}.json" for name in ("chosen", "one")]
        for path, found in zip(paths, made.values(), strict=True):
            weight_files.save(weight_files.from_array(game, np.round(found.weights, 4)), path)
        asked = ("--pairs", played, "--limit", "nodes:400", "--seed", 77, "--jobs", 1, "--json")
        told = json.loads(tunesmith("match", game.spec, *paths, *asked))["estimate"]
    return {
        "kind": choice.kind.name, "pairs": pairs, "played": played,
        "elo": told["elo"], "low": told["elo_low"], "high": told["elo_high"],
    }  # fmt: skip


def page_of(cells: Mapping[str, Any]) -> str:
    """Return the page of all games that were measured."""
    commands = [
        PLAYED.format(pairs=max(cell["pairs"] for cell in cells.values())),
        *(f"{cell['command']}   # commit {cell['commit']}, seed {cell['seed']}" for cell in cells.values()),
    ]
    ways = [way for way in WAYS if way != ONE]
    rows = [
        [game, f"{2 * each['pairs']:,}", each["parts"], f"{each['prior']:.4f}", f"{each['one']:.4f}",
         *(_signed(each["excess"].get(way)) for way in ways), _counts(each["kinds"])]
        for game, cell in cells.items() for each in cell["unseen"]
    ]  # fmt: skip
    heads = ["game", "games fitted", "fits", "prior", "one ridge", *ways, "taken"]
    played = [
        [game, f"{2 * each['pairs']:,}", each["kind"], f"{each['played']:,}", _interval(each)]
        for game, cell in cells.items() for each in cell["matches"]
    ]  # fmt: skip
    parts = [
        "# One ridge for all weights, one for each group, or heavy tails", _block(commands),
        "Held-out loss (nats a position, plain results) of games that no fit saw: of the prior, of one ridge, and by "
        "how much that of each other way is above it, in 0.0001 nats with its 95 % interval.",
        _table(heads, rows), verdict(cells),
    ]  # fmt: skip
    if played:
        parts += [
            "Elo of the chosen weights against those of one ridge, fitted to the same games (the last that made a "
            "difference), at nodes:400, with its 95 % interval:",
            _table(["game", "games fitted", "chosen", "pairs played", "Elo"], played),
        ]
    return "\n\n".join(parts) + "\n"


def verdict(cells: Mapping[str, Any]) -> str:
    """Say in how many cells the choice predicts better than one ridge, and in how many worse."""
    found = [each["excess"][CHOSEN] for cell in cells.values() for each in cell["unseen"]]
    better = sum(mean + half < 0 for mean, half in found)
    worse = sum(mean - half > 0 for mean, half in found)
    mean = SCALE * float(np.mean([mean for mean, _ in found]))
    return (
        f"The choice of the product predicts better than one ridge in {better} of {len(found)} cells and worse in "
        f"{worse}; in the others the interval holds zero. On average of the cells its loss is {abs(mean):.1f} x 0.0001 "
        f"nats {'lower' if mean < 0 else 'higher'}."
    )


def _signed(excess: Sequence[float] | None) -> str:
    return "" if excess is None else f"{SCALE * excess[0]:+z.1f} ± {SCALE * excess[1]:.1f}"


def _interval(match: Mapping[str, Any]) -> str:
    return f"{match['elo']:+z.1f} ({match['low']:+z.1f} to {match['high']:+z.1f})"


def _counts(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))


def _block(lines: Sequence[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def parser_of(doc: str, sizes: Sequence[int], parts: int) -> argparse.ArgumentParser:
    """Return the parser of a comparison on the games of a folder, by default with so many pairs, in so many parts."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", default="kalah")
    parser.add_argument("--sizes", type=int, nargs="+", default=sizes, help="pairs that are fitted")
    parser.add_argument("--parts", type=int, default=parts, help="most parts of a size")
    parser.add_argument("--seed", type=int, default=1)
    add_out(parser)
    return parser


def add_cell(
    given: argparse.Namespace,
    command: str,
    page_of: Callable[[Mapping[str, Any]], str],
    pairs: int,
    made: Sequence[Any],
    **more: Any,
) -> None:
    """Add what was measured of a game (tuples with names, one a size) to the file, and print the page anew."""
    cells = stored(given.out)
    cells[given.game] = {
        "commit": commit(),
        "command": f"python -m tunesmith.experiments.{command}",
        "seed": given.seed,
        "pairs": pairs,
        "unseen": [one._asdict() for one in made],
        **more,
    }
    page = page_of(cells)
    store(given.out, cells, page)
    print(page)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure one game; return the exit code, 1 if the choice predicts worse than one ridge in any of its cells."""
    parser = parser_of(__doc__, SIZES, 20)
    parser.add_argument("--match", type=int, default=0, help="pairs to play for each size; 0: none")
    given = parser.parse_args(arguments)
    game = games.load(given.game)
    hand = weight_files.load("hand", game).array(game)
    names = Names(tuple(game.stage_names), tuple(game.feature_names))
    rows = game_rows(game, given.folder / given.game)
    made = [unseen(rows, hand, names, pairs, given.parts, given.seed) for pairs in given.sizes]
    played = [match(game, rows, hand, names, pairs, given.match) for pairs in given.sizes if given.match]
    command = f"shrinkage games --game {given.game}" + (f" --match {given.match}" if given.match else "")
    add_cell(given, command, page_of, rows.n_groups, made, matches=played)
    return 1 if any(mean - half > 0 for mean, half in (one.excess[CHOSEN] for one in made)) else 0


if __name__ == "__main__":
    sys.exit(main())
