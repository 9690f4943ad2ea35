"""Changes of a formula that its tests do not notice are named, and counted on a page."""

from pathlib import Path

import pytest

from tunesmith.experiments.proofs import mutation


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A module that looks like a test file by its name, and a test of its slope alone."""
    (tmp_path / "small_test.py").write_text("def f(x):\n    return 3 * x + 2\n")
    (tmp_path / "test_small.py").write_text(
        "from small_test import f\n\n\ndef test_slope():\n    assert f(2.0) - f(1.0) == 3.0\n"
    )
    return tmp_path


def test_a_change_that_no_test_notices_is_named(small: Path) -> None:
    """The slope is tested, the offset is not; a second file of tests notices one change of it."""
    (small / "test_more.py").write_text(
        "from small_test import f\n\n\ndef test_sign():\n    assert f(0.0) > 0\n"
    )
    path, tests = small / "small_test.py", [[small / "test_small.py"], [small / "test_more.py"]]
    found = mutation.outlive("small_test", path, tests, range(4), small)
    assert (found.is_sound, found.tried) == (True, 4)
    assert [one.text for one in found.survivors] == ["return 3 * x + 3"]


def test_tests_that_are_red_without_a_change_say_nothing(small: Path) -> None:
    (small / "test_small.py").write_text("def test_red():\n    assert False\n")
    found = mutation.outlive("small_test", small / "small_test.py", [[small / "test_small.py"]], [0], small)
    assert not found.is_sound


def test_the_page_counts_what_does_not_matter_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """A survivor with a reason is equivalent; the others are what the tests miss."""
    monkeypatch.setattr(
        mutation, "reason_for", lambda module, text: "a tolerance" if "1e-9" in text else None
    )
    survivors = [
        {"number": 1, "line": 2, "text": "if x < 1e-9:"},
        {"number": 3, "line": 4, "text": "return x"},
    ]
    cells = {"stats.elo": {"there": 12, "tried": 10, "most": 10, "seed": 3, "survivors": survivors}}
    page = mutation.page(cells, Path("found.json"))
    assert "| `stats.elo` | 12 | 10 | 8 | 1 | 1 |" in page
    assert "- `if x < 1e-9:`: a tolerance" in page and "- `return x`: **not noticed**" in page


def test_the_page_tells_the_commands_that_measure_its_modules_as_they_were() -> None:
    cell = {"there": 12, "tried": 12, "most": 1000, "seed": 1, "survivors": []}
    cells = {"stats.elo": cell, "fit.sparse": {**cell, "most": 5, "tried": 5}, "fit.loss": cell}
    assert mutation.commands(cells, Path("found.json")) == [
        "python -m tunesmith.experiments.proofs.mutation --most 1000 --seed 1 --out found.json \\\n    stats.elo fit.loss",
        "python -m tunesmith.experiments.proofs.mutation --most 5 --seed 1 --out found.json \\\n    fit.sparse",
    ]


def test_every_module_of_both_rooms_has_its_own_tests() -> None:
    modules = mutation.modules()
    assert {"stats.elo", "stats.likelihood", "fit.loss", "fit.uncertainty"} <= set(modules)
    assert [
        one
        for one in modules
        if not all(path.is_file() for group in mutation.tests_of(one) for path in group)
    ] == []
