"""The first screen: sentence, gain, games."""

from pathlib import Path

import pytest

from tests.support import report_fixture as fixture
from tests.support.pages import Page, tidy
from tests.support.report_fixture import page_of

pytestmark = pytest.mark.pages


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


@pytest.mark.parametrize(
    ("outcome", "title"),
    [
        ("stronger", "Gain over the old weights"),
        ("weaker", "Loss against the old weights"),
        ("not shown", "Difference to the old weights: no gain is shown"),
    ],
)
def test_the_figure_is_called_what_the_verdict_says_it_is(outcome: str, title: str, tmp_path: Path) -> None:
    files = fixture.study()
    files["verdict.json"]["outcome"] = outcome
    assert title in page_of(tmp_path, files).section("header")


@pytest.mark.parametrize(
    ("decision", "ends", "words"),
    [
        ("H1", {"measure": (30, 80)}, "Here the interval lies right of zero. A grey dot is the plain figure of a "
         "sequential test, which is not the size of the gain: a test that accepts a gain stops because its result is high"),
        ("H0", {"measure": (-80, -30), "second-limit": (-9, -2)}, "Here both intervals lie left of zero. A grey dot is "
         "the plain figure of a sequential test, which is not the size of the gain: a test that rejects a gain stops "
         "because its result is low"),
        ("inconclusive", {"measure": (-8, 30), "second-limit": (-9, 2)}, "Here both intervals hold zero: no difference is "
         "shown. A grey dot is the plain figure of a sequential test, which is not the size of the gain: this test ended "
         "undecided at its limit"),
        ("H1", {"measure": (8, 30), "second-limit": (-9, 2)}, "Of 2 intervals, 1 right of zero, 0 left of it, 1 around "
         "it; an interval around zero shows no difference."),
    ],
)  # fmt: skip
def test_the_caption_fits_the_outcome(
    decision: str, ends: dict[str, tuple[float, float]], words: str, tmp_path: Path
) -> None:
    files = fixture.study()
    for name in ("measure", "second-limit", "opponent-1"):
        if name not in ends:
            del files[f"verify/{name}.json"]
            continue
        low, high = ends[name]
        estimate = files[f"verify/{name}.json"]["estimate"]
        estimate.update(elo_low=low, elo_high=high)
    files["verify/main.json"]["decision"] = decision
    page = page_of(tmp_path, files)
    assert words in page.section("header")
    told = {
        "H1": "met the upper bound",
        "H0": "met the lower bound",
        "inconclusive": "met no bound before the limit",
    }
    assert told[decision] in page.section("proof")


def test_no_page_tells_the_folders_of_the_machine_it_was_made_on(tmp_path: Path) -> None:
    """Whatever names a file does so without its folders, in the study's sentences, commands and settings too."""
    files = fixture.study()
    folder = "/srv/somebody/my games"
    files["study.json"]["config"] |= {
        "game": "/srv/somebody/games/mine/game.py:size=4",
        "baseline": f"{folder}/w.json",
    }
    files["study.json"]["config"]["verify"]["opponents"] = ["/srv/somebody/other.json"]
    files["verdict.json"] |= {
        "sentence": "/srv/somebody/games/mine/game.py: the tuned weights are stronger than /srv/somebody/w.json: +55",
        "command": f"tunesmith run '{folder}/s.toml' --out /srv/somebody/studies/x",
        "baseline": {"name": "/srv/somebody/w.json", "digest": fixture.BASELINE, "options": {}},
    }
    files["verify/measure.json"]["opponent"]["name"] = "/srv/somebody/other.json"
    files["fit/gen-2.json"]["notes"] = [
        "/srv/somebody/table.csv holds one",
        r"D:\games\somebody\table.csv too",
    ]
    page = page_of(tmp_path, files)
    assert "/srv" not in page.text and "somebody" not in page.text
    assert "game.py: the tuned weights are stronger than w.json" in page.section("h1")


def test_the_next_command_stands_after_the_reason_and_breaks_inside_no_option(tmp_path: Path) -> None:
    files = fixture.study()
    why = {"cause": "games", "sentence": "too few games", "command": "tunesmith run STUDY --max-pairs 9"}
    files["verdict.json"].update(outcome="not shown", reason=why)
    source = fixture.html_of(tmp_path, files)
    assert "Too few games. Next, with this study's folder as STUDY: tunesmith run" in Page(source).section(
        "header"
    )
    assert '<span class="unbroken">--max-pairs</span>' in source


def test_a_study_that_keeps_its_weights_says_so(tmp_path: Path) -> None:
    files = fixture.study()
    files["verdict.json"]["baseline"]["digest"] = fixture.CANDIDATE
    text = page_of(tmp_path, files).section("header")
    assert f"The study stays with the weights that it began with: {fixture.CANDIDATE[:12]}" in text


@pytest.mark.parametrize("why", ["search from the baseline", "proof"])
def test_a_study_that_fits_nothing_has_no_empty_sections(why: str, tmp_path: Path) -> None:
    files = {name: content for name, content in fixture.study().items() if not name.startswith("fit/")}
    del files["generations.json"]
    if why == "proof":
        files["study.json"]["pinned"] = {"digest of the candidate": fixture.CANDIDATE}
    else:
        files["study.json"]["config"]["search"] = {"trials": 9, "start": "baseline"}
        files["search/result.json"] = {"games": 5312}
    page = page_of(tmp_path, files)
    assert not {"weights", "fit", "games", "data", "positions"} & set(page.texts)
    assert "no weights have been fitted" not in page.text
    assert "not recorded" not in page.section("methods").partition("Versions")[0]
