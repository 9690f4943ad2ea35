"""Two tiny complete games that keep the contract, for tests that break them in one place.

*Piles*: two piles of stones; a move takes one or two stones of one pile; who takes the last stone wins.
*Hands*: three turns of rock, paper, scissors; both choose at once; the higher score wins."""

from typing import Any

from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, Game, State

START = (4, 5, 0, 0)  # pile a, pile b, side to move, plies


def initial() -> State:
    return START


def legal_moves(state: State, out: Any) -> int:
    """Move 2 * pile + stones - 1."""
    n = 0
    for pile in range(2):
        for stones in range(1, 3):
            if state[pile] >= stones:
                out[n] = 2 * pile + stones - 1
                n += 1
    return n


def apply_move(state: State, move: int) -> State:
    a, b, side, plies = state
    stones = (move & 1) + 1
    if move < 2:
        return a - stones, b, 1 - side, plies + 1
    return a, b - stones, 1 - side, plies + 1


def mover(state: State) -> int:
    return state[2]


def outcome(state: State) -> int:
    if state[0] + state[1] > 0:
        return ONGOING
    return 2 * state[2] - 1


def features(state: State, out: Any) -> None:
    out[0] = 1.0
    out[1] = float((state[0] + state[1]) % 3)
    out[2] = float(abs(state[0] - state[1]))


def stages(state: State, out: Any) -> None:
    out[0] = (state[0] + state[1]) / 9.0
    out[1] = 1.0 - out[0]


def is_quiet(state: State) -> bool:
    return state[0] > 2 and state[1] > 2


def noisy_moves(state: State, out: Any) -> int:
    n = 0
    for pile in range(2):
        if 1 <= state[pile] <= 2:
            out[n] = 2 * pile + state[pile] - 1
            n += 1
    return n


def move_hint(state: State, move: int) -> int:
    return move & 1


def pass_turn(state: State) -> State:
    return state[0], state[1], 1 - state[2], state[3]


def symmetries(state: State, k: int) -> State:
    return state if k == 0 else (state[1], state[0], state[2], state[3])


def symmetric_move(state: State, move: int, k: int) -> int:
    return move if k == 0 else move ^ 2


def swap_sides(state: State) -> State:
    return state[0], state[1], 1 - state[2], state[3]


def final_margin(state: State) -> int:
    return 3 * (2 * state[2] - 1)


def settled_margin(state: State) -> int:
    return 0


def open_margin(state: State) -> int:
    return 3


def open_state(state: State) -> State:
    return state[0], state[1], 0, 0


def history_key(state: State) -> int:
    return 1 + state[0] + 16 * state[1]


def plies(state: State) -> int:
    return state[3]


def strip_counters(state: State) -> State:
    return state[0], state[1], state[2], 0


def state_to_text(state: State) -> str:
    return " ".join(map(str, state))


def text_to_state(text: str) -> State:
    parts = text.split()
    if len(parts) != 4 or not all(part.isdecimal() and len(part) < 3 for part in parts):
        raise InputError(f"piles: expected four numbers, found {text!r}")
    a, b, side, plies = map(int, parts)
    return a, b, side, plies


def move_to_text(state: State, move: int) -> str:
    return f"{'ab'[move // 2]}{move % 2 + 1}"


def text_to_move(state: State, text: str) -> int:
    known = {move_to_text(state, move): move for move in range(4) if state[move // 2] > move % 2}
    if text not in known:
        raise InputError(f"piles move: expected one of {', '.join(known)}, found {text!r}")
    return known[text]


def draw_text(state: State) -> str:
    return f"a {'o' * state[0]}\nb {'o' * state[1]}"


def draw_svg(state: State) -> str:
    return f'<svg viewBox="0 0 9 9"><title>{state_to_text(state)}</title></svg>'


def end_reason(state: State) -> str:
    return "no_stones"


def piles(**changes: Any) -> Game:
    """Return the game of piles with other functions or facts."""
    return Game(**{**_PILES, **changes})


_FACTS = {
    "name": "piles",
    "variant": {},
    "feature_names": ("tempo", "rest", "difference"),
    "feature_meanings": ("1 for having the move", "stones modulo 3", "difference of the piles, stones"),
    "stage_names": ("full", "empty"),
    "cheap_features": ("tempo",),
    "max_moves": 4,
    "max_plies": 50,
    "repetition_limit": 2,
    "n_symmetries": 2,
}
_PILES: dict[str, Any] = {
    **_FACTS,
    **{
        function.__name__: function
        for function in (
            *(initial, legal_moves, apply_move, mover, outcome, features, stages, is_quiet, noisy_moves),
            *(
                move_hint,
                pass_turn,
                symmetries,
                symmetric_move,
                swap_sides,
                final_margin,
                settled_margin,
                open_margin,
            ),
            *(open_state, history_key, plies, strip_counters, state_to_text, text_to_state, move_to_text),
            *(text_to_move, draw_text, draw_svg, end_reason),
        )
    },
}


PILES = piles()


# --- hands: (score of player 0, score of player 1, 1 + hidden choice or 0, turns)


def hands_initial() -> State:
    return 0, 0, 0, 0


def hands_legal_moves(state: State, out: Any) -> int:
    for hand in range(3):
        out[hand] = hand
    return 3


def hands_apply_move(state: State, move: int) -> State:
    first, second, pending, turns = state
    if pending == 0:
        return first, second, move + 1, turns
    ahead = (pending - 1 - move) % 3
    return first + int(ahead == 1), second + int(ahead == 2), 0, turns + 1


def hands_mover(state: State) -> int:
    return int(state[2] != 0)


def hands_outcome(state: State) -> int:
    if state[3] < 3:
        return ONGOING
    return int(state[0] > state[1]) - int(state[0] < state[1])


def hands_features(state: State, out: Any) -> None:
    lead = float(state[0] - state[1])
    out[0] = lead if state[2] == 0 else -lead


def hands_hide(state: State) -> State:
    return state[0], state[1], 0, state[3]


def hands_swap_sides(state: State) -> State:
    return state[1], state[0], 0, state[3]


def hands_move_to_text(state: State, move: int) -> str:
    return ("rock", "paper", "scissors")[move]


def hands_text_to_move(state: State, text: str) -> int:
    if text not in ("rock", "paper", "scissors"):
        raise InputError(f"hands move: expected rock, paper or scissors, found {text!r}")
    return ("rock", "paper", "scissors").index(text)


def hands_draw_text(state: State) -> str:
    return f"{state[0]} : {state[1]} after {state[3]} of 3 turns"


def hands(**changes: Any) -> Game:
    """Return the game of hands with other functions or facts."""
    facts: dict[str, Any] = {
        "name": "hands",
        "variant": {},
        "feature_names": ("lead",),
        "feature_meanings": ("turns won, own minus opponent's",),
        "max_moves": 3,
        "simultaneous": True,
        "initial": hands_initial,
        "legal_moves": hands_legal_moves,
        "apply_move": hands_apply_move,
        "mover": hands_mover,
        "outcome": hands_outcome,
        "features": hands_features,
        "hide": hands_hide,
        "swap_sides": hands_swap_sides,
        "state_to_text": state_to_text,
        "text_to_state": text_to_state,
        "move_to_text": hands_move_to_text,
        "text_to_move": hands_text_to_move,
        "draw_text": hands_draw_text,
        "draw_svg": draw_svg,
    }
    return Game(**{**facts, **changes})
