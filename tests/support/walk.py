"""*Walk*: a toy game full of repetitions. Two tokens on a ring; whoever steps onto the other one wins.

A move takes the own token one place left (0), right (1) or, from an even place, two places right (2). Nothing
is ever used up, so every line comes back to positions it has seen: what draws by repetition and by a limit of
plies mean for a search shows at small depths."""

from typing import Any

from tests.support import toys
from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, Game, State

PLACES = 5


def initial() -> State:
    """Place of the mover's token, place of the other one, side to move, plies (0 where nothing counts them)."""
    return 0, 2, 0, 0


def legal_moves(state: State, out: Any) -> int:
    n = 2 + int(state[0] % 2 == 0)
    for move in range(n):
        out[move] = move
    return n


def apply_move(state: State, move: int) -> State:
    own, other, side, plies = state
    place = (own + (PLACES - 1 if move == 0 else move)) % PLACES
    if place == other:
        return place, other, side, plies  # the winner stays to move
    return other, place, 1 - side, plies


def peaceful_apply_move(state: State, move: int) -> State:
    """Step through the other token, for a game without wins."""
    own, other, side, plies = state
    return other, (own + (PLACES - 1 if move == 0 else move)) % PLACES, 1 - side, plies


def counted_apply_move(state: State, move: int) -> State:
    own, other, side, plies = apply_move(state, move)
    return own, other, side, plies + 1


def mover(state: State) -> int:
    return state[2]


def outcome(state: State) -> int:
    if state[0] != state[1]:
        return ONGOING
    return 1 - 2 * state[2]


def never(state: State) -> int:
    return ONGOING


def features(state: State, out: Any) -> None:
    out[0] = float((state[1] - state[0]) % PLACES)
    out[1] = float(state[0] * state[1] % 3)


def history_key(state: State) -> int:
    return 1 + state[0] + PLACES * state[1] + PLACES * PLACES * state[2]


def plies(state: State) -> int:
    return state[3]


def strip_counters(state: State) -> State:
    return state[0], state[1], state[2], 0


def state_to_text(state: State) -> str:
    return " ".join(map(str, state))


def text_to_state(text: str) -> State:
    own, other, side, plies = map(int, text.split())
    return own, other, side, plies


def move_to_text(state: State, move: int) -> str:
    return ("left", "right", "jump")[move]


def text_to_move(state: State, text: str) -> int:
    if text not in ("left", "right", "jump"):
        raise InputError(f"walk move: expected left, right or jump, found {text!r}")
    return ("left", "right", "jump").index(text)


def walk(**changes: Any) -> Game:
    """Return the game of walk with other functions or facts."""
    facts: dict[str, Any] = {
        "name": "walk",
        "variant": {},
        "feature_names": ("distance", "places"),
        "feature_meanings": ("places to the right to the other token", "product of the places, modulo 3"),
        "max_moves": 3,
        "repetition_limit": 2,
        "draw_text": state_to_text,
        "draw_svg": toys.draw_svg,
        **{
            function.__name__: function
            for function in (
                *(initial, legal_moves, apply_move, mover, outcome, features, history_key),
                *(state_to_text, text_to_state, move_to_text, text_to_move),
            )
        },
    }
    return Game(**{**facts, **changes})


WALKS = {
    "two times": walk(),
    "three times": walk(repetition_limit=3),
    "draws first": walk(repetition_first=True),
    "peaceful, two times": walk(apply_move=peaceful_apply_move, outcome=never),
    "peaceful, three times": walk(apply_move=peaceful_apply_move, outcome=never, repetition_limit=3),
    "six plies": walk(max_plies=6, apply_move=counted_apply_move, plies=plies, strip_counters=strip_counters),
    "six plies, not in the state": walk(max_plies=6),
    "seven plies alone, not in the state": walk(max_plies=7, repetition_limit=0, history_key=None),
}
