"""The record of a game, and the contract between a game and everything that plays it.

A *state* is an immutable tuple of Python ints, each within int64 and with bit 63 unused; a *move* is such
an int. A game is a handful of pure, plain functions over them: no decorators, no recursion, no exceptions,
nothing but integers, floats, tuples, loops and calls of further plain functions and module constants.
The engine compiles itself against them; without a compiler the same functions run as they are.

Numbers are int64 once compiled. Shifts and masks keep the bits they can hold, but a sum, difference or product
beyond 63 bits must not occur, even if a mask follows: the compiler takes it to be impossible and may build on
that, so the answer need not be the wrapped one. Multiply halves of words, not words, in hashes and bit counts.

Points of view: `features`, `stages`, `is_quiet`, `settled_margin` speak of the side to move; `outcome` and
`final_margin` of the first player (player 0). `moves` buffers are int64 arrays, `out` of `features` and
`stages` float64 arrays; both are given by the caller, and only `out[:n]` may be written.

What each function promises
---------------------------
initial() -> state
    The start position.
legal_moves(state, out) -> n
    Fill `out[:n]` with the legal moves, no duplicates. 0 only when the game is over: a player who cannot
    move has a pass move, a number that no other move has, or is skipped, `mover` being the other one's again.
apply_move(state, move) -> state
    The position after a legal move. The state given is not changed.
mover(state) -> 0 or 1
    Who moves. The same player may move again. Of a finished state: either.
outcome(state) -> int
    `ONGOING`, or 1, 0, -1 for the first player. Sees nothing but the state: repetition and the limit
    of plies are the engine's business.
features(state, out)
    Write `len(feature_names)` finite numbers, seen from the mover. Only asked of unfinished states.
    A function that looks at the module constant `FEATURES_WANTED` (bit i = feature i) may leave
    unwanted entries alone.
stages(state, out)                     optional: shares of each stage, not negative, sum 1
is_quiet(state) -> bool                optional: nothing is about to be captured
noisy_moves(state, out) -> n           optional: the legal moves that quiescence looks at
move_hint(state, move) -> int          optional: larger = try earlier
pass_turn(state) -> state              optional: the other player to move, nothing else changed, where that
                                       is hardly ever better than the best move (null-move pruning)
symmetries(state, k) -> state          optional: k-th image, k = 0 the identity, k < n_symmetries
symmetric_move(state, move, k) -> move with it: the same move in the k-th image
swap_sides(state) -> state             optional: the players exchanged, the mover with them
swap_move(move) -> int                 with it, in simultaneous games: the same move in the swapped position
final_margin(state) -> int             optional: margin for the first player in a finished state
settled_margin(state) -> int           optional: the part of the margin that cannot change any more
open_margin(state) -> int              optional: the most by which the margin can still move, either way
open_state(state) -> state             optional: the state without what `settled_margin` counts
history_key(state) -> int              optional: equal for "the same position" in the sense of the
                                       repetition rule; 0 = this state does not count
plies(state) -> int                    optional: moves since the start, for `max_plies`
strip_counters(state) -> state         optional: the state without rule counters (plies, quiet moves)
hide(state) -> state                   simultaneous games: the state without a pending hidden choice
squares(state) -> dict                 optional, plain Python, for clicks: the name of each square as it stands
                                       in texts of moves, and the box in which `draw_svg` draws it, (x, y,
                                       width, height) in the units of its viewBox. A move is clicked square
                                       by square, in the order in which its text names them
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tunesmith.games.clone import Cloner, is_plain, specialise
from tunesmith.games.digest import digest, follow

__all__ = [
    "ONGOING",
    "OPTIONAL",
    "REQUIRED",
    "Cloner",
    "Game",
    "State",
    "digest",
    "follow",
    "functions_of",
    "is_plain",
    "specialise",
]

ONGOING = 2  # `outcome` of a game that is not over

State = tuple[int, ...]
Variant = Mapping[str, int | bool | str]

REQUIRED = ("initial", "legal_moves", "apply_move", "mover", "outcome", "features")
OPTIONAL = (
    "stages",
    "is_quiet",
    "noisy_moves",
    "move_hint",
    "pass_turn",
    "symmetries",
    "symmetric_move",
    "swap_sides",
    "swap_move",
    "final_margin",
    "settled_margin",
    "open_margin",
    "open_state",
    "history_key",
    "plies",
    "strip_counters",
    "hide",
)


TEXTS = (
    "state_to_text",
    "text_to_state",
    "finished_text",
    "move_to_text",
    "text_to_move",
    "end_reason",
    "draw_text",
    "draw_svg",
    "squares",
)


def functions_of(*modules: ModuleType) -> dict[str, Callable[..., Any]]:
    """Return the functions of the contract, texts and drawings included, that `modules` define, by name."""
    return {
        name: getattr(module, name)
        for name in REQUIRED + OPTIONAL + TEXTS
        for module in modules
        if getattr(getattr(module, name, None), "__module__", "") == module.__name__
    }


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """One variant of one game: its functions (see the module's text) and its static facts.

    Attributes
    ----------
    name, variant
        The game's name, and every constant of the variant by name.
    feature_names, feature_meanings
        Names in the order of `features`' output, and a line of meaning (with unit) for each.
    stage_names
        Names in the order of `stages`' output; a game without stages has the one stage `all`.
    cheap_features
        Names of features that cost next to nothing; an evaluation that uses no others gets a search in
        which the others are not computed (`FEATURES_WANTED`).
    max_moves
        Size of a move buffer that no position outgrows.
    max_plies
        A rule of the game: draw after so many moves; 0 = no such rule.
    repetition_limit
        Number of occurrences of one `history_key` that makes a draw; 0 = no such rule.
    repetition_first
        Draw tests come before the win test.
    simultaneous
        Both players choose at once; the state holds the first choice until the second is made.
    n_symmetries
        Number of images that `symmetries` knows (1 = the identity only).
    end_reason
        In words of the game, why `outcome` is decided (`five`, `no_move`); plain Python only.
    finished_text
        Text of a position in which the game has ended, also by a rule that the state alone does not show
        (repetition); None = `state_to_text` serves.
    folder
        Where the game's files are (`weights/` below it); None for a game made in memory.
    default_weights
        Name of the weights that `play`, `ugi` and `agent` take if none are named, where others than `tuned` do better
        against programs that had no part in the tuning; "" = `tuned` where there are any, else `hand`.
    """

    name: str
    variant: Variant
    # functions
    initial: Callable[[], State]
    legal_moves: Callable[[State, Any], int]
    apply_move: Callable[[State, int], State]
    mover: Callable[[State], int]
    outcome: Callable[[State], int]
    features: Callable[[State, Any], None]
    # facts
    feature_names: tuple[str, ...]
    feature_meanings: tuple[str, ...]
    max_moves: int
    # notation
    state_to_text: Callable[[State], str]
    text_to_state: Callable[[str], State]
    move_to_text: Callable[[State, int], str]
    text_to_move: Callable[[State, str], int]
    draw_text: Callable[[State], str]
    draw_svg: Callable[[State], str]
    # optional functions
    stages: Callable[[State, Any], None] | None = None
    is_quiet: Callable[[State], bool] | None = None
    noisy_moves: Callable[[State, Any], int] | None = None
    move_hint: Callable[[State, int], int] | None = None
    pass_turn: Callable[[State], State] | None = None
    symmetries: Callable[[State, int], State] | None = None
    symmetric_move: Callable[[State, int, int], int] | None = None
    swap_sides: Callable[[State], State] | None = None
    swap_move: Callable[[int], int] | None = None
    final_margin: Callable[[State], int] | None = None
    settled_margin: Callable[[State], int] | None = None
    open_margin: Callable[[State], int] | None = None
    open_state: Callable[[State], State] | None = None
    history_key: Callable[[State], int] | None = None
    plies: Callable[[State], int] | None = None
    strip_counters: Callable[[State], State] | None = None
    hide: Callable[[State], State] | None = None
    # optional facts
    stage_names: tuple[str, ...] = ("all",)
    cheap_features: tuple[str, ...] = ()
    max_plies: int = 0
    repetition_limit: int = 0
    repetition_first: bool = False
    simultaneous: bool = False
    n_symmetries: int = 1
    end_reason: Callable[[State], str] | None = None
    finished_text: Callable[[State], str] | None = None
    squares: Callable[[State], Mapping[str, tuple[float, float, float, float]]] | None = None
    folder: Path | None = None
    default_weights: str = ""

    def __repr__(self) -> str:
        stages = f", {self.n_stages} stages ({', '.join(self.stage_names)})" if self.n_stages > 1 else ""
        return f"<game {self.spec}: {self.n_features} features{stages}>"

    @property
    def spec(self) -> str:
        """The game spec that loads this variant again (for a shipped game)."""
        shown = ",".join(f"{name}={_spell(value)}" for name, value in self.variant.items())
        return f"{self.name}:{shown}" if shown else self.name

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.feature_names)

    @property
    def n_stages(self) -> int:
        """Number of stages (at least one)."""
        return len(self.stage_names)

    def functions(self) -> dict[str, Callable[..., Any]]:
        """All functions of the contract that this game has, by name."""
        found = {name: getattr(self, name) for name in REQUIRED + OPTIONAL}
        return {name: function for name, function in found.items() if function is not None}


def _spell(value: int | bool | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
