"""Figures of the pages: measured by their commands, known by the code they measured."""

import re
import shutil
from pathlib import Path

import pytest

from tunesmith.experiments import figures
from tunesmith.experiments.figures import Figure
from tunesmith.games.errors import InputError

PAGE = "before\n<!-- figure: count -->\nold\n<!-- end of figure -->\nafter\n"
COUNT = Figure("page.md", ("tunesmith perft kalah 2",), ("kalah",))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one page and one figure."""
    (tmp_path / "page.md").write_text(PAGE)
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    monkeypatch.setattr(figures, "RECORDS", tmp_path / "figures.json")
    monkeypatch.setattr(figures, "FIGURES", {"count": COUNT})
    monkeypatch.setenv("TUNESMITH_NUMBA", "0")
    return tmp_path


def test_a_figure_is_measured_and_written_with_its_command(place: Path) -> None:
    (place / "experiments").mkdir()
    assert figures.main([]) == 0
    page = (place / "page.md").read_text()
    assert page.startswith("before\n<!-- figure: count -->\n```text\n35\n```\n")
    assert "Written by `tunesmith perft kalah 2` (commit " in page
    assert page.endswith("<!-- end of figure -->\nafter\n")
    assert figures.main(["--pages"]) == 0
    assert (place / "page.md").read_text() == page


def test_a_figure_of_other_code_is_listed_with_what_changed(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert figures.main(["--check"]) == 0
    assert capsys.readouterr().out == "count (page.md): not measured\n"
    figures.write_json(
        figures.RECORDS,
        {"count": {"text": "35", "commit": "abc", "date": "2026-01-01", "code": figures.code_of(COUNT)}},
        stands_alone=True,
    )
    figures.main(["--check"])
    capsys.readouterr()
    figures.main(["--pages"])
    assert figures.main(["--check"]) == 0
    assert (
        capsys.readouterr().out == "all figures were measured with today's code, and stand in their pages\n"
    )
    monkeypatch.setattr(figures, "engine_digest", lambda: "another")
    figures.main(["--check"])
    assert capsys.readouterr().out == "count (page.md): measured at abc, since then changed: engine\n"


@pytest.mark.parametrize("page", ["no marks\n", PAGE + PAGE])
def test_a_page_without_its_marks_is_refused(page: str) -> None:
    with pytest.raises(InputError, match="page.md: expected one pair of <!-- figure: count -->"):
        figures.put(page, "count", "new", "page.md")


def test_a_command_that_fails_leaves_what_was_measured_before(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "experiments").mkdir()
    wrong = Figure("page.md", ("tunesmith perft nothing 2",), ())
    monkeypatch.setattr(figures, "FIGURES", {"count": COUNT, "wrong": wrong})
    assert figures.main([]) == 2
    assert "tunesmith perft nothing 2: ended with exit code 2" in capsys.readouterr().err
    assert list(figures.read_json(figures.RECORDS)) == ["count"]
    assert "\n35\n" in (place / "page.md").read_text()


def test_a_figure_is_of_the_code_that_its_measurement_began_with(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "engine_digest", lambda: "before")

    def change(command: str, folder: Path) -> str:
        monkeypatch.setattr(figures, "engine_digest", lambda: "after")
        return "35"

    monkeypatch.setattr(figures, "_output", change)
    assert figures.measure(COUNT, place)["code"]["engine"] == "before"


def test_an_unknown_figure_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert figures.main(["demmo"]) == 2
    assert "found 'demmo'" in capsys.readouterr().err


def test_speeds_are_read_from_what_bench_says() -> None:
    rows = [
        '{"name": "perft, bulk counted", "value": 2.2e8}',
        '{"name": "evaluations, all features", "value": 9460000.0}',
        '{"name": "search, all features", "value": 3040000.0}',
    ]
    said = f'{{"game": "kalah", "rows": [{", ".join(rows)}]}}'
    assert (
        figures.speeds([said]).splitlines()[-1]
        == "| `kalah` | 220 million | 9.46 million | 3.04 million | none is cheap |"
    )


RECORDS = figures.read_json(figures.RECORDS)


def test_every_page_says_what_its_records_say() -> None:
    """Every verdict in README, guides and results is the one that its figures give."""
    assert figures.lines_of_wrong(RECORDS) == []


@pytest.mark.parametrize(
    ("path", "said", "edited"),
    [
        ("experiments/results/questions/README.md", "not shown that", "shown that"),
        ("experiments/results/questions/README.md", "is weaker than", "is stronger than"),
        ("experiments/README.md", "leads with", "is led with"),
        ("experiments/results/price.md", "on average", "at most"),
        ("experiments/results/pictures/league.svg", ">tuned<", ">hand<"),
        ("experiments/results/questions/kalah-futility.md", "not shown to save or cost", "saves"),
        ("README.md", "games at time:0.005: tuned is stronger", "games at time:0.005: tuned is weaker"),
    ],
)
def test_a_verdict_that_was_edited_by_hand_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    path: str,
    said: str,
    edited: str,
) -> None:
    shutil.copy(figures.ROOT / "README.md", tmp_path)
    results = "experiments/results"
    for folder in (f"{results}/questions", f"{results}/pictures", "experiments/guides"):
        shutil.copytree(figures.ROOT / folder, tmp_path / folder)
    for file in (
        "experiments/README.md",
        f"{results}/learning-curves.json",
        f"{results}/boards.json",
        f"{results}/price.md",
    ):
        shutil.copy(figures.ROOT / file, tmp_path / file)
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    page = tmp_path / path
    before = page.read_text(encoding="utf-8")
    assert said in before
    page.write_text(before.replace(said, edited, 1), encoding="utf-8")
    assert figures.main(["--check"]) == 1
    told = [line for line in capsys.readouterr().out.splitlines() if line.endswith("--pages writes it")]
    assert told == [f"{path}: is not what its records say; --pages writes it"]
    assert figures.main(["--pages"]) == 0 and page.read_text(encoding="utf-8") == before


def test_beside_questions_stand_no_figures_but_those_of_their_records() -> None:
    """Prose cannot contradict a figure that it does not have; in the overview intervals are written by command."""
    for name in ("README.md", "results/questions/README.md"):
        overview = (figures.ROOT / "experiments" / name).read_text(encoding="utf-8")
        by_hand = re.sub(rf"<!-- figure: .*?{figures.END}", "", overview, flags=re.DOTALL)
        assert "±" not in by_hand and not re.search(r"[+-]\d+ \(", by_hand)
