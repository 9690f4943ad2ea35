"""Tests with a limit end as foretold: a small form of experiments/proofs/capped_tests.py."""

import pytest

from tunesmith.experiments.proofs.capped_tests import is_as_foretold, main, simulated
from tunesmith.tuning.stats.sprt import Sprt, ends_within


@pytest.mark.parametrize("gain", [0.0, 50.0])
def test_tests_end_within_their_limit_as_foretold(gain: float) -> None:
    test, limits = Sprt(0, 50), (80, 160, 320)
    for limit, seen in zip(limits, simulated(test, gain, limits, tests=300, seed=1), strict=True):
        told = ends_within(test, limit, gain)
        assert seen.accepted == pytest.approx(told.accepted, abs=0.1)
        assert seen.rejected == pytest.approx(told.rejected, abs=0.1)
        assert told.accepted + told.rejected < 0.99  # the limit is felt


def test_the_command_prints_what_was_seen_beside_what_was_foretold(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--tests", "200", "--bounds", "0", "100", "--gains", "100", "--limits", "80"]) == 0
    assert "pairs accepts a gain of 100 in 90 % of tests" in capsys.readouterr().out


def test_what_is_foretold_allows_for_chance_and_a_step() -> None:
    assert is_as_foretold(0.68, 0.70, 10_000) and not is_as_foretold(0.6, 0.70, 10_000)
