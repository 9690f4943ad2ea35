"""Our engine as a program: the conversation in UGI, the Universal Game Interface of kz04px/cutegames.

Lines in, lines out: `ugi`, `isready`, `setoption`, `uginewgame`, `position`, `query`, `go`, `stop`, `quit`. A position
is one line of the game's own notation (`fen`), or `startpos`, with moves behind it. Every `go` is answered by one
`bestmove`. What is wrong with a line is said in one `info string`, and nothing changes by it. A command that needs the
engine while it searches ends the search first, as `stop` does."""

from __future__ import annotations

import dataclasses
import difflib
import gc
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from tunesmith.engine.board import Board
from tunesmith.engine.book import Book
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import CHOICES, RANGES, SearchOptions
from tunesmith.engine.player import Player
from tunesmith.engine.searcher import DEFAULT_HASH_MB, new_searcher
from tunesmith.engine.weights import Weights, with_options
from tunesmith.games.errors import InputError, one_line
from tunesmith.games.game import Game
from tunesmith.tuning.external.thinking import INSTEAD_OF_DEPTH, Mind, Thought
from tunesmith.tuning.play.ugi_lines import (
    COMMANDS,
    QUESTIONS,
    RESULTS,
    Go,
    note,
    read_go,
    read_position,
    read_whole,
)

AUTHOR = "the Tunesmith authors"
OVERHEAD_MS = 10  # that a move takes on its way to whoever keeps the clock
MOST_MS = 5000
MOST_HASH_MB = 65536
MOST = 1_000_000  # of a number among the search options that has no other limit
_SIMULTANEOUS = (
    "joint",
    "joint_width",
    "joint_best",
    "joint_guess",
)  # search options of no use in other games
_WORDS = {"true": True, "false": False}


class Conversation:
    """What is said and done between the first line and `quit`.

    Parameters
    ----------
    name
        What the engine is called.
    weights
        With the search options to play with unless `setoption` changes them.
    say
        Called with each line of answer, from more than one thread.
    seed
        What the player draws follows from it; None: another one every time.
    """

    def __init__(
        self,
        game: Game,
        weights: Weights,
        say: Callable[[str], None],
        name: str = "Tunesmith",
        book: Book | None = None,
        hash_mb: int = DEFAULT_HASH_MB,
        seed: int | None = None,
    ) -> None:
        self._game, self._weights, self._book, self._name = game, weights, book, name
        self._hash_mb, self._overhead = hash_mb, OVERHEAD_MS / 1000
        self._seed = secrets.randbits(62) if seed is None else seed
        self._out, self._lock = say, threading.Lock()
        self._mind: Mind | None = None
        self._thought: Thought | None = None
        self._board, self._start, self._moves = Board(game), "", list[str]()

    def follow(self, lines: Iterable[str]) -> None:
        """Answer lines until `quit` or their end."""
        for line in lines:
            if not self.answer(line):
                break
        self._end_search(is_told=False)

    def answer(self, line: str) -> bool:
        """Answer one line; return False once there is nothing more to say."""
        command, _, rest = line.strip().partition(" ")
        if command == "quit":
            return False
        if not command:
            return True
        try:
            if command not in COMMANDS:
                raise InputError(f"expected one of {', '.join(COMMANDS)}, found {command!r:.60}")
            getattr(self, f"_{command}")(rest.strip())
        except InputError as error:
            self._note(str(error))
        except Exception as error:  # of a game's own code
            self._note(f"{command}: {type(error).__name__}: {error}")
        return True

    def _say(self, line: str) -> None:
        with self._lock:
            self._out(line)

    def _note(self, text: str) -> None:
        self._say(note(text))

    # --- who we are, and with which options

    def _ugi(self, rest: str) -> None:
        self._say(f"id name {self._name}")
        self._say(f"id author {AUTHOR}")
        for line in self._offered():
            self._say(f"option name {line}")
        self._say("ugiok")

    def _offered(self) -> list[str]:
        """Return the options with their types and present values, without those that the game has no use for."""
        lines = [
            f"hash type spin default {self._hash_mb} min 1 max {MOST_HASH_MB}",
            f"overhead type spin default {round(1000 * self._overhead)} min 0 max {MOST_MS}",
        ]
        options = self._weights.search_options
        for field in dataclasses.fields(options):
            value = getattr(options, field.name)
            if field.name in _SIMULTANEOUS and not self._game.simultaneous:
                continue
            if field.name in CHOICES:
                words = "".join(f" var {word}" for word in CHOICES[field.name])
                lines.append(f"{field.name} type combo default {value}{words}")
            elif isinstance(value, bool):
                lines.append(f"{field.name} type check default {str(value).lower()}")
            else:
                low, high = RANGES.get(field.name, (0, MOST))
                lines.append(f"{field.name} type spin default {value} min {low} max {high}")
        return lines

    def _setoption(self, rest: str) -> None:
        words = f" {rest} "
        name, is_given, value = words.partition(" value ")
        if not name.startswith(" name ") or not is_given:
            raise InputError(f"setoption: expected name NAME value VALUE, found {rest!r:.100}")
        name, value = name.removeprefix(" name ").strip().lower(), value.strip()
        self._end_search()
        if name == "hash":
            self._hash_mb = read_whole(value, 1, MOST_HASH_MB, "setoption hash")
        elif name == "overhead":
            self._overhead = read_whole(value, 0, MOST_MS, "setoption overhead") / 1000
            return
        else:
            self._weights = self._changed(name, value)
        self._mind = None

    def _changed(self, name: str, value: str) -> Weights:
        """Return the weights with another search option, if that is one and the game can do with it."""
        known = {field.name: field.default for field in dataclasses.fields(SearchOptions)}
        read: Any = value
        if name not in known:
            near = difflib.get_close_matches(name, ["hash", "overhead", *known], n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise InputError(f"setoption: there is no option {name!r:.60}{hint}")
        if name not in CHOICES and isinstance(known.get(name), bool):
            read = _WORDS.get(value.lower(), value)
        elif name not in CHOICES:
            read = read_whole(value, *RANGES.get(name, (0, MOST)), where=f"setoption {name}")
        try:
            SearchOptions(**{name: read})
            changed = with_options(self._weights, {name: read})
            new_searcher(
                self._game,
                changed.array(self._game),
                changed.scale,
                changed.search_options,
                Limit("nodes", 1),
                0,
            )
        except InputError as error:
            raise InputError(f"setoption {error}") from None
        return changed

    # --- getting ready

    def _isready(self, rest: str) -> None:
        if self._thought is None or self._thought.is_over:
            self._ready()
        self._say("readyok")

    def _uginewgame(self, rest: str) -> None:
        self._end_search()
        self._ready().new_game()
        self._board, self._start, self._moves = Board(self._game), "", []

    def _ready(self) -> Mind:
        """Return the player, with compiled code once this is over."""
        if self._mind is None:
            player = Player(self._game, self._weights, Limit("nodes", 1), None, self._hash_mb, self._seed)
            if player.takes_long:
                self._note(
                    f"compiling the search of {self._game.name} (the first time only, about half a minute)"
                )
            mind = Mind(player)
            mind.limit(Go(nodes=1), 0.0)
            board = Board(self._game)
            if not board.is_over:
                player.analyse(board)
                player.new_game()
            if self._book is not None:
                player.use_book(self._book)
            self._mind = mind
            gc.freeze()  # what is loaded stays: not to be looked through while a clock runs
        return self._mind

    # --- positions

    def _position(self, rest: str) -> None:
        start, moves = read_position(rest)
        self._end_search()
        try:
            self._set(start, moves)
        except Exception as error:
            raise InputError(f"position: {one_line(error)} (the position stays as it was)") from None

    def _set(self, start: str, moves: list[str]) -> None:
        """Go to a position, from the present one if that is on the way."""
        is_same = start == self._start and moves[: len(self._moves)] == self._moves
        board = self._board if is_same else Board(self._game, start or None)
        before = len(self._moves) if is_same else 0
        n_played = 0
        try:
            for move in moves[before:]:
                board.push(move)
                n_played += 1
        except BaseException:
            for _ in range(n_played if is_same else 0):
                board.pop()
            raise
        self._board, self._start, self._moves = board, start, moves

    def _query(self, rest: str) -> None:
        if rest not in QUESTIONS:
            raise InputError(f"query: expected one of {', '.join(QUESTIONS)}, found {rest!r:.60}")
        board = self._board
        answers = (str(board.is_over).lower(), str(board.mover == 0).lower(), RESULTS[board.result])
        self._say(f"response {answers[QUESTIONS.index(rest)]}")

    # --- searching

    def _go(self, rest: str) -> None:
        began = time.perf_counter()
        self._end_search()
        go = read_go(rest, self._board.mover)
        if self._board.is_over:
            self._note(f"go: the game is over ({self._board.reason})")
            self._say("bestmove (none)")
            return
        mind = self._ready()
        if mind.is_tree and go.depth and not go.nodes:
            self._note(f"go: a Monte Carlo search knows no depth: {INSTEAD_OF_DEPTH} nodes instead")
        self._thought = Thought(mind, self._board, go, self._overhead, began, self._say)

    def _stop(self, rest: str) -> None:
        self._end_search()

    def _end_search(self, is_told: bool = True) -> None:
        """End the search that goes on, if one does; its move is told first."""
        thought, self._thought = self._thought, None
        if thought is not None:
            thought.stop()

    def wait(self) -> None:
        """Wait until the search that goes on has ended by its own limit."""
        if self._thought is not None:
            self._thought.wait()
