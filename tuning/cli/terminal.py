"""Everything that a command prints goes through here: no control characters of others, and no passwords.

Names of games, weights, engines, studies and openings come from files of anybody's. A control character in one could
move the cursor, clear the screen, or change the title of the window; it is shown as its escape (`\\x1b`). So are
characters that turn the direction of writing. What we draw with ourselves goes out by `draw`."""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from tunesmith.tuning.passwords import redacted

_KEPT = {ord("\n"), ord("\t")}
_TURNING = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CODES = (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *_TURNING)
_ESCAPES = {code: ascii(chr(code))[1:-1] for code in _CODES if code not in _KEPT}


def harmless(text: str) -> str:
    """Return a text as a terminal may be given it."""
    return text.translate(_ESCAPES)


class Harmless:
    """A stream like another, which gets harmless texts without passwords."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write what is harmless of it."""
        self.stream.write(redacted(harmless(text)))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextlib.contextmanager
def printing_harmlessly() -> Iterator[None]:
    """Have standard output and standard error get harmless texts for the block."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (
        stream if isinstance(stream, Harmless) else Harmless(stream) for stream in before
    )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def bare(stream: TextIO) -> TextIO:
    """Return the stream behind a harmless one, for what we draw ourselves."""
    return stream.stream if isinstance(stream, Harmless) else stream


def draw(codes: str, text: str, stream: TextIO, end: str = "\n") -> None:
    """Print a text of anybody's behind control codes of ours."""
    print(codes + redacted(harmless(text)), end=end, file=bare(stream), flush=True)
