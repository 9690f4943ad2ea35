"""Boards: the position on which two evaluations differ most, drawn with what each of them says."""

from xml.etree import ElementTree

import pytest

from tests.support.searching import all_as_python
from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.player import evaluation_parts
from tunesmith.experiments.pictures import boards
from tunesmith.experiments.questions.ask import RESULTS
from tunesmith.tuning.files import read_json
from tunesmith.tuning.stats.elo import elo_to_score


def test_no_other_position_of_the_games_divides_them_more(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PAIRS": 1, "LIMIT": "nodes:5", "DEEP": "nodes:5"}.items():
        monkeypatch.setattr(boards, name, value)
    with all_as_python():
        found = boards.differing("kalah")
        game = games.load("kalah")
        both = {name: weight_files.load(name, game) for name in boards.NAMES}
        seen = [board for board, _ in boards._positions(game, both)]
    apart = [
        abs(elo_to_score(evaluation(board, both["hand"])) - elo_to_score(evaluation(board, both["tuned"])))
        for board in seen
    ]
    at = [board.text for board in seen].index(found["position"])
    assert apart[at] == max(apart) and found["seen"] == len(seen)
    for at, name in enumerate(boards.NAMES):
        assert sum(row[at] for row in found["parts"].values()) == pytest.approx(
            found["evaluations"][name], abs=0.01
        )


def evaluation(board: Board, weights: weight_files.Weights) -> float:
    return evaluation_parts(board.game, weights, board.state)[0] / 100


@pytest.mark.parametrize(
    "found", read_json(RESULTS.parent / "boards.json").values(), ids=lambda one: one["game"]
)
def test_a_board_is_drawn_with_its_figures(found: boards.Found) -> None:
    drawn = boards.drawn(found)
    tree = ElementTree.fromstring(drawn)
    texts = {one.text for one in tree.iter() if one.tag.endswith("text")}
    assert {"hand", "tuned", f"searched, {boards.DEEP}"} <= texts
    assert len(drawn) < 40_000 and "<script" not in drawn
    (widest, _), *_ = boards._widest(found)
    assert widest.replace("_", " ") in texts
