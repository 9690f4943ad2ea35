"""Everything that a command prints goes through here: no control characters of others, and no passwords.

Names of games, weights, engines, studies and openings come from files of anybody's. A control character in one could
move the cursor, clear the screen, or change the title of the window; it is shown as its escape (`\\x1b`). So are
characters that turn the direction of writing. What we draw ourselves goes out by `tuning.cli.console`. While a region
is drawn (`tuning.cli.live`), lines for a terminal are printed above it; the first result on standard output ends it."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any, Protocol, TextIO

from tunesmith.tuning.passwords import redacted

_KEPT = {ord("\n"), ord("\t")}
_TURNING = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CODES = (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *_TURNING)
_ESCAPES = {code: ascii(chr(code))[1:-1] for code in _CODES if code not in _KEPT}


def open_closed_streams() -> None:
    """Open on nothing what a shell has closed (`2>&-`): what is printed goes nowhere, and not into the next file
    that is opened and gets the number of the closed one."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def harmless(text: str) -> str:
    """Return a text as a terminal may be given it."""
    return text.translate(_ESCAPES)


class Region(Protocol):
    """What is drawn at the bottom of a terminal, again and again."""

    def above(self, text: str) -> None:
        """Print a part of a line, or lines, above the region."""

    def end(self) -> None:
        """Take the region away."""


class _Screen:
    region: Region | None = None


def begin_drawing(region: Region) -> None:
    """Have what is printed for people appear above a region from now on; one that was drawn ends."""
    end_drawing()
    _Screen.region = region


def end_drawing() -> None:
    """Take the region away, if one is drawn: the cursor stands at the start of a line."""
    region, _Screen.region = _Screen.region, None
    if region is not None:
        region.end()


class Harmless:
    """A stream like another, which gets harmless texts without passwords; `is_result`: its text ends a region."""

    def __init__(self, stream: TextIO, is_result: bool = False) -> None:
        self.stream, self._is_result = stream, is_result

    def write(self, text: str) -> int:
        """Write what is harmless of it."""
        shown = redacted(harmless(text))
        if _Screen.region is not None and self._is_result:
            end_drawing()
        if _Screen.region is not None and self.stream.isatty():
            _Screen.region.above(shown)
        else:
            self.stream.write(shown)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextlib.contextmanager
def printing_harmlessly() -> Iterator[None]:
    """Have standard output and standard error get harmless texts for the block."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (
        stream if isinstance(stream, Harmless) else Harmless(stream, is_result)
        for stream, is_result in zip(before, (True, False), strict=True)
    )
    try:
        yield
    finally:
        end_drawing()
        sys.stdout, sys.stderr = before


def bare(stream: TextIO) -> TextIO:
    """Return the stream behind a harmless one, for what we draw ourselves."""
    return stream.stream if isinstance(stream, Harmless) else stream
