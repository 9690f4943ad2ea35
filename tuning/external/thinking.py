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
from tunesmith.tuning.play.ugi_lines import LEAST, Clock, Go, note

LOOK = 0.1  # seconds between two looks at a search that goes on
NO_NODES = parse_limit("depth:1").nodes  # what stands for no limit
INSTEAD_OF_DEPTH = 5000  # nodes, for a search that knows no depth


class Mind:
    """A player whose searches each have a limit of their own."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self._to_go: list[list[float]] = player.searcher.memory["to_go"][0].tolist()
        self.clock = Clock()

    def new_game(self) -> None:
        """Forget what earlier games left in memory, and their clock."""
        self.player.new_game()
        self.clock.new_game()

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
        numbers[SECONDS] = 0.0 if go.seconds is None else max(go.seconds - late, LEAST)
        numbers[GAME_SECONDS] = numbers[SECONDS_LEFT] = 0.0
        if go.left is not None and go.seconds is None:
            most, memory["to_go"][0] = self.clock.shared(go, late, self._to_go)
            numbers[GAME_SECONDS] = numbers[SECONDS_LEFT] = most


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
        self._began, self._clock = began, mind.clock
        self._stop, self._done, self._telling = threading.Event(), threading.Event(), threading.Lock()
        mind.limit(go, overhead + time.perf_counter() - began)
        self._searching = threading.Thread(target=self._search, daemon=True)
        self._searching.start()
        threading.Thread(target=self._follow, daemon=True).start()

    @property
    def is_over(self) -> bool:
        """Whether its move has been told."""
        return not self._searching.is_alive()

    def stop(self) -> None:
        """End the search, and wait until its move has been told."""
        self._stop.set()
        while self._searching.is_alive():  # a search that is just beginning may not have seen it
            self._memory["counters"][0, NODE_LIMIT] = -1
            self._searching.join(LOOK)

    def wait(self) -> None:
        """Wait until its move has been told."""
        self._searching.join()

    def _search(self) -> None:
        """Search, and tell the move: no other thread has to wake up first, which takes its time on a busy machine."""
        lines, move = [""], ""
        try:
            found = self._player.analyse(self._board)
            move, lines = found.move, [self._info(found)]
        except Exception as error:  # of a game's own code, or of its compiler
            lines = [note(f"the search failed: {type(error).__name__}: {one_line(str(error))}")]
            move = self._any_move()
        if self._go.is_infinite():
            self._stop.wait()
        with self._telling:
            self._done.set()
            self._clock.moved(self._go, time.perf_counter() - self._began)
            for line in (*lines, f"bestmove {move}"):
                self._tell(line)

    def _follow(self) -> None:
        """Tell what is known so far while the search goes on."""
        told = 0
        while not self._done.wait(LOOK):
            depth = int(self._memory["counters"][0, REACHED])
            if depth > told and not is_turned(self._board):
                line, told = self._info(self._so_far(depth)), depth
                with self._telling:
                    if not self._done.is_set():
                        self._tell(line)

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

    def _info(self, found: Analysis) -> str:
        used = time.perf_counter() - self._began
        pace = round(found.nodes / used) if used > 0 else 0
        pv = f" pv {' '.join(found.line)}" if found.line else ""
        return (
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
