"""The report of a study: every number of the files is on the page, with its unit and its games."""

import re
from pathlib import Path

import pytest

from tests.support import report_fixture as fixture
from tests.support.pages import Page, tidy
from tests.support.report_fixture import html_of, page_of
from tunesmith.tuning.report import study_page
from tunesmith.tuning.report.reading import read_study
from tunesmith.tuning.report.sections import SECTIONS

pytestmark = pytest.mark.pages

# Of a study without a search, and whose games are not there.
SHOWN = [anchor for anchor in SECTIONS if anchor not in ("search", "game")]
USUAL = 500_000  # bytes


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of the finished study."""
    return html_of(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    """The same, read."""
    return Page(html)


# --- what the files say


def test_first_screen(page: Page) -> None:
    """Sentence, gain with interval, limit, opponents, games and command stand before everything else."""
    verdict = fixture.study()["verdict.json"]
    gain, head = verdict["gain"], page.section("header")
    assert tidy(verdict["sentence"]) in head
    assert f"{gain['elo']:+.0f} ± {gain['elo_half_width']:.0f} Elo" in head
    assert "95 % interval, measured at nodes:400 over 1,000 games" in head
    assert "hand, hand-1" in head
    assert fixture.COMMAND in head
    assert head.startswith("Tunesmith report · kalah · study kalah-quick Stronger")
    assert fixture.CANDIDATE[:12] in head
    assert fixture.BASELINE[:12] in head


def test_games_of_matches_are_added(page: Page) -> None:
    """The first screen counts the games of all matches, and those that were learnt from."""
    files = fixture.study()
    total = sum(run["games"] for name, run in files.items() if name.startswith("verify/"))
    assert f"{total:,} games in matches; fitted to 1,400 games of self-play" in page.section("header")


def test_a_search_without_a_fit_counts_its_own_games(tmp_path: Path) -> None:
    """No fit is spoken of where there was none."""
    files = {name: content for name, content in fixture.study().items() if not name.startswith("fit/")}
    files |= {"search/result.json": {"games": 5312}, "search/trials.jsonl": '{"number": 0}'}
    told = page_of(tmp_path, files).section("header")
    assert "in matches; searched with 5,312 games" in told
    assert "fitted to" not in told


def number(text: str) -> float:
    """Read a number from a cell."""
    return float(text.replace(",", ""))


def test_weights_before_and_after(page: Page) -> None:
    """Every weight is there, rounded finer than a tenth of its error; kept ones say why and have no error."""
    rows = [row for row in page.table_rows("weights") if row[0] != "Feature"]
    found: dict[tuple[str, str], list[str]] = {}
    feature = ""
    for row in rows:
        if len(row) == 7:  # the name stands before the first of its stages
            feature, row = row[0].partition(" ")[0], row[1:]
        found[feature, row[0]] = row[1:]
    fit = fixture.study()["fit/gen-2.json"]
    assert len(rows) == len(fit["weights"]) == 48
    for weight in fit["weights"]:
        cells = found[weight["feature"], weight["stage"]]
        before, after, error, _, status = cells
        if weight["status"] == "fitted":
            assert abs(number(after) - weight["after"]) <= weight["error"] / 19
            assert abs(number(error) - weight["error"]) <= weight["error"] / 19
            assert abs(number(before) - weight["before"]) <= weight["error"] / 19
        else:
            assert (number(before), number(after)) == (weight["before"], weight["after"])
            assert (error, status) == ("–", weight["status"])


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


def test_every_bin_is_drawn(html: str) -> None:
    """Calibration shows predicted and actual result and size of each bin."""
    for row in fixture.study()["fit/gen-2.json"]["calibration"]:
        assert f"predicted {row['predicted']:.3f}, actual {row['actual']:.3f}" in html


def test_sequential_test(page: Page, html: str) -> None:
    """Bounds, counts and decision are there, and the plain figure is named as what it is."""
    run, text = fixture.study()["verify/main.json"], page.section("proof")
    assert "accepted H1: stronger" in text
    assert "(-2.94 or 2.94)" in text
    assert ["Pairs", *(f"{n:,}" for n in run["counts"])] in page.table_rows("proof")
    plain = f"{run['estimate']['elo']:+.0f} ± {run['estimate']['elo_half_width']:.0f} Elo"
    assert f"Plain figure of the stopped test: {plain}" in text
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
    run["counts"], run["estimate"]["elo"] = [50, 60, 275, 62, 53], 3.5
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


def test_selfplay(page: Page) -> None:
    """Games, distinct games, shares of results and of the first player, sources and selection."""
    text = page.section("games")
    assert ["Generation 2", "700", "1,400", "1,397", "5,600", "55.0 %"] in page.table_rows("games")
    assert "first player wins 52.0 %, draw 6.0 %, second player wins 42.0 %. Rests on 1,400 games." in text
    assert ["generation 2", "nodes:400", "350", "700", "698", "55.0 %"] in page.table_rows("games")
    assert ["noisy", "5,310"] in page.table_rows("games")


def test_sources_may_name_the_players(tmp_path: Path) -> None:
    """Players by name, or by the first letters of a digest."""
    files = fixture.study()
    players = {"first": "hand", "second": fixture.CANDIDATE, "limit": "depth:3", "games": 12}
    files["fit/gen-2.json"]["sources"] = [players]
    rows = page_of(tmp_path, files).table_rows("games")
    assert any(row[:2] == ["hand against c0dec0dec0de", "depth:3"] and row[3] == "12" for row in rows)


def test_positions(page: Page) -> None:
    """Each position has its board, both evaluations, and the parts add up to them."""
    examples = fixture.study()["fit/gen-2.json"]["examples"]
    boards = [attributes for tag, attributes in page.tags if tag == "img"]
    assert len(boards) == len(examples) == 10
    assert all((board["src"] or "").startswith("data:image/svg+xml;base64,") for board in boards)
    rows = page.table_rows("positions")
    totals = [row for row in rows if row[0] == "Evaluation"]
    for example, total in zip(examples, totals, strict=True):
        assert [number(cell) for cell in total[2:4]] == [round(example["before"]), round(example["after"])]
    first: list[list[str]] = []
    for row in rows[1:]:
        if row[0] == "Evaluation":
            break
        first.append(row)
    for column, key in ((2, "before"), (3, "after")):
        assert sum(number(row[column]) for row in first) == pytest.approx(examples[0][key], abs=5)


def test_methods_name_settings_seeds_and_versions(page: Page) -> None:
    """The text to copy has every number filled in."""
    text = page.section("methods")
    for words in (
        "Games began with 8 random plies", "Each move was searched with the limit nodes:400",
        "2 generations of self-play gave 1,400 games (700 pairs, 1,397 distinct games)", "24 features in 2 stages",
        "the seed 1", fixture.BASELINE, fixture.CANDIDATE, "ab12" * 16, "numba 0.68.0", "20 % of the pairs",
        "H0 0, H1 20, normalized Elo; α 0.05, β 0.05; limit nodes:400",
    ):  # fmt: skip
        assert words in text
    assert "not recorded" not in text
    assert ["play.noise_plies", "30"] in page.table_rows("methods")
    assert ["code of the game", "ab1d134d39bd433a"] in page.table_rows("methods")


def test_flat_settings_serve_too(tmp_path: Path) -> None:
    """Settings may be stored by dotted names, and beside the fingerprint instead of below `config`."""
    files = fixture.study()
    files["study.json"] = {"name": "x", "game": "kalah", "play.limit": "nodes:123", "seed": 7}
    text = page_of(tmp_path, files).section("methods")
    assert "the limit nodes:123" in text
    assert "the seed 7" in text


# --- what the page is


def test_balanced_and_free_of_scripts(page: Page) -> None:
    """Everything that opens closes; there is nothing to run."""
    assert page.defects == []
    assert "script" not in {tag for tag, _ in page.tags}
    assert [name for _, attributes in page.tags for name in attributes if name.startswith("on")] == []


def test_no_address_is_referred_to(html: str, page: Page) -> None:
    """One file: no link, image, font or style from elsewhere."""
    references = [
        value for _, attributes in page.tags for name, value in attributes.items()
        if name in ("src", "href", "srcset", "action", "data", "xlink:href")
    ]  # fmt: skip
    assert all((value or "").startswith(("#", "data:image/svg+xml;base64,")) for value in references)
    assert "://" not in html
    assert "@import" not in html
    assert "url(" not in html
    assert "link" not in {tag for tag, _ in page.tags}


def test_size(html: str) -> None:
    """A usual study stays below half a megabyte."""
    assert len(html.encode()) < USUAL


def test_contents_lead_to_sections(page: Page) -> None:
    """Links at the top have their targets, and ids are unique."""
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert ids == SHOWN
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    assert links == [f"#{name}" for name in SHOWN]


def test_same_files_give_the_same_bytes(tmp_path: Path, html: str) -> None:
    """Nothing depends on the clock or on the order of a directory."""
    folder = tmp_path / Path("study")
    folder.mkdir()
    again = html_of(folder)
    assert again.partition("<footer>")[0] == html.partition("<footer>")[0]


def test_existing_report_is_replaced(tmp_path: Path) -> None:
    """Writing again leaves one file and no temporary one."""
    fixture.write(tmp_path)
    target = tmp_path / "report.html"
    target.write_text("old")
    assert study_page.write_report(tmp_path) == target
    assert "old weights" in target.read_text(encoding="utf-8")
    assert list(tmp_path.glob("*.tmp")) + list(tmp_path.glob(".*")) == []


def test_reading_does_not_need_order(tmp_path: Path) -> None:
    """The last generation counts, by number and not by name."""
    files = fixture.study()
    files["fit/gen-10.json"] = {**files["fit/gen-2.json"], "games": 123_456}
    del files["generations.json"]
    study = read_study(fixture.write(tmp_path, files))
    assert [n for n, _ in study.fits] == [1, 2, 10]
    assert study.fit.number("games") == 123_456
