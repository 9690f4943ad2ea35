"""Search options on the command line: of one position, of each player of a match, of a person's opponent."""

import json

import pytest

from tests.support.searching import all_as_python
from tunesmith import games
from tunesmith.engine.weights import load
from tunesmith.games.errors import InputError
from tunesmith.tuning.cli import run
from tunesmith.tuning.config import parse_options
from tunesmith.tuning.play.matchup import Matchup


def test_options_are_read_by_their_kinds() -> None:
    found = parse_options("algorithm=uct, rollouts=30,proofs=false")
    assert found == {"algorithm": "uct", "rollouts": 30, "proofs": False}
    assert parse_options("") == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("algorithm", "expected key=value"),
        ("rollouts=1,rollouts=2", "each key once"),
        ("algoritm=uct", "did you mean 'algorithm'?"),
        ("algorithm=mcts", "expected one of alphabeta, uct"),
        ("rollouts=-3", "expected a whole number"),
        ("proofs=1", "expected true or false"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str) -> None:
    with pytest.raises(InputError, match="--options: ") as caught:
        parse_options(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["probe", "kalah", "--limit", "simulations:5"], "for alphabeta, found 'simulations:5'"),
        (["probe", "kalah", "--options", "joint=matrix"], "kalah has no simultaneous choices"),
        (
            ["match", "kalah", "hand@x=1", "hand"],
            "player 'hand@x=1': unknown search option 'x'",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(arguments: list[str], words: str, capsys) -> None:
    assert run(arguments) == 2
    assert words in capsys.readouterr().err


def test_a_position_is_searched_as_asked(capsys) -> None:
    arguments = ["probe", "kalah", "--options", "algorithm=uct,rollouts=50", "--limit", "simulations:40"]
    with all_as_python():
        assert run([*arguments, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["search"]["simulations"] == 40
        assert found["search"]["line"][0] == found["best_move"]
        assert run(arguments) == 0
    assert ", 40 simulations)" in capsys.readouterr().out


def test_players_of_a_match_search_and_stop_each_in_its_own_way(capsys) -> None:
    players = ["hand@algorithm=uct", "hand@limit=nodes:50"]
    arguments = ["match", "kalah", *players, "--pairs", "2", "--plies", "6", "--backend", "threads"]
    with all_as_python():
        assert run([*arguments, "--jobs", "1", "--limit", "simulations:20", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["limit"], found["second_limit"]) == ("simulations:20", "nodes:50")
    assert found["first"]["options"] == {"algorithm": "uct"}
    assert found["first"]["digest"] != found["second"]["digest"]
    assert sum(found["counts"]) == 2


def test_equal_players_who_draw_are_no_mirror() -> None:
    """Two games of one pair differ then, without any noise."""
    weights = load("hand", games.load("kalah"))
    limits = "nodes:50", "nodes:50"
    assert Matchup("kalah", weights, weights, limits, 1).is_mirror
    assert Matchup("kalah", weights, weights, limits, 1, options={"algorithm": "uct"}).is_mirror
    drawing = {"algorithm": "uct", "rollouts": 10}
    assert not Matchup("kalah", weights, weights, limits, 1, options=drawing).is_mirror
