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
from tunesmith.games.kalah.board import BANK, POND_MASK, POND_ONES, PONDS, Table, pond_seeds, sowing
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


def tables(ponds: int) -> tuple[Table, Table]:
    """Return what n seeds in pond i + 1 count for (entry `256 * i + n`), and where they may capture.

    Counts are packed, so that one addition a pond sums them all: overflow in bits 0 to 7, a free turn in bit
    8 + i, non-empty ponds from bit 16, lap ponds from bit 20. The second table holds the shift that leads to
    the pond where the last seed falls, or to the always empty byte 7 where no capture is possible.
    """
    lap = 2 * ponds + 1
    _, to_opp, last = sowing(ponds)
    counts, landing = np.zeros(256 * ponds, np.int64), np.full(256 * ponds, 56, np.int64)
    for start in range(ponds):
        for n in range(1, 256):
            entry = 256 * start + n
            overflow = sum(int(to_opp[entry]).to_bytes(8, "little"))
            free_turn = int(last[entry] == ponds)
            counts[entry] = overflow + (free_turn << 8 + start) + (1 << 16) + (int(n == lap) << 20)
            if n <= lap and last[entry] < ponds:
                landing[entry] = 8 * last[entry]
    return counts, landing


def dear(ponds: int) -> int:
    """Return the mask of the features that are not cheap."""
    return ((1 << len(meanings(ponds))) - 1) & -(1 << len(cheap(ponds)))


TALLIES, LANDING = tables(PONDS)
DEAR = dear(PONDS)


def constants(ponds: int) -> dict[str, object]:
    """Return the constants of this file for another board."""
    tallies, landing = tables(ponds)
    return {"TALLIES": tallies, "LANDING": landing, "DEAR": dear(ponds)}


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
    if FEATURES_WANTED & DEAR:
        look_at_moves(own & POND_MASK, opp & POND_MASK, out)


def look_at_moves(own: int, opp: int, out: Any) -> None:
    """Write the features that depend on single moves, from the ponds of both players."""
    own_tally, own_captures, own_best, own_biggest = survey(own, opp)
    opp_tally, opp_captures, opp_best, opp_biggest = survey(opp, own)
    at = 5 + PONDS
    for i in range(PONDS):
        out[at + i] = float(((own_tally >> (8 + i)) & 1) - ((opp_tally >> (8 + i)) & 1))
    at += PONDS
    out[at] = float(own_best)
    out[at + 1] = float(own_captures - opp_captures)
    out[at + 2] = float(max(opp_best - 1, 0))
    out[at + 3] = float((own_tally >> 20) - (opp_tally >> 20))
    out[at + 4] = float(((own_tally >> 16) & 15) - ((opp_tally >> 16) & 15))
    out[at + 5] = float((own_tally & 255) - (opp_tally & 255))
    out[at + 6] = float(own_biggest - opp_biggest)


def survey(own: int, opp: int) -> tuple[int, int, int, int]:
    """Return the tally of `own`'s ponds, the number of its captures, the largest, and the fullest pond."""
    empty = (POND_ONES - filled(own)) * 255
    facing = reverse(opp)
    # What a last seed in each pond would bank: without and with seeds sown to the other side before.
    direct = (facing + POND_ONES) & empty
    if not EMPTY_CAPTURE:
        direct &= filled(facing) * 255
    wrapped = facing + 2 * POND_ONES
    tally, captures, best, biggest = 0, 0, 0, 0
    for i in range(PONDS):
        n = (own >> 8 * i) & 255
        tally += int(TALLIES[256 * i + n])
        landing = int(LANDING[256 * i + n])
        targets = direct
        if n + i > PONDS:
            # the pond played is empty when a seed comes back to it
            targets = wrapped & (empty | (255 << 8 * i))
        gain = (targets >> landing) & 255
        captures += int(gain != 0)
        best = max(best, gain)
        biggest = max(biggest, n)
    return tally, captures, best, biggest


def filled(ponds: int) -> int:
    """Return a one in each byte of a pond that is not empty."""
    low = POND_ONES * 127
    return ((((ponds & low) + low) | ponds) >> 7) & POND_ONES


def reverse(ponds: int) -> int:
    """Return the ponds right to left, so that each stands where the other player's facing pond is."""
    turned = 0
    for _ in range(PONDS):
        turned = (turned << 8) | (ponds & 255)
        ponds >>= 8
    return turned


# Stages


def stages(state: State, out: Any) -> None:
    """Write the share of all seeds that are still in ponds, and the rest."""
    own, opp = state[0], state[1]
    open_seeds = pond_seeds(own) + pond_seeds(opp)
    out[0] = open_seeds / max(open_seeds + (own >> BANK) + (opp >> BANK), 1)
    out[1] = 1.0 - out[0]
