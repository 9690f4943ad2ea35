"""Tables with planted weights, and fits to them."""

import csv
from pathlib import Path

import numpy as np

from tests.support.simulated import fit_a_table, positions
from tunesmith.tuning.data.table.columns import Account
from tunesmith.tuning.data.table.gather import Table
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.pipeline.fit_table import TableFit

TRUE = np.array([[120.0, -45.0, 20.0]])


PLAIN = positions(TRUE, 400, seed=3)  # fewer rows than boosted trees ask for would be no test of them


FAST = {"ridge": 1e-4, "tempo": False, "compare": False}


def table(rows: Rows, names: tuple[str, ...] = ("material", "mobility", "king"), **changes: object) -> Table:
    stages = ("all",) if rows.stages is None or rows.shape[0] == 1 else ("mid", "end")
    if rows.shape[0] == 1:
        rows = Rows(rows.features, None, rows.labels, rows.weight, rows.group)
    account = Account(kept=rows.n)
    made = Table(rows, names, stages, np.arange(rows.n), None, True, "mover", "made", account)
    return Table(**{**made.__dict__, **changes})


def fitted(rows: Rows = PLAIN, **options: object) -> TableFit:
    return fit_a_table(table(rows), **{**FAST, **options})


def csv_file(folder: Path, rows: Rows = PLAIN) -> Path:
    path = folder / "mine.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["material", "mobility", "king", "result_mover", "game"])
        writer.writerows(
            [*x, label, game]
            for x, label, game in zip(rows.features.tolist(), rows.labels, rows.group, strict=True)
        )
    return path
