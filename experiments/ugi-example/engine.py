"""Four in a row on a board of 6 columns and 5 rows, as an engine that speaks UGI: `python engine.py`.

A move is a column, `a` to `f`. A position is the rows from the top, with `.` for an empty cell, and who is to move:
`....../....../....../....../..x... o`. `x` is the first player. The evaluation has three weights, which are options:
`centre` for each stone of the middle columns, `twos` and `threes` for each line of four cells with so many stones of
one side and no other. Depth-first alpha-beta; nodes, depth, times and clocks are heeded."""

import sys
import time

WIDTH, HEIGHT, WON = 6, 5, 10_000
LINES = [
    [(x + i * dx, y + i * dy) for i in range(4)]
    for x in range(WIDTH)
    for y in range(HEIGHT)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    if x + 3 * dx < WIDTH and 0 <= y + 3 * dy < HEIGHT
]
LINES_OF = {(x, y): [line for line in LINES if (x, y) in line] for x in range(WIDTH) for y in range(HEIGHT)}
ORDER = sorted(range(WIDTH), key=lambda column: abs(2 * column - WIDTH + 1))


class OutOfBudget(Exception):
    """The search has to end."""


class Board:
    """Columns from the bottom, and who is to move."""

    def __init__(self, text: str = "") -> None:
        self.columns: list[list[str]] = [[] for _ in range(WIDTH)]
        self.mover, self.last = "x", (-1, -1)
        if text:
            rows, self.mover = text.split()
            for row in reversed(rows.split("/")):
                for column, cell in zip(self.columns, row, strict=True):
                    column += [cell] if cell in "xo" else []

    def at(self, x: int, y: int) -> str:
        return self.columns[x][y] if y < len(self.columns[x]) else "."

    def legal(self) -> list[int]:
        return [x for x in ORDER if len(self.columns[x]) < HEIGHT]

    def play(self, x: int) -> None:
        self.last = (x, len(self.columns[x]))
        self.columns[x].append(self.mover)
        self.mover = "o" if self.mover == "x" else "x"

    def take_back(self, x: int) -> None:
        self.columns[x].pop()
        self.mover = "o" if self.mover == "x" else "x"

    def has_won(self, x: int, y: int) -> bool:
        return any(all(self.at(*cell) == self.at(x, y) for cell in line) for line in LINES_OF[x, y])

    def winner(self) -> str:
        """Return who has four in a row, empty if nobody has."""
        cells = [(x, y) for x in range(WIDTH) for y in range(len(self.columns[x]))]
        return next((self.at(*cell) for cell in cells if self.has_won(*cell)), "")


class Engine:
    """What is said and thought."""

    def __init__(self) -> None:
        self.weights = {"centre": 3, "twos": 2, "threes": 8}
        self.board = Board()
        self.nodes = self.most = 0
        self.deadline = 0.0

    def evaluate(self) -> int:
        """Return the value of the position for the mover."""
        own, board, total = self.board.mover, self.board, 0
        for x in (WIDTH // 2 - 1, WIDTH // 2):
            worth = self.weights["centre"]
            total += sum(worth if cell == own else -worth for cell in board.columns[x])
        for line in LINES:
            cells = [board.at(*cell) for cell in line]
            mine = cells.count(own)
            others = 4 - mine - cells.count(".")
            if not (mine and others) and mine + others >= 2:
                value = self.weights["threes" if mine + others == 3 else "twos"]
                total += value if mine else -value
        return total

    def search(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the value of the position for the mover."""
        self.nodes += 1
        if self.nodes > self.most or (self.deadline and time.perf_counter() > self.deadline):
            raise OutOfBudget
        moves = self.board.legal()
        if ply and self.board.has_won(*self.board.last):
            return ply - WON
        if not moves:
            return 0
        if depth == 0:
            return self.evaluate()
        for x in moves:
            self.board.play(x)
            last = self.board.last
            try:
                value = -self.search(depth - 1, -beta, -alpha, ply + 1)
            finally:
                self.board.take_back(x)
            self.board.last = last
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return alpha

    def go(self, limits: dict[str, int]) -> None:
        """Search deeper and deeper; tell what was found."""
        began, own = time.perf_counter(), "p1" if self.board.mover == "x" else "p2"
        seconds = limits.get("movetime", 0) / 1000
        if own + "time" in limits:
            seconds = limits[own + "time"] / 20_000 + limits.get(own + "inc", 0) / 2000
        self.deadline = began + 0.9 * seconds if seconds else 0.0
        self.nodes, self.most = 0, limits.get("nodes", 10**9)
        best = self.board.legal()[0]
        for depth in range(1, min(limits.get("depth", 42), 42) + 1):
            alpha, found = -WON, best
            try:
                for x in [best, *(move for move in self.board.legal() if move != best)]:
                    self.board.play(x)
                    try:
                        value = -self.search(depth - 1, -WON, -alpha, 1)
                    finally:
                        self.board.take_back(x)
                    if value > alpha:
                        alpha, found = value, x
            except OutOfBudget:
                break
            best, used = found, round(1000 * (time.perf_counter() - began))
            say(f"info depth {depth} score cp {alpha} time {used} nodes {self.nodes} pv {'abcdef'[best]}")
            if abs(alpha) > WON // 2:
                break
        say(f"bestmove {'abcdef'[best]}")

    def position(self, rest: str) -> None:
        """Go to a position; a move that is not legal leaves the one before it."""
        start, _, moves = f"{rest} ".partition(" moves ")
        board = Board(start.removeprefix("fen").strip() if start.startswith("fen") else "")
        for move in moves.split():
            x = "abcdef".find(move)
            if x not in board.legal() or board.winner():
                say(f"info string illegal move {move}")
                return
            board.play(x)
        self.board = board

    def query(self, question: str) -> str:
        """Return whose turn it is, whether the game is over, or how it ended."""
        winner = self.board.winner()
        is_over = bool(winner) or not self.board.legal()
        if question == "p1turn":
            return str(self.board.mover == "x").lower()
        if question == "gameover":
            return str(is_over).lower()
        return {"x": "p1win", "o": "p2win"}.get(winner, "draw" if is_over else "none")


def say(line: str) -> None:
    """Answer."""
    print(line, flush=True)


def main() -> None:
    """Answer lines until `quit`."""
    engine = Engine()
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        words = rest.split()
        if command == "ugi":
            say("id name Four in a row (Python)\nid author Tunesmith")
            for name, value in engine.weights.items():
                say(f"option name {name} type spin default {value} min -100 max 100")
            say("ugiok")
        elif command == "isready":
            say("readyok")
        elif command == "setoption" and words[1] in engine.weights:
            engine.weights[words[1]] = int(words[3])
        elif command == "uginewgame":
            engine.board = Board()
        elif command == "position":
            engine.position(rest)
        elif command == "query":
            say(f"response {engine.query(rest)}")
        elif command == "go":
            engine.go({key: int(value) for key, value in zip(words[::2], words[1::2], strict=False)})
        elif command == "quit":
            return


if __name__ == "__main__":
    main()
