"""Many games, read in turn: the same figures as at once, and some whole pairs whatever the blocks are."""

from collections.abc import Iterator

import numpy as np
import pytest

from tests.support.games_by_hand import even, games_of
from tunesmith.tuning.data.source import Source, sample
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.summary import summarise

PAIRS = 500


@pytest.fixture(scope="module")
def games() -> Games:
    return games_of(even(PAIRS))


def blocks(games: Games, size: int) -> Iterator[Games]:
    return (games.take(np.arange(at, min(at + size, len(games)))) for at in range(0, len(games), size))


def test_all_games_are_known_however_they_are_read(games: Games) -> None:
    whole, parts = Source.of([games]), Source.of(blocks(games, 128))
    assert dict(summarise(parts.outline)) == dict(summarise(whole.outline)) == dict(summarise(games))
    assert (parts.openings, parts.plies, parts.players) == (whole.openings, whole.plies, whole.players)
    assert len(whole.outline) == 2 * PAIRS and whole.outline.reasons == parts.outline.reasons


@pytest.mark.parametrize("size", [2, 64, 2 * PAIRS])
def test_of_many_games_some_whole_pairs_are_kept_the_same_for_any_blocks(games: Games, size: int) -> None:
    kept, source = sample(blocks(games, size), 40)
    assert len(np.unique(kept.pair)) == 40 and len(kept) == 80 and len(source.outline) == 2 * PAIRS
    assert kept.pair.tolist() == sample([games], 40)[0].pair.tolist() == sorted(kept.pair.tolist())
    assert kept.settings == games.settings


def test_a_larger_sample_holds_the_smaller_and_few_games_are_all_kept(games: Games) -> None:
    small, large, whole = (sample(blocks(games, 64), most)[0] for most in (10, 100, PAIRS))
    assert set(small.pair.tolist()) < set(large.pair.tolist())
    assert whole.pair.tolist() == games.pair.tolist()


def test_what_is_held_meanwhile_is_bounded(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    held = []

    def joined(parts: list[Games]) -> Games:
        held.append(sum(map(len, parts)))
        return parts[0]

    monkeypatch.setattr(Games, "joined", staticmethod(joined))
    sample(blocks(games, 16), 10)
    assert held[0] <= 2 * 10
