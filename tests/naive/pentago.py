"""Pentago the slow way, written from the rules: a board is a dictionary {(row, column): "w" or "b"}.

Rows count from the top, columns from the left, both from 0. Results are "w", "b", "draw" or "-" (goes on)."""

import hashlib
import random
from collections.abc import Iterator

Cell = tuple[int, int]
Board = dict[Cell, str]

CELLS = [(row, column) for row in range(6) for column in range(6)]
WINDOWS = [
    [(row + i * down, column + i * right) for i in range(5)]
    for row, column in CELLS
    for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]
    if 0 <= row + 4 * down < 6 and 0 <= column + 4 * right < 6
]
KINDS = {"twist": "rf", "classic": "rl", "classic-after": "rl"}


def operations(variant: str) -> list[str]:
    if variant == "swap":
        return ["01s", "02s", "03s", "12s", "13s", "23s"]
    return [f"{quadrant}{kind}" for quadrant in range(4) for kind in KINDS[variant]]


def read(text: str) -> Board:
    return {cell: letter for cell, letter in zip(CELLS, text, strict=True) if letter != "."}


def write(board: Board) -> str:
    return "".join(board.get(cell, ".") for cell in CELLS)


def side(board: Board) -> str:
    return "wb"[len(board) % 2]


def other(colour: str) -> str:
    return {"w": "b", "b": "w"}[colour]


def quadrant_of(cell: Cell) -> int:
    return cell[0] // 3 * 2 + cell[1] // 3


def moved(cell: Cell, operation: str) -> Cell:
    """Return where the stone of a cell goes."""
    row, column = cell
    if operation[-1] == "s":
        pair = [int(operation[0]), int(operation[1])]
        if quadrant_of(cell) not in pair:
            return cell
        pair.remove(quadrant_of(cell))
        return pair[0] // 2 * 3 + row % 3, pair[0] % 2 * 3 + column % 3
    if quadrant_of(cell) != int(operation[0]):
        return cell
    up, left = row // 3 * 3, column // 3 * 3
    r, c = row - up, column - left
    new = {"r": (c, 2 - r), "l": (2 - c, r), "f": (r, 2 - c)}[operation[1]]
    return up + new[0], left + new[1]


MOVED = {
    operation: {cell: moved(cell, operation) for cell in CELLS}
    for operation in {*operations("twist"), *operations("classic"), *operations("swap")}
}


def operated(board: Board, operation: str) -> Board:
    return {MOVED[operation][cell]: colour for cell, colour in board.items()}


def has_five(board: Board, colour: str) -> bool:
    own = {cell for cell, found in board.items() if found == colour}
    return len(own) > 4 and any(own.issuperset(window) for window in WINDOWS)


def status(board: Board) -> str:
    white, black = has_five(board, "w"), has_five(board, "b")
    if white or black:
        return "draw" if white and black else "w" if white else "b"
    return "draw" if len(board) == 36 else "-"


def placements(board: Board) -> list[Cell]:
    return [cell for cell in CELLS if cell not in board]


def children(board: Board, variant: str, colour: str = "") -> Iterator[tuple[str, Board, str]]:
    """Yield (move, board, status) of every move of `colour` (default: the side to move)."""
    colour = colour or side(board)
    for cell in placements(board):
        placed = {**board, cell: colour}
        name = "abcdef"[cell[1]] + "123456"[cell[0]]
        if variant == "classic" and has_five(placed, colour):
            yield f"{name}-", placed, colour
            continue
        for operation in operations(variant):
            after = operated(placed, operation)
            yield f"{name}-{operation}", after, status(after)


def winning_moves(board: Board, variant: str, colour: str) -> list[str]:
    return [move for move, _, result in children(board, variant, colour) if result == colour]


def windows_with(board: Board, colour: str, n_own: int, n_opp: int) -> list[list[Cell]]:
    found = []
    for window in WINDOWS:
        stones = [board.get(cell) for cell in window]
        if stones.count(colour) == n_own and stones.count(other(colour)) == n_opp:
            found.append(window)
    return found


def is_split(board: Board, window: list[Cell]) -> bool:
    return any(cell not in board for cell in window[1:4])


def line_kind(window: list[Cell]) -> str:
    """Tell on what line a window lies; "main_diag" are the diagonals of six cells."""
    rows, columns = {row for row, _ in window}, {column for _, column in window}
    if len(rows) == 1 or len(columns) == 1:
        return "middle_lines" if rows in ({1}, {4}) or columns in ({1}, {4}) else "border_lines"
    is_long = all(row == column for row, column in window) or all(row + column == 5 for row, column in window)
    return "main_diag" if is_long else "off_diag"


def place_in_quadrant(cell: Cell) -> str:
    odd = (cell[0] % 3 == 1) + (cell[1] % 3 == 1)
    return ("corners_q", "edges_q", "centres")[odd]


def lines_of_three() -> list[list[Cell]]:
    found = []
    for top, left in [(0, 0), (0, 3), (3, 0), (3, 3)]:
        for i in range(3):
            found.append([(top + i, left + j) for j in range(3)])
            found.append([(top + j, left + i) for j in range(3)])
        found.append([(top + j, left + j) for j in range(3)])
        found.append([(top + j, left + 2 - j) for j in range(3)])
    return found


LINES_OF_THREE = lines_of_three()


def one_sided(board: Board, colour: str, variant: str) -> dict[str, float]:
    """Return what a feature counts for one player before the other's is taken off."""
    found: dict[str, float] = {f"open_{k}": len(windows_with(board, colour, k, 0)) for k in range(1, 5)}
    found["blocked_3"] = len(windows_with(board, colour, 3, 1))
    found["blocked_4"] = len(windows_with(board, colour, 4, 1))
    fours = windows_with(board, colour, 4, 0)
    found["split_4"] = sum(is_split(board, window) for window in fours)
    strong = fours + windows_with(board, colour, 3, 0)
    for kind in ("main_diag", "middle_lines", "border_lines", "off_diag"):
        found[kind] = sum(line_kind(window) == kind for window in strong)
    for place in ("centres", "corners_q", "edges_q"):
        found[place] = sum(place_in_quadrant(cell) == place for cell, own in board.items() if own == colour)
    lines = [[board.get(cell, ".") for cell in line] for line in LINES_OF_THREE]
    found["quad_lines"] = sum(line.count(colour) == 3 for line in lines)
    found["quad_pairs"] = sum(line.count(colour) == 2 and line.count(".") == 1 for line in lines)
    turned = [operated(board, operation) for operation in operations(variant)]
    for k in (3, 4):
        found[f"op_open_{k}"] = max(len(windows_with(after, colour, k, 0)) for after in turned)
    return found


def features(board: Board, variant: str) -> dict[str, float]:
    colour = side(board)
    own, opp = one_sided(board, colour, variant), one_sided(board, other(colour), variant)
    following = list(children(board, variant))
    given = [status for _, after, status in following if has_five(after, other(colour))]
    return {name: own[name] - opp[name] for name in own} | {
        "tempo": 1,
        "empties": 36 - len(board),
        "odd": len(board) % 2,
        "wins_now": sum(status == colour for _, _, status in following),
        "opp_wins_now": len(winning_moves(board, variant, other(colour))),
        "giveaway": len(given) / len(following),
    }


def random_board(rng: random.Random, n_stones: int) -> Board:
    """Scatter stones, as many of each colour as after n plies, some in lines of four; no five."""
    while True:
        board: Board = {}
        left = {"w": (n_stones + 1) // 2, "b": n_stones // 2}
        for colour in rng.sample("wb", rng.randrange(3)):
            for cell in rng.sample(rng.choice(WINDOWS), 4):
                if cell not in board and left[colour]:
                    board[cell] = colour
                    left[colour] -= 1
        rest = ["w"] * left["w"] + ["b"] * left["b"]
        board |= dict(zip(rng.sample(placements(board), len(rest)), rest, strict=True))
        if status(board) == "-":
            return board


def fingerprint(board: Board, variant: str) -> str:
    """Return the first 16 digits of SHA-256 over the sorted lines `move board status` of all moves."""
    lines = sorted(f"{move} {write(after)} {result}" for move, after, result in children(board, variant))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
