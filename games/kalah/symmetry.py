"""The players of Kalah exchanged. The board has no other image: both players sow to the right."""

from tunesmith.games.game import State
from tunesmith.games.kalah.board import POND_MASK

# Players exchanged


def swap_sides(state: State) -> State:
    """Exchange the players, the mover with them."""
    own, opp, side = state
    if (own | opp) & POND_MASK:
        return own, opp, 1 - side
    return opp, own, side
