"""What a terminal shows of a run: at 80 and 40 columns, and in a terminal of its own."""

import io
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable

import pytest
from rich.console import RenderableType

from tests.support.told_games import game, tally
from tunesmith.tuning.cli import live, pace
from tunesmith.tuning.cli.console import console_of
from tunesmith.tuning.cli.live import Live, following
from tunesmith.tuning.cli.terminal import end_drawing, printing_harmlessly
from tunesmith.tuning.documents.status import SprtState, StageGames, Status


class Terminal(io.StringIO):
    """Somebody looks on."""

    def isatty(self) -> bool:
        return True


def rows(view: RenderableType, width: int) -> list[str]:
    """Return the rows of a view at a width."""
    stream = io.StringIO()
    console_of(stream, width).print(view)
    return [row.rstrip() for row in stream.getvalue().splitlines()]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands where it is put."""
    now = [1000.0]
    monkeypatch.setattr(pace.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> Callable[[], Live]:
    """Begin to look on; nothing is drawn but by `rows`."""
    monkeypatch.setattr(live.Region, "__init__", lambda self, view: None)
    return Live


def half_played(tell: Live, clock: list[float]) -> Live:
    """Play 312 of 2,000 pairs, 42 a second, after two minutes of compilation."""
    tell.stage("openings", purpose="train")
    tell.stage("play", generation=1)
    tell.progress("gen-1", 0, 2000)
    clock[0] += 120
    tell.progress("gen-1", 60, 2000)
    clock[0] += 6
    tell.progress("gen-1", 312, 2000, tally(game([1], 1), game([2], 1), game([1], 0), game([3], -1)))
    return tell


def test_a_stage_has_a_bar_its_speed_and_the_time_left(begun, clock) -> None:
    past, bar, found = rows(half_played(begun(), clock).view(), 80)
    assert past == "openings train \u2713"
    assert bar.startswith("play 1 ") and "\u2501" in bar
    assert bar.endswith("312/2,000 pairs 84 games/s 40 s left")
    assert found.startswith("  first player 62.5 % (wins 50, draws 25, losses 25 %), distinct 75.0 %")


def test_forty_columns_have_the_bar_and_the_count(begun, clock) -> None:
    tell = half_played(begun(), clock)
    tell.test(256, 0.3, -2.94, 2.94)
    shown = rows(tell.view(), 40)
    assert len(shown) == 4 and max(map(len, shown)) <= 40
    assert "\u2501" in shown[1] and shown[1].endswith("312/2,000") and shown[3].endswith("\u2026")


@pytest.mark.parametrize("width", [80, 40])
def test_the_sequential_test_stands_between_its_bounds(begun, clock, width) -> None:
    tell = begun()
    tell.stage("verify", run="main")
    tell.progress("main", 0, 256)
    tell.test(0, 0.0, -2.94, 2.94)
    places = []
    for ratio in (-9.0, 0.0, 2.9):
        tell.test(256, ratio, -2.94, 2.94)
        bar = rows(tell.view(), width)[1]
        assert bar.startswith("test") and "-2.94 " in bar and " 2.94" in bar and f"LLR {ratio:+.2f}" in bar
        places.append(bar.index("\u25cf"))
    assert places == sorted(set(places))
    tell.progress("main", 256, 256)  # a wave is over, the test is not
    assert rows(tell.view(), width)[0].startswith("verify ma")


def test_what_is_over_becomes_a_line(begun, clock, capsys) -> None:
    tell = half_played(begun(), clock)
    tell.progress("gen-1", 2000, 2000)
    assert capsys.readouterr().err.startswith("  gen-1: 2,000/2,000 pairs, 647 games/s\n")
    tell.stage("fit", generation=1)
    clock[0] += 12
    assert rows(tell.view(), 80) == ["openings train \u2713  play 1 \u2713", "- fit 1  12 s"]


def test_what_plays_alone_has_the_name_of_its_stage_until_another_begins(begun, clock) -> None:
    tell = half_played(begun(), clock)
    assert rows(tell.view(), 80)[1].startswith("play 1 ")
    tell.progress("gen-2", 0, 10)
    assert [row.partition(" ")[0] for row in rows(tell.view(), 80)[1:]] == ["gen-1", "gen-2"]


def test_silence_is_noticed_while_games_are_played(begun, clock) -> None:
    tell = half_played(begun(), clock)
    assert "no news" not in "".join(rows(tell.view(), 120))
    clock[0] += 40
    assert rows(tell.view(), 120)[-1].endswith("; no news for 40 s")


def test_a_study_that_is_watched_has_the_same_view() -> None:
    facts = Status(
        stage="verify", run="main", study="s", name="s", game="kalah", games={"verify/main/games": 600}, fits=[],
        checks=[], trials={}, chosen=None, runs=[], verdict=None, games_per_second=20.0,
        test=SprtState(pairs=256, llr=0.3, lower=-2.94, upper=2.94, decision=None),
        present=StageGames(games=600, planned=1000),
    )  # fmt: skip
    head, folder, bar, test = rows(following(facts), 80)
    assert head == "s (kalah): verify run main" and folder == "  verify/main/games: 600 games"
    assert "\u2501" in bar and bar.endswith("300/500 pairs 20 games/s") and "\u25cf" in test


def test_lines_are_printed_above_and_results_end_the_region(monkeypatch) -> None:
    screen = Terminal()
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(sys, "stdout", screen)
    with printing_harmlessly():
        tell = Live()
        print("half a ", end="", file=sys.stderr)
        print("line", file=sys.stderr)
        print("  an indented line " + "that is folded " * 4, file=sys.stderr)
        print(file=sys.stderr)
        tell.progress("x", 1, 2)
        print("the result")
        print("and more")
    shown = re.sub(r"\x1b\[[0-9;]*[a-zA-Z]|\r", "", screen.getvalue())
    assert "\n  folded that is folded" in shown  # at 60 columns, indented as before
    assert "half a line\n" in shown and shown.endswith("the result\nand more\n")
    assert "\x1b[?25l" not in screen.getvalue()  # the cursor is never hidden
    end_drawing()


CALL = [
    "match",
    "kalah",
    "hand",
    "greedy",
    "--pairs",
    "2",
    "--limit",
    "nodes:20",
    "--jobs",
    "1",
    "--backend",
    "threads",
    "--plies",
    "2",
]


def shown_by(arguments: list[str]) -> str:
    """Return what a command writes to a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TUNESMITH_NUMBA": "0", "TERM": "xterm", "COLUMNS": "80"}
    command = [sys.executable, "-m", "tunesmith.tuning.cli", *arguments]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, stdin=theirs, env=environment) as process:
        os.close(theirs)
        read = b""
        try:
            while part := os.read(ours, 65536):
                read += part
        except OSError:  # how Linux tells that nobody writes any more
            pass
        assert process.wait() == 0
    os.close(ours)
    return read.decode()


def test_a_match_in_a_terminal_draws_and_leaves_it_clean() -> None:
    written = shown_by(CALL)
    assert "\u2501" in written and "\x1b[?25l" not in written
    last = written.rpartition("\x1b[2K")[2]  # what stays below the last region
    assert "pairs LL LD DD+WL WD WW" in last and last.endswith("\n") and "\u2501" not in last
    assert "hand - greedy: 2/2 pairs" in written and "tunesmith-" not in written


def test_the_same_match_in_a_pipe_prints_plain_lines_or_none() -> None:
    environment = {**os.environ, "TUNESMITH_NUMBA": "0"}
    command = [sys.executable, "-m", "tunesmith.tuning.cli", *CALL]
    plain = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "  hand - greedy: 2/2 pairs" in plain.stderr and "\x1b" not in plain.stderr + plain.stdout
    quiet = subprocess.run([*command, "--quiet"], env=environment, capture_output=True, text=True, check=True)
    assert (quiet.stderr, quiet.stdout) == ("", plain.stdout)
