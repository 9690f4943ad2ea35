"""Features of a Kalah position (first version)."""

from typing import Any

from games.game import State
from games.kalah.rules import BANK

FEATURES_WANTED = -1

MEANINGS = {"bank": "seeds banked, own minus opponent's"}


def features(state: State, out: Any) -> None:
    """Write the numbers."""
    out[0] = float((state[0] >> BANK) - (state[1] >> BANK))
