"""Expendibots: stacks of tokens that walk, merge, and blow each other up; who has tokens left wins.

The board has 8 x 8 squares (x, y), x from left to right, y from bottom to top. White owns twelve tokens on
rows 0 and 1, Black twelve on rows 7 and 6, each as three blocks of 2 x 2 (files 0, 1, 3, 4, 6, 7). White
begins; then the sides take turns, and nobody may pass. All tokens on one square form a stack of one colour,
of any height. A turn is one of two moves:
- MOVE n tokens of an own stack of height h (1 <= n <= h) by 1 to h squares in one of the four straight
  directions; the height of the whole stack sets the distance, however few go. What stands between is jumped
  over; the target must be on the board, and empty or own (the tokens then join that stack).
- BOOM an own stack. It disappears with every stack, of either colour, on the eight squares around it; each of
  those explodes in turn with the squares around it, until nothing more is caught. Always allowed, also when
  it hurts or loses. Two stacks of one such cluster are two different moves with the same effect.

After every move, in this order: no tokens at all is a draw; tokens of one side only is a win for that side;
the fourth occurrence of the same board with the same side to move is a draw; so is the 500th ply.

Variant: `phase` says how an evaluation is split into stages; the rules stay the same. `cases` switches
between the report's three formulas (for the player to move: `end` when no enemy token is outside mixed
clusters and at least one own is; `near_end` when one enemy token is and at least two own are; else `middle`);
`smooth` mixes `full` and `empty` by the tokens left."""

from pathlib import Path

from tunesmith.games.errors import InputError
from tunesmith.games.expendibots import drawing, features, notation, rules, symmetry
from tunesmith.games.game import Game, functions_of, specialise

__all__ = ["GAME", "make"]

_FUNCTIONS = functions_of(rules, symmetry, features, notation, drawing)


def make(phase: str = "cases") -> Game:
    """Return Expendibots with the stages of `phase`.

    Raises
    ------
    InputError
        `phase` is neither `cases` nor `smooth`.
    """
    if phase not in features.STAGES_BY_PHASE:
        raise InputError(f"expendibots: phase: expected cases or smooth, found {phase!r}")
    return Game(
        name="expendibots",
        variant={"phase": phase},
        feature_names=tuple(features.MEANINGS),
        feature_meanings=tuple(features.MEANINGS.values()),
        stage_names=features.STAGES_BY_PHASE[phase],
        cheap_features=features.CHEAP,
        max_moves=rules.MOST_MOVES,
        max_plies=rules.PLY_LIMIT,
        repetition_limit=4,
        n_symmetries=2,
        folder=Path(__file__).parent,
        **specialise(_FUNCTIONS, features.constants(phase)),  # type: ignore[arg-type]
    )


GAME = make()
