"""Rules of Expendibots: moving stacks, explosions, the end of the game.

Boards are patterns as in `board`. No word of a state uses bit 63: a state is
`(height0, height1, height2, height3, white, rest)` with square (7, 7) cut off. Height
board i holds bit i of the height of each stack, `white` the squares of White, `rest` the five missing bits
(0 to 4), the side to move (bit 5: 0 White, 1 Black) and the plies played (from bit 6)."""

from typing import Any

from tunesmith.games.bits import mixed
from tunesmith.games.expendibots.board import cluster, count, height_at, lowered, lowest, popcount, spread
from tunesmith.games.game import ONGOING, State

PLY_LIMIT = 500  # 250 turns of each player
MOST_MOVES = 176  # the size of a buffer; 171 is the most that a side can have

WORD = 0x7FFFFFFFFFFFFFFF  # what a word of a state may use
HOME = 0xDBDB  # rows 0 and 1, files 0, 1, 3, 4, 6, 7


# Play


def initial() -> State:
    """Return the start position: twelve stacks of one on each side, White to move."""
    return pack(HOME | HOME << 48, 0, 0, 0, HOME, 0, 0)


def legal_moves(state: State, out: Any) -> int:
    """List a BOOM for each own stack, and each MOVE of 1 to all of its tokens, as far as it is high.

    A move is `tokens << 12 | source << 6 | target`; a BOOM moves no tokens and has its target for source.
    """
    p0, p1, p2, p3, own, enemy = position(state)
    n = 0
    if own == 0 or enemy == 0 or plies(state) >= PLY_LIMIT:
        return n
    booms = own
    while booms != 0:
        out[n] = lowest(booms) * 65
        booms ^= booms & -booms
        n += 1
    h0, h1, h2, h3 = p0 & own, p1 & own, p2 & own, p3 & own
    two, three = h1 | h2 | h3, h0 & h1 | h2 | h3  # stacks of two and more, three and more
    tall = own  # stacks at least as high as the distance
    for distance in range(1, 8):
        for turn in range(4):  # right, left, up, down
            by, edge = distance, (255 >> distance) * 0x0101010101010101
            if turn >= 2:
                by, edge = 8 * distance, (1 << (64 - 8 * distance)) - 1
            if turn & 1 == 0:
                targets, twos, threes, back = (tall & edge) << by & ~enemy, two << by, three << by, -by
            else:
                targets, twos, threes, back = (tall >> by) & edge & ~enemy, two >> by, three >> by, by
            n = arrivals(out, n, targets, twos, threes, back, p0, p1, p2, p3)
        h0, h1, h2, h3 = lowered(h0, h1, h2, h3)
        tall = h0 | h1 | h2 | h3
        if tall == 0:
            break
    return n


def arrivals(
    out: Any, n: int, targets: int, twos: int, threes: int, back: int, p0: int, p1: int, p2: int, p3: int
) -> int:
    """Add the moves to `targets` from the squares `back` of each; return the new number of moves.

    `twos` and `threes` are where stacks of so many tokens and more would arrive. The masks of indices change nothing:
    compiled, an index is faster if it cannot be negative.
    """
    first = (64 + back) << 6  # one token to square 0
    n &= 255
    if targets & twos == 0:
        while targets != 0:
            out[n] = first + 65 * lowest(targets)
            targets ^= targets & -targets
            n += 1
    while targets != 0:
        target = lowest(targets)
        targets ^= targets & -targets
        move = first + 65 * target
        more = (twos >> target) & 1
        out[(n + more) & 255] = move + (1 << 12)
        out[n & 255] = move  # on top of the line before, if the stack is a single token: no branch to guess
        n += 1 + more
        if (threes >> target) & 1 != 0:
            left = (1 << height_at(p0, p1, p2, p3, target + back)) >> 3  # a bit for each further move
            while left != 0:
                left >>= 1
                move += 1 << 12
                out[n] = move + (1 << 12)
                n += 1
    return n


def apply_move(state: State, move: int) -> State:
    """Explode the cluster of the source, or move tokens; pass the turn and count the ply."""
    p0, p1, p2, p3, white = boards(state)
    side = mover(state)
    tokens, source, target = move >> 12, (move >> 6) & 63, move & 63
    if tokens == 0:
        keep = ~cluster(1 << source, p0 | p1 | p2 | p3)
        return pack(p0 & keep, p1 & keep, p2 & keep, p3 & keep, white & keep, 1 - side, plies(state) + 1)
    left = height_at(p0, p1, p2, p3, source) - tokens
    grown = height_at(p0, p1, p2, p3, target) + tokens
    keep = ~(1 << source | 1 << target)
    p0 = (p0 & keep) | (left & 1) << source | (grown & 1) << target
    p1 = (p1 & keep) | ((left >> 1) & 1) << source | ((grown >> 1) & 1) << target
    p2 = (p2 & keep) | ((left >> 2) & 1) << source | ((grown >> 2) & 1) << target
    p3 = (p3 & keep) | ((left >> 3) & 1) << source | ((grown >> 3) & 1) << target
    if side == 0:
        white = (white & keep) | int(left != 0) << source | 1 << target
    return pack(p0, p1, p2, p3, white, 1 - side, plies(state) + 1)


def mover(state: State) -> int:
    """Return who moves: 0 White, 1 Black."""
    return (state[5] >> 5) & 1


def outcome(state: State) -> int:
    """Ask who has tokens left: nobody is a draw, one side alone has won, whoever moved last."""
    p0, p1, p2, p3, white = boards(state)
    black = (p0 | p1 | p2 | p3) & ~white
    if white != 0 and black != 0:
        return ONGOING
    return int(white != 0) - int(black != 0)


def end_reason(state: State) -> str:
    """Say why the game is over: `no_tokens` on the board (a draw), or `tokens` of one side only (a win)."""
    return "no_tokens" if outcome(state) == 0 else "tokens"


# Search


def is_quiet(state: State) -> bool:
    """Tell whether no BOOM of the mover gains tokens or wins (see `noisy_moves`)."""
    p0, p1, p2, p3, own, enemy = position(state)
    touched = own & spread(enemy)
    while touched != 0:
        blast = cluster(touched & -touched, own | enemy)
        if is_good_blast(p0, p1, p2, p3, own, enemy, blast):
            return False
        touched &= ~blast
    return True


def noisy_moves(state: State, out: Any) -> int:
    """List one BOOM of each cluster that takes more enemy than own tokens, or takes the last of them."""
    p0, p1, p2, p3, own, enemy = position(state)
    touched = own & spread(enemy)
    n = 0
    while touched != 0 and plies(state) < PLY_LIMIT:
        blast = cluster(touched & -touched, own | enemy)
        if is_good_blast(p0, p1, p2, p3, own, enemy, blast):
            out[n] = lowest(touched) * 65
            n += 1
        touched &= ~blast
    return n


def is_good_blast(p0: int, p1: int, p2: int, p3: int, own: int, enemy: int, blast: int) -> bool:
    """Tell whether losing the cluster `blast` gains tokens, or wins."""
    if count(p0, p1, p2, p3, enemy & blast) > count(p0, p1, p2, p3, own & blast):
        return True
    return enemy & ~blast == 0 and own & ~blast != 0


def move_hint(state: State, move: int) -> int:
    """Order BOOMs by tokens gained, the losing ones last; then moves by enemy stacks the target touches."""
    p0, p1, p2, p3, own, enemy = position(state)
    tokens, target = move >> 12, move & 63
    if tokens != 0:
        return 16 * popcount(spread(1 << target) & enemy) + tokens
    if own & spread(enemy) == 0:
        return -256  # no cluster is mixed
    blast = cluster(1 << target, own | enemy)
    if own & ~blast == 0 or enemy & ~blast == 0:
        return 4096 * (int(own & ~blast != 0) - int(enemy & ~blast != 0))
    gain = count(p0, p1, p2, p3, enemy & blast) - count(p0, p1, p2, p3, own & blast)
    return 256 * gain - 128 * int(gain <= 0)


def pass_turn(state: State) -> State:
    """Give the move to the other player; a token that steps to and fro comes to the same."""
    return state[0], state[1], state[2], state[3], state[4], state[5] ^ 1 << 5


# Counters and repetition


def history_key(state: State) -> int:
    """Hash board and side to move into 1 to 2**63 - 1; the same everywhere."""
    key = 0x2545F4914F6CDD1D
    for i in range(5):
        key = mixed(key ^ state[i])
    key = mixed(key ^ (state[5] & 63))
    return key + int(key == 0)


def plies(state: State) -> int:
    """Return the number of moves since the start."""
    return state[5] >> 6


def strip_counters(state: State) -> State:
    """Return the state with no plies played, the side to move unchanged."""
    return state[0], state[1], state[2], state[3], state[4], state[5] & 63


# The words of a state


def boards(state: State) -> tuple[int, int, int, int, int]:
    """Return the four height boards and White's."""
    rest = state[5]
    return (
        state[0] | (rest & 1) << 63,
        state[1] | ((rest >> 1) & 1) << 63,
        state[2] | ((rest >> 2) & 1) << 63,
        state[3] | ((rest >> 3) & 1) << 63,
        state[4] | ((rest >> 4) & 1) << 63,
    )


def pack(p0: int, p1: int, p2: int, p3: int, white: int, side: int, n_plies: int) -> State:
    """Return the state of the boards given; inverse of `boards`, `mover` and `plies`."""
    corner = (
        (p0 >> 63) & 1
        | ((p1 >> 63) & 1) << 1
        | ((p2 >> 63) & 1) << 2
        | ((p3 >> 63) & 1) << 3
        | ((white >> 63) & 1) << 4
    )
    return p0 & WORD, p1 & WORD, p2 & WORD, p3 & WORD, white & WORD, corner | side << 5 | n_plies << 6


def position(state: State) -> tuple[int, int, int, int, int, int]:
    """Return the four height boards, the mover's board, and the opponent's."""
    p0, p1, p2, p3, white = boards(state)
    black = (p0 | p1 | p2 | p3) & ~white
    if mover(state) == 0:
        return p0, p1, p2, p3, white, black
    return p0, p1, p2, p3, black, white
