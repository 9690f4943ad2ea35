"""What is told of games as they come in: figures, results, silence."""

import pytest

from tests.support.told_games import game, tally
from tunesmith.tuning.cli import progress
from tunesmith.tuning.cli.progress import Lines, line, listener_for_people


def test_a_line_says_how_many_how_fast_and_how_long_still() -> None:
    assert line("gen-1", 0, 400, None) == "gen-1: 0/400 pairs"
    assert line("gen-1", 100, 1300, 25.0) == "gen-1: 100/1,300 pairs, 50 games/s, 48 s left"
    assert line("gen-1", 1, 601, 0.5) == "gen-1: 1/601 pairs, 1 games/s, 20 min left"
    assert line("gen-1", 1, 14401, 0.5) == "gen-1: 1/14,401 pairs, 1 games/s, 8 h 0 min left"
    assert line("gen-1", 400, 400, 25.0) == "gen-1: 400/400 pairs, 50 games/s"


def test_a_line_says_how_the_games_end() -> None:
    found = tally(game([1], 1), game([2], 1), game([1], 0), game([3], -1))
    assert line("x", 2, 2, None, found).endswith(
        "pairs; first player 62.5 % (wins 50, draws 25, losses 25 %), distinct 75.0 %"
    )


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands where it is put."""
    now = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(progress.threading.Thread, "start", lambda self: None)
    return now


def test_the_first_figures_come_at_once_and_then_every_ten_seconds(clock, capsys) -> None:
    tell = Lines()
    tell.progress("x", 0, 100)
    for second in range(1, 26):
        clock[0] += 1
        tell.progress("x", second, 100)
    lines = capsys.readouterr().err.splitlines()
    assert [text.split()[1] for text in lines] == ["0/100", "1/100", "11/100", "21/100"]
    assert "games/s" not in lines[1] and "2 games/s, 89 s left" in lines[2]
    clock[0] += 1
    tell.progress("x", 100, 100)
    assert capsys.readouterr().err.startswith("  x: 100/100 pairs")


def test_silence_is_noticed_before_and_during_play_but_not_after(clock, capsys) -> None:
    tell = Lines()
    clock[0] += 26
    tell.complain()
    assert capsys.readouterr().err == "  getting ready (openings, compiled code); no news for 26 s\n"
    tell.progress("x", 0, 2)
    clock[0] += 20
    tell.complain()
    clock[0] += 20
    tell.complain()
    tell.complain()
    assert capsys.readouterr().err == "  x: 0/2 pairs; no news for 40 s\n"
    tell.progress("x", 2, 2)
    capsys.readouterr()
    clock[0] += 1000
    tell.complain()
    assert capsys.readouterr().err == ""


def test_what_is_quiet_says_nothing(capsys) -> None:
    tell = listener_for_people(quiet=True)
    tell.note("fit 1: 800 games")
    tell.progress("x", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_without_a_terminal_there_are_lines(capsys) -> None:
    assert isinstance(listener_for_people(), Lines)


def test_whoever_waits_in_the_middle_is_told_what_was_said_last_and_not_that_it_begins(clock, capsys) -> None:
    tell = Lines()
    tell.stage("search")
    clock[0] += 26
    tell.complain()
    assert capsys.readouterr().err == "  search; no news for 26 s\n"
    tell.note("trial 7: +12 Elo")
    clock[0] += 26
    tell.complain()
    assert capsys.readouterr().err == "trial 7: +12 Elo\n  trial 7: +12 Elo; no news for 26 s\n"
