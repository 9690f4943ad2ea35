"""The calibration chart shows every bin."""

import pytest

from tests.support import report_fixture as fixture

pytestmark = pytest.mark.pages


def test_every_bin_is_drawn(html: str) -> None:
    """Calibration shows predicted and actual result and size of each bin."""
    for row in fixture.study()["fit/gen-2.json"]["calibration"]:
        assert f"predicted {row['predicted']:.3f}, actual {row['actual']:.3f}" in html
