"""What a package offers is imported when it is asked for, and not before."""

import sys
from pathlib import Path

import pytest

from tunesmith.games.lazy import offered

PACKAGE = """from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from lazily_offered.heavy import weight, weight as burden

__getattr__, __dir__ = offered(__name__, __file__)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "lazily_offered"
    folder.mkdir()
    (folder / "__init__.py").write_text(PACKAGE)
    (folder / "heavy.py").write_text("weight = 7\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import lazily_offered  # type: ignore[import-not-found]

    yield lazily_offered
    for name in [name for name in sys.modules if name.startswith("lazily_offered")]:
        del sys.modules[name]


def test_a_name_is_imported_when_it_is_asked_for(package) -> None:
    assert dir(package) == ["burden", "weight"] and "lazily_offered.heavy" not in sys.modules
    assert package.weight == package.burden == 7
    assert "lazily_offered.heavy" in sys.modules


def test_a_package_is_read_once(monkeypatch) -> None:
    from tunesmith.tuning import front

    front.Board  # noqa: B018
    monkeypatch.setattr("tunesmith.games.lazy.ast", None)
    assert front.Board.__name__ == "Board"


def test_another_name_is_told_as_python_tells_it(package) -> None:
    with pytest.raises(AttributeError, match="module 'lazily_offered' has no attribute 'wait'"):
        package.wait  # noqa: B018


def test_what_is_not_in_the_block_is_not_offered() -> None:
    get, names = offered(__name__, __file__)
    assert names() == []
    with pytest.raises(AttributeError):
        get("Path")
