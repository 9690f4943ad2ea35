"""Games by spec: names with variants, files, modules; what is wrong is said with what would be right."""

import os
from pathlib import Path

import pytest

from tunesmith.games import registry
from tunesmith.games.errors import GameError, InputError

OWN = """
from dataclasses import replace
from tests.support.toys import piles
from own_numbers import PLIES
GAME = piles(max_plies=PLIES)
def make(first=4, mirrored=False, name="piles"):
    return replace(GAME, max_plies=first, repetition_first=mirrored, name=name)
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a game of one's own with a helper beside it."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_numbers.py").write_text("PLIES = 30\n")
    (tmp_path / "own.py").write_text(OWN)
    return tmp_path / "own.py"


def later(path: Path, text: str) -> None:
    """Write a file a second later than it was written before."""
    stamp = path.stat().st_mtime_ns + 10**9
    path.write_text(text)
    os.utime(path, ns=(stamp, stamp))


def test_shipped_games_are_sorted_and_loaded_once() -> None:
    assert registry.names() == sorted(registry.SHIPPED)
    assert registry.load("kalah") is registry.load("kalah")
    assert registry.load("kalah:ponds=4") is not registry.load("kalah")


def test_a_variant_gets_its_values_by_their_types() -> None:
    game = registry.load("kalah:ponds=4, seeds=3,empty_capture=TRUE")
    assert {"ponds": 4, "seeds": 3, "empty_capture": True}.items() <= dict(game.variant).items()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("kala", r"expected one of expendibots, .*did you mean 'kalah'\?"),
        ("kalah:ponds", "expected name=value with name one of ponds, seeds.*, found 'ponds'"),
        ("kalah:stones=3", "expected name=value with name one of ponds, seeds.*, found 'stones=3'"),
        ("kalah:ponds=six", "ponds: expected a whole number, found 'six'"),
        ("kalah:ponds=4,ponds=5", "'ponds' is given twice"),
        ("kalah:empty_capture=1", "empty_capture: expected true or false, found '1'"),
        ("no/such/game.py", "no such file"),
        ("no_such_module:GAME", "importing 'no_such_module' failed"),
    ],
)
def test_a_spec_that_is_wrong_is_refused(spec: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        registry.load(spec)


def test_a_file_is_a_game_and_has_variants(own: Path) -> None:
    assert registry.load(str(own)).max_plies == 30
    assert registry.load(f"{own}:first=9,mirrored=true,name=mine").max_plies == 9
    assert registry.load("own:GAME").max_plies == 30


def test_a_file_is_run_anew_once_it_or_its_helper_has_changed(own: Path) -> None:
    first = registry.load(str(own))
    assert registry.load(str(own)) is first
    later(own.parent / "own_numbers.py", "PLIES = 31\n")
    second = registry.load(str(own))
    assert (first.max_plies, second.max_plies) == (30, 31)
    later(own, OWN.replace("=PLIES", "=2 * PLIES"))
    assert registry.load(str(own)).max_plies == 62


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("GAME = 5\n", "expected GAME to be a tunesmith.games.game.Game, found 5"),
        ("1 / 0\n", "running the file failed: ZeroDivisionError"),
        ("raise SystemExit(3)\n", "running the file failed: SystemExit: 3"),
        ("def make():\n    return nothing\n", r"make\(\) failed: NameError: .* \(wrong\.py:2\)"),
    ],
)
def test_a_file_that_fails_or_holds_no_game_is_the_games_error(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "wrong.py").write_text(text)
    with pytest.raises(GameError, match=words):
        registry.load(str(tmp_path / "wrong.py"))


def test_a_file_without_variants_takes_none(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("from tests.support.toys import piles\nGAME = piles()\n")
    with pytest.raises(
        InputError, match=r"has variants in the spec, but the file has no make\(\*\*variant\)"
    ):
        registry.load(f"{tmp_path / 'plain.py'}:seeds=3")
