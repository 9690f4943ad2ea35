"""Rules of Expendibots: moving stacks, explosions, the end of the game.

A *board* is a set of squares as a 64-bit pattern, bit `8 * y + x` for square (x, y). Compiled, a pattern that
holds square (7, 7) is a negative number, in plain Python it is a large one; so boards are only combined bit
by bit, shifted under a mask, negated, and compared with equality: never added, subtracted or multiplied (an
overflow is undefined in compiled code), never `~` without an `&`. No word of a state uses
bit 63: a state is `(height0, height1, height2, height3, white, rest)` with square (7, 7) cut off. Height
board i holds bit i of the height of each stack, `white` the squares of White, `rest` the five missing bits
(0 to 4), the side to move (bit 5: 0 White, 1 Black) and the plies played (from bit 6)."""

from typing import Any

from games.game import ONGOING, State

#  y
#  7   56 57 58 59 60 61 62 63      Black starts on rows 7 and 6
#  6   48 49 50 51 52 53 54 55
#  5   40 41 42 43 44 45 46 47
#  4   32 33 34 35 36 37 38 39
#  3   24 25 26 27 28 29 30 31
#  2   16 17 18 19 20 21 22 23
#  1    8  9 10 11 12 13 14 15
#  0    0  1  2  3  4  5  6  7      White starts on rows 0 and 1
#       0  1  2  3  4  5  6  7  x

PLY_LIMIT = 500  # 250 turns of each player

NOT_RIGHT = 0x7F7F7F7F7F7F7F7F  # files 0 to 6
NOT_TOP = 0x00FFFFFFFFFFFFFF  # rows 0 to 6
WORD = 0x7FFFFFFFFFFFFFFF  # what a word of a state may use
HOME = 0xDBDB  # rows 0 and 1, files 0, 1, 3, 4, 6, 7


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
    tall = own  # stacks at least as high as the distance
    for distance in range(1, 8):
        files, rows = (255 >> distance) * 0x0101010101010101, (1 << (64 - 8 * distance)) - 1
        n = arrivals(out, n, p0, p1, p2, p3, (tall & files) << distance & ~enemy, -distance)
        n = arrivals(out, n, p0, p1, p2, p3, (tall >> distance) & files & ~enemy, distance)
        n = arrivals(out, n, p0, p1, p2, p3, (tall & rows) << 8 * distance & ~enemy, -8 * distance)
        n = arrivals(out, n, p0, p1, p2, p3, (tall >> 8 * distance) & rows & ~enemy, 8 * distance)
        h0, h1, h2, h3 = lowered(h0, h1, h2, h3)
        tall = h0 | h1 | h2 | h3
        if tall == 0:
            break
    return n


def arrivals(out: Any, n: int, p0: int, p1: int, p2: int, p3: int, targets: int, back: int) -> int:
    """Add the moves to `targets` from the squares `back` of each; return the new number of moves."""
    while targets != 0:
        target = lowest(targets)
        targets ^= targets & -targets
        source = target + back
        for tokens in range(1, height_at(p0, p1, p2, p3, source) + 1):
            out[n] = tokens << 12 | source << 6 | target
            n += 1
    return n


def lowered(p0: int, p1: int, p2: int, p3: int) -> tuple[int, int, int, int]:
    """Return the height boards of all stacks with one token less."""
    borrow = p0 | p1 | p2 | p3
    q0, borrow = p0 ^ borrow, borrow & ~p0
    q1, borrow = p1 ^ borrow, borrow & ~p1
    q2, borrow = p2 ^ borrow, borrow & ~p2
    return q0, q1, q2, p3 ^ borrow


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


def plies(state: State) -> int:
    """Return the number of actions since the start."""
    return state[5] >> 6


def strip_counters(state: State) -> State:
    """Return the state with no plies played, the side to move unchanged."""
    return state[0], state[1], state[2], state[3], state[4], state[5] & 63


def history_key(state: State) -> int:
    """Hash board and side to move into 1 to 2**63 - 1; the same everywhere."""
    key = 0x2545F4914F6CDD1D
    for i in range(5):
        key = mixed(key ^ state[i])
    key = mixed(key ^ (state[5] & 63))
    return key + int(key == 0)


def mixed(key: int) -> int:
    """Scatter the bits of a 63-bit number: no product leaves 63 bits (compiled, an overflow is undefined)."""
    key = (key & 0x7FFFFFFF) * 0x9E3779B1 ^ (key >> 31) * 0x7FEB352D
    key ^= key >> 29
    key = (key & 0x7FFFFFFF) * 0x85EBCA77 ^ (key >> 31) * 0x68E31DA5
    return key ^ key >> 32


def symmetries(state: State, k: int) -> State:
    """Return the position (k = 0), or its mirror image, left and right exchanged (k = 1).

    The rules know all eight symmetries of the square; features such as `advance` know the home rows, so that
    the others would give one table entry to positions of different value.
    """
    if k == 0:
        return state
    p0, p1, p2, p3, white = boards(state)
    return pack(
        mirrored(p0), mirrored(p1), mirrored(p2), mirrored(p3), mirrored(white), mover(state), plies(state)
    )


def symmetric_move(state: State, move: int, k: int) -> int:
    """Return `move` in the k-th image: files 0 to 7 become 7 to 0."""
    return move if k == 0 else move ^ 0o707


def swap_sides(state: State) -> State:
    """Exchange the players and the mover, and turn the board over, so that home rows stay home rows.

    The plies played stay, so their parity no longer tells the mover; the side bit does.
    """
    p0, p1, p2, p3, white = boards(state)
    black = (p0 | p1 | p2 | p3) & ~white
    return pack(
        upended(p0), upended(p1), upended(p2), upended(p3), upended(black), 1 - mover(state), plies(state)
    )


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


def pass_turn(state: State) -> State:
    """Give the move to the other player; a token that steps to and fro comes to the same."""
    return state[0], state[1], state[2], state[3], state[4], state[5] ^ 1 << 5


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


# Boards, and how they lie in a state.


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


def height_at(p0: int, p1: int, p2: int, p3: int, square: int) -> int:
    """Return the height of the stack on `square`, 0 if empty."""
    return (
        (p0 >> square) & 1 | ((p1 >> square) & 1) << 1 | ((p2 >> square) & 1) << 2 | ((p3 >> square) & 1) << 3
    )


def count(p0: int, p1: int, p2: int, p3: int, squares: int) -> int:
    """Return the number of tokens on `squares`."""
    return (
        popcount(p0 & squares)
        + 2 * popcount(p1 & squares)
        + 4 * popcount(p2 & squares)
        + 8 * popcount(p3 & squares)
    )


def popcount(board: int) -> int:
    """Return the number of squares (in this shape the compiler knows a single instruction for it)."""
    n = 0
    while board != 0:
        board ^= board & -board
        n += 1
    return n


def lowest(board: int) -> int:
    """Return the lowest square of a board that is not empty."""
    return popcount(~(board | -board))


def spread(board: int) -> int:
    """Add the eight neighbours of every square."""
    board |= (board & NOT_RIGHT) << 1 | (board >> 1) & NOT_RIGHT
    return board | (board & NOT_TOP) << 8 | (board >> 8) & NOT_TOP


def cluster(seed: int, occupied: int) -> int:
    """Return all squares of `occupied` that go off when those of `seed` do."""
    blast = spread(seed) & occupied
    while blast != seed:
        seed = blast
        blast = spread(seed) & occupied
    return blast


def mirrored(board: int) -> int:
    """Exchange left and right: file x becomes 7 - x."""
    board = (board >> 1) & 0x5555555555555555 | (board & 0x5555555555555555) << 1
    board = (board >> 2) & 0x3333333333333333 | (board & 0x3333333333333333) << 2
    return (board >> 4) & 0x0F0F0F0F0F0F0F0F | (board & 0x0F0F0F0F0F0F0F0F) << 4


def upended(board: int) -> int:
    """Exchange top and bottom: row y becomes 7 - y."""
    board = (board >> 8) & 0x00FF00FF00FF00FF | (board & 0x00FF00FF00FF00FF) << 8
    board = (board >> 16) & 0x0000FFFF0000FFFF | (board & 0x0000FFFF0000FFFF) << 16
    return (board >> 32) & 0x00000000FFFFFFFF | (board & 0x00000000FFFFFFFF) << 32
