"""What the page shows of a position: squares where the picture has them, moves by squares, the evaluation."""

import dataclasses
import random
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from tests.support.toys import piles
from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.games.texts import is_boxes
from tunesmith.tuning.report.play_page import view


@pytest.mark.parametrize("name", games.names())
def test_squares_lie_in_the_picture_side_by_side(name: str) -> None:
    game = games.load(name)
    squares = view.drawn(game, game.initial())["squares"]
    assert squares
    for left, top, width, height in squares.values():
        assert 0 <= left < left + width <= 100 and 0 <= top < top + height <= 100
    middles = {name: (box[0] + box[2] / 2, box[1] + box[3] / 2) for name, box in squares.items()}
    for one, (left, top, width, height) in squares.items():
        inside = [n for n, (x, y) in middles.items() if left < x < left + width and top < y < top + height]
        assert inside == [one]


@pytest.mark.parametrize("name", games.names())
def test_every_move_of_random_games_can_be_clicked(name: str) -> None:
    """By squares of the board, which tell moves apart but for those that share their clicks."""
    game, rng = games.load(name), random.Random(3)
    board = Board(game)
    for _ in range(30):
        if board.is_over:
            break
        found = view.drawn(game, view.visible(game, board.state))
        moves = view.choices(board, found["squares"])
        assert all(squares for text, squares in moves if text != "stop")
        assert all(len(set(squares)) == len(squares) for _, squares in moves)
        board.play(rng.choice(board.legal_moves()))


def test_squares_of_a_kalah_mover_are_his_own_ponds() -> None:
    game = games.load("kalah")
    first = view.drawn(game, game.initial())["squares"]
    board = Board(game)
    board.push("2")
    second = view.drawn(game, board.state)["squares"]
    assert first["1"][1] > 50 > second["1"][1] and second["1"][0] > second["6"][0]


def test_fanorona_squares_are_under_its_stones() -> None:
    """The circles that are drawn lie in the middles of boxes."""
    game = games.load("fanorona")
    boxes = game.squares(game.initial())
    middles = {(x + w / 2, y + h / 2) for x, y, w, h in boxes.values()}
    circles = [e for e in ET.fromstring(game.draw_svg(game.initial())).iter() if e.tag.endswith("circle")]
    assert {(float(e.get("cx")), float(e.get("cy"))) for e in circles} < middles


PICTURE = '<svg viewBox="{}"><rect x="0" y="0" width="9" height="9"/></svg>'


@pytest.mark.parametrize(
    ("changes", "squares"),
    [
        ({"squares": lambda state: {"a1": (1, 2, 3, 4)}}, {"a1": [0.0, 10.0, 30.0, 40.0]}),
        ({}, {}),
        ({"squares": lambda state: {"a1": (0, 0, 3)}}, {}),
        (
            {
                "squares": lambda state: {"a1": (1, 2, 3, 4)},
                "draw_svg": lambda state: PICTURE.format("0 0 0 5"),
            },
            {},
        ),
        ({"squares": lambda state: {"a1": (1, 2, 3, 4)}, "draw_svg": lambda state: "<svg/>"}, {}),
        ({"squares": lambda state: {"a1": (1, 2, 3, 4)}, "draw_svg": lambda state: "none"}, {}),
    ],
)
def test_boxes_are_shares_of_the_picture(changes: dict[str, Any], squares: dict[str, list[float]]) -> None:
    game = piles(**{"draw_svg": lambda state: PICTURE.format("1 1 10 10"), **changes})
    assert view.drawn(game, game.initial())["squares"] == squares
    assert is_boxes(squares)


def test_the_evaluation_is_that_of_the_mover_in_words() -> None:
    game = games.load("kalah")
    board = Board(game)
    found = view.evaluation(board, weight_files.load("hand", game))
    assert found["view"] == "Elo in your view: you are the first player and to move"
    assert found["total"] == "+40.00" and [row[0] for row in found["parts"]] == ["tempo"]
    none = dataclasses.replace(game, stages=game.stages)
    assert view.evaluation(Board(none), weight_files.load("random", none))["parts"] == []
