"""The notebook of the tutorials runs from top to bottom, in an empty folder, and shows what it says it shows."""

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests import IMPORTS
from tests.support.running_pages import ROOT, canonical

NOTEBOOKS = sorted((ROOT / "experiments" / "tutorials").glob("*.ipynb"))


def outputs(book: Any) -> list[tuple[str, list[str], list[str]]]:
    """Return for each cell of code its source, the kinds of what it shows, and the words of it."""
    found = []
    for cell in book.cells:
        if cell.cell_type == "code":
            kinds = sorted(kind for one in cell.outputs for kind in one.get("data", {one.get("name"): None}))
            text = "\n".join(
                one.get("text") or one.get("data", {}).get("text/plain", "") for one in cell.outputs
            )
            found.append((cell.source, kinds, canonical(text, any_numbers=True)))
    return found


def test_there_is_a_notebook() -> None:
    assert [path.name for path in NOTEBOOKS] == ["notebook.ipynb"]
    assert "notebook.ipynb" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.pages
@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_happens(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures, tables and words are those that stand in it; numbers of a fit may differ between processors."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([IMPORTS, os.environ.get("PYTHONPATH", "")]))
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    stored = nbformat.read(path, as_version=4)
    book = nbformat.read(path, as_version=4)
    for cell in book.cells:
        cell.outputs = []
    NotebookClient(
        book, timeout=250, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    assert outputs(book) == outputs(stored)
    shown = {kind for _, kinds, _ in outputs(book) for kind in kinds}
    assert {"image/svg+xml", "text/html", "text/plain", "stdout"} <= shown
