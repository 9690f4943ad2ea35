"""Features of a RoPaSci 360 position, seen from the side that chooses. Differences are own minus enemy.

The *prey* of a token are enemy tokens that it beats, its *predators* enemy tokens that beat it. Tokens are
counted one by one, also where several share a hex. While a choice is hidden the board is the one before the
turn. A distance counts hexes; the board is 8 wide.

Left out, because others say the same exactly: tokens captured minus lost is `tokens` + `throws`; the depth of
the throw zone is 10 minus throws left. A tempo means nothing where both choose at once."""

from typing import Any

from tunesmith.games.game import State
from tunesmith.games.ropasci360.board import (
    DISTANCES,
    EDGE,
    FULL,
    NEXT_TO,
    ROW,
    ROW_BITS,
    ROWS_FROM,
    count_pile,
    count_tokens,
    lowest,
    mobility_and_pairs,
    popcount,
    reach,
    reach_from,
)
from tunesmith.games.ropasci360.rules import N_THROWS

FEATURES_WANTED = -1
STAGES = ("throwing", "moving")

# Meanings
MEANINGS = {
    "tokens": "tokens on the board, own minus enemy",
    "throws": "throws left, own minus enemy",
    "zone_targets": "enemy tokens in the own throw zone (no throws left: 0), minus the mirror",
    "symbol_deficit": "enemy tokens beyond the own tokens they beat, by symbol; negative, plus the mirror",
    "unanswered": "tokens of symbols that nothing on the board beats, own minus enemy",
    "invincible": "1 if the enemy has no throws left and nothing that beats an own symbol, minus the mirror",
    "near_invincible": "own symbols unbeaten on the board / (1 + enemy throws left), minus the mirror",
    "duplicates": "own tokens beyond the first of each symbol; negative, plus the mirror",
    "stacked": "own tokens that share a hex with an own token; negative, plus the mirror",
    "edge": "own tokens on the edge of the board; negative, plus the mirror",
    "advance": "mean number of rows from the home row (0 to 8; no tokens: 0), own minus enemy",
    "last_throw_kept": "1 if exactly one own throw is left and the enemy has none, minus the mirror",
    "mobility": "distinct slides and swings, own minus enemy",
    "pairs": "pairs of adjacent own hexes (swing partners), own minus enemy",
    "attack_mean": "1 - d / 8, d mean distance of own tokens to the nearest prey (none: 0), minus the mirror",
    "attack_min": "1 - d / 8, d least distance from an own token to its prey (none: 0), minus the mirror",
    "attack_now": "prey that a slide or swing can land on, minus own tokens that predators can land on",
    "attack_two": "prey within two moves of one token, the others standing still, minus the mirror",
    "guarded": "attacked own tokens on whose hex an own token can beat the attacker next, minus the mirror",
    "cluster_variety": "different symbols - 1, summed over clusters of adjacent own hexes, minus the mirror",
}

# The rest costs more: masks of the features of each group (bit i = feature i).
CHEAP = tuple(MEANINGS)[:14]
DISTANCES_WANTED = 0b11 << 14
REACH_WANTED = 0b111 << 16
CLUSTERS_WANTED = 1 << 19


# Features


def features(state: State, out: Any) -> None:
    """Write the features of `MEANINGS`."""
    own, opp, rock, paper, own_pile, opp_pile, throws, pending, _ = state
    own_left, opp_left = N_THROWS - (throws & 15), N_THROWS - (throws >> 4)
    if pending != 0:
        own, opp, own_pile, opp_pile, own_left, opp_left = opp, own, opp_pile, own_pile, opp_left, own_left
    count(own, opp, rock, paper, own_pile, opp_pile, own_left, opp_left, pending != 0, out)
    own_moves, own_pairs = mobility_and_pairs(own)
    opp_moves, opp_pairs = mobility_and_pairs(opp)
    out[12] = float(own_moves - opp_moves)
    out[13] = float(own_pairs - opp_pairs)
    own_least, opp_least = 0, 0
    if FEATURES_WANTED & DISTANCES_WANTED:
        own_mean, own_least = approach(own, opp, rock, paper, own_pile)
        opp_mean, opp_least = approach(opp, own, rock, paper, opp_pile)
        out[14] = own_mean - opp_mean
        out[15] = (opp_least - own_least) / 8.0
    if FEATURES_WANTED & REACH_WANTED:
        if min(own_least, opp_least) <= 4:  # hexes: as far as two moves lead
            threats(own, opp, rock, paper, own_pile, opp_pile, out)
        else:
            out[16], out[17], out[18] = 0.0, 0.0, 0.0
    if FEATURES_WANTED & CLUSTERS_WANTED:
        own_variety = variety(own, own & rock, own & paper) if own_pairs != 0 else 0
        opp_variety = variety(opp, opp & rock, opp & paper) if opp_pairs != 0 else 0
        out[19] = float(own_variety - opp_variety)


def count(
    own: int,
    opp: int,
    rock: int,
    paper: int,
    own_pile: int,
    opp_pile: int,
    own_left: int,
    opp_left: int,
    own_is_lower: bool,
    out: Any,
) -> None:
    """Write the features that need no geometry beyond rows: those before `mobility`."""
    if own_is_lower:
        own_zone, opp_zone = lower_zone(own_left), upper_zone(opp_left)
    else:
        own_zone, opp_zone = upper_zone(own_left), lower_zone(opp_left)
    own_n, own_r, own_p, own_rows, own_edge, own_exposed, own_stacked = tally(
        own, rock, paper, own_pile, opp_zone
    )
    opp_n, opp_r, opp_p, opp_rows, opp_edge, opp_exposed, opp_stacked = tally(
        opp, rock, paper, opp_pile, own_zone
    )
    own_s, opp_s = own_n - own_r - own_p, opp_n - opp_r - opp_p
    out[0] = float(own_n - opp_n)
    out[1] = float(own_left - opp_left)
    out[2] = float(opp_exposed - own_exposed)
    own_deficit = max(opp_p - own_r, 0) + max(opp_s - own_p, 0) + max(opp_r - own_s, 0)
    opp_deficit = max(own_p - opp_r, 0) + max(own_s - opp_p, 0) + max(own_r - opp_s, 0)
    out[3] = float(opp_deficit - own_deficit)
    own_free, own_kinds = unbeaten(own_r, own_p, own_s, opp_r, opp_p, opp_s)
    opp_free, opp_kinds = unbeaten(opp_r, opp_p, opp_s, own_r, own_p, own_s)
    out[4] = float(own_free - opp_free)
    out[5] = float(int(opp_left == 0 and own_kinds > 0) - int(own_left == 0 and opp_kinds > 0))
    out[6] = own_kinds / (1.0 + opp_left) - opp_kinds / (1.0 + own_left)
    out[7] = float(opp_n - kinds(opp_r, opp_p, opp_s) - own_n + kinds(own_r, own_p, own_s))
    out[8] = float(opp_stacked - own_stacked)
    out[9] = float(opp_edge - own_edge)
    if own_is_lower:
        opp_rows = 8 * opp_n - opp_rows
    else:
        own_rows = 8 * own_n - own_rows
    out[10] = own_rows / max(own_n, 1) - opp_rows / max(opp_n, 1)
    out[11] = float(int(own_left == 1 and opp_left == 0) - int(opp_left == 1 and own_left == 0))


def tally(
    tokens: int, rock: int, paper: int, pile: int, zone: int
) -> tuple[int, int, int, int, int, int, int]:
    """Count a side's tokens: all, rocks, papers, rows from Lower's home row, on the edge, in `zone`, stacked."""
    n, n_rocks, n_papers = popcount(tokens), popcount(tokens & rock), popcount(tokens & paper)
    rows = 0
    for bit in range(4):
        rows += popcount(tokens & ROW_BITS[bit]) << bit
    on_edge, in_zone = popcount(tokens & EDGE), popcount(tokens & zone)
    n_stacked, last = 0, 0
    while pile:
        digit = pile & 63
        place = digit - 1
        n += 1
        n_rocks += (rock >> place) & 1
        n_papers += (paper >> place) & 1
        rows += int(ROW[place]) + 4
        on_edge += (EDGE >> place) & 1
        in_zone += (zone >> place) & 1
        n_stacked += 1 if digit == last else 2  # the token below the pile
        last = digit
        pile >>= 6
    return n, n_rocks, n_papers, rows, on_edge, in_zone, n_stacked


def lower_zone(left: int) -> int:
    """Return the hexes that Lower may throw to with `left` throws left."""
    if left <= 1:
        return FULL if left == 1 else 0
    return FULL & ~ROWS_FROM[N_THROWS - left]


def upper_zone(left: int) -> int:
    """Return the hexes that Upper may throw to with `left` throws left."""
    if left <= 1:
        return FULL if left == 1 else 0
    return ROWS_FROM[left - 2]


def unbeaten(own_r: int, own_p: int, own_s: int, opp_r: int, opp_p: int, opp_s: int) -> tuple[int, int]:
    """Return how many own tokens no enemy token on the board beats, and how many symbols they have."""
    tokens, symbols = 0, 0
    if opp_p == 0 and own_r > 0:
        tokens, symbols = own_r, 1
    if opp_s == 0 and own_p > 0:
        tokens, symbols = tokens + own_p, symbols + 1
    if opp_r == 0 and own_s > 0:
        tokens, symbols = tokens + own_s, symbols + 1
    return tokens, symbols


def kinds(r: int, p: int, s: int) -> int:
    """Return how many of the counts are not 0."""
    return min(r, 1) + min(p, 1) + min(s, 1)


def approach(own: int, opp: int, rock: int, paper: int, pile: int) -> tuple[float, int]:
    """Return 1 - mean distance / 8 of the tokens that have prey (none: 0), and the least distance (or 8)."""
    total, n, least = 0, 0, 8
    hunter, prey, predator = rock, FULL & ~(rock | paper), paper
    for _ in range(3):
        if opp & prey != 0:
            distances, tokens, nearest = hunt(own & hunter, opp & prey, pile)
            total += distances
            n += tokens
            least = min(least, nearest)
        hunter, prey, predator = predator, hunter, prey
    return (1.0 - total / (8.0 * n) if n > 0 else 0.0), least


def hunt(hunters: int, hunted: int, pile: int) -> tuple[int, int, int]:
    """Return the summed distances from tokens to the nearest of `hunted`, how many these are, and the least (or 8)."""
    total, n, least = 0, 0, 8
    while hunters:
        number = lowest(hunters)
        hunters &= hunters - 1
        prey, d = hunted, 8
        while prey:
            d = min(d, int(DISTANCES[64 * number + lowest(prey)]))
            prey &= prey - 1
        tokens = 1 if pile == 0 else 1 + count_pile(pile, 1 << number)
        total += d * tokens
        n += tokens
        least = min(least, d)
    return total, n, least


def threats(own: int, opp: int, rock: int, paper: int, own_pile: int, opp_pile: int, out: Any) -> None:
    """Write `attack_now`, `attack_two` and `guarded`."""
    taken, lost, taken_in_two, lost_in_two = 0, 0, 0, 0
    own_guarded, opp_guarded = 0, 0
    hunter, prey, predator = rock, FULL & ~(rock | paper), paper
    for _ in range(3):
        own_prey, opp_prey = opp & prey, own & prey
        own_reach, opp_reach = near(own & hunter, own, own_prey), near(opp & hunter, opp, opp_prey)
        taken |= own_reach & own_prey
        lost |= opp_reach & opp_prey
        # What beats the attacker is what the attacked beats: paper, attacked by scissors, is guarded by rock.
        own_guarded |= own_reach & own & predator
        opp_guarded |= opp_reach & opp & predator
        own_reach, opp_reach = further(own_reach, own, own_prey), further(opp_reach, opp, opp_prey)
        taken_in_two |= own_reach & own_prey
        lost_in_two |= opp_reach & opp_prey
        hunter, prey, predator = predator, hunter, prey
    out[16] = float(count_tokens(taken, opp_pile) - count_tokens(lost, own_pile))
    out[17] = float(count_tokens(taken_in_two, opp_pile) - count_tokens(lost_in_two, own_pile))
    guarded, mirror = count_tokens(lost & own_guarded, own_pile), count_tokens(taken & opp_guarded, opp_pile)
    out[18] = float(guarded - mirror)


def near(hunters: int, own: int, prey: int) -> int:
    """Return the hexes within one move of `hunters`; none where there is no prey anyway."""
    return reach(hunters, own) if hunters != 0 and prey != 0 else 0


def further(hexes: int, own: int, prey: int) -> int:
    """Add to hexes within reach the prey one more move away by the same token.

    A token that moves on may not pivot on itself. As if it still stood there, the hex it came from is taken
    for a pivot too: this leads nowhere new, because such a swing ends next to that hex.
    """
    if hexes == 0:
        return 0
    found, rest = hexes, prey & ~hexes
    while rest:
        if reach_from(lowest(rest), own) & hexes != 0:  # moves lead back the same way
            found |= rest & -rest
        rest &= rest - 1
    return found


def variety(own: int, rock: int, paper: int) -> int:
    """Return the number of different symbols less one, summed over clusters of adjacent hexes of `own`.

    `rock` and `paper`: those of `own`, so that the answer is asked for again and again (agents keep it)."""
    rest = own
    total = 0
    while rest:
        cluster, found = 0, rest & -rest
        while found:
            cluster |= found & -found
            found = (found | int(NEXT_TO[lowest(found)])) & rest & ~cluster
        symbols = 1 if cluster & rock else 0
        symbols += 1 if cluster & paper else 0
        symbols += 1 if cluster & ~(rock | paper) else 0
        total += symbols - 1
        rest &= ~cluster
    return total


# Stages


def stages(state: State, out: Any) -> None:
    """Write the share of all throws that are left, and the rest."""
    left = 2 * N_THROWS - (state[6] & 15) - (state[6] >> 4)
    out[0] = left / 18.0
    out[1] = 1.0 - out[0]
