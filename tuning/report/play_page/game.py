"""One game between a person and the engine: orders go in, and what is to be seen comes out.

Several tabs may show one game. An order names the position that it is given in (`position` counts changes of the
board), so that nobody moves on a board that another tab has left. What is seen (`view`) is made once after every
change; `version` counts those. The engine thinks, for its moves and for hints, in a thread of its own, on a board of
its own, and what it finds counts only if the game still stands there. Of a simultaneous game the view never holds a
choice that is hidden, nor is the engine given one."""

import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tunesmith.engine.board import Board
from tunesmith.engine.check.words import explain_exception
from tunesmith.engine.options import MARGIN, OBJECTIVE
from tunesmith.engine.player import Analysis, Player
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError, TunesmithError
from tunesmith.games.game import Game
from tunesmith.games.texts import counted, squares_in
from tunesmith.tuning.play.sandbox.deadline import watched
from tunesmith.tuning.report.play_page import view as shown
from tunesmith.tuning.report.play_page.view import WHO

logger = logging.getLogger("tunesmith.tuning")

View = dict[str, Any]
ENGINE, HINT = "engine", "hint"


class Stale(InputError):
    """The game has gone on since the page was drawn."""


@dataclass(frozen=True)
class Spoken:
    """A move that was played: the engine's number for it, who played it, its text, what was thought of it."""

    move: int
    mover: int
    text: str
    note: str = ""


class BrowserGame:
    """One game after the other between a person and an engine.

    Parameters
    ----------
    weights
        What the evaluation is shown with.
    new_player
        Makes the engine, once for its moves and once for hints; called when it is needed, since it compiles.
    side
        0: the person is the first player; 1: the second.
    text
        Position to start from (default: the start position).
    against
        Who the engine is, in a few words.

    Raises
    ------
    InputError
        The text is not a position of this game.
    GameError
        A function of the game fails.
    """

    def __init__(
        self,
        game: Game,
        weights: Weights,
        new_player: Callable[[], Player],
        side: int = 0,
        text: str | None = None,
        against: str = "the engine",
    ) -> None:
        self._game, self._weights, self._new_player = game, weights, new_player
        self._side, self._text, self._against = side, text, against
        self._spoken: list[Spoken] = []
        self._position = self._version = 0
        self._hint: View | None = None
        self._error = self._doing = self._trouble = ""
        self._is_compiling = False
        self._players: dict[str, Player] = {}
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()
        with self._lock, watched(game, "showing the position") as ask:
            ask(self._settle, self._replayed([]))

    @property
    def view(self) -> View:
        """What is to be seen just now; never changed in place."""
        return self._view

    def order(self, name: str, position: int, move: str = "", side: int = 0) -> View:
        """Carry out an order of `ORDERS` and return what is to be seen then.

        Raises
        ------
        Stale
            The order was given in another position.
        InputError
            It cannot be carried out here; says why.
        """
        with self._lock:
            if position != self._position:
                raise Stale("the game has gone on, in another window perhaps: look again")
            try:
                with watched(self._game, f"carrying out {name!r}") as ask:
                    ask(getattr(self, f"_{name}"), move, side)
            except InputError:
                raise
            except TunesmithError as error:
                self._failed(str(error))
            return self._view

    # --- orders; what they change is changed at the end, when no function of the game can fail any more

    def _move(self, text: str, _: int) -> None:
        board = self._replayed(self._spoken)
        legal = {self._game.move_to_text(board.state, move): move for move in board.legal_moves()}
        if board.is_over or board.mover != self._side:
            raise InputError("move: it is not your turn")
        if text not in legal:
            raise InputError(f"move: expected a legal one, found {text!r:.60}")
        spoken = [*self._spoken, Spoken(legal[text], board.mover, text)]
        board.play(legal[text])
        self._settle(board, spoken)

    def _back(self, _: str, __: int) -> None:
        keep = self._last_decision()
        if keep is None:
            raise InputError("back: there is no move of yours to take back")
        self._settle(self._replayed(self._spoken[:keep]), self._spoken[:keep])

    def _new(self, _: str, side: int) -> None:
        board, before = self._replayed([]), self._side
        self._side = side
        try:
            self._settle(board, [])
        except BaseException:
            self._side = before
            raise
        self._players = {}  # of the other game they remember nothing, nor the time they used

    def _hint_me(self, _: str, __: int) -> None:
        board = self._replayed(self._spoken)
        if board.is_over or board.mover != self._side:
            raise InputError("hint_me: it is not your turn")
        self._ask_engine(HINT)
        self._refresh(board)

    def _again(self, _: str, __: int) -> None:
        """Let the engine try again after something failed."""
        self._settle(self._replayed(self._spoken), self._spoken)

    # --- the course of the game

    def _replayed(self, spoken: list[Spoken]) -> Board:
        board = Board(self._game, self._text)
        for one in spoken:
            board.play(one.move)
        return board

    def _last_decision(self) -> int | None:
        """Return the number of moves before the person's last one; in a simultaneous game, before that turn."""
        turns = [at for at, one in enumerate(self._spoken) if one.mover == self._side]
        if not turns:
            return None
        is_second = self._game.simultaneous and self._side == 1
        return max(0, turns[-1] - 1) if is_second else turns[-1]

    def _settle(self, board: Board, spoken: list[Spoken] | None = None) -> None:
        """Let the game stand at a board; the engine thinks if it is its turn."""
        found = self._seen(board, self._spoken if spoken is None else spoken)
        if found["trouble"] and not self._trouble:
            logger.warning("play: %s", found["trouble"])
        self._trouble = found["trouble"]
        self._spoken = self._spoken if spoken is None else spoken
        self._position += 1
        self._hint, self._error, self._doing = None, "", ""
        if not board.is_over and board.mover != self._side:
            self._ask_engine(ENGINE)
        self._publish(found)

    def _ask_engine(self, kind: str) -> None:
        self._doing = kind
        self._jobs.put((kind, self._position))

    def _refresh(self, board: Board) -> None:
        self._publish(self._seen(board, self._spoken))

    def _failed(self, what: str) -> None:
        logger.warning("play: %s", what)
        self._error, self._doing = what, ""
        self._publish(self._view)

    def _publish(self, found: View) -> None:
        self._version += 1
        doing = {"what": self._doing, "is_compiling": self._is_compiling} if self._doing else None
        self._view = {
            **found,
            "position": self._position,
            "version": self._version,
            "hint": self._hint,
            "error": self._error or found["trouble"],
            "doing": doing,
        }

    # --- the engine's thread

    def _work(self) -> None:
        while True:
            kind, position = self._jobs.get()
            try:
                self._think(kind, position)
            except Exception as error:  # code of the game may raise anything
                known = isinstance(error, TunesmithError)
                what = str(error) if known else explain_exception(error, self._game.features)
                with self._lock:
                    if position == self._position:
                        self._failed(f"game {self._game.name!r}: {what:.500}")

    def _think(self, kind: str, position: int) -> None:
        with self._lock:
            if position != self._position:
                return
            spoken = list(self._spoken)
        board = self._replayed(spoken)
        players = self._players
        if kind not in players:
            players[kind] = self._new_player()
        player = players[kind]
        self._tell_of_compiling(player.takes_long)
        analysis = player.analyse(board)
        note = thought(player, analysis)
        if kind == ENGINE:
            move, mover = self._game.text_to_move(board.state, analysis.move), board.mover
            spoken.append(Spoken(move, mover, analysis.move, note))
            board.play(move)
        with self._lock:
            if position != self._position:
                return
            if kind == ENGINE:
                self._settle(board, spoken)
                return
            self._hint = {
                "move": analysis.move,
                "words": f"{note}, in your view",
                "line": list(analysis.line[1:5]),
            }
            self._doing = ""
            self._refresh(board)

    def _tell_of_compiling(self, is_compiling: bool) -> None:
        with self._lock:
            if is_compiling != self._is_compiling:
                self._is_compiling = is_compiling
                self._publish(self._view)

    # --- what is to be seen

    def _seen(self, board: Board, spoken: list[Spoken]) -> View:
        game = self._game
        is_mine = not board.is_over and board.mover == self._side
        found = shown.drawn(game, shown.visible(game, board.state))
        if is_mine:  # squares are those of the mover, and of a hidden choice nothing is known
            found["moves"] = shown.choices(board, found["squares"])
            found["evaluation"] = shown.evaluation(board, self._weights)
        return {
            "moves": [],
            "evaluation": None,
            **found,
            "side": self._side,
            "against": self._against,
            "turn": self._words(board, is_mine),
            "is_over": board.is_over,
            "log": self._log(board, spoken),
            "last": self._last(board, spoken),
            "may_go_back": any(one.mover == self._side for one in spoken),
        }

    def _is_open(self, board: Board) -> bool:
        """Whether one of two players who choose at once has chosen."""
        return self._game.simultaneous and not board.is_over and board.mover == 1

    def _words(self, board: Board, is_mine: bool) -> str:
        if board.is_over:
            result = (board.result or 0) * (1 - 2 * self._side)
            who = ("Draw", "You win", "The engine wins")[result]
            return f"{who} ({(board.reason or '').replace('_', ' ')})."
        if self._is_open(board):
            return (
                "The engine has chosen; you see it after your choice."
                if is_mine
                else "You have chosen. The engine chooses."
            )
        if self._game.simultaneous and is_mine:
            return "Your choice. The engine chooses without seeing it."
        return f"Your move: you are the {WHO[self._side]}." if is_mine else "The engine is to move."

    def _log(self, board: Board, spoken: list[Spoken]) -> list[View]:
        known = spoken[:-1] if self._is_open(board) and spoken else spoken
        return [
            {"who": "you" if one.mover == self._side else "engine", "text": one.text, "note": one.note}
            for one in known
        ]

    def _last(self, board: Board, spoken: list[Spoken]) -> list[shown.Box]:
        """Return the boxes of the squares of the last move, of both where two players chose at once."""
        if not spoken or self._is_open(board):
            return []
        states = board.states
        found: list[shown.Box] = []
        for back in range(1, min(1 + self._game.simultaneous, len(spoken)) + 1):
            before = shown.drawn(self._game, shown.visible(self._game, states[-back - 1]))["squares"]
            found += [before[name] for name in squares_in(spoken[-back].text, before)]
        return found


def thought(player: Player, analysis: Analysis) -> str:
    """Say what a search found, in the view of who moves."""
    if analysis.depth == 0 and not analysis.score and not analysis.nodes:
        return "drawn at random, or from a book"
    work = f"depth {analysis.depth}, {analysis.nodes:,} positions"
    if analysis.forced is not None:
        how = "a win" if analysis.forced > 0 else "a loss"
        return f"{how} in {counted(abs(analysis.forced), 'ply', 'plies')}, {work}"
    if player.searcher.memory["options"][0][OBJECTIVE] == MARGIN:
        return f"{analysis.score:+d} points, {work}"
    expected = 1 / (1 + 10 ** (-analysis.score / 40_000))
    return f"{analysis.score / 100:+z.0f} Elo, {expected:.0%}, {work}"


ORDERS = ("move", "back", "new", "hint_me", "again")
