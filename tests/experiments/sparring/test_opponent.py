"""What games against one opponent amount to."""

from tunesmith.experiments.sparring.opponent import Played, different, page_of, tally


def game(result: int | None, *moves: str, we_begin: bool = True, fault: str | None = None) -> Played:
    return Played(we_begin, 1, list(moves), result, "crash" if fault else "over", fault, [2.0, 30.0])


def test_the_same_moves_count_once_unless_the_other_began() -> None:
    played = [game(1, "a"), game(1, "a"), game(-1, "a", we_begin=False), game(1, "a", "b")]
    assert [one.moves for one in different(played)] == [["a"], ["a"], ["a", "b"]]
    assert tally(played)["played"] == 4


def test_faults_are_told_and_in_no_score() -> None:
    found = tally(
        [game(1, "a"), game(0, "b"), game(None, "c", fault="theirs"), game(None, "d", fault="ours")]
    )
    assert (found["won"], found["drawn"], found["lost"], found["points"], found["games"]) == (1, 1, 0, 1.5, 2)
    assert found["faults"] == ["ours: crash", "theirs: crash"]


def test_points_have_an_interval_between_none_and_all() -> None:
    found = tally([game(1, str(number)) for number in range(20)])
    low, high = found["interval"]
    assert 15 < low < 20 and high == 20
    assert tally([])["interval"] == [0, 0]


def test_the_page_tells_who_was_played_and_who_was_not() -> None:
    one = {
        "game": "kalah",
        "opponent": "somebody/x",
        "limit": "movetime:500",
        "command": "play",
        "commit": "c",
        "seed": 1,
    }
    page = page_of({
        "a": one | tally([game(1, "a"), game(None, "c", fault="theirs")]),
        "b": {"game": "fanorona", "opponent": "n/m", "why": "no server"},
        "c": one | {"weights": "hand-1"} | tally([game(0, "a")]),
    })  # fmt: skip
    assert "| kalah | somebody/x | movetime:500 | 1 | 1 | 0 | 0 | 1 (" in page
    assert "| kalah, weights hand-1 | somebody/x | movetime:500 | 1 | 0 | 1 | 0 |" in page
    assert " of 1 | 1 theirs: crash | 2.0, 30.0 |" in page
    assert "- fanorona, n/m: no server" in page
    assert "- `play` (commit c, seeds from 1)" in page
