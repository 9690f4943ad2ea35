"""Which search a player's options ask for, and how compiled code gets to it.

Templates that play call `decide`, which is alpha-beta. Where a player searches otherwise, `deciding` names
the template that takes the place of `decide` (the `exchange` of `engine.compile.bind.bind`): a game whose players all
use alpha-beta never compiles another search, and two players of one kind compile theirs alone."""

from collections.abc import Callable
from typing import Any

from tunesmith.engine.compile.bind import Exchange
from tunesmith.engine.compile.jit import inlined
from tunesmith.engine.options import ALGORITHM, CHOICES, JOINT, MATRIX, UCT
from tunesmith.engine.search.deepening import think, think_once
from tunesmith.engine.search.mcts import think_uct, think_uct_once
from tunesmith.engine.search.simultaneous import think_matrix, think_matrix_once
from tunesmith.engine.searcher import Searcher
from tunesmith.games.game import State


@inlined
def decide(searcher: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Return the move to play; the parameters, here and below, are those of `think` (template)."""
    return think(searcher, transposition, root, keys, n_keys, n_plies)


@inlined
def by_uct(searcher: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Let two Monte Carlo searches decide (template)."""
    return think_uct(searcher, transposition, root, keys, n_keys, n_plies)


@inlined
def by_matrix(searcher: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Let two players of matrix games decide (template)."""
    return think_matrix(searcher, transposition, root, keys, n_keys, n_plies)


@inlined
def by_alphabeta_or_uct(
    searcher: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int
) -> int:
    """Let the player's option decide (template)."""
    if searcher.options[ALGORITHM] == UCT:
        return think_uct(searcher, transposition, root, keys, n_keys, n_plies)
    return think(searcher, transposition, root, keys, n_keys, n_plies)


@inlined
def by_alphabeta_or_matrix(
    searcher: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int
) -> int:
    """Let the player's option decide (template)."""
    if searcher.options[JOINT] == MATRIX:
        return think_matrix(searcher, transposition, root, keys, n_keys, n_plies)
    return think(searcher, transposition, root, keys, n_keys, n_plies)


@inlined
def by_uct_or_matrix(
    searcher: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int
) -> int:
    """Let the player's option decide (template)."""
    if searcher.options[JOINT] == MATRIX:
        return think_matrix(searcher, transposition, root, keys, n_keys, n_plies)
    return think_uct(searcher, transposition, root, keys, n_keys, n_plies)


DECIDING: dict[frozenset[str], Callable[..., int]] = {
    frozenset({"uct"}): by_uct,
    frozenset({"matrix"}): by_matrix,
    frozenset({"alphabeta", "uct"}): by_alphabeta_or_uct,
    frozenset({"alphabeta", "matrix"}): by_alphabeta_or_matrix,
    frozenset({"uct", "matrix"}): by_uct_or_matrix,
}
ONCE: dict[str, Callable[..., int]] = {
    "alphabeta": think_once,
    "uct": think_uct_once,
    "matrix": think_matrix_once,
}


def kind_of(searcher: Searcher) -> str:
    """Return which search a searcher's options ask for: `alphabeta`, `uct`, `random` or `matrix`."""
    options = searcher.memory["options"][0]
    return "matrix" if options[JOINT] == MATRIX else CHOICES["algorithm"][options[ALGORITHM]]


def deciding(first: Searcher, second: Searcher) -> Exchange | None:
    """Return what two players need in the place of `decide`; None if that will do.

    A player that draws its moves at random never gets there.
    """
    kinds = frozenset({kind_of(first), kind_of(second)} - {"random"})
    return (decide, DECIDING[kinds]) if kinds in DECIDING else None


def thinking_once(searcher: Searcher) -> Callable[..., int]:
    """Return the template that searches one position for one player that searches, called from outside."""
    return ONCE[kind_of(searcher)]
