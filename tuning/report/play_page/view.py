"""What does the page show of a position? Its picture with the squares that can be clicked, and its evaluation.

A game that has `squares` is clicked square by square; of one that has none, or whose picture is not to be trusted,
moves are chosen from a list. Boxes are shares of the picture, in percent."""

import base64
import math
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

from tunesmith.engine.board import Board
from tunesmith.engine.check.words import explain_exception
from tunesmith.engine.player import evaluation_parts, seen_by_mover
from tunesmith.engine.weights import Weights
from tunesmith.games.game import Game, State
from tunesmith.games.texts import is_boxes, squares_in
from tunesmith.tuning.report.board import checked_svg

WHO = ("first player", "second player")

Box = list[float]  # left, top, width, height, percent of the picture


def visible(game: Game, state: State) -> State:
    """Return the position without a choice that is still hidden."""
    return state if game.hide is None else game.hide(state)


def drawn(game: Game, state: State) -> dict[str, Any]:
    """Return the picture of a position as an address, its drawing as text, its text form, and its squares.

    A function for people that fails costs what it would draw, and is told as `trouble`.
    """
    trouble: list[str] = []
    svg = _tried(game.draw_svg, state, trouble)
    good = checked_svg(svg) if isinstance(svg, str) else None
    address = None
    if good is not None:
        address = "data:image/svg+xml;base64," + base64.b64encode(good.encode()).decode("ascii")
    frame = _frame(good)
    text = game.state_to_text(state)
    drawing = _tried(game.draw_text, state, trouble)
    found = _tried(game.squares, state, trouble) if game.squares is not None else None
    return {
        "picture": address,
        "ratio": frame[2] / frame[3] if frame else None,
        "drawing": drawing if isinstance(drawing, str) else text,
        "text": text,
        "squares": boxes(found, frame),
        "trouble": "; ".join(trouble),
    }


def _tried(function: Callable[[State], Any], state: State, trouble: list[str]) -> Any:
    try:
        return function(state)
    except Exception as error:  # a user's function may raise anything, and the game can be played without
        trouble.append(explain_exception(error, function))
        return None


def _frame(svg: str | None) -> tuple[float, ...] | None:
    """Return the viewBox of a picture."""
    try:
        numbers = tuple(
            float(word) for word in ET.fromstring(svg or "").get("viewBox", "").replace(",", " ").split()
        )
    except (ET.ParseError, ValueError):
        return None
    is_good = len(numbers) == 4 and all(map(math.isfinite, numbers)) and min(numbers[2:]) > 0
    return numbers if is_good else None


def boxes(squares: Any, frame: tuple[float, ...] | None) -> dict[str, Box]:
    """Return where squares lie, as shares of a picture with this viewBox; none where that is not known."""
    if frame is None or not is_boxes(squares):
        return {}
    left, top, width, height = frame
    return {
        name: [
            round(100 * part, 3) for part in ((x - left) / width, (y - top) / height, w / width, h / height)
        ]
        for name, (x, y, w, h) in squares.items()
    }


def choices(board: Board, squares: dict[str, Box]) -> list[tuple[str, list[str]]]:
    """Return the legal moves by text, each with the squares to click for it, in order."""
    texts = sorted(board.game.move_to_text(board.state, move) for move in board.legal_moves())
    return [(text, list(squares_in(text, squares))) for text in texts]


def evaluation(board: Board, weights: Weights) -> dict[str, Any]:
    """Return the evaluation of the mover feature by feature, as texts; what counts nothing is left out."""
    game = board.game
    score, parts = evaluation_parts(game, weights, seen_by_mover(board)[0])
    meanings = dict(zip(game.feature_names, game.feature_meanings, strict=True))
    rows = [
        [name, meanings[name], f"{part.value:,.6g}", f"{part.weight:,.6g}", f"{part.elo:+z.2f}"]
        for name, part in parts.items()
        if part.elo
    ]
    return {
        "view": f"Elo in your view: you are the {WHO[board.mover]} and to move",
        "total": f"{score / 100:+z.2f}",
        "parts": rows,
    }
