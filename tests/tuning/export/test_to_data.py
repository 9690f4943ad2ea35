"""JSON and CSV hold what the engine computes with."""

import csv
import io
import json

import numpy as np

from tests.support import exported


def score(stages: list[str], rows: dict, scale: float, values: dict, shares: list[float]) -> int:
    """Evaluate by name, as a reader of the data would."""
    total = 0.0
    for stage, share in zip(stages, shares, strict=True):
        if share == 0.0:
            continue
        part = 0.0
        for feature, weight in rows[stage].items():
            part += weight * values[feature]
        total += share * part
    return round(max(-999_900_000.0, min(999_900_000.0, scale * total * 100.0)))


def test_json_agrees():
    for at, source in enumerate(exported.sources("json")):
        made, data = exported.cases()[at], json.loads(source)
        for values, shares, wanted in zip(made.features, made.shares, made.expected, strict=True):
            named = dict(zip(made.table.features, values.tolist(), strict=True))
            assert score(data["stages"], data["weights"], data["scale"], named, shares.tolist()) == wanted


def test_csv_agrees():
    for at, source in enumerate(exported.sources("csv")):
        made, rows = exported.cases()[at], list(csv.DictReader(io.StringIO(source, newline="")))
        weights = np.array([float(row["weight"]) for row in rows]).reshape(np.shape(made.table.rows))
        assert np.array_equal(weights, made.table.rows)
        assert [row["feature"].replace("?", "\ud800") for row in rows[: weights.shape[1]]] == [
            name.replace("?", "\ud800") for name in made.table.features
        ]  # half a character is no text
        assert {float(row["scale"]) for row in rows} == {made.table.elo_per_unit}
