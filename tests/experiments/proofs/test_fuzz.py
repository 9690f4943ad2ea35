"""A few files of experiments/proofs/fuzz.py, and its judgement of what came of them."""

from pathlib import Path

import pytest

from tunesmith.experiments.proofs import fuzz
from tunesmith.experiments.proofs.fuzz import Answer, outcome
from tunesmith.experiments.proofs.fuzzing.cases import Case

BEFORE = Answer(0, "12 games", "hello\n")


@pytest.mark.parametrize(
    ("now", "is_another", "expected"),
    [
        (Answer(2, None, "tunesmith: file: field: wrong\n"), False, "refused"),
        (Answer(0, "12 games", "hello\n"), False, "harmless"),
        (Answer(0, "12 games", "hello\nplayed again\n"), False, "repaired"),
        (Answer(0, "11 games", "one is left out\n"), False, "told"),
        (Answer(0, "11 games\n1 left out: line 3", "hello\n"), False, "told"),
        (Answer(0, "11 games", "hello\n"), True, "another"),
        (Answer(0, "11 games", "hello\n"), False, "silently wrong"),
        (Answer(None), False, "hang"),
        (Answer(70, None, "", "Traceback"), False, "traceback"),
        (Answer(2, None, "hello\n"), False, "traceback"),
        (Answer(-11, None, ""), False, "traceback"),
    ],
)
def test_each_answer_is_one_outcome(now: Answer, is_another: bool, expected: str) -> None:
    assert outcome(now, BEFORE, is_another)[0] == expected


def _hang() -> None:
    while True:
        pass


def _refuse() -> None:
    raise SystemExit(2)


def test_a_command_that_hangs_or_fails_is_told_from_one_that_refuses(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    answers = [
        fuzz.ask(Case("case", "", "", command), tmp_path / "copy", patience=patience)
        for command, patience in (
            (_hang, 0.2),
            (_refuse, 60.0),
            ((lambda: 1 / 0), 60.0),
            (lambda: "fine", 60.0),
        )
    ]
    assert [answer.code for answer in answers] == [None, 2, 70, 0]
    assert "ZeroDivisionError" in answers[2].error and answers[3].result == "fine"


def test_nothing_of_a_few_files_gets_through(capfd: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--files", "20", "--seed", "0"]) == 0
    said = capfd.readouterr().out
    assert said.startswith("seed 0, 20 files") and said.splitlines()[-1].startswith("all ")
