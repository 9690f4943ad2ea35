"""The words of an agent's folder."""

import pytest

from tests.support.toys import piles
from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.limits import parse_limit
from tunesmith.tuning.export.agent.readme import REFEREES, heading, readme


@pytest.mark.parametrize("name", ["kalah", *REFEREES])
def test_the_page_says_what_plays_and_how_it_is_asked(name: str) -> None:
    game = games.load(name)
    hand = weight_files.load("hand", game)
    text = readme(game, hand, parse_limit("nodes:60"), "agent_x", needs_numpy=False, hash_mb=4)
    for words in (hand.digest, "Limit: `nodes:60`", "Table: 4 MiB", "`python agent_x`", "nothing else"):
        assert words in text
    assert f"    state {game.state_to_text(game.initial())}\n" in text
    assert (
        ("python -m referee agent_x" in text)
        == ("draws by it, so that games differ" in text)
        == (name in REFEREES)
    )
    assert hand.digest[:12] in heading(game, hand) and "\n" not in heading(game, hand)


def test_needs_clock_and_variant_are_told() -> None:
    game = games.load("expendibots")
    hand = weight_files.load("hand", game)
    text = readme(game, hand, parse_limit("game-time:60"), "a", needs_numpy=True, hash_mb=4)
    assert "Python 3.6 or newer and numpy" in text and "Of the 60 seconds it plans with 95%" in text
    small = games.load("kalah:ponds=4,seeds=3")
    chance = weight_files.load("random", small)
    told = readme(small, chance, parse_limit("nodes:5"), "a", needs_numpy=False, hash_mb=1)
    assert "ponds=4, seeds=3" in told and "algorithm=random" in told


def test_a_game_of_ones_own_has_no_referee() -> None:
    game = piles()
    text = readme(
        game, weight_files.load("random", game), parse_limit("nodes:5"), "a", needs_numpy=False, hash_mb=1
    )
    assert "referee" not in text and "    state 4 5 0 0" in text
