"""The benchmark measures what it says, on work it can name."""

import numpy as np
import pytest

from tests.support.searching import all_as_python
from tests.support.toys import piles
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.weights import load as load_weights
from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING
from tunesmith.games.registry import load
from tunesmith.tuning.cli.new_game import write_game
from tunesmith.tuning.play import bench as measure
from tunesmith.tuning.play.bench import bench, evaluate_games, record_games

FEATURES_WANTED = -1


def watchful_features(state, out):
    """Write a feature only if it is wanted."""
    for index in range(3):
        if FEATURES_WANTED >> index & 1:
            out[index] = float(state[0])


@pytest.fixture
def plain(monkeypatch):
    """Everything as plain Python, in small: what is measured matters here, not how fast it is."""
    monkeypatch.setenv("TUNESMITH_NUMBA", "0")  # of the workers
    for name, value in (("SAMPLE", 100), ("SEARCH_NODES", 500), ("GAME_NODES", 4), ("WARM_UP", 4)):
        monkeypatch.setattr(measure, name, value)
    with all_as_python():
        yield


@pytest.mark.usefixtures("plain")
def test_every_figure_is_positive_and_names_its_work():
    rows = list(bench("kalah", seconds=0.01))
    names = [row.name for row in rows]
    assert len(set(names)) == len(names)
    assert {
        "perft, bulk counted",
        "evaluations, all features",
        "replay, all features",
        "around the search of a move",
        "games, 2 workers",
    } <= set(names)
    for row in rows:
        assert row.value > 0 and row.unit and row.work, row


@pytest.mark.usefixtures("plain")
def test_a_game_of_ones_own_is_measured_from_its_file(tmp_path):
    """Games per second too, which workers play that load the file themselves."""
    game = write_game("mine", tmp_path)[0]
    names = [row.name for row in bench(str(game), seconds=0.01)]
    assert "search, hand" in names
    (game.parent / "weights" / "hand.json").unlink()
    assert "search, hand" not in [row.name for row in bench(str(game), 0.01, features=True)]
    assert "games, 2 workers" in names and names[-1] == "probe, loaded from the cache"


@pytest.mark.usefixtures("plain")
def test_what_was_measured_before_games_fail_is_given(monkeypatch):
    """Openings that nobody finds cost the figures of games, not those before."""
    monkeypatch.setattr(measure, "make_openings", lambda *_, **__: refuse())
    rows = []
    with pytest.raises(InputError, match="no openings"):
        for row in bench("kalah", seconds=0.01):
            rows.append(row)
    assert "replay, all features" in [row.name for row in rows]


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("game", ["fanorona", "ropasci360"])
def test_the_search_is_measured_with_the_weights_that_play_by_default(game, monkeypatch):
    """Their scale, their options and the features they use, under their name; only if there is such a file."""
    name = {"fanorona": "tuned", "ropasci360": "home"}[game]
    searched, make = [], measure.new_searcher

    def new_searcher(game, values, scale, options, limit):
        searched.append((values.tolist(), scale, options))
        return make(game, values, scale, options, limit)

    monkeypatch.setattr(measure, "new_searcher", new_searcher)
    loaded = load(game)
    rows = []
    for row in bench(game, seconds=0.01):
        rows.append(row.name)
        if row.name.startswith("search") and row.name.endswith(name):
            break
    file = load_weights(loaded.folder / "weights" / f"{name}.json", loaded)
    assert rows[-1] == f"search, {name}"
    assert searched[-1] == (file.array(loaded).tolist(), file.scale, file.search_options)


@pytest.mark.usefixtures("plain")
def test_what_is_measured_next_is_told_before_it_is():
    said = []
    next(bench("kalah", 0.01, note=said.append))
    assert said == ["perft: compiled, then measured"]


def refuse():
    raise InputError("no openings")


@pytest.mark.usefixtures("plain")
def test_openings_of_a_short_game_have_fewer_plies(monkeypatch):
    asked = []

    def make(game, weights, terms, **_):
        asked.append(terms.plies)
        return refuse() if terms.plies > 1 else ["an opening"]

    monkeypatch.setattr(measure, "make_openings", make)
    assert measure._openings(piles(), None, 1) == ["an opening"]
    assert asked == [6, 3, 1]


def test_what_is_replayed_are_whole_games():
    """Every game but the last goes on to its end, and every move is legal."""
    game = piles()
    moves, starts = np.zeros(50, np.int64), np.zeros(51, np.int64)
    n_games = bind(record_games, game)(moves, starts)
    assert starts[n_games] == 50 and n_games > 5
    for number in range(n_games):
        state, legal = game.initial(), np.zeros(game.max_moves, np.int64)
        for move in moves[starts[number] : starts[number + 1]].tolist():
            assert game.outcome(state) == ONGOING
            assert move in legal[: game.legal_moves(state, legal)]
            state = game.apply_move(state, move)
        assert number == n_games - 1 or game.outcome(state) != ONGOING


@pytest.mark.usefixtures("plain")
def test_features_are_left_out_one_by_one():
    rows = list(bench("tests.support.toys:PILES", seconds=0.01, features=True))
    without = [row for row in rows if row.name.startswith("search, without")]
    assert sorted(row.name for row in without) == sorted(
        f"search, without {n}" for n in piles().feature_names
    )
    assert all(row.value > 0 and row.unit == "nodes/s" for row in without)
    assert [row.value for row in without] == sorted((row.value for row in without), reverse=True)


def test_a_feature_that_is_left_out_is_not_computed():
    """What `bench --features` relies on: the mask reaches the compiled features."""
    values, shares = np.full(3, 7.0), np.zeros(2)
    game = piles(features=watchful_features)
    bind(evaluate_games, game, 0b101)(5, values, shares)
    assert values[1] == 7.0 and values[0] != 7.0
