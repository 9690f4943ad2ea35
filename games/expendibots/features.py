"""Features of an Expendibots position, seen from the player to move; "ours" is the mover's.

A *cluster* is what goes off together: stacks of either colour linked by steps to one of eight neighbours. It
is own-only, enemy-only or mixed. Features are own minus enemy where not said otherwise. The three one-sided
ones after the pairs are there because the report's formulas look at one side only; with the difference they
also give the other side. `tempo` is the same number in every position: an evaluation's constant term.

Boards are patterns as in `board`. Everything up to `enemies_free` is counting; then come the features that
look at clusters one by one, at distances, and at moves followed by a BOOM.

Long because features share what they count: clusters, distances and reach are found once for all of them."""

from math import log, sqrt
from typing import Any

from tunesmith.games.expendibots.board import (
    NOT_RIGHT,
    NOT_TOP,
    cluster,
    count,
    height_at,
    lowered,
    lowest,
    popcount,
    spread,
)
from tunesmith.games.expendibots.rules import mover, position
from tunesmith.games.game import State

FEATURES_WANTED = -1
STAGES_BY_PHASE = {"cases": ("middle", "near_end", "end"), "smooth": ("full", "empty")}
SMOOTH = 0  # 1: phase "smooth"

# Meanings
MEANINGS = {
    "tokens": "tokens, own minus enemy",
    "token_ratio": "natural logarithm of (own tokens + 1) / (enemy tokens + 1)",
    "stacks": "stacks, own minus enemy",
    "height_2": "stacks of two, own minus enemy",
    "height_3": "stacks of three, own minus enemy",
    "height_4plus": "stacks of four and more, own minus enemy",
    "own_neighbours": "pairs of own stacks on neighbouring squares, minus such enemy pairs",
    "contact": "enemy tokens next to own stacks, minus own tokens next to enemy stacks",
    "edge": "tokens on the rim, own minus enemy",
    "corner": "tokens in the four corners, own minus enemy",
    "advance": "mean number of rows that tokens have left their two home rows, own minus enemy",
    "centre": "summed distance (in steps) of tokens to the centre of the board, enemy minus own",
    "lead_x_distance": "token lead times the distance (in squares) of the two sides' centroids",
    "tempo": "1: the mover has the move",
    "mobility": "pairs of source and target of the moves that the pieces have, own minus enemy",
    "at_risk": "share (0 to 1) of the own tokens that are in mixed clusters, minus the enemy's share",
    "safe_tokens": "own tokens in own-only clusters, minus enemy tokens in enemy-only clusters",
    "enemy_tokens": "enemy tokens",
    "enemies_free": "enemy tokens in enemy-only clusters",
    "own_clusters": "own-only clusters minus enemy-only clusters",
    "friendly_clusters": "own-only clusters",
    "best_boom": "most enemy minus own tokens that one own BOOM takes (at least 0), minus the enemy's",
    "biggest_cluster": "most own tokens in one cluster, minus the enemy's",
    "swarm_distance": "fewest moves of one own stack to touch each enemy-only cluster, summed, minus mirror",
    "own_swarm_distance": "the own half of swarm_distance",
    "boom_reach": "most enemy minus own tokens (at least 0) by a move and a BOOM where it ends, minus mirror",
}
CHEAP = tuple(MEANINGS)[:19]
CLUSTERS = 0b1111 << 19
SWARM = 0b11 << 23
REACH = 1 << 25

# Tables
# Masks with square (7, 7) in them are written as negative numbers: no word may use bit 63 as a positive one.
RIM = ~0x007E7E7E7E7E7E00
CORNERS = ~0x7EFFFFFFFFFFFF7E
# Weighed sums over squares: the masks of squares whose number has bit 0, 1, 2.
FILE_1, FILE_2, FILE_4 = ~0x5555555555555555, ~0x3333333333333333, ~0x0F0F0F0F0F0F0F0F  # x
ROW_1, ROW_2, ROW_4 = ~0x00FF00FF00FF00FF, ~0x0000FFFF0000FFFF, ~0x00000000FFFFFFFF  # y
BOTTOM, TOP = 0xFF, ~0x00FFFFFFFFFFFFFF
# Steps to the nearest of the four middle squares, and one more.
CENTRE_1, CENTRE_2, CENTRE_4 = ~0x5AA55AA5A55AA55A, ~0x3C66C39999C3663C, ~0x00183C7E7E3C1800

LOGARITHMS = tuple(log(tokens + 1) for tokens in range(13))


def constants(phase: str) -> dict[str, object]:
    """Return the constants of this file for another phase."""
    return {"SMOOTH": int(phase == "smooth")}


# Features


def features(state: State, out: Any) -> None:
    """Write the features of `MEANINGS`."""
    p0, p1, p2, p3, own, enemy = position(state)
    a0, a1, a2, a3 = p0 & own, p1 & own, p2 & own, p3 & own
    b0, b1, b2, b3 = p0 & enemy, p1 & enemy, p2 & enemy, p3 & enemy
    own_tokens, own_rim, own_corners, own_rows, own_files, own_steps = sums(a0, a1, a2, a3)
    enemy_tokens, enemy_rim, enemy_corners, enemy_rows, enemy_files, enemy_steps = sums(b0, b1, b2, b3)
    out[0] = float(own_tokens - enemy_tokens)
    out[1] = LOGARITHMS[own_tokens] - LOGARITHMS[enemy_tokens]
    out[2] = float(popcount(own) - popcount(enemy))
    out[3] = float(popcount(a1 & ~(a0 | a2 | a3)) - popcount(b1 & ~(b0 | b2 | b3)))
    out[4] = float(popcount(a0 & a1 & ~(a2 | a3)) - popcount(b0 & b1 & ~(b2 | b3)))
    out[5] = float(popcount(a2 | a3) - popcount(b2 | b3))
    out[6] = float(neighbours(own) - neighbours(enemy))
    out[7] = float(count(b0, b1, b2, b3, spread(own)) - count(a0, a1, a2, a3, spread(enemy)))
    out[8] = float(own_rim - enemy_rim)
    out[9] = float(own_corners - enemy_corners)
    own_ahead = rows_left(a0, a1, a2, a3, mover(state), own_tokens, own_rows)
    enemy_ahead = rows_left(b0, b1, b2, b3, 1 - mover(state), enemy_tokens, enemy_rows)
    out[10] = own_ahead / max(own_tokens, 1) - enemy_ahead / max(enemy_tokens, 1)
    out[11] = float(enemy_steps - own_steps)
    # Centroids are compared as whole numbers, so that images of a position have equal distances to the bit.
    across, along = (
        own_files * enemy_tokens - enemy_files * own_tokens,
        own_rows * enemy_tokens - enemy_rows * own_tokens,
    )
    distance = sqrt(float(across * across + along * along)) / max(own_tokens * enemy_tokens, 1)
    out[12] = (own_tokens - enemy_tokens) * distance
    out[13] = 1.0
    own_moves, own_targets = reach(a0, a1, a2, a3, enemy)
    enemy_moves, enemy_targets = reach(b0, b1, b2, b3, own)
    out[14] = float(own_moves - enemy_moves)
    mixed = mixed_clusters(own, enemy)
    own_safe, enemy_safe = count(a0, a1, a2, a3, ~mixed), count(b0, b1, b2, b3, ~mixed)
    own_risk = (own_tokens - own_safe) / max(own_tokens, 1)
    out[15] = own_risk - (enemy_tokens - enemy_safe) / max(enemy_tokens, 1)
    out[16] = float(own_safe - enemy_safe)
    out[17] = float(enemy_tokens)
    out[18] = float(enemy_safe)
    if FEATURES_WANTED & (CLUSTERS | SWARM):
        own_lumps, enemy_lumps, own_lump, enemy_lump, own_swarm, enemy_swarm = lumps(
            p0, p1, p2, p3, own & ~mixed, enemy & ~mixed, own, enemy
        )
        own_boom, enemy_boom, own_most, enemy_most = blasts(p0, p1, p2, p3, own, enemy, mixed)
        out[19] = float(own_lumps - enemy_lumps)
        out[20] = float(own_lumps)
        out[21] = float(own_boom - enemy_boom)
        out[22] = float(max(own_lump, own_most) - max(enemy_lump, enemy_most))
        if FEATURES_WANTED & SWARM:
            out[23] = float(own_swarm - enemy_swarm)
            out[24] = float(own_swarm)
    if FEATURES_WANTED & REACH:
        own_raid = raid(p0, p1, p2, p3, own, enemy, own_targets & spread(enemy | mixed))
        out[25] = float(own_raid - raid(p0, p1, p2, p3, enemy, own, enemy_targets & spread(own | mixed)))


def neighbours(board: int) -> int:
    """Return the number of pairs of neighbouring squares, each pair once."""
    above = (board >> 8) & NOT_TOP
    return (
        popcount(board & (board >> 1) & NOT_RIGHT)
        + popcount(board & above)
        + popcount(board & (above >> 1) & NOT_RIGHT)
        + popcount((board >> 1) & NOT_RIGHT & above)
    )


def sums(p0: int, p1: int, p2: int, p3: int) -> tuple[int, int, int, int, int, int]:
    """Return of the tokens of one side: how many, on the rim, in corners; the sums of y, x and `CENTRE`."""
    return (
        count(p0, p1, p2, p3, -1),
        count(p0, p1, p2, p3, RIM),
        count(p0, p1, p2, p3, CORNERS),
        weighed(p0, p1, p2, p3, ROW_1, ROW_2, ROW_4),
        weighed(p0, p1, p2, p3, FILE_1, FILE_2, FILE_4),
        weighed(p0, p1, p2, p3, CENTRE_1, CENTRE_2, CENTRE_4),
    )


def weighed(p0: int, p1: int, p2: int, p3: int, ones: int, twos: int, fours: int) -> int:
    """Return the sum over tokens of the numbers that three masks spell in binary."""
    return count(p0, p1, p2, p3, ones) + 2 * count(p0, p1, p2, p3, twos) + 4 * count(p0, p1, p2, p3, fours)


def rows_left(p0: int, p1: int, p2: int, p3: int, side: int, tokens: int, rows: int) -> int:
    """Return the sum over tokens of the rows between each and the two home rows of `side`.

    `rows` is the sum of y; a token on the outer home row stands where it began, not a row behind.
    """
    if side == 0:
        return rows - tokens + count(p0, p1, p2, p3, BOTTOM)
    return 6 * tokens - rows + count(p0, p1, p2, p3, TOP)


def reach(p0: int, p1: int, p2: int, p3: int, enemy: int) -> tuple[int, int]:
    """Return how many pairs of source and target the moves of one side have, and all their targets."""
    moves, targets = 0, 0
    tall = p0 | p1 | p2 | p3  # stacks at least as high as the distance
    for distance in range(1, 8):
        if tall == 0:
            break
        files, rows = (255 >> distance) * 0x0101010101010101, (1 << (64 - 8 * distance)) - 1
        right, left = (tall & files) << distance & ~enemy, (tall >> distance) & files & ~enemy
        up, down = (tall & rows) << 8 * distance & ~enemy, (tall >> 8 * distance) & rows & ~enemy
        moves += popcount(right) + popcount(left) + popcount(up) + popcount(down)
        targets |= right | left | up | down
        p0, p1, p2, p3 = lowered(p0, p1, p2, p3)
        tall = p0 | p1 | p2 | p3
    return moves, targets


def mixed_clusters(own: int, enemy: int) -> int:
    """Return all stacks in mixed clusters."""
    return cluster(own & spread(enemy), own | enemy)


def lumps(
    p0: int, p1: int, p2: int, p3: int, ours: int, theirs: int, own: int, enemy: int
) -> tuple[int, int, int, int, int, int]:
    """Survey the clusters of one colour: how many, most tokens in one, moves until one stack touches each, summed.

    Each for us and for the enemy; the moves to the enemy's clusters are ours. `ours` and `theirs` are the stacks of
    these clusters: they do not touch each other, so that one cluster of each side grows at a time.
    """
    m0, m1, m2, m3 = 0, 0, 0, 0
    if FEATURES_WANTED & SWARM:
        m0, m1, m2, m3 = moves_to(p0 & own, p1 & own, p2 & own, p3 & own, theirs)
        n0, n1, n2, n3 = moves_to(p0 & enemy, p1 & enemy, p2 & enemy, p3 & enemy, ours)
        m0, m1, m2, m3 = m0 | n0, m1 | n1, m2 | n2, m3 | n3
    alone = (ours | theirs) & ~touching(ours | theirs)
    own_lumps, enemy_lumps = popcount(alone & ours), popcount(alone & theirs)
    own_most, enemy_most = highest(p0, p1, p2, p3, alone & ours), highest(p0, p1, p2, p3, alone & theirs)
    own_moves, enemy_moves = count(m0, m1, m2, m3, alone & theirs), count(m0, m1, m2, m3, alone & ours)
    ours, theirs = ours & ~alone, theirs & ~alone
    while ours | theirs != 0:
        seed = spread((ours & -ours) | (theirs & -theirs)) & (ours | theirs)
        lump = cluster(seed, ours | theirs)
        own_lumps += int(ours != 0)
        enemy_lumps += int(theirs != 0)
        own_most = max(own_most, count(p0, p1, p2, p3, lump & ours))
        enemy_most = max(enemy_most, count(p0, p1, p2, p3, lump & theirs))
        own_moves += lowest_height(m0, m1, m2, m3, lump & theirs)
        enemy_moves += lowest_height(m0, m1, m2, m3, lump & ours)
        ours, theirs = ours & ~lump, theirs & ~lump
    return own_lumps, enemy_lumps, own_most, enemy_most, own_moves, enemy_moves


def touching(board: int) -> int:
    """Return the squares next to one of `board`."""
    beside = (board & NOT_RIGHT) << 1 | (board >> 1) & NOT_RIGHT
    board |= beside
    return beside | (board & NOT_TOP) << 8 | (board >> 8) & NOT_TOP


def highest(p0: int, p1: int, p2: int, p3: int, squares: int) -> int:
    """Return the height of the highest stack on `squares`, 0 if there is none."""
    if (p1 | p2 | p3) & squares == 0:
        return int(p0 & squares != 0)
    height = 0
    if p3 & squares != 0:
        squares, height = p3 & squares, 8
    if p2 & squares != 0:
        squares, height = p2 & squares, height + 4
    if p1 & squares != 0:
        squares, height = p1 & squares, height + 2
    return height + int(p0 & squares != 0)


def blasts(p0: int, p1: int, p2: int, p3: int, own: int, enemy: int, mixed: int) -> tuple[int, int, int, int]:
    """Survey the mixed clusters: best gain of a BOOM for us, for the enemy; most own tokens, most enemy."""
    own_gain, enemy_gain, own_most, enemy_most = 0, 0, 0, 0
    while mixed != 0:
        blast = cluster(mixed & -mixed, mixed)
        ours, theirs = count(p0, p1, p2, p3, own & blast), count(p0, p1, p2, p3, enemy & blast)
        own_gain, enemy_gain = max(own_gain, theirs - ours), max(enemy_gain, ours - theirs)
        own_most, enemy_most = max(own_most, ours), max(enemy_most, theirs)
        mixed &= ~blast
    return own_gain, enemy_gain, own_most, enemy_most


def moves_to(p0: int, p1: int, p2: int, p3: int, prey: int) -> tuple[int, int, int, int]:
    """Return height boards of the moves until one stack touches each square of `prey`; none is touched now.

    A stack of height h goes h squares a move, along files and rows; it touches what is one step away. Each
    board below grows by one move a turn: stacks of 1 to 5, and of 6 and more, which no cluster on the board
    tells apart.
    """
    m0, m1, m2, m3 = 0, 0, 0, 0
    if p0 | p1 | p2 | p3 == 0:
        return m0, m1, m2, m3
    by_1, by_2 = spread(p0 & ~(p1 | p2 | p3)), spread(p1 & ~(p0 | p2 | p3))
    tall = p0 & p1 | p2 | p3
    by_3, by_4, by_5, by_6 = 0, 0, 0, 0
    if tall != 0:
        by_3, by_4 = spread(p0 & p1 & ~(p2 | p3)), spread(p2 & ~(p0 | p1 | p3))
        by_5, by_6 = spread(p0 & p2 & ~(p1 | p3)), spread(p3 | p1 & p2)
    while prey != 0:
        carry = prey & m0
        m0 ^= prey
        m3 ^= carry & m1 & m2
        m2 ^= carry & m1
        m1 ^= carry
        by_1, by_2 = stretched(by_1, 1), stretched(by_2, 2)
        if tall != 0:
            by_3, by_4 = stretched(by_3, 3), stretched(by_4, 4)
            by_5, by_6 = stretched(by_5, 5), stretched(by_6, 6)
        prey &= ~(by_1 | by_2 | by_3 | by_4 | by_5 | by_6)
    return m0, m1, m2, m3


def lowest_height(p0: int, p1: int, p2: int, p3: int, squares: int) -> int:
    """Return the least height on `squares`, 0 if there are none."""
    squares = without(squares, p3)
    squares = without(squares, p2)
    squares = without(squares, p1)
    squares = without(squares, p0)
    height = int(p0 & squares != 0) + 2 * int(p1 & squares != 0)
    return height + 4 * int(p2 & squares != 0) + 8 * int(p3 & squares != 0)


def without(squares: int, board: int) -> int:
    """Return the squares that are not on `board`, or all if none is left."""
    left = squares & ~board
    return squares if left == 0 else left


def stretched(board: int, steps: int) -> int:
    """Add to every square those up to `steps` away on its file and on its row.

    After r steps a shift of r + 1 leaves no gap, also where a stretch ends at the edge.
    """
    if board == 0:
        return 0
    across, along = across_by(board, 1), along_by(board, 1)
    if steps > 1:
        shift = min(steps - 1, 2)
        across, along = across_by(across, shift), along_by(along, shift)
    if steps > 3:
        shift = min(steps - 3, 4)  # 7 steps cross the board
        across, along = across_by(across, shift), along_by(along, shift)
    return across | along


def across_by(board: int, shift: int) -> int:
    """Add to every square the two that are `shift` files away."""
    files = (255 >> shift) * 0x0101010101010101
    return board | (board & files) << shift | (board >> shift) & files


def along_by(board: int, shift: int) -> int:
    """Add to every square the two that are `shift` rows away."""
    rows = (1 << (64 - 8 * shift)) - 1
    return board | (board & rows) << 8 * shift | (board >> 8 * shift) & rows


def raid(p0: int, p1: int, p2: int, p3: int, own: int, enemy: int, spots: int) -> int:
    """Return the most tokens that `own` gains by a move to one of `spots` and a BOOM there; 0 if none.

    `spots`: targets of moves that touch a cluster with enemies in it. Those that touch the same one cluster are looked
    at together, those that link clusters one by one.
    """
    stacks = own | enemy
    best = 0
    while spots != 0:
        group = spots & -spots
        touched = spread(group) & stacks
        blast = cluster(touched, stacks)
        near = spots & ~spread(stacks & ~blast)  # what touches no other cluster takes no more
        taken = count(p0, p1, p2, p3, enemy & blast)
        if taken - 1 <= best or blast == cluster(touched & -touched, stacks):
            group = near
        spots &= ~group
        if taken - 1 <= best:
            continue
        inside, outside = own & blast, own & ~blast
        beside = stretched(group, 1)
        gain = taken - count(p0, p1, p2, p3, inside)
        if gain - 1 > best:
            landing = beside & outside
            if landing == 0 and (p1 | p2 | p3) & outside != 0:
                landing = group & reach(p0 & outside, p1 & outside, p2 & outside, p3 & outside, enemy)[1]
            best = gain - 1 if landing != 0 else best  # one token walks in
        inside &= beside | p1 | p2 | p3
        while inside != 0:
            source = inside & -inside
            inside ^= source
            height = height_at(p0, p1, p2, p3, lowest(source))
            landing = group & stretched(source, height) & ~source
            if landing != 0 and height > 1:
                best = max(best, gain)  # some stay, and go off all the same
            if landing != 0 and taken - height > best:
                left = left_behind(p0, p1, p2, p3, enemy, blast & ~source, landing, gain + height)
                best = max(best, left - height)
    return best


def left_behind(p0: int, p1: int, p2: int, p3: int, enemy: int, left: int, landing: int, gain: int) -> int:
    """Return the most enemy minus other tokens of the stacks `left` that a stack takes from one of `landing`.

    It has come from among them, and may have been the link between them; if not, all go off, for `gain`.
    """
    if left == cluster(left & -left, left):
        return gain if landing & spread(left) != 0 else 0
    best = 0
    while landing != 0:
        spot = landing & -landing
        landing ^= spot
        link = cluster(spot, left | spot)
        best = max(best, 2 * count(p0, p1, p2, p3, link & enemy) - count(p0, p1, p2, p3, link))
    return best


# Stages


def stages(state: State, out: Any) -> None:
    """Write 1 for the report's case, asked for the mover, else 0; or how full and how empty the board is."""
    p0, p1, p2, p3, own, enemy = position(state)
    if SMOOTH:
        out[0] = count(p0, p1, p2, p3, own | enemy) / 24
        out[1] = 1.0 - out[0]
        return
    mixed = mixed_clusters(own, enemy)
    enemy_safe = count(p0, p1, p2, p3, enemy & ~mixed)
    end, near_end = 0, 0
    if enemy_safe <= 1:
        own_safe = count(p0, p1, p2, p3, own & ~mixed)
        end, near_end = int(own_safe >= 1 and enemy_safe == 0), int(own_safe >= 2 and enemy_safe == 1)
    out[0] = float(1 - end - near_end)
    out[1] = float(near_end)
    out[2] = float(end)
