"""A table's weights: planted ones come back in any unit, constraints hold, and what is odd is said in words."""

import numpy as np
import pytest

from tests.support.fitted_tables import FAST, PLAIN, TRUE, csv_file, fitted, table
from tests.support.simulated import fit_a_table, positions
from tunesmith.games.errors import InputError
from tunesmith.tuning.data.table import read_table
from tunesmith.tuning.data.table.layout import TableOptions
from tunesmith.tuning.fit.loss import expected_result, scores
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.fit.scale import fit_scale
from tunesmith.tuning.pipeline.fit_table import TableFit


def text_of(made: TableFit) -> str:
    return "\n".join(made.facts.notes)


def test_planted_weights_come_back():
    made = fitted(tempo=True, ridge="auto")
    assert made.names.features == ("material", "mobility", "king", "tempo") and made.unit == 1
    assert (np.abs(made.weights - [[120, -45, 20, 0]]) < 4 * made.errors).all()
    assert made.facts.loss.held_out.fit < made.facts.loss.held_out.prior
    assert [note.split(":")[0] for note in made.facts.notes] == ["material moved far"]


def test_weights_keep_the_unit_of_their_prior():
    """A prior in pawns gives weights in pawns; what a pawn is worth comes from the results."""
    made = fitted(prior={"material": 1.0, "mobility": -0.5})
    assert made.unit == pytest.approx(110, abs=25)
    assert made.weights[0] == pytest.approx([1, -0.37, 0.17], abs=0.2)
    free = fitted(ridge=0.0)
    assert fitted(ridge=0.0, prior={"material": 1.0}).weights * fitted(
        ridge=0.0, prior={"material": 1.0}
    ).unit == pytest.approx(free.weights, rel=1e-6)


def test_an_anchor_sets_the_unit():
    made = fitted(anchor="material=100")
    assert made.weights[0, 0] == pytest.approx(100) and made.unit == pytest.approx(1.2, abs=0.2)
    with pytest.raises(InputError, match="mobility came out as -.* Elo, which cannot be 100"):
        fitted(anchor="mobility=100")
    with pytest.raises(InputError, match="anchor: expected one weight and its number"):
        fitted(anchor="material")


def test_a_prior_that_predicts_the_wrong_side_is_refused():
    with pytest.raises(InputError, match="prior: predicts the wrong side .* is the perspective right"):
        fitted(prior={"material": -1.0})


def test_names_choose_what_is_fitted_and_within_what():
    made = fitted(fixed=("king",), bounds=("material=:80", "mobil*=-"))
    status = {row.feature: row.status for row in made.facts.weights}
    assert status == {"material": "at bound", "mobility": "fitted", "king": "fixed"}
    assert made.weights[0, 0] == 80 and made.weights[0, 2] == 0
    assert fitted(only=("material",)).weights[0, 1:].tolist() == [0, 0]
    with pytest.raises(InputError, match="--fixed: no weight is called 'kin'; did you mean 'king'"):
        fitted(fixed=("kin",))
    for bad in ("material", "material=5", "material=9:2", "material=a:b"):
        with pytest.raises(InputError, match="--bound: expected NAME=LOW:HIGH"):
            fitted(bounds=(bad,))


def test_orders_and_ties_hold_and_the_rest_is_as_good_as_can_be():
    """material <= king binds: the two are equal, and no other equal pair fits better."""
    ordered, tied = fitted(orders=("material<=king",), ridge=0.0), fitted(ties=("material=king",), ridge=0.0)
    assert ordered.weights[0, 0] == ordered.weights[0, 2]
    assert ordered.weights == pytest.approx(tied.weights, rel=1e-6)
    assert ordered.errors == pytest.approx(tied.errors, rel=1e-6)
    slack = fitted(orders=("mobility<=king<=material",), ridge=0.0)
    assert slack.weights == pytest.approx(fitted(ridge=0.0).weights, rel=1e-6)
    with pytest.raises(InputError, match="--order: expected A<=B, found 'king'"):
        fitted(orders=("king",))


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        (
            {"orders": ("material<=king", "king<=mobility", "mobility<=material")},
            "--order: .* is a circle: all of them would be equal, which is said with --tie ",
        ),
        ({"orders": ("material<=king<=material",)}, "--order: (material|king) <= .* is a circle"),
        (
            {"ties": ("material=king",), "orders": ("king<=mobility", "mobility<=material")},
            "--order: .* is a circle",
        ),
        (
            {"orders": ("material<=mobility<=king",), "bounds": ("material=0:9", "material=5:", "king=-3:2")},
            "--bound: material is at least 5 and king at most 2, but --order asks for material <= king",
        ),
        ({"bounds": ("king=5:9", "k*=10:")}, "--bound: king: no number is at least 10 and at most 9"),
    ],
)
def test_wishes_that_contradict_each_other_are_refused_by_name(wishes, message):
    with pytest.raises(InputError, match=message):
        fitted(**wishes)


def test_an_order_of_tied_weights_says_nothing_new():
    tied = fitted(ties=("material=king",))
    same = fitted(ties=("material=king",), orders=("material<=king", "king<=material"))
    assert same.weights == pytest.approx(tied.weights, rel=1e-9)


def test_an_order_across_stages():
    rows = positions(np.array([[100.0, 20.0], [-40.0, 20.0]]), 400)
    made = fit_a_table(table(rows, ("a", "b")), **FAST, orders=("mid.a<=end.a",))
    assert made.weights[0, 0] == made.weights[1, 0] and made.weights[0, 1] != made.weights[1, 1]


def test_rounding_tells_its_price_and_the_repair_lowers_it():
    """Two columns that nearly cancel: rounding each for itself costs more than rounding them together."""
    rng = np.random.default_rng(0)
    base = rng.normal(size=2000) * 4
    features = np.column_stack([base, base + 0.05 * rng.normal(size=2000), rng.normal(size=2000)])
    chance = expected_result(features @ [3.4, 3.4, 20.0])
    rows = Rows(features, None, chance, np.ones(2000), np.arange(2000) // 4)  # 3.4 and 3.4: 5 + 5 is too much
    made = fitted(rows, round=5.0, ridge=0.0, keep_near_labels=True)
    loss = made.facts.rounding.loss
    assert (made.weights % 5 == 0).all()
    assert loss.before < loss.repaired < loss.rounded
    assert made.facts.rounding.repaired


def test_rounding_keeps_bounds_ties_and_names_changes_that_vanish():
    made = fitted(round=10.0, bounds=("material=:77",), ties=("mobility=king",))
    assert made.weights[0, 0] == 70 and made.weights[0, 1] == made.weights[0, 2]
    vanished = fitted(prior={"material": 121.0, "mobility": -46.0, "king": 21.0}, round=100.0, ridge=1.0)
    assert "the step is larger than the change of material" in text_of(vanished)


def test_draws_as_an_outcome_of_their_own():
    """Planted weights and margin of the ordered model come back, in Elo: as much as the results ask for."""
    rng = np.random.default_rng(5)
    features = rng.normal(size=(8000, 2))
    score, margin = features @ [150.0, -60.0], 80.0
    won, lost = expected_result(score - margin), expected_result(-score - margin)
    luck = rng.random(8000)
    labels = np.where(luck < won, 1.0, np.where(luck < won + lost, 0.0, 0.5))
    rows = Rows(features, None, labels, np.ones(8000), np.arange(8000) // 2)
    made = fit_a_table(table(rows, ("a", "b")), draws=True, **FAST)
    assert made.weights[0] / made.facts.draw_margin == pytest.approx([150 / 80, -60 / 80], abs=0.15)
    assert fit_scale(scores(rows, made.weights), labels) == pytest.approx(1, abs=0.05)
    again = fit_a_table(
        table(rows, ("a", "b")),
        draws=True,
        prior={"a": 2.0},
        **FAST,
    )
    assert again.weights[0] * again.unit == pytest.approx(made.weights[0], rel=0.05)
    soft = Rows(features, None, labels * 0.9 + 0.05, rows.weight, rows.group)
    with pytest.raises(InputError, match="draws: expected results 0, 1/2 and 1"):
        fit_a_table(table(soft, ("a", "b")), draws=True, **FAST)


def test_the_search_score_takes_part_in_the_label():
    scores = (PLAIN.features @ TRUE[0]) / 2  # in units of 2 Elo
    made = fit_a_table(table(PLAIN, scores=scores), blend=0.0, **FAST)
    assert made.weights[0] / made.weights[0, 0] == pytest.approx(TRUE[0] / TRUE[0, 0], abs=1e-2)
    with pytest.raises(InputError, match="blend: expected a column 'score'"):
        fitted(blend=0.5)


def test_a_start_changes_the_way_and_not_the_end():
    made = fitted()
    again = fitted(start=dict(zip(made.names.features, made.weights[0].tolist(), strict=True)))
    assert again.weights == pytest.approx(made.weights, rel=1e-6)
    assert again.facts.iterations <= 1 < made.facts.iterations


# --- odd data, said in words -----------------------------------------------------------------------------


def odd(columns: dict[str, np.ndarray], labels: np.ndarray, per_game: int = 4, **options: object) -> TableFit:
    n = len(labels)
    rows = Rows(np.column_stack(list(columns.values())), None, labels, np.ones(n), np.arange(n) // per_game)
    return fit_a_table(table(rows, tuple(columns)), tempo=False, **{"compare": False, **options})


RNG = np.random.default_rng(11)
A, B = RNG.integers(0, 6, 2000) * 1.0, RNG.integers(0, 6, 2000) * 1.0
WON = (RNG.random(2000) < expected_result(100 * (A - B))) * 1.0


def test_shuffled_results_leave_the_weights_near_their_prior():
    made = odd({"a": A - B, "b": B - 2.5}, RNG.permutation(WON))
    assert "on held-out games the new weights predict no better than weights of 0" in text_of(made)
    assert np.abs(made.weights).max() < 10


def test_twenty_games_only():
    made = odd({"a": A[:80] - B[:80], "b": RNG.normal(size=80)}, WON[:80])
    assert "neither weights nor errors can be trusted" in text_of(made)
    assert "expected at least 20 for each" in text_of(made)


def test_constant_features_and_sums():
    made = odd(
        {"a": A, "b": B, "sum": A + B, "difference": A - B, "one": np.ones(2000), "none": np.zeros(2000)},
        WON,
        prior={"difference": 1.0, "sum": 0.1},
    )
    text = text_of(made)
    assert "sum = +1*a +1*b in these data" in text and "difference = +1*a -1*b in these data" in text
    assert "one is 1 in every position" in text and "none is zero in every position" in text
    kept = dict(zip(made.names.features, made.weights[0].tolist(), strict=True))
    assert kept["sum"] == pytest.approx(0.1) and kept["difference"] == pytest.approx(1) and kept["none"] == 0


def test_a_leaked_label_keeps_its_prior():
    leak = np.where(np.arange(2000) % 50 == 0, 1 - WON, WON) - 0.5
    made = odd({"a": A - B, "margin": leak}, WON)
    assert "margin is nearly the result" in text_of(made) and "it keeps its prior" in text_of(made)
    assert made.weights[0, 1] == 0 and made.weights[0, 0] > 50
    assert odd({"a": A - B, "margin": leak}, WON, keep_near_labels=True).weights[0, 1] > 200


def test_weights_that_the_games_say_little_about_stay_near_the_prior():
    """A third column of tiny effect: cross-validation hardly feels it, and it must not run away."""
    faint = np.where(RNG.random(2000) < 0.05, RNG.normal(size=2000), 0.0) * 0.01 + 0.0001 * A
    made = odd({"a": A - B, "faint": faint}, WON)
    effect = abs(made.weights[0, 1]) * made.facts.weights[1].size
    assert effect < 60 and 60 < made.weights[0, 0] < 140


def test_products_that_matter_are_named():
    x, y = RNG.normal(size=4000), RNG.normal(size=4000)
    labels = (RNG.random(4000) < expected_result(60 * x + 150 * x * y)) * 1.0
    made = odd({"x": x, "y": y}, labels, compare=True)
    first = made.facts.interactions[0]
    assert {first.first, first.second} == {"x", "y"} and abs(first.z) > 8
    assert made.facts.boosted.fall > 3 * made.facts.boosted.error
    assert any("leaves on the table" in remark for remark in made.facts.remarks)


def test_the_learning_curve_falls():
    curve = fitted().facts.learning_curve
    assert [part.pairs for part in curve.parts] == sorted(part.pairs for part in curve.parts)
    assert curve.parts[-1].loss == pytest.approx(fitted().facts.loss.held_out.fit)


def test_one_game_is_too_few():
    with pytest.raises(InputError, match="1 games are too few to hold some out"):
        odd({"a": A[:40]}, WON[:40], per_game=40)


def test_a_table_read_from_disk_gives_the_same_weights(tmp_path):
    read = read_table(csv_file(tmp_path), TableOptions())
    assert fit_a_table(read, **FAST).weights == pytest.approx(fitted().weights, abs=15)


@pytest.mark.parametrize(
    ("perspective", "words"),
    [("first", "ask for features seen from White"), ("mover", "--perspective white")],
)
def test_weights_that_predict_no_better_name_the_perspective_as_a_reason(
    perspective: str, words: str
) -> None:
    labels = np.random.default_rng(5).permutation(PLAIN.labels)
    mixed = Rows(PLAIN.features, PLAIN.stages, labels, PLAIN.weight, PLAIN.group)
    said = text_of(fit_a_table(table(mixed, perspective=perspective), **FAST))
    assert "it may be the perspective" in said and words in said
    known = fit_a_table(table(mixed, perspective=perspective, has_mover=True), **FAST)
    assert "perspective" not in text_of(known) and "perspective" not in text_of(fitted())


def test_a_bound_whose_ends_are_turned_says_so() -> None:
    with pytest.raises(InputError, match="found 'material=9:5': the low end, 9, is above the high end, 5"):
        fitted(bounds=("material=9:5",))
