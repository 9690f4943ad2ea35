"""Fanorona: stones on the crossings of a lined board, taken by moving towards them or away from them.

The board has 9 x 5 points. Every point is joined to its neighbours in its row and column, every second one
(the corners, the centre, a3, ...) also along the diagonals. Both players have 22 stones; only the centre is
empty. White begins.

A step moves an own stone along a line to a neighbouring empty point.
- Approach: if the next point beyond, in the direction of the step, holds an enemy stone, this stone and all
  that follow it without a gap on the same line are taken.
- Withdrawal: if the point behind the start of the step holds an enemy stone, this stone and all that follow
  it on the line, away from the moved stone, are taken.
- If both are possible the player chooses one. A step that takes nothing is a paika.

Who can take must take (any capture will do); otherwise one paika is the whole turn. After a capture the same
stone may go on taking, step by step: never to a point it has been on in this turn, never twice running in
the same direction. The player may stop after any capture; the turn ends by itself when nothing is left.

A player who has no step at the start of his turn loses: he has no stones, or all of them are blocked. With
`draw_rule` "anu" the game is a draw, before anybody wins, when a paika leads to a board that has stood after
a paika since the last capture (whoever moves), or when a step is made after more than 20 paikas in a row.

Variants: `width` and `height` (odd, 3 to 9; half the rows full of each colour, the middle one mixed),
`forced_chain` (a chain must go on while it can), `draw_rule` ("anu"; "none": no draws, for counting and
solving). The rules are those of the courses COMP1100 (`forced_chain`) and COMP1130 at ANU, 2022."""

from pathlib import Path

from tunesmith.games.errors import InputError
from tunesmith.games.fanorona import board, captures, drawing, features, notation, rules, symmetry
from tunesmith.games.game import Game, functions_of, specialise
from tunesmith.games.texts import is_whole

__all__ = ["GAME", "make"]

_FUNCTIONS = functions_of(rules, symmetry, features, notation, drawing)

SMALLEST, LARGEST = 3, 9
DRAW_RULES = ("anu", "none")


def make(width: int = 9, height: int = 5, forced_chain: bool = False, draw_rule: str = "anu") -> Game:
    """Return Fanorona on `width` x `height` points.

    Raises
    ------
    InputError
        `width` or `height` not odd or not 3 to 9, `forced_chain` not a bool, `draw_rule` unknown.
    """
    for name, size in (("width", width), ("height", height)):
        if not is_whole(size) or not SMALLEST <= size <= LARGEST or size % 2 == 0:
            raise InputError(f"fanorona: {name}: expected 3, 5, 7 or 9, found {size!r}")
    if not isinstance(forced_chain, bool):
        raise InputError(f"fanorona: forced_chain: expected true or false, found {forced_chain!r}")
    if draw_rule not in DRAW_RULES:
        raise InputError(f"fanorona: draw_rule: expected anu or none, found {draw_rule!r}")
    has_draws = draw_rule == "anu"
    constants = (
        board.constants(width, height)
        | captures.constants(width, height)
        | rules.constants(width, height, forced_chain, has_draws)
        | symmetry.constants(width, height)
        | features.constants(width, height)
    )
    meanings = features.meanings(width, height)
    return Game(
        name="fanorona",
        variant={"width": width, "height": height, "forced_chain": forced_chain, "draw_rule": draw_rule},
        feature_names=tuple(meanings),
        feature_meanings=tuple(meanings.values()),
        stage_names=features.STAGES,
        cheap_features=features.cheap(width, height),
        max_moves=rules.most_moves(width, height),
        repetition_limit=2 if has_draws else 0,
        repetition_first=has_draws,
        n_symmetries=symmetry.n_images(width, height),
        folder=Path(__file__).parent,
        **specialise(_FUNCTIONS, constants),  # type: ignore[arg-type]
    )


GAME = make()
