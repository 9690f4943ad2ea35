"""Text forms of Pentago.

A state is 36 characters, row by row from the top: `w`, `b` or `.`; White is to move when the number of stones
is even. A move is `c2-0r`: cell, dash, operation (`classic`: `c2-` for a stone that makes a five)."""

from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, State
from tunesmith.games.pentago.board import POINT_OF, POINTS, cell_of, gaps, popcount
from tunesmith.games.pentago.rules import OPERATION_TEXTS, PLACEMENT_WINS, STONE_ONLY, VARIANT, judge, outcome
from tunesmith.games.texts import shown

ORDER = tuple(cell_of(point) for point in POINTS)  # numbers of the cells in the order of the text
NAMES = tuple("abcdef"[column] + "123456"[row] for row, column in POINT_OF)  # by number of the cell


# States


def state_to_text(state: State) -> str:
    """Return the 36 characters (the side to move of `swap_sides` is not shown)."""
    white, black = state[0], state[1]
    return "".join("w" if white >> cell & 1 else "b" if black >> cell & 1 else "." for cell in ORDER)


def text_to_state(text: str) -> State:
    """Read a state; the side to move and the end of the game follow from the stones."""
    if not isinstance(text, str) or len(text) != 36 or not set(text) <= set("wb."):
        raise InputError(f"pentago state: expected 36 characters w, b or ., found {shown(text)}")
    white, black = (
        sum(1 << cell for cell, found in zip(ORDER, text, strict=True) if found == colour) for colour in "wb"
    )
    ahead = popcount(white) - popcount(black)
    if ahead not in (0, 1):
        counts = f"{popcount(white)} w and {popcount(black)} b"
        raise InputError(
            f"pentago state: expected as many w as b, or one more, found {counts} in {shown(text)}"
        )
    return white, black, judge(white, black, ahead)


# Moves


def move_to_text(state: State, move: int) -> str:
    """Return cell, dash, operation."""
    if move >= STONE_ONLY:
        return f"{NAMES[move - STONE_ONLY]}-"
    return f"{NAMES[move >> 3]}-{OPERATION_TEXTS[move & 7]}"


def text_to_move(state: State, text: str) -> int:
    """Read a move that is legal in `state`."""
    name, dash, operation = text.partition("-") if isinstance(text, str) else ("", "", "")
    if name not in NAMES or not dash or operation not in ("", *OPERATION_TEXTS):
        raise _illegal(f"a cell a1 to f6, a dash and one of {', '.join(OPERATION_TEXTS)}", text)
    if outcome(state) != ONGOING:
        raise _illegal("no move (the game is over)", text)
    cell = NAMES.index(name)
    white, black, side = state
    if ((white | black) >> cell) & 1:
        raise _illegal(f"an empty cell ({name} is taken)", text)
    own, opp = (white, black) if side == 0 else (black, white)
    wins = bool(PLACEMENT_WINS and (gaps(own, opp) >> cell) & 1)
    if wins and operation:
        raise _illegal(f"{name}- (the stone makes a five, no operation follows)", text)
    if not wins and not operation:
        raise _illegal(f"one of {', '.join(OPERATION_TEXTS)} after the dash", text)
    return STONE_ONLY + cell if wins else 8 * cell + OPERATION_TEXTS.index(operation)


def _illegal(expected: str, text: object) -> InputError:
    return InputError(f"pentago move ({VARIANT}): expected {expected}, found {shown(text)}")
