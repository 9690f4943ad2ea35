"""A table of mostly zeros is fitted as it is, and gives what the same table with its zeros gives."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from tests.support.simulated import fit, fit_a_table, table
from tunesmith.games.errors import InputError
from tunesmith.tuning.data.table import read_table
from tunesmith.tuning.fit import sparse as sparse_module
from tunesmith.tuning.fit.checks import gram_of, near_labels, survey
from tunesmith.tuning.fit.loss import derivatives, expected_result
from tunesmith.tuning.fit.rows import Rows, with_ones
from tunesmith.tuning.fit.sparse import Sparse, _add_products, _add_sums, _multiply, narrowed

COLUMNS = 30


def some(rows: int = 4000, columns: int = COLUMNS, seed: int = 2) -> tuple[Rows, Rows]:
    """Make counts of which nine in ten are zero, four positions a game; the same rows full and sparse."""
    rng = np.random.default_rng(seed)
    present = rng.random((rows, columns)) < 0.1
    matrix = present * (rng.poisson(2, (rows, columns)) + 1) * 10.0 ** rng.uniform(-2, 2, columns)
    weights = rng.normal(size=columns) * 80 / np.sqrt((matrix**2).sum(axis=0) / present.sum(axis=0))
    labels = (rng.random(rows) < expected_result(matrix @ weights)) * 1.0
    full = table(matrix, labels=labels, weight=rng.uniform(0.5, 2, rows), group=np.arange(rows) // 4)
    return full, Rows(Sparse(sparse.csr_matrix(matrix)), None, full.labels, full.weight, full.group)


FULL, THIN = some()
NOTHING = np.zeros((1, COLUMNS))


def test_columns_are_surveyed_as_if_their_zeros_stood_there() -> None:
    one, other = survey(FULL), survey(THIN)
    assert gram_of(THIN) == pytest.approx(gram_of(FULL)) and other.share == pytest.approx(one.share)
    assert other.squares == pytest.approx(one.squares)
    assert (other.n_rows == one.n_rows).all() and (other.n_groups == one.n_groups).all()
    assert near_labels(THIN) == near_labels(FULL) == ()
    leaking = with_ones(THIN)
    assert isinstance(leaking, Sparse) and leaking.shape == (THIN.n, COLUMNS + 1)
    assert (leaking[3] == np.append(FULL.features[3], 1.0)).all()


@pytest.mark.parametrize("filled", [0.03, 0.2])
@pytest.mark.parametrize("is_compiled", [True, False])
def test_products_of_columns_are_those_of_full_rows_with_numba_and_without(  # type: ignore[no-untyped-def]
    filled, is_compiled, monkeypatch
) -> None:
    if not is_compiled:
        monkeypatch.setattr("tunesmith.tuning.fit.sparse.compiled", lambda kernel: None)
    rng = np.random.default_rng(3)
    full, factor = rng.normal(size=(500, 40)) * (rng.random((500, 40)) < filled), rng.uniform(0, 2, 500)
    found = Sparse(sparse.csr_matrix(full)).gram(factor)
    assert found == pytest.approx(full.T @ (factor[:, None] * full)) and (found == found.T).all()


SMALL = np.array([[1.0, 0, -2, 0], [0, 3, 0, 0], [0, 0, 0, 0], [4, 0, 5, -6]])


def test_products_of_columns_by_hand() -> None:
    """One half of each square and every pair once; whoever asks adds the transposed."""
    matrix, found = sparse.csr_matrix(SMALL), np.zeros(16)
    _add_products(matrix.data, matrix.indices, matrix.indptr, np.array([1.0, 0.5, 9.0, 2.0]), found)
    assert found.reshape(4, 4).tolist() == [
        [16.5, 0, 0, 0],
        [0, 2.25, 0, 0],
        [38, 0, 27, 0],
        [-48, 0, -60, 36],
    ]


@pytest.mark.parametrize("block", [1, 8, 100])
@pytest.mark.parametrize("thin", [0.0, 1.0])
def test_products_are_the_same_in_blocks_of_any_size(
    block: int, thin: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sparse_module, "compiled", lambda kernel: None)
    monkeypatch.setattr(sparse_module, "_BLOCK", block)
    monkeypatch.setattr(sparse_module, "_THIN", thin)
    factor = np.array([1.0, 0.5, 9.0, 2.0])
    assert Sparse(SMALL).gram(factor) == pytest.approx(SMALL.T @ (factor[:, None] * SMALL))


@pytest.mark.parametrize("n", [1, 3, 4, 5, 8, 11])
def test_kernels_as_plain_python_take_four_cells_at_once_and_what_is_left(n: int) -> None:
    rng = np.random.default_rng(n)
    full, factor, weights = rng.normal(size=(6, n)), rng.uniform(0, 2, 4), rng.normal(size=n)
    held = [getattr(sparse.csr_matrix(full), name) for name in ("data", "indices", "indptr")]
    products, scores, sums = np.zeros(n * n), np.zeros(4), np.zeros(n)
    _add_products(*held, np.ones(6), products)
    _multiply(*held, 2, weights, scores)
    _add_sums(*held, 2, factor, sums)
    lower = products.reshape(n, n)
    assert lower + lower.T == pytest.approx(full.T @ full)
    assert scores == pytest.approx(full[2:] @ weights) and sums == pytest.approx(factor @ full[2:])


@pytest.mark.parametrize("is_compiled", [True, False])
def test_sparse_rows_are_read_chosen_and_summed_as_full_ones(  # type: ignore[no-untyped-def]
    is_compiled, monkeypatch
) -> None:
    if not is_compiled:
        monkeypatch.setattr(sparse_module, "compiled", lambda kernel: None)
    rows, factor = Sparse(SMALL), np.array([1.0, 0.5, 9.0, 2.0])
    assert rows.filled == 6 / 16 and Sparse(np.zeros((0, 4))).filled == 0 and (rows.ndim, len(rows)) == (2, 4)
    assert rows[3].tolist() == SMALL[3].tolist() and rows[1:3].tolist() == SMALL[1:3].tolist()
    assert rows.take(np.array([3, 0])).loaded().tolist() == SMALL[[3, 0]].tolist()
    assert rows.columns([2, 0]).loaded().tolist() == SMALL[:, [2, 0]].tolist()
    assert rows.dot(np.arange(1.0, 5.0)).tolist() == (SMALL @ np.arange(1.0, 5.0)).tolist()
    assert rows.dot(np.ones(4), slice(2, 4)).tolist() == [0.0, 3.0]
    assert rows.sums(factor).tolist() == (factor @ SMALL).tolist()
    assert rows.sums(factor[2:], slice(2, 4)).tolist() == (factor[2:] @ SMALL[2:]).tolist()
    other, there, signs = np.array([-1.0, 3.0, 0.25, 0.5]), SMALL != 0, np.sign(SMALL)
    by_weight = [factor @ cells for cells in (there, SMALL, SMALL**2, signs)]
    wanted = [there.sum(axis=0), *by_weight, other @ SMALL, other @ signs]
    assert rows.moments(factor, other).tolist() == np.stack(wanted).tolist()
    assert (rows.matrix.toarray() == SMALL).all()
    assert rows.with_ones().loaded().tolist() == np.column_stack([SMALL, np.ones(4)]).tolist()


@pytest.mark.filterwarnings("error")
def test_numbers_that_float32_holds_take_half_the_memory_and_no_digit() -> None:
    counts, others = np.array([1.0, -3.0, 0.5, 2.0**24]), np.array([1.0, 0.1])
    assert narrowed(counts).dtype == np.float32 and narrowed(counts).tolist() == counts.tolist()
    assert narrowed(others) is others and narrowed(np.array([1e39])).dtype == np.float64
    matrix = np.round(100 * THIN.features[:]) / 4
    wide, narrow = Sparse(matrix), Sparse(sparse.csr_matrix(matrix).astype(np.float32))
    for rows in (narrow, narrow.take(np.arange(THIN.n)), narrow.columns(list(range(COLUMNS)))):
        assert rows.matrix.dtype == np.float32
        assert (rows.with_ones().matrix.dtype, rows[:3].dtype) == (np.float32, np.float64)
    with pytest.raises(InputError, match="expected finite numbers"):
        replace(THIN, features=Sparse(sparse.csr_matrix(np.where(matrix > 0, np.inf, 0)).astype(np.float32)))
    one, other = (fit(replace(THIN, features=rows), NOTHING, ridge=1e-3) for rows in (wide, narrow))
    assert one.weights.tobytes() == other.weights.tobytes()
    assert one.covariance.tobytes() == other.covariance.tobytes()


def test_the_rows_of_a_pair_are_one_group_in_products_and_counts() -> None:
    full, factor = THIN.features[:6], np.arange(1.0, 7.0)
    rows, scaled = Sparse(sparse.csr_matrix(full)), factor[:, None] * full
    lone, pairs = np.array([5, 1, 4, 2, 0, 3]), np.array([7, 2, 7, 3, 3, 2])
    products, n = rows.gram_of_groups(lone, factor)
    assert n == 6 and products == pytest.approx(scaled.T @ scaled)
    products, n = rows.gram_of_groups(pairs, factor)
    summed = np.array([scaled[pairs == pair].sum(axis=0) for pair in (7, 2, 3)])
    assert n == 3 and products == pytest.approx(summed.T @ summed)
    there = [(full[pairs == pair] != 0).any(axis=0) for pair in (7, 2, 3)]
    assert rows.n_groups(pairs).tolist() == np.sum(there, axis=0).tolist()


def test_a_pass_in_parts_is_one_over_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = np.random.default_rng(5).normal(size=(1, COLUMNS))
    monkeypatch.setattr(sparse_module, "_PART", 1000)
    assert len(THIN.features.parts) > 3
    for one, other in zip(derivatives(FULL, weights), derivatives(THIN, weights), strict=True):
        assert other == pytest.approx(one, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(
    "wishes",
    [
        {"ridge": 1e-3},
        {"ridge": 0.0},
        {"ridge": "auto"},
        {"ridge": 1e-3, "loss": "squared-error"},
        {"ridge": 1e-3, "lower": np.full((1, COLUMNS), -1.0)},
        {"ridge": 1e-3, "orders": ((0, 1), (2, 3)), "ties": np.arange(COLUMNS)[None, :] // 2},
    ],
    ids=str,
)
def test_the_fit_is_that_of_full_rows(wishes) -> None:  # type: ignore[no-untyped-def]
    one, other = fit(FULL, NOTHING, **wishes), fit(THIN, NOTHING, **wishes)
    assert other.training.fit == pytest.approx(one.training.fit, abs=1e-6)
    assert other.weights == pytest.approx(one.weights, rel=1e-4, abs=1e-6)
    assert other.errors == pytest.approx(one.errors, rel=1e-4, nan_ok=True)
    assert (other.status == one.status).all() and other.ridge == one.ridge


def test_any_number_of_threads_gives_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many parts, the last of them smaller; also those whose products of columns are summed alone."""
    monkeypatch.setattr(sparse_module, "_PART", 1000)
    monkeypatch.setattr(sparse_module, "_LARGE_PART", 4000)
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        one = fit(THIN, NOTHING, ridge=1e-3)
        found.append(
            one.weights.tobytes() + one.covariance.tobytes() + np.float64(one.training.fit).tobytes()
        )
    assert len(set(found)) == 1


def test_products_of_columns_that_are_mostly_filled_are_made_of_full_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As sums over the rows of a pair often are."""
    full = np.random.default_rng(2).normal(size=(30, 5))
    asked: list[object] = []
    compiled = sparse_module.compiled
    monkeypatch.setattr(sparse_module, "compiled", lambda kernel: asked.append(kernel) or compiled(kernel))
    assert Sparse(full).gram(np.arange(30.0)) == pytest.approx(full.T @ (np.arange(30.0)[:, None] * full))
    assert asked == []
    full[:, :4] = 0
    assert Sparse(full).gram(np.ones(30)) == pytest.approx(full.T @ full)
    assert asked == [_add_products]


def test_sparse_rows_have_one_stage_and_finite_numbers() -> None:
    for matrix, stages in (([[np.inf, 0]], None), ([[1.0, 0]], np.array([[0.5, 0.5]]))):
        with pytest.raises(
            InputError,
            match=r"features: expected finite numbers of at most 1e\+100 and a single stage of sparse rows",
        ):
            Rows(
                Sparse(sparse.csr_matrix(matrix)), stages, np.ones(1), np.ones(1), np.zeros(1, dtype=np.int64)
            )


# --- from file to weights --------------------------------------------------------------------------------


def write(path: Path, rows: Rows, columns: int) -> Path:
    """Write rows in svmlight's format; names for more columns than occur."""
    lines = [f"# perspective: mover\n# features: {' '.join(f'f{at}' for at in range(columns))}\n"]
    for row, label, game in zip(rows.features[:], rows.labels, rows.group, strict=True):
        cells = " ".join(f"{at + 1}:{row[at]!r}" for at in np.flatnonzero(row).tolist())
        lines.append(f"{label} qid:{game} {cells}\n".replace("np.float64(", "").replace(")", ""))
    path.write_text("".join(lines))
    return path


def test_svmlight_stays_sparse_and_gives_the_weights_of_the_full_table(tmp_path: Path) -> None:
    read = read_table(write(tmp_path / "t.svm", FULL, COLUMNS))
    assert isinstance(read.rows.features, Sparse)
    full = Rows(read.rows.features.loaded(), None, read.rows.labels, read.rows.weight, read.rows.group)
    thin, same = (fit_a_table(replaced(read, rows), compare=True) for rows in (read.rows, full))
    assert thin.weights == pytest.approx(same.weights, rel=1e-4, abs=1e-6)
    for name in ("loss", "gain_held_out", "ridge", "boosted", "bends", "interactions", "learning_curve"):
        assert numbers(thin.facts.content()[name]) == pytest.approx(
            numbers(same.facts.content()[name]), abs=1e-6
        ), name
    assert thin.facts.notes == same.facts.notes


def replaced(read, rows):  # type: ignore[no-untyped-def]
    return type(read)(**{**read.__dict__, "rows": rows})


def numbers(facts: object) -> list[float]:
    """Flatten the numbers of facts."""
    if isinstance(facts, dict | list):
        return [x for inner in (facts.values() if isinstance(facts, dict) else facts) for x in numbers(inner)]
    return [float(facts)] if isinstance(facts, int | float) else []


CODE = """
import sys
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.data.table import read_table
from tunesmith.tuning.pipeline.fit_table import fit_table
made = fit_table(read_table(sys.argv[1]), FitOptions(ridge=1e-3), compare=False)
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(made.weights.shape[1], peak)
"""


def test_memory_follows_the_numbers_and_not_the_cells(tmp_path: Path) -> None:
    """Forty thousand rows: 128 MB more for four hundred columns if their zeros stood there, and copies of that."""
    peaks = []
    for columns in (50, 450):
        rng = np.random.default_rng(1)
        lines = ["# perspective: mover\n"]
        for at in range(40_000):
            cells = " ".join(f"{i}:1" for i in np.unique(rng.integers(1, columns + 1, 8)).tolist())
            lines.append(f"{rng.integers(0, 2)} qid:{at // 20} {cells}\n")
        path = tmp_path / f"{columns}.svm"
        path.write_text("".join(lines))
        done = subprocess.run(
            [sys.executable, "-c", CODE, str(path)], capture_output=True, text=True, check=True
        )
        peaks.append(1024 * int(done.stdout.split()[1]))
    assert peaks[1] - peaks[0] < 40_000 * 400 * 8 / 2
