"""What the readers of texts, files and variants share: JSON that can be trusted to be handled, how a wrong value is
shown, what counts as a whole number, which squares the text of a move names, and whose fault a text is that a game
cannot read."""

import json
import math
import re
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from tunesmith.games.errors import GameError, TunesmithError

T = TypeVar("T")
DEEPEST = 64  # levels of lists and objects in each other


def parse_json(text: str, **hooks: Any) -> Any:
    """Return what a JSON text says; `hooks` are those of `json.loads`.

    Raises
    ------
    ValueError
        It is no JSON (`JSONDecodeError`, with the line), or says what nobody can handle (`check_plain`).
    """
    return parse(lambda: json.loads(text, **hooks))


def parse(read: Callable[[], Any]) -> Any:
    """Return what a parser reads, of any format; see `parse_json`."""
    try:
        found = read()
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        if "set_int_max_str_digits" in str(error):  # advice for programmers
            raise ValueError(
                "expected whole numbers within 64 bits, found one of thousands of digits"
            ) from None
        raise
    check_plain(found)
    return found


def check_plain(value: Any, depth: int = 0) -> None:
    """Refuse (ValueError) what can be parsed but not handled, anywhere in lists and mappings.

    More than `DEEPEST` levels, whole numbers beyond 64 bits, texts that cannot be written or name a file.
    """
    if isinstance(value, str):
        if "\0" in value or not (value.isascii() or _is_unicode(value)):
            raise ValueError(f"expected text of Unicode characters without NUL, found {value!r:.60}")
    elif isinstance(value, int) and value.bit_length() > 64:
        raise ValueError(f"expected whole numbers within 64 bits, found one of {value.bit_length()} bits")
    elif isinstance(value, dict | list | tuple):
        if depth == DEEPEST:
            raise _too_deep()
        for inner in (*value.keys(), *value.values()) if isinstance(value, dict) else value:
            check_plain(inner, depth + 1)


def _too_deep() -> ValueError:
    return ValueError(f"expected at most {DEEPEST} levels of lists and objects in each other, found more")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(value: Any) -> str:
    """Return `value` as Python writes it, cut after 80 characters."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."


def is_whole(value: Any) -> bool:
    """Tell whether `value` is an int and no bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 ply`, `1,200 games`; `many` where an s does not make the plural."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def squares_in(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the squares that the text of a move names, from left to right, the longest name first."""
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return tuple(re.findall(pattern, text)) if pattern else ()


def is_boxes(value: Any) -> bool:
    """Tell whether `value` maps names of squares to (x, y, width, height) with some width and height."""
    return isinstance(value, dict) and all(
        isinstance(name, str)
        and name
        and isinstance(box, tuple | list)
        and len(box) == 4
        and all(isinstance(number, int | float) and math.isfinite(number) for number in box)
        and min(box[2:]) > 0
        for name, box in value.items()
    )


def read_notation(name: str, read: Callable[..., T], *arguments: Any) -> T:
    """Return what `text_to_state` or `text_to_move` of the game `name` reads; the text is the last argument.

    Raises
    ------
    InputError
        The game refuses the text.
    GameError
        It fails instead.
    """
    try:
        return read(*arguments)
    except TunesmithError:
        raise
    except Exception as error:  # a user's function may raise anything
        code = getattr(read, "__code__", None)
        place = place_in(error, Path(code.co_filename).parent) if code else ""
        raise GameError(
            f"game {name!r}: {getattr(read, '__name__', read)} fails at the text {arguments[-1]!r:.80}: "
            f"{type(error).__name__}: {error}{place}; it should raise InputError where it cannot read a text"
        ) from error


def place_in(error: BaseException, folder: Path) -> str:
    """Return the last line in files of a folder that an error came from, ` (FILE:LINE)`, "" if there is none."""
    frames = [(Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    own = [
        (file, line)
        for file, line in frames
        if file.is_relative_to(folder) and "site-packages" not in file.parts
    ]
    if not own or isinstance(error, SyntaxError):  # whose text names the line
        return ""
    file, line = own[-1]
    return f" ({file.relative_to(folder)}:{line})"
