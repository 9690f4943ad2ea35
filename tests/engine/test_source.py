"""Which code plays: digests of a game, its facts, and of the engine."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.referring import EDITS, change, copy_to
from tunesmith import games
from tunesmith.engine.source import code_digest, engine_digest


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.feature)
def test_every_edit_of_a_game_changes_its_digest(edit: Any, tmp_path: Path) -> None:
    file = copy_to(tmp_path / "race")
    before = code_digest(games.load(str(file)))
    change(file.parent, edit)
    after = code_digest(games.load(str(file)))
    change(file.parent, None)
    assert after != before == code_digest(games.load(str(file)))


def test_facts_of_a_game_are_part_of_its_code(tmp_path: Path) -> None:
    file = copy_to(tmp_path / "race")
    before = code_digest(games.load(str(file)))
    text = file.read_text(encoding="utf-8").replace("max_moves=2,", "max_moves=2,\n    max_plies=40,")
    other = tmp_path / "race" / "other.py"
    other.write_text(text, encoding="utf-8")
    assert code_digest(games.load(str(other))) != before


def test_the_engine_has_one_digest() -> None:
    assert engine_digest() == engine_digest()
    assert len(engine_digest()) == 16
