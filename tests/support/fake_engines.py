"""Fake engines of chess, started and closed."""

import sys
from pathlib import Path

import pytest

from tunesmith.tuning.external.engine import Engine

FAKE = (sys.executable, str(Path(__file__).with_name("fake_engine.py")))


def start(*how: str, patience: float = 10.0, margin: float = 1.0) -> Engine:
    return Engine((*FAKE, *how), patience, margin)


@pytest.fixture
def engines():
    """Fake engines by how they behave, closed in the end."""
    made: list[Engine] = []

    def make(*how: str, **more: float) -> Engine:
        made.append(start(*how, **more))
        return made[-1]

    yield make
    for engine in made:
        engine.close()
