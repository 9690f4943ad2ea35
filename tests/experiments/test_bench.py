"""Speed beside other programs: what is compared is the same, and the table says what was measured."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunesmith import games
from tunesmith.engine.perft import perft
from tunesmith.experiments.bench import __main__ as command
from tunesmith.experiments.bench import duel as duels
from tunesmith.experiments.bench import learning, rules, searches, spiel, table
from tunesmith.experiments.bench.race import (
    Effort,
    MismatchError,
    Row,
    Title,
    of_means,
    of_pairs,
    of_points,
    race,
)
from tunesmith.experiments.bench.spiel import Both, compare_rules, random_positions, twin

pyspiel = pytest.importorskip("pyspiel")

ROOT = Path(__file__).parents[2]
RESULT = ROOT / "experiments" / "results" / "bench.json"
TITLE = Title("what", "steps/s", "another", "a step", "the same")
TINY = Effort(
    seconds=0.001,
    rounds=2,
    games=2,
    perft={"kalah": 3, "pentago": 2},
    search={"kalah": 3, "pentago": 1},
    simulations=400,
    playouts=50,
    duel_pairs=1,
    move_time=0.001,
    tables=((400, 6, 0), (400, 8, 3)),
    problems=1,
    study_games=100,
    studies=2,
)


@pytest.fixture(params=["kalah", "pentago"])
def pair(request):
    return twin(request.param, pyspiel)


def without_open_spiel(monkeypatch) -> None:
    monkeypatch.setattr(command, "pyspiel", lambda: None)
    monkeypatch.setattr(spiel.importlib.util, "find_spec", lambda name: None)


# --- the same game


@pytest.mark.parametrize("name", ["kalah", "pentago"])
@given(seed=st.integers(0, 1 << 30))
@settings(max_examples=5)
def test_our_rules_are_those_of_open_spiel(name, seed):
    """Random games: players, legal moves, ends and results."""
    assert compare_rules(twin(name, pyspiel), 4, seed) > 4 * 10


@pytest.mark.parametrize("name", ["kalah", "pentago"])
@given(seed=st.integers(0, 1 << 30))
@settings(max_examples=3)
def test_counts_of_move_sequences_are_the_same_anywhere(name, seed):
    pair = twin(name, pyspiel)
    for both in random_positions(pair, (0, 3, 9), seed):
        for depth in (1, 2):
            assert perft(pair.game, depth, both.board.text) == rules.count_leaves(both.state, depth)


@pytest.mark.parametrize(
    ("name", "spec"),
    [("kalah", "kalah:ponds=6,seeds=4,empty_capture=true"), ("pentago", "pentago:variant=swap")],
)
def test_other_rules_are_found_out(name, spec):
    other = dataclasses.replace(twin(name, pyspiel), game=games.load(spec))
    with pytest.raises((MismatchError, KeyError)):
        compare_rules(other, 30)


def test_turns_taken_for_their_opposite_are_found_out():
    """The board after a move shows in what is won and drawn."""
    pair = twin("pentago", pyspiel)
    swapped = dataclasses.replace(pair, text=lambda player, action: pair.text(player, action ^ 1))
    with pytest.raises(MismatchError, match="open_spiel"):
        compare_rules(swapped, 30)


def test_a_difference_is_told_with_its_position():
    both = Both(twin("kalah", pyspiel))
    both.board.push("3")  # ours alone: the same player moves again, from other ponds
    with pytest.raises(
        MismatchError, match=r"after 1 plies, .*: legal moves: ours \['1', '2', '4', '5', '6'\]"
    ):
        both.compare()


def test_random_games_of_another_kind_have_another_mean():
    with pytest.raises(MismatchError, match="mean result"):
        rules._same_mean(np.array([100, 0, 900]), [0.0, 0.1], 1000)
    assert "standard error" in rules._same_mean(np.array([450, 0, 550]), [0.0, 0.1], 1000)


def test_random_games_are_played_to_the_end():
    tally = np.zeros(3, np.int64)
    n_plies = rules.bind(rules.play_randomly, games.load("pentago:variant=classic-after"))(200, 7, tally)
    assert tally.sum() == 200
    assert 200 * 9 <= n_plies <= 200 * 36  # a fifth stone of one colour is the ninth of the game


def test_a_wrong_value_is_no_race(monkeypatch):
    pair = twin("kalah", pyspiel)
    monkeypatch.setattr(searches, "_banked", lambda both: lambda state: 0.25)
    with pytest.raises(MismatchError, match="alpha-beta: value: ours .*, open_spiel 0.25"):
        searches.alpha_beta(pair, 3, TINY)


def test_positions_to_be_won_are_not_won_by_any_move(pair):
    for both in searches.won_positions(pair):
        wins = searches.winning(both.board)
        assert 0 < len(wins) < len(both.board.legal())
        for text in wins:
            assert both.state.child(both.actions()[text]).returns()[both.board.mover] == 1


# --- the race


def test_sides_take_turns_and_the_ratio_is_of_their_rates():
    calls = []

    def side(name, seconds):
        def work():
            calls.append(name)
            return 1.0, seconds

        return work

    row = race(TITLE, side("ours", 0.1), side("other", 0.5), Effort(seconds=1.0, rounds=2))
    assert (row.ours, row.reference, row.ratio) == pytest.approx((10.0, 2.0, 5.0))
    assert calls == ["ours", "other", *["ours"] * 5, "other", "other", *["ours"] * 5]


def test_ratios_are_of_each_round():
    row = of_pairs(TITLE, [(10.0, 1.0), (9.0, 3.0), (40.0, 8.0)])
    assert (row.ours, row.reference, row.ratio, row.low, row.high) == (10.0, 3.0, 5.0, 3.0, 10.0)
    row = of_pairs(TITLE, [(1.0, 10.0), (2.0, 8.0)], less_is_better=True)
    assert (row.ratio, row.low, row.high) == (7.0, 4.0, 10.0)


def test_losses_are_compared_by_their_means():
    row = of_means(TITLE, [(0.0, 0.3), (0.2, 0.1)])
    assert (row.ours, row.reference, row.ratio, row.low) == pytest.approx((0.1, 0.2, 2.0, 0.5))


def test_points_have_no_ratio_to_nothing():
    row = of_points(TITLE, 15.0, 20)
    assert (row.ours, row.reference, row.ratio) == (15.0, 5.0, 3.0)
    assert of_points(TITLE, 20.0, 20).ratio is None


# --- games against each other


def scripted(*, first):
    """A chooser of the first or the last legal move."""
    return lambda both: both.board.legal()[0 if first else -1]


def test_results_are_those_of_ours_and_times_go_to_who_moves(pair):
    times = ([], [])
    choosers = (scripted(first=True), scripted(first=False))
    start = duels.opening(pair, 3)
    both = Both(pair)
    for move in start.board.moves:
        both.play(pair.game.move_to_text(both.board.state, move))
    result = duels.play(start, choosers, 1, times)
    while not both.board.is_over:
        both.play(choosers[both.board.mover == 0](both))
    assert result == -both.board.result
    assert sum(map(len, times)) == len(both.board.moves) - duels.PLIES


def test_a_move_that_is_not_legal_ends_the_run(pair):
    with pytest.raises(MismatchError, match="move z9 of open_spiel is not legal"):
        duels.play(Both(pair), (scripted(first=True), lambda both: "z9"), 1, ([], []))


def test_openings_are_not_won_at_once_and_differ(pair):
    starts = [duels.opening(pair, number) for number in range(8)]
    assert not any(searches.winning(both.board) for both in starts)
    assert len({both.board.text for both in starts}) == 8
    assert duels.opening(pair, 3).board.text == starts[3].board.text


# --- the command


def test_every_part_runs_in_small_and_is_written(tmp_path, capsys):
    out = tmp_path / "bench.json"
    assert command.main(["--only", "samplers", "fit", "kalah", "--out", str(out)], TINY) == 0
    found = json.loads(out.read_text())
    assert found["parts"] == ["kalah", "fit", "samplers"]
    assert found["machine"]["cores"] >= 1 and found["machine"]["versions"]["open-spiel"]
    assert len(found["rows"]) == 6 + 4 + 8
    for row in found["rows"]:
        assert row["ours"] >= 0 and row["work"] and row["checked"] and row["reference"] is not None, row
    text = capsys.readouterr().out
    assert (
        "| Kalah 6×4: Monte Carlo search" in text and "scikit-learn, lbfgs" in text and "Optuna, TPE" in text
    )


def test_a_reference_that_is_not_installed_is_named_as_that(tmp_path, monkeypatch, capsys):
    without_open_spiel(monkeypatch)
    out = tmp_path / "bench.json"
    assert command.main(["--only", "kalah", "--out", str(out)], TINY) == 0
    for row in json.loads(out.read_text())["rows"]:
        assert row["ours"] > 0 and row["reference"] is None and row["ratio"] is None
        assert row["by"] == "open_spiel: not installed" and row["checked"] == ""
    assert capsys.readouterr().out.count("| open_spiel: not installed |") == 5


def test_a_solver_that_does_not_arrive_is_no_number(monkeypatch):
    monkeypatch.setattr(
        learning,
        "scikit_learn",
        lambda found, solver, most: learning.ours(found)._replace(seconds=float("inf")),
    )
    rows = learning.fits(dataclasses.replace(TINY, tables=((400, 6, 0),)))
    assert [(row.reference, row.ratio) for row in rows] == [(None, None)] * 2
    assert rows[0].by == "scikit-learn, lbfgs: loss not reached"


def test_a_mismatch_fails_the_run(monkeypatch, capsys):
    monkeypatch.setattr(rules, "count_leaves", lambda state, depth: 1)
    assert command.main(["--only", "kalah"], TINY) == 1
    assert "perft 3: ours 185, open_spiel 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "chess"], "--only: expected kalah, pentago, fit, samplers, found 'chess'"),
        (["--only", "fit", "--out", "none/b.json"], "--out: expected a file in a folder that exists"),
        (["--only", "fit", "--page", "none.md"], "none.md: cannot be read"),
        (["--only", "fit", "--page", "empty.md"], "empty.md: expected one pair of <!-- bench: begin -->"),
    ],
)
def test_wrong_input_is_refused_before_anything_is_measured(
    arguments, message, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path("empty.md").write_text("nothing\n")
    monkeypatch.setattr(command, "measure", lambda *_: pytest.fail("measured"))
    assert command.main(arguments, TINY) == 2
    assert message in capsys.readouterr().err


def test_the_table_of_a_page_is_made_anew(tmp_path, capsys):
    path = tmp_path / "page.md"
    path.write_text(f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n")
    small = dataclasses.replace(TINY, tables=((400, 6, 0),))
    assert command.main(["--only", "fit", "--page", str(path)], small) == 0
    printed = capsys.readouterr().out
    assert path.read_text() == f"before\n{table.BEGIN}\n{printed}{table.END}\nafter\n"


def test_numbers_keep_three_digits():
    shown = [
        table.number(x)
        for x in (0, 0.01234, 0.5, 12.34, 999.6, 12345, 999_999, 3.4567e6, 2.58e9, 0.000012345)
    ]
    assert shown == [
        "0",
        "0.0123",
        "0.5",
        "12.3",
        "1,000",
        "12,300",
        "1 million",
        "3.46 million",
        "2,580 million",
        "0.0000123",
    ]


def test_lines_of_the_table_are_aligned():
    made = table.lines(
        [Row("a", "games/s", 1234.0, 10.0, "b", 123.4, 100.0, 150.0), Row("cc", "s", 1.0, None, "gone")]
    )
    assert len({len(line) for line in made}) == 1
    assert made[2].split(" | ")[3].strip(" |") == "123 (100 to 150)"


# --- what is committed


def test_the_readme_shows_the_committed_run():
    run = json.loads(RESULT.read_text(encoding="utf-8"))
    assert run["parts"] == list(command.PARTS)
    shown = table.page(run, [Row(**row) for row in run["rows"]])
    assert f"{table.BEGIN}\n{shown}{table.END}" in (ROOT / "README.md").read_text(encoding="utf-8")
