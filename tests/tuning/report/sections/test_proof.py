"""The sequential test, and every match."""

import re
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.support import report_fixture as fixture
from tests.support.pages import Page
from tests.support.report_fixture import page_of
from tunesmith.tuning.stats.elo import estimate

pytestmark = pytest.mark.pages


def test_sequential_test(page: Page, html: str) -> None:
    """Bounds, counts and decision are there, and the plain figure is named as what it is."""
    run, text = fixture.study()["verify/main.json"], page.section("proof")
    assert "accepted H1: stronger" in text
    assert "(-2.94 or 2.94)" in text
    assert ["Pairs", *(f"{n:,}" for n in run["counts"])] in page.table_rows("proof")
    plain = f"{run['estimate']['elo']:+.0f} ± {run['estimate']['elo_half_width']:.0f} Elo"
    assert f"Plain figure of the sequential test: {plain}" in text
    assert "It is not the size of the gain" in text
    assert "With the bias of stopping removed (median-unbiased estimate from the same counts): +" in text
    curve = re.search(r'points="([^"]*)" class="curve"', html[html.index('id="proof"') :])
    assert curve is not None
    assert len(curve[1].split()) == pytest.approx(min(400, len(run["path"])), rel=0.3)


def test_size_of_the_gain_is_that_of_fixed_length(page: Page) -> None:
    """The measurement at the limit of the test, not that of the deeper search."""
    run = fixture.study()["verify/measure.json"]["estimate"]
    section = page.section("proof").partition("The size of the gain")[2]
    assert f": {run['elo']:+.0f} ± {run['elo_half_width']:.0f} Elo (95 % interval)" in section
    assert "over 1,000 games (500 pairs)" in section


def test_interval_with_zero_says_how_many_games(tmp_path: Path) -> None:
    """A difference that is not shown comes with the number of games that would show it."""
    files = fixture.study()
    run = files["verify/measure.json"]
    run["counts"] = [50, 60, 275, 62, 53]
    run["estimate"] = asdict(estimate(run["counts"]))
    assert re.search(
        r"The interval holds zero\. If .* true one, [\d,]+ games would show it", page_of(tmp_path, files).text
    )


def test_all_matches(page: Page) -> None:
    """A row for each run with its opponent, limit, counts and figures."""
    rows = page.table_rows("matches")[1:]
    files = fixture.study()
    runs = [run for name, run in files.items() if name.startswith("verify/")]
    assert len(rows) == len(runs) == 4
    for run in runs:
        estimate = run["estimate"]
        row = next(row for row in rows if row[1] == run["limit"] and row[2] == str(run["pairs"]) and row[3] == f"{run['games']:,}"
                   and row[0].startswith(run["opponent"]["name"] + " " + run["opponent"]["digest"][:12]))  # fmt: skip
        assert row[4] == f"{100 * estimate['score']:.1f} %"
        assert row[5] == f"{estimate['elo']:+.0f} ± {estimate['elo_half_width']:.0f}"
        assert row[6] == f"{estimate['nelo']:+.0f} ± {estimate['nelo_half_width']:.0f}"
        assert row[8] == "53.7 %"
    assert "accepted H1: stronger" in rows[0][9]


def test_repeated_games_and_faults_are_flagged(tmp_path: Path) -> None:
    """Fewer than 95 % distinct games, and games lost to faults, are chips in the table."""
    files = fixture.study()
    files["verify/opponent-1.json"].update(distinct_games=300, faults=3)
    text = page_of(tmp_path, files).section("matches")
    assert "3 faulty games" in text
    assert "only 300 distinct games: errors are larger" in text


def test_a_match_under_a_time_limit_says_how_busy_the_machine_was(tmp_path: Path) -> None:
    files = fixture.study()
    files["verify/opponent-1.json"]["load"] = {
        "games": 400, "mean": 3.25, "cores": 8, "workers": 2, "reserved": False
    }  # fmt: skip
    assert "load 3.2 on 8 cores" in page_of(tmp_path, files).section("matches")
