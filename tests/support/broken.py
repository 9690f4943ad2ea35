"""Games of piles and hands that break the contract in one place, and what the check must say of each.

Long because each defect is a function of its own, named after what it does wrong."""

import random
import sys
from typing import Any

import numpy as np

from tests.support.toys import (
    apply_move,
    features,
    hands_apply_move,
    hands_features,
    hands_legal_moves,
    legal_moves,
    noisy_moves,
    outcome,
    plies,
    stages,
    state_to_text,
    symmetric_move,
    text_to_move,
    text_to_state,
)
from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, State

# --- broken functions, named after the rule they break


class Hints:
    """Numbers that no digest can see."""

    first = 1


OPAQUE = Hints()
LARGE = np.ones(200_000)


def refers_to_object(state: State, move: int) -> int:
    return OPAQUE.first


def refers_to_large_array(state: State, move: int) -> int:
    return int(LARGE[move])


def raises(state: State) -> bool:
    return 1 // (state[0] - 2) > 0


def calls_helper_that_raises(state: State) -> bool:
    return raises(state)


def exits(state: State) -> int:
    sys.exit("enough")


def list_state(state: State, move: int) -> Any:
    return list(apply_move(state, move))


def longer_state(state: State, move: int) -> State:
    return (*apply_move(state, move), 7) if state[0] == 1 else apply_move(state, move)


def float_state(state: State, move: int) -> Any:
    a, b, side, n = apply_move(state, move)
    return a / 1, b, side, n


def bool_state(state: State, move: int) -> Any:
    a, b, side, n = apply_move(state, move)
    return a, b, side == 1, n


TABLE = np.arange(64, dtype=np.int64)


def numpy_state(state: State, move: int) -> Any:
    a, b, side, n = apply_move(state, move)
    return TABLE[a], b, side, n


def negative_state(state: State, move: int) -> State:
    a, b, side, n = apply_move(state, move)
    return a, b, side, n - 3


def bit_63_state(state: State, move: int) -> State:
    a, b, side, n = apply_move(state, move)
    return a, b, side, n | 1 << 63


def zero_while_playing(state: State) -> int:
    return 0 if outcome(state) == ONGOING else outcome(state)


def other_outcome(state: State) -> int:
    return 3 if state[0] == 0 else ONGOING


def float_outcome(state: State) -> Any:
    return float(outcome(state))


def mover_two(state: State) -> int:
    return state[2] + 1


def mover_bool(state: State) -> bool:
    return state[2] == 1


def no_moves(state: State, out: Any) -> int:
    return 0 if state[0] == 1 else legal_moves(state, out)


def negative_move(state: State, out: Any) -> int:
    n = legal_moves(state, out)
    out[n - 1] = -1
    return n


def duplicates(state: State, out: Any) -> int:
    n = legal_moves(state, out)
    if n == 3:
        out[n] = out[0]
        return n + 1
    return n


def writes_beyond(state: State, out: Any) -> int:
    n = legal_moves(state, out)
    if n < 4:
        out[n] = 99
    return n


def writes_before(state: State, out: Any) -> int:
    n = legal_moves(state, out)
    out[-1] = 99
    return n


def writes_far(state: State, out: Any) -> int:
    out[500] = 1
    return legal_moves(state, out)


def features_too_many(state: State, out: Any) -> None:
    features(state, out)
    out[3] = 1.0


def no_number(state: State, out: Any) -> Any:
    legal_moves(state, out)


memory = [0]


def outcome_by_memory(state: State) -> int:
    memory[0] += 1
    return ONGOING if outcome(state) == ONGOING else memory[0] % 2


def move_by_memory(state: State, move: int) -> State:
    memory[0] += 1
    a, b, side, n = apply_move(state, move)
    return (a, b, side, n) if memory[0] % 7 or b == 0 else (a, b - 1, side, n)


def moves_at_random(state: State, out: Any) -> int:
    n = legal_moves(state, out)
    if n > 1 and random.random() < 0.5:
        out[0], out[1] = out[1], out[0]
    return n


def accumulates(state: State, out: Any) -> None:
    out[0] = 1.0
    out[1] += 1.0
    out[2] = 0.0


def forgets_one(state: State, out: Any) -> None:
    out[0] = 1.0
    out[2] = 0.0


def infinite(state: State, out: Any) -> None:
    features(state, out)
    out[1] = np.inf if state[0] == 1 else 0.0


def not_a_number(state: State, out: Any) -> None:
    features(state, out)
    out[2] = np.nan


FEATURES_WANTED = -1


def cheap_needs_dear(state: State, out: Any) -> None:
    features(state, out)
    if not FEATURES_WANTED & 2:
        out[0] = 0.0


def negative_share(state: State, out: Any) -> None:
    out[0] = (state[0] - 2) / 2
    out[1] = 1.0 - out[0]


def shares_short(state: State, out: Any) -> None:
    stages(state, out)
    out[0] *= 0.5


def noisy_illegal(state: State, out: Any) -> int:
    out[0] = 1
    return 1


def noisy_twice(state: State, out: Any) -> int:
    n = noisy_moves(state, out)
    if n == 1:
        out[1] = out[0]
        return 2
    return n


def hint_float(state: State, move: int) -> Any:
    return 0.5


def key_negative(state: State) -> int:
    return 3 - state[0] * 4


def key_float(state: State) -> Any:
    return 1.5


def plies_by_two(state: State) -> int:
    return 2 * plies(state)


def pass_and_stay(state: State) -> State:
    return state


def pass_and_lose(state: State) -> State:
    return 0, 0, 1 - state[2], state[3]


def pass_and_count(state: State) -> State:
    return state[0], state[1], 1 - state[2], state[3] + 1


def strip_too_much(state: State) -> State:
    return state[0], 1, state[2], 0


def margin_of_mover(state: State) -> int:
    return 3


def margin_settled_too_early(state: State) -> int:
    return 1


def open_too_small(state: State) -> int:
    return 1


def two_lines(state: State) -> str:
    return state_to_text(state).replace(" ", "\n")


def text_without_side(state: State) -> str:
    return f"{state[0]} {state[1]} 0 {state[3]}"


def reads_other_position(text: str) -> State:
    a, b, side, n = text_to_state(text)
    return b, a, side, n


def refuses(text: str) -> State:
    raise InputError("piles: no texts today")


def reads_anything(text: str) -> State:
    parts = text.split()
    return int(parts[0]), int(parts[1]), int(parts[2]), int(parts[3])


def same_move_text(state: State, move: int) -> str:
    return "ab"[move // 2]


def reads_other_move(state: State, text: str) -> int:
    return text_to_move(state, text) ^ 1


def reads_any_move(state: State, text: str) -> int:
    return int(text_to_move(state, text)) if text[:1] in ("a", "b") else 77


def no_picture(state: State) -> str:
    return "<p>none</p>"


def image_zero_moves(state: State, k: int) -> State:
    return state[1], state[0], state[2], state[3]


def image_of_mover(state: State, k: int) -> State:
    return state if k == 0 else (state[1], state[0], 1 - state[2], state[3])


def image_shifted(state: State, k: int) -> State:
    return state if k == 0 else (state[0], state[1], state[2], state[3] ^ 1)


def image_not_closed(state: State, k: int) -> State:
    return state if k == 0 else (state[1], state[0], state[2], state[3] + 1)


def other_symmetric_move(state: State, move: int, k: int) -> int:
    return move if k == 0 else symmetric_move(state, move, k) ^ int(state[0] > 1 and state[1] > 1)


def identity_move(state: State, move: int, k: int) -> int:
    return move


def left_pile(state: State, out: Any) -> None:
    features(state, out)
    out[2] = float(state[0])


def same_mover(state: State) -> State:
    return state


def swap_not_back(state: State) -> State:
    return state[0], state[1], 1 - state[2], state[3] + 1


def first_player(state: State, out: Any) -> None:
    features(state, out)
    out[0] = 1.0 - state[2]


def swap_other_moves(state: State) -> State:
    if state[0] == 3:
        return 2, state[1], 1 - state[2], state[3] + 20
    if state[3] >= 20:
        return 3, state[1], 1 - state[2], state[3] - 20
    return state[0], state[1], 1 - state[2], state[3]


def never_ends(state: State, move: int) -> State:
    a, b, side, n = state
    return a, b, 1 - side, n


def hands_peeking_moves(state: State, out: Any) -> int:
    hands_legal_moves(state, out)
    return 3 if state[2] != 1 else 2


def hands_peeking_features(state: State, out: Any) -> None:
    hands_features(state, out)
    out[0] += state[2]


def hands_open(state: State) -> State:
    return state


def hands_swap_move(move: int) -> int:
    return (5 - move) % 3


def hands_swap_unfair(state: State) -> State:
    return state[1], state[0], 0, state[3] ^ 1


def hands_at_once(state: State, move: int) -> State:
    return hands_apply_move(hands_apply_move(state, move), 0)


def with_closure(n: int) -> Any:
    def constant(state: State) -> int:
        return n

    return constant


# --- broken only once compiled

BIG = 1 << 62
UNSIGNED = np.arange(64, dtype=np.uint64)


def unsigned_state(state: State, move: int) -> State:
    a, b, side, n = apply_move(state, move)
    return int(UNSIGNED[a]), b, side, n


def overflowing_state(state: State, move: int) -> State:
    a, b, side, n = apply_move(state, move)
    return a, b, side, n + ((a + BIG) * 4 >> 62) - 4


def overflowing_index(state: State, out: Any) -> int:
    n = legal_moves(state, out)
    out[n - 1 + 4 - ((state[0] + BIG) * 4 >> 62)] = out[n - 1]
    return n


def overflowing_features(state: State, out: Any) -> None:
    features(state, out)
    out[2] += ((state[0] + BIG) * 4 >> 62) - 4


HINTS = {0: 1, 1: 0}


def hint_from_dict(state: State, move: int) -> int:
    return HINTS[move & 1]


def recursive(state: State) -> int:
    return 1 if state[0] == 0 else recursive((state[0] - 1, state[1], state[2], state[3]))


# --- all of them: rule, function named, changes to the game, words of the message

BROKEN: list[tuple[str, str, dict[str, Any], str]] = [
    ("facts", "", {"feature_names": ("a", "b", "a")}, "named twice: a"),
    ("facts", "", {"feature_names": ()}, "at least one name"),
    ("facts", "", {"feature_meanings": ("one",)}, "3 feature_names, but 1 feature_meanings"),
    ("facts", "", {"stages": None}, "needs the function stages"),
    ("facts", "", {"symmetric_move": None}, "needs the function symmetric_move"),
    ("facts", "", {"history_key": None}, "needs the function history_key"),
    ("facts", "", {"simultaneous": True}, "needs the function hide"),
    ("facts", "", {"max_moves": 0}, "max_moves: expected a whole number from 1 to 65,536, found 0"),
    ("facts", "", {"cheap_features": ("speed",)}, "not among feature_names: speed"),
    (
        "values",
        "move_hint",
        {"move_hint": refers_to_object},
        "OPAQUE is a value of type Hints, whose value cannot",
    ),
    ("array-size", "move_hint", {"move_hint": refers_to_large_array}, "LARGE is an array of 1.6 MB"),
    ("facts", "outcome", {"outcome": with_closure(1)}, "uses n of the function around it"),
    ("facts", "mover", {"mover": "0".__eq__}, "expected a plain function"),
    ("raises", "is_quiet", {"is_quiet": raises}, "ZeroDivisionError"),
    ("raises", "is_quiet", {"is_quiet": calls_helper_that_raises}, "ZeroDivisionError"),
    ("raises", "mover", {"mover": exits}, "SystemExit: enough"),
    ("state", "apply_move", {"apply_move": list_state}, "expected a tuple, found ["),
    (
        "state",
        "apply_move",
        {"apply_move": longer_state},
        "expected 4 words like the start position, found 5",
    ),
    ("state", "apply_move", {"apply_move": float_state}, "(float), expected an int"),
    ("state", "apply_move", {"apply_move": bool_state}, "word 2 is True (bool), expected an int; wrap it"),
    ("state", "apply_move", {"apply_move": numpy_state}, "(numpy.int64), expected an int; wrap it in int()"),
    ("state", "apply_move", {"apply_move": negative_state}, "word 3 is -2: negative"),
    ("state", "apply_move", {"apply_move": bit_63_state}, "beyond bit 62; mask it"),
    (
        "start-finished",
        "outcome",
        {"outcome": zero_while_playing},
        "the start position counts as finished (0)",
    ),
    ("outcome-value", "outcome", {"outcome": other_outcome}, "expected ONGOING (2), 1, 0 or -1"),
    ("outcome-value", "outcome", {"outcome": float_outcome}, "found 2.0 (float)"),
    ("mover", "mover", {"mover": mover_two}, "expected 0 or 1 as an int, found 2 (int)"),
    ("mover", "mover", {"mover": mover_bool}, "(bool)"),
    ("no-moves", "legal_moves", {"legal_moves": no_moves}, "no legal move, but outcome says ONGOING"),
    ("move-number", "legal_moves", {"legal_moves": negative_move}, "lists -1; moves are not negative"),
    ("duplicate-moves", "legal_moves", {"legal_moves": duplicates}, "2 times"),
    ("max-moves", "legal_moves", {"max_moves": 3}, "lists 4 moves, more than max_moves = 3"),
    ("max-moves", "legal_moves", {"legal_moves": no_number}, "as an int, found None"),
    ("buffer", "legal_moves", {"legal_moves": writes_beyond}, "but writes out[3] too"),
    ("buffer", "legal_moves", {"legal_moves": writes_before}, "but writes out[-1] too"),
    ("buffer", "legal_moves", {"legal_moves": writes_far}, "index 500 is out of bounds"),
    ("buffer", "features", {"features": features_too_many}, "index 3 is out of bounds"),
    ("pure", "outcome", {"outcome": outcome_by_memory}, "to the same question"),
    ("pure", "apply_move", {"apply_move": move_by_memory}, "to the same question"),
    ("pure", "legal_moves", {"legal_moves": moves_at_random}, "when asked again"),
    ("pure", "features", {"features": accumulates}, "depends on the buffer or on earlier calls"),
    ("features", "features", {"features": forgets_one}, "'rest' is not written"),
    ("features", "features", {"features": infinite}, "'rest' is inf, not a finite number"),
    ("features", "features", {"features": not_a_number}, "'difference' is nan, not a finite number"),
    (
        "cheap-features",
        "features",
        {"features": cheap_needs_dear},
        "'tempo' is 0 with FEATURES_WANTED = 1, 1",
    ),
    ("stages", "stages", {"stages": negative_share}, "0 or more that sum to 1, found {'full': "),
    ("stages", "stages", {"stages": shares_short}, "0 or more that sum to 1, found {'full': "),
    ("noisy-moves", "noisy_moves", {"noisy_moves": noisy_illegal}, "lists 1 1 time(s), which is 0 time(s)"),
    ("noisy-moves", "noisy_moves", {"noisy_moves": noisy_twice}, "2 time(s), which is 1 time(s) among"),
    ("answer-type", "move_hint", {"move_hint": hint_float}, "expected an int within 64 bits, found 0.5"),
    ("pass", "pass_turn", {"pass_turn": pass_and_stay}, "the same player has the move"),
    ("pass", "pass_turn", {"pass_turn": pass_and_lose}, "ends the game"),
    ("pass", "pass_turn", {"pass_turn": pass_and_count}, "done twice it changes the position"),
    ("history-key", "history_key", {"history_key": key_negative}, "expected an int from 0"),
    ("history-key", "history_key", {"history_key": key_float}, "found 1.5 (float)"),
    ("counters", "plies", {"plies": plies_by_two}, "before a move"),
    ("counters", "strip_counters", {"strip_counters": strip_too_much}, "other moves are legal without"),
    ("margin", "final_margin", {"final_margin": margin_of_mover}, "but the outcome is -1"),
    (
        "margin",
        "settled_margin",
        {"settled_margin": margin_settled_too_early, "open_margin": open_too_small},
        "",
    ),
    ("texts", "state_to_text", {"state_to_text": two_lines}, "expected a text of one line"),
    ("texts", "text_to_state", {"state_to_text": text_without_side}, "the other side is to move"),
    ("texts", "text_to_state", {"text_to_state": reads_other_position}, "read back prints as"),
    ("texts", "text_to_state", {"text_to_state": refuses}, "refuses the state's own text"),
    ("raises", "text_to_state", {"text_to_state": reads_anything}, "IndexError"),
    ("texts", "move_to_text", {"move_to_text": same_move_text}, "2 legal moves are called"),
    ("texts", "text_to_move", {"text_to_move": reads_other_move}, "expected"),
    ("texts", "text_to_move", {"text_to_move": reads_any_move}, "as move 77 (int), which is not legal"),
    ("drawing", "draw_svg", {"draw_svg": no_picture}, "expected an SVG text"),
    (
        "drawing",
        "squares",
        {"squares": lambda state: {"a1": (0, 0, 0, 5)}},
        "expected a dict of names to (x,",
    ),
    (
        "drawing",
        "squares",
        {"squares": lambda state: {"z9": (0, 0, 5, 5)}},
        "no text of a legal move names a",
    ),
    ("symmetry", "symmetries", {"symmetries": image_zero_moves}, "image 0 is not the position itself"),
    ("symmetry", "symmetries", {"symmetries": image_of_mover}, "in image 1 the other side is to move"),
    ("symmetry", "symmetries", {"symmetries": image_not_closed}, "has other images than the position itself"),
    ("symmetry", "symmetric_move", {"symmetries": image_shifted}, "the same move leads elsewhere"),
    ("symmetry", "symmetric_move", {"symmetric_move": identity_move}, "are not the legal moves of image 1"),
    ("symmetry", "symmetric_move", {"symmetric_move": other_symmetric_move}, "the same move leads elsewhere"),
    ("symmetry", "features", {"features": left_pile}, "'difference' is"),
    ("swap", "swap_sides", {"swap_sides": same_mover}, "the mover stays the same number"),
    ("swap", "swap_sides", {"swap_sides": swap_not_back}, "done twice it is not the position itself"),
    ("swap", "swap_sides", {"swap_sides": swap_other_moves}, "do not lead to the swapped positions"),
    ("swap", "features", {"features": first_player}, "in the swapped position"),
    ("endless", "", {"apply_move": never_ends, "max_plies": 0, "repetition_limit": 0}, "goes on after 1000"),
]

BROKEN_HANDS: list[tuple[str, str, dict[str, Any], str]] = [
    ("hidden-choice", "legal_moves", {"legal_moves": hands_peeking_moves}, "depend on the hidden choice"),
    ("hidden-choice", "features", {"features": hands_peeking_features}, "depend on the hidden choice"),
    ("hidden-choice", "hide", {"hide": hands_open}, "leaves more of a pending choice than nothing"),
    ("hidden-choice", "apply_move", {"apply_move": hands_at_once}, "player 1 must be to choose"),
    ("swap", "swap_sides", {"swap_move": hands_swap_move}, "lead elsewhere when swapped"),
    ("swap", "swap_sides", {"swap_sides": hands_swap_unfair}, "lead elsewhere when swapped"),
]

BROKEN_COMPILED: list[tuple[str, str, dict[str, Any], str]] = [
    ("compiled-types", "apply_move", {"apply_move": unsigned_state}, "tuple(uint64, int64, int64, int64)"),
    ("compiled-differs", "apply_move", {"apply_move": overflowing_state}, "plain Python ("),
    ("compiled-differs", "features", {"features": overflowing_features}, "plain Python ["),
    ("compiled-buffer", "legal_moves", {"legal_moves": overflowing_index}, "writes outside its buffer"),
    ("compiles", "move_hint", {"move_hint": hint_from_dict}, "broken.py:"),
    ("compiles", "history_key", {"history_key": recursive}, "'recursive' calls itself"),
]
