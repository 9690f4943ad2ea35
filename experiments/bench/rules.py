"""Speed of the rules: random games to the end, and move sequences of a given length.

open_spiel plays random games in C++ within one call (its Monte Carlo search with a single simulation, whose
value is the mean result of so many games); sequences are counted by a loop in Python over its C++ rules."""

from typing import Any

import numpy as np

from tunesmith.engine.compile.arith import below, mix, next_random
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.compile.slots import MAX_MOVES, apply_move, initial, legal_moves, outcome
from tunesmith.engine.perft import perft
from tunesmith.experiments.bench.race import Effort, MismatchError, Row, Title, race, timed
from tunesmith.experiments.bench.spiel import Twin, reference
from tunesmith.games.game import ONGOING

_ERRORS = 5.0  # standard errors that two means may lie apart


def play_randomly(n_games: int, seed: int, tally: Any) -> int:
    """Play random games; add losses, draws and wins of the first player to `tally`; return the plies (template)."""
    moves: Any = np.zeros(MAX_MOVES, np.int64)
    stream = mix(seed)
    n_plies = 0
    for _ in range(n_games):
        state = initial()
        result = ONGOING
        while result == ONGOING:
            stream = next_random(stream)
            state = apply_move(state, int(moves[below(stream, legal_moves(state, moves))]))
            result = outcome(state)
            n_plies += 1
        tally[result + 1] += 1
    return n_plies


def playouts(pair: Twin, effort: Effort, checked: str) -> Row:
    """Race random games from the start to the end."""
    n_games, play, tally = effort.playouts, bind(play_randomly, pair.game), np.zeros(3, np.int64)
    seeds = iter(range(1, 1 << 60))

    def ours() -> float:
        play(n_games, next(seeds), tally)
        return n_games

    means: list[float] = []

    def theirs() -> float:
        means.append(_mean_result(pair, n_games, next(seeds)))
        return n_games

    title = Title(f"{pair.title}: random games", "games/s", reference("C++"), f"{n_games:,} games a call")
    row = race(title, timed(ours), None if pair.module is None else timed(theirs), effort)
    words = checked if pair.module is None else f"{checked}; {_same_mean(tally, means, n_games)}"
    return Row(**{**vars(row), "checked": words})


def _mean_result(pair: Twin, n_games: int, seed: int) -> float:
    start = pair.new_state()
    games = pair.module.RandomRolloutEvaluator(n_games, seed)
    bot = pair.module.MCTSBot(start.get_game(), games, 1.0, 1, 1, False, seed, False)
    return float(bot.mcts_search(start).total_reward)


def _same_mean(tally: Any, means: list[float], n_games: int) -> str:
    """Compare mean results, which random play from the same rules must share."""
    n_ours, n_theirs = int(tally.sum()), n_games * len(means)
    ours, theirs = float(tally[2] - tally[0]) / n_ours, float(np.mean(means))
    error = (1 / n_ours + 1 / n_theirs) ** 0.5  # a result's standard deviation is at most 1
    if abs(ours - theirs) > _ERRORS * error:
        raise MismatchError(
            f"random games: mean result: ours {ours:.4f}, open_spiel {theirs:.4f} ± {error:.4f}"
        )
    return (
        f"mean result {ours:+z.4f} and {theirs:+z.4f} (standard error of the difference at most {error:.4f})"
    )


def sequences(pair: Twin, depth: int, effort: Effort) -> Row:
    """Race the count of move sequences, the last ply in bulk on both sides."""
    leaves = perft(pair.game, depth)
    title = Title(
        f"{pair.title}: perft {depth}, last ply in bulk",
        "leaves/s",
        reference("Python over C++ rules"),
        f"{leaves:,} leaves a call",
        "" if pair.module is None else f"both count {leaves:,} leaves",
    )
    if pair.module is None:
        return race(title, timed(lambda: perft(pair.game, depth)), None, effort)
    start = pair.new_state()
    theirs = count_leaves(start, depth)
    if theirs != leaves:
        raise MismatchError(f"{pair.game.spec}: perft {depth}: ours {leaves:,}, open_spiel {theirs:,}")
    return race(
        title, timed(lambda: perft(pair.game, depth)), timed(lambda: count_leaves(start, depth)), effort
    )


def count_leaves(state: Any, depth: int) -> int:
    """Count move sequences of `depth` >= 1 moves from a position of open_spiel."""
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(count_leaves(state.child(action), depth - 1) for action in actions)
