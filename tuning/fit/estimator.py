"""The fit as a scikit-learn estimator: pipelines, grid search and grouped cross-validation work with it.

`TexelRegressor().fit(X, y, groups=games)`: X holds one position a row, y its result from 0 to 1 (a draw is 1/2;
soft labels are fine), `predict` gives expected results and `score_samples` scores in Elo. A stand-alone module,
so that nobody who plays games imports scikit-learn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.extras import extra
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import expected_result
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.run import run_fit
from tunesmith.tuning.settings_file import checked

with extra("sklearn", "TexelRegressor"):
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data


class TexelRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Logistic regression on results, drawn towards prior weights: the fit of `tunesmith fit` (`tuning.fit.run`).

    Parameters
    ----------
    ridge
        Strength of the pull to the prior, or "auto": chosen by cross-validation grouped by `groups`.
    loss
        "cross-entropy" or "squared-error".
    fit_intercept
        Add a constant, the worth of the move.
    prior, lower, upper
        Numbers for all weights or one for each, in Elo; None: 0 and no bounds.
    result_range
        (loss, win) in y. None: (0, 1) if y lies within, else its smallest and largest value; then the
        predictions are in that range too.
    min_rows
        A weight that fewer rows show keeps its prior.
    hold_near_labels
        Features that nearly are the result keep their prior.

    Attributes
    ----------
    coef_, errors_, status_
        Weights in Elo, their standard errors (clustered by group) and what became of each, one a feature.
    intercept_
        Elo of the constant.
    fit_
        Everything else (`tuning.fit.texel.Fit`); the intercept is its last feature.
    """

    def __init__(
        self,
        ridge: float | str = 1e-3,
        *,
        loss: str = "cross-entropy",
        fit_intercept: bool = True,
        prior: ArrayLike | None = None,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        result_range: tuple[float, float] | None = None,
        min_rows: int = 1,
        hold_near_labels: bool = False,
        max_iter: int = 100,
    ) -> None:
        self.ridge = ridge
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.prior = prior
        self.lower = lower
        self.upper = upper
        self.result_range = result_range
        self.min_rows = min_rows
        self.hold_near_labels = hold_near_labels
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> TexelRegressor:
        """Fit the weights; rows with the same value in `groups` come from one game or pair."""
        _require_numbers(y)
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        self.result_range_ = self._range(y)
        low, high = self.result_range_
        labels = (y - low) / (high - low)
        rows = Rows(self._with_constant(X), None, labels, weight, _numbered(groups, len(X)))
        options = checked(
            FitOptions,
            {
                "ridge": self.ridge if isinstance(self.ridge, str) else float(self.ridge),
                "loss": self.loss,
                "min_rows": self.min_rows,
                "keep_near_labels": not self.hold_near_labels,
            },
            "TexelRegressor",
        )
        prior = self._one_each(self.prior, 0.0)
        bounds = Constraints.of(
            rows.shape, lower=self._one_each(self.lower, -np.inf), upper=self._one_each(self.upper, np.inf)
        )
        self.fit_ = run_fit(rows, None, prior, options, bounds, max_iterations=self.max_iter).fit
        n = self.n_features_in_
        self.ridge_, self.n_iter_ = self.fit_.ridge, max(1, self.fit_.iterations)
        self.coef_, self.errors_ = self.fit_.weights[0, :n], self.fit_.errors[0, :n]
        self.status_ = self.fit_.status[0, :n]
        self.intercept_ = float(self.fit_.weights[0, n]) if self.fit_intercept else 0.0
        return self

    def _range(self, y: Floats) -> tuple[float, float]:
        if self.result_range is None:
            low, high = float(y.min()), float(y.max())
            return (0.0, 1.0) if low >= 0 and high <= 1 else (low, max(high, low + 1.0))
        low, high = map(float, self.result_range)
        if not low < high:
            raise InputError(f"result_range: expected (loss, win), found {self.result_range}")
        outside = y[(y < low) | (y > high)]
        if len(outside):
            raise InputError(f"y: expected results from {low} to {high}, found {outside[0]}")
        return low, high

    def _with_constant(self, X: Floats) -> Floats:
        return np.column_stack([X, np.ones(len(X))]) if self.fit_intercept else X

    def _one_each(self, given: ArrayLike | None, default: float) -> Floats:
        """Return (1, features) numbers; the constant has the default."""
        each = np.full(self.n_features_in_, default)
        try:
            each[:] = default if given is None else np.asarray(given, dtype=np.float64)
        except ValueError as error:
            raise InputError(
                f"expected one number for each of {self.n_features_in_} features: {error}"
            ) from None
        return np.append(each, default)[None, :] if self.fit_intercept else each[None, :]

    def score_samples(self, X: Any) -> Floats:
        """Return scores in Elo."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(X @ self.coef_ + self.intercept_, dtype=np.float64)

    def predict(self, X: Any) -> Floats:
        """Return expected results, in the range of the results that were fitted."""
        scores = self.score_samples(X)
        low, high = self.result_range_
        return np.asarray(low + (high - low) * expected_result(scores), dtype=np.float64)


def _require_numbers(y: Any) -> None:
    """Refuse results that are words."""
    found = np.asarray(y)
    for word in found.ravel().tolist() if found.dtype.kind in "OSUT" else ():
        try:
            float(word) if isinstance(word, str | bytes) else None
        except ValueError:
            raise InputError(
                f"y: expected numbers from 0 (loss) to 1 (win), a draw 0.5, found {word!r}"
            ) from None


def _numbered(groups: Any, n: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Number the groups, whatever they are called; without any, each row is its own."""
    if groups is None:
        return np.arange(n, dtype=np.int64)
    names = np.asarray(groups)
    if names.shape != (n,):
        raise InputError(f"groups: expected one for each of {n} rows, found shape {names.shape}")
    return np.unique(names, return_inverse=True)[1].astype(np.int64)
