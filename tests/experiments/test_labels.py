"""Labels are made along whole games, and ways are compared on games that no fit saw."""

from pathlib import Path

import numpy as np
import pytest

from tests.support.small_matches import kalah, openings, play
from tunesmith.experiments import labels
from tunesmith.experiments.labels import DEEPER, DEFAULTS
from tunesmith.tuning.data.dataset import Dataset, build_rows
from tunesmith.tuning.play.matchup import Noise
from tunesmith.tuning.play.store import read_games

NAN = np.nan
SCORE = np.array([NAN, 0.4, 0.8, NAN, 0.6])  # of two games: three moves and two
RESULT, STARTS = np.array([1.0, 0.0]), np.array([0, 3, 5])


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Dataset:
    folder = tmp_path_factory.mktemp("games")
    play(folder, range(90), openings=openings(90, 6), noise=Noise(0.15, 30))
    return build_rows(kalah(), read_games(folder))


def test_a_trace_goes_from_the_score_to_the_result() -> None:
    half = labels.returns(SCORE, RESULT, STARTS, 0.5)
    assert half.tolist() == pytest.approx([0.65, 0.65, 0.9, 0.3, 0.3])
    assert labels.returns(SCORE, RESULT, STARTS, 1.0).tolist() == [1, 1, 1, 0, 0]
    assert labels.returns(SCORE, RESULT, STARTS, 0.0).tolist() == [0.4, 0.4, 0.8, 0.6, 0.6]


def test_a_later_score_is_the_result_after_the_end() -> None:
    assert labels.later(SCORE, RESULT, STARTS, 1).tolist() == [0.4, 0.8, 1, 0.6, 0]
    assert labels.later(SCORE, RESULT, STARTS, 2).tolist() == [0.8, 1, 1, 0, 0]


def test_without_a_trace_labels_are_those_of_a_study(data: Dataset) -> None:
    """Where a move had no score of its own, the next one's stands; rows of a merged position are means."""
    second = labels.movers(data)
    score, result = labels.scores_along(data, second)
    own = labels.to_rows(data, labels.returns(score, result, data.games[0].starts, 0.0), second)
    same = np.isclose(own, data.rows.expected, atol=1e-6)
    assert same.mean() > 0.85
    ends = labels.returns(score, result, data.games[0].starts, 1.0)
    assert labels.to_rows(data, ends, second) == pytest.approx(data.rows.labels, abs=0.5)


def test_games_weigh_alike(data: Dataset) -> None:
    ways = labels.ways_of(data)
    of_game = np.bincount(np.unique(data.place[:, 1], return_inverse=True)[1], ways["1/n"].factor)
    assert np.ptp(of_game) < 1e-9 and ways["1/n"].factor.mean() == pytest.approx(1)
    assert (ways["1/sqrt(n)"].factor ** 2).tolist() == pytest.approx(
        (ways["1/n"].factor * (ways["1/sqrt(n)"].factor[0] ** 2 / ways["1/n"].factor[0])).tolist()
    )


def test_all_ways_share_one_replay_of_the_games(data: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, movers = list[Dataset](), labels.movers
    monkeypatch.setattr(labels, "movers", lambda data: (asked.append(data), movers(data))[1])
    assert len(labels.ways_of(data)) == 3 + len(labels.TRACES) + len(labels.LATER) and len(asked) == 1


def test_the_page_names_the_command_that_makes_it(
    tmp_path: Path, data: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labels, "read_games", lambda _: None)
    monkeypatch.setattr(labels, "build_rows", lambda *_: data)
    found = labels.Unseen(30, 2, 100, 0.5, 0.45, {"1/n": (0.0, 0.001)}, {})
    monkeypatch.setattr(labels, "unseen", lambda *_: found)
    out = tmp_path / "labels.json"
    assert labels.main([str(tmp_path), "--sizes", "30", "--parts", "2", "--out", str(out)]) == 0
    page = out.with_suffix(".md").read_text(encoding="utf-8")
    assert "labels games --game kalah --sizes 30 --parts 2   # commit" in page


def test_ways_are_judged_on_pairs_that_no_part_saw(data: Dataset) -> None:
    found = labels.unseen(data, 30, 2, 1, "nodes:20")
    assert (found.pairs, found.parts) == (30, 2) and DEFAULTS not in found.excess
    assert {DEEPER, "1/n", "trace 0.8", "4 later"} <= set(found.excess)
    assert all(half > 0 for _, half in found.excess.values())
    assert 0.3 < found.defaults < found.prior < 0.8


def test_the_page_counts_cells_that_are_better_and_worse_beyond_their_interval(tmp_path: Path) -> None:
    one = {"pairs": 40, "parts": 3, "rows": 100, "prior": 0.5, "defaults": 0.45, "blends": {}}
    excess = [{"a": (-0.002, 0.001), "b": (0.0, 0.001)}, {"a": (0.0, 0.001)}]
    cells = {
        game: {
            "commit": "0067d6c",
            "seed": 1,
            "pairs": 90,
            "command": "python",
            "unseen": [{**one, "excess": way}],
        }
        for game, way in zip(("kalah", "fanorona"), excess, strict=True)
    }
    page = labels.page_of(cells)
    assert "| a | -20.0 ± 10.0 | +0.0 ± 10.0 |" in page and "| b | +0.0 ± 10.0 |  |" in page
    assert "- a: better in 1 of 2 cells, worse in 0\n- b: better in 0 of 1 cells, worse in 0" in page
