"""What a person at a terminal sees of a run: lines above, and one region below that fits the window.

The region has the stages that are over, a bar for whatever is being played, how the games end, and where the
sequential test stands between its bounds. What is over becomes a line above it, the same as in a log. Only the thread
of the region draws; whoever plays leaves figures."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich import live
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from tunesmith.tuning.cli.console import console_of, text
from tunesmith.tuning.cli.interrupt import say
from tunesmith.tuning.cli.pace import Pace, duration
from tunesmith.tuning.cli.progress import READY, SILENCE, figures, line
from tunesmith.tuning.cli.terminal import begin_drawing
from tunesmith.tuning.stats.words import place_between

if TYPE_CHECKING:
    from tunesmith.tuning.documents.status import Status
    from tunesmith.tuning.play.tally import Tally

LOOKS = 4  # drawings a second
MOST_ROWS, MOST_STAGES = 6, 4  # bars at a time, and stages that are over
WIDE, NARROW = 72, 50  # columns from which the speed, and the time left, are shown


class Region:
    """Draws what `view` returns, below whatever is printed, until it ends (`tuning.cli.terminal.Region`)."""

    def __init__(self, view: Callable[[], RenderableType], stream: Any = None) -> None:
        self._console = console_of(sys.stderr if stream is None else stream)
        self._begun = ""  # a line that is being printed
        self._live = live.Live(
            console=self._console,
            get_renderable=view,
            refresh_per_second=LOOKS,
            redirect_stdout=False,
            redirect_stderr=False,
            transient=True,
        )
        begin_drawing(self)
        self._live.start()

    def above(self, words: str) -> None:
        """Print a part of a line, or lines, above the region."""
        whole, end, self._begun = (self._begun + words).rpartition("\n")
        if end:
            self._console.print(Group(*map(_hanging, whole.split("\n"))))

    def end(self) -> None:
        """Take the region away."""
        self._live.stop()
        if self._begun:
            self._console.print(Text(self._begun))


def _hanging(words: str) -> RenderableType:
    """Return a line that keeps its indentation where it is folded."""
    rest = words.lstrip(" ")
    return Padding(Text(rest), (0, 0, 0, len(words) - len(rest)), expand=False) if rest else Text("")


@dataclass(frozen=True)
class Row:
    """Something that is being played; `rate` in pairs a second."""

    name: str
    done: int
    total: int
    rate: float | None = None


@dataclass
class _Run:
    what: str
    done: int = 0
    total: int = 0
    rate: float | None = None
    tally: Tally | None = None
    pace: Pace = field(default_factory=Pace)


class Live:
    """Listens for a person at a terminal (`tuning.play.resources.Listener`)."""

    def __init__(self) -> None:
        self._stage, self._said, self._is_finished = "", "", False
        self._past: list[str] = []  # stages that are over
        self._runs: dict[str, _Run] = {}
        self._test: TestBar | None = None
        self._began = self._heard = time.monotonic()
        self._lock = threading.Lock()
        self._region = Region(self.view)

    def stage(self, stage: str, **facts: Any) -> None:
        """Begin a part of a study."""
        with self._lock:
            self._past += [self._stage] if self._stage else []
            ended, self._runs, self._test = list(self._runs.values()), {}, None
            self._stage = " ".join([stage, *map(str, facts.values())])
            self._is_finished = stage == "finished"
            self._began = self._heard = time.monotonic()
        for run in ended:
            self._tell(run)

    def progress(self, what: str, done: int, total: int, tally: Tally | None = None) -> None:
        """Take the figures; what is over becomes a line."""
        with self._lock:
            run = self._runs.setdefault(what, _Run(what))
            run.done, run.total, run.rate, run.tally = done, total, run.pace(done), tally
            self._heard = time.monotonic()
            is_over = done >= total and self._test is None  # a test may go on
            if is_over:
                del self._runs[what]
                self._began = self._heard
        if is_over:
            self._tell(run)

    def test(self, pairs: int, llr: float, lower: float, upper: float) -> None:
        """Take where the sequential test stands."""
        with self._lock:
            self._test = TestBar(pairs, llr, lower, upper)

    def note(self, text: str) -> None:
        """Print a line above, and remember that it is not the beginning any more."""
        with self._lock:
            self._said = text.strip()
        say(text)

    def _tell(self, run: _Run) -> None:
        say(f"  {line(run.what, run.done, run.total, run.rate, run.tally)}")

    def view(self) -> RenderableType:
        """Return what is to be drawn now."""
        with self._lock:
            if self._is_finished:
                return Group()
            runs = list(self._runs.values())[-MOST_ROWS:]
            now = time.monotonic()
            parts: list[RenderableType] = [stages(self._past)] if self._past else []
            if not runs:
                parts.append(waiting(self._stage or self._said or READY, now - self._began))
            only = self._stage if len(runs) == 1 else ""  # what plays alone has the name of its stage
            rows = [Row(only or run.what, run.done, run.total, run.rate) for run in runs]
            parts.append(Bars(rows, self._test))
            silent = now - self._heard
            told = [run.tally.words() for run in runs[-1:] if run.tally is not None]
            told += [f"no news for {silent:.0f} s"] if runs and silent >= SILENCE else []
            if words := "; ".join(word for word in told if word):
                parts.append(text(f"  {words}", "dim", no_wrap=True, overflow="ellipsis"))
            return Group(*parts)


def following(facts: Status) -> RenderableType:
    """Return the same view of a study that another process runs, from what its folder says."""
    from tunesmith.tuning.pipeline.status import lines, stage_words

    test = facts.test
    bar = None if test is None else TestBar(test.pairs, test.llr, test.lower, test.upper)
    others = lines(facts.model_copy(update={"test": None}))  # the bar tells of the test
    parts: list[RenderableType] = [text(one, no_wrap=True, overflow="ellipsis") for one in others]
    rows = []
    if facts.present is not None:
        rate = None if facts.games_per_second is None else facts.games_per_second / 2
        rows = [Row(stage_words(facts), facts.present.games // 2, facts.present.planned // 2, rate)]
    return Group(*parts, Bars(rows, bar))


def stages(names: Sequence[str]) -> Text:
    """Return the last of the stages that are over, in one row."""
    shown = "  ".join(f"{name} \u2713" for name in names[-MOST_STAGES:])
    return text(
        shown if len(names) <= MOST_STAGES else f"\u2026 {shown}", "dim", no_wrap=True, overflow="ellipsis"
    )


def waiting(name: str, seconds: float) -> RenderableType:
    """Return a row for what has no count."""
    shown = text(f"{name}  {duration(seconds)}", no_wrap=True, overflow="ellipsis")
    return Spinner("line", shown, style="cyan")


@dataclass(frozen=True)
class TestBar:
    """A sequential test between its bounds; `llr` after so many pairs."""

    __test__ = False  # no test of pytest's

    pairs: int
    llr: float
    lower: float
    upper: float

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[RenderableType]:
        low, high = f"{self.lower:.2f} ", f" {self.upper:.2f}"
        width = max(3, options.max_width - len(low) - len(high)) - 1
        place = place_between(self.llr, self.lower, self.upper, width)
        colour = "green" if self.llr > 0 else "yellow"
        yield Text.assemble(
            (low, "dim"), "\u2500" * place, ("\u25cf", colour), "\u2500" * (width - place), (high, "dim"),
            no_wrap=True, overflow="crop",
        )  # fmt: skip


@dataclass(frozen=True)
class Bars:
    """A bar for each row, and for the test; the narrower the window, the fewer figures."""

    rows: list[Row]
    test: TestBar | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[RenderableType]:
        width = options.max_width
        table = Table.grid(padding=(0, 1), expand=True)
        table.add_column(no_wrap=True, overflow="ellipsis", max_width=width // 4)
        table.add_column(ratio=1)
        for _ in range(1 + (width >= NARROW) + (width >= WIDE)):
            table.add_column(no_wrap=True, justify="right")
        for row in self.rows:
            speed, left = figures(row.done, row.total, row.rate)
            left = "" if self.test else left  # when a test ends nobody knows
            count = f"{row.done:,}/{row.total:,}" + (" pairs" if width >= WIDE else "")
            bar = ProgressBar(max(row.total, 1), row.done)
            table.add_row(text(row.name), bar, *_fitting(width, count, left, speed))
        if self.test:
            pairs = f"{self.test.pairs:,} pairs"
            table.add_row(text("test"), self.test, *_fitting(width, f"LLR {self.test.llr:+z.2f}", pairs, ""))
        yield table


def _fitting(width: int, count: str, left: str, speed: str) -> list[str]:
    return [count, speed, left] if width >= WIDE else [count, left] if width >= NARROW else [count]
