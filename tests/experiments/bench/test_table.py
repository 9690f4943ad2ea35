"""The table of a run, and of the guide."""

import json
import sys
from pathlib import Path

import pytest

from tunesmith.experiments import figures
from tunesmith.experiments.bench import __main__ as command
from tunesmith.experiments.bench import table
from tunesmith.experiments.bench.race import Row
from tunesmith.tuning.files import read_json

ROOT = Path(__file__).parents[3]


RESULT = ROOT / "experiments" / "results" / "bench.json"


def test_numbers_keep_three_digits():
    shown = [
        table.number(x)
        for x in (0, 0.01234, 0.5, 12.34, 999.6, 12345, 999_999, 3.4567e6, 2.58e9, 0.000012345)
    ]
    assert shown == [
        "0",
        "0.0123",
        "0.5",
        "12.3",
        "1,000",
        "12,300",
        "1 million",
        "3.46 million",
        "2,580 million",
        "0.0000123",
    ]


def test_lines_of_the_table_are_aligned():
    made = table.lines(
        [Row("a", "games/s", 1234.0, 10.0, "b", 123.4, 100.0, 150.0), Row("cc", "s", 1.0, None, "gone")]
    )
    assert len({len(line) for line in made}) == 1
    assert made[2].split(" | ")[3].strip(" |") == "123 (100 to 150)"


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)


@pytest.mark.usefixtures("terminal")
def test_a_row_is_red_that_is_worse_than_the_committed_one_by_more_than_a_tenth():
    assert table.warned("| a |", 4.4, 5.0) == "\x1b[31m| a | worse than the committed 5\x1b[0m"
    for ratio, before in ((4.6, 5.0), (6.0, 5.0), (4.4, None), (None, 5.0)):
        assert table.warned("| a |", ratio, before) == "| a |"


def test_what_is_no_terminal_gets_the_row_alone(capsys):
    assert table.warned("| a |", 4.4, 5.0) == "| a |"
    assert capsys.readouterr().err == "| a | worse than the committed 5\n"


@pytest.mark.usefixtures("terminal")
def test_a_table_warns_of_the_rows_that_have_fallen():
    rows = [Row("a", "s", 1.0, 3.0, "b", 3.0), Row("c", "s", 1.0, 3.0, "b", 3.0)]
    run = {
        "date": "2026-11-28",
        "machine": {"cpu": "x", "cores": 1, "load": None, "python": "y", "versions": {}},
    }
    text = table.page(run, rows, {("a", "b"): 9.0, ("c", "b"): 3.0})
    assert text.count("\x1b[31m") == text.count("\x1b[31m| a ") == 1
    assert "\x1b" not in table.page(run, rows)


def test_the_guide_shows_the_committed_run():
    run = json.loads(RESULT.read_text(encoding="utf-8"))
    record = read_json(figures.RECORDS)["bench"]
    assert run["parts"] == list(command.PARTS)
    assert record["text"] == table.page(run, [Row(**row) for row in run["rows"]]).strip()
    assert record["commit"] == run["machine"]["commit"]
