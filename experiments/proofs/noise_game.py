"""A game in which no weights are better than others: its features are noise, and so is its result.

Twelve moves of 0 to 3 each; who has won is a hash of the first ten, so that no search of one ply sees it coming.
The features are other hashes, of all moves so far, which say nothing about the result. Settings differ in the
moves they choose, so their matches have all the noise of real ones, and any gain that is found is luck. State:
(plies, the moves as digits in base 4)."""

from typing import Any

from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, Game, State

PLIES = 12
PRIME = 65_521
FEATURES = ("red", "green", "blue")


def _hash(moves: int, salt: int) -> int:
    """Return 0 ... PRIME - 1 by three rounds, all below 2**63."""
    at = moves % PRIME + salt * 7919 + 1
    for _ in range(3):
        at = (at * at + 40_503 * at + moves // 7 + salt) % PRIME
    return at


def initial() -> State:
    """Return the start."""
    return (0, 1)


def legal_moves(state: State, out: Any) -> int:
    """Fill in all four moves."""
    for move in range(4):
        out[move] = move
    return 4


def apply_move(state: State, move: int) -> State:
    """Append a digit."""
    return (state[0] + 1, 4 * state[1] + move)


def mover(state: State) -> int:
    """Return who moves: by turns."""
    return state[0] % 2


def outcome(state: State) -> int:
    """Return the result of a finished game: a hash, nobody's merit."""
    if state[0] < PLIES:
        return ONGOING
    return 1 if _hash(state[1] // 16, 17) % 2 == 1 else -1


def features(state: State, out: Any) -> None:
    """Fill in three hashes between -1 and 1."""
    for at in range(3):
        out[at] = _hash(state[1], at) / 32_760.0 - 1.0


def text_to_state(text: str) -> State:
    """Read a state: plies, and all moves as one number."""
    words = text.split(" ")
    if len(words) == 2 and all(word.isascii() and word.isdigit() and len(word) < 12 for word in words):
        plies, moves = map(int, words)
        if plies <= PLIES and 4**plies <= moves < 2 * 4**plies and text == f"{plies} {moves}":
            return plies, moves
    raise InputError(f"position {text!r:.60}: expected the number of moves and the moves, such as '1 6'")


def text_to_move(state: State, text: str) -> int:
    """Read a move."""
    if text not in ("0", "1", "2", "3"):
        raise InputError(f"move {text!r:.60}: expected 0 to 3")
    return int(text)


GAME = Game(
    name="noise",
    variant={},
    initial=initial,
    legal_moves=legal_moves,
    apply_move=apply_move,
    mover=mover,
    outcome=outcome,
    features=features,
    feature_names=FEATURES,
    feature_meanings=("a hash of the moves", "another", "and another"),
    max_moves=4,
    state_to_text=lambda state: f"{state[0]} {state[1]}",
    text_to_state=text_to_state,
    move_to_text=lambda state, move: str(move),
    text_to_move=text_to_move,
    draw_text=str,
    draw_svg=lambda state: "<svg/>",
)
