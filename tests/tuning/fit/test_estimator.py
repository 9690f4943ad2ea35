"""The estimator obeys scikit-learn's rules, and is the same fit."""

import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from tests import IMPORTS
from tests.support.simulated import fit, positions, table
from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.estimator import TexelRegressor
from tunesmith.tuning.fit.loss import expected_result, scores

ROWS = positions(np.array([[120.0, -45.0, 20.0]]), 300)


CHECKS = [
    (model, check)
    for made in (TexelRegressor(), TexelRegressor(fit_intercept=False, loss="squared-error"))
    for model, check in estimator_checks_generator(made)
    if check.func.__name__ != "check_array_api_input"  # asks for arrays of other libraries, and skips itself
]


@pytest.mark.parametrize(("estimator", "check"), CHECKS, ids=[check.func.__name__ for _, check in CHECKS])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def test_there_are_checks():
    assert len(CHECKS) > 80


def test_it_is_the_same_fit():
    model = TexelRegressor(1e-3, fit_intercept=False).fit(ROWS.features, ROWS.labels, groups=ROWS.group)
    rows = table(ROWS.features, labels=ROWS.labels, group=ROWS.group)
    found = fit(rows, np.zeros((1, 3)), ridge=1e-3)
    assert (model.coef_ == found.weights[0]).all() and (model.errors_ == found.errors[0]).all()
    assert model.predict(ROWS.features) == pytest.approx(expected_result(scores(rows, found.weights)))
    assert model.score(ROWS.features, ROWS.labels) > 0.1


def test_grid_search_over_games():
    search = GridSearchCV(TexelRegressor(), {"ridge": [1e-4, 10.0]}, cv=GroupKFold(3))
    search.fit(ROWS.features, ROWS.labels, groups=ROWS.group)
    assert search.best_params_ == {"ridge": 1e-4}


def test_a_pipeline_hands_games_through():
    model = make_pipeline(StandardScaler(), TexelRegressor("auto"))
    model.fit(ROWS.features, ROWS.labels, texelregressor__groups=ROWS.group)
    assert np.sign(model[-1].coef_).tolist() == [1, -1, 1] and model[-1].ridge_ < 0.1


def test_bounds_priors_and_wrong_input():
    model = TexelRegressor(prior=[50, 0, 0], upper=[80, np.inf, np.inf]).fit(ROWS.features, ROWS.labels)
    assert model.coef_[0] == 80 and model.status_[0] == "at bound"
    with pytest.raises(InputError, match="expected one number for each of 3 features"):
        TexelRegressor(prior=[1, 2]).fit(ROWS.features, ROWS.labels)
    with pytest.raises(InputError, match=r"y: expected results from 0\.0 to 1\.0, found -1\.0"):
        TexelRegressor(result_range=(0, 1)).fit(ROWS.features, 2 * ROWS.labels - 1)
    with pytest.raises(InputError, match="groups: expected one for each of 1200 rows"):
        TexelRegressor().fit(ROWS.features, ROWS.labels, groups=[1])


def test_signed_results_are_mapped_and_mapped_back():
    plain = TexelRegressor().fit(ROWS.features, ROWS.labels)
    signed = TexelRegressor().fit(ROWS.features, 2 * ROWS.labels - 1)
    assert signed.coef_ == pytest.approx(plain.coef_)
    assert signed.predict(ROWS.features) == pytest.approx(2 * plain.predict(ROWS.features) - 1)


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([0, 0.5, 1], (0, 1)),
        ([0.2, 0.7], (0, 1)),
        ([1, 1], (0, 1)),
        ([-1, 0, 1], (-1, 1)),
        ([0, 1, 2], (0, 2)),
        ([-0.5, 0], (-0.5, 0.5)),
        ([3, 3], (3, 4)),
        ([3, 9], (3, 9)),
    ],
)
def test_the_range_of_results_is_that_of_chances_or_what_is_seen(results, expected):
    model = TexelRegressor(10.0).fit(np.arange(len(results))[:, None], results)
    assert model.result_range_ == expected
    low, high = expected
    plain = TexelRegressor(10.0).fit(
        np.arange(len(results))[:, None], (np.array(results) - low) / (high - low)
    )
    assert model.coef_ == pytest.approx(plain.coef_)


def test_a_given_range_holds_its_ends_and_nothing_beyond():
    x = np.arange(3.0)[:, None]
    assert TexelRegressor(1.0, result_range=(-1, 3)).fit(x, [-1, 0, 3]).result_range_ == (-1, 3)
    for y, found in (([0, -1.5, 4], "-1.5"), ([0, 0, 3.5], "3.5")):
        with pytest.raises(InputError, match=rf"y: expected results from -1\.0 to 3\.0, found {found}"):
            TexelRegressor(1.0, result_range=(-1, 3)).fit(x, y)
    with pytest.raises(InputError, match=r"result_range: expected \(loss, win\), found \(1, 1\)"):
        TexelRegressor(1.0, result_range=(1, 1)).fit(x, [1, 1, 1])


def test_what_is_not_said_is_usual():
    usual = TexelRegressor().get_params()
    assert (usual["ridge"], usual["min_rows"], usual["max_iter"]) == (1e-3, 1, 100)
    still = TexelRegressor(fit_intercept=False).fit(np.zeros((4, 1)), [0, 1, 0, 1])
    assert still.n_iter_ == 1 and still.intercept_ == 0.0  # there was nothing to do
    few = TexelRegressor(prior=30.0).fit(ROWS.features, ROWS.labels)
    assert (few.fit_.prior == [[30, 30, 30, 0]]).all()  # the constant has its own


TABLE = "bank,mobility,result,game\n" + "".join(
    f"{a},{b},{(a + b > 0) * 1},{at // 4}\n" for at in range(2400) for a, b in [(at % 7 - 3, at % 5 - 2)]
)


@pytest.mark.parametrize(
    "code",
    [
        "import tunesmith.tuning.play.selfplay, tunesmith.tuning.play.backends, tunesmith.tuning.play.worker",
        "import tunesmith; tunesmith.open_study, tunesmith.match, tunesmith.load_weights",
        "from tunesmith.tuning.cli import run; assert run('fit table.csv --perspective mover'.split()) == 0",
    ],
    ids=["play", "import tunesmith", "fit"],
)
def test_only_the_estimator_imports_scikit_learn(code, tmp_path):
    """A fit with its comparison, which 1,000 rows are enough for, asks for no other library of trees."""
    (tmp_path / "table.csv").write_text(TABLE)
    told = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print('sklearn' in sys.modules)"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": IMPORTS}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.stdout.splitlines()[-1:] == ["False"], told.stderr
    assert ("boosted trees" in told.stdout) is ("fit" in code and "table" in code)


@pytest.mark.parametrize("kind", [str, object])
def test_results_in_words_are_refused_in_one_sentence(kind):
    with pytest.raises(
        InputError, match="y: expected numbers from 0 .loss. to 1 .win., a draw 0.5, found '1-0'"
    ):
        TexelRegressor().fit([[1.0], [2.0]], np.array(["1-0", "0-1"], dtype=kind))
