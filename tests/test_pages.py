"""README, guides and tutorials run: every block, in order, in one folder, with the output that they show."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from tests.support.running_pages import ROOT, Block, Page, agrees, blocks, read
from tunesmith.experiments import figures
from tunesmith.tuning.cli.app import app

GUIDES, TUTORIALS = ROOT / "experiments" / "guides", ROOT / "experiments" / "tutorials"
ALL = [ROOT / "README.md", *sorted(GUIDES.glob("*.md")), *sorted(TUTORIALS.glob("*.md"))]
# What a page needs, and which take more than ten seconds.
MARKS = {
    "guides/agents": [pytest.mark.slow, pytest.mark.needs_gcc],
    "guides/players": [pytest.mark.slow],
    "tutorials/contributing": [pytest.mark.slow],
    "tutorials/student": [pytest.mark.slow],
    "tutorials/chess": [pytest.mark.slow, pytest.mark.needs_glaurung, pytest.mark.needs_toga2],
    "tutorials/cluster": [pytest.mark.slow],
    "tutorials/engines": [pytest.mark.needs_gcc],
    "tutorials/table": [pytest.mark.needs_gcc],
}


def name(path: Path) -> str:
    """Return the short name of a page, e.g. `guides/fit`."""
    return path.relative_to(ROOT / "experiments" if path.parent != ROOT else ROOT).with_suffix("").as_posix()


PAGES = [
    pytest.param(path, id=name(path), marks=[pytest.mark.pages, *MARKS.get(name(path), [])]) for path in ALL
]


@pytest.fixture
def page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Page]:
    """A folder like the repository's, in which commands may leave files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # as for who runs Python in this folder
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    page = Page(tmp_path, capsys.readouterr)
    yield page
    page.close()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_shows_what_happens(path: Path, page: Page) -> None:
    for block in blocks(path.read_text(encoding="utf-8")):
        page.play(block)


def test_every_mark_is_of_a_page() -> None:
    assert set(MARKS) <= {name(path) for path in ALL}


@pytest.mark.parametrize("path", ALL, ids=name)
def test_links_between_the_pages_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_the_readme_leads_to_every_guide_and_tutorial() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\((experiments/(?:guides|tutorials)/[\w-]+\.md)\)", text))
    assert {path.relative_to(ROOT).as_posix() for path in ALL[1:]} == linked


def test_the_readme_is_short_and_activates_before_it_calls() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 250
    before, _, _ = text.partition("\ntunesmith ")
    assert before.count("$ tunesmith ") == 0
    assert ". .venv/bin/activate" in before


def test_the_readme_has_a_task_for_every_command() -> None:
    table = (
        (ROOT / "README.md")
        .read_text(encoding="utf-8")
        .partition("## Commands by task")[2]
        .partition("\n## ")[0]
    )
    named = set(re.findall(r"`([a-z-]+)(?: [a-z]+)?`", table))
    assert set(typer.main.get_command(app).commands) - named == set()  # type: ignore[attr-defined]


def test_an_output_without_its_command_is_a_recorded_figure() -> None:
    """Whatever is not run is written by a command, which the mark below it names."""
    for path in ALL:
        text = path.read_text(encoding="utf-8")
        free = re.sub(rf"<!-- figure: .*?{re.escape(figures.END)}", "", text, flags=re.S)
        assert [block for block in blocks(free) if block.language == "text"] == [], path
        if path.parent != TUTORIALS:
            prose = re.sub(r"^```.*?^```", "", free, flags=re.S | re.M)
            assert re.findall(r".*[+-]\d+ ± \d+.*", prose) == [], path


@pytest.mark.parametrize("figure", figures.FIGURES)
def test_the_commands_of_a_figure_exist(figure: str) -> None:
    for command in figures.FIGURES[figure].commands:
        read(command)


@pytest.mark.parametrize(
    "line",
    [
        "tunesmith runn study.toml",
        "tunesmith match kalah hand hand-1 --pears 5",
        "tunesmith match kalah hand hand@quiesce=4,limit=nodes:5000",
        "tunesmith weights lose kalah",
        "make cake",
        "python -m tunesmith.experiments.nothing",
    ],
)
def test_a_shown_command_that_does_not_exist_is_found(line: str, page: Page) -> None:
    with pytest.raises(Exception, match=r"runn|pears|quiesce|lose|cake|nothing"):
        page.play(Block("sh", [], f"{line}  # as it was\n", 1))


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
