"""What a worker makes of a pair that came to no end: two rows without a result, with the moves until then."""

import numpy as np

from tests.support.small_matches import matchup, openings
from tunesmith.engine.compile.arith import mix
from tunesmith.engine.match import NO_RESULT
from tunesmith.tuning.play.matchup import Pair, pair_seed
from tunesmith.tuning.play.worker import fault_rows

PAIR = Pair(3, openings()[0].moves)


def test_a_fault_is_two_rows_with_the_seeds_of_their_games() -> None:
    match = matchup()
    rows = fault_rows(match, PAIR, "ValueError: no\n such  move")
    seed = pair_seed(match.seed, 3)
    assert [(row.pair, row.game, row.seed) for row in rows] == [(3, 0, seed), (3, 1, mix(seed))]
    assert {row.reason for row in rows} == {"fault:ValueError: no such move"}
    assert [row.result for row in rows] == [NO_RESULT, NO_RESULT]
    assert [row.moves.tolist() for row in rows] == [list(PAIR.opening)] * 2


def test_moves_that_are_known_are_kept_and_have_no_scores() -> None:
    played = [np.array([*PAIR.opening, 1, 2]), np.array([*PAIR.opening, 5])]
    rows = fault_rows(matchup(), PAIR, "hang", played)
    assert [row.moves.tolist() for row in rows] == [moves.tolist() for moves in played]
    assert [len(row.scores) for row in rows] == [len(moves) for moves in played]
    assert all(np.isnan(row.scores).all() for row in rows)


def test_a_long_complaint_is_cut() -> None:
    (row, _) = fault_rows(matchup(), PAIR, "x" * 1000)
    assert row.reason == "fault:" + "x" * 200
