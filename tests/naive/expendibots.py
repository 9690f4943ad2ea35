"""Expendibots as its rules sheet tells it: slow, on dictionaries, one question at a time.

A board maps (x, y) to a signed height: White's stacks positive, Black's negative. A position is (board, sign
of the player to move, plies). Actions are texts."""

from collections.abc import Iterator
from math import ceil, dist, log

Square = tuple[int, int]
Board = dict[Square, int]
Position = tuple[Board, int, int]

FILES = ROWS = range(8)
SQUARES = [(x, y) for y in ROWS for x in FILES]
AROUND = {
    (x, y): [(a, b) for a, b in SQUARES if max(abs(a - x), abs(b - y)) == 1] for x, y in SQUARES
}  # the 3 x 3 area without its middle


def read(text: str) -> Position:
    rows, side, turns = text.split()
    board = {}
    for y, row in zip(range(7, -1, -1), rows.split("/"), strict=True):
        for x, letter in enumerate(row):
            if letter in "ABCDEFGHIJKL":
                board[x, y] = "ABCDEFGHIJKL".index(letter) + 1
            if letter in "abcdefghijkl":
                board[x, y] = -"abcdefghijkl".index(letter) - 1
    return board, 1 if side == "white" else -1, int(turns)


def write(position: Position) -> str:
    board, sign, turns = position
    letters = {0: "."} | {n: "ABCDEFGHIJKL"[n - 1] for n in range(1, 13)}
    letters |= {-n: "abcdefghijkl"[n - 1] for n in range(1, 13)}
    rows = ["".join(letters[board.get((x, y), 0)] for x in FILES) for y in range(7, -1, -1)]
    return f"{'/'.join(rows)} {'white' if sign == 1 else 'black'} {turns}"


# Rules


def component(board: Board, square: Square) -> set[Square]:
    """All squares that go off when the stack on `square` does."""
    found, waiting = {square}, [square]
    while waiting:
        for near in AROUND[waiting.pop()]:
            if near in board and near not in found:
                found.add(near)
                waiting.append(near)
    return found


def stacks(board: Board, sign: int) -> Board:
    return {square: abs(height) for square, height in board.items() if height * sign > 0}


def tokens(board: Board, sign: int) -> int:
    return sum(stacks(board, sign).values())


def targets(board: Board, sign: int, source: Square) -> list[Square]:
    x, y = source
    found = []
    for d in range(1, abs(board[source]) + 1):
        for target in ((x + d, y), (x - d, y), (x, y + d), (x, y - d)):
            if target in SQUARES and board.get(target, 0) * sign >= 0:
                found.append(target)
    return found


def is_over(position: Position) -> bool:
    board, _, turns = position
    return turns >= 500 or not (tokens(board, 1) and tokens(board, -1))


def legal(position: Position) -> list[str]:
    board, sign, _ = position
    if is_over(position):
        return []
    actions = []
    for (x, y), height in stacks(board, sign).items():
        actions.append(f"B{x}{y}")
        for to_x, to_y in targets(board, sign, (x, y)):
            actions += [f"M{n:X}:{x}{y}-{to_x}{to_y}" for n in range(1, height + 1)]
    return sorted(actions)


def moved(board: Board, sign: int, n: int, source: Square, target: Square) -> Board:
    board = dict(board)
    board[source] -= n * sign
    if board[source] == 0:
        del board[source]
    board[target] = board.get(target, 0) + n * sign
    return board


def boomed(board: Board, square: Square) -> Board:
    gone = component(board, square)
    return {square: height for square, height in board.items() if square not in gone}


def apply(position: Position, action: str) -> Position:
    board, sign, turns = position
    if action[0] == "B":
        board = boomed(board, (int(action[1]), int(action[2])))
    else:
        n, source, target = (
            int(action[1], 16),
            (int(action[3]), int(action[4])),
            (int(action[6]), int(action[7])),
        )
        board = moved(board, sign, n, source, target)
    return board, -sign, turns + 1


# Features. `sign` is the side whose features they are.


def clusters(board: Board) -> list[set[Square]]:
    found: list[set[Square]] = []
    for square in board:
        if not any(square in cluster for cluster in found):
            found.append(component(board, square))
    return found


def tokens_in(board: Board, sign: int, squares: set[Square]) -> int:
    return sum(height for square, height in stacks(board, sign).items() if square in squares)


def only(board: Board, sign: int) -> list[set[Square]]:
    """Clusters with stacks of `sign` only."""
    return [cluster for cluster in clusters(board) if tokens_in(board, -sign, cluster) == 0]


def safe(board: Board, sign: int) -> int:
    return sum(tokens_in(board, sign, cluster) for cluster in only(board, sign))


def at_risk(board: Board, sign: int) -> float:
    return 1 - safe(board, sign) / tokens(board, sign)


def swarm(board: Board, sign: int) -> int:
    def moves(stack: Square, height: int, square: Square) -> int:
        dx, dy = abs(stack[0] - square[0]), abs(stack[1] - square[1])
        return ceil(max(dx - 1, 0) / height) + ceil(max(dy - 1, 0) / height)

    return sum(
        min(
            moves(stack, height, square)
            for stack, height in stacks(board, sign).items()
            for square in cluster
        )
        for cluster in only(board, -sign)
    )


def gain(board: Board, sign: int, square: Square) -> int:
    """Enemy minus own tokens that a BOOM of `square` takes."""
    return sum(-sign * board[gone] for gone in component(board, square))


def best_boom(board: Board, sign: int) -> int:
    return max([0] + [gain(board, sign, square) for square in stacks(board, sign)])


def boom_reach(board: Board, sign: int) -> int:
    gains = [0]
    for source, height in stacks(board, sign).items():
        for target in targets(board, sign, source):
            for n in range(1, height + 1):
                gains.append(gain(moved(board, sign, n, source, target), sign, target))
    return max(gains)


def biggest_cluster(board: Board, sign: int) -> int:
    return max([0] + [tokens_in(board, sign, cluster) for cluster in clusters(board)])


def own_neighbours(board: Board, sign: int) -> int:
    own = stacks(board, sign)
    return sum(1 for a in own for b in own if a < b and b in AROUND[a])


def contact(board: Board, sign: int) -> int:
    own = stacks(board, sign)
    return sum(
        height for square, height in stacks(board, -sign).items() if any(a in own for a in AROUND[square])
    )


def mobility(board: Board, sign: int) -> int:
    return sum(len(targets(board, sign, source)) for source in stacks(board, sign))


def weighted(board: Board, sign: int) -> Iterator[tuple[int, int]]:
    for (x, y), height in stacks(board, sign).items():
        for _ in range(height):
            yield x, y


def edge(board: Board, sign: int) -> int:
    return sum(1 for x, y in weighted(board, sign) if x in (0, 7) or y in (0, 7))


def corner(board: Board, sign: int) -> int:
    return sum(1 for x, y in weighted(board, sign) if x in (0, 7) and y in (0, 7))


def advance(board: Board, sign: int) -> float:
    """White's home rows are 0 and 1, Black's 7 and 6."""
    rows = [max(0, y - 1) if sign == 1 else max(0, 6 - y) for _, y in weighted(board, sign)]
    return sum(rows) / len(rows)


def off_centre(board: Board, sign: int) -> float:
    return sum(abs(x - 3.5) + abs(y - 3.5) for x, y in weighted(board, sign))


def centroid(board: Board, sign: int) -> tuple[float, float]:
    places = list(weighted(board, sign))
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def heights(board: Board, sign: int, least: int, most: int) -> int:
    return sum(1 for height in stacks(board, sign).values() if least <= height <= most)


def features(position: Position) -> dict[str, float]:
    """All features of the player to move, by name."""
    board, own, _ = position
    enemy = -own
    lead = tokens(board, own) - tokens(board, enemy)
    return {
        "tokens": lead,
        "token_ratio": log((tokens(board, own) + 1) / (tokens(board, enemy) + 1)),
        "stacks": len(stacks(board, own)) - len(stacks(board, enemy)),
        "height_2": heights(board, own, 2, 2) - heights(board, enemy, 2, 2),
        "height_3": heights(board, own, 3, 3) - heights(board, enemy, 3, 3),
        "height_4plus": heights(board, own, 4, 12) - heights(board, enemy, 4, 12),
        "own_neighbours": own_neighbours(board, own) - own_neighbours(board, enemy),
        "contact": contact(board, own) - contact(board, enemy),
        "edge": edge(board, own) - edge(board, enemy),
        "corner": corner(board, own) - corner(board, enemy),
        "advance": advance(board, own) - advance(board, enemy),
        "centre": off_centre(board, enemy) - off_centre(board, own),
        "lead_x_distance": lead * dist(centroid(board, own), centroid(board, enemy)),
        "tempo": 1,
        "mobility": mobility(board, own) - mobility(board, enemy),
        "at_risk": at_risk(board, own) - at_risk(board, enemy),
        "safe_tokens": safe(board, own) - safe(board, enemy),
        "enemy_tokens": tokens(board, enemy),
        "enemies_free": safe(board, enemy),
        "own_clusters": len(only(board, own)) - len(only(board, enemy)),
        "friendly_clusters": len(only(board, own)),
        "best_boom": best_boom(board, own) - best_boom(board, enemy),
        "biggest_cluster": biggest_cluster(board, own) - biggest_cluster(board, enemy),
        "swarm_distance": swarm(board, own) - swarm(board, enemy),
        "own_swarm_distance": swarm(board, own),
        "boom_reach": boom_reach(board, own) - boom_reach(board, enemy),
    }


def stage(position: Position) -> str:
    """The report's case, asked for the player to move."""
    board, own, _ = position
    if safe(board, own) > 0 and safe(board, -own) == 0:
        return "end"
    if safe(board, own) > 1 and safe(board, -own) == 1:
        return "near_end"
    return "middle"


def good_booms(position: Position) -> set[frozenset[Square]]:
    """Clusters that the player to move can blow up with a gain of tokens, or to win."""
    board, own, _ = position
    found = set()
    for square in stacks(board, own):
        left = boomed(board, square)
        wins = tokens(left, own) > 0 and tokens(left, -own) == 0
        if gain(board, own, square) > 0 or wins:
            found.add(frozenset(component(board, square)))
    return found
