"""Matches that cannot be played are refused in one sentence, before the first game."""

from pathlib import Path

import pytest

from tests.support.small_matches import LIMIT, hand, openings, play
from tunesmith.games.errors import InputError
from tunesmith.tuning.play import selfplay
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.resources import Resources


@pytest.mark.parametrize(
    ("pairs", "changes", "message"),
    [
        (range(201), {}, "201 need as many openings, found 200"),
        (range(0, 8, 2), {}, "consecutive"),
        (range(2), {"openings": openings()[:1] * 2}, "some are the same"),
        (range(2), {"move_cap": 6}, "move_cap: expected more than the 6 moves"),
        (range(2), {"noise": Noise(2.0, 3)}, "noise"),
        (range(2), {"jobs": 0}, "jobs"),
        (range(2), {"backend": "thread"}, "backend: expected one of loky, threads, dask, found 'thread'"),
        (range(2), {"limit": "nodes:0"}, "limit"),
        (range(2), {"seed": -1}, "seed"),
        (range(2), {"options": {"killer": True}}, "did you mean 'killers'"),
    ],
)
def test_wrong_input_is_refused_before_the_first_game(
    tmp_path: Path, pairs: range, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        play(tmp_path / "games", pairs, **changes)
    assert not list(tmp_path.glob("games/*.parquet"))


def test_weights_of_another_variant_are_refused(tmp_path: Path) -> None:
    other = Matchup("kalah:seeds=3", hand(), hand(), (LIMIT, LIMIT), 1)
    with pytest.raises(InputError, match="weights of player 1: are for kalah"):
        selfplay.play(other, openings(), range(2), tmp_path, Resources(1, "threads"))
