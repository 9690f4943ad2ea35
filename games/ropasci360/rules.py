"""Rules of RoPaSci 360: throws, slides, swings, both at once, battles, the end.

A state is `(upper, lower, rock, paper, upper_pile, lower_pile, throws, pending, turns)`:
- masks of the hexes that hold Upper's tokens, Lower's, rocks, papers (of either side); what is neither rock
  nor paper is scissors, for between turns all tokens on one hex have the same symbol;
- the tokens beyond a side's first on a hex (`board`);
- throws made, Upper's in bits 0 to 3, Lower's in bits 4 to 7;
- Upper's choice while Lower has not chosen yet, else 0;
- turns played in bits 0 to 9, `AS_GIVEN` above.
A move is `64 * source + target`: hex numbers, or source 61, 62, 63 to throw a rock, paper, scissors."""

from typing import Any

import numpy as np

from tunesmith.games.bits import mixed
from tunesmith.games.game import ONGOING, State
from tunesmith.games.ropasci360.board import (
    FULL,
    N_HEXES,
    PLACES,
    Table,
    add_to_pile,
    clear_pile,
    hex_number,
    lowest,
    reach,
    reach_from,
    take_from_pile,
)

# The board from the players' seats, with the numbers of a few hexes (all of them: `board`):
#
#                  Upper
#            56  .   .   .  60           r =  4     Upper's first throw
#           42   .   .   .   .  47              3     ... second
#         28   .   .   .   .   .  34            2
#       14   .   .   .   .   .   .  21          1
#     00   .   .   .  04   .   .   .  08        0
#       48   .   .   .   .   .   .  55         -1
#         35   .   .   .   .   .  41           -2
#           22   .   .   .   .  27             -3     ... second
#            09  .   .   .  13                 -4     Lower's first throw
#                  Lower

N_THROWS = 9
MAX_TURNS = 360
ROCK, PAPER, SCISSORS = 0, 1, 2
SYMBOLS = "rps"
THROWN = N_HEXES  # moves from this source on are throws of symbol source - THROWN
TURNS = 1023
# A position given as text in which the end test would already hold: it is tested only after a turn.
AS_GIVEN = 1024

# Hexes a side may throw to, by throws made.
ZONE = np.array([5, 11, 18, 26, 35, 43, 50, 56, 61, 0], np.int64)
# Which of the symbols that meet (bit 0 rock, 1 paper, 2 scissors) live on.
SURVIVORS = np.array([0, 1, 2, 2, 4, 1, 4, 0], np.int64)
# Bit s: the symbol beats symbol s. Rock beats scissors, paper rock, scissors paper.
BEATS = np.array([4, 1, 2], np.int64)


def throw_table() -> Table:
    """Return at `61 * symbol + place` the throw to the hex that is `place`th from Lower's home row on."""
    numbers = [hex_number(r, q) for r, q in PLACES]
    return np.array([(THROWN + symbol) * 64 + number for symbol in range(3) for number in numbers], np.int64)


THROW_MOVES = throw_table()

# How a turn left the game, and what that means for Upper.
GOES_ON, NOTHING_LEFT, UPPER_OUT, LOWER_OUT, BOTH_INVINCIBLE, UPPER_INVINCIBLE, LOWER_INVINCIBLE = range(7)
OUTCOMES = np.array([ONGOING, 0, -1, 1, 0, 1, -1], np.int64)
REASONS = (
    "ongoing",
    "nothing_left",
    "out_of_everything",
    "out_of_everything",
    "both_invincible",
    "invincible",
    "invincible",
)


# Play


def initial() -> State:
    """Return the empty board."""
    return 0, 0, 0, 0, 0, 0, 0, 0, 0


def legal_moves(state: State, out: Any) -> int:
    """List throws, slides and swings of the side that chooses, on the board before the turn."""
    if verdict(state) != GOES_ON:
        return 0
    own, zone = state[0], int(ZONE[state[6] & 15])
    first = N_HEXES - zone
    if state[7] != 0:
        own, zone = state[1], int(ZONE[state[6] >> 4])
        first = 0
    n = 0
    for symbol in range(3):
        start = N_HEXES * symbol + first
        for place in range(start, start + zone):
            out[n] = THROW_MOVES[place]
            n += 1
    return add_moves(own, own, FULL, out, n)


def add_moves(tokens: int, own: int, targets: int, out: Any, n: int) -> int:
    """Add the slides and swings of `tokens` to `targets` with `own` as pivots; return the new count."""
    while tokens:
        source = lowest(tokens)
        tokens &= tokens - 1
        hexes = reach_from(source, own) & targets
        while hexes:
            out[n] = 64 * source + lowest(hexes)
            hexes &= hexes - 1
            n += 1
    return n


def apply_move(state: State, move: int) -> State:
    """Keep Upper's choice hidden; on Lower's, move both tokens, then fight where they arrive."""
    upper, lower, rock, paper, upper_pile, lower_pile, throws, pending, turns = state
    if pending == 0:
        return upper, lower, rock, paper, upper_pile, lower_pile, throws, move, turns
    upper_source, upper_target = pending >> 6, pending & 63
    lower_source, lower_target = move >> 6, move & 63
    upper_symbol = symbol_moved(upper_source, rock, paper)
    lower_symbol = symbol_moved(lower_source, rock, paper)
    if upper_source >= THROWN:
        throws += 1
    else:
        upper, upper_pile = lift(upper, upper_pile, upper_source)
    if lower_source >= THROWN:
        throws += 16
    else:
        lower, lower_pile = lift(lower, lower_pile, lower_source)
    occupied = upper | lower
    rock &= occupied
    paper &= occupied
    # All that meets on a hex fights at once: who stood there, who arrives, both sides.
    upper_stood = symbols_on(1 << upper_target, occupied, rock, paper)
    lower_stood = symbols_on(1 << lower_target, occupied, rock, paper)
    upper_met = upper_stood | 1 << upper_symbol
    lower_met = lower_stood | 1 << lower_symbol
    if upper_target == lower_target:
        upper_met |= lower_met
        lower_met = upper_met
    upper_live, lower_live = int(SURVIVORS[upper_met]), int(SURVIVORS[lower_met])
    dead = 0
    if upper_stood & ~upper_live:
        dead |= 1 << upper_target
    if lower_stood & ~lower_live:
        dead |= 1 << lower_target
    if dead:
        upper, lower, rock, paper = upper & ~dead, lower & ~dead, rock & ~dead, paper & ~dead
        upper_pile, lower_pile = clear_pile(upper_pile, dead), clear_pile(lower_pile, dead)
    if (upper_live >> upper_symbol) & 1:
        upper, upper_pile = put(upper, upper_pile, upper_target)
        rock, paper = mark(rock, paper, upper_symbol, upper_target)
    if (lower_live >> lower_symbol) & 1:
        lower, lower_pile = put(lower, lower_pile, lower_target)
        rock, paper = mark(rock, paper, lower_symbol, lower_target)
    return upper, lower, rock, paper, upper_pile, lower_pile, throws, 0, (turns & TURNS) + 1


def symbol_moved(source: int, rock: int, paper: int) -> int:
    """Return the symbol that a move from `source` carries."""
    if source >= THROWN:
        return source - THROWN
    return SCISSORS - 2 * ((rock >> source) & 1) - ((paper >> source) & 1)


def symbols_on(hex_mask: int, occupied: int, rock: int, paper: int) -> int:
    """Return the bit of the symbol on a hex, 0 if it is empty."""
    if occupied & hex_mask == 0:
        return 0
    if rock & hex_mask:
        return 1
    return 2 if paper & hex_mask else 4


def lift(tokens: int, pile: int, source: int) -> tuple[int, int]:
    """Take one token from a hex: from the pile if it has one there."""
    if pile != 0:
        less = take_from_pile(pile, source)
        if less != pile:
            return tokens, less
    return tokens & ~(1 << source), pile


def put(tokens: int, pile: int, target: int) -> tuple[int, int]:
    """Put one token on a hex: on the pile if the side is there already."""
    if (tokens >> target) & 1:
        return tokens, add_to_pile(pile, target)
    return tokens | 1 << target, pile


def mark(rock: int, paper: int, symbol: int, target: int) -> tuple[int, int]:
    """Note the symbol on a hex."""
    if symbol == ROCK:
        return rock | 1 << target, paper
    if symbol == PAPER:
        return rock, paper | 1 << target
    return rock, paper


def mover(state: State) -> int:
    """Return who chooses: Upper (0), then, while his choice is hidden, Lower (1)."""
    return 0 if state[7] == 0 else 1


def outcome(state: State) -> int:
    """Judge the position, between turns only."""
    return int(OUTCOMES[verdict(state)])


def end_reason(state: State) -> str:
    """Say why the game is over."""
    return REASONS[verdict(state)]


def verdict(state: State) -> int:
    """Return how the game stands; it goes on while a choice is hidden and in a position just given."""
    if state[7] != 0 or state[8] & AS_GIVEN != 0:
        return GOES_ON
    if state[6] & 15 != N_THROWS and state[6] >> 4 != N_THROWS:
        return GOES_ON
    return judge(state)


def judge(state: State) -> int:
    """Return which end condition holds first, in the order of the rules."""
    upper, lower, rock, paper, upper_pile, lower_pile, throws, _, _ = state
    upper_spent = throws & 15 == N_THROWS
    lower_spent = throws >> 4 == N_THROWS
    if upper_spent and lower_spent and upper == 0 and lower == 0:
        return NOTHING_LEFT
    if upper_spent and upper == 0:
        return UPPER_OUT
    if lower_spent and lower == 0:
        return LOWER_OUT
    upper_safe = lower_spent and has_unbeaten(upper, lower, rock, paper)
    lower_safe = upper_spent and has_unbeaten(lower, upper, rock, paper)
    if upper_safe and lower_safe:
        return BOTH_INVINCIBLE
    if upper_safe and lower_pile == 0 and lower & (lower - 1) == 0:
        return UPPER_INVINCIBLE
    if lower_safe and upper_pile == 0 and upper & (upper - 1) == 0:
        return LOWER_INVINCIBLE
    return GOES_ON


def has_unbeaten(own: int, opp: int, rock: int, paper: int) -> bool:
    """Tell whether `own` has a token of a symbol that no token of `opp` beats."""
    flat = rock | paper
    if own & rock and opp & paper == 0:
        return True
    if own & paper and opp & ~flat == 0:
        return True
    return own & ~flat != 0 and opp & rock == 0


# Search. Asked about the board before the turn; only `move_hint` also looks at a hidden choice, because a
# search that lets Lower answer knows it.


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


# Counters and repetition


def history_key(state: State) -> int:
    """Return a hash of tokens and throw counts; 0 (does not count) while a choice is hidden."""
    if state[7] != 0:
        return 0
    key = mixed(state[6] + 1)  # scattered first: bare, throws and the first word would make up for each other
    for index in range(6):
        key = mixed(key ^ state[index])
    return key if key != 0 else 1


def plies(state: State) -> int:
    """Return the choices made: two a turn."""
    return 2 * (state[8] & TURNS) + (0 if state[7] == 0 else 1)


def strip_counters(state: State) -> State:
    """Return the state without the number of turns; a hidden choice stays."""
    upper, lower, rock, paper, upper_pile, lower_pile, throws, pending, turns = state
    return upper, lower, rock, paper, upper_pile, lower_pile, throws, pending, turns & AS_GIVEN


def hide(state: State) -> State:
    """Return the state without a hidden choice: Upper is to choose."""
    upper, lower, rock, paper, upper_pile, lower_pile, throws, _, turns = state
    return upper, lower, rock, paper, upper_pile, lower_pile, throws, 0, turns
