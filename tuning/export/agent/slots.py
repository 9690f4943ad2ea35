"""The names that an agent's code leaves free, and that writing an agent fills in: the texts of the game, the search.

Like `engine.compile.slots`, which has the names for rules and features."""

from typing import Any

from tunesmith.engine.compile.slots import Constant, UnboundSlotError
from tunesmith.games.game import State

MAX_MOVES: int = Constant("MAX_MOVES")
N_WORDS: int = Constant("N_WORDS")  # of a state
HAS_SWAP: int = Constant("HAS_SWAP")
HASH_WORDS: int = Constant("HASH_WORDS")  # of the table, eight bytes each
DEPTH: int = Constant("DEPTH")  # the limit, in the terms of `engine.limits.Limit`
LIMIT_NODES: int = Constant("LIMIT_NODES")
LIMIT_SIMULATIONS: int = Constant("LIMIT_SIMULATIONS")
MOVE_SECONDS: Any = Constant("MOVE_SECONDS")
CLOCK_SECONDS: Any = Constant("CLOCK_SECONDS")
IS_RANDOM: int = Constant("IS_RANDOM")  # the limit is a time: draws need not be the same again
IS_MARGIN: int = Constant("IS_MARGIN")  # scores are points of margin, not Elo
IS_TREE: int = Constant("IS_TREE")  # the search is Monte Carlo's
FEATURES: Any = ()  # names of features and stages, in the order of the game's numbers
STAGES: Any = ()


def state_to_text(state: State) -> str:
    """See `games.game`."""
    raise UnboundSlotError("state_to_text")


def text_to_state(text: str) -> State:
    """See `games.game`."""
    raise UnboundSlotError("text_to_state")


def move_to_text(state: State, move: int) -> str:
    """See `games.game`."""
    raise UnboundSlotError("move_to_text")


def text_to_move(state: State, text: str) -> int:
    """See `games.game`."""
    raise UnboundSlotError("text_to_move")


def think(searcher: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """See `engine.search.dispatch`: the search that the weight file's options ask for."""
    raise UnboundSlotError("think")


def buffer(shape: Any) -> Any:
    """Return room for moves, as the game's functions want it: a list or an array."""
    raise UnboundSlotError("buffer")


def listed(room: Any, n_moves: int) -> tuple[int, ...]:
    """Return the moves that stand in the room for them."""
    raise UnboundSlotError("listed")


def numbers(values: Any) -> Any:
    """Return numbers as the game's functions want them: a list or an array."""
    raise UnboundSlotError("numbers")
