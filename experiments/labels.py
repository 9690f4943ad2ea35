"""Which labels and weights of positions predict games that no fit saw best?

Games are those of FOLDER/GAME, as `tunesmith selfplay GAME --out FOLDER/GAME` wrote them by the weights by hand. A
third of the pairs judge, by plain results; disjoint parts of the others are fitted with the defaults of a study (blend
and ridge chosen anew in each), and so are the same positions with one thing changed:

- `1/n`, `1/sqrt(n)`: a game's n positions weigh so much each, so that a long game counts as much as a short one, or
  little more
- `trace 0.5` and so on: in place of the search's score of the position stands the lambda-return of the scores from
  there to the end, (1 - lambda) e_t + lambda G_(t+1), the last one the result (Sutton 1988; the leaf of a search as in
  TDLeaf, Baxter, Tridgell & Weaver 1998)
- `4 later` and so on: the score so many plies later, after the end the result
- `deeper`: the score of a search with so many nodes (--nodes), in the parts of the smallest size only

Told is by how much the mean loss of each is above that of the defaults; the 95 % intervals count the luck of the fitted
pairs (t over the parts) and that of the judging ones. What is found is added to the file, and its page is made anew.

    tunesmith selfplay kalah --out games/kalah --pairs 1200 --seed 7 --limit nodes:400
    python -m tunesmith.experiments.labels games --game kalah --out experiments/results/labels.json
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player
from tunesmith.experiments.questions.page import markdown
from tunesmith.experiments.shrinkage import SCALE, add_cell, excess_over, parser_of
from tunesmith.tuning.config import GameFitOptions
from tunesmith.tuning.data.dataset import Dataset, build_rows
from tunesmith.tuning.data.score_scales import FORCED
from tunesmith.tuning.fit.constraints import Constraints, Names, make_constraints
from tunesmith.tuning.fit.loss import expected_result, mean_loss
from tunesmith.tuning.fit.rows import Bools, Floats, Ints, Rows
from tunesmith.tuning.fit.run import run_fit
from tunesmith.tuning.fit.scale import fit_scale
from tunesmith.tuning.pipeline.fit_games import prior_scale
from tunesmith.tuning.play import replay
from tunesmith.tuning.play.store import read_games

SIZES = (40, 200)  # pairs
DEFAULTS, DEEPER = "defaults", "deeper"
TRACES = (0.5, 0.8, 0.95)
LATER = (2, 4, 8)
PLAYED = "tunesmith selfplay GAME --out games/GAME --pairs {pairs} --seed 7 --limit nodes:400"


class Way(NamedTuple):
    """One thing that is changed: what is expected of each row (n,), and a factor on its weight (n,)."""

    expected: Floats
    factor: Floats


def ways_of(data: Dataset) -> dict[str, Way]:
    """Return all ways but `deeper`."""
    rows, same = data.rows, np.ones(data.rows.n)
    known = rows.labels if rows.expected is None else rows.expected
    _, game, counts = np.unique(data.place[:, 1], return_inverse=True, return_counts=True)
    share = 1.0 / counts[game]
    found = {
        DEFAULTS: Way(known, same),
        "1/n": Way(known, share / share.mean()),
        "1/sqrt(n)": Way(known, np.sqrt(share) / np.sqrt(share).mean()),
    }
    starts, second = data.games[0].starts, movers(data)
    score, result = scores_along(data, second)
    along = {f"trace {decay:g}": returns(score, result, starts, decay) for decay in TRACES}
    along |= {f"{plies} later": later(score, result, starts, plies) for plies in LATER}
    return found | {name: Way(to_rows(data, each, second), same) for name, each in along.items()}


def scores_along(data: Dataset, second: Bools) -> tuple[Floats, Floats]:
    """Return what each move's score expects of player 0 (all moves; NaN: no score), and the result of each game.

    second: as `movers` tells of each move.
    """
    played = data.games[0]
    scale = data.score_scales[0].scale if data.score_scales else 1.0
    expected = expected_result(np.clip(played.scores * scale, -FORCED, FORCED).astype(np.float64))
    return np.where(second, 1 - expected, expected), (played.result + 1) / 2


def movers(data: Dataset) -> Bools:
    """Tell of each move whether player 1 makes it."""
    played = data.games[0]
    marks = replay.mark_positions(data.game, played.moves, played.starts, played.roots(data.game))
    return np.asarray(marks & replay.SECOND != 0)


def returns(score: Floats, result: Floats, starts: Ints, decay: float) -> Floats:
    """Return the lambda-return of each move, for player 0; a move without a score has that of the next."""
    found = np.empty(len(score))
    for game, (first, end) in enumerate(pairwise(starts.tolist())):
        ahead = float(result[game])
        for at in range(end - 1, first - 1, -1):
            if not np.isnan(score[at]):
                ahead = (1 - decay) * float(score[at]) + decay * ahead
            found[at] = ahead
    return found


def later(score: Floats, result: Floats, starts: Ints, plies: int) -> Floats:
    """Return the first score from so many plies later on, for player 0; after the end the result."""
    known = returns(score, result, starts, 0.0)  # the next score that there is
    length = np.diff(starts)
    owner = np.repeat(np.arange(len(length)), length)
    at = np.arange(len(score)) + plies
    is_over = at >= starts[owner + 1]
    return np.where(is_over, result[owner], known[np.minimum(at, len(score) - 1)])


def to_rows(data: Dataset, along: Floats, second: Bools) -> Floats:
    """Return what is expected of each row, by its mover, of numbers along all moves that speak of player 0."""
    at = data.games[0].starts[data.place[:, 1]] + data.place[:, 2]
    own = along[at]
    return np.asarray(np.where(second[at], 1 - own, own))


def deeper(data: Dataset, limit: str, chosen: Bools) -> Way:
    """Search the chosen rows again, by the weights that played; their scores are brought to Elo by results."""
    player = Player(data.game, weight_files.load("hand", data.game), parse_limit(limit))
    rows, scores = data.rows, np.zeros(data.rows.n)
    for row in np.flatnonzero(chosen):
        player.new_game()
        board = Board(data.game, data.game.state_to_text(data.state(int(row))))
        scores[row] = player.analyse(board).score / 100
    known = chosen & (np.abs(scores) <= FORCED)  # forced wins would decide the scale
    scores *= fit_scale(scores[known], rows.labels[known])
    return Way(expected_result(np.clip(scores, -FORCED, FORCED)), np.ones(rows.n))


class Unseen(NamedTuple):
    """How fits to `pairs` pairs predict games that no fit saw: loss of the defaults, excess (and half width) by way.

    blends: mean of those chosen.
    """

    pairs: int
    parts: int
    rows: int
    prior: float
    defaults: float
    excess: dict[str, tuple[float, float]]
    blends: dict[str, float]


def unseen(data: Dataset, pairs: int, most: int, seed: int, nodes: str | None = None) -> Unseen:
    """Fit disjoint parts of the pairs, at most `most`, and judge them on a third of all."""
    rows, game = data.rows, data.game
    numbers = np.random.default_rng(seed).permutation(np.unique(rows.group))
    third = len(numbers) // 3
    parts = [numbers[at : at + pairs] for at in range(third, len(numbers) - pairs + 1, pairs)][:most]
    judging = replace(rows.take(np.isin(rows.group, numbers[:third])), expected=None)
    ways = ways_of(data)
    if nodes:
        ways[DEEPER] = deeper(data, nodes, np.isin(rows.group, np.concatenate(parts)))
    hand = weight_files.load("hand", game).array(game)
    limits = make_constraints(Names(tuple(game.stage_names), tuple(game.feature_names)), GameFitOptions())
    priors, size = [], 0
    losses: dict[str, list[float]] = {}
    weights: dict[str, list[Floats]] = {}
    blends: dict[str, list[float]] = {}
    for numbers_of in parts:
        chosen = np.isin(rows.group, numbers_of)
        prior = hand * prior_scale(rows.take(chosen), hand)
        priors.append(mean_loss(judging, prior))
        size += int(chosen.sum())
        for name, way in ways.items():
            made, blend = fitted(rows, way, chosen, prior, limits)
            losses.setdefault(name, []).append(mean_loss(judging, made))
            weights.setdefault(name, []).append(made)
            blends.setdefault(name, []).append(blend)
    return Unseen(
        pairs, len(parts), size // len(parts), float(np.mean(priors)), float(np.mean(losses[DEFAULTS])),
        excess_over(DEFAULTS, judging, losses, weights),
        {name: round(float(np.mean(each)), 2) for name, each in blends.items()},
    )  # fmt: skip


def fitted(rows: Rows, way: Way, chosen: Bools, prior: Floats, limits: Constraints) -> tuple[Floats, float]:
    """Fit the chosen rows with the defaults of a study, changed in one way; return weights and blend."""
    part = replace(rows, expected=way.expected, weight=rows.weight * way.factor).take(chosen)
    ran = run_fit(part, None, prior, GameFitOptions(), limits)
    return ran.fit.weights, float(ran.options.blend)


def page_of(cells: Mapping[str, Any]) -> str:
    """Return the page of all games that were measured."""
    lines = [
        PLAYED.format(pairs=max(cell["pairs"] for cell in cells.values())),
        *(f"{cell['command']}   # commit {cell['commit']}, seed {cell['seed']}" for cell in cells.values()),
    ]
    ways = list(dict.fromkeys(way for one in _all(cells) for way in one["excess"]))
    head = [
        "way",
        *(f"{game}, {2 * one['pairs']:,} games" for game, cell in cells.items() for one in cell["unseen"]),
    ]
    table = [
        ["fits", *(str(one["parts"]) for one in _all(cells))],
        ["loss of the prior", *(f"{one['prior']:.4f}" for one in _all(cells))],
        ["loss of the defaults", *(f"{one['defaults']:.4f}" for one in _all(cells))],
        *([way, *(_signed(one["excess"].get(way)) for one in _all(cells))] for way in ways),
    ]
    parts = [
        "# Other labels, and games that weigh alike", "\n".join(f"    {line}" for line in lines),
        "Held-out loss (nats a position, plain results) of games that no fit saw, of the weights by hand and of fits "
        "with the defaults of a study, and by how much that of each way is above it, in 0.0001 nats with its 95 % "
        "interval. " + " ".join(__doc__.split("\n\n")[2].replace("\n- ", ". ").lstrip("- ").split()) + ".",
        "\n".join(markdown(head, table)), verdict(cells),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _all(cells: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [one for cell in cells.values() for one in cell["unseen"]]


def verdict(cells: Mapping[str, Any]) -> str:
    """Say of each way in how many cells it predicts better or worse than the defaults."""
    said = []
    for way in dict.fromkeys(way for one in _all(cells) for way in one["excess"]):
        found = [one["excess"][way] for one in _all(cells) if way in one["excess"]]
        better = sum(mean + half < 0 for mean, half in found)
        worse = sum(mean - half > 0 for mean, half in found)
        said.append(f"- {way}: better in {better} of {len(found)} cells, worse in {worse}")
    return "\n".join(said)


def _signed(excess: Sequence[float] | None) -> str:
    return "" if excess is None else f"{SCALE * excess[0]:+z.1f} ± {SCALE * excess[1]:.1f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure one game; return the exit code."""
    parser = parser_of(__doc__, SIZES, 8)
    parser.add_argument("--nodes", default="nodes:4000", help="limit of `deeper`")
    given = parser.parse_args(arguments)
    data = build_rows(games.load(given.game), read_games(given.folder / given.game))
    made = [
        unseen(data, pairs, given.parts, given.seed, given.nodes if pairs == min(given.sizes) else None)
        for pairs in given.sizes
    ]
    sizes = "" if given.sizes == SIZES else f" --sizes {' '.join(map(str, given.sizes))}"
    command = f"labels games --game {given.game}{sizes} --parts {given.parts}"
    add_cell(given, command, page_of, data.rows.n_groups, made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
