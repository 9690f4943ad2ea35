"""What the page of a dataset says is what plain counting says, and the command writes it."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.naive import dataset as naive
from tests.support import report_fixture as fixture
from tests.support.browsing import SIZES, browser, opened, overflow, sticking_out
from tests.support.pages import Page, tidy
from tests.support.small_matches import kalah, openings, play
from tunesmith.tuning.cli import run
from tunesmith.tuning.data.dataset import Dataset, build_rows
from tunesmith.tuning.data.facts import dataset_facts, histogram
from tunesmith.tuning.documents import DatasetFacts
from tunesmith.tuning.play.matchup import Noise
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.store import read_games
from tunesmith.tuning.report.sections.dataset import render, write_page

__all__ = ["browser"]  # a fixture


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play games of Kalah."""
    found = tmp_path_factory.mktemp("games")
    play(found, range(40), openings=openings(60, 3), noise=Noise(0.05, 20))
    return found


@pytest.fixture(scope="module")
def games(folder: Path) -> Games:
    return read_games(folder)


@pytest.fixture(scope="module")
def data(games: Games) -> Dataset:
    return build_rows(kalah(), games, per_game=1000, max_score=400.0)


@pytest.fixture(scope="module")
def made(data: Dataset) -> DatasetFacts:
    return dataset_facts(data, 30)


@pytest.fixture(scope="module")
def facts(made: DatasetFacts) -> dict[str, Any]:
    """Return what stands in a file."""
    return made.content()


def taken(games: Games) -> list[naive.Position]:
    return [p for p in naive.positions(kalah(), games) if p.is_quiet and not abs(p.score) > 400]


def test_counts_and_results_are_those_of_plain_counting(games: Games, facts: dict[str, Any]) -> None:
    positions = taken(games)
    assert facts["positions"] == len(positions) and facts["selection"]["rows"] == facts["rows"]
    whole = facts["balance"][0]
    assert whole["mean"] == pytest.approx(np.mean([p.label for p in positions]))
    assert whole["won"] + whole["drawn"] + whole["mixed"] + whole["lost"] == pytest.approx(len(positions))
    assert 0 < whole["won"] <= sum(p.label == 1 for p in positions)
    for at, row in enumerate(facts["balance"][1:]):
        share = np.array([p.stages[at] for p in positions])
        assert row["positions"] == pytest.approx(share.sum())
        assert row["mean"] == pytest.approx(share @ [p.label for p in positions] / share.sum())
    assert sum(row["positions"] for row in facts["by_ply"]) == len(positions)


def test_features_are_described_as_plain_counting_describes_them(
    games: Games, data: Dataset, facts: dict[str, Any]
) -> None:
    positions, rows = taken(games), {(r["feature"], r["stage"]): r for r in facts["features"]}
    values = np.array([p.features for p in positions])
    for at, name in enumerate(kalah().feature_names):
        row, column = rows[name, "all"], values[:, at]
        assert row["not_zero"] == pytest.approx((column != 0).mean())
        assert (row["least"], row["greatest"]) == (column.min(), column.max())
        assert row["mean"] == pytest.approx(column.mean()) and row["spread"] == pytest.approx(column.std())
        assert (
            row["quantiles"]
            == np.quantile(column, [0.05, 0.25, 0.5, 0.75, 0.95], method="inverted_cdf").tolist()
        )
        assert sum(row["bins"]["counts"]) == pytest.approx(len(positions))
        if column.std() > 0:
            merged = np.vstack([data.rows.features[:, at], data.rows.labels])
            spread = np.cov(merged, aweights=data.rows.weight)
            expected = spread[0, 1] / np.sqrt(spread[0, 0] * spread[1, 1])
            assert row["correlation"] == pytest.approx(expected)
        shares = np.array([p.stages for p in positions])
        late = rows[name, kalah().stage_names[1]]
        assert late["not_zero"] == pytest.approx(shares[:, 1] @ (column != 0) / shares[:, 1].sum())


def test_games_and_sources_are_told(games: Games, facts: dict[str, Any]) -> None:
    known, lengths = games.result[games.result != 2], np.diff(games.starts)[games.result != 2]
    assert facts["games"]["first_player_share"] == pytest.approx((known.mean() + 1) / 2)
    assert facts["games"]["length"]["mean"] == pytest.approx(lengths.mean())
    assert sum(facts["games"]["length"]["bins"]["counts"]) == len(lengths)
    (source,) = facts["sources"]
    assert (source["limits"], source["noise"], source["noise_plies"]) == (["nodes:40"] * 2, 0.05, 20)
    assert source["opening_plies"] == [3, 3] and source["openings"] == len(set(games.opening.tolist()))


def test_what_is_odd_is_said(data: Dataset) -> None:
    from dataclasses import replace

    features = data.rows.features.copy()
    features[:, 5] = features[:, 0] + features[:, 1]
    features[:, 6] = np.where(np.arange(len(features)) < 7, 1.0, 0.0)
    features[:, 7], features[:, 8] = 0.0, 2.0
    features[:, 9] = data.rows.labels - 0.5
    odd = dataset_facts(replace(data, rows=replace(data.rows, features=features)), 30)
    text = "\n".join(odd.notes)
    names = kalah().feature_names
    assert f"{names[9]} nearly is the result (correlation 1.00)" in text
    assert f"opening.{names[5]} is +1*opening.bank +1*opening.ponds in these positions" in text
    assert f"{names[6]} is not zero in only 7 positions" in text
    assert f"{names[7]} is zero in every position" in text and f"{names[8]} is 2 in every position" in text


def test_a_histogram_keeps_every_value() -> None:
    values = np.array([-3.0, -3.0, 0.1, 2.0, 5.0])
    assert histogram(values, np.ones(5), -3.0, 5.0, 4).counts == [2, 1, 1, 1]
    assert histogram(np.full(3, 7.0), np.ones(3), 7.0, 7.0, 4).counts == [3]


# --- the command and the page ------------------------------------------------------------------------------


def test_the_command_describes_a_folder_of_games(folder: Path, tmp_path: Path, capsys: Any) -> None:
    targets = [tmp_path / f"d.{ending}" for ending in ("html", "json", "csv")]
    options = [part for target in targets for part in ("--out", str(target))]
    assert (
        run(["dataset", str(folder), "--set", "positions_per_game=3", "--set", "fit.quiet=score", *options])
        == 0
    )
    shown = capsys.readouterr().out
    assert "positions (" in shown and "free_turn_by_pond_1" in shown and f"written {targets[2]}" in shown
    facts = json.loads(targets[1].read_text())
    assert facts["settings"]["quiet"] == "score" and facts["per_game"]["quartiles"][4] <= 3
    with targets[2].open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * kalah().n_features
    assert float(rows[0]["mean"]) == pytest.approx(facts["features"][0]["mean"])
    assert run(["dataset", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == []
    assert not (folder / "dataset.html").exists()
    assert run(["dataset", str(folder)]) == 0 and (folder / "dataset.html").is_file()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--set", "quit=off"], "--set: quit: unknown key; did you mean 'quiet'?"),
        (
            ["--set", "quiet=loud"],
            "--set: quiet: input should be 'off', 'game', 'score' or 'resolve', found 'loud'",
        ),
        (["--out", "d.txt"], "--out: expected a name that ends with .html, .json, .csv, found 'd.txt'"),
        (["--set", "draws=true", "--set", "blend=0.5"], "fit.draws: expected fit.blend = 1"),
    ],
)
def test_wrong_options_are_one_line(folder: Path, capsys: Any, options: list[str], message: str) -> None:
    assert run(["dataset", str(folder), *options]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_folders_without_games_are_refused(tmp_path: Path, capsys: Any) -> None:
    assert run(["dataset", str(tmp_path)]) == 2
    assert "expected a study.json or files of games" in capsys.readouterr().err
    assert run(["dataset", str(tmp_path / "none")]) == 2
    assert "expected the folder of a study or of games, found nothing there" in capsys.readouterr().err


def test_the_page_tells_the_figures(made: DatasetFacts, facts: dict[str, Any]) -> None:
    page = Page(render(made))
    text = tidy(page.section("data"))
    assert "Length of games" in text and "Results of the side to move" in text
    rows = [[tidy(cell) for cell in row] for row in page.table_rows("data")]
    bank = facts["features"][0]
    (row,) = [row for row in rows if row[0].startswith("bank") and len(row) > 8]
    assert row[1] == f"{100 * bank['not_zero']:.1f} %" and row[2] == f"{bank['rows']:,}"
    assert f"{facts['rows']:,}" in tidy(page.section("selection"))


def test_a_report_has_the_section_and_no_damage_breaks_it(facts: dict[str, Any], tmp_path: Path) -> None:
    files = fixture.study()
    files["fit/gen-2.json"]["dataset"] = facts
    assert "Coverage of each feature" in fixture.page_of(tmp_path, files).section("data")
    broken = fixture.changed(facts, lambda leaf: "x" if isinstance(leaf, int | float) else None)
    files["fit/gen-2.json"]["dataset"] = broken
    assert "Training positions" in fixture.page_of(tmp_path, files).section("data")


@pytest.mark.needs_chromium
@pytest.mark.parametrize("size", SIZES)
def test_nothing_loaded_nothing_overflows(
    browser: Any, made: DatasetFacts, tmp_path: Path, size: str
) -> None:
    write_page(tmp_path / "d.html", made)
    page, events = opened(browser, tmp_path / "d.html", size)
    assert events == [] and overflow(page) <= 0 and sticking_out(page) == []
    page.eval_on_selector_all("details", "all => all.forEach(e => e.open = true)")
    assert overflow(page) <= 0
    widths = page.eval_on_selector_all(
        ".coverage td.chart svg, .results svg.shares", "all => all.map(e => e.getBoundingClientRect().width)"
    )
    assert len(widths) > kalah().n_features and min(widths) > 100
