"""Rich's console behind the gate (`tuning.cli.terminal`): its colours and cursor moves are ours, its texts harmless.

The cursor is never hidden, so that whatever ends the command leaves it to be seen."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import IO, Any, TextIO, cast

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from tunesmith.tuning.cli.terminal import bare, harmless
from tunesmith.tuning.passwords import redacted


def text(words: str, style: str = "", **layout: Any) -> Text:
    """Return a text of anybody's to be drawn as it is: harmless, without passwords, its brackets no styles."""
    return Text(redacted(harmless(words)), style, **layout)


def console_of(stream: TextIO, width: int | None = None) -> Console:
    """Return a console that draws on a stream, as wide as its terminal unless `width` says otherwise."""
    file = cast(IO[str], _Open(bare(stream)))
    return _Console(file=file, width=width, markup=False, highlight=False, emoji=False)


class _Console(Console):
    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render with every text harmless, whoever made it."""
        for words, style, control in super().render(renderable, options):
            yield Segment(words if control else harmless(words), style, control)

    def show_cursor(self, show: bool = True) -> bool:
        """Leave the cursor as it is."""
        return False


class _Open:
    """A stream that does not mind that its terminal was closed."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, words: str) -> int:
        """Write, if somebody reads."""
        with contextlib.suppress(OSError, ValueError):
            return self._stream.write(words)
        return 0

    def flush(self) -> None:
        """Flush, if somebody reads."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
