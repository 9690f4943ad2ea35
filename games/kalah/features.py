"""Features of a Kalah position, seen from the player to move. Differences are own minus opponent's.

Left out, because others say the same exactly (a regression could not tell them apart):
- ponds 1 to m one by one add up to `ponds`, so the last one, `pond_m`, is not listed: it weighs `ponds`;
  seeds near the bank, far from it, and in pond 1 are sums of these too;
- the number of free turns is the sum of `free_turn_by_pond_*`;
- own empty ponds facing seeds, minus the opponent's, is `-mobility`;
- seeds missing to a majority differ by `-bank` until the game is decided: `need` is their share of the seeds
  still in ponds instead."""

from typing import Any

import numpy as np

from tunesmith.games.game import State
from tunesmith.games.kalah.board import BANK, POND_ONES, PONDS, Table, pond_seeds, sowing
from tunesmith.games.kalah.rules import EMPTY_CAPTURE

FEATURES_WANTED = -1
STAGES = ("opening", "ending")


# Meanings


def meanings(ponds: int) -> dict[str, str]:
    """Return a line of meaning for each feature, in the order of `features`."""
    numbers = range(1, ponds + 1)
    return {
        "bank": "seeds banked, own minus opponent's",
        "ponds": "seeds in ponds, own minus opponent's",
        "won": "1 if the own bank is above half of all seeds, -1 if the opponent's is, else 0",
        "tempo": "1 for having the move, 0 once a bank is above half of all seeds",
        "need": "share (0 to 1) of the seeds in ponds needed to pass half of all, own minus opponent's",
        "last_pond_free": f"pond {ponds} holds exactly one seed, own minus opponent's",
        **{f"pond_{i}": f"seeds in pond {i}, own minus opponent's" for i in numbers[:-1]},
        **{f"free_turn_by_pond_{i}": f"pond {i} ends in the bank, own minus opponent's" for i in numbers},
        "best_capture": "most seeds the mover can bank by one capture, the capturing seed included",
        "captures": "moves that capture, own minus opponent's",
        "exposed": "most seeds the opponent could capture in one move if it were his turn",
        "lap_ponds": f"ponds with exactly {2 * ponds + 1} seeds (a sure capture), own minus opponent's",
        "mobility": "ponds that are not empty, own minus opponent's",
        "overflow": "seeds that a move would sow on the other side, over all ponds, own minus opponent's",
        "biggest": "seeds in the fullest pond, own minus opponent's",
    }


def cheap(ponds: int) -> tuple[str, ...]:
    """Return the features that need no look at single moves: those before the free turns."""
    return tuple(meanings(ponds))[: 5 + ponds]


# Tables

ROUND, EMPTY, LAP = 3, 6, 7  # bits of the byte of a pond in a tally
TURNS, OVERFLOW = 48, 6  # from which bits on a tally holds free turns, and those hold overflow
# At `6 * turns + i`: bit i of the turns, which costs less to look up than to cut out and make a float of.
FREE_TURNS = np.array([(turns >> i) & 1 for turns in range(64) for i in range(6)], np.float64)


def tallies(ponds: int) -> Table:
    """Return what n seeds in pond i + 1 count for, in entry `256 * i + n`.

    Counts are packed, so that one addition a pond sums them all. The byte of each pond, pond 1 lowest: in bits 0 to 2
    the moves whose last seed falls there without leaving the own side, in bits 3 to 5 those that come round to it, in
    bit 6 whether it is empty, in bit 7 whether it holds a lap. Above the bytes: free turns, a bit a pond; overflow.
    """
    lap = 2 * ponds + 1
    _, to_opp, last = sowing(ponds)
    counts = np.zeros(256 * ponds, np.int64)
    for start in range(ponds):
        counts[256 * start] = 1 << 8 * start + EMPTY
        for n in range(1, 256):
            entry = 256 * start + n
            place = int(last[entry]) // 8
            overflow = sum(int(to_opp[entry]).to_bytes(8, "little"))
            counts[entry] = ((overflow << OVERFLOW) + (int(place == ponds) << start)) << TURNS
            if n == lap:
                counts[entry] += 1 << 8 * place + LAP
            elif n < lap and place < ponds:
                counts[entry] += 1 << 8 * place + (0 if n + start < ponds else ROUND)
    return counts


def dear(ponds: int) -> int:
    """Return the mask of the features that are not cheap."""
    return ((1 << len(meanings(ponds))) - 1) & -(1 << len(cheap(ponds)))


TALLIES = tallies(PONDS)
DEAR = dear(PONDS)


def constants(ponds: int) -> dict[str, object]:
    """Return the constants of this file for another board."""
    return {"TALLIES": tallies(ponds), "DEAR": dear(ponds)}


# Features


def features(state: State, out: Any) -> None:
    """Write the features of `meanings`."""
    own, opp = state[0], state[1]
    own_bank, opp_bank = own >> BANK, opp >> BANK
    own_seeds, opp_seeds = pond_seeds(own), pond_seeds(opp)
    open_seeds = own_seeds + opp_seeds
    majority = (own_bank + opp_bank + open_seeds) // 2 + 1
    won = int(own_bank >= majority) - int(opp_bank >= majority)
    own_need = min(max(majority - own_bank, 0), open_seeds)
    opp_need = min(max(majority - opp_bank, 0), open_seeds)
    out[0] = float(own_bank - opp_bank)
    out[1] = float(own_seeds - opp_seeds)
    out[2] = float(won)
    out[3] = float(1 - won * won)
    out[4] = (own_need - opp_need) / max(open_seeds, 1)
    out[5] = float(int((own >> (BANK - 8)) & 255 == 1) - int((opp >> (BANK - 8)) & 255 == 1))
    for i in range(PONDS - 1):
        out[6 + i] = float(((own >> 8 * i) & 255) - ((opp >> 8 * i) & 255))
    if not FEATURES_WANTED & DEAR:
        return
    # Those that depend on single moves; here, because a function of its own would take the words apart again.
    own_tally, own_biggest = survey(own)
    opp_tally, opp_biggest = survey(opp)
    own_captures, own_best = 0, 0
    if landings(own_tally) != 0:
        own_captures, own_best = captures(landings(own_tally), opp)
    opp_captures, opp_best = 0, 0
    if landings(opp_tally) != 0:
        opp_captures, opp_best = captures(landings(opp_tally), own)
    own_turns, opp_turns = own_tally >> TURNS, opp_tally >> TURNS
    own_row, opp_row = (own_turns & 63) * 6, (opp_turns & 63) * 6
    at = 5 + PONDS
    for i in range(PONDS):
        out[at + i] = FREE_TURNS[own_row + i] - FREE_TURNS[opp_row + i]
    at += PONDS
    out[at] = float(own_best)
    out[at + 1] = float(own_captures - opp_captures)
    out[at + 2] = float(max(opp_best - 1, 0))
    out[at + 3] = float(ponds_with(own_tally, LAP) - ponds_with(opp_tally, LAP))
    out[at + 4] = float(ponds_with(opp_tally, EMPTY) - ponds_with(own_tally, EMPTY))
    out[at + 5] = float((own_turns >> OVERFLOW) - (opp_turns >> OVERFLOW))
    out[at + 6] = float(own_biggest - opp_biggest)


def survey(word: int) -> tuple[int, int]:
    """Return the tally of one player's ponds, and the seeds of the fullest."""
    tally, biggest = 0, 0
    for i in range(PONDS):
        n = (word >> 8 * i) & 255
        tally += int(TALLIES[256 * i + n])
        biggest = max(biggest, n)
    return tally, biggest


def landings(tally: int) -> int:
    """Return the bytes of the ponds that a last seed finds empty: empty ones, and one with a lap for its own."""
    return tally & (((tally >> EMPTY) & POND_ONES) * 63 | POND_ONES << LAP)


def captures(places: int, facing: int) -> tuple[int, int]:
    """Return how many moves capture, and the most seeds, from the `landings` of a player and the other's word."""
    n_captures, best = 0, 0
    for i in range(PONDS):
        moves = (places >> 8 * i) & 255
        if moves != 0:
            seeds = (facing >> (BANK - 8 - 8 * i)) & 255
            if moves >> ROUND != 0:  # a seed was sown on the other side before
                n_captures += ((moves >> ROUND) & 7) + (moves >> LAP)
                best = max(best, seeds + 2)
            if moves & 7 != 0 and (seeds != 0 or EMPTY_CAPTURE):
                n_captures += moves & 7
                best = max(best, seeds + 1)
    return n_captures, best


def ponds_with(tally: int, bit: int) -> int:
    """Return the number of ponds whose byte of a tally has a bit: modulo 255, where 256 is 1, bytes add up."""
    return ((tally >> bit) & POND_ONES) % 255


# Stages


def stages(state: State, out: Any) -> None:
    """Write the share of all seeds that are still in ponds, and the rest."""
    own, opp = state[0], state[1]
    open_seeds = pond_seeds(own) + pond_seeds(opp)
    out[0] = open_seeds / max(open_seeds + (own >> BANK) + (opp >> BANK), 1)
    out[1] = 1.0 - out[0]
