"""Did a played game keep the rules, as the game's plain Python functions tell them?

Self-play runs compiled code and trusts it. In debug mode each game is played through once more, ply by ply, and
asked what `tunesmith check` asks of a position: results in range, mover 0 or 1, every legal move listed once, the
move played among them, features and shares of stages finite, texts of position and moves read back as what they
say; and at the end the result must be the one that was recorded.

`unsound` asks little enough to be asked always: compiled code turns a feature that is not a number into some
score, and any number that `outcome` returns into a result."""

import contextlib
import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tunesmith.engine.check.asking import Asker, Stopped
from tunesmith.engine.check.position import FINISHED, Seen, check_features, check_stages, look
from tunesmith.engine.check.texts import check_move_texts, check_state_text
from tunesmith.engine.match import NO_RESULT
from tunesmith.games.game import ONGOING, Game, State

_UNFINISHED = (check_features, check_stages, check_state_text, check_move_texts)


class Broken(NamedTuple):
    """Which rule a game broke: after how many moves, and what is wrong, in one line."""

    ply: int
    what: str


def first_broken(game: Game, moves: Sequence[int], result: int, root: State | None = None) -> Broken | None:
    """Return what is wrong first in a game from `root` (None = the start position), None if nothing is.

    `result` is the recorded one of player 0; NO_RESULT is not compared.
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


def unsound(game: Game, moves: Sequence[int], result: int, root: State | None, looks: bool) -> str:
    """Return what makes a played game worthless, "" if nothing does: a result that is none; if `looks`, features.

    Features and shares of stages are asked for, in plain Python, in every unfinished position of the game.
    """
    if result not in (NO_RESULT, 1, 0, -1):
        return f"outcome: expected ONGOING ({ONGOING}), 1, 0 or -1, found {result}"
    state = game.initial() if root is None else root
    for ply, move in enumerate(moves if looks else ()):
        strange = _not_finite(game, state)
        if strange:
            return f"{strange}, after {ply} moves"
        state = game.apply_move(state, int(move))
    return ""


def _not_finite(game: Game, state: State) -> str:
    values, shares = np.zeros(game.n_features), np.ones(game.n_stages)
    game.features(state, values)
    if game.stages is not None:
        game.stages(state, shares)
    for kind, names, found in (("feature", game.feature_names, values), ("stage", game.stage_names, shares)):
        for name, value in zip(names, found.tolist(), strict=True):
            if not np.isfinite(value):
                return f"{kind} {name}: expected a finite number, found {value}"
    return ""


def _step(asker: Asker, state: State, move: int | None, result: int, rng: random.Random) -> State:
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


def _compare_end(asker: Asker, seen: Seen, result: int) -> None:
    if seen.outcome != ONGOING and result not in (NO_RESULT, seen.outcome):
        what = f"the game was recorded as {result}, here it is {seen.outcome}"
        asker.note("play", what, "outcome", seen.state)
