"""A search that goes on while somebody else is listened to: begun, looked at, and stopped at any time.

Compiled search runs in a thread beside (it releases the interpreter's lock) and reads its limit of nodes from memory at
every node, so writing that number ends it within microseconds. What it has found so far is read from the same memory.
Clocks are obeyed by the rule of `engine.search.time_control`; an increment makes each move's share larger."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from tunesmith.engine.board import Board
from tunesmith.engine.limits import MAX_DEPTH, parse_limit
from tunesmith.engine.options import ALGORITHM, MARGIN, OBJECTIVE, UCT
from tunesmith.engine.player import Analysis, Player, is_turned
from tunesmith.engine.searcher import (
    DEPTH_LIMIT,
    GAME_SECONDS,
    N_PV,
    NODE_LIMIT,
    NODES,
    REACHED,
    SCORE,
    SECONDS,
    SECONDS_LEFT,
)
from tunesmith.games.errors import one_line
from tunesmith.tuning.play.ugi_lines import Go, note

LOOK = 0.1  # seconds between two looks at a search that goes on
NO_NODES = parse_limit("depth:1").nodes  # what stands for no limit
INSTEAD_OF_DEPTH = 5000  # nodes, for a search that knows no depth
_LEAST = 0.001  # seconds: of less nothing can be made


class Mind:
    """A player whose searches each have a limit of their own."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self._to_go = player.searcher.memory["to_go"].copy()

    @property
    def is_tree(self) -> bool:
        """Whether it searches by Monte Carlo, which knows no depth."""
        return bool(self.player.searcher.memory["options"][0][ALGORITHM] == UCT)

    def limit(self, go: Go, late: float) -> None:
        """Write into the searcher's memory what ends its next search; `late`: seconds that no clock gives back."""
        memory = self.player.searcher.memory
        counters, numbers = memory["counters"][0], memory["numbers"][0]
        counters[NODE_LIMIT] = go.nodes or (INSTEAD_OF_DEPTH if self.is_tree and go.depth else NO_NODES)
        counters[DEPTH_LIMIT] = min(go.depth or MAX_DEPTH, MAX_DEPTH)
        numbers[SECONDS] = 0.0 if go.seconds is None else max(go.seconds - late, _LEAST)
        numbers[GAME_SECONDS] = numbers[SECONDS_LEFT] = 0.0
        if go.left is not None and go.seconds is None:
            left = max(go.left - late, _LEAST)
            numbers[GAME_SECONDS] = numbers[SECONDS_LEFT] = left
            memory["to_go"][:] = 1.0 / (1.0 / self._to_go + go.increment / left)


class Thought:
    """One search of one position, from its beginning to its move.

    Parameters
    ----------
    mind
        Whose memory the search uses until it has ended.
    board
        The position, not over; not to be changed until then.
    overhead
        Seconds that a move takes on its way, kept from every clock.
    began
        When the clock began to run (`time.perf_counter`).
    tell
        Called with each line to say: `info ...`, and at the end `bestmove ...`.
    """

    def __init__(
        self, mind: Mind, board: Board, go: Go, overhead: float, began: float, tell: Callable[[str], None]
    ) -> None:
        self._player, self._board, self._go, self._tell = mind.player, board, go, tell
        self._memory = mind.player.searcher.memory
        self._began, self._failure = began, ""
        self._found: Analysis | None = None
        self._stop, self._done = threading.Event(), threading.Event()
        mind.limit(go, overhead + time.perf_counter() - began)
        self._teller = threading.Thread(target=self._follow, daemon=True)
        threading.Thread(target=self._search, daemon=True).start()
        self._teller.start()

    @property
    def is_over(self) -> bool:
        """Whether its move has been told."""
        return not self._teller.is_alive()

    def stop(self) -> None:
        """End the search, and wait until its move has been told."""
        self._stop.set()
        while not self._done.wait(LOOK):  # a search that is just beginning may not have seen it
            self._memory["counters"][0, NODE_LIMIT] = -1
        self._teller.join()

    def wait(self) -> None:
        """Wait until its move has been told."""
        self._teller.join()

    def _search(self) -> None:
        try:
            self._found = self._player.analyse(self._board)
        except Exception as error:  # of a game's own code, or of its compiler
            self._failure = f"{type(error).__name__}: {one_line(str(error))}"
        finally:
            self._done.set()

    def _follow(self) -> None:
        told = 0
        while not self._done.wait(LOOK):
            if self._stop.is_set():
                self._memory["counters"][0, NODE_LIMIT] = -1
            depth = int(self._memory["counters"][0, REACHED])
            if depth > told and not is_turned(self._board):
                self._info(self._so_far(depth))
                told = depth
        if self._go.is_infinite():
            self._stop.wait()
        if self._found is None:
            self._tell(note(f"the search failed: {self._failure}"))
            self._tell(f"bestmove {self._any_move()}")
            return
        self._info(self._found)
        self._tell(f"bestmove {self._found.move}")

    def _so_far(self, depth: int) -> Analysis:
        """Return what is known of a search that goes on; a line that is just being changed is left out."""
        counters, pv = self._memory["counters"][0], self._memory["pv"][0]
        moves = pv[: int(counters[N_PV])].tolist()
        time.sleep(0.001)  # a line is written in less
        game, state, line = self._board.game, self._board.state, list[str]()
        for move in moves if moves == pv[: int(counters[N_PV])].tolist() else ():
            line.append(game.move_to_text(state, move))
            state = game.apply_move(state, move)
        return Analysis("", int(counters[SCORE]), depth, int(counters[NODES]), tuple(line), 0.0)

    def _info(self, found: Analysis) -> None:
        used = time.perf_counter() - self._began
        pace = round(found.nodes / used) if used > 0 else 0
        pv = f" pv {' '.join(found.line)}" if found.line else ""
        self._tell(
            f"info depth {found.depth} score {self._score(found)} time {round(1000 * used)} nodes {found.nodes} "
            f"nps {pace}{pv}"
        )

    def _score(self, found: Analysis) -> str:
        """Return a score (cp: Elo, or hundredths of a point of margin) or the moves to a forced end, mover's view."""
        if self._memory["options"][0][OBJECTIVE] == MARGIN:
            return f"cp {100 * found.score}"
        if found.forced is not None:
            moves = (abs(found.forced) + 1) // 2
            return f"mate {moves if found.forced > 0 else -moves}"
        return f"cp {round(found.score / 100)}"

    def _any_move(self) -> str:
        try:
            return self._board.legal()[0]
        except Exception:
            return "(none)"
