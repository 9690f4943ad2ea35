"""A table in a scratch file gives the same fit as in memory, whatever its columns and in however small pieces."""

import itertools
import json
import tempfile
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.simulated import fit_a_table
from tests.support.tables import write_games
from tunesmith.games.errors import InputError
from tunesmith.tuning.cli import run
from tunesmith.tuning.data.table import read_table
from tunesmith.tuning.data.table.gather import Table
from tunesmith.tuning.data.table.layout import TableOptions
from tunesmith.tuning.fit import checks, folds, out_of_core, solve
from tunesmith.tuning.fit.out_of_core import NUMBERS, SEGMENT, Packed, Store, at_most, in_order
from tunesmith.tuning.pipeline import fit_table
from tunesmith.tuning.pipeline.fit_table import TableFit

RNG = np.random.default_rng(3)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, tuple[Table, Table]]:
    """Tables with games together and shuffled, in memory and in a scratch file."""
    folder = tmp_path_factory.mktemp("tables")
    made = {}
    for shuffled in (False, True):
        path = write_games(folder / f"{shuffled}.parquet", RNG, shuffled=shuffled)
        inside = read_table(path, TableOptions(out_of_core=False))
        made[shuffled] = inside, read_table(path, TableOptions(out_of_core=True, segment=37))
    return made


def assert_same(one: TableFit, other: TableFit) -> None:
    assert other.weights == pytest.approx(one.weights, rel=1e-7, abs=1e-9)
    assert other.errors == pytest.approx(one.errors, rel=1e-6, nan_ok=True)
    here, there = one.facts.content(), other.facts.content()
    assert there["unit"] == pytest.approx(here["unit"])
    for name in ("rows", "games", "ridge", "rows_training", "notes"):
        assert there[name] == here[name]
    for name in ("gain_held_out", "loss", "weights", "calibration"):
        assert rounded(there[name]) == rounded(here[name])


def rounded(facts: object) -> object:
    """Facts to six digits."""
    return json.loads(json.dumps(facts), parse_float=lambda text: f"{float(text):.6g}")


WAYS: dict[str, dict[str, object]] = {
    "ridge by cross-validation": {},
    "ridge given, prior and bounds": {"ridge": 1e-3, "prior": {"a": 1.0, "b": 2.0}, "bounds": ("a=0:3",)},
    "order and tie": {"ridge": 1e-3, "orders": ("mid.a<=end.a",), "ties": ("mid.b=end.b",)},
    "draws": {"ridge": 1e-3, "draws": True},
    "blend and rounding": {"ridge": 1e-3, "blend": 0.7, "round": 1.0},
    "squared error": {"ridge": 1e-3, "loss": "squared-error"},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shuffled", [False, True])
def test_the_fit_is_that_in_memory(tables: dict[bool, tuple[Table, Table]], way: str, shuffled: bool) -> None:
    inside, outside = tables[shuffled]
    wishes = {"compare": False, **WAYS[way]}
    assert isinstance(outside.rows.features, Packed) and outside.scratch > 0 == inside.scratch
    assert_same(fit_a_table(inside, **wishes), fit_a_table(outside, **wishes))


def test_games_of_a_shuffled_table_are_brought_together(tables: dict[bool, tuple[Table, Table]]) -> None:
    inside, outside = tables[True]
    assert inside.rows.order is not None and outside.rows.order is None
    assert inside.account == outside.account and inside.stages == outside.stages
    there = np.column_stack([outside.rows.loaded().features, outside.rows.labels, outside.rows.group])  # type: ignore[arg-type]
    here = np.column_stack([inside.rows.features, inside.rows.labels, inside.rows.group])  # type: ignore[arg-type]
    assert sorted(map(tuple, there)) == sorted(map(tuple, here))


def test_the_curvature_of_few_rows_leads_to_the_same_weights(
    tables: dict[bool, tuple[Table, Table]], monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, outside = tables[False]
    wishes = {"compare": False, "ridge": 1e-3, "min_rows": 5}
    plain = fit_a_table(inside, **wishes)
    monkeypatch.setattr(checks, "_PER_COLUMN", 10)
    asked, original = [], solve._of_few
    monkeypatch.setattr(solve, "_of_few", lambda *given: asked.append(original(*given)) or asked[-1])
    quick = fit_a_table(outside, **wishes)
    assert_same(plain, quick)
    assert asked[0][1] is not None


def test_the_ridge_of_many_rows_is_chosen_on_some_of_the_games(
    tables: dict[bool, tuple[Table, Table]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folds, "MOST_ROWS", 400)
    one, other = (fit_a_table(table, compare=False) for table in tables[False])
    assert_same(one, other)
    assert any("ridge was chosen on 4" in note or "ridge was chosen on 3" in note for note in one.facts.notes)


def test_of_many_held_out_rows_those_of_some_games_judge_and_the_notes_say_so(
    tables: dict[bool, tuple[Table, Table]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, outside = tables[False]
    whole = fit_a_table(outside, compare=False, ridge=1e-3)
    monkeypatch.setattr(fit_table, "MOST_JUDGED", 100)
    some = fit_a_table(outside, compare=False, ridge=1e-3)
    assert some.weights.tolist() == whole.weights.tolist()
    assert (some.facts.rows, some.facts.games) == (whole.facts.rows, whole.facts.games)
    n_judged, n_held_out = some.facts.rows_held_out, whole.facts.rows_held_out
    assert n_judged < n_held_out
    assert f"judged on {n_judged:,} of {n_held_out:,} held-out rows, whole games" in some.facts.notes


def test_labels_take_four_bytes_where_that_loses_nothing(tmp_path: Path) -> None:
    plain, soft = tmp_path / "plain.csv", tmp_path / "soft.csv"
    for path, result in ((plain, "0.5"), (soft, "0.3")):
        path.write_text(f"result_mover,game,a\n{result},1,2\n1,2,3\n")
    found = [read_table(path, TableOptions(out_of_core=True)).rows.labels for path in (plain, soft)]
    assert [labels.dtype for labels in found] == [np.float32, np.float64]
    assert [labels.tolist() for labels in found] == [[0.5, 1.0], [0.3, 1.0]]


def test_so_many_numbers_are_in_memory_however_many_columns_there_are() -> None:
    assert Store(3).segment == SEGMENT
    assert Store(1000).segment == NUMBERS // 1000
    assert at_most(10, 5, 100) == 1


def test_the_command_does_it_for_parquet_and_csv_and_refuses_svmlight(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_games(tmp_path / "t.parquet", RNG, 400)
    inside = read_table(path, TableOptions(out_of_core=False))
    csv = tmp_path / "t.csv"
    pq.read_table(path).to_pandas().to_csv(csv, index=False)
    said = []
    for table in (path, csv):
        out = tmp_path / f"{table.suffix[1:]}.json"
        assert (
            run(["fit", str(table), "--out-of-core", "--no-compare", "--ridge", "1e-3", "--out", str(out)])
            == 0
        )
        assert "out of core: features in a scratch file" in capsys.readouterr().out
        said.append(json.loads(out.read_text())["weights"])
    wanted = fit_a_table(inside, compare=False, ridge=1e-3)
    assert rounded(said[0]) == rounded(said[1])
    assert said[0]["mid"]["a"] == pytest.approx(wanted.weights[wanted.names.stages.index("mid"), 0])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["csv.json", "parquet.json", "t.csv", "t.parquet"]
    (tmp_path / "t.svm").write_text("# perspective: mover\n1 1:1\n0 1:2\n")
    assert run(["fit", str(tmp_path / "t.svm"), "--out-of-core"]) == 2
    assert "svmlight is read in memory at once" in capsys.readouterr().err


NUMBER = st.one_of(
    st.integers(-40_000, 40_000).map(float), st.floats(-1e300, 1e300), st.sampled_from([0.5, 1e-300])
)


@given(st.lists(st.tuples(NUMBER, NUMBER), min_size=1, max_size=30), st.integers(1, 7), st.data())
@settings(max_examples=25, deadline=None)
def test_what_is_packed_comes_back_exactly(
    rows: list[tuple[float, float]], segment: int, data: st.DataObject
) -> None:
    values = np.array(rows)
    store = Store(2, None, segment)
    for first in range(0, len(values), 3):
        store.add(values[first : first + 3])
    packed = store.packed()
    assert packed.shape == values.shape and (packed.loaded() == values).all()
    at = np.array(data.draw(st.lists(st.integers(0, len(values) - 1), max_size=9)), dtype=np.int64)
    assert (packed[at] == values[at]).all() and (packed[2:9] == values[2:9]).all()
    chosen = packed.take(values[:, 0] > 0).with_ones()
    assert (chosen.loaded() == np.column_stack([values, np.ones(len(values))])[values[:, 0] > 0]).all()
    order = np.array(data.draw(st.permutations(range(len(values)))))
    assert (in_order(packed, order).loaded() == values[order]).all()


def test_whole_numbers_take_a_byte() -> None:
    store = Store(3)
    store.add(RNG.integers(-100, 100, (1000, 3)).astype(float))
    store.packed()
    assert store.bytes == 3000


@pytest.mark.parametrize(
    ("number", "size"),
    [(127.0, 1), (-127.0, 1), (128.0, 2), (-32_767.0, 2), (32_768.0, 4), (0.5, 4), (0.1, 8), (1e300, 8)],
)
def test_a_segment_takes_the_smallest_type_that_holds_its_numbers(number: float, size: int) -> None:
    store = Store(2)
    store.add(np.array([[0.0, number]]))
    assert store.packed().loaded().tolist() == [[0.0, number]] and store.bytes == 2 * size


def test_segments_are_written_as_soon_as_they_are_full() -> None:
    store = Store(1, None, 4)
    for rows, written in ((3, 0), (1, 4), (9, 12), (2, 12), (1, 16)):
        store.add(np.full((rows, 1), float(rows)))
        assert (store.n, store.bytes) == (written, written)
    packed = store.packed()
    assert packed.loaded().ravel().tolist() == [3.0] * 3 + [1.0] + [9.0] * 9 + [2.0] * 2 + [1.0]
    assert packed.ndim == 2 and len(packed) == 16


def test_any_rows_in_any_order_are_read() -> None:
    values = np.arange(10.0).reshape(5, 2)
    store = Store(2, None, 2)
    store.add(values)
    packed = store.packed()
    for at in itertools.chain.from_iterable(itertools.product(range(5), repeat=n) for n in range(4)):
        assert packed[np.array(at, dtype=np.int64)].tolist() == values[list(at)].tolist()
    assert packed[3].tolist() == [6.0, 7.0] and packed.with_ones()[3].tolist() == [6.0, 7.0, 1.0]
    assert packed.take(np.array([4, 0, 2])).take(np.array([True, False, True])).loaded().tolist() == [
        [8, 9],
        [4, 5],
    ]


def test_rows_are_put_in_order_bucket_by_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out_of_core, "_BUCKET", 4)
    values = np.arange(22.0).reshape(11, 2)
    for n in (0, 1, 4, 5, 8, 11):
        store = Store(2, None, 3)
        store.add(values[:n])
        packed, order = store.packed(), np.random.default_rng(n).permutation(n)
        assert in_order(packed, order).loaded().tolist() == values[order].tolist()


def test_numbers_of_rows_beyond_four_billion_are_kept() -> None:
    store = Store(1)
    store.n = 2**32 + 1
    assert Packed(store, None, False).take(np.array([2**32, 1]))._chosen.tolist() == [2**32, 1]  # type: ignore[union-attr]
    store.n = 2**32 - 1
    assert Packed(store, None, False).take(np.array([1]))._chosen.itemsize == 4  # type: ignore[union-attr]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        InputError, match=f"{tmp_path / 'none'}: scratch file cannot be written: No such file"
    ):
        Store(1, tmp_path / "none")

    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(
        InputError, match=f"{tempfile.gettempdir()}: scratch file cannot be written: No space"
    ):
        Store(1)
