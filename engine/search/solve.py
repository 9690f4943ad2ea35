"""The exact value of a position, by search to the end of the game.

In a game with `final_margin` the value is the mover's margin under best play, else the result: 1, 0 or -1 for
the mover. Zero windows close in on it (MTD(f), Plaat and others 1996): each search (`exact`) says that the value is
at least, or at most, its bound; the table carries over, and grows when it is full.

Not for games in which repetition or a limit of plies can end a line: those values depend on the history.
Nor for simultaneous games: their values are those of mixed choices."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from tunesmith.engine.board import Board
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.search import exact
from tunesmith.engine.search.values import INFINITY, turned
from tunesmith.engine.searcher import MAX_PLY
from tunesmith.games.errors import GameError, InputError
from tunesmith.games.game import ONGOING, Game, State

DEFAULT_HASH_MB = 256
_NODES = 10**15  # more than any solution takes
_FIRST_ENTRIES = 1 << 18  # of a table: small ones are faster, so it grows by need
_MOST_FULL = 0.8


@dataclass(frozen=True)
class Solution:
    """Value for the mover (margin, or 1, 0, -1), and what it took: nodes, seconds of wall time."""

    value: int
    nodes: int
    seconds: float


def solve(game: Game, text: str | None = None, hash_mb: int = DEFAULT_HASH_MB) -> Solution:
    """Return the exact value of a position (default: the start).

    Parameters
    ----------
    hash_mb
        Size of the transposition table in MiB; one that is too small costs time.

    Raises
    ------
    InputError
        The game's values depend on history or are those of mixed choices, or the game is over.
    GameError
        A line of play longer than the search's stack (MAX_PLY): the game may not end at all.
    """
    return Solver(game, hash_mb).solve(_open_board(game, text).state)


def solve_moves(game: Game, text: str | None = None, hash_mb: int = DEFAULT_HASH_MB) -> dict[str, Solution]:
    """Return the value of each legal move for the player who makes it, by move text; see `solve`."""
    board = _open_board(game, text)
    solver = Solver(game, hash_mb)
    found = {}
    for move in board.legal_moves():
        after = game.apply_move(board.state, move)
        answer = solver.solve(after)
        value = turned(answer.value, game.mover(after), board.mover)
        found[game.move_to_text(board.state, move)] = Solution(value, answer.nodes, answer.seconds)
    return dict(sorted(found.items()))


def _open_board(game: Game, text: str | None) -> Board:
    board = Board(game, text)
    if board.is_over:
        raise InputError(f"position {board.text!r}: the game is over ({board.reason})")
    return board


class Solver:
    """Solves positions of one game, each with the table that the ones before have filled."""

    def __init__(self, game: Game, hash_mb: int = DEFAULT_HASH_MB) -> None:
        if game.repetition_limit or game.max_plies:
            raise InputError(f"game {game.spec!r}: a value depends on the history that led to it")
        if game.simultaneous:
            raise InputError(f"game {game.spec!r}: moves are simultaneous, no single value is exact")
        self._game = game
        self._has_margin = game.final_margin is not None
        most = exact.n_entries(hash_mb)
        self._room = exact.room_for(most)
        self._memory = exact.new_memory(game)
        self._counters = self._memory[0]
        self._use(exact.new_table(self._room, min(_FIRST_ENTRIES, most)))
        self._search = bind(exact.zero_window, game)
        self._nodes = 0

    def _use(self, table: Any) -> None:
        """Take a table, and note how many entries it is to hold before it grows."""
        self._table = table
        is_last = len(table) == len(self._room)
        self._counters[exact.MOST_ENTRIES] = 2 * len(table) if is_last else int(_MOST_FULL * len(table))

    def solve(self, state: State) -> Solution:
        """Return the exact value of a state, which may be finished."""
        started = time.monotonic()
        self._nodes = 0
        if self._game.outcome(state) != ONGOING:
            value = self._of_finished(state)
        else:
            value = self._margin(state) if self._has_margin else self._result(state)
        return Solution(value, self._nodes, time.monotonic() - started)

    def _of_finished(self, state: State) -> int:
        game = self._game
        first = game.final_margin(state) if game.final_margin is not None else game.outcome(state)
        return turned(first, 0, game.mover(state))

    def _margin(self, state: State) -> int:
        low, high, guess = -INFINITY, INFINITY, 1  # most boards are won by who begins
        while low < high:
            bound = guess + 1 if guess == low else guess
            guess = self._probe(state, bound)
            if guess < bound:
                high = guess
            else:
                low = guess
        return guess

    def _result(self, state: State) -> int:
        if self._probe(state, 1) >= 1:
            return 1
        return 0 if self._probe(state, 0) >= 0 else -1

    def _probe(self, state: State, bound: int) -> int:
        """Return a bound of the value that says whether it reaches `bound`, in a table that is large enough."""
        while (value := self._search_once(state, bound)) == exact.FULL:
            self._use(exact.grown(self._room, len(self._table)))
        if value == exact.TOO_LONG:
            raise GameError(f"game {self._game.spec!r}: a line of play has more than {MAX_PLY - 1} moves")
        return value

    def _search_once(self, state: State, bound: int) -> int:
        """Search one window in a thread of its own, so that Ctrl-C reaches the main one."""
        self._counters[exact.NODES], self._counters[exact.NODE_LIMIT] = 0, _NODES
        with ThreadPoolExecutor(1) as pool:
            search = pool.submit(lambda: self._search(*self._memory, self._table, state, bound))
            try:
                value = search.result()
            except BaseException:
                self._counters[exact.NODE_LIMIT] = 0  # looked at in every node
                raise
        self._nodes += int(self._counters[exact.NODES])
        return int(value)
