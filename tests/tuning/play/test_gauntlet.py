"""Gauntlets: common openings, ratings and pairings, adding players later, refusals."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.naive.formulas import pair_counts
from tests.support.listening import Listening
from tests.support.small_matches import digests, matchup, openings
from tests.support.small_matches import play as play_one
from tunesmith.engine.book import Book
from tunesmith.games import registry
from tunesmith.games.errors import InputError, StudyError
from tunesmith.tuning.documents.tournaments import GauntletResult
from tunesmith.tuning.play import gauntlet, selfplay, store
from tunesmith.tuning.play.backends import Backend, open_backend
from tunesmith.tuning.play.gauntlet import Terms
from tunesmith.tuning.play.matchup import FolderMatch
from tunesmith.tuning.play.pool import Pool
from tunesmith.tuning.play.rating import Scale
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.summary import pair_results

TERMS = Terms("kalah", pairs=6, limit="nodes:40", plies=6, hash_mb=1)
QUICK = Scale(resamples=50)
NAMES = ["hand", "random", "greedy@limit=depth:1"]


def play(
    folder: Path | None, names: list[str] = NAMES, terms: Terms = TERMS, scale: Scale = QUICK
) -> GauntletResult:
    return gauntlet.run(terms, names, scale, folder, Resources(1, "threads"))


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("gauntlet") / "g"
    play(folder)
    return folder


def test_everybody_meets_everybody_on_the_same_openings(kept: Path) -> None:
    found = json.loads((kept / "gauntlet.json").read_text())
    assert [(row["first"], row["second"]) for row in found["pairings"]] == [
        ("hand", "random"),
        ("hand", NAMES[2]),
        ("random", NAMES[2]),
    ]
    openings = [store.read_games(folder).opening.tolist() for folder in sorted((kept / "games").iterdir())]
    assert len(openings) == 3 and openings[0] == openings[1] == openings[2]
    assert all(row["pairs"] == 6 and row["games"] == 12 for row in found["pairings"])


def test_the_table_adds_up(kept: Path) -> None:
    found = json.loads((kept / "gauntlet.json").read_text())
    players = {one["name"]: one for one in found["players"]}
    assert found["players"][-1]["name"] == "random"
    assert sum(one["wins"] for one in players.values()) == sum(one["losses"] for one in players.values())
    for one in players.values():
        assert one["games"] == one["wins"] + one["draws"] + one["losses"] == 24
        assert one["low"] <= one["elo"] <= one["high"]
    assert sum(one["elo"] for one in players.values()) == pytest.approx(0, abs=1e-6)
    hand = sum(row["score"] * row["games"] for row in found["pairings"] if row["first"] == "hand")
    assert players["hand"]["score"] == pytest.approx(hand / 24)
    assert players[NAMES[2]]["limit"] == "depth:1" and players["hand"]["limit"] == "nodes:40"


def test_all_pairings_share_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a cluster is busy until the last pairing ends."""
    opened: list[tuple[str, int]] = []

    def open_once(name: str, jobs: int) -> Backend:
        opened.append((name, jobs))
        return open_backend(name, jobs)

    monkeypatch.setattr("tunesmith.tuning.play.pool.open_backend", open_once)
    assert len(play(None).pairings) == 3
    assert opened == [("threads", 1)]


def test_each_pairing_has_a_pace_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players may have other limits, and a slow pairing after a quick one does not hang."""
    paces: list[object] = []
    add = Pool.add

    def note(pool: Pool, *words: Any, pace: object = None) -> None:
        paces.append(pace)
        add(pool, *words, pace=pace)

    monkeypatch.setattr(Pool, "add", note)
    play(None)
    assert len(set(paces)) == 3


def test_the_next_match_begins_before_one_ends(tmp_path: Path) -> None:
    """What is there is not begun, and each folder has the files that it would have alone."""
    told: list[tuple[str, int]] = []
    listener = Listening(lambda what, done, _: told.append((what, done)))
    pairs = range(10)
    alone = play_one(tmp_path / "alone", pairs)
    matches = [FolderMatch(matchup(), openings(), pairs, tmp_path / name) for name in ("a", "alone", "b")]
    assert selfplay.play_together(matches, Resources(2, "threads", listener)) == [alone] * 3
    assert told.index(("b", 0)) < told.index(("a", 10)) and "alone" not in {name for name, _ in told}
    assert digests(tmp_path / "a") == digests(tmp_path / "b") == digests(tmp_path / "alone")


def test_what_is_played_is_not_played_again(kept: Path, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in kept.rglob("*.parquet")}
    play(kept, [*NAMES, "random@limit=depth:2"], replace(TERMS, pairs=7))
    assert len(list((kept / "games").iterdir())) == 6
    found = json.loads((kept / "gauntlet.json").read_text())
    assert all(row["pairs"] == 7 for row in found["pairings"])
    again = play(None, [*NAMES, "random@limit=depth:2"], replace(TERMS, pairs=7))
    assert again.content() == found  # the same numbers as in one go
    assert GauntletResult.read(kept / "gauntlet.json").content() == found
    assert set(before) <= set(kept.rglob("*.parquet"))


def test_other_terms_are_refused_with_a_list(kept: Path) -> None:
    with pytest.raises(StudyError, match=r"other settings.*\n  seed: stored 1, now 2"):
        play(kept, terms=replace(TERMS, seed=2))


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("x")
    with pytest.raises(StudyError, match=r"holds files but no terms\.json"):
        play(tmp_path)


def test_cells_know_who_moved_first(kept: Path) -> None:
    games = store.read_games(min((kept / "games").iterdir()))
    cells = gauntlet.pair_cells(games)
    both = np.zeros((2, 2, 3, 3))
    both[0, 1] = cells
    assert pair_counts(both, 0, 1) == list(pair_results(games).counts)
    first = games.result[games.game == 0]
    assert cells.sum(axis=1).tolist() == [int((first == value).sum()) for value in (-1, 0, 1)]
    second = -games.result[games.game == 1]
    assert cells.sum(axis=0).tolist() == [int((second == value).sum()) for value in (-1, 0, 1)]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["hand"], "players: expected two or more, found 1"),
        (["hand", "hand"], "'hand' and 'hand' are the same player"),
        (["hand", "hand@limit=nodes:40"], "are the same player"),
        (["hand", "hand@sort"], "player 'hand@sort': expected key=value"),
        (["hand", "hand@srot=3"], "did you mean 'sort'?"),
        (["hand", "random@sort=3"], "a simple player takes no search options"),
        (["hand", "hand@limit=5"], "limit: expected"),
        (["hand", "nobody"], "weights 'nobody'"),
        (["hand", "hand-1@book=nowhere.json"], "nowhere.json"),
    ],
)
def test_wrong_players_are_refused_in_one_line(names: list[str], words: str) -> None:
    with pytest.raises(InputError) as caught:
        gauntlet.read_entrants(TERMS, names, registry.load("kalah"))
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_options_books_and_limits_are_a_players_own() -> None:
    entrants = gauntlet.read_entrants(TERMS, ["hand", "hand@sort=3,limit=nodes:90"], registry.load("kalah"))
    assert entrants[1].weights.options["sort"] == 3 and entrants[1].limit == "nodes:90"
    assert entrants[0].limit == "nodes:40" and entrants[0].key != entrants[1].key
    assert replace(entrants[0], book=Book("kalah", {}, 4, ())).key != entrants[0].key


def test_limits_in_time_have_a_note_of_the_load(kept: Path) -> None:
    timed = play(None, ["hand", "hand-1"], replace(TERMS, pairs=1, limit="time:0.001"))
    assert any(note.startswith("load of the machine: ") for note in timed.notes)
    assert "load of the machine" not in (kept / "gauntlet.json").read_text()
