"""Which weights moved, with meaning, unit and reason."""

from pathlib import Path

import pytest

from tests.support import report_fixture as fixture
from tests.support.pages import Page, number
from tests.support.report_fixture import page_of

pytestmark = pytest.mark.pages

TENTHS = "0123456789"  # one decimal in every cell


def test_weights_before_and_after(page: Page) -> None:
    """Every weight is there, rounded finer than a tenth of its error; kept ones say why and have no error."""
    rows = [row for row in page.table_rows("weights") if row[0] != "Feature"]
    found: dict[tuple[str, str], list[str]] = {}
    feature = ""
    for row in rows:
        if len(row) == 8:  # the name stands before the first of its stages
            feature, row = row[0].partition(" ")[0], row[1:]
        found[feature, row[0]] = row[1:]
    fit = fixture.study()["fit/gen-2.json"]
    assert len(fit["weights"]) == 48 and len(rows) == 48 + 24
    for mix in fit["usual"]["weights"]:
        before, after, error, by_data, _, _ = found[mix["feature"], "usual mix"]
        assert number(after) == pytest.approx(mix["after"], abs=0.05) and by_data == "–"
        assert (
            error == "–" if mix["error"] is None else number(error) == pytest.approx(mix["error"], abs=0.05)
        )
    for weight in fit["weights"]:
        cells = found[weight["feature"], weight["stage"]]
        before, after, error, by_data, _, status = cells
        if weight["status"] == "fitted":
            assert abs(number(after) - weight["after"]) <= weight["error"] / 19
            assert abs(number(error) - weight["error"]) <= weight["error"] / 19
            assert number(by_data) == pytest.approx(weight["data"]["error"], abs=0.05)
            assert abs(number(before) - weight["before"]) <= weight["error"] / 19
        else:
            assert (number(before), number(after)) == (weight["before"], weight["after"])
            assert (error, by_data, status) == ("–", "–", weight["status"])
        assert {cell.partition(".")[2] for cell in cells[:4] if cell != "–"} <= set(TENTHS)


def test_why_an_old_weight_is_another_number_in_its_file(page: Page, tmp_path: Path) -> None:
    """The scale of the baseline is said with an example; where there is none, nothing is said."""
    files = fixture.study()
    fit = files["fit/gen-2.json"]
    row = max(fit["weights"], key=lambda row: abs(row["before"]))
    there = f"{row['before'] / fit['scale_before']:.1f}"
    assert f"one unit of theirs is worth {fit['scale_before']:.1f} Elo" in page.section("weights")
    assert (
        f"{row['stage']}.{row['feature']}, {there} there, stands here as {row['before']:.0f} Elo" in page.text
    )
    fit["scale_before"] = None
    assert "of theirs is worth" not in page_of(tmp_path, files).section("weights")


def test_where_positions_usually_are_is_said(page: Page) -> None:
    mix = fixture.study()["fit/gen-2.json"]["usual"]
    shares = ", ".join(
        f"{stage} {100 * share:.0f} %" for stage, share in zip(mix["stages"], mix["shares"], strict=True)
    )
    assert f"at the mean shares of the stages in these positions ({shares})" in page.section("weights")


def test_meanings_and_units_of_weights(page: Page) -> None:
    """Each feature has its line of meaning, and the chart its unit."""
    text = page.section("weights")
    assert all(meaning in text for meaning in fixture.GAME.feature_meanings)
    assert "Elo per unit of the feature, seen from the side to move" in text
    assert "Training data per fitted weight: 12 pairs, 97 positions." in text
    assert "Fitted to 1,400 games (700 pairs), 5,600 positions." in text


def test_changes_of_sign_are_flagged(tmp_path: Path) -> None:
    """A change of sign counts beyond two errors; a big move counts by its usual effect or the fit's note."""
    files = fixture.study()
    weights = files["fit/gen-2.json"]["weights"][:5]
    values = [(10, -5, 2), (10, -5, 3), (10, 60, 2), (10, 20, 2), (10, 90, 2)]
    for weight, (before, after, error) in zip(weights, values, strict=True):
        weight.update(before=before, after=after, error=error, size=3.0, status="fitted")
    del weights[4]["size"]
    files["fit/gen-2.json"].update(
        weights=weights, notes=[f"opening.{weights[4]['feature']} moved far: 10 to 90"]
    )
    text = page_of(tmp_path, files).section("weights")
    names = [f"opening.{weight['feature']}" for weight in weights]
    assert f"Changed sign beyond two standard errors: {names[0]}." in text
    assert f"Moved by more than 100 Elo of usual effect: {names[2]}, {names[4]}." in text
    assert text.count("sign changed") == 1
    assert text.count("moved far") == 2


def test_kept_weights_are_explained(tmp_path: Path) -> None:
    """Each reason to keep a weight is counted, and explained once below the table."""
    files = fixture.study()
    for weight, status in zip(
        files["fit/gen-2.json"]["weights"], ("silent", "rare", "dependent", "at bound"), strict=False
    ):
        weight["status"] = status
    text = page_of(tmp_path, files).section("weights")
    for status in ("1 silent", "1 rare", "1 dependent", "1 at bound", "Silent: it is zero in every position"):
        assert status in text


def test_a_weight_that_is_tied_says_so(tmp_path: Path) -> None:
    files = fixture.study()
    assert "tied" not in page_of(tmp_path, files).section("weights").lower()
    files["fit/gen-2.json"]["weights"][0]["tied"] = True
    page = page_of(tmp_path, files)
    assert sum(row[-1].startswith("tied") for row in page.table_rows("weights")) == 1
    assert "Tied: it was fitted as one number with the others" in page.section("weights")
