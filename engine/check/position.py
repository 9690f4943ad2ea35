"""What must hold in a single position: numbers, moves, features, shares, counters.

Each rule is a function of an `Asker` and a `Seen` position; it notes what it finds and may end early with
`Stopped`. `UNFINISHED` lists the rules for positions in play, `FINISHED` those for the others."""

import random
from collections import Counter
from typing import NamedTuple

import numpy as np

from tunesmith.engine.check.asking import LIMIT, Asker, shown
from tunesmith.games.game import ONGOING, State

SHARES_SUM = 1e-9
FILLED = (-37.5, 81.25)  # what stands in buffers of numbers
FEW = 4  # moves of a position that costly rules look at


class Seen(NamedTuple):
    """A position as the core questions found it; `moves` is empty in a finished one."""

    state: State
    mover: int
    outcome: int
    moves: list[int]
    rng: random.Random

    @property
    def few(self) -> list[int]:
        """A few of the moves, drawn at random."""
        return self.rng.sample(self.moves, min(FEW, len(self.moves)))


def look(asker: Asker, state: State, rng: random.Random) -> Seen:
    """Return the position `state`; raise `Stopped` if a core answer is no answer."""
    outcome = asker.call("outcome", state)
    if type(outcome) is not int or outcome not in (ONGOING, 1, 0, -1):
        what = f"expected ONGOING ({ONGOING}), 1, 0 or -1 as an int, found {shown(outcome)}"
        raise asker.stop("outcome-value", what, "outcome", state)
    mover = asker.call("mover", state)
    if type(mover) is not int or mover not in (0, 1):
        raise asker.stop("mover", f"expected 0 or 1 as an int, found {shown(mover)}", "mover", state)
    if outcome != ONGOING:
        return Seen(state, mover, outcome, [], rng)
    moves = asker.moves("legal_moves", state)
    check_moves(asker, state, moves)
    return Seen(state, mover, outcome, moves, rng)


def check_moves(asker: Asker, state: State, moves: list[int]) -> None:
    """Legal moves are there, not negative, and each there once."""
    if not moves:
        what = "no legal move, but outcome says ONGOING: return a pass move, or let mover stay the player who can move"
        raise asker.stop("no-moves", what, "legal_moves", state)
    if min(moves) < 0:
        what = f"lists {min(moves)}; moves are not negative"
        raise asker.stop("move-number", what, "legal_moves", state)
    if len(set(moves)) < len(moves):
        move, times = Counter(moves).most_common(1)[0]
        asker.note("duplicate-moves", f"lists move {move} {times} times", "legal_moves", state, move)


def check_features(asker: Asker, seen: Seen) -> None:
    """All features are written, finite, and the same whatever stood in the buffer."""
    names = asker.game.feature_names
    one, two = (asker.numbers("features", seen.state, len(names), fill) for fill in FILLED)
    for name, value, other in zip(names, one, two, strict=True):
        if (value, other) == FILLED:
            asker.note("features", f"{name!r} is not written", "features", seen.state, kind=name)
        elif not (np.isfinite(value) and np.isfinite(other)):
            what = f"{name!r} is {value}, not a finite number"
            asker.note("features", what, "features", seen.state, kind=name)
        elif value != other:
            what = f"{name!r} is {value:g}, then {other:g}: it depends on the buffer or on earlier calls"
            asker.note("pure", what, "features", seen.state, kind=name)


def check_cheap(asker: Asker, seen: Seen) -> None:
    """Cheap features come out the same when the others are not wanted."""
    names, cheap = asker.game.feature_names, asker.game.cheap_features
    if not cheap:
        return
    mask = sum(1 << index for index, name in enumerate(names) if name in cheap)
    values, full = np.zeros(len(names)), asker.features(seen.state)
    asker.run("features", asker.partly(mask), seen.state, values)
    for name, value, expected in zip(names, values, full, strict=True):
        if name in cheap and value != expected:
            what = f"{name!r} is {value:g} with FEATURES_WANTED = {mask}, {expected:g} with all wanted"
            asker.note("cheap-features", what, "features", seen.state)


def check_stages(asker: Asker, seen: Seen) -> None:
    """Shares of stages are written, finite, not negative, and sum to 1."""
    if not asker.has("stages"):
        return
    names = asker.game.stage_names
    once, again = (asker.numbers("stages", seen.state, len(names), fill) for fill in FILLED)
    if not np.isfinite(once).all() or once.min() < 0 or abs(once.sum() - 1) > SHARES_SUM:
        shares = dict(zip(names, map(float, once), strict=True))
        what = f"expected shares of 0 or more that sum to 1, found {shares}"
        asker.note("stages", what, "stages", seen.state)
    elif (once != again).any():
        asker.note("pure", "shares depend on what stood in the buffer", "stages", seen.state)


def check_quiet(asker: Asker, seen: Seen) -> None:
    """Noisy moves are legal moves, each once; hints and quietness are whole numbers."""
    if asker.has("noisy_moves"):
        noisy = asker.moves("noisy_moves", seen.state)
        for move in noisy:
            if move not in seen.moves or noisy.count(move) > 1:
                what = f"lists {move} {noisy.count(move)} time(s), which is {_times(seen.moves.count(move))}"
                asker.note("noisy-moves", what, "noisy_moves", seen.state)
    if asker.has("is_quiet"):
        asker.whole("is_quiet", seen.state)
    if asker.has("move_hint"):
        for move in seen.few:
            asker.whole("move_hint", seen.state, move)


def check_pass(asker: Asker, seen: Seen) -> None:
    """Passing gives the move to the other player, ends nothing, and done twice is nothing."""
    if not asker.has("pass_turn"):
        return
    passed = asker.state("pass_turn", seen.state)
    if asker.whole("mover", passed) == asker.whole("mover", seen.state):
        asker.note("pass", "the same player has the move", "pass_turn", seen.state)
    elif asker.whole("outcome", passed) != ONGOING:
        asker.note("pass", "ends the game", "pass_turn", seen.state)
    elif asker.state("pass_turn", passed) != seen.state:
        asker.note("pass", "done twice it changes the position", "pass_turn", seen.state)


def _times(n: int) -> str:
    return f"{n} time(s) among the legal moves"


def check_history_key(asker: Asker, seen: Seen) -> None:
    """A key is an int of 63 bits: 0 for a position that does not count."""
    if asker.has("history_key"):
        key = asker.call("history_key", seen.state)
        if type(key) is not int or not 0 <= key < LIMIT:
            what = f"expected an int from 0 to 2**63 - 1, found {shown(key)}"
            asker.note("history-key", what, "history_key", seen.state)


def check_counters(asker: Asker, seen: Seen) -> None:
    """Plies go up by one; without counters, and without a hidden choice, the same moves are legal."""
    if asker.has("plies"):
        before = asker.whole("plies", seen.state)
        for move in seen.few[:1]:
            after = asker.whole("plies", asker.state("apply_move", seen.state, move))
            if before >= 0 and after != before + 1:
                asker.note("counters", f"{before} before a move, {after} after", "plies", seen.state, move)
    for name in ("strip_counters", "hide"):
        if not asker.has(name):
            continue
        stripped = asker.state(name, seen.state)
        if asker.state(name, stripped) != stripped:
            asker.note("counters", "done twice it changes the state again", name, seen.state)
        if name == "strip_counters" and set(asker.moves("legal_moves", stripped)) != set(seen.moves):
            asker.note("counters", "other moves are legal without the counters", name, seen.state)


def check_open_part(asker: Asker, seen: Seen) -> None:
    """Margins are ints, the open one not negative; the open state allows the same moves."""
    if asker.has("settled_margin"):
        asker.whole("settled_margin", seen.state)
    if asker.has("open_margin") and asker.whole("open_margin", seen.state) < 0:
        asker.note("margin", "negative", "open_margin", seen.state)
    if asker.has("open_state"):
        rest = asker.state("open_state", seen.state)
        if set(asker.moves("legal_moves", rest)) != set(seen.moves):
            asker.note("margin", "other moves are legal in the open state", "open_state", seen.state)


def check_end(asker: Asker, seen: Seen) -> None:
    """A finished game has a reason, and a margin of the winner's sign."""
    if asker.game.end_reason is not None:
        reason = asker.run("end_reason", asker.game.end_reason, seen.state)
        if not isinstance(reason, str) or not reason:
            asker.note("answer-type", f"expected a word, found {shown(reason)}", "end_reason", seen.state)
    if asker.has("final_margin"):
        margin = asker.whole("final_margin", seen.state)
        if (margin > 0) - (margin < 0) != seen.outcome:
            what = f"margin {margin} of the first player, but the outcome is {seen.outcome}"
            asker.note("margin", what, "final_margin", seen.state)


UNFINISHED = (
    check_features,
    check_cheap,
    check_stages,
    check_quiet,
    check_pass,
    check_history_key,
    check_counters,
    check_open_part,
)
FINISHED = (check_history_key, check_end)
