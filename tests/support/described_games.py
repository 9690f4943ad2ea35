"""Fixtures: games of Kalah, the rows that a fit makes of them, and what is said of these."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.chosen_rows import rows_of
from tests.support.small_matches import kalah, openings, play
from tunesmith.tuning.data.dataset import Dataset
from tunesmith.tuning.data.facts import dataset_facts
from tunesmith.tuning.documents.data import DatasetFacts
from tunesmith.tuning.play.matchup import Noise
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.store import read_games


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play games of Kalah."""
    found = tmp_path_factory.mktemp("games")
    play(found, range(40), openings=openings(60, 3), noise=Noise(0.05, 20))
    return found


@pytest.fixture(scope="module")
def games(folder: Path) -> Games:
    return read_games(folder)


@pytest.fixture(scope="module")
def data(games: Games) -> Dataset:
    return rows_of(kalah(), games, positions_per_game=1000, max_score=400.0)


@pytest.fixture(scope="module")
def made(data: Dataset) -> DatasetFacts:
    return dataset_facts(data, 30)


@pytest.fixture(scope="module")
def facts(made: DatasetFacts) -> dict[str, Any]:
    """Return what stands in a file."""
    return made.content()
