"""Calm positions: the lines of plain quiescence, the right side's result at their end, no leaf counted twice."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.naive import dataset as naive
from tests.naive import minimax
from tests.naive.quiet import noisy, quiet_line
from tests.support import toys
from tests.support.chosen_rows import rows_of
from tests.support.searching import as_python
from tests.support.small_matches import hand, kalah, openings, play
from tunesmith.engine import weights as weight_files
from tunesmith.engine.weights import Weights, from_array
from tunesmith.games import registry
from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, Game, State
from tunesmith.tuning.data import dataset, quiet
from tunesmith.tuning.data.dataset import Dataset
from tunesmith.tuning.fit.loss import expected_result, scores
from tunesmith.tuning.fit.split import split
from tunesmith.tuning.play import replay
from tunesmith.tuning.play.matchup import Noise, PlayedGame
from tunesmith.tuning.play.records import Games, to_table
from tunesmith.tuning.play.store import read_games

MOST = 1e6  # Elo: nothing counts as decided


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Games:
    """Play games of Kalah, some of which share their positions because the openings are short."""
    folder = tmp_path_factory.mktemp("games")
    play(folder, range(30), openings=openings(60, 3), noise=Noise(0.05, 20))
    return read_games(folder)


def random_games(game: Game, count: int, seed: int = 1, most: int = 60) -> Games:
    """Play games of random moves in plain Python."""
    rng, played = np.random.default_rng(seed), []
    for number in range(count):
        states, moves = [game.initial()], []
        while (result := minimax.ending(game, states)) == ONGOING and len(moves) < most:
            moves.append(int(rng.choice(minimax.legal(game, states[-1]))))
            states.append(game.apply_move(states[-1], moves[-1]))
        scores = rng.normal(0, 100, len(moves)).astype(np.float32)
        played.append(PlayedGame(number, 0, 1, 0, np.array(moves), scores, result, "over"))
    return Games(to_table(played, {row.pair: "" for row in played}, ("a", "b"), {}), {})


def histories(game: Game, games: Games) -> list[list[State]]:
    """Return for every position before a move the states up to it."""
    found = []
    for row in games.table.to_pylist():
        states = [game.initial()]
        for move in row["moves"]:
            found.append(list(states))
            states.append(game.apply_move(states[-1], move))
    return found


def piles_player() -> Weights:
    return from_array(toys.piles(), np.array([[3.0, 40.0, -25.0], [10.0, -60.0, 30.0]]))


def is_short(game: Game, state: State, most: int = 300) -> bool:
    """Tell whether plain quiescence from here meets at most `most` positions."""
    waiting, seen = [(state, 0)], 0
    while waiting and seen <= most:
        at, ply = waiting.pop()
        seen += 1
        if ply < quiet.LONGEST:
            waiting.extend((game.apply_move(at, move), ply + 1) for move in noisy(game, at))
    return seen <= most


def agree(game: Game, weights: Weights, games: Games, every: int = 1) -> int:
    """Compare lines with those of the twin, where that takes no ages; return how many are not empty."""
    chosen = np.zeros(len(games.moves), np.bool_)
    chosen[::every] = [is_short(game, states[-1]) for states in histories(game, games)[::every]]
    found = quiet.quiet_lines(game, weights, games.moves, games.starts, chosen)
    n_lines = 0
    wanted = [states for states, is_chosen in zip(histories(game, games), chosen, strict=True) if is_chosen]
    for row, states in enumerate(wanted):
        twin = quiet_line(game, weights, states, quiet.LONGEST)
        static = minimax.evaluation(game, weights.array(game), weights.scale, states[-1])
        assert found.static[row] == static / 100
        assert found.value[row] == twin.value / 100
        line = found.moves[row]
        assert tuple(line[line >= 0].tolist()) == twin.line
        is_full = len(twin.line) == quiet.LONGEST and not twin.is_over
        assert found.fate[row] == (quiet.OVER if twin.is_over else quiet.ENDLESS if is_full else quiet.CALM)
        n_lines += bool(twin.line)
    return n_lines


# --- lines -------------------------------------------------------------------------------------------------


def test_lines_are_those_of_plain_quiescence(games: Games) -> None:
    assert agree(kalah(), hand(), games.take(games.pair < 8), 3) > 50


def test_lines_know_forced_captures_repetition_and_the_end() -> None:
    """In the piles every short pile is noisy, positions repeat, and the last stone wins."""
    with as_python(toys.piles()) as game:
        assert agree(game, piles_player(), random_games(game, 60)) > 50


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "count", "every"), [("fanorona", 3, 5), ("pentago", 3, 5), ("expendibots", 40, 1)]
)
def test_lines_of_other_games(spec: str, count: int, every: int) -> None:
    """Exchanges are rare in random games of Expendibots: there every position of many games is looked at.

    As plain Python: of Kalah compiled code is compared, and of every game the searches (test_jit).
    """
    with as_python(registry.load(spec)) as game:
        assert agree(game, weight_files.load("hand", game), random_games(game, count), every) > 3


def test_an_exchange_without_end_is_given_up(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet, "MOST_NODES", 3)
    chosen = np.ones(len(games.moves), np.bool_)
    few = quiet.quiet_lines(kalah(), hand(), games.moves, games.starts, chosen)
    is_endless = few.fate == quiet.ENDLESS
    assert 0 < is_endless.sum() < len(chosen)
    assert np.isnan(few.value[is_endless]).sum() > 0 and not np.isnan(few.value[~is_endless]).any()
    data = rows_of(kalah(), games, quiet="resolve", judge=hand())
    assert data.selection["endless exchange"] > 0


# --- rows --------------------------------------------------------------------------------------------------


def resolved(games: Games, **changes: Any) -> Dataset:
    options = {"positions_per_game": 1000, "max_score": MOST, "quiet": "resolve", "judge": hand(), **changes}
    return rows_of(kalah(), games, **options)


def naive_rows(games: Games) -> dict[tuple[Any, ...], list[float]]:
    """Return the labels of every calm position, by pair-independent name and what is seen there."""
    game, table = kalah(), games.table.to_pylist()
    found: dict[tuple[Any, ...], list[float]] = {}
    for p in naive.positions(game, games):
        row = table[2 * p.pair + p.game]
        states = [game.initial()]
        for move in row["moves"][: p.ply]:
            states.append(game.apply_move(states[-1], move))
        twin = quiet_line(game, hand(), states, quiet.LONGEST)
        if len(twin.line) == quiet.LONGEST or twin.is_over or naive.is_decided(p, MOST):
            continue
        leaf = states[-1]
        for move in twin.line:
            leaf = game.apply_move(leaf, move)
        values, shares = np.zeros(game.n_features), np.zeros(game.n_stages)
        game.features(leaf, values)
        game.stages(leaf, shares)
        label = {1: 1.0, 0: 0.5, -1: 0.0}[row["result"] * (1 if game.mover(leaf) == 0 else -1)]
        name = min(naive.images(game, leaf)), tuple(values), tuple(shares)
        found.setdefault(name, []).append(label)
    return found


def test_resolved_rows_show_the_calm_position_and_keep_the_result(games: Games) -> None:
    few = games.take(games.pair < 4)
    data, twin = resolved(few), naive_rows(few)
    assert data.rows.n == len(twin)
    turned = 0
    for row in range(data.rows.n):
        state = data.state(row)
        name = min(naive.images(kalah(), state)), tuple(data.rows.features[row]), tuple(data.rows.stages[row])
        labels = twin[name]
        assert data.rows.weight[row] == len(labels)
        assert data.rows.labels[row] == pytest.approx(sum(labels) / len(labels))
        root = replay.state_at(kalah(), few.moves[few.starts[data.place[row, 1]] :][: data.place[row, 2]])
        turned += kalah().mover(root) != kalah().mover(state)
    assert turned > 10  # the side to move changed, and the label with it


def test_positions_that_come_to_the_same_are_one_row(games: Games) -> None:
    """A free turn before and after: two positions of one game, one calm position (FIELD D10)."""
    raw, data = (rows_of(kalah(), games, positions_per_game=1000, max_score=MOST, quiet=how, judge=hand())
                 for how in ("off", "resolve"))  # fmt: skip
    assert data.selection["same position"] > raw.selection["same position"]
    assert data.rows.weight.sum() == data.rows.n + data.selection["same position"]
    held_out = split(data.rows.group, 0.3)
    sides: dict[tuple[int, ...], set[bool]] = {}
    for row in range(0, data.rows.n):
        sides.setdefault(min(naive.images(kalah(), data.state(row))), set()).add(bool(held_out[row]))
    assert all(len(side) == 1 for side in sides.values())


def test_every_resolved_position_is_accounted_for_and_calm(games: Games) -> None:
    data = resolved(games, positions_per_game=5, max_score=300.0)
    counted = data.selection
    left_out = (
        "opening",
        "choice pending",
        "noisy",
        "decided",
        "endless exchange",
        "not sampled",
        "on the other side of the split",
        "same position",
    )
    assert counted["positions"] == sum(counted[name] for name in left_out) + counted["rows"]
    assert counted["noisy"] == 0
    for row in range(0, data.rows.n, 11):
        left = quiet.LONGEST - int((data.lines[row] >= 0).sum())
        assert quiet_line(kalah(), hand(), [data.state(row)], left).line == ()
        assert kalah().outcome(data.state(row)) == ONGOING


def test_the_engine_evaluates_resolved_rows_where_they_are(games: Games) -> None:
    data = resolved(games)
    engine = dataset.engine_scores(data, hand())
    fitted = scores(data.rows, hand().scale * hand().array(kalah()))
    assert np.abs(engine - fitted).max() <= 0.005 + 1e-6


def test_blended_labels_follow_the_side_to_move_of_the_calm_position(games: Games) -> None:
    data = resolved(games.take(games.pair < 12), blend=0.0, positions_per_game=1000)
    checked = 0
    for row in np.flatnonzero(data.rows.weight == 1).tolist():
        _, at, ply = data.place[row]
        score = float(data.games[0].scores[data.games[0].starts[at] + ply])
        if np.isnan(score):
            continue
        before = replay.state_at(kalah(), data.games[0].moves[data.games[0].starts[at] :][:ply])
        sign = 1 if kalah().mover(before) == kalah().mover(data.state(row)) else -1
        in_elo = data.score_scales[0].scale * sign * score
        assert data.rows.blended(0.0).labels[row] == pytest.approx(
            float(expected_result(np.array([in_elo]))[0])
        )
        checked += sign == -1
    assert checked > 3


def test_by_score_takes_what_quiescence_hardly_changes(games: Games) -> None:
    sizes = []
    for margin in (0.0, 50.0, 1e9):
        data = rows_of(
            kalah(),
            games,
            positions_per_game=1000,
            max_score=MOST,
            quiet="score",
            quiet_margin=margin,
            judge=hand(),
        )
        sizes.append(int(data.rows.weight.sum()))
        if margin == 50.0:
            for row in range(0, data.rows.n, 17):
                found = quiet_line(kalah(), hand(), [data.state(row)], quiet.LONGEST)
                static = minimax.evaluation(kalah(), hand().array(kalah()), hand().scale, data.state(row))
                assert abs(found.value - static) <= 5000
    assert sizes == sorted(sizes) and sizes[0] < sizes[-1]


def test_a_game_without_its_own_test_is_quiet_where_nothing_is_noisy() -> None:
    game = toys.piles(is_quiet=None)
    games = random_games(game, 20)
    marks = replay.mark_positions(game, games.moves, games.starts)
    expected = [not quiet_noisy(game, states[-1]) for states in histories(game, games)]
    assert ((marks & replay.QUIET) != 0).tolist() == expected and len(set(expected)) == 2


def quiet_noisy(game: Game, state: State) -> bool:
    buffer = np.zeros(game.max_moves, np.int64)
    return game.noisy_moves is not None and game.noisy_moves(state, buffer) > 0


# --- refusals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["score", "resolve"])
def test_games_that_cannot_be_quiesced_say_so(how: Any) -> None:
    with pytest.raises(
        InputError, match=f"fit.quiet: piles has no noisy_moves.*expected off or game, found '{how}'"
    ):
        quiet.check_game(toys.piles(noisy_moves=None), how)
    with pytest.raises(InputError, match="fit.quiet: in ropasci360 both choose at once"):
        quiet.check_game(registry.load("ropasci360"), how)


def test_wrong_requests_are_refused(games: Games, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="quiet: 'resolve' needs weights that judge"):
        rows_of(kalah(), games, quiet="resolve")
