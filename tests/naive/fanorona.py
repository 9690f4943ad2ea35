"""Fanorona stone by stone, from the text of the rules: the obvious twin of games.fanorona.

A point is (column, row) from 0, a board a dict from points to "w" and "b". A move is its text. The list of
pictures is kept as the rules tell it; a position read from a text knows only how long the list was."""

import itertools
import string
from collections import deque
from typing import NamedTuple

DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
OTHER = {"w": "b", "b": "w"}


class Position(NamedTuple):
    width: int
    height: int
    board: dict
    turn: str
    chain: tuple = ()
    pictures: tuple = ()  # the list L; None for a picture that is not known
    result: int | None = None
    reason: str | None = None


def start(width, height):
    board = {}
    for column, row in itertools.product(range(width), range(height)):
        if row != height // 2:
            board[column, row] = "w" if row < height // 2 else "b"
    middle = [column for column in range(width) if column != width // 2]
    for column, colour in zip(middle, itertools.cycle("bw")):
        board[column, height // 2] = colour
    return Position(width, height, board, "w")


def name(point):
    return string.ascii_lowercase[point[0]] + str(point[1] + 1)


def point_of(text):
    return string.ascii_lowercase.index(text[0]), int(text[1:]) - 1


def board_text(position):
    rows = range(position.height - 1, -1, -1)
    columns = range(position.width)
    return "/".join("".join(position.board.get((c, r), ".") for c in columns) for r in rows)


def text(position):
    if position.result is not None:
        return board_text(position) + " - - -"
    chain = "-".join(map(name, position.chain)) or "-"
    return f"{board_text(position)} {position.turn} {chain} {len(position.pictures)}"


def read(line):
    board, turn, chain, quiet = line.split()
    rows = board.split("/")[::-1]
    stones = {(c, r): colour for r, row in enumerate(rows) for c, colour in enumerate(row) if colour != "."}
    visited = () if chain == "-" else tuple(map(point_of, chain.split("-")))
    return Position(len(rows[0]), len(rows), stones, turn, visited, (None,) * int(quiet))


def on_board(position, point):
    return 0 <= point[0] < position.width and 0 <= point[1] < position.height


def ahead(point, direction):
    return point[0] + direction[0], point[1] + direction[1]


def back(point, direction):
    return point[0] - direction[0], point[1] - direction[1]


def directions_at(point):
    column, row = point
    strong = (column + row + 1) % 2 == 1  # column index plus row number is odd
    return [d for d in DIRECTIONS if strong or 0 in d]


def neighbours(position, point):
    found = [ahead(point, d) for d in directions_at(point)]
    return [p for p in found if on_board(position, p)]


def line(board, first, direction, colour):
    """Return the stones of `colour` in a row from `first` on."""
    found = []
    while board.get(first) == colour:
        found.append(first)
        first = ahead(first, direction)
    return found


def steps(position, colour, kinds):
    """Yield (origin, destination, kind, stones taken) of steps of one colour, whatever is compulsory."""
    board, enemy = position.board, OTHER[colour]
    for origin in sorted(p for p, c in board.items() if c == colour):
        for direction in directions_at(origin):
            goal = ahead(origin, direction)
            if not on_board(position, goal) or goal in board:
                continue
            approach = line(board, ahead(goal, direction), direction, enemy)
            withdrawal = line(board, back(origin, direction), (-direction[0], -direction[1]), enemy)
            if approach and "A" in kinds:
                yield origin, goal, "A", approach
            if withdrawal and "W" in kinds:
                yield origin, goal, "W", withdrawal
            if not approach and not withdrawal and "P" in kinds:
                yield origin, goal, "P", []


def direction_between(a, b):
    return b[0] - a[0], b[1] - a[1]


def continuations(position):
    """Return the capturing steps by which the running chain may go on."""
    found, chain = [], position.chain
    for step in steps(position, position.turn, "AW"):
        origin, goal = step[:2]
        if origin != chain[-1] or goal in chain:
            continue
        if direction_between(origin, goal) == direction_between(chain[-2], chain[-1]):
            continue
        found.append(step)
    return found


def legal_steps(position):
    if position.chain:
        return continuations(position)
    captures = list(steps(position, position.turn, "AW"))
    return captures or list(steps(position, position.turn, "P"))


def step_text(step):
    return name(step[0]) + name(step[1]) + step[2]


def legal(position, forced_chain=False):
    if position.result is not None:
        return []
    texts = [step_text(step) for step in legal_steps(position)]
    return sorted(texts + (["stop"] if position.chain and not forced_chain else []))


def moved(board, step):
    """Return the board after a step."""
    origin, goal, _, taken = step
    after = {point: colour for point, colour in board.items() if point not in taken}
    after[goal] = after.pop(origin)
    return after


def play(position, move, draw_rule=True):
    if move == "stop":
        return judged(position._replace(turn=OTHER[position.turn], chain=()))
    step = next(step for step in legal_steps(position) if step_text(step) == move)
    board = moved(position.board, step)
    before = position.pictures
    repeated, too_long = board in before, len(before) > 20
    if step[2] == "P":
        after = position._replace(board=board, turn=OTHER[position.turn], pictures=(*before, board))
    else:
        chain = (position.chain or (step[0],)) + (step[1],)
        after = position._replace(board=board, chain=chain, pictures=())
        if not continuations(after):
            after = after._replace(turn=OTHER[position.turn], chain=())
    if not draw_rule:
        return judged(after._replace(pictures=()))
    if repeated or too_long:
        return after._replace(result=0, reason="repetition" if repeated else "quiet_limit")
    return judged(after)


def judged(position):
    if position.chain or legal_steps(position):
        return position
    return position._replace(result=1 if position.turn == "b" else -1, reason="no_move")


# Features: name -> value for the player to move


def features(position):
    own, enemy = position.turn, OTHER[position.turn]
    mine, theirs = (side_numbers(position, colour) for colour in (own, enemy))
    found = {key: mine[key] - theirs[key] for key in mine}
    n_own, n_enemy = (sum(c == colour for c in position.board.values()) for colour in (own, enemy))
    found["material_rel"] = (n_own - n_enemy) / (n_own + n_enemy)
    found["tempo"] = 1
    found["in_chain"] = int(bool(position.chain))
    found["own_chain"] = mine["best_chain"]
    found["pursuit"] = 0
    if n_own != n_enemy and n_own + n_enemy <= 20:
        stones = [[p for p, c in position.board.items() if c == colour] for colour in (own, enemy)]
        pairs = list(itertools.product(*stones))
        mean = sum(distance(position, a, b) for a, b in pairs) / len(pairs)
        found["pursuit"] = -mean * found["material_rel"]
    return found


def side_numbers(position, colour):
    board, width, height = position.board, position.width, position.height
    stones = [p for p, c in board.items() if c == colour]
    captures = list(steps(position, colour, "AW"))
    near = {p: neighbours(position, p) for p in stones}
    found = {
        "material": len(stones),
        "degree_sum": sum(len(near[p]) for p in stones),
        "strong_points": sum(any(0 not in d for d in directions_at(p)) for p in stones),
        "centre": sum(abs(c - width // 2) <= 1 and abs(r - height // 2) <= 1 for c, r in stones),
        "edge": sum(c in (0, width - 1) or r in (0, height - 1) for c, r in stones),
        "corner": sum(c in (0, width - 1) and r in (0, height - 1) for c, r in stones),
        "mobility": sum(q not in board for p in stones for q in near[p]),
        "capture_steps": len(captures),
        "best_line": max((len(step[3]) for step in captures), default=0),
        "best_chain": best_turn(position, colour),
        "hanging": len(hanging(position, colour)),
        "isolated": sum(all(board.get(q) != colour for q in near[p]) for p in stones),
        "groups": n_groups(position, stones),
        "safe_paikas": 0 if captures else n_safe_paikas(position, colour),
        "blocked": sum(all(q in board for q in near[p]) for p in stones),
    }
    places = folded(width, height)
    for i, place in enumerate(places, 1):
        found[f"pst_{i}"] = sum(fold(point, width, height) == place for point in stones)
    return found


def fold(point, width, height):
    """Return the lowest, leftmost of the points that mirrors make of a point (row, column)."""
    row, column = min(point[1], height - 1 - point[1]), min(point[0], width - 1 - point[0])
    return (min(row, column), max(row, column)) if width == height else (row, column)


def folded(width, height):
    return sorted({fold(point, width, height) for point in itertools.product(range(width), range(height))})


def hanging(position, colour):
    """Return the stones of `colour` that one step of the other side would take."""
    return {p for step in steps(position, OTHER[colour], "AW") for p in step[3]}


def best_turn(position, colour):
    """Return the most stones that `colour` takes in a turn that begins here."""
    best = 0
    for step in steps(position, colour, "AW"):
        after = position._replace(board=moved(position.board, step), turn=colour, chain=step[:2])
        best = max(best, len(step[3]) + best_rest(after))
    return best


def best_rest(position):
    best = 0
    for step in continuations(position):
        after = position._replace(board=moved(position.board, step), chain=(*position.chain, step[1]))
        best = max(best, len(step[3]) + best_rest(after))
    return best


def n_safe_paikas(position, colour):
    boards = [moved(position.board, step) for step in steps(position, colour, "P")]
    return sum(not hanging(position._replace(board=board), colour) for board in boards)


def n_groups(position, stones):
    rest, n = set(stones), 0
    while rest:
        n += 1
        queue = deque([rest.pop()])
        while queue:
            for q in neighbours(position, queue.popleft()):
                if q in rest:
                    rest.remove(q)
                    queue.append(q)
    return n


def distance(position, a, b):
    """Return the number of steps from a to b on an empty board."""
    steps_to, queue = {a: 0}, deque([a])
    while b not in steps_to:
        p = queue.popleft()
        for q in neighbours(position, p):
            if q not in steps_to:
                steps_to[q] = steps_to[p] + 1
                queue.append(q)
    return steps_to[b]


def random_position(rng, width, height):
    """Return a position at the start of a turn: any stones, one of each colour at least."""
    points = list(itertools.product(range(width), range(height)))
    most = len(points) // 2
    counts = [rng.randint(1, rng.choice((2, 4, most))) for _ in "wb"]
    places = rng.sample(points, sum(min(n, most) for n in counts))
    board = {p: "w" if i < min(counts[0], most) else "b" for i, p in enumerate(places)}
    return Position(width, height, board, rng.choice("wb"))
