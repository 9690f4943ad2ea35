"""Documents of a study: what is not as it should be is refused in one line, and nothing is filled in."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.tuning.proof.test_verdict import BETTER, EQUAL
from tests.tuning.proof.test_verdict import run as made_up_run
from tunesmith.games.errors import StudyError
from tunesmith.tuning.documents.matches import Generations, Run
from tunesmith.tuning.files import write_json
from tunesmith.tuning.stats import elo


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "verify" / "main.json"
    made_up_run(BETTER, "main", "H1").write(path)
    return path


def test_what_was_written_is_read_back(file):
    assert Run.read(file) == made_up_run(BETTER, "main", "H1")
    assert Run.read(file).estimate == elo.estimate(BETTER)
    stored = json.loads(file.read_text())
    assert stored["estimate"] == asdict(elo.estimate(BETTER))
    assert stored == Run.read(file).content()


def test_a_file_that_is_not_there_is_none_or_refused(tmp_path):
    assert Run.find(tmp_path / "main.json") is None
    with pytest.raises(StudyError, match=r"main\.json: expected a file, found none"):
        Run.read(tmp_path / "main.json")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"estimate": {"elo": 3.0}}, "estimate.games: expected this field, found none"),
        ({"limit": 5}, "limit: expected a valid string, found 5"),
        ({"counts": [1, 2.5]}, "counts.1: expected a valid integer, found 2.5"),
        ({"kind": "long"}, "kind: expected 'sequential' or 'fixed', found 'long'"),
        ({"luck": 7}, "luck: expected no field of this name, found 7"),
        ({"opponent": None}, "opponent: expected an object, found None"),
    ],
)
def test_a_foreign_document_is_named_by_its_field(file, change, said):
    write_json(file, {**json.loads(file.read_text()), **change})
    with pytest.raises(StudyError) as error:
        Run.read(file)
    assert str(error.value) == f"{file}: {said}"


@pytest.mark.parametrize("text", ["null", "[]", "3", '{"games": 3'])
def test_what_is_no_document_is_an_error_and_not_a_missing_file(file, text):
    file.write_text(text)
    with pytest.raises(StudyError, match=r"main\.json: "):
        Run.find(file)


def test_a_file_holds_the_fields_that_were_given(tmp_path):
    path = tmp_path / "generations.json"
    Generations(chosen="gen-1", digest="d", path=[]).write(path)
    assert json.loads(path.read_text()) == {"chosen": "gen-1", "digest": "d", "path": []}
    assert made_up_run(EQUAL).content()["games_needed"] is None
