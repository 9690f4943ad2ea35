"""What comes of the speed? Games against open_spiel's Monte Carlo search at equal wall time a move.

Ours is alpha-beta as it comes, with the hand-made weights; open_spiel's is UCT with one random playout a
simulation. Each opening (random plies, not to be won at once) is played twice with sides exchanged, one game
after the other in one process; every move of either side must be legal on both."""

import time
from collections.abc import Callable
from itertools import count
from statistics import fmean

from tunesmith.engine import weights
from tunesmith.engine.limits import Limit
from tunesmith.engine.player import Player
from tunesmith.experiments.bench.race import Effort, MismatchError, Row, Title, of_points
from tunesmith.experiments.bench.searches import bot, winning
from tunesmith.experiments.bench.spiel import Both, Twin, random_positions, reference
from tunesmith.tuning.stats.elo import estimate
from tunesmith.tuning.stats.words import elo_words

PLIES = 4  # of an opening

Chooser = Callable[[Both], str]
Times = tuple[list[float], list[float]]  # seconds of each move of ours, and of open_spiel's


def duel(pair: Twin, effort: Effort) -> list[Row]:
    """Play the games; none without open_spiel."""
    if pair.module is None:
        return []
    hand = weights.load("hand", pair.game, allow_variant=True)
    player = Player(pair.game, hand, Limit("time", effort.move_time))
    player.choose(Both(pair).board)  # compiles
    counts: list[int] = [0] * 5
    times: Times = ([], [])
    for number in range(effort.duel_pairs):
        score = 0.0
        for side in (0, 1):
            player.new_game()
            choosers = (_ours(player), _theirs(effort.move_time, 2 * number + side))
            result = play(opening(pair, number), choosers, side, times)
            score += (1 + result) / 2
        counts[round(2 * score)] += 1
    return [_row(pair, counts, times, effort)]


def opening(pair: Twin, number: int) -> Both:
    """Return the opening of a number, always the same one."""
    starts = (next(random_positions(pair, (PLIES,), seed)) for seed in count(1000 * number))
    return next(both for both in starts if not winning(both.board))


def play(both: Both, choosers: tuple[Chooser, Chooser], side: int, times: Times) -> int:
    """Play a game to its end, ours as player `side`; return ours result, 1, 0 or -1."""
    while not both.board.is_over:
        who = int(both.board.mover != side)
        began = time.monotonic()
        text = choosers[who](both)
        times[who].append(time.monotonic() - began)
        if text not in both.actions() or text not in both.board.legal():
            raise MismatchError(
                f"{both.board.text}: move {text} of {('ours', 'open_spiel')[who]} is not legal"
            )
        both.play(text)
    both.compare()
    result = both.board.result or 0
    return result if side == 0 else -result


def _ours(player: Player) -> Chooser:
    return lambda both: player.choose(both.board)


def _theirs(seconds: float, seed: int) -> Chooser:
    return lambda both: both.pair.text(both.board.mover, bot(both, 0, seed, seconds).step(both.state))


def _row(pair: Twin, counts: list[int], times: Times, effort: Effort) -> Row:
    n_games, found = 2 * effort.duel_pairs, estimate(counts)
    ours, theirs = (1000 * fmean(each) for each in times)
    title = Title(
        f"{pair.title}: games at {1000 * effort.move_time:g} ms a move",
        f"of {n_games} points",
        reference("C++ Monte Carlo"),
        f"alpha-beta with hand-made weights: {elo_words(found, 0)}",
        f"every move is legal on both sides, results are the same; {ours:.1f} and {theirs:.1f} ms a move",
    )
    return of_points(title, sum(number * at / 2 for at, number in enumerate(counts)), n_games)
