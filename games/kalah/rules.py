"""Rules of Kalah: sowing, captures, free turns, the final sweep.

A state is `(own, opp, side)`, seen from the player to move (`side` 0 or 1). Each player's seeds are packed
into one word, a byte a place: pond 1 lowest, the bank above pond m. A move is the number of a pond, 1 to m.
A finished state has all seeds in the banks and is written from the first player's side."""

from typing import Any

import numpy as np
import numpy.typing as npt

from games.game import ONGOING, State

# Kalah(6,6) from the mover's seat; both players sow to the right in their own row and on around:
#
#            opp   6   5   4   3   2   1   <-
#    opp's bank  | 6 | 6 | 6 | 6 | 6 | 6 |  own bank
#                | 6 | 6 | 6 | 6 | 6 | 6 |
#        ->  own   1   2   3   4   5   6
#
# One lap of the mover: own ponds, own bank, opponent's ponds 1 to m. The opponent's bank is skipped.

PONDS = 6
SEEDS = 6
EMPTY_CAPTURE = 0

MOST_PONDS = 6
MOST_SEEDS = 255  # on the whole board: a place holds a byte

Table = npt.NDArray[np.int64]


def sowing(ponds: int) -> tuple[Table, Table, Table]:
    """Return what sowing n seeds from pond i + 1 adds to the two words, and the place of the last seed.

    Entry `256 * i + n` of each table; places are counted around the lap: 0 to m - 1 own ponds, m own bank.
    """
    lap = 2 * ponds + 1
    own, opp, last = (np.zeros(256 * ponds, np.int64) for _ in range(3))
    for start in range(ponds):
        to_own, to_opp = 0, 0
        for n in range(1, 256):
            place = (start + n) % lap
            if place <= ponds:
                to_own += 1 << 8 * place
            else:
                to_opp += 1 << 8 * (place - ponds - 1)
            own[256 * start + n] = to_own
            opp[256 * start + n] = to_opp
            last[256 * start + n] = place
    return own, opp, last


BANK = 8 * PONDS  # the shift that leads to a bank
POND_MASK = (1 << BANK) - 1
POND_ONES = POND_MASK // 255  # a one in each pond
EVERY_SECOND = 0x00FF_00FF_00FF
SOW_OWN, SOW_OPP, SOW_LAST = sowing(PONDS)


def constants(ponds: int, seeds: int, empty_capture: bool) -> dict[str, object]:
    """Return the constants of this file for another board."""
    sow_own, sow_opp, sow_last = sowing(ponds)
    return {
        "PONDS": ponds,
        "SEEDS": seeds,
        "EMPTY_CAPTURE": int(empty_capture),
        "BANK": 8 * ponds,
        "POND_MASK": (1 << 8 * ponds) - 1,
        "POND_ONES": ((1 << 8 * ponds) - 1) // 255,
        "SOW_OWN": sow_own,
        "SOW_OPP": sow_opp,
        "SOW_LAST": sow_last,
    }


def initial() -> State:
    """Return the start position: every pond filled, the banks empty, the first player to move."""
    filled = SEEDS * POND_ONES
    return filled, filled, 0


def legal_moves(state: State, out: Any) -> int:
    """List the mover's ponds that are not empty."""
    own = state[0]
    n = 0
    for pond in range(1, PONDS + 1):
        if own & 255:
            out[n] = pond
            n += 1
        own >>= 8
    return n


def apply_move(state: State, move: int) -> State:
    """Sow the seeds of pond `move`, capture, pass the turn, and sweep the board when a side is empty."""
    own, opp, side = state
    shift = 8 * (move - 1)
    n = (own >> shift) & 255
    entry = 32 * shift + n
    own += int(SOW_OWN[entry]) - (n << shift)
    opp += int(SOW_OPP[entry])
    last = int(SOW_LAST[entry])
    if last < PONDS and (own >> 8 * last) & 255 == 1:  # the pond was empty before the last seed
        facing = BANK - 8 - 8 * last
        taken = (opp >> facing) & 255
        if taken != 0 or EMPTY_CAPTURE:
            opp -= taken << facing
            own += ((taken + 1) << BANK) - (1 << 8 * last)
    if own & POND_MASK == 0 or opp & POND_MASK == 0:
        return swept(own, opp, side)
    if last == PONDS:
        return own, opp, side
    return opp, own, 1 - side


def swept(own: int, opp: int, side: int) -> State:
    """Bank the seeds left in ponds, each player his own."""
    own_bank = (own >> BANK) + pond_seeds(own)
    opp_bank = (opp >> BANK) + pond_seeds(opp)
    if side == 0:
        return own_bank << BANK, opp_bank << BANK, 0
    return opp_bank << BANK, own_bank << BANK, 0


def pond_seeds(word: int) -> int:
    """Return the number of seeds in the ponds of one player."""
    ponds = word & POND_MASK
    pairs = (ponds & EVERY_SECOND) + ((ponds >> 8) & EVERY_SECOND)
    return (pairs + (pairs >> 16) + (pairs >> 32)) & 255


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


def swap_sides(state: State) -> State:
    """Exchange the players, the mover with them."""
    own, opp, side = state
    if (own | opp) & POND_MASK:
        return own, opp, 1 - side
    return opp, own, side


def final_margin(state: State) -> int:
    """Return the first player's bank minus the second's in a finished state."""
    margin = (state[0] >> BANK) - (state[1] >> BANK)
    return margin if state[2] == 0 else -margin


def settled_margin(state: State) -> int:
    """Return the mover's bank minus the opponent's: what is banked stays banked."""
    return (state[0] >> BANK) - (state[1] >> BANK)


def open_margin(state: State) -> int:
    """Return the number of seeds in ponds: all may still go to one bank."""
    return pond_seeds(state[0]) + pond_seeds(state[1])


def open_state(state: State) -> State:
    """Return the ponds alone: what follows depends on neither the banks nor the mover's number."""
    return state[0] & POND_MASK, state[1] & POND_MASK, 0


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
            if SOW_LAST[256 * (pond - 1) + seeds] == PONDS or capture_of(state[0], state[1], pond) != 0:
                out[n] = pond
                n += 1
    return n


def move_hint(state: State, move: int) -> int:
    """Order free turns first (from the right, so that no later one is lost), then captures by size."""
    seeds = (state[0] >> (8 * move - 8)) & 255
    if SOW_LAST[256 * (move - 1) + seeds] == PONDS:
        return 256 + move
    return capture_of(state[0], state[1], move)


def capture_of(own: int, opp: int, move: int) -> int:
    """Return the seeds that playing the non-empty pond `move` of `own` captures, its last seed included."""
    shift = 8 * (move - 1)
    n = (own >> shift) & 255
    entry = 32 * shift + n
    last = int(SOW_LAST[entry])
    if last >= PONDS or n > 2 * PONDS + 1:
        return 0
    # Within one lap an own pond was empty when the last seed came if it is empty now, or is the pond played.
    if n != 2 * PONDS + 1 and (own >> 8 * last) & 255 != 0:
        return 0
    facing = BANK - 8 - 8 * last
    taken = ((opp + int(SOW_OPP[entry])) >> facing) & 255
    return taken + 1 if taken != 0 or EMPTY_CAPTURE else 0
