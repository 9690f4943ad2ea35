"""What is written down about a fit, whether its rows came from self-play or from somebody's table?

Everything is measured on held-out pairs unless it says otherwise; results are those of the side the rows are
seen from, scores are in Elo.
"""

import math

import numpy as np

from tunesmith.tuning.documents import fit, limits
from tunesmith.tuning.fit import calibration
from tunesmith.tuning.fit.boosting import Comparison, compare
from tunesmith.tuning.fit.constraints import Names
from tunesmith.tuning.fit.learning_curve import LearningCurve, learning_curve
from tunesmith.tuning.fit.loss import Loss
from tunesmith.tuning.fit.notes import notes
from tunesmith.tuning.fit.out_of_core import Packed
from tunesmith.tuning.fit.parameters import AT_BOUND, FITTED
from tunesmith.tuning.fit.rows import Floats, Ints, Rows, some_games, stage_share
from tunesmith.tuning.fit.run import FitResult
from tunesmith.tuning.fit.shape import MOST_COLUMNS, Bend, bends, interactions
from tunesmith.tuning.fit.shrinkage import GROUPS, TAILS
from tunesmith.tuning.fit.texel import Fit

_WAYS = {GROUPS: "a ridge for each group of weights", TAILS: "a ridge for each weight (heavy tails)"}
_MOST_SHARES, _SALT = 1_000_000, 0x7368617265  # rows whose shares of the stages say what is usual
SURE = 4.0  # standard errors of a product's slope; some hundred products are tried


def fit_facts(
    names: Names,
    ran: FitResult,
    training: Rows,
    judging: Rows,
    written: Floats,
    with_trees: bool = True,
) -> fit.FitFacts:
    """Return the facts of a fit; `written` (S, F) are the weights as written."""
    found, path = ran.fit, ran.ridge_path
    loss = found.loss
    curve = learning_curve(training, judging, found, written, ran.options, ran.constraints)
    compared = compare(training, judging, written) if with_trees else None
    bent = [_bend(names, bend) for bend in bends(training, judging, written)]
    products = [
        limits.Product(first=names.features[p.first], second=names.features[p.second], fall=p.fall, z=p.z)
        for p in interactions(training, written)
    ]
    gain = calibration.gain(judging, found.prior, written, loss)
    said = notes(found, names.features, names.stages, training, names.groups)
    return fit.FitFacts(
        rows_training=found.n_rows,
        rows_held_out=judging.n,
        ridge=found.ridge,
        ridge_path=path,
        blend=1.0 if ran.options.blend == "auto" else ran.options.blend,
        blend_path=ran.blend_path,
        loss=fit.LossParts(
            training=fit.Losses(**found.training._asdict()),
            held_out=fit.Losses(**found.held_out._asdict()) if found.held_out else None,
        ),
        gain_held_out=fit.HeldOutGain(**gain._asdict()),
        weights=weight_rows(names, found, written, ran.constraints.ties),
        usual=usual_mix(names, found, training, written),
        notes=[*ridge_notes(path, training), *judgement(gain, found, names.groups), *said],
        remarks=[
            *shrinkage_words(names, found, path),
            *_words(names, curve, compared),
            *shape_words(names, bent, products),
        ],
        calibration=calibration_rows(names, judging, written),
        residuals=residual_rows(names, judging, written, loss),
        residuals_by_score=score_rows(judging, written, loss),
        learning_curve=curve.facts,
        boosted=None if compared is None else limits.Boosted(**compared._asdict()),
        bends=bent,
        interactions=products,
        rows_per_weight=found.n_rows / max(1, found.n_fitted),
        groups_per_weight=found.n_groups / max(1, found.n_fitted),
        mean_abs_score=found.mean_abs_score,
        iterations=found.iterations,
    )


def ridge_notes(path: fit.RidgePath, training: Rows) -> list[str]:
    """Say so if only some of the rows chose the ridge."""
    used = int(np.count_nonzero(training.weight))
    asked = used if path.rows is None else path.rows
    return [f"the ridge was chosen on {asked:,} of {used:,} rows, whole games"] if asked < used else []


def shrinkage_words(names: Names, found: Fit, path: fit.RidgePath) -> list[str]:
    """Say whether one ridge holds all weights, and what games left out think of other ways."""
    if len(path.kinds) < 2:
        return []
    one, *others = path.kinds
    if path.kind == one.name:
        told = " and ".join(f"{_WAYS[kind.name]} by {_better(one, kind)}" for kind in others)
        return [
            f"one ridge holds all weights: that another way predicts games left out better is not shown, {told}"
        ]
    kind = next(kind for kind in others if kind.name == path.kind)
    firmness = np.where(np.isin(found.status, (FITTED, AT_BOUND)), found.firmness, np.nan).ravel()
    groups = names.families.ravel() + np.arange(firmness.size) // len(names.features) * firmness.size
    first = np.unique(groups[np.isfinite(firmness)], return_index=True)[1]
    order = np.argsort(firmness, kind="stable")[: int(np.isfinite(firmness).sum())]
    if kind.name == GROUPS:
        order = order[np.isin(order, np.flatnonzero(np.isfinite(firmness))[first])]
    held = [
        f"{_held(names, at, kind.name)} {found.ridge * firmness[at]:.2g}" for at in (*order[:2], order[-1])
    ]
    return [
        f"{_WAYS[kind.name]} predicts games left out better than one for all by {_better(one, kind)}, and is used: "
        f"least firmly {held[0]}, {held[1]}, most firmly {held[2]}"
    ]


def _better(one: fit.Shrinkage, kind: fit.Shrinkage) -> str:
    return f"{one.loss - kind.loss:.5f} (error {kind.error:.5f})"


def _held(names: Names, column: int, kind: str) -> str:
    """Name a weight, or the group that it stands for."""
    stage, feature = divmod(column, len(names.features))
    if kind != GROUPS:
        return names.full[column]
    stem = names.stems[feature]
    what = f"{stem}_*" if stem else "others" if any(names.stems) else "all"
    return what if len(names.stages) == 1 else f"{names.stages[stage]}.{what}"


def judgement(gain: calibration.Gain, found: Fit, groups: str = "pairs") -> list[str]:
    """Say what the held-out pairs or games think of the new weights, if it is not good."""
    if not found.n_fitted:
        return ["no weight could be fitted: all keep their prior"]
    if not np.isfinite(gain.error) or gain.mean > 2 * gain.error:
        return []
    worse = "worse" if gain.mean < -2 * gain.error else "no better"
    old = "the old ones" if found.prior.any() else "weights of 0, which they started from,"
    return [
        f"on held-out {groups} the new weights predict {worse} than {old} "
        f"(loss {-gain.mean:+z.5f}, error {gain.error:.5f}): too few games, or results that do not follow the features"
    ]


def _words(names: Names, curve: LearningCurve, compared: Comparison | None) -> list[str]:
    said = []
    if np.isfinite(curve.doubling):
        more = f"twice the {names.groups} would lower the held-out loss"
        figure = f"{curve.doubling:.5f} (error {curve.error:.5f})"
        is_shown = curve.doubling > 2 * curve.error
        said.append(f"{more} by about {figure}" if is_shown else f"that {more} is not shown: by {figure}")
    if compared is not None and compared.fall > 2 * compared.error:
        bends = compared.linear - compared.additive
        said.append(
            f"boosted trees on the same features predict better by {compared.fall:.5f} nats a position "
            f"(error {compared.error:.5f}), {max(bends, 0.0):.5f} of it by bending single features: "
            "that much the weighted sum leaves on the table"
        )
    elif compared is not None:
        said.append("boosted trees on the same features predict no better than the weighted sum")
    return said


def _bend(names: Names, bend: Bend) -> limits.Bend:
    hinge, before, after, chance, fall, error = bend
    return limits.Bend(
        feature=names.features[hinge.feature], knot=hinge.knot, odd=hinge.odd, before=before, after=after,
        chance=chance, fall=fall, error=error,
    )  # fmt: skip


def shape_words(names: Names, bent: list[limits.Bend], products: list[limits.Product]) -> list[str]:
    """Name the features that bend and those that belong together, as further features to try."""
    if len(names.features) > MOST_COLUMNS:
        return [f"bends and products of features were not tried: more than {MOST_COLUMNS} features"]
    told = [
        f"{bend.feature} bends at {'+-' if bend.odd else ''}{bend.knot:.4g}: one more is worth {bend.before:+z.3g} "
        f"Elo up to there and {bend.after:+z.3g} beyond; as one more feature, that lowers the held-out loss by "
        f"{bend.fall:.5f} nats a position (error {bend.error:.5f})"
        for bend in bent
    ]
    pairs = [
        f"{one.first} matters {'more' if one.z > 0 else 'less'} where {one.second} is high "
        f"({one.fall:.5f} nats, z {one.z:+z.1f})"
        for one in products[:3]
        if abs(one.z) > SURE
    ]
    return told + (
        [f"products of features that would lower the loss most: {'; '.join(pairs)}"] if pairs else []
    )


def weight_rows(names: Names, found: Fit, written: Floats, ties: Ints | None = None) -> list[fit.WeightRow]:
    """Return one row a weight, in Elo; `ties` (S, F) are those of `Constraints`."""
    errors, is_apart = found.data_errors, bool((found.firmness != 1).any())
    rows = [
        fit.WeightRow(
            stage=stage,
            feature=feature,
            before=float(found.prior[i, j]),
            after=float(written[i, j]),
            error=float(found.errors[i, j]),
            status=str(found.status[i, j]),
            size=float(found.size[i, j]),
            rows=int(found.rows_per_weight[i, j]),
            pairs=int(found.groups_per_weight[i, j]),
            data=_by_data(float(found.data.weights[i, j]), float(errors[i, j])),
            firmness=float(found.firmness[i, j]) if is_apart else None,
        )
        for i, stage in enumerate(names.stages)
        for j, feature in enumerate(names.features)
    ]
    is_tied = np.full(len(rows), False) if ties is None else ties.ravel() >= 0
    return [
        row.model_copy(update={"tied": True}) if tied else row
        for row, tied in zip(rows, is_tied, strict=True)
    ]


def usual_mix(names: Names, found: Fit, rows: Rows, written: Floats) -> fit.Mix | None:
    """Return the weights at the mean shares of the stages; None where there is one stage."""
    if rows.stages is None or len(names.stages) < 2:
        return None
    if isinstance(rows.features, Packed):
        rows = some_games(rows, _MOST_SHARES, _SALT)
    every = np.column_stack([stage_share(rows, stage) for stage in range(len(names.stages))])
    shares = np.average(every, axis=0, weights=rows.weight)
    low, high = np.quantile(every, (0.25, 0.75), axis=0)
    shape = (*names.shape, *names.shape)
    variance = np.einsum("s,t,sftf->f", shares, shares, found.covariance.reshape(shape))
    is_fitted = [bool(np.isfinite(column).any()) for column in found.errors.T]
    columns = zip(names.features, shares @ found.prior, shares @ written, variance, is_fitted, strict=True)
    return fit.Mix(
        stages=list(names.stages),
        shares=shares.tolist(),
        low=low.tolist(),
        high=high.tolist(),
        weights=[
            fit.MixedWeight(
                feature=feature,
                before=float(before),
                after=float(after),
                error=math.sqrt(max(float(square), 0.0)) if fitted else None,
            )
            for feature, before, after, square, fitted in columns
        ],
    )


def _by_data(weight: float, error: float) -> fit.DataAlone | None:
    return fit.DataAlone(weight=weight, error=error) if math.isfinite(error) else None


def calibration_rows(names: Names, rows: Rows, weights: Floats) -> list[fit.CalibrationBin]:
    """Return bins of predicted results, over all rows and for each stage."""
    stages: list[tuple[str, int | None]] = [("all", None)]
    if len(names.stages) > 1:
        stages += [(name, index) for index, name in enumerate(names.stages)]
    made = []
    for name, index in stages:
        table = calibration.calibrate(rows, weights, bins=10, stage=index)
        columns = zip(table.n, table.score, table.predicted, table.actual, table.error, strict=True)
        keys = ("n", "score", "predicted", "actual", "error")
        made += [
            fit.CalibrationBin(stage=name, **dict(zip(keys, map(float, row), strict=True)))
            for row in columns
            if row[0] > 0
        ]
    return made


def residual_rows(names: Names, rows: Rows, weights: Floats, loss: Loss) -> list[fit.StageResidual]:
    """Return actual minus predicted results by stage."""
    table = calibration.residuals_by_stage(rows, weights, loss)
    return [
        fit.StageResidual(
            stage=name, mean=float(row[3]), **dict(zip(table._fields, map(float, row), strict=True))
        )
        for name, row in zip(names.stages, zip(*table, strict=True), strict=True)
    ]


def score_rows(rows: Rows, weights: Floats, loss: Loss) -> list[fit.ScoreResidual]:
    """Return actual minus predicted results by score; None stands for an open end."""
    table = calibration.residuals_by_score(rows, weights, loss=loss)
    edges: list[float | None] = [None, *calibration.SCORE_EDGES, None]
    return [
        fit.ScoreResidual(low=low, high=high, **dict(zip(table._fields, map(float, row), strict=True)))
        for low, high, row in zip(edges, edges[1:], zip(*table, strict=True), strict=False)
        if row[0] > 0
    ]
