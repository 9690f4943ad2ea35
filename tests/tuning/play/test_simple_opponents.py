"""`random` and `greedy` as opponents: in matches, in studies, against a person, never changed in passing."""

import json

import pytest

from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player
from tunesmith.games.errors import InputError
from tunesmith.tuning.cli import run
from tunesmith.tuning.cli.human import play
from tunesmith.tuning.config import Range, Search, StudyConfig
from tunesmith.tuning.pipeline.context import load_players
from tunesmith.tuning.play.match import judge
from tunesmith.tuning.play.matchup import Matchup
from tunesmith.tuning.search.space import build_space

KALAH = games.load("kalah")
MATCH = [
    "--pairs",
    "3",
    "--plies",
    "6",
    "--backend",
    "threads",
    "--jobs",
    "1",
    "--limit",
    "nodes:40",
    "--json",
]


def study(**settings: object) -> StudyConfig:
    return StudyConfig.model_validate({"name": "s", "game": "kalah", **settings})


def test_they_play_matches_by_name(capsys) -> None:
    assert run(["match", "kalah", "random", "kalah/greedy", *MATCH]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["first"]["options"] == {"algorithm": "random"}
    assert found["second"]["options"] == {"max_depth": 1}
    assert sum(found["counts"]) == 3 and found["estimate"]["score"] < 0.5


def test_a_match_of_random_with_itself_is_no_mirror() -> None:
    chance = weight_files.load("random", KALAH)
    assert not Matchup("kalah", chance, chance, ("nodes:9", "nodes:9"), 1).is_mirror


def test_options_of_a_study_do_not_make_them_stronger() -> None:
    opponents = {"opponents": ["random", "greedy", "hand-1"]}
    team = load_players(study(options={"sort": 2, "algorithm": "uct"}, verify=opponents))
    assert [weights.options for _, weights in team.verify_opponents[:2]] == [
        {"algorithm": "random"},
        {"max_depth": 1},
    ]
    assert team.verify_opponents[2][1].options["sort"] == team.baseline.options["sort"] == 2
    chance = team.verify_opponents[0][1]
    limits = "nodes:9", "nodes:9"
    matchup = Matchup("kalah", chance, team.baseline, limits, 1, options={"algorithm": "alphabeta"})
    assert [matchup.search_options(player).kind for player in (0, 1)] == ["random", "alphabeta"]


def test_they_are_no_baseline() -> None:
    with pytest.raises(InputError, match="baseline: expected weights to improve, found .* 'greedy'"):
        load_players(study(baseline="greedy"))


@pytest.mark.parametrize("command", ["match", "probe"])
def test_they_take_no_options_from_the_command_line(command: str, capsys) -> None:
    asked = {
        "match": ["match", "kalah", "random@sort=3", "hand", *MATCH],
        "probe": ["probe", "kalah", "--weights", "greedy", "--options", "max_depth=3"],
    }
    assert run(asked[command]) == 2
    assert "a simple player takes no search options" in capsys.readouterr().err


def test_a_blind_player_does_not_judge_openings() -> None:
    chance, greedy, other = (weight_files.load(name, KALAH) for name in ("random", "greedy", "hand-1"))
    assert judge(KALAH, chance, other) is other
    assert judge(KALAH, chance, greedy).digest == weight_files.load("hand", KALAH).digest


def test_a_search_does_not_tune_towards_chance() -> None:
    space = build_space(KALAH, weight_files.load("hand", KALAH), Search(space={"algorithm": Range()}), None)
    assert space.parameters[0].choices == ("alphabeta", "uct")


def test_a_probe_shows_what_they_would_play(capsys) -> None:
    assert run(["probe", "kalah", "--weights", "random", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["weights"] == "random" and found["search"]["nodes"] == 0


def test_a_person_is_told_that_a_move_is_drawn() -> None:
    said: list[str] = []
    lines = iter(["1", "quit"])
    chance = weight_files.load("random", KALAH)
    play(lambda: Player(KALAH, chance, parse_limit("nodes:9")), 1, ask=lambda _: next(lines), say=said.append)
    assert any(line.startswith("Engine: ") and line.endswith("(drawn at random)") for line in said)
