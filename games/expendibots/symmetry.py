"""Images of an Expendibots position: left and right exchanged, and the players."""

from tunesmith.games.expendibots.rules import boards, mover, pack, plies
from tunesmith.games.game import State

# Images


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


def mirrored(board: int) -> int:
    """Exchange left and right: file x becomes 7 - x."""
    board = (board >> 1) & 0x5555555555555555 | (board & 0x5555555555555555) << 1
    board = (board >> 2) & 0x3333333333333333 | (board & 0x3333333333333333) << 2
    return (board >> 4) & 0x0F0F0F0F0F0F0F0F | (board & 0x0F0F0F0F0F0F0F0F) << 4


def symmetric_move(state: State, move: int, k: int) -> int:
    """Return `move` in the k-th image: files 0 to 7 become 7 to 0."""
    return move if k == 0 else move ^ 0o707


# Players exchanged


def swap_sides(state: State) -> State:
    """Exchange the players and the mover, and turn the board over, so that home rows stay home rows.

    The plies played stay, so their parity no longer tells the mover; the side bit does.
    """
    p0, p1, p2, p3, white = boards(state)
    black = (p0 | p1 | p2 | p3) & ~white
    return pack(
        upended(p0), upended(p1), upended(p2), upended(p3), upended(black), 1 - mover(state), plies(state)
    )


def upended(board: int) -> int:
    """Exchange top and bottom: row y becomes 7 - y."""
    board = (board >> 8) & 0x00FF00FF00FF00FF | (board & 0x00FF00FF00FF00FF) << 8
    board = (board >> 16) & 0x0000FFFF0000FFFF | (board & 0x0000FFFF0000FFFF) << 16
    return (board >> 32) & 0x00000000FFFFFFFF | (board & 0x00000000FFFFFFFF) << 32
