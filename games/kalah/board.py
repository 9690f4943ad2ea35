"""The Kalah board: words of seeds, and what sowing does to them.

Each player's seeds are packed into one word, a byte a place: pond 1 lowest, the bank above pond m."""

import numpy as np
import numpy.typing as npt

# Kalah(6,6) from the mover's seat; both players sow to the right in their own row and on around:
#
#            opp   6   5   4   3   2   1   <-
#    opp's bank  | 6 | 6 | 6 | 6 | 6 | 6 |  own bank
#                | 6 | 6 | 6 | 6 | 6 | 6 |
#        ->  own   1   2   3   4   5   6
#
# One lap of the mover: own ponds, own bank, opponent's ponds 1 to m. The opponent's bank is skipped.

Table = npt.NDArray[np.int64]

PONDS = 6
MOST_PONDS = 6
MOST_SEEDS = 255  # on the whole board: a place holds a byte


# Tables


def sowing(ponds: int) -> tuple[Table, Table, Table]:
    """Return what sowing all n seeds of pond i + 1 adds to the two words, and the place of the last seed.

    Entry `256 * i + n` of each table. Places are told by the shift that leads to them: 0 to `BANK` - 8 own ponds,
    `BANK` the own bank, more on the other side, as if that word stood above.
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
            own[256 * start + n] = to_own - (n << 8 * start)
            opp[256 * start + n] = to_opp
            last[256 * start + n] = 8 * place
    return own, opp, last


BANK = 8 * PONDS  # the shift that leads to a bank
POND_MASK = (1 << BANK) - 1
POND_ONES = POND_MASK // 255  # a one in each pond
SOW_OWN, SOW_OPP, SOW_LAST = sowing(PONDS)


def constants(ponds: int) -> dict[str, object]:
    """Return the constants of this file for another board."""
    sow_own, sow_opp, sow_last = sowing(ponds)
    return {
        "PONDS": ponds,
        "BANK": 8 * ponds,
        "POND_MASK": (1 << 8 * ponds) - 1,
        "POND_ONES": ((1 << 8 * ponds) - 1) // 255,
        "SOW_OWN": sow_own,
        "SOW_OPP": sow_opp,
        "SOW_LAST": sow_last,
    }


# Words of seeds


def pond_seeds(word: int) -> int:
    """Return the number of seeds in the ponds of one player, or of both from the sum of their words.

    No sum leaves its byte: the whole board holds at most 255 seeds."""
    word &= POND_MASK
    word = (word & 0xFFFFFF) + (word >> 24)
    return ((word * 0x010101) >> 16) & 255
