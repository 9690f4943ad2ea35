"""A match from a line of Python: the same games and figures as the command, shown as text and as a table."""

import json
from pathlib import Path

import pytest

from tunesmith import load_game, load_weights, match
from tunesmith.games.errors import InputError
from tunesmith.tuning.cli import run

HOW = {"pairs": 4, "limit": "depth:1", "seed": 3, "plies": 4, "max_score": 500.0, "jobs": 1}


@pytest.fixture(scope="module")
def played():
    return match("kalah", "tuned", "hand", **HOW)


def test_it_is_the_match_of_the_command(played, capsys):
    command = (
        "match kalah tuned hand --pairs 4 --limit depth:1 --seed 3 --plies 4 --max-score 500 --jobs 1 --quiet"
    )
    assert run([*command.split(), "--json"]) == 0
    assert played.result.content() == json.loads(capsys.readouterr().out)
    assert run(command.split()) == 0
    assert repr(played) == capsys.readouterr().out.strip()


def test_figures_are_of_the_first_named(played):
    e = played.result.estimate
    assert (played.score, played.elo, played.interval) == (e.score, e.elo, (e.elo_low, e.elo_high))
    assert played.outcome in ("stronger", "weaker", "not shown")
    page = played._repr_html_()
    assert "<table>" in page and " ".join(map(str, played.result.counts)) in page


def test_the_games_are_a_frame_and_can_be_played_again(played):
    games = played.games()
    assert list(games.index.names) == ["pair", "game"] and len(games) == 8
    assert set(games["first"]) == {"tuned", "hand"} and games["result"].dtype == "Int8"
    first = games.loc[(0, 0)]
    board = played.board(*games.index[0])
    assert board.is_over and board.result == first["result"] and len(board.moves) == first["plies"]
    assert " ".join(board.notation[: first["opening_plies"]]) == first["opening"]
    points = [(1 + row["result"] * (1 if row["first"] == "tuned" else -1)) / 2 for _, row in games.iterrows()]
    assert sum(points) / len(points) == pytest.approx(played.score)


def test_games_are_kept_where_one_says_and_gone_on_with(tmp_path: Path):
    heard: list[tuple[str, int, int]] = []
    kept = match(load_game("kalah"), load_weights("kalah/hand"), "random", out=tmp_path / "mine",
                 progress=lambda *told: heard.append(told), **{**HOW, "pairs": 2})  # fmt: skip
    assert kept.folder == tmp_path / "mine" and list(kept.folder.glob("shard-*.parquet"))
    assert heard[-1] == ("hand - random", 2, 2)
    more = match("kalah", "hand", "random", out=tmp_path / "mine", **{**HOW, "pairs": 3})
    assert more.games().iloc[:4].equals(kept.games().iloc[:4])


def test_two_players_of_one_name_are_told_apart():
    """By how they were written: equal weights have one digest."""
    played = match("kalah", "hand@limit=nodes:30", "hand", **{**HOW, "pairs": 2})
    games = played.games()
    assert games["first"].tolist() == ["hand@limit=nodes:30", "hand"] * 2
    assert games["second"].tolist() == ["hand", "hand@limit=nodes:30"] * 2
    assert set(match("kalah", "hand", "hand", **{**HOW, "pairs": 1}).games()["first"]) == {"hand"}


def test_a_player_is_written_as_for_the_commands():
    found = match("kalah", "hand@max_depth=1,limit=nodes:9", "random", **HOW).result
    assert (found.limit, found.second_limit) == ("nodes:9", "depth:1")
    assert found.first.name == "hand" and found.first.options["max_depth"] == 1
    with pytest.raises(InputError, match="max_dept"):
        match("kalah", "hand@max_dept=1", "random", **HOW)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"limit": "node:5"}, "limit: expected depth:N"),
        ({"pairs": 0}, "pairs"),
        ({"seed": -1}, "seed"),
        ({"limits": "nodes:5"}, "match: limits: expected one of limit, seed"),
        ({"openings": "nowhere.txt"}, "nowhere.txt"),
    ],
)
def test_what_is_wrong_is_said_before_the_first_game(wrong, words):
    with pytest.raises(InputError, match=words):
        match("kalah", "hand", "hand-1", **{**HOW, **wrong})
