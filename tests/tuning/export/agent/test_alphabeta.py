"""The search by recursion enters the positions that the engine's loop enters, and finds the same."""

import random
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.piles_agent import WEIGHTS, builder
from tests.support.searching import as_python, combinations, random_board
from tests.support.toys import piles
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.player import Player
from tunesmith.engine.searcher import MAX_PLY, N_PV, NODES, REACHED, SCORE
from tunesmith.tuning.export.agent import alphabeta
from tunesmith.tuning.export.agent.alphabeta import is_for, others

SELECTIVE: list[dict[str, Any]] = [
    {"quiescence": 3},
    {"futility": 5, "quiescence": 2},
    {"reductions": 1},
    {"null_move": 1},
    {"null_move": 2, "futility": 3, "reductions": 2, "pvs": False},
    {"sort": 1, "best_k": 2},
    {"best_share": 2, "symmetry": False},
    {"objective": "margin", "margin_keys": True},
    {"aspiration": 1, "killers": False, "history": False, "hints": False},
    {"path_free": False, "replacement": "always"},
    {"mtdf": True},
]


@pytest.mark.parametrize(
    "options",
    [*(SearchOptions(**changes) for changes in SELECTIVE), *combinations(random.Random(4), 12)],
    ids=lambda options: ",".join(f"{k}={v}" for k, v in options.changes().items()) or "defaults",
)
def test_it_is_the_engines_search(options: SearchOptions) -> None:
    """Move, score, depth, line and count of positions, under limits that cut it short and under ones that do not."""
    code, _ = builder(piles(), **options.changes()).code("A test.")
    assert ("value_of" in code) == is_for(options)
    module: dict[str, Any] = {"__name__": "agent", "__file__": "player.py"}
    exec(code, module)
    rng = random.Random(5)
    with as_python(piles()) as copy:
        for limit in ("nodes:150", "depth:4"):
            chosen = parse_limit(limit)
            player = Player(copy, WEIGHTS, chosen, options, hash_mb=1)
            thinker = module["Thinker"](WEIGHTS.to_json())
            thinker.memory.counters[1], thinker.memory.counters[11] = chosen.nodes, chosen.depth
            for _ in range(4):
                board = random_board(copy, rng, rng.randrange(5))
                game = module["Game"](board.states[0])
                for move in board.moves:
                    game.play(move)
                player.new_game()
                thinker.forget()
                expected = player.choose(board)
                memory = player.searcher.memory
                counters, line = memory["counters"][0], memory["pv"][0]
                assert copy.move_to_text(board.state, thinker.choose(game)) == expected
                own = thinker.memory
                for field in (NODES, SCORE, REACHED, N_PV):
                    assert own.counters[field] == counters[field]
                n = int(counters[N_PV])
                assert own.pv[:n] == line[:n].tolist() and n < MAX_PLY


def test_options_that_it_does_not_know_keep_the_engines_loop() -> None:
    assert is_for(SearchOptions(quiescence=2))
    for changes in ({"internal_deepening": 2}, {"replacement": "lru"}, {"algorithm": "uct"}):
        assert not is_for(SearchOptions(**changes))  # type: ignore[arg-type]


def test_moves_are_picked_by_rating_and_after_the_first_ones_in_the_games_order() -> None:
    def order(ratings: list[int]) -> list[int]:
        placed = [(rating << alphabeta.PLACE) + alphabeta.LAST - at for at, rating in enumerate(ratings)]
        return [alphabeta.LAST - (rating & alphabeta.LAST) for rating in [max(placed), *others(placed)]]

    assert order([3, 9, 9, 1]) == [1, 2, 0, 3]
    assert order([-5]) == [0]
    ratings = [0] * 12
    ratings[11], ratings[5], ratings[7] = 7, 8, -3
    assert order(ratings) == [5, 11, 0, 1, 2, 3, 4, 6, 7, 8, 9, 10]
    assert alphabeta.N_PICKED == 8


def test_history_counts_above_the_places_and_fades_without_them() -> None:
    searcher = SimpleNamespace(killers=[[-1, -1]], history=[defaultdict(int), defaultdict(int)])
    for depth in (2, 5, 100):
        alphabeta.note_cut(searcher, 0, 7, 1, depth)
    alphabeta.note_cut(searcher, 0, 9, 1, 1)
    assert searcher.killers == [[9, 7]]
    assert {move: count >> alphabeta.PLACE for move, count in searcher.history[1].items()} == {7: 4125, 9: 1}
    alphabeta.fade(searcher)
    assert searcher.killers == [[-1, -1]] and not searcher.history[0]
    assert searcher.history[1] == {7: 515 << alphabeta.PLACE, 9: 0}
