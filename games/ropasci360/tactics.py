"""What is about to be captured: quiet positions, noisy moves, a first guess at the order of moves.

All look at the board before the turn; only `move_hint` also looks at a hidden choice, because a search that
lets Lower answer knows it."""

from typing import Any

import numpy as np

from games.game import State
from games.ropasci360.board import FULL, N_HEXES, reach
from games.ropasci360.rules import (
    GOES_ON,
    THROW_MOVES,
    ZONE,
    add_moves,
    symbol_moved,
    symbols_on,
    verdict,
)

# Bit s: the symbol beats symbol s. Rock beats scissors, paper rock, scissors paper.
BEATS = np.array([4, 1, 2], np.int64)


def is_quiet(state: State) -> bool:
    """Tell whether no slide or swing, of either side, can land on an enemy token that it beats."""
    upper, lower, rock, paper = state[0], state[1], state[2], state[3]
    return targets_of(upper, lower, rock, paper) | targets_of(lower, upper, rock, paper) == 0


def targets_of(own: int, opp: int, rock: int, paper: int) -> int:
    """Return the enemy tokens that a slide or swing of `own` can take."""
    hexes = 0
    hunter, prey, predator = rock, FULL & ~(rock | paper), paper
    for _ in range(3):
        if own & hunter and opp & prey:
            hexes |= reach(own & hunter, own) & opp & prey
        hunter, prey, predator = predator, hunter, prey
    return hexes


def noisy_moves(state: State, out: Any) -> int:
    """List the moves that land on an enemy token that they beat, on the board before the turn."""
    if verdict(state) != GOES_ON:
        return 0
    own, opp, zone = state[0], state[1], int(ZONE[state[6] & 15])
    start = N_HEXES - zone
    if state[7] != 0:
        own, opp, zone = state[1], state[0], int(ZONE[state[6] >> 4])
        start = 0
    n = 0
    rock, paper = state[2], state[3]
    hunter, prey, predator = rock, FULL & ~(rock | paper), paper
    for _ in range(3):  # rock, paper, scissors: as in THROW_MOVES
        n = add_throws(opp & prey, start, zone, out, n)
        n = add_moves(own & hunter, own, opp & prey, out, n)
        start += N_HEXES
        hunter, prey, predator = predator, hunter, prey
    return n


def add_throws(targets: int, start: int, zone: int, out: Any, n: int) -> int:
    """Add the throws in `zone` entries of the table that land on `targets`; return the new count."""
    if targets == 0:
        return n
    for place in range(start, start + zone):
        if (targets >> (THROW_MOVES[place] & 63)) & 1:
            out[n] = THROW_MOVES[place]
            n += 1
    return n


def move_hint(state: State, move: int) -> int:
    """Prefer landing on prey, avoid landing on a predator or on an own token of another symbol.

    Once Upper has chosen, a search that lets Lower answer also sees what arrives and what it leaves.
    """
    upper, lower, rock, paper = state[0], state[1], state[2], state[3]
    pending, target = state[7], move & 63
    opp = lower if pending == 0 else upper
    symbol = symbol_moved(move >> 6, rock, paper)
    beaten = int(BEATS[symbol])
    stood = symbols_on(1 << target, upper | lower, rock, paper)
    other = stood & ~(1 << symbol)
    hint = 0
    if other != 0 and (pending == 0 or pending >> 6 != target):
        if (opp >> target) & 1 == 0:
            hint = -3
        else:
            hint = 4 if other & beaten else -2
    if pending != 0:
        arriving = 1 << symbol_moved(pending >> 6, rock, paper)
        if pending & 63 == target and arriving & beaten:
            hint += 4
        elif pending & 63 == move >> 6 and arriving & ~(beaten | 1 << symbol):
            hint += 2
    return hint
