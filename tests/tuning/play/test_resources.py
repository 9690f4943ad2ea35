"""Who hears of games being played, and how often."""

from pathlib import Path

import pytest

from tests.support.listening import Listening
from tests.support.small_matches import matchup, openings, play
from tunesmith.games.errors import InputError
from tunesmith.tuning.play import selfplay
from tunesmith.tuning.play.resources import Log, Resources


def test_a_listener_is_told_of_the_folder_or_of_the_name_that_games_are_given(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    resources = Resources(1, "threads", Listening(lambda *count: told.append(count)))
    selfplay.play(matchup(), openings(), range(3), tmp_path / "main" / "games", resources)
    selfplay.play(matchup(), openings(), range(3), tmp_path / "pairs", resources)
    selfplay.play(matchup(), openings(), range(3), tmp_path / "third", resources, "hand - hand")
    assert list(dict.fromkeys(what for what, _, _ in told)) == ["main", "pairs", "hand - hand"]
    assert {total for _, _, total in told} == {3}
    assert [done for what, done, _ in told if what == "main"][:: len(told) // 3 - 1] == [0, 3]


def test_without_a_listener_lines_for_people_go_to_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "tunesmith.tuning")
    play(tmp_path, range(2), listener=Log())
    Resources().listener.note("fit 1: 800 games")
    assert "fit 1: 800 games" in caplog.text


def test_no_workers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="jobs: expected 1 or more, found 0"):
        play(tmp_path, range(2), jobs=0)
