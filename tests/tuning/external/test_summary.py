"""What games of engines amount to: counts of pairs, which pairs count, faults."""

import numpy as np

from tests.naive.formulas import pair_counts
from tunesmith.tuning.documents.engines import EngineGame
from tunesmith.tuning.external.summary import (
    Rows,
    blamed,
    classes,
    count_pairs,
    faults_of,
    pair_cells,
    summarise,
)


def pair(
    number: int, results: tuple[int | None, int | None], moves: str, fault: int | None = None
) -> list[EngineGame]:
    return [
        EngineGame(
            pair=number, game=game, white="w", black="b", names=["A", "B"][:: 1 - 2 * game], fen="", opening=[],
            seed=1, moves=moves.split(), result=result, end_reason="finished" if result is not None else "crash",
            fault=fault if result is None else None, detail="", asked_again=0,
        )
        for game, result in enumerate(results)
    ]  # fmt: skip


ROWS: Rows = {
    0: pair(0, (1, -1), "a b"),  # A wins both
    1: pair(1, (1, 1), "a c"),  # whoever moves first wins
    2: pair(2, (1, 1), "a c"),  # the same games again
    3: pair(3, (0, 1), "b"),  # a draw, and a loss as Black
    4: pair(4, (1, None), "c", fault=1),
}


def test_pairs_count_once_and_not_without_both_results():
    assert classes(ROWS) == [4, 2, None, 1, None]
    assert count_pairs(ROWS) == [0, 1, 1, 0, 1]


def test_cells_say_the_same_and_who_moved_first():
    cells = pair_cells(ROWS)
    assert (cells[2, 2], cells[2, 0], cells[1, 0]) == (1, 1, 1) and cells.sum() == 3
    both = np.zeros((2, 2, 3, 3))
    both[0, 1] = cells
    assert pair_counts(both, 0, 1) == count_pairs(ROWS)


def test_games_are_counted_by_result_and_faults_told():
    found = summarise(ROWS)
    assert (found.games, found.distinct_games, found.faults) == (10, 4, 1)
    assert found.results == {"white": 7, "draw": 1, "black": 1} and found.ends == {"crash": 1, "finished": 9}
    (fault,) = faults_of(ROWS)
    assert (fault.pair, fault.game, blamed(fault.names, fault.fault)) == (4, 1, "A")
