"""The tutorials run: every block, in order, in one empty folder, with the output that they show."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.tutorial_pages import ROOT, Page, agrees, blocks

pytestmark = pytest.mark.pages

FOLDER = ROOT / "experiments" / "tutorials"
MARKS = {
    "contributing": [pytest.mark.slow],
    "student": [pytest.mark.slow],
    "chess": [pytest.mark.slow, pytest.mark.needs_glaurung, pytest.mark.needs_toga2],
    "cluster": [pytest.mark.slow],
    "table": [pytest.mark.needs_gcc],
}
PAGES = [
    pytest.param(path, id=path.stem, marks=MARKS[path.stem])
    for path in sorted(FOLDER.glob("*.md"))
    if path.stem != "README"
]


@pytest.fixture
def page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Page]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # as for who runs Python in this folder
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    page = Page(tmp_path, capsys.readouterr)
    yield page
    page.close()


@pytest.mark.parametrize("path", PAGES)
def test_a_tutorial_shows_what_happens(path: Path, page: Page) -> None:
    found = blocks(path.read_text(encoding="utf-8"))
    assert any(block.language == "console" for block in found)
    for block in found:
        page.play(block)


def test_every_tutorial_is_in_the_index_and_the_index_in_the_readme() -> None:
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in FOLDER.glob("*.md")} - {"README.md"} == set(
        re.findall(r"\((\w+\.md)\)", index)
    )
    assert "(experiments/tutorials/README.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [*FOLDER.glob("*.md"), ROOT / "README.md"], ids=lambda path: path.stem)
def test_links_between_the_pages_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


@pytest.mark.parametrize(
    ("shown", "real", "any_numbers", "is_same"),
    [
        ("a\nb", "a\nb\n", False, True),
        ("a\nb", "a\nc\n", False, False),
        ("a", "a\nb\n", False, False),
        ("a\n...\nd", "a\nb\nc\nd\n", False, True),
        ("a\n...\nd", "b\nc\nd\n", False, False),
        ("+12 ± 3 Elo, 0123456789ab", "-4.5 ± 10 Elo, ffffffffffff", True, True),
        ("+12 ± 3 Elo", "-4.5 ± 10 Elo", False, False),
        ("is stronger by 12", "is weaker by 12", True, False),
    ],
)
def test_outputs_are_compared_by_lines_and_words(
    shown: str, real: str, any_numbers: bool, is_same: bool
) -> None:
    assert agrees(shown, real, any_numbers) is is_same
