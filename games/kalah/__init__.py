"""Kalah (Kalaha): sow seeds around the board; whoever banks more wins.

Each player has m ponds, numbered 1 to m from his own left to his own right, and a bank right of pond m.
Pond i of one player faces pond m + 1 - i of the other. Every pond starts with n seeds; A, the first player,
begins.

A move takes all seeds of one own pond and sows them one by one to the right: own ponds, own bank, the
opponent's ponds from his pond 1, own ponds again (the pond played too). The opponent's bank is skipped.
- Last seed in the own bank: a free turn, the same player moves again.
- Last seed in an own pond that was empty, facing a pond with seeds: that seed and all it faces go to the own
  bank, and the opponent moves. With `empty_capture` the seed is banked even when it faces an empty pond.
- Anything else: the opponent moves.

As soon as either side has no seeds in its ponds the game is over, whoever would move; seeds left go to the
bank of the player on whose side they lie. More seeds win, equal is a draw.

Variants: `ponds` (m, 1 to 6), `seeds` (n, at least 1, at most 255 on the board), `empty_capture` (the rule of
Irving, Donkers and Uiterwijk's solutions; their published values hold for it alone). A position given as
text may hold any number of seeds up to 255."""

from pathlib import Path

from tunesmith.games.errors import InputError
from tunesmith.games.game import Game, functions_of, specialise
from tunesmith.games.kalah import board, drawing, features, notation, rules, symmetry
from tunesmith.games.texts import is_whole

__all__ = ["GAME", "make"]

_FUNCTIONS = functions_of(rules, symmetry, features, notation, drawing)


def make(ponds: int = 6, seeds: int = 6, empty_capture: bool = False) -> Game:
    """Return Kalah(ponds, seeds).

    Raises
    ------
    InputError
        `ponds` not 1 to 6, `seeds` below 1 or more than 255 on the board, `empty_capture` not a bool.
    """
    if not is_whole(ponds) or not 1 <= ponds <= board.MOST_PONDS:
        raise InputError(f"kalah: ponds: expected 1 to {board.MOST_PONDS}, found {ponds!r}")
    most = board.MOST_SEEDS // (2 * ponds)
    if not is_whole(seeds) or not 1 <= seeds <= most:
        raise InputError(f"kalah: seeds: expected 1 to {most} with {ponds} ponds a side, found {seeds!r}")
    if not isinstance(empty_capture, bool):
        raise InputError(f"kalah: empty_capture: expected true or false, found {empty_capture!r}")
    constants = board.constants(ponds) | rules.constants(seeds, empty_capture) | features.constants(ponds)
    meanings = features.meanings(ponds)
    return Game(
        name="kalah",
        variant={"ponds": ponds, "seeds": seeds, "empty_capture": empty_capture},
        feature_names=tuple(meanings),
        feature_meanings=tuple(meanings.values()),
        stage_names=features.STAGES,
        cheap_features=features.cheap(ponds),
        max_moves=ponds,
        folder=Path(__file__).parent,
        **specialise(_FUNCTIONS, constants),  # type: ignore[arg-type]
    )


GAME = make()
