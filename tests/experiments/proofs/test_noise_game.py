"""A game of noise: its features say nothing about the result."""

from itertools import product

import numpy as np

from tunesmith.experiments.proofs.noise_game import GAME, PLIES
from tunesmith.games.game import ONGOING


def test_features_say_nothing_about_the_result():
    """Sixteen thousand of the games: every correlation is within the noise of independence."""
    out, rows, results = np.zeros(3), [], []
    for moves in product(range(4), repeat=7):
        state = (PLIES - 7, 1 + 16 * sum(moves))
        for move in moves:
            state = GAME.apply_move(state, move)
        GAME.features(state, out)
        rows.append(out.copy())
        results.append(GAME.outcome(state))
    assert ONGOING not in results
    bound = 4 / (len(results) / 16) ** 0.5  # sixteen games that end differently have one result
    assert abs(np.mean(results)) < bound
    table = np.corrcoef(np.column_stack([np.array(rows), results]).T)
    assert np.abs(table[np.triu_indices(4, 1)]).max() < bound
