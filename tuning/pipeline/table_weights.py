"""Weights fitted to a table, as files for other programs, and the prior that they may bring.

JSON: format, version, unit (Elo per unit), stages, features, weights {stage: {feature: number}}, errors (same
shape, of the posterior, null where a weight was not fitted), data_errors (by the data alone, null where they do not
determine it, too), source; CSV: one row a weight. score = sum of stage share * weight *
feature; times `unit` it is in Elo. What was written is read back and must evaluate every row of the table as
the fit does, else no file stays.
"""

import csv
import io
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tunesmith.engine import files
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.texts import parse_json
from tunesmith.tuning.fit.constraints import Names
from tunesmith.tuning.fit.loss import block_scores
from tunesmith.tuning.fit.rows import Floats, blocks
from tunesmith.tuning.pipeline.fit_table import TableFit

FORMAT, VERSION = "tunesmith-table-weights", 1
TOLERANCE = 1e-9  # of an evaluation, in parts of its size
_COLUMNS = ("stage", "feature", "weight", "error", "data_error", "before", "status", "rows", "games", "unit",
            "seen_from")  # fmt: skip


class NamedWeights(NamedTuple):
    """Weights as a file names them: numbers (S, F), Elo per unit, and where they come from."""

    names: Names
    values: Floats
    unit: float
    source: Mapping[str, Any]

    @property
    def seen_from(self) -> str:
        """Whose view the features are; the mover's, unless a fit to a table said otherwise."""
        return "first" if self.source.get("seen_from") == "first" else "mover"

    def flat(self) -> dict[str, float]:
        """Return {weight: number}; names are `feature` where there is one stage, else `stage.feature`."""
        return dict(zip(self.names.full, self.values.ravel().tolist(), strict=True))


def write_weights(made: TableFit, path: Path, source: Mapping[str, Any]) -> None:
    """Write weights to a JSON or CSV file, told by its ending, and check what was written."""
    if path.suffix not in (".json", ".csv"):
        raise InputError(f"{path}: expected a name that ends with .json or .csv")
    text = _as_json(made, source) if path.suffix == ".json" else _as_csv(made)
    files.write(path, text)
    try:
        _check(made, path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _check(made: TableFit, path: Path) -> None:
    """Evaluate every row with the file's weights."""
    names, found = made.names, np.zeros(made.names.shape)
    for name, value in read_numbers(path).items():
        found.flat[names.full.index(name)] = value
    fitted = np.array([row.after for row in made.facts.weights]).reshape(names.shape)
    for rows in made.parts:
        for at in blocks(rows.n):
            _check_block(path, block_scores(rows, found * made.unit, at), block_scores(rows, fitted, at))


def _check_block(path: Path, read: Floats, wanted: Floats) -> None:
    for at in np.flatnonzero(~(np.abs(read - wanted) <= TOLERANCE * (1 + np.abs(wanted))))[:1]:
        raise StudyError(
            f"{path}: rows evaluate differently from the fit, one to {read[at]:.6g} and {wanted[at]:.6g} Elo; "
            "no file is written"
        )


def _as_json(made: TableFit, source: Mapping[str, Any]) -> str:
    content = {
        "format": FORMAT,
        "version": VERSION,
        "unit": made.unit,
        "stages": list(made.names.stages),
        "features": list(made.names.features),
        "weights": _nested(made, made.weights),
        "errors": _nested(made, made.errors),
        "data_errors": _nested(made, _data_errors(made)),
        "source": dict(source),
    }
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def _data_errors(made: TableFit) -> Floats:
    found = [math.nan if row.data is None else row.data.error / made.unit for row in made.facts.weights]
    return np.array(found).reshape(made.names.shape)


def _nested(made: TableFit, values: Floats) -> dict[str, dict[str, float | None]]:
    return {
        stage: {
            feature: float(value) if math.isfinite(value) else None
            for feature, value in zip(made.names.features, row, strict=True)
        }
        for stage, row in zip(made.names.stages, values.tolist(), strict=True)
    }


def _as_csv(made: TableFit) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    by_data = _data_errors(made)
    for at, row in enumerate(made.facts.weights):
        writer.writerow([row.stage, row.feature, repr(float(made.weights.flat[at])),
                         _finite(made.errors.flat[at]), _finite(by_data.flat[at]), repr(row.before / made.unit),
                         row.status, row.rows, row.pairs, repr(made.unit), made.facts.table.seen_from])  # fmt: skip
    return out.getvalue()


def _finite(value: float) -> str:
    return repr(float(value)) if math.isfinite(value) else ""


def read_numbers(path: Path) -> dict[str, float]:
    """Return {weight: number} of a file; names are `feature` where there is one stage, else `stage.feature`."""
    return read_weights(path).flat()


def read_weights(path: Path) -> NamedWeights:
    """Read weights by name: our files (JSON or CSV), a game's weight file, or a plain JSON object (in Elo).

    Raises
    ------
    InputError
        The file cannot be read, or holds no numbers by name.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        return _from_csv(text) if path.suffix == ".csv" else _from_json(parse_json(text))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        told = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{path}: expected weights by name (JSON or CSV): {told}") from None


def is_table_weights(path: Path) -> bool:
    """Whether a file holds weights fitted to a table, which belong to no game."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix == ".csv":
            return set(_COLUMNS[:3]) <= set(next(csv.reader(io.StringIO(text)), ()))
        return bool(parse_json(text)["format"] == FORMAT)
    except (OSError, ValueError, TypeError, KeyError):
        return False


def _from_csv(text: str) -> NamedWeights:
    rows = list(csv.DictReader(io.StringIO(text)))
    nested: dict[str, dict[str, float]] = {}
    for row in rows:
        nested.setdefault(row["stage"], {})[row["feature"]] = float(row["weight"])
    first = rows[0] if rows else {}
    source = {"seen_from": first["seen_from"]} if first.get("seen_from") else {}
    return _named(nested, float(first.get("unit") or 1), source)


def _from_json(data: Any) -> NamedWeights:
    nested = data.get("weights", {"all": data})
    unit = data["unit"] if data.get("format") == FORMAT else data.get("scale", 1) if "weights" in data else 1
    return _named(nested, float(unit), dict(data.get("source") or {}) if "weights" in data else {})


def _named(nested: Mapping[str, Mapping[str, Any]], unit: float, source: Mapping[str, Any]) -> NamedWeights:
    stages, features = tuple(nested), tuple(dict.fromkeys(f for row in nested.values() for f in row))
    values = np.array([[float(nested[s][f]) for f in features] for s in stages]).reshape(len(stages), -1)
    if not values.size or not np.isfinite(values).all() or not 0 < unit < math.inf:
        raise ValueError("expected finite numbers by stage and feature")
    return NamedWeights(Names(stages, features), values, unit, source)
