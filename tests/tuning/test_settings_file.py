"""Two sets of settings are compared by name."""

import pytest

from tunesmith import games
from tunesmith.engine import weights
from tunesmith.games.errors import InputError
from tunesmith.tuning import settings_file
from tunesmith.tuning.config import load


def test_differences_are_listed_as_stored_and_now():
    assert settings_file.differences({"a": 1, "b": "x"}, {"a": 2, "b": "x", "c": None}) == [
        "a: stored 1, now 2",
        "c: stored (absent), now null",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = " + "[" * 10_000, "expected TOML: expected at most 64 levels"),
        ("x = " + "{a=" * 70 + "1" + "}" * 70, "expected TOML: expected at most 64 levels"),
        ("preset = 3", r"preset: expected tables \[preset.NAME\], found 3"),
        ('preset = ["quick"]', r"preset: expected tables \[preset.NAME\], found \['quick'\]"),
        ("[preset]\nquick = 3", r"preset: expected tables \[preset.NAME\], found {'quick': 3}"),
        ("seed = " + "9" * 400, "expected TOML: expected whole numbers within 64 bits"),
        ("seed = " + "9" * 5000, "expected TOML: expected whole numbers within 64 bits"),
        ("seed = 0x" + "f" * 5000, "expected TOML: expected whole numbers within 64 bits"),
        ('[openings]\nfile = "\\u0000"', "expected TOML: expected text of Unicode characters without NUL"),
    ],
)
def test_what_nobody_can_handle_is_one_line(text, words, tmp_path):
    file = tmp_path / "s.toml"
    file.write_text(f'game = "kalah"\n{text}\n')
    with pytest.raises(InputError, match=words) as caught:
        load(file, "quick")
    assert len(str(caught.value).splitlines()) == 1 and len(str(caught.value)) < 300


def test_names_of_thousands_of_letters_are_the_names_of_nothing(tmp_path):
    file = tmp_path / "s.toml"
    file.write_text(f'game = "kalah"\nbaseline = "{"a" * 5000}"\n')
    kalah = games.load("kalah")
    with pytest.raises(InputError, match="expected a file, or one of kalah's names"):
        weights.load(load(file).baseline, kalah)
    with pytest.raises(InputError, match="no such"):
        games.load("a" * 5000 + ".py")
    with pytest.raises(InputError, match="no such file"):
        weights.load("a\0.json", kalah)


def test_changes_of_absurd_size_are_one_line(tmp_path):
    (tmp_path / "s.toml").write_text('game = "kalah"')
    for value in ("9" * 400, "9" * 5000, "[" * 10_000):
        with pytest.raises(InputError, match="--set seed: expected"):
            load(tmp_path / "s.toml", changes=[f"seed={value}"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("play.pears=3", "--set: play.pears: unknown key; did you mean 'pairs'?"),
        ("paly.pairs=3", "--set: paly: unknown key; did you mean 'play'?"),
        ("play.pairs=0", "--set: play.pairs: input should be greater than"),
    ],
)
def test_what_a_change_breaks_is_not_blamed_on_the_file(change, words, tmp_path):
    file = tmp_path / "s.toml"
    file.write_text('game = "kalah"\n[play]\npairs = 100\n')
    with pytest.raises(InputError) as caught:
        load(file, changes=[change])
    assert str(caught.value).startswith(words) and "s.toml" not in str(caught.value)


def test_what_is_wrong_in_the_file_is_its_own_fault_whatever_is_changed(tmp_path):
    file = tmp_path / "s.toml"
    file.write_text('game = "kalah"\n[play]\npears = 100\n')
    with pytest.raises(InputError, match=r"s\.toml:3: play\.pears: unknown key"):
        load(file, changes=["seed=2"])
    file.write_text('game = "kalah"\n[play]\npairs = 0\n')
    assert load(file, changes=["play.pairs=5"]).play.pairs == 5
