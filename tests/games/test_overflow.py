"""No sum, difference or product of a game leaves int64: compiled, that would be undefined behaviour.

Every function of every game is asked along random games, with numbers that watch what is computed from them
(`test_words` asks bit counts and hashes alone, with numbers at the limits)."""

import random
from typing import Any

import numpy as np
import pytest

from tunesmith import games
from tunesmith.games.game import ONGOING, Game, State

SPECS = (*games.names(), "kalah:ponds=4,seeds=20", "pentago:variant=swap", "fanorona:width=9,height=9")


def signed(value: int) -> int:
    """Return what the low 64 bits of a number mean in int64."""
    return ((int(value) + 2**63) % 2**64) - 2**63


class Word(int):
    """An int whose arithmetic is watched; all that is computed from it is watched too."""


def watched(name: str) -> Any:
    """Return an operator of `int` that refuses what an int64 cannot hold."""

    def operator(self: int, other: Any) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        exact = getattr(int, name)(signed(self), signed(other))
        if signed(exact) != exact:
            raise OverflowError(f"{name} of {signed(self)} and {signed(other)}")
        return Word(getattr(int, name)(int(self), int(other)))

    return operator


def followed(name: str) -> Any:
    """Return an operator of `int` that cannot overflow."""

    def operator(self: int, *other: Any) -> Any:
        found = getattr(int, name)(int(self), *other)
        return found if found is NotImplemented else Word(found)

    return operator


for symbol in ("add", "sub", "mul"):
    setattr(Word, f"__{symbol}__", watched(f"__{symbol}__"))
    setattr(Word, f"__r{symbol}__", watched(f"__r{symbol}__"))
for symbol in ("and", "or", "xor", "lshift", "rshift", "floordiv", "mod"):
    setattr(Word, f"__{symbol}__", followed(f"__{symbol}__"))
    setattr(Word, f"__r{symbol}__", followed(f"__r{symbol}__"))
for symbol in ("neg", "invert"):
    setattr(Word, f"__{symbol}__", followed(f"__{symbol}__"))


def words(state: State) -> State:
    """Return the state with all its numbers watched."""
    return tuple(Word(value) for value in state)


def look(game: Game, state: State, moves: Any) -> list[int]:
    """Ask everything about an unfinished position; return its moves."""
    legal = [Word(move) for move in moves[: game.legal_moves(state, moves)]]
    for name in ("is_quiet", "history_key", "plies", "strip_counters", "swap_sides", "settled_margin"):
        question = getattr(game, name)
        if question is not None:
            question(state)
    for k in range(game.n_symmetries):
        if game.symmetries is not None:
            game.symmetries(state, Word(k))
    game.features(state, np.zeros(game.n_features))
    if game.stages is not None:
        game.stages(state, np.zeros(game.n_stages))
    if game.noisy_moves is not None:
        game.noisy_moves(state, moves)
    for move in legal if game.move_hint is not None else ():
        game.move_hint(state, move)
    return legal


@pytest.mark.parametrize("spec", SPECS)
def test_no_arithmetic_of_a_game_overflows(spec: str) -> None:
    game, rng = games.load(spec), random.Random(spec)
    moves: Any = np.zeros(game.max_moves, np.int64)
    state = words(game.initial())
    for _ in range(60):
        if game.outcome(state) != ONGOING:
            state = words(game.initial())
        state = words(game.apply_move(state, rng.choice(look(game, state, moves))))
        if game.outcome(state) != ONGOING and game.final_margin is not None:
            game.final_margin(state)


def test_the_watch_sees_overflow() -> None:
    """What it is for: a hash that multiplies whole words, and a sum that only looks harmless."""
    with pytest.raises(OverflowError, match="__mul__"):
        (Word(2**40) ^ 3) * 0x5851_F42D_4C95_7F2D & (2**63 - 1)
    with pytest.raises(OverflowError, match="__rsub__"):
        2**62 - (-Word(2**62))
    assert (Word(1) << 62) - 1 == 2**62 - 1
