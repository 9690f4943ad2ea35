"""Who judges games of two engines: our rules, or the engines themselves, which must agree."""

import pytest

from tests.support.ugi_study import BOOK, PILES, engine, games, study

__all__ = ["study"]  # fixtures


@pytest.mark.parametrize("rules", ["", PILES])
def test_a_match_without_and_with_our_rules_has_the_same_games(study, rules: str):
    code, found, _ = study(
        rules + "pairs = 5\n" + engine(skill=2, name="A") + engine(skill=0, name="B") + BOOK
    )
    assert code == 0 and found["pairs"] == 5 and found["summary"]["faults"] == 0
    rows = games()
    assert [(row["fen"], row["opening"]) for row in rows[::2]] == [
        ("", ["a1"]), ("", ["a2"]), ("3 5 0 1", []), ("4 4 1 1", []), ("", ["b1", "b1"]),
    ]  # fmt: skip
    for row in rows:
        start = [int(word) for word in row["fen"].split()[:3]] or [4, 5, 0]
        moves = [*row["opening"], *row["moves"]]
        assert sum(int(move[1]) for move in moves) == sum(start[:2])
        last = (start[2] + len(moves) - 1) % 2
        assert row["result"] == (1 if last == 0 else -1)
    assert found["counts"] == [0, 0, sum(found["counts"]), 0, 0] or sum(found["counts"]) == 5


@pytest.mark.parametrize(
    ("how", "reason", "detail"),
    [
        ("crash", "crash", "out of luck"),
        ("hang", "hang", "no answer to 'go nodes 9' in 1 s"),
        ("flood", "flood", "no answer"),
        ("none", "illegal move", "no move in a position where the game goes on"),
        ("illegal", "illegal move", "c7: Heap 1.0 says: illegal move c7"),
        ("turn", "disagreement", "p1 to move"),
        ("over", "disagreement", "over"),
        ("loser", "disagreement", "over, p1win"),
        ("babble", "nonsense", "'maybe' to 'query gameover', expected one of true, false"),
    ],
)
def test_faults_are_recorded_with_the_moves_and_in_no_score(study, how: str, reason: str, detail: str):
    code, found, _ = study("pairs = 1\n" + engine(name="A") + engine(how, name="B"),
                           "--set", "patience=1.0" if how == "hang" else "seed=1")  # fmt: skip
    assert code == 0
    faults = found["faults"]
    assert len(faults) == 2 and found["counts"] == [0] * 5 and found["summary"]["faults"] == 2
    for row in faults:
        assert row["end_reason"] == reason, row
        assert row["fault"] == (2 if reason == "disagreement" else row["names"].index("B"))
        assert row["moves"] or how == "babble"
    assert any(detail in row["detail"] for row in faults)


def test_our_rules_name_the_engine_that_breaks_them(study):
    _, found, _ = study(PILES + "pairs = 1\n" + engine(name="A") + engine("illegal", name="B") + BOOK)
    assert [row["end_reason"] for row in found["faults"]] == ["illegal move"] * 2
    assert [row["names"][row["fault"]] for row in found["faults"]] == ["B", "B"]
    assert "c7 in " in found["faults"][0]["detail"]


def test_random_openings_are_for_games_whose_rules_we_know(study):
    _, found, _ = study(PILES + "pairs = 4\n[openings]\nplies = 2\n" + engine() + engine(skill=3))
    assert len({tuple(row["opening"]) for row in games()}) == 4 == found["pairs"]
    assert all(len(row["opening"]) == 2 for row in games())


def test_the_same_game_again_counts_once(study):
    _, found, _ = study("pairs = 4\n" + engine(skill=2) + engine(skill=0))
    assert {row["fen"] for row in games()} == {""} and len(games()) == 8
    assert found["pairs"] == 1 and found["summary"]["distinct_games"] <= 2


def test_an_engine_of_an_unknown_game_must_be_one_that_can_be_asked(study):
    code, _, said = study(engine() + engine().replace("options", 'protocol = "uci"\noptions'))
    assert code == 2 and "protocol: expected ugi, as nobody else knows the rules" in said


def test_an_engine_that_says_nothing_is_refused(study):
    code, _, said = study("pairs = 1\n" + engine("mute") + engine(), "--set", "patience=0.5")
    assert code == 2 and "hang: no answer to 'ugi' in 0.5 s" in said
