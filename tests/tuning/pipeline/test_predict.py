"""What weights say of the rows of a table, with results and without."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.support.fitted_tables import csv_file, fitted
from tests.support.tables import written
from tunesmith.games.errors import InputError
from tunesmith.tuning.data.table.layout import TableOptions
from tunesmith.tuning.pipeline.predict import Prediction, as_csv, predict, write_prediction
from tunesmith.tuning.pipeline.table_weights import read_weights, write_weights

OPTIONS = TableOptions()


def predicted(folder: Path, weights: str, table: str, options: TableOptions = OPTIONS) -> Prediction:
    return predict(read_weights(written(folder, weights, "w.json")), written(folder, table), options)


@pytest.mark.parametrize("name", ["w.json", "w.csv"])
def test_the_table_of_a_fit_gets_the_losses_of_the_fit_whatever_the_unit(name: str, tmp_path: Path) -> None:
    made = fitted(anchor="material=1")
    write_weights(made, tmp_path / name, {})
    weights = read_weights(tmp_path / name)
    assert weights.unit == pytest.approx(made.unit)
    found = predict(weights, csv_file(tmp_path), OPTIONS)
    assert made.facts.loss.held_out is not None and found.facts.results is not None
    n, held = made.parts[0].n, made.parts[1].n
    both = (made.facts.loss.training.fit * n + made.facts.loss.held_out.fit * held) / (n + held)
    assert found.facts.results.loss == pytest.approx(both)
    assert found.facts.results.loss == pytest.approx(np.mean(found.loss))


def test_scores_need_no_results_and_no_perspective(tmp_path: Path) -> None:
    found = predicted(tmp_path, '{"b": 10, "a": 400}', "a,text,b\n1,x,0\n0,y,-1\n-1,z,0\n")
    assert found.line.tolist() == [2, 3, 4]
    assert found.scores.tolist() == [400, -10, -400]
    assert found.probability == pytest.approx([10 / 11, 1 / (1 + 10 ** (10 / 400)), 1 / 11])
    assert found.facts.results is None and list(found.columns) == ["line", "score", "probability"]


def test_rows_without_a_result_keep_their_score_and_take_no_part_in_the_loss(tmp_path: Path) -> None:
    found = predicted(tmp_path, '{"a": 400}', "a,result_mover\n1,1\n1,\n1,*\n1,0.5\n-1,1\n")
    assert found.scores.tolist() == [400, 400, 400, 400, -400]
    assert np.isnan(found.loss).tolist() == [False, True, True, False, False]
    assert found.facts.results is not None and found.facts.results.rows == 3
    expected = -(np.log(10 / 11) + (np.log(10 / 11) + np.log(1 / 11)) / 2 + np.log(1 / 11)) / 3
    assert found.facts.results.loss == pytest.approx(expected)
    assert as_csv(found).splitlines()[2].endswith(",,")


def test_the_worth_of_the_move_is_added_where_the_table_has_no_column_for_it(tmp_path: Path) -> None:
    assert predicted(tmp_path, '{"a": 1, "tempo": 7}', "a\n1\n2\n").scores.tolist() == [8, 9]
    assert predicted(tmp_path, '{"a": 1, "tempo": 7}', "a,tempo\n1,1\n2,-1\n").scores.tolist() == [8, -5]


def test_stages_are_found_by_name(tmp_path: Path) -> None:
    weights = '{"weights": {"mid": {"a": 1}, "end": {"a": 10}}}'
    assert predicted(tmp_path, weights, "a,stage\n1,end\n2,mid\n").scores.tolist() == [10, 2]
    assert predicted(tmp_path, weights, "a,stage.end,stage.mid\n2,0.5,0.5\n").scores.tolist() == [11]
    with pytest.raises(InputError, match="stages: expected mid, end, as in the weights, found late"):
        predicted(tmp_path, weights, "a,stage\n1,late\n")


def test_a_feature_that_the_table_has_not_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such column: b; found a"):
        predicted(tmp_path, '{"a": 1, "b": 2}', "a\n1\n")


def test_results_that_the_scores_predict_the_wrong_way_are_noted(tmp_path: Path) -> None:
    rows = "".join(f"{n % 5 - 2},{float(n % 5 - 2 + n % 3 < 1)}\n" for n in range(60))
    found = predicted(tmp_path, '{"a": 100}', "a,result_mover\n" + rows)
    assert any("is the perspective right?" in note for note in found.facts.notes)


def test_what_is_written_holds_every_row(tmp_path: Path) -> None:
    found = predicted(tmp_path, '{"a": 400}', "a,result_mover\n1,1\nx,1\n1,\n" + "1,0\n" * 20)
    write_prediction(found, tmp_path / "p.parquet")
    read = pq.read_table(tmp_path / "p.parquet").to_pydict()
    assert read["line"][:3] == [2, 4, 5] and read["result"][:3] == [1.0, None, 0.0]
    write_prediction(found, tmp_path / "p.csv")
    assert (tmp_path / "p.csv").read_text() == as_csv(found)
    assert len(as_csv(found).splitlines()) == 1 + len(read["line"])
