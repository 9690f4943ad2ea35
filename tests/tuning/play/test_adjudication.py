"""Games decided by the players' scores: when, for whom, and how often that was wrong."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.small_matches import LIMIT, QUICK, hand, kalah, matchup, openings, play
from tunesmith.games.errors import InputError
from tunesmith.tuning.cli import run
from tunesmith.tuning.config import Adjudicate
from tunesmith.tuning.play import adjudication
from tunesmith.tuning.play.matchup import Noise, Opponent
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.store import read_games

RULE = Adjudicate(score=150.0, plies=3)
PAIRS = range(40)
HERE = Resources(1, "threads")
MATCHUP = matchup(adjudicate=RULE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play with adjudication."""
    path = tmp_path_factory.mktemp("decided")
    play(path, PAIRS, adjudicate=RULE)
    return path


@pytest.fixture(scope="module")
def undecided(tmp_path_factory: pytest.TempPathFactory) -> Games:
    """Play the same games to their ends."""
    path = tmp_path_factory.mktemp("undecided")
    play(path, PAIRS)
    return read_games(path)


def moves_of(games: Games, row: int) -> list[int]:
    """Return the moves of a game."""
    return list(games.moves[games.starts[row] : games.starts[row + 1]].tolist())


def end_by_rule(games: Games, row: int) -> tuple[int, int] | None:
    """Return after how many moves a game is decided, and for whom, by its scores alone (the slow twin).

    Without noise in mind: for games none of whose moves was random after the opening.
    """
    game, state = kalah(), kalah().initial()
    said: dict[int, list[float]] = {0: [], 1: []}
    scores = games.scores[games.starts[row] : games.starts[row + 1]]
    for at, (move, score) in enumerate(zip(moves_of(games, row), scores.tolist(), strict=True)):
        mover = game.mover(state)
        if not np.isnan(score):
            said[mover].append(score if mover == 0 else -score)
        state = game.apply_move(state, move)
        last = [said[player][-RULE.plies :] for player in (0, 1)]
        if all(len(own) == RULE.plies for own in last):
            for side in (1, -1):
                if all(side * value >= RULE.score for own in last for value in own):
                    return at + 1, side
    return None


def test_games_end_where_both_players_agreed_for_so_many_plies_each(tmp_path: Path) -> None:
    quiet: dict[str, Any] = {"noise": Noise(), "limit": "nodes:60"}
    play(tmp_path / "decided", PAIRS, adjudicate=RULE, **quiet)
    play(tmp_path / "whole", PAIRS, **quiet)
    decided, whole = read_games(tmp_path / "decided"), read_games(tmp_path / "whole")
    n_decided = 0
    for row in range(len(whole)):
        expected = end_by_rule(whole, row)
        if expected is None or expected[0] == len(moves_of(whole, row)):
            assert decided.end_reason[row] == whole.end_reason[row]
            assert moves_of(decided, row) == moves_of(whole, row)
        else:
            n_decided += 1
            assert decided.end_reason[row] == "adjudicated"
            assert decided.result[row] == expected[1]
            assert moves_of(decided, row) == moves_of(whole, row)[: expected[0]]
    assert n_decided > 10


def test_a_decided_game_is_the_beginning_of_the_whole_one(folder: Path, undecided: Games) -> None:
    games = read_games(folder)
    assert games.settings["adjudicate"] == [RULE.score, RULE.plies]
    for row in range(len(games)):
        own = moves_of(games, row)
        assert own == moves_of(undecided, row)[: len(own)]
        if games.end_reason[row] != "adjudicated":
            assert games.result[row] == undecided.result[row]


def test_adjudication_is_off_unless_asked_for(undecided: Games) -> None:
    assert not undecided.is_adjudicated.any()
    assert "adjudicate" not in undecided.settings


def test_decided_games_count_and_have_results(folder: Path) -> None:
    games = read_games(folder)
    summary = play(folder, PAIRS, adjudicate=RULE)
    assert summary.adjudicated == summary.ends["adjudicated"] == int(games.is_adjudicated.sum()) > 10
    assert set(games.result[games.is_adjudicated].tolist()) == {1, -1}


def test_the_audit_plays_the_sample_to_its_end(folder: Path) -> None:
    games = read_games(folder)
    found = adjudication.audit(folder, MATCHUP, 12, HERE)
    assert found.played == 12 and found.adjudicated == int(games.is_adjudicated.sum())
    wrong = 0
    for end in found.ends:
        row = int(np.flatnonzero((games.pair == end.pair) & (games.game == end.game))[0])
        assert games.end_reason[row] == "adjudicated"
        assert end.verdict == games.result[row]
        assert end.reason not in ("adjudicated", "capped")
        assert end.moves == len(moves_of(games, row)) <= end.moves_in_all
        wrong += end.result != end.verdict
    assert found.wrong == wrong == found.drawn + found.reversed
    assert found.low <= found.share == wrong / 12 <= found.high


def test_the_audit_is_the_same_for_any_workers_and_is_read_back(folder: Path, monkeypatch) -> None:
    (folder / adjudication.FILE).unlink(missing_ok=True)
    one = adjudication.audit(folder, MATCHUP, 8, HERE)
    (folder / adjudication.FILE).unlink()
    assert adjudication.audit(folder, MATCHUP, 8, Resources(2, "threads")) == one
    monkeypatch.setattr("tunesmith.tuning.play.adjudication.play_all", lambda *_: pytest.fail("played again"))
    assert adjudication.audit(folder, MATCHUP, 8, HERE) == one


def test_what_other_players_or_another_rule_left_is_played_again(folder: Path) -> None:
    adjudication.audit(folder, MATCHUP, 4, HERE)
    for other in (replace(MATCHUP, first=hand("hand-1")), replace(MATCHUP, limits=("nodes:7", LIMIT))):
        found = adjudication.audit(folder, other, 4, HERE)
        assert found.players == [other.first.digest, other.second.digest]
        assert found.limits == list(other.limits)


def test_wrong_verdicts_are_found(folder: Path, tmp_path: Path) -> None:
    games = read_games(folder)
    found = adjudication.audit(folder, MATCHUP, 1000, HERE)
    turned = games.table.set_column(
        games.table.schema.get_field_index("result"),
        "result",
        [[-r if r in (1, -1) else 0 for r in games.result]],
    )
    other = adjudication.audit(tmp_path, MATCHUP, 1000, HERE, Games(turned, games.settings))
    right = found.played - found.wrong
    assert other.reversed == right and other.drawn == found.drawn


def test_the_sample_follows_from_the_seed(folder: Path) -> None:
    games = read_games(folder)
    assert adjudication.sample(games, 5, 1) == adjudication.sample(games, 9, 1)[:5]
    assert adjudication.sample(games, 5, 1) != adjudication.sample(games, 5, 2)
    assert len(adjudication.sample(games, 1000, 1)) == int(games.is_adjudicated.sum())


def test_both_seats_of_a_pair_against_others_are_played_on_by_the_right_players(tmp_path: Path) -> None:
    opponents = (Opponent(hand("hand-1"), 0.5),)
    play(tmp_path, range(20), adjudicate=RULE, opponents=opponents)
    asked = []

    def listen(matches, *resources):
        for one in matches:
            players = one.matchup.first.digest, one.matchup.second.digest
            asked.append((*players, [pair.number for pair in one.pairs]))
        return audit_play(matches, *resources)

    audit_play = adjudication.play_all
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tunesmith.tuning.play.adjudication.play_all", listen)
        adjudication.audit(tmp_path, matchup(opponents=opponents, adjudicate=RULE), 1000, HERE)
    games = read_games(tmp_path)
    for first, second, rows in asked:
        assert set(games.table["first_weights"].to_numpy()[rows]) == {first}
        assert set(games.table["second_weights"].to_numpy()[rows]) == {second}
    assert len({(first, second) for first, second, _ in asked}) >= 3


@pytest.mark.parametrize(
    ("wrong", "played", "low", "high"), [(0, 100, 0.0, 0.0362), (5, 100, 0.0164, 0.1128), (3, 3, 0.2924, 1.0)]
)
def test_intervals_are_those_of_the_tables(wrong: int, played: int, low: float, high: float) -> None:
    found = adjudication.share_wrong(wrong, played)
    assert found == pytest.approx((wrong / played, low, high), abs=5e-5)


def test_nothing_played_says_nothing() -> None:
    assert adjudication.share_wrong(0, 0) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("rule", ["0:3", "-5:3", "100:-1", "inf:3", "high"])
def test_wrong_rules_are_refused(tmp_path: Path, rule: str, capsys) -> None:
    assert (
        run(
            [
                "selfplay",
                "kalah",
                *QUICK,
                "--pairs",
                "1",
                "--out",
                str(tmp_path / "new"),
                "--adjudicate",
                rule,
            ]
        )
        == 2
    )
    assert f"--adjudicate: expected SCORE:PLIES such as 1500:6, found {rule!r}" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_players_who_think_in_points_are_not_adjudicated(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="adjudicate: expected players whose scores are Elo"):
        play(tmp_path, range(1), adjudicate=RULE, options={"objective": "margin"})


def test_self_play_decides_and_audits_from_the_command_line(tmp_path: Path, capsys) -> None:
    quick = [*QUICK, "--pairs", "12", "--plies", "6"]
    arguments = ["selfplay", "kalah", *quick, "--out", str(tmp_path), "--adjudicate", "150:3", "--audit", "4"]
    assert run([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["audit"]["played"] == 4 and found["adjudicated"] == found["audit"]["adjudicated"]
    assert run(arguments) == 0
    assert "of 4 played on to the end" in capsys.readouterr().err
    assert run(["selfplay", "kalah", *quick, "--out", str(tmp_path / "new"), "--audit", "4"]) == 2
    assert "--audit 4: expected --adjudicate SCORE:PLIES with it, found none" in capsys.readouterr().err


def test_capped_games_have_no_result_and_are_counted(tmp_path: Path) -> None:
    summary = play(tmp_path, range(6), move_cap=12)
    games = read_games(tmp_path)
    assert summary.capped == 12 and summary.first_player_share is None
    assert games.table["result"].null_count == 12 and openings()[0].text in games.opening.tolist()
