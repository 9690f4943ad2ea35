"""A side that is far ahead wins, instead of shuffling into a draw by repetition.

Table keys leave the history out by default; a search that forgets about repetition altogether, or takes a
repeated position's stored value for true, walks to and fro. Both sides are played by the same engine."""

import pytest

from tunesmith import games
from tunesmith.engine import weights
from tunesmith.engine.board import Board
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.player import Player

AHEAD = {
    "expendibots": [
        "cc....../......../......../......../......../......../......../.......A white 0",
        "a.a.a.a./......../......../......../......../......../......../A.....A. white 0",
        "......../..d...../......../......../......../....B.../......../........ white 0",
        "aaaa..../......../......../......../......../......../......../......AA white 0",
    ],
}
POSITIONS = [(name, text) for name, texts in AHEAD.items() for text in texts]


@pytest.mark.parametrize("path_free", [True, False], ids=["path-free", "exact"])
@pytest.mark.parametrize(("name", "text"), POSITIONS)
def test_the_stronger_side_wins(name: str, text: str, path_free: bool) -> None:
    game = games.load(name)
    hand = weights.load("hand", game)
    options = SearchOptions(path_free=path_free, table_reuse="deeper" if path_free else "equal")
    players = [Player(game, hand, parse_limit("nodes:1000"), options) for _ in range(2)]
    board = Board(game, text)
    while not board.is_over:
        board.push(players[board.mover].choose(board))
    assert (board.result, board.reason) == (-1, "tokens")
