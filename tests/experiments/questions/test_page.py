"""What pages say of figures: the words of the terminal, made of the figures beside them and of nothing else."""

from typing import Any

import pytest

from tunesmith.experiments.questions import page
from tunesmith.tuning.stats.elo import estimate, games_needed
from tunesmith.tuning.stats.words import judged

SIDE: dict[str, Any] = {
    "weights": "hand", "options": {}, "without": [], "stage": None, "limit": None, "book": None
}  # fmt: skip
BETTER, EVEN = [10, 60, 200, 130, 100], [5, 20, 30, 21, 5]


def match(*rows: dict[str, Any]) -> dict[str, Any]:
    """Return a match named `m` as an answer holds it."""
    common = {
        "first_player_share": 0.6, "first_player_half_width": 0.05, "result_shares": {"draw": 0.1},
        "mean_length": 50.0, "warnings": [],
    }  # fmt: skip
    return {"kind": "match", "name": "m", "figures": [{**common, **row} for row in rows]}


def said_of(first: dict[str, Any], second: dict[str, Any], *rows: dict[str, Any]) -> list[str]:
    settings = {"match": [{"name": "m", "first": {**SIDE, **first}, "second": {**SIDE, **second}}]}
    return page.sentences(match(*rows), settings)


def test_each_limit_of_a_match_is_judged_by_its_own_counts() -> None:
    rows = {"limit": "nodes:10", "counts": BETTER}, {"limit": "nodes:20", "counts": EVEN}
    first, second = said_of({"weights": "tuned"}, {"options": {"sort": 3}}, *rows)
    assert first == f"nodes:10: {judged('tuned', 'hand (sort=3)', estimate(BETTER), None, 0)}"
    needed = games_needed(EVEN)
    assert second == f"nodes:20: {judged('tuned', 'hand (sort=3)', estimate(EVEN), needed, 0)}"
    assert "is stronger than" in first and "not shown" in second


def test_a_player_against_itself_tells_what_moving_first_is_worth() -> None:
    assert said_of({}, {}, {"limit": "nodes:10", "counts": EVEN}) == [
        "nodes:10: whoever moves first scores more than half: 60.0 ± 5.0 %"
    ]


def test_a_side_is_named_by_all_that_sets_it_apart() -> None:
    side = {**SIDE, "options": {"sort": 3}, "without": ["tempo"], "stage": "ending", "limit": "nodes:9"}
    assert page.player_words(side) == "hand (sort=3, without tempo, ending throughout, nodes:9)"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"limit": "nodes:10"}, "-"),
        ({"limit": "time:0.1"}, "not recorded"),
        ({"limit": "time:0.1", "played_now": 400}, "1.2 on 2 cores"),
        ({"limit": "time:0.1", "played_now": 100}, "1.2 on 2 cores, 300 games of earlier runs"),
        ({"limit": "time:0.1", "played_now": 0}, "1.2 on 2 cores, all games of earlier runs"),
    ],
)
def test_a_figure_under_a_time_limit_says_its_load_and_when_it_was_played(
    row: dict[str, Any], said: str
) -> None:
    if "played_now" in row:
        row["load"] = {"games": 400, "mean": 1.2, "cores": 2, "workers": 1, "reserved": False}
    header, rows = page.table(match({"counts": BETTER, **row}))
    assert dict(zip(header, rows[0], strict=True))["load"] == said


def test_a_sentence_under_a_time_limit_says_the_load() -> None:
    busy = {"games": 400, "mean": 1.2, "cores": 2, "workers": 1, "reserved": True}
    row = {"limit": "time:0.1", "counts": BETTER, "load": busy, "played_now": 400}
    assert said_of({"weights": "tuned"}, {}, row)[0].endswith(" Elo (load 1.2 on 2 cores, a core reserved)")


def test_players_of_a_gauntlet_are_compared_with_one_by_the_games_of_the_two() -> None:
    pairings = [
        {"first": "a", "second": "b", "counts": BETTER},
        {"first": "b", "second": "c", "counts": BETTER},
    ]
    players = [{"name": name, "elo": 0.0, "low": -1.0, "high": 1.0} for name in "abc"]
    result = {"terms": {"limit": "nodes:10"}, "players": players, "pairings": pairings, "notes": []}
    part = {"kind": "gauntlet", "name": "g", "figures": [result]}
    settings = {"gauntlet": [{"name": "g", "players": ["a", "b", "c"], "against": "b"}]}
    up, down = page.sentences(part, settings)
    assert up.startswith("nodes:10: a is stronger than b") and down.startswith("nodes:10: c is weaker than b")


def searched(name: str, against: str, nodes: list[int], seconds: list[list[float]]) -> dict[str, Any]:
    return {
        "rung": name, "against": against, "nodes": sum(nodes), "seconds": 1.0, "first_cuts": None, "same": 3,
        "finished": True, "values": [0] * 3, "each": {"nodes": nodes, "seconds": seconds},
    }  # fmt: skip


def test_a_technique_saves_only_beyond_the_spread_of_positions_and_rounds() -> None:
    plain = searched("plain", "plain", [100, 200, 300], [[1.0, 2.0, 3.0]] * 4)
    fewer = searched("fewer", "plain", [50, 100, 151], [[1.0, 2.0, 3.0], [0.9, 2.1, 3.0]] * 2)
    more = searched("more", "fewer", [100, 201, 300], [[2.0, 4.0, 6.1]] * 4)
    first, second = page.sentences({"kind": "techniques", "name": "t", "figures": [plain, fewer, more]}, {})
    assert first.startswith("fewer, measured by plain: saves nodes: 0.502 (")
    assert "; not shown to save or cost CPU time: 1.000 (" in first
    assert second.startswith("more, measured by fewer: costs nodes: 1.99")
    assert "; costs CPU time: " in second


def test_a_study_is_judged_by_the_sentence_of_its_verdict() -> None:
    short = {"variation": "short", "seed": 1, "sentence": "it is not shown."}
    part = {"kind": "study", "name": "s", "figures": [short]}
    assert page.sentences(part, {}) == ["short: it is not shown."]


def of_seed(variation: str, seed: int, counts: list[int]) -> dict[str, Any]:
    """Return a study whose sequential test stopped at once and says nothing of the gain."""
    stopped = {"name": "main", "opponent": {"name": "hand"}, "limit": "nodes:1", "counts": [0, 0, 0, 0, 9]}
    run = stopped | {"name": "measure", "counts": counts}
    return {"variation": variation, "seed": seed, "sentence": "", "runs": [stopped, run]}


def test_variations_with_several_seeds_are_compared_seed_by_seed() -> None:
    """Each seed has a level of its own, which says nothing of the variations."""
    plain = [[0, 0, 50, 50, 0], [0, 0, 0, 100, 0], [0, 0, 90, 10, 0]]
    better = [[0, 0, 40, 60, 0], [0, 0, 0, 90, 10], [0, 0, 80, 20, 0]]
    figures = [of_seed("plain", at, own) for at, own in enumerate(plain, 1)]
    figures += [of_seed("mixed", at, own) for at, own in enumerate(better, 1)]
    figures += [of_seed("other", at, own) for at, own in enumerate(reversed(plain), 1)]
    header, rows = page.table({"kind": "study", "figures": figures})
    assert header == ["study", "seeds", "hand at nodes:1"]
    assert [row[:2] for row in rows] == [["plain", "3"], ["mixed", "3"], ["other", "3"]]
    assert rows[0][2] == rows[2][2] == "+99 ± 217"
    mixed, other = page.sentences({"kind": "study", "figures": figures}, {})
    assert mixed.startswith("mixed, beside plain: +") and mixed.endswith("Elo against hand at nodes:1: more")
    assert other.endswith("against hand at nodes:1: no difference is shown")


def test_a_page_and_the_overview_say_the_same() -> None:
    part = match({"limit": "nodes:10", "counts": BETTER})
    settings = {"match": [{"name": "m", "first": {**SIDE, "weights": "tuned"}, "second": SIDE}]}
    answer = {"question": "Is it?", "game": "kalah", "settings": settings, "parts": [part]}
    (claim,) = page.claims(answer)
    assert claim == f"- m: {page.sentences(part, settings)[0]}"
    assert f"- {page.sentences(part, settings)[0]}\n" in page.page(answer, "ask")


def test_a_model_of_the_opponent_is_compared_with_the_first_on_the_same_openings() -> None:
    rows = [
        {"model": name, "counts": [0, 0, 2, 2, 0] if name == "hand" else [0, 0, 0, 2, 2], "each": each}
        for name, each in (("hand", [1.0, 1.0, 1.5, 1.5]), ("other", [1.5, 1.5, 2.0, 2.0]))
    ]
    part = {"kind": "foresight", "name": "f", "figures": rows}
    settings = {"foresight": [{"name": "f", "first": SIDE, "second": {**SIDE, "weights": "other"}}]}
    said = page.sentences(part, settings)
    assert "hand, which expects moves by hand, and other" in said[0] and len(said) == 3
    assert said[2] == (
        "to expect moves by other instead of hand: +25.0 ± 0.0 of 100 points on the same openings: it helps"
    )
