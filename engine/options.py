"""Every switch and number of the search, its default, and what it promises.

A switch is *exact* if the value of a search to fixed depth is that of plain minimax with and without it;
`SearchOptions.exact()` has all exact ones on and all others off. Defaults stand here and nowhere else.
Compiled code gets the options as an int64 array in the order of the fields; the constants below are its
indices."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.games.errors import InputError

RESULT, MARGIN = 0, 1
EQUAL, DEEPER = 0, 1
BY_DEPTH, ALWAYS, LRU = 0, 1, 2
ALPHABETA, UCT, RANDOM = 0, 1, 2
EVERY, PARENT = 0, 1
PESSIMISTIC, MATRIX = 0, 1

CHOICES: dict[str, tuple[str, ...]] = {
    "objective": ("result", "margin"),
    "table_reuse": ("equal", "deeper"),
    "replacement": ("depth", "always", "lru"),
    "algorithm": ("alphabeta", "uct", "random"),
    "first_play": ("every", "parent"),
    "joint": ("pessimistic", "matrix"),
}
# The least and the greatest value of a number that is limited.
RANGES: dict[str, tuple[int, int]] = {
    "exploration": (0, 100_000),
    "rollouts": (0, 100),
    "joint_width": (1, 64),
    "joint_guess": (0, 90),
}

# What skips moves or shortens lines on a guess.
SELECTIVE = (
    "quiescence",
    "futility",
    "reductions",
    "null_move",
    "best_k",
    "best_share",
    "leaves",
    "joint_best",
    "joint_guess",
)

# Indices into the encoded options, in the order of the fields of SearchOptions.
(
    OBJECTIVE,
    DEEPENING,
    TABLE,
    TABLE_REUSE,
    SYMMETRY,
    PATH_FREE,
    MARGIN_KEYS,
    PVS,
    ASPIRATION,
    HINTS,
    KILLERS,
    HISTORY,
    PRUNING,
    MTDF,
    BOUNDS,
    REPLACEMENT,
    SORT,
    INTERNAL_DEEPENING,
    QUIESCENCE,
    FUTILITY,
    REDUCTIONS,
    NULL_MOVE,
    BEST_K,
    BEST_SHARE,
    LEAVES,
    GREATEST_DEPTH,
    ALGORITHM,
    EXPLORATION,
    ROLLOUTS,
    FIRST_PLAY,
    PROOFS,
    JOINT,
    JOINT_WIDTH,
    JOINT_BEST,
    JOINT_GUESS,
) = range(35)
N_OPTIONS = 35


@dataclass(frozen=True)
class SearchOptions:
    """Options of a player's search.

    Attributes
    ----------
    objective
        `result`: a finished game scores WIN minus plies, a leaf its evaluation in 1/100 Elo. `margin`: a
        finished game scores its margin, a leaf its evaluation in the weight file's own units, kept within
        what the margin can still become.
    deepening
        Search depth 1, 2, ... instead of the last depth at once. Exact.
    table
        Use the transposition table. Exact with `table_reuse = equal` and `path_free = false`.
    table_reuse
        `equal`: an entry counts at equal remaining depth only. `deeper`: also a deeper one's. Inexact.
    symmetry
        Table keys from the symmetry-canonical state. Exact.
    path_free
        Table keys without rule counters and without the history that repetition draws depend on. Inexact in
        games that have them.
    margin_keys
        With `objective = margin` in a game with `settled_margin`: leaves are worth the settled margin, and
        table entries hold what is added to it, so positions that differ by it alone share an entry. Exact.
    pvs
        Principal variation search: later moves get a zero window first. Exact.
    aspiration
        Half width in Elo of the first window round the last score; 0 = off. Exact.
    hints, killers, history
        Ordering by the game's own hints, by killer moves, by the history heuristic. Exact.
    pruning
        Off: plain minimax, every position within the depth is entered (no window, no cut-off). Exact.
    mtdf
        MTD(f): zero windows from the last score on close in on the value (Plaat and others 1996); wants the
        table. It takes the place of aspiration. Exact.
    bounds
        With `objective = margin`: what is still open of the margin limits every value, so positions that
        cannot come into the window are not searched. Futility pruning done exactly. Exact.
    replacement
        Which table entry gives way. `depth`: one entry of a bucket keeps the deepest search since the last
        move, the other the latest. `always`: the latest search always wins. `lru`: the least recently used
        entry of the bucket goes. Exact.
    sort
        Positions of at least this remaining depth try their moves in the order of the evaluations of the
        positions they lead to; 0 = off. Exact.
    internal_deepening
        Positions of at least this remaining depth that the table knows no move for are first searched two
        plies less deep; 0 = off. Exact.
    quiescence
        Beyond the last ply only the game's noisy moves are tried, for at most so many plies; the mover may
        stand on the evaluation instead, unless all legal moves are noisy. 0 = off. Inexact.
    futility
        In the last two plies only noisy moves are tried if the evaluation, plus so much (Elo, or points of
        margin) for each ply left, does not come up to alpha. For games with noisy moves. 0 = off. Inexact.
    reductions
        Late-move reductions: all but the first so many moves, if no hint or killer speaks for them, are
        searched one ply less deep at remaining depth 3 and more; all but the first four times as many two
        plies, at remaining depth 4 and more; and again in full if they turn out well. 0 = off. Inexact.
    null_move
        In games with `pass_turn`: if the evaluation has reached beta, the turn is passed and the rest
        searched so many plies less deep; a value of beta or more counts. 0 = off. Inexact.
    best_k, best_share
        Keep the best k moves of each position, or one in n (rounded up), by the evaluations of the positions
        they lead to; 0 = all. The smaller number counts. Inexact.
    leaves
        Tie the depth to the root: the greatest depth d with (moves at the root) ** d <= leaves, at least 1;
        0 = off. A limit, not a technique: the value is that of the depth.
    max_depth
        No search is deeper, whatever the limit allows; 0 = none. 1 makes a player that looks at its own moves
        alone. A limit as well.
    algorithm
        `alphabeta`; `uct`: Monte Carlo tree search, see `engine.search.mcts`; or `random`: any legal move with equal
        chance, drawn from the game's seed, without a search. What follows up to `proofs` is for `uct`, which
        needs `objective = result` and uses nothing of the above.
    exploration
        UCB1's exploration constant in hundredths, for results from 0 to 1.
    rollouts
        Share of random playouts in the value of a leaf in per cent; the rest is the evaluation's.
    first_play
        `every`: all moves of a position are tried once before any is tried twice. `parent`: a move that was
        never tried counts as being as good as its parent.
    proofs
        Carry proven results up the tree, and never go where a loss is proven. Exact.
    joint
        For simultaneous games. `pessimistic`: the opponent sees this side's choice. `matrix`: the equilibrium
        of the matrix of both sides' choices, drawn from the game's seed, see `engine.search.simultaneous`.
    joint_width
        The most choices a side that enter the matrix, 1 to 64. Exact unless that many are reached.
    joint_best
        Beyond the first turn, and from depth 4 on, the matrix is that of the k choices of each side that do best by
        the evaluation, against the other's mix or likely choice; 0 = all. Inexact.
    joint_guess
        In so many per cent of cases the opponent is taken to make the choice that does best, by the evaluation,
        against any choice of this side alike, and otherwise to know this side's mix; not where time is short. 0 = off.
        Inexact.
    """

    objective: str = "result"
    deepening: bool = True
    table: bool = True
    table_reuse: str = "deeper"
    symmetry: bool = True
    path_free: bool = True
    margin_keys: bool = False
    pvs: bool = True
    aspiration: int = 0
    hints: bool = True
    killers: bool = True
    history: bool = True
    pruning: bool = True
    mtdf: bool = False
    bounds: bool = True
    replacement: str = "depth"
    sort: int = 0
    internal_deepening: int = 0
    quiescence: int = 0
    futility: int = 0
    reductions: int = 0
    null_move: int = 0
    best_k: int = 0
    best_share: int = 0
    leaves: int = 0
    max_depth: int = 0
    algorithm: str = "alphabeta"
    exploration: int = 15
    rollouts: int = 0
    first_play: str = "parent"
    proofs: bool = True
    joint: str = "pessimistic"
    joint_width: int = 32
    joint_best: int = 6
    joint_guess: int = 0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            _check(field.name, getattr(self, field.name), field.default)

    @classmethod
    def exact(cls, **changes: Any) -> SearchOptions:
        """Return the defaults with every inexact switch off, and `changes`."""
        return cls(
            **{**{name: 0 for name in SELECTIVE}, "table_reuse": "equal", "path_free": False, **changes}
        )

    @classmethod
    def plain(cls, **changes: Any) -> SearchOptions:
        """Return bare alpha-beta: every technique off, and `changes`."""
        bare = {f.name: False for f in dataclasses.fields(cls) if isinstance(f.default, bool)}
        return cls(**{**bare, "pruning": True, "table_reuse": "equal", "joint_best": 0, **changes})

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any], where: str = "search") -> SearchOptions:
        """Return the options of a weight or study file; unknown names are refused with the nearest known."""
        known = [field.name for field in dataclasses.fields(cls)]
        for name in values:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise InputError(f"{where}: unknown search option {name!r}{hint}")
        try:
            return cls(**values)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None

    @property
    def kind(self) -> str:
        """Which search the options ask for: `alphabeta`, `uct`, `random` or `matrix`."""
        return "matrix" if self.joint == "matrix" else self.algorithm

    @property
    def draws(self) -> bool:
        """Whether moves depend on the game's seed."""
        return self.kind in ("matrix", "random") or (self.algorithm == "uct" and self.rollouts > 0)

    def changes(self) -> dict[str, Any]:
        """Return the options that differ from the defaults."""
        return {
            f.name: getattr(self, f.name)
            for f in dataclasses.fields(self)
            if getattr(self, f.name) != f.default
        }

    def encode(self) -> npt.NDArray[np.int64]:
        """Return the options as compiled code reads them."""
        values = [_number(f.name, getattr(self, f.name)) for f in dataclasses.fields(self)]
        return np.array(values, np.int64)


def _check(name: str, value: object, default: object) -> None:
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise InputError(f"{name}: expected one of {', '.join(CHOICES[name])}, found {value!r}")
    elif isinstance(default, bool):
        if not isinstance(value, bool):
            raise InputError(f"{name}: expected true or false, found {value!r}")
    elif isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f"{name}: expected a whole number of 0 or more, found {value!r}")
    elif name in RANGES and not RANGES[name][0] <= value <= RANGES[name][1]:
        low, high = RANGES[name]
        raise InputError(f"{name}: expected a whole number from {low} to {high}, found {value}")


def _number(name: str, value: Any) -> int:
    return CHOICES[name].index(value) if name in CHOICES else int(value)
