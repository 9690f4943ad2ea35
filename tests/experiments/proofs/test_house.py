"""The house is counted right, and it is in order: small rooms, no circles, a test file for every module."""

import ast
from pathlib import Path

import pytest

from tunesmith.experiments.proofs import house

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def ours() -> house.House:
    return house.count(ROOT)


def test_no_room_is_a_corridor(ours: house.House) -> None:
    name, modules = ours.largest_room
    assert modules <= house.ROOM_MOST, name


def test_no_modules_import_each_other(ours: house.House) -> None:
    assert ours.circles == []


def test_every_module_has_a_test_file_of_its_name(ours: house.House) -> None:
    assert ours.untested == []


def made(root: Path, **texts: str) -> house.House:
    """Count a tree of files given by their paths, with two underscores for a slash."""
    for name, text in texts.items():
        path = root / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return house.count(root)


def test_parameters_are_those_of_public_functions(tmp_path: Path) -> None:
    """Of methods too; not of what is compiled, private, or read from a command line."""
    counted = made(
        tmp_path,
        tuning__a="def f(a, b, *, c): ...\ndef _g(a, b, c, d, e): ...\nclass C:\n    def m(self, x): ...\n",
        tuning__cli__b="def command(a: JsonOption, b: int, c: int, d: int): ...\n",
        engine__search__c="def kernel(a, b, c, d, e, f): ...\n",
    )
    assert [(one.name, one.count) for one in counted.longest_parameters] == [("f", 3), ("C.m", 1)]


def test_a_module_is_tested_by_its_name_in_the_mirrored_folder(tmp_path: Path) -> None:
    code = "def f(): ...\n"
    counted = made(
        tmp_path,
        tuning__fit__loss=code,
        tuning__fit__solve=code,
        tuning__fit__words="WORDS = 1\n",
        games__kalah__rules=code,
        tests__tuning__fit__test_loss=code,
        tests__tuning__test_solve=code,
        tests__games__test_kalah=code,
    )
    assert counted.untested == ["tuning/fit/solve.py"]
    assert counted.rooms == {"games/kalah": 1, "tuning/fit": 3}


def test_circles_are_found_at_import_and_not_inside_functions(tmp_path: Path) -> None:
    counted = made(
        tmp_path,
        tuning__a="from tunesmith.tuning import b\n",
        tuning__b="from tunesmith.tuning.a import f\n",
        tuning__c="def f():\n    from tunesmith.tuning import a\n",
    )
    assert counted.circles == [["tuning/a.py", "tuning/b.py"]]


def test_untyped_records_are_those_of_tuning(tmp_path: Path) -> None:
    text = "x: dict[str, Any]\ny: list[dict[str, Any]]\n"
    assert made(tmp_path, tuning__a=text, engine__b=text).untyped_records == 2


def test_the_exit_code_tells_of_disorder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path, tuning__a="from tunesmith.tuning import b\n", tuning__b="from tunesmith.tuning import a\n")
    assert house.main(["--root", str(tmp_path)]) == 1
    assert "import circles            1" in capsys.readouterr().out
    (tmp_path / "tuning" / "b.py").write_text("")
    assert house.main(["--root", str(tmp_path), "--json"]) == 0
    assert ast.literal_eval(capsys.readouterr().out)["circles"] == []
