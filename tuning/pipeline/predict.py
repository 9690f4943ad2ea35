"""What do given weights say of each position of a table, and how well do they predict its results?

A score is the sum of stage share * weight * feature, times Elo per unit: in Elo, for whoever the features are seen
from. The probability is the expected result, 1 / (1 + 10 ** (-score / 400)): of a win, a draw as half a win. Losses are
cross-entropies in nats, weighted means over the rows that have a result.
"""

import contextlib
import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tunesmith.engine import files
from tunesmith.games.errors import InputError
from tunesmith.tuning.data.table import read_table
from tunesmith.tuning.data.table.gather import Table
from tunesmith.tuning.data.table.layout import TableOptions
from tunesmith.tuning.documents.fit import SIDES, PredictedResults, PredictionFacts
from tunesmith.tuning.fit.constraints import Names
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, cross_entropy, expected_result, scores
from tunesmith.tuning.fit.notes import TEMPO
from tunesmith.tuning.fit.rows import Floats, Ints, with_ones
from tunesmith.tuning.fit.scale import fit_scale
from tunesmith.tuning.pipeline.fit_table import table_source
from tunesmith.tuning.pipeline.table_weights import NamedWeights

ENDINGS = (".csv", ".parquet")
_WORST = 1.25  # scores this much too large or small ask for a note


class Prediction(NamedTuple):
    """What was found of each row, in the order of the table; result and loss are NaN where there is no result."""

    line: Ints
    scores: Floats
    probability: Floats
    result: Floats
    loss: Floats
    facts: PredictionFacts

    @property
    def columns(self) -> dict[str, Ints | Floats]:
        """Return what is written, by name; result and loss only where there are any."""
        found: dict[str, Ints | Floats] = {
            "line": self.line,
            "score": self.scores,
            "probability": self.probability,
        }
        if self.facts.results is not None:
            found |= {"result": self.result, "loss": self.loss}
        return found


def predict(weights: NamedWeights, path: Path, options: TableOptions) -> Prediction:
    """Score every row of a table, which need not have results, in memory and in its order.

    Raises
    ------
    InputError
        The table cannot be read, or lacks a feature or has a stage of which the weights say nothing.
    """
    wanted = replace(
        options, features=weights.names.features, may_lack=(TEMPO,), needs_results=False, out_of_core=False
    )
    table = read_table(path, wanted)
    rows = table.rows
    features = table.features
    if TEMPO in weights.names.features and TEMPO not in features:
        rows, features = replace(rows, features=with_ones(rows)), (*features, TEMPO)
    values = _values(weights, Names(table.stages, features), path) * weights.unit
    found = scores(rows, values)
    known = np.ones(rows.n, dtype=np.bool_) if table.known is None else table.known
    result = np.where(known, rows.labels, np.nan)
    loss = np.where(known, cross_entropy(found * LOGITS_PER_ELO, rows.labels).value, np.nan)
    line = np.arange(1, rows.n + 1) if table.line is None else table.line
    facts = _facts(weights, table, found, result, loss)
    is_stated = options.perspective is not None or table.has_mover or bool(known.any())
    if is_stated and (note := _other_side(weights, table)):
        facts = facts.model_copy(update={"notes": [*facts.notes, note]})
    return Prediction(line, found, expected_result(found), result, loss, facts)


def _other_side(weights: NamedWeights, table: Table) -> str:
    """Say so if the features of the table and of the weights are seen from different sides."""
    if "seen_from" not in weights.source or weights.seen_from == table.seen_from:
        return ""
    return (
        f"the weights are for features seen from the {SIDES[weights.seen_from]}, the table's are seen from the "
        f"{SIDES[table.seen_from]}: scores and losses mean something only if both are the same"
    )


def _values(weights: NamedWeights, names: Names, path: Path) -> Floats:
    """Return the weights (S, F) of the table's stages and features."""
    known = weights.names
    if len(known.stages) > 1:
        unknown = [stage for stage in names.stages if stage not in known.stages]
        if unknown:
            raise InputError(
                f"{path}: stages: expected {', '.join(known.stages)}, as in the weights, found {', '.join(unknown)}"
            )
        stages = [known.stages.index(stage) for stage in names.stages]
    else:
        stages = [0] * len(names.stages)  # one stage is all there is
    columns = [known.features.index(name) for name in names.features]
    return weights.values[np.ix_(stages, columns)]


def _facts(
    weights: NamedWeights, table: Table, found: Floats, result: Floats, loss: Floats
) -> PredictionFacts:
    known, each = np.isfinite(result), table.rows.weight
    notes = list(table.account.sentences())
    judged = None
    if known.any() and each[known].sum() > 0:
        judged = _judged(result[known], found[known], loss[known], each[known])
        if judged.scale is not None and not 1 / _WORST < judged.scale < _WORST:
            notes.append(
                f"these results ask for scores {judged.scale:.3g} times as large"
                + ("; is the perspective right?" if judged.scale <= 0 else "")
            )
    return PredictionFacts(
        rows=table.rows.n,
        unit=weights.unit,
        mean_abs_score=float(np.abs(found).mean()),
        mean_probability=float(expected_result(found).mean()),
        results=judged,
        table=table_source(table),
        notes=notes,
    )


def _judged(result: Floats, found: Floats, loss: Floats, weight: Floats) -> PredictedResults:
    """Return how well scores predict results, beside the one number that predicts them best."""
    mean = float(weight @ result / weight.sum())
    chance = min(max(mean, 1e-12), 1 - 1e-12)
    constant = -(mean * np.log(chance) + (1 - mean) * np.log(1 - chance))
    miss = expected_result(found) - result
    scale = None
    with contextlib.suppress(InputError):  # no finite one is best
        scale = fit_scale(found, result, weight)
    return PredictedResults(
        rows=len(result),
        mean=mean,
        loss=float(weight @ loss / weight.sum()),
        loss_of_mean=float(constant),
        squared_error=float(weight @ (miss * miss) / weight.sum()),
        scale=scale,
    )


def write_prediction(made: Prediction, target: Path) -> None:
    """Write a row for each row of the table that could be used, as CSV or Parquet by the file's ending."""
    if target.suffix == ".parquet":
        _write_parquet(made, target)
    else:
        files.write(target, as_csv(made))


def as_csv(made: Prediction) -> str:
    """Return the rows as CSV; what is not known is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(made.columns)
    cells = [
        ["" if value != value else repr(value) for value in column.tolist()]
        for column in made.columns.values()
    ]
    writer.writerows(zip(*cells, strict=True))
    return out.getvalue()


def _write_parquet(made: Prediction, target: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    draft = target.with_name(f".{target.name}.draft")
    try:
        columns = {name: pa.array(column, from_pandas=True) for name, column in made.columns.items()}
        pq.write_table(pa.table(columns), draft)
        draft.replace(target)
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror or error}") from None
    finally:
        draft.unlink(missing_ok=True)
