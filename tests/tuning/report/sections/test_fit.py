"""How well the new weights predict: losses, gain, residuals."""

from pathlib import Path

import pytest

from tests.support import report_fixture as fixture
from tests.support.pages import Page, number, tidy
from tests.support.report_fixture import page_of

pytestmark = pytest.mark.pages


def test_losses_and_gain(page: Page) -> None:
    """Losses before and after, on both sets, with their fall; the held-out gain with its error."""
    fit, text = fixture.study()["fit/gen-2.json"], page.section("fit")
    for key, words in (("training", "Training pairs"), ("held_out", "Held-out pairs")):
        prior, after = fit["loss"][key]["prior"], fit["loss"][key]["fit"]
        row = [words, f"{prior:.5f}", f"{after:.5f}", f"{prior - after:+.5f}"]
        assert row in page.table_rows("fit")
    mean, error = fit["gain_held_out"]["mean"], fit["gain_held_out"]["error"]
    assert f"falls by {mean:.4f} (standard error {error:.4f}): {mean / error:.1f} standard errors" in text
    assert "more than chance explains" in text
    assert f"one unit of the old score is worth {fit['scale_before']:.4g} Elo" in text


def test_rounding_draws_and_a_named_unit_are_told(tmp_path: Path) -> None:
    """What rounding cost and undid, how wide a draw is, and that the unit was named rather than found."""
    files = fixture.study()
    files["fit/gen-2.json"] |= {
        "draw_margin": 41.2,
        "scale_before": None,
        "rounding": {
            "step": 5.0,
            "loss": {"before": 0.61, "rounded": 0.62, "repaired": 0.615},
            "repaired": ["bank"],
            "vanished": ["tempo", "need"],
        },
    }
    files["study.json"]["config"]["fit"]["anchor"] = "elo"
    text = fixture.page_of(tmp_path, files).section("fit")
    assert "above 41 Elo a win is likelier than draw and loss together" in text
    assert (
        "multiples of 5: training loss 0.610000 before rounding, 0.620000 after it, 0.615000 with 1 weight"
        in text
    )
    assert "Back at their old number: tempo, need." in text
    assert "The old weights count in Elo as their file says." in text


@pytest.mark.parametrize(
    ("mean", "words"),
    [
        (0.03, "more than chance explains"),
        (0.01, "no more than chance explains"),
        (-0.03, "predict worse there"),
    ],
)
def test_gain_in_words(tmp_path: Path, mean: float, words: str) -> None:
    """The words follow the ratio of gain to error."""
    files = fixture.study()
    files["fit/gen-2.json"]["gain_held_out"] = {"mean": mean, "error": 0.01}
    assert (
        f"standard errors, {'the new weights ' if mean < 0 else ''}{words}." in page_of(tmp_path, files).text
    )


def test_notes_and_generations(page: Page) -> None:
    """Notes are shown as they are; every generation has its row."""
    fit = fixture.study()["fit/gen-2.json"]
    assert fit["notes"]
    assert all(tidy(note) in page.section("fit") for note in fit["notes"])
    assert [row[0] for row in page.table_rows("fit") if row[0].startswith("Gen")] == [
        "Generation", "Generation 1", "Generation 2",
    ]  # fmt: skip


def test_residuals_in_points(page: Page) -> None:
    """Residuals are percentage points, per stage."""
    rows = {row[0]: row for row in page.table_rows("fit")}
    for residual in fixture.study()["fit/gen-2.json"]["residuals"]:
        _, _, mean, error, n = rows[residual["stage"]]
        assert number(mean) == pytest.approx(100 * residual["mean"], abs=0.006)
        assert number(error) == pytest.approx(100 * residual["error"], abs=0.006)
        assert number(n) == pytest.approx(residual["n"], abs=0.51)
