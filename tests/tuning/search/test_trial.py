"""One running trial: chunk by chunk, waiting for its like, pruned when it has lost, over at its end."""

from typing import Any, cast

import numpy as np

from tests.support.made_up import HAND
from tunesmith.engine.weights import with_options
from tunesmith.games.errors import FaultError
from tunesmith.tuning.config import Search
from tunesmith.tuning.search.outcome import Outcome
from tunesmith.tuning.search.trial import FEW_PAIRS, RunningTrial

SEARCH = Search(trials=4, pairs=40, chunk=8, prune=0.05)


class Numbered:
    """A trial of which only its number is asked."""

    def __init__(self, number: int) -> None:
        self.number = number


def running(number: int = 0, best: Outcome | None = None, weights: Any = HAND) -> RunningTrial:
    return RunningTrial(cast(Any, Numbered(number)), weights, {}, best)


def scored(score: float, pairs: int) -> Outcome:
    """Return what a setting scored that makes the same in each pair."""
    return Outcome(("o",), np.full((1, pairs), score), np.zeros((1, pairs, 3), int), "")


def test_a_trial_plays_chunk_by_chunk_to_its_last_opening() -> None:
    one, asked = running(), []
    one.begin(4, SEARCH)
    while not one.is_over:
        asked.append(one.wanted)
        one.hear(scored(0.5, one.wanted))
    assert asked == [12, 20, 28, 36, 44]
    assert (one.first, one.last, one.is_pruned, one.failure) == (4, 44, False, None)


def test_where_openings_run_out_it_is_over() -> None:
    one = running()
    one.begin(0, SEARCH)
    assert not one.hear(scored(0.5, 8))
    assert one.hear(scored(0.5, 11)) and not one.is_pruned


def test_who_loses_to_the_best_is_pruned_but_not_after_a_few_pairs() -> None:
    one = running(best=scored(1.0, 40))
    one.begin(0, SEARCH)
    heard = 0
    while not one.is_over:
        heard = one.wanted
        one.hear(scored(0.0, heard))
    assert one.is_pruned and heard == FEW_PAIRS
    equal = running(best=scored(0.5, 40))
    equal.begin(0, SEARCH)
    while not equal.is_over:
        equal.hear(scored(0.5, equal.wanted))
    assert not equal.is_pruned


def test_without_pruning_a_loser_plays_to_its_end() -> None:
    one = running(best=scored(1.0, 40))
    one.begin(0, SEARCH.model_copy(update={"prune": 0.0}))
    while not one.is_over:
        one.hear(scored(0.0, one.wanted))
    assert not one.is_pruned and one.outcome is not None and one.outcome.pairs == 40


def test_a_fault_ends_it() -> None:
    one, fault = running(), FaultError("the game raised")
    one.begin(0, SEARCH)
    assert one.hear(fault) and one.failure is fault and one.outcome is None


def test_of_equal_settings_the_later_trial_waits() -> None:
    first, second = running(1), running(2)
    assert second.waits_for(first) and not first.waits_for(second)
    other = running(3, weights=with_options(HAND, {"aspiration": 77}))
    assert not other.waits_for(first)
