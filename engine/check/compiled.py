"""Do the compiled functions say what plain Python says? Types, buffers, answers.

Two templates ask everything about one position in a single call: compiled code is compared with plain Python
on the positions of random games. Types come from the compiler, since a float or an unsigned word looks
harmless once it is back in Python. Buffers lie between guard cells, which must stay as they were."""

from typing import Any, NamedTuple

import numpy as np

from tunesmith.engine.check.asking import FILLS, Asker, Stopped
from tunesmith.engine.check.position import Seen
from tunesmith.engine.check.words import explain_compiler
from tunesmith.engine.compile import jit
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.compile.slots import (
    apply_move,
    features,
    final_margin,
    hide,
    history_key,
    is_quiet,
    legal_moves,
    move_hint,
    mover,
    noisy_moves,
    open_margin,
    open_state,
    outcome,
    pass_turn,
    plies,
    settled_margin,
    stages,
    strip_counters,
    swap_move,
    swap_sides,
    symmetric_move,
    symmetries,
)
from tunesmith.games.game import State

GUARDS = 64  # cells before and after each buffer
SAME = 1e-9  # relative: compiled code may add floats in another order

COMPILED_CODE = "compiled code"  # what a watcher is told is running
# What `survey` and `survey_end` return, in order.
ANSWERS = (
    "legal_moves",
    "noisy_moves",
    "mover",
    "outcome",
    "is_quiet",
    "move_hint",
    "history_key",
    "plies",
    "settled_margin",
    "open_margin",
    "symmetric_move",
    "swap_move",
    "apply_move",
    "symmetries",
    "swap_sides",
    "pass_turn",
    "strip_counters",
    "hide",
    "open_state",
)
END_ANSWERS = ("mover", "outcome", "history_key", "final_margin", "symmetries", "swap_sides")


def survey(
    state: State, move: int, k: int, moves: Any, noisy: Any, values: Any, shares: Any
) -> tuple[Any, ...]:
    """Ask everything about an unfinished position (template)."""
    n_moves = legal_moves(state, moves)
    n_noisy = noisy_moves(state, noisy)
    features(state, values)
    stages(state, shares)
    return (
        n_moves,
        n_noisy,
        mover(state),
        outcome(state),
        is_quiet(state),
        move_hint(state, move),
        history_key(state),
        plies(state),
        settled_margin(state),
        open_margin(state),
        symmetric_move(state, move, k),
        swap_move(move),
        apply_move(state, move),
        symmetries(state, k),
        swap_sides(state),
        pass_turn(state),
        strip_counters(state),
        hide(state),
        open_state(state),
    )


def survey_end(state: State, k: int) -> tuple[Any, ...]:
    """Ask everything about a finished position (template)."""
    return (
        mover(state),
        outcome(state),
        history_key(state),
        final_margin(state),
        symmetries(state, k),
        swap_sides(state),
    )


class Buffers(NamedTuple):
    """The arrays that `survey` fills, each a slice of a longer one."""

    moves: Any
    noisy: Any
    values: Any
    shares: Any

    def fill(self) -> None:
        """Put something recognisable everywhere, guards included."""
        for view in self:
            view.base.fill(FILLS[0] if view.dtype == np.int64 else np.inf)

    def touched(self, n_moves: int, n_noisy: int) -> str | None:
        """Name the first buffer that was written outside its `n` entries."""
        lengths = (n_moves, n_noisy, len(self.values), len(self.shares))
        for name, view, n in zip(self._fields, self, lengths, strict=True):
            outside = np.concatenate([view.base[:GUARDS], view.base[GUARDS + n :]])
            if (outside != (FILLS[0] if view.dtype == np.int64 else np.inf)).any():
                return name
        return None


OWNER = {"moves": "legal_moves", "noisy": "noisy_moves", "values": "features", "shares": "stages"}


def buffers(asker: Asker) -> Buffers:
    """Return fresh buffers of the sizes that the engine gives."""
    game = asker.game
    moves, noisy = (np.zeros(game.max_moves + 2 * GUARDS, np.int64) for _ in range(2))
    values, shares = (np.zeros(n + 2 * GUARDS) for n in (game.n_features, game.n_stages))
    return Buffers(*(array[GUARDS:-GUARDS] for array in (moves, noisy, values, shares)))


def check_compiled(asker: Asker, seen: list[Seen], positions: int) -> None:
    """Compile the game's functions, and compare them with plain Python on positions of random games."""
    if not jit.COMPILED:
        return
    unfinished = [position for position in seen if position.moves]
    finished = [position for position in seen if not position.moves]
    try:
        if unfinished:
            first = unfinished[0]
            check_types(asker, survey, ANSWERS, (first.state, *_case(asker, first), *buffers(asker)))
            _compare_unfinished(asker, unfinished[:positions])
        if finished:
            check_types(asker, survey_end, END_ANSWERS, (finished[0].state, 0))
            _compare_finished(asker, finished[:positions])
    except Stopped:
        return


def _case(asker: Asker, seen: Seen) -> tuple[int, int]:
    """Return the move and the image to ask about."""
    move = seen.moves[sum(seen.state) % len(seen.moves)] if seen.moves else 0
    return move, sum(seen.state) % max(1, asker.game.n_symmetries)


def own_arguments(name: str, state: State, move: int, k: int) -> tuple[Any, ...]:
    """Return the arguments of the contract function `name`, without its buffer."""
    given: dict[str, tuple[Any, ...]] = {
        "initial": (),
        "apply_move": (state, move),
        "move_hint": (state, move),
        "symmetries": (state, k),
        "symmetric_move": (state, move, k),
        "swap_move": (move,),
    }
    return given.get(name, (state,))


def check_types(asker: Asker, template: Any, names: tuple[str, ...], arguments: tuple[Any, ...]) -> None:
    """Compile a template; its numbers must be int64 (or bool), its states tuples of int64."""
    bound = bind(template, asker.game)
    asker.watch.start("the compiler", arguments[0], limited=False)
    try:
        types = jit.return_types(bound, arguments)
    except Exception as error:
        _blame(asker, arguments[0], error)
        raise Stopped from None
    expected = ("int64", "bool", f"UniTuple(int64 x {asker.n_words})")
    for name, kind in zip(names, types, strict=True):
        if asker.has(name) and kind not in expected:
            words = kind.replace("UniTuple", "tuple").replace("Tuple", "tuple")
            what = f"compiled, it returns {words}; expected int64 (unsigned or float parts mixed in?)"
            asker.note("compiled-types", what, name)
    if any(problem.rule == "compiled-types" for problem in asker.problems):
        raise Stopped


def _blame(asker: Asker, state: State, error: Exception) -> None:
    """Compile each function alone, and note those that fail; if none does, the whole's error."""
    before, room = len(asker.problems), buffers(asker)
    owned = {owner: getattr(room, field) for field, owner in OWNER.items()}
    for name, function in asker.game.functions().items():
        arguments = own_arguments(name, state, 0, 0) + ((owned[name],) if name in owned else ())
        try:
            jit.return_types(bind(function, asker.game), arguments)
        except Exception as alone:
            asker.note("compiles", explain_compiler(alone, function), name)
    if len(asker.problems) == before:
        asker.note("compiles", explain_compiler(error, asker.game.legal_moves))


def _compare_unfinished(asker: Asker, seen: list[Seen]) -> None:
    room, bound = buffers(asker), bind(survey, asker.game)
    for position in seen:
        room.fill()
        asker.watch.start(COMPILED_CODE, position.state)
        found = bound(position.state, *_case(asker, position), *room)
        if _misuse(asker, position, room, found):
            return
        written = {
            "legal_moves": room.moves[: found[0]].tolist(),
            "noisy_moves": room.noisy[: found[1]].tolist(),
            "features": room.values.tolist(),
            "stages": room.shares.tolist(),
        }
        _compare(asker, position, written | dict(zip(ANSWERS[2:], found[2:], strict=True)))


def _compare_finished(asker: Asker, seen: list[Seen]) -> None:
    bound = bind(survey_end, asker.game)
    for position in seen:
        asker.watch.start(COMPILED_CODE, position.state)
        found = bound(position.state, _case(asker, position)[1])
        _compare(asker, position, dict(zip(END_ANSWERS, found, strict=True)))


def _misuse(asker: Asker, seen: Seen, room: Buffers, found: tuple[Any, ...]) -> bool:
    most = asker.game.max_moves
    for name, n in zip(ANSWERS, found[:2], strict=False):
        if not 0 <= n <= most:
            asker.note("compiled-differs", f"compiled, it returns {n} moves", name, seen.state)
            return True
    touched = room.touched(found[0], found[1])
    if touched is not None:
        what = "compiled, it writes outside its buffer (an index that wraps round or runs over?)"
        asker.note("compiled-buffer", what, OWNER[touched], seen.state)
    return touched is not None


def _compare(asker: Asker, seen: Seen, found: dict[str, Any]) -> None:
    """Ask plain Python the same, and note each answer that differs."""
    for name, answer in found.items():
        if not asker.has(name):
            continue
        expected = _plain_answer(asker, name, seen)
        is_close = isinstance(answer, list) and len(answer) == len(expected)
        if answer != expected and not (is_close and np.allclose(answer, expected, rtol=SAME, atol=SAME)):
            what = f"compiled {answer!s:.120}, plain Python {expected!s:.120}"
            asker.note("compiled-differs", what, name, seen.state)


def _plain_answer(asker: Asker, name: str, seen: Seen) -> Any:
    sizes = {"features": asker.game.n_features, "stages": asker.game.n_stages}
    if name in sizes:
        return asker.numbers(name, seen.state, sizes[name], 0.0).tolist()
    if name in ("legal_moves", "noisy_moves"):
        return asker.moves(name, seen.state)
    return asker.call(name, *own_arguments(name, seen.state, *_case(asker, seen)))
