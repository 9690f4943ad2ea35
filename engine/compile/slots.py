"""The names that engine templates leave free, and that `bind` fills with a game's functions and facts.

A template imports them from here, so that it reads, type-checks and lints as ordinary Python. Calling one
of the functions below means that a template was used without binding it."""

from typing import Any

from tunesmith.games.game import State


class Constant(int):
    """A number that binding replaces; remembers the name it is known by."""

    name: str

    def __new__(cls, name: str) -> "Constant":
        """Make a placeholder called `name`."""
        made = super().__new__(cls, 0)
        made.name = name
        return made


class UnboundSlotError(NotImplementedError):
    """A template was called before a game was bound to it."""


MAX_MOVES: int = Constant("MAX_MOVES")
N_FEATURES: int = Constant("N_FEATURES")
N_STAGES: int = Constant("N_STAGES")
N_SYMMETRIES: int = Constant("N_SYMMETRIES")
MAX_PLIES: int = Constant("MAX_PLIES")
REPETITION_LIMIT: int = Constant("REPETITION_LIMIT")
REPETITION_FIRST: int = Constant("REPETITION_FIRST")
SIMULTANEOUS: int = Constant("SIMULTANEOUS")
HAS_QUIET: int = Constant("HAS_QUIET")
HAS_HINT: int = Constant("HAS_HINT")
HAS_PASS: int = Constant("HAS_PASS")
HAS_MARGIN: int = Constant("HAS_MARGIN")
HAS_SETTLED: int = Constant("HAS_SETTLED")
HAS_STRIP: int = Constant("HAS_STRIP")
HAS_TWO_MASKS: int = Constant("HAS_TWO_MASKS")


def initial() -> State:
    """See `games.game`."""
    raise UnboundSlotError("initial")


def legal_moves(state: State, out: Any) -> int:
    """See `games.game`."""
    raise UnboundSlotError("legal_moves")


def apply_move(state: State, move: int) -> State:
    """See `games.game`."""
    raise UnboundSlotError("apply_move")


def mover(state: State) -> int:
    """See `games.game`."""
    raise UnboundSlotError("mover")


def outcome(state: State) -> int:
    """See `games.game`."""
    raise UnboundSlotError("outcome")


def features(state: State, out: Any) -> None:
    """See `games.game`."""
    raise UnboundSlotError("features")


# The optional functions: what stands here is what a game without them gets.


def stages(state: State, out: Any) -> None:
    """Give the one stage the whole share."""
    out[0] = 1.0


def is_quiet(state: State) -> bool:
    """Call every position quiet."""
    return True


def noisy_moves(state: State, out: Any) -> int:
    """Find no noisy moves."""
    return 0


def move_hint(state: State, move: int) -> int:
    """Know nothing about a move."""
    return 0


def pass_turn(state: State) -> State:
    """Change nothing: only games that have it are asked."""
    return state


def symmetries(state: State, k: int) -> State:
    """Know the identity only."""
    return state


def symmetric_move(state: State, move: int, k: int) -> int:
    """Know the identity only."""
    return move


def swap_sides(state: State) -> State:
    """Do nothing: only games that have it may use it."""
    return state


def swap_move(move: int) -> int:
    """Keep the move: most games name moves from the mover's side or the same for both."""
    return move


def final_margin(state: State) -> int:
    """Count one point for a win."""
    return outcome(state)


def settled_margin(state: State) -> int:
    """Settle nothing before the end."""
    return 0


def open_margin(state: State) -> int:
    """Leave everything open (half of int64's range in the units of a margin)."""
    return 1 << 40


def open_state(state: State) -> State:
    """Keep the whole state."""
    return state


def history_key(state: State) -> int:
    """Count no position for repetition."""
    return 0


def plies(state: State) -> int:
    """Leave the count to the caller."""
    return -1


def strip_counters(state: State) -> State:
    """Keep the whole state."""
    return state


def other_sum(state: State, weights: Any, used: Any, n_used: int, values: Any, shares: Any) -> float:
    """Return `weighted_sum` from the features of the second of two masks (`HAS_TWO_MASKS`)."""
    raise UnboundSlotError("other_sum")


def hide(state: State) -> State:
    """Hide nothing."""
    return state
