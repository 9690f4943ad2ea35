"""From games to rows: the features of plain replay, honest labels, nothing on both sides of a split."""

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.naive import dataset as naive
from tests.support.chosen_rows import rows_of
from tests.support.searching import all_as_python
from tests.support.small_matches import hand, kalah, openings, play
from tunesmith.engine.evaluation import WIN
from tunesmith.engine.match import NO_RESULT
from tunesmith.engine.player import evaluation_parts
from tunesmith.games.errors import StudyError
from tunesmith.tuning.config import Openings
from tunesmith.tuning.data import dataset
from tunesmith.tuning.data.dataset import GENERATION_STEP, Dataset
from tunesmith.tuning.fit.loss import expected_result
from tunesmith.tuning.fit.split import split
from tunesmith.tuning.play import replay
from tunesmith.tuning.play.matchup import Matchup, Noise, PlayedGame
from tunesmith.tuning.play.records import Games, to_table
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.store import read_games

EVERY = {"positions_per_game": 1000, "max_score": 400.0}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Games:
    """Play games, some of which share their positions because the openings are short."""
    folder = tmp_path_factory.mktemp("games")
    play(folder, range(60), openings=openings(60, 3), noise=Noise(0.05, 20))
    return read_games(folder)


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Games:
    """Play more games of the same openings."""
    folder = tmp_path_factory.mktemp("later")
    play(folder, range(60), openings=openings(60, 3), noise=Noise(0.05, 20), seed=2)
    return read_games(folder, generation=1)


def as_set(data: Dataset) -> set[tuple[object, ...]]:
    """Return the rows as a set that can be compared."""
    rows = data.rows
    stages = np.ones((rows.n, 1)) if rows.stages is None else rows.stages
    return {
        (
            tuple(rows.features[i]),
            tuple(stages[i]),
            round(rows.labels[i], 9),
            int(rows.weight[i]),
            int(rows.group[i]),
        )
        for i in range(rows.n)
    }


def states_of(data: Dataset) -> set[tuple[int, ...]]:
    """Return the positions of all rows, one of the images of each."""
    return {min(naive.images(data.game, data.state(row))) for row in range(data.rows.n)}


def line(moves: list[int], result: int = 1, pair: int = 0, game: int = 0, why: str = "over") -> PlayedGame:
    """Return a game without opening."""
    scores = np.zeros(len(moves), np.float32)
    return PlayedGame(pair, game, 1, 0, np.array(moves), scores, result, why)


def table_of(*played: PlayedGame) -> Games:
    """Return some games as a table."""
    return Games(to_table(played, {row.pair: "" for row in played}, ("a", "b"), {}), {})


# --- against plain Python ----------------------------------------------------------------------------------


def test_rows_are_those_of_plain_replay(games: Games) -> None:
    data = rows_of(kalah(), games, **EVERY)
    expected = naive.rows(kalah(), games, EVERY["max_score"])
    assert as_set(data) == {(*row[:2], round(row.label, 9), row.weight, row.group) for row in expected}
    assert data.rows.n == len(expected)
    assert data.rows.weight.max() > 1  # something was merged


def test_the_state_of_a_row_has_its_features(games: Games) -> None:
    data = rows_of(kalah(), games, **EVERY)
    for row in range(0, data.rows.n, 37):
        values = np.zeros(kalah().n_features)
        kalah().features(data.state(row), values)
        np.testing.assert_array_equal(values, data.rows.features[row])


def test_static_evaluations_are_those_of_the_engine(games: Games) -> None:
    chosen = np.zeros(len(games.moves), np.bool_)
    chosen[:200:7] = True
    scores = replay.judge_positions(kalah(), hand(), games.moves, games.starts, chosen)
    states = {(p.pair, p.game, p.ply): p.state for p in naive.positions(kalah(), games)}
    n_compared = 0
    for score, at in zip(scores, np.flatnonzero(chosen), strict=True):
        row = int(np.searchsorted(games.starts, at, side="right")) - 1
        place = int(games.pair[row]), int(games.game[row]), int(at - games.starts[row])
        if place in states:
            assert score == evaluation_parts(kalah(), hand(), states[place])[0] / 100
            n_compared += 1
    assert n_compared > 10


# --- labels ------------------------------------------------------------------------------------------------


def test_labels_of_both_sides_add_up_to_one() -> None:
    for result in (1, 0, -1):
        assert dataset.label(result, False) + dataset.label(result, True) == 1
    assert [float(dataset.label(result, False)) for result in (1, 0, -1)] == [1.0, 0.5, 0.0]


def test_a_drawn_game_labels_every_position_one_half(games: Games) -> None:
    drawn = games.take(np.flatnonzero(games.result == 0))
    assert len(drawn)
    assert set(rows_of(kalah(), drawn, **EVERY).rows.labels.tolist()) == {0.5}


def test_blended_labels_lean_on_the_search(games: Games) -> None:
    result, mixed = (rows_of(kalah(), games, **EVERY, blend=b).rows for b in (1.0, 0.25))
    assert result.expected is None and mixed.expected is not None
    np.testing.assert_array_equal(mixed.labels, result.labels)
    np.testing.assert_allclose(
        mixed.blended(0.25).labels, 0.25 * result.labels + 0.75 * mixed.expected, atol=1e-12
    )
    at = next(p for p in naive.positions(kalah(), games) if p.is_quiet and abs(p.score) < 400)
    alone = games.take((games.pair == at.pair) & (games.game == at.game))
    data = rows_of(kalah(), alone, **EVERY, blend=0.0)
    row = next(row for row in range(data.rows.n) if data.place[row, 2] == at.ply)
    in_elo = data.score_scales[0].scale * at.score
    assert data.rows.blended(0.0).labels[row] == pytest.approx(float(expected_result(np.array([in_elo]))[0]))


def test_a_position_without_a_score_keeps_its_result() -> None:
    played = line([6, 3], result=1)
    played.scores[:] = np.nan
    data = rows_of(kalah(), table_of(played), quiet="off", blend=0.0)
    assert data.rows.expected is None and set(data.rows.labels.tolist()) <= {0.0, 1.0}


# --- what is taken -----------------------------------------------------------------------------------------


def test_every_position_is_accounted_for(games: Games) -> None:
    data = rows_of(kalah(), games, positions_per_game=5, judge=hand(), max_score=200.0)
    counted = data.selection
    assert list(counted) == [
        "games", "fault", "capped", "no moves", "repeated game", "positions", "opening", "choice pending", "noisy",
        "decided", "not sampled", "on the other side of the split", "same position", "rows",
    ]  # fmt: skip
    left_out = list(counted)[6:-1]
    assert counted["positions"] == sum(counted[name] for name in left_out) + counted["rows"]
    assert counted["rows"] == data.rows.n
    assert data.rows.weight.sum() == counted["rows"] + counted["same position"]


def test_at_most_n_positions_of_a_game_are_drawn_and_by_their_own_place(games: Games) -> None:
    few = rows_of(kalah(), games, positions_per_game=3, max_score=400.0)
    more = rows_of(kalah(), games, positions_per_game=6, max_score=400.0)
    other = rows_of(kalah(), games, positions_per_game=3, max_score=400.0, seed=2)
    assert states_of(few) < states_of(more)
    assert states_of(few) != states_of(other)
    _, counts = np.unique(few.place[:, 1], return_counts=True)
    assert counts.max() == 3
    # A game draws the same positions whatever other games there are.
    alone = rows_of(kalah(), games.take(games.pair == 7), positions_per_game=3, max_score=400.0)
    own = {(ply, row % 2) for _, row, ply in few.place.tolist() if row // 2 == 7}
    assert own <= {(ply, row) for _, row, ply in alone.place.tolist()}


def test_capped_and_faulty_games_teach_nothing() -> None:
    bad = [
        line([6, 1, 2], NO_RESULT, 1, 0, "capped"),
        line([1], NO_RESULT, 2, 0, "fault:x"),
        line([6, 3, 1, 1]),
    ]
    data = rows_of(kalah(), table_of(*bad), quiet="off")
    assert (data.selection["capped"], data.selection["fault"]) == (1, 1)
    assert set(data.rows.group.tolist()) == {0}


def test_a_repeated_game_counts_once_also_across_generations(games: Games) -> None:
    once = rows_of(kalah(), games, **EVERY)
    twice = rows_of(kalah(), [games, games], **EVERY)
    assert as_set(once) == as_set(twice)
    assert twice.selection["repeated game"] == len(games) + once.selection["repeated game"]


def test_forced_wins_are_decided_whatever_the_bound_but_for_those_at_the_end_of_a_game() -> None:
    """Who never saw a position that is won by a move does not learn what shows it."""
    played = line([6, 3, 1, 1])
    played.scores[:] = [(WIN - 5) / 100, (WIN - 3) / 100, -(WIN - 2) / 100, (WIN - 1) / 100]
    for max_score in (1.0, 1e9):
        data = rows_of(kalah(), table_of(played), quiet="off", max_score=max_score)
        assert data.selection["decided"] == 2
        assert set(data.place[:, 2].tolist()) == {2, 3}


def test_forced_wins_before_a_game_was_cut_short_are_decided() -> None:
    played = line([6, 3, 1, 1], why="adjudicated")
    played.scores[2:] = (WIN - 2) / 100
    data = rows_of(kalah(), table_of(played), quiet="off", max_score=1e9)
    assert set(data.place[:, 2].tolist()) == {0, 1}


def test_margins_are_not_taken_for_elo() -> None:
    played = line([6, 3, 1])
    played.scores[:] = 9000
    table = table_of(played)
    margin, elo = {"objective": "margin"}, {"objective": "result"}
    n_decided = {
        b["objective"]: rows_of(
            kalah(), Games(table.table, {"players": ["a", "b"], "options": [margin, b]}), quiet="off"
        ).selection["decided"]
        for b in (margin, elo)
    }
    assert n_decided["margin"] == 0 and n_decided["result"] == 1  # the moves of the player who counts in Elo
    with pytest.raises(StudyError, match="no position is left"):
        rows_of(kalah(), table, quiet="off")


# --- groups and splits -------------------------------------------------------------------------------------


def test_no_position_is_on_both_sides_of_a_split(games: Games, later: Games) -> None:
    data = rows_of(kalah(), [games, later], **EVERY)
    held_out = split(data.rows.group, 0.3)
    assert 0 < held_out.sum() < data.rows.n
    sides: dict[tuple[int, ...], set[bool]] = {}
    for row in range(data.rows.n):
        name = min(naive.images(kalah(), data.state(row)))
        sides.setdefault(name, set()).add(bool(held_out[row]))
    assert all(len(side) == 1 for side in sides.values())
    assert data.selection["same position"] > 0


def test_more_games_move_nothing_across(games: Games, later: Games) -> None:
    before = rows_of(kalah(), games.take(games.pair < 40), **EVERY)
    after = rows_of(kalah(), [games, later], **EVERY)
    groups = {
        min(naive.images(kalah(), after.state(row))): int(after.rows.group[row])
        for row in range(after.rows.n)
    }
    for row in range(before.rows.n):
        assert groups[min(naive.images(kalah(), before.state(row)))] == before.rows.group[row]


def test_groups_of_generations_do_not_collide(games: Games, later: Games) -> None:
    data = rows_of(kalah(), [games, later], **EVERY)
    assert (np.diff(data.rows.group) >= 0).all()
    generations = data.rows.group // GENERATION_STEP
    assert set(generations.tolist()) == {0, 1}
    assert (generations == data.place[:, 0]).all()
    assert (data.rows.group % GENERATION_STEP < 60).all()


def test_the_rows_of_a_folder_are_the_same_in_every_run(games: Games) -> None:
    first, second = (rows_of(kalah(), games, positions_per_game=4, judge=hand()) for _ in range(2))
    np.testing.assert_array_equal(first.rows.features, second.rows.features)
    np.testing.assert_array_equal(first.rows.group, second.rows.group)


# --- other games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["pentago", "ropasci360"])
def test_games_with_symmetries_and_hidden_choices(spec: str, tmp_path: Path) -> None:
    from tunesmith.engine import weights as weight_files
    from tunesmith.games import registry
    from tunesmith.tuning.play import selfplay
    from tunesmith.tuning.play.openings.random import make_openings

    with all_as_python():
        game = registry.load(spec)
        player = weight_files.load("hand", game)
        beginnings = make_openings(game, player, Openings(plies=4, max_score=500.0), count=3, purpose="train", seed=1,
                                   judge_limit="nodes:1")  # fmt: skip
        matchup = Matchup(spec, player, player, ("nodes:1", "nodes:1"), 1, Noise(0.3, 40), 200, 1)
        selfplay.play(matchup, beginnings, range(3), tmp_path, Resources(1, "threads"))
        games = read_games(tmp_path)
        data = rows_of(game, games, positions_per_game=1000, max_score=1e6)
    for row in range(0, data.rows.n, 11):
        values = np.zeros(game.n_features)
        game.features(data.state(row), values)
        np.testing.assert_array_equal(values, data.rows.features[row])
        assert game.hide is None or game.hide(data.state(row)) == data.state(row)
    if not game.simultaneous:
        assert as_set(data) == {
            (*row[:2], round(row.label, 9), row.weight, row.group) for row in naive.rows(game, games, 1e6)
        }


# --- many games ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings", [{"positions_per_game": 3}, {"blend": 0.6}, {"quiet": "resolve", "draws": True}]
)
def test_a_block_of_games_at_a_time_gives_the_same_rows(
    games: Games, later: Games, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    whole = rows_of(kalah(), [games, later], hand(), **settings)
    monkeypatch.setattr(dataset, "BLOCK", 7)
    found = rows_of(kalah(), [games, later], hand(), **settings)
    assert found.selection == whole.selection and found.score_scales == whole.score_scales
    for name in ("features", "stages", "labels", "weight", "group"):
        assert getattr(found.rows, name).tobytes() == getattr(whole.rows, name).tobytes()
    assert np.array_equal(found.rows.expected, whole.rows.expected) or settings.get("draws")
    for name in ("place", "lines"):
        assert getattr(found, name).tobytes() == getattr(whole, name).tobytes()


def test_positions_that_are_left_out_are_not_held_together(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many games only the rows and a block of games are in memory."""

    def peak(block: int) -> int:
        monkeypatch.setattr(dataset, "BLOCK", block)
        tracemalloc.start()
        try:
            rows_of(kalah(), games, hand(), positions_per_game=1, blend=1.0)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(1000)  # all that is made once
    assert peak(5) < peak(1000) / 2
