"""Pentago: place a stone, then move a quadrant; five in a row wins.

The board has 6x6 cells in four quadrants of 3x3, numbered 0 and 1 above, 2 and 3 below, and starts empty.
White begins. A move places one own stone on an empty cell and then does one operation on the whole board. The
operation may use any quadrant, moves all stones in it, and cannot be left out, even where it changes nothing.

Five or six equal stones in an unbroken row, column or diagonal are a five. After the operation:
- only one player has a five: he wins, even if it was the other's move;
- both have one, or the board is full without any: draw.

Variants (`variant`), by the operations on quadrant q:
- `twist`: `qr` turns it clockwise, `qf` mirrors it left to right (McGill course COMP 424, Pentago-Twist);
- `classic`: `qr` turns it clockwise, `ql` counter-clockwise; here a five made by the stone wins at once, and
  there is no operation (the board game, as in Irving's solution);
- `classic-after`: the same turns, but fives count only after the operation, as in all variants but `classic`;
- `swap`: `pqs` exchanges the quadrants p and q (an earlier year of the same course).

Cells are a letter a to f from the left and a digit 1 to 6 from the top. A move is `c2-0r`: stone, dash,
operation; a winning placement in `classic` is `c2-`. A position is 36 characters, row by row from the top,
`w`, `b` or `.`; White is to move when the number of stones is even."""

from pathlib import Path

from tunesmith.games.game import Game, functions_of, specialise
from tunesmith.games.pentago import drawing, features, notation, rules, symmetry

__all__ = ["GAME", "make"]

_FUNCTIONS = functions_of(rules, symmetry, features, notation, drawing)


def make(variant: str = "twist") -> Game:
    """Return Pentago with the operations of `variant`.

    Raises
    ------
    InputError
        `variant` is not one of `twist`, `classic`, `classic-after`, `swap`.
    """
    constants = rules.constants(variant) | symmetry.constants(variant)
    return Game(
        name="pentago",
        variant={"variant": variant},
        feature_names=tuple(features.MEANINGS),
        feature_meanings=tuple(features.MEANINGS.values()),
        stage_names=features.STAGES,
        cheap_features=features.CHEAP,
        max_moves=36 * 8,
        n_symmetries=2 if variant == "twist" else 8,
        folder=Path(__file__).parent,
        **specialise(_FUNCTIONS, constants),  # type: ignore[arg-type]
    )


GAME = make()
