"""Rules of Kalah: sowing, captures, free turns, the final sweep.

A state is `(own, opp, side)`, seen from the player to move (`side` 0 or 1): the seeds of both as words (`board`).
A move is the number of a pond, 1 to m. A finished state has all seeds in the banks and is written from the
first player's side."""

from typing import Any

from tunesmith.games.game import ONGOING, State
from tunesmith.games.kalah.board import (
    BANK,
    POND_MASK,
    POND_ONES,
    PONDS,
    SOW_LAST,
    SOW_OPP,
    SOW_OWN,
    pond_seeds,
)

SEEDS = 6
EMPTY_CAPTURE = 0


def constants(seeds: int, empty_capture: bool) -> dict[str, object]:
    """Return the constants of this file for another variant."""
    return {"SEEDS": seeds, "EMPTY_CAPTURE": int(empty_capture)}


# Play


def initial() -> State:
    """Return the start position: every pond filled, the banks empty, the first player to move."""
    filled = SEEDS * POND_ONES
    return filled, filled, 0


def legal_moves(state: State, out: Any) -> int:
    """List the mover's ponds that are not empty."""
    own = state[0]
    n = 0
    for i in range(PONDS):
        if (own >> 8 * i) & 255:
            out[n] = i + 1
            n += 1
    return n


def apply_move(state: State, move: int) -> State:
    """Sow the seeds of pond `move`, capture, pass the turn, and sweep the board when a side is empty."""
    own, opp, side = state
    shift = 8 * (move - 1)
    n = (own >> shift) & 255
    entry = 32 * shift + n
    own += int(SOW_OWN[entry])
    opp += int(SOW_OPP[entry])
    last = int(SOW_LAST[entry])
    if last < BANK and (own >> last) & 255 == 1:  # the pond was empty before the last seed
        facing = BANK - 8 - last
        taken = (opp >> facing) & 255
        if taken != 0 or EMPTY_CAPTURE:
            opp -= taken << facing
            own += ((taken + 1) << BANK) - (1 << last)
    if own & POND_MASK == 0 or opp & POND_MASK == 0:
        return swept(own, opp, side)
    if last == BANK:
        return own, opp, side
    return opp, own, 1 - side


def swept(own: int, opp: int, side: int) -> State:
    """Bank the seeds left in ponds, each player his own."""
    own_bank = (own >> BANK) + pond_seeds(own)
    opp_bank = (opp >> BANK) + pond_seeds(opp)
    if side == 0:
        return own_bank << BANK, opp_bank << BANK, 0
    return opp_bank << BANK, own_bank << BANK, 0


def mover(state: State) -> int:
    """Return who moves; 0 in a finished state."""
    return state[2]


def outcome(state: State) -> int:
    """Compare the banks once all ponds are empty."""
    own, opp, side = state
    if (own | opp) & POND_MASK:
        return ONGOING
    if own == opp:
        return 0
    return 1 - 2 * side if own > opp else 2 * side - 1


def end_reason(state: State) -> str:
    """Say why the game is over: a side has no seeds left."""
    return "side_empty"


# Search


def is_quiet(state: State) -> bool:
    """Tell whether the mover has no capture."""
    for pond in range(1, PONDS + 1):
        if (state[0] >> (8 * pond - 8)) & 255 and capture_of(state[0], state[1], pond) != 0:
            return False
    return True


def noisy_moves(state: State, out: Any) -> int:
    """List the mover's captures and free turns."""
    n = 0
    for pond in range(1, PONDS + 1):
        seeds = (state[0] >> (8 * pond - 8)) & 255
        if seeds != 0:
            if SOW_LAST[256 * (pond - 1) + seeds] == BANK or capture_of(state[0], state[1], pond) != 0:
                out[n] = pond
                n += 1
    return n


def move_hint(state: State, move: int) -> int:
    """Order free turns first (from the right, so that no later one is lost), then captures by size."""
    own = state[0]
    shift = 8 * (move - 1)
    n = (own >> shift) & 255
    if SOW_LAST[32 * shift + n] == BANK:
        return 256 + move
    return capture_of(own, state[1], move)


def capture_of(own: int, opp: int, move: int) -> int:
    """Return the seeds that playing the non-empty pond `move` of `own` captures, its last seed included."""
    shift = 8 * (move - 1)
    n = (own >> shift) & 255
    entry = 32 * shift + n
    last = int(SOW_LAST[entry])
    if last >= BANK or n > 2 * PONDS + 1:
        return 0
    # Within one lap an own pond was empty when the last seed came if it is empty now, or is the pond played.
    if n != 2 * PONDS + 1 and (own >> last) & 255 != 0:
        return 0
    facing = BANK - 8 - last
    taken = ((opp + int(SOW_OPP[entry])) >> facing) & 255
    return taken + 1 if taken != 0 or EMPTY_CAPTURE else 0


# Margins


def final_margin(state: State) -> int:
    """Return the first player's bank minus the second's in a finished state."""
    margin = (state[0] >> BANK) - (state[1] >> BANK)
    return margin if state[2] == 0 else -margin


def settled_margin(state: State) -> int:
    """Return the mover's bank minus the opponent's: what is banked stays banked."""
    return (state[0] >> BANK) - (state[1] >> BANK)


def open_margin(state: State) -> int:
    """Return the number of seeds in ponds: all may still go to one bank."""
    return pond_seeds(state[0] + state[1])


def open_state(state: State) -> State:
    """Return the ponds alone: what follows depends on neither the banks nor the mover's number."""
    return state[0] & POND_MASK, state[1] & POND_MASK, 0
