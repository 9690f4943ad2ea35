"""Asking a user's functions questions without trusting them: every answer may be an exception or nonsense.

An `Asker` calls the functions of one game, notes what is wrong as `Problem`s (the first position of each kind,
and how often it came up), and ends the question with `Stopped` where no answer is to be had. A `Watch` says at
any moment which function is running on which position, for a watcher that looks for endless loops."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.engine.check.words import explain_exception
from tunesmith.games.errors import TunesmithError
from tunesmith.games.game import Game, State, specialise

# What stands in buffers before a call: no legal move, no sensible feature. Two, since a function could
# happen to write one of them, and since what reads its buffer answers differently.
FILLS = (-0x6D3A_51C7_0B2E_94F1, -0x3C15_E8B0_5D27_A643)
LIMIT = 1 << 63  # bit 63 stays unused
SPARE = 64  # entries beyond the largest answer allowed


class Stopped(Exception):
    """The question has no answer; why is noted already."""


@dataclass(frozen=True)
class Problem:
    """One way in which a game breaks the contract.

    Attributes
    ----------
    rule
        The rule broken, a key of `engine.check.RULES`.
    what
        What is wrong, in words.
    function
        The contract function that it is about; empty for static facts.
    position, state
        Text form (empty if it has none) and tuple of the first position found; None without a position.
    move
        Text of the move it is about; empty without one.
    times
        Number of questions that showed it.
    """

    rule: str
    what: str
    function: str = ""
    position: str = ""
    state: Any = None
    move: str = ""
    times: int = 1

    @property
    def where(self) -> str:
        """Rule and function, once if they have one name."""
        return ": ".join(dict.fromkeys(filter(None, (self.rule, self.function))))

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}"
        if self.state is None:
            return head
        where = f"\n    in {self.position or 'a position without text'}, state {self.state}"
        move = f", move {self.move}" if self.move else ""
        more = f" (the first of {self.times})" if self.times > 1 else ""
        return head + where + move + more


@dataclass
class Watch:
    """What is being asked: number of questions so far, function, and state; limited = must answer soon."""

    calls: int = 0
    function: str = ""
    state: Any = None
    limited: bool = True

    def start(self, function: str, state: Any = None, limited: bool = True) -> None:
        """Say that `function` is about to run."""
        self.function, self.state, self.limited = function, state, limited
        self.calls += 1


@dataclass
class Asker:
    """The functions of one game, called with care, and the problems found so far."""

    game: Game
    watch: Watch = field(default_factory=Watch)
    n_words: int = 0  # length of the start state, once known
    _found: dict[tuple[str, str, str], Problem] = field(default_factory=dict)
    _features: dict[Any, npt.NDArray[np.float64]] = field(default_factory=dict)
    _partly: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        self._functions = self.game.functions()

    @cached_property
    def _moves(self) -> npt.NDArray[np.int64]:
        return np.zeros(self.game.max_moves + SPARE, np.int64)

    @property
    def problems(self) -> list[Problem]:
        """The problems found, in the order of their first appearance."""
        return list(self._found.values())

    def has(self, name: str) -> bool:
        """Tell whether the game has the function."""
        return name in self._functions

    def note(
        self,
        rule: str,
        what: str,
        function: str = "",
        state: Any = None,
        move: int | None = None,
        kind: str = "",
    ) -> None:
        """Note a problem; of each rule, function and `kind` (the words up to a number) the first is kept."""
        key = (rule, function, kind or re.split(r"[\d'\"]", what, maxsplit=1)[0])
        if key in self._found:
            self._found[key] = replace(self._found[key], times=self._found[key].times + 1)
            return
        text = self._quietly(self.game.state_to_text, state) if state is not None else ""
        shown = (self._quietly(self.game.move_to_text, state, move) or str(move)) if move is not None else ""
        self._found[key] = Problem(rule, what, function, text, state, shown)

    def stop(
        self, rule: str, what: str, function: str = "", state: Any = None, move: int | None = None
    ) -> Stopped:
        """Note a problem and return what to raise."""
        self.note(rule, what, function, state, move)
        return Stopped()

    def call(self, name: str, *arguments: Any) -> Any:
        """Return the answer of the contract function `name`."""
        return self.run(name, self._functions[name], *arguments)

    def run(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the answer of a function of the game, called `name` in messages."""
        try:
            return self.read(name, function, *arguments)
        except TunesmithError as error:
            raise self._failed(error, name, function, arguments) from None

    def read(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Like `run`, but a `TunesmithError` passes through: it is how notation refuses a text."""
        self.watch.start(name, arguments[0] if arguments else None)
        try:
            return function(*arguments)
        except TunesmithError:
            raise
        except (Exception, SystemExit) as error:
            raise self._failed(error, name, function, arguments) from None

    def _failed(
        self, error: BaseException, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> Stopped:
        state = arguments[0] if arguments and isinstance(arguments[0], tuple) else None
        rule = "buffer" if _is_outside(error, arguments) else "raises"
        what = explain_exception(error, function)
        if (text := next((one for one in arguments if isinstance(one, str)), None)) is not None:
            what = f"{what} when given {text!r:.60}; raise InputError for a text that cannot be read"
        self.note(rule, what, name, state, kind=type(error).__name__)
        return Stopped()

    def whole(self, name: str, *arguments: Any) -> int:
        """Return the answer of a function that must give an int within int64."""
        answer = self.call(name, *arguments)
        if not isinstance(answer, int) or not -LIMIT <= answer < LIMIT:
            state = arguments[0] if isinstance(arguments[0], tuple) else None
            what = f"expected an int within 64 bits, found {shown(answer)}"
            raise self.stop("answer-type", what, name, state)
        return answer

    def state(self, name: str, *arguments: Any) -> State:
        """Return the state that a function gives."""
        before = arguments[0] if arguments else None
        move = arguments[1] if name == "apply_move" else None
        return self.checked(self.call(name, *arguments), name, before, move)

    def checked(self, state: Any, source: str, before: Any = None, move: int | None = None) -> State:
        """Return `state`, given by `source`, if it is a tuple of ints from 0 to 2**63 - 1 of the right length."""
        if not isinstance(state, tuple):
            raise self.stop("state", f"expected a tuple, found {shown(state)}", source, before, move)
        self.n_words = self.n_words or len(state)
        if len(state) != self.n_words:
            what = f"expected {self.n_words} words like the start position, found {len(state)}: {state}"
            raise self.stop("state", what, source, before, move)
        for index, word in enumerate(state):
            if type(word) is not int:
                hint = "; wrap it in int()" if isinstance(word, np.generic | bool) else ""
                what = f"word {index} is {shown(word)}, expected an int{hint}"
                raise self.stop("state", what, source, before, move)
            if not 0 <= word < LIMIT:
                what = f"word {index} is {word}: negative or beyond bit 62; mask it"
                raise self.stop("state", what, source, before, move)
        return state

    def moves(self, name: str, state: State, fill: int = FILLS[0]) -> list[int]:
        """Return the moves that `legal_moves` or `noisy_moves` lists, after a look at the whole buffer."""
        view = self._moves
        view.fill(fill)
        n = self.call(name, state, view)
        if type(n) is not int or n < 0:
            raise self.stop("max-moves", f"expected the number of moves as an int, found {n!r}", name, state)
        if n > self.game.max_moves:
            what = f"lists {n} moves, more than max_moves = {self.game.max_moves}"
            raise self.stop("max-moves", what, name, state)
        if (view[n:] != fill).any():
            at = n + int(np.flatnonzero(view[n:] != fill)[-1])
            spot = at if at < self.game.max_moves else at - len(view)
            self.note("buffer", f"returns {n}, but writes out[{spot}] too", name, state)
        return [int(move) for move in view[:n]]

    def numbers(self, name: str, state: State, n: int, fill: float) -> npt.NDArray[np.float64]:
        """Return what `features` or `stages` writes into a buffer of `n` entries full of `fill`."""
        out = np.full(n, fill)
        self.call(name, state, out)
        return out

    def features(self, state: State) -> npt.NDArray[np.float64]:
        """Return the features of a position (kept until `forget`: they are slow in plain Python)."""
        if state not in self._features:
            self._features[state] = self.numbers("features", state, self.game.n_features, 0.0)
        return self._features[state]

    def partly(self, mask: int) -> Callable[..., Any]:
        """Return `features` as it is bound when only the features of `mask` are wanted."""
        if self._partly is None:
            self._partly = specialise({"features": self.game.features}, {"FEATURES_WANTED": mask})["features"]
        return self._partly

    def forget(self) -> None:
        """Drop the features kept; another position's turn."""
        self._features.clear()

    def _quietly(self, function: Callable[..., Any], *arguments: Any) -> str:
        try:
            return str(function(*arguments))
        except (Exception, SystemExit):  # a text for a message only: its own check tells what is wrong
            return ""


def _is_outside(error: BaseException, arguments: tuple[Any, ...]) -> bool:
    """Tell whether the error comes from an index beyond the buffer among `arguments`."""
    sizes = [len(argument) for argument in arguments if isinstance(argument, np.ndarray)]
    return isinstance(error, IndexError) and any(f"with size {size}" in str(error) for size in sizes)


def shown(value: object) -> str:
    """Return a value with its type, for a message."""
    module = type(value).__module__
    name = type(value).__qualname__ if module == "builtins" else f"{module}.{type(value).__qualname__}"
    return f"{value!r:.80} ({name})"
