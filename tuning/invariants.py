"""Did a played game keep the rules, as the game's plain Python functions tell them?

Self-play runs compiled code and trusts it. In debug mode each game is played through once more, ply by ply, and
asked what `tunesmith check` asks of a position: results in range, mover 0 or 1, every legal move listed once, the
move played among them, features and shares of stages finite, texts of position and moves read back as what they
say; and at the end the result must be the one that was recorded."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence
from typing import NamedTuple

from engine.check_asking import Asker, Stopped
from engine.check_position import FINISHED, Seen, check_features, check_stages, look
from engine.check_texts import check_move_texts, check_state_text
from games.game import ONGOING, Game, State

_UNFINISHED = (check_features, check_stages, check_state_text, check_move_texts)


class Broken(NamedTuple):
    """Which rule a game broke: after how many moves, and what is wrong, in one line."""

    ply: int
    what: str


def first_broken(
    game: Game, moves: Sequence[int], result: int | None, root: State | None = None
) -> Broken | None:
    """Return what is wrong first in a game from `root` (None = the start position), None if nothing is.

    `result` is the recorded one of player 0; None is not compared.
    """
    asker, rng = Asker(game), random.Random(0)
    state = asker.checked(game.initial(), "initial") if root is None else root
    for ply in range(len(moves) + 1):
        move = moves[ply] if ply < len(moves) else None
        with contextlib.suppress(Stopped):  # why is noted
            state = _step(asker, state, move, result, rng)
        if asker.problems:
            return Broken(ply, " ".join(str(asker.problems[0]).split()))
    return None


def _step(asker: Asker, state: State, move: int | None, result: int | None, rng: random.Random) -> State:
    """Look at one position, and return the next one."""
    asker.forget()
    seen = look(asker, state, rng)
    for rule in _UNFINISHED if seen.moves else FINISHED:
        rule(asker, seen)
    if move is None:
        _compare_end(asker, seen, result)
        return state
    if seen.outcome != ONGOING:
        raise asker.stop("play", f"move {move} was played after the end", "outcome", state)
    if move not in seen.moves:
        raise asker.stop("play", f"move {move} was played, which is not legal", "legal_moves", state)
    return asker.state("apply_move", state, move)


def _compare_end(asker: Asker, seen: Seen, result: int | None) -> None:
    if seen.outcome != ONGOING and result is not None and result != seen.outcome:
        what = f"the game was recorded as {result}, here it is {seen.outcome}"
        asker.note("play", what, "outcome", seen.state)
