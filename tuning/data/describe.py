"""Which positions would a study, or a folder of games, teach from, and what do they look like?

The same selection as before a fit, described without fitting: for a study its own games and settings, for a folder of
games the defaults or what the caller changes. Of many games the positions of some pairs are described (`source`): that
takes the same memory for any number of games."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tunesmith.engine.weights import Weights
from tunesmith.games import registry as game_registry
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game
from tunesmith.tuning.config import GameFitOptions
from tunesmith.tuning.data.dataset import Dataset, build_rows
from tunesmith.tuning.data.facts import dataset_facts
from tunesmith.tuning.data.source import sample
from tunesmith.tuning.documents.data import DescribedDataset
from tunesmith.tuning.play import store
from tunesmith.tuning.play.player import read_weights
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.settings_file import changed
from tunesmith.tuning.study import stored_config

MOST_PAIRS = 20_000  # whose positions are described
COLUMNS = (
    "feature",
    "stage",
    "rows",
    "pairs",
    "not_zero",
    "mean",
    "spread",
    "least",
    "greatest",
    "correlation",
)


def describe(
    where: Path, changes: Iterable[str] = (), weights: str | None = None, game: str | None = None
) -> DescribedDataset:
    """Return the facts of a study's or a folder's positions, with the settings that chose them.

    changes: `key=value` of the section [fit]. weights: judge what has no score, else a study's baseline or `hand`.
    game: where the file of a folder's game lies, which the folder does not say.
    """
    found = _Asked.of(where, changes, weights, game)
    looked = [sample(found.blocks(at), MOST_PAIRS // len(found.folders)) for at in range(len(found.folders))]
    played, sources = (
        [games for games, _ in looked if len(games)],
        [source for games, source in looked if len(games)],
    )
    data = found.rows(played)
    n_pairs = sum(len(np.unique(games.pair)) for games in played)
    of_pairs = sum(len(np.unique(source.outline.pair)) for source in sources)
    facts = dataset_facts(data, found.settings.min_rows * n_pairs / of_pairs, sources)
    more: dict[str, Any] = {}
    if n_pairs < of_pairs:
        said = (
            f"positions, and what became of them, are those of {n_pairs:,} of {of_pairs:,} pairs, chosen by a hash; "
            "results and lengths are those of all games"
        )
        more = {"notes": [said, *facts.notes], "of_pairs": of_pairs}
    return DescribedDataset(**dict(facts) | more, settings=found.settings.model_dump(mode="json"))


def load(
    where: Path, changes: Iterable[str], weights: str | None, game: str | None = None
) -> tuple[Dataset, GameFitOptions]:
    """Return the positions of a study or a folder of games."""
    found = _Asked.of(where, changes, weights, game)
    played = [Games.joined(found.blocks(at)) for at in range(len(found.folders))]
    return found.rows([games for games in played if len(games)]), found.settings


class _Asked(NamedTuple):
    """Folders of games, oldest first, and how their positions are chosen."""

    where: Path
    folders: list[Path]
    game: Game
    settings: GameFitOptions
    judge: Weights
    seed: int

    @staticmethod
    def of(where: Path, changes: Iterable[str], weights: str | None, game: str | None) -> _Asked:
        """Look at a study or a folder of games."""
        if not where.is_dir():
            kind = "a file" if where.exists() else "nothing there"
            raise InputError(f"{where}: expected the folder of a study or of games, found {kind}")
        if (where / "study.json").is_file():
            return _of_study(where, changes, weights)
        return _of_games(where, changes, weights, game)

    def blocks(self, at: int) -> Iterator[Games]:
        """Yield the games of a folder, a block at a time."""
        return store.read_blocks(self.folders[at], generation=at)

    def rows(self, played: list[Games]) -> Dataset:
        """Return the positions of games; raises StudyError if there are none."""
        if not played:
            raise StudyError(f"{self.where}: no games yet")
        return build_rows(self.game, played, self.settings, self.judge, self.seed)


def _of_study(root: Path, changes: Iterable[str], weights: str | None) -> _Asked:
    config = stored_config(root)
    game = game_registry.load(config.game)
    settings = changed(config.fit, "fit", changes)
    folders = sorted((root / "games").glob("gen-*"), key=lambda folder: int(folder.name.removeprefix("gen-")))
    judge = read_weights(weights or config.baseline, game, allow_variant=True)
    return _Asked(root, folders, game, settings, judge, config.seed)


def _of_games(folder: Path, changes: Iterable[str], weights: str | None, spec: str | None) -> _Asked:
    first = next(store.read_blocks(folder), None)
    if first is None or not len(first):
        raise InputError(
            f"{folder}: expected a study.json or files of games (shard-*.parquet), found neither"
        )
    game = game_registry.load(spec_of(folder, str(first.settings.get("game")), spec))
    settings = changed(GameFitOptions(), "fit", changes)
    judge = read_weights(weights or "hand", game, allow_variant=True)
    return _Asked(folder, [folder], game, settings, judge, 1)


def spec_of(folder: Path, stored: str, given: str | None) -> str:
    """Return the spec of a folder's game: as given, as its study says, or as stored, which for a file is no place."""
    if given is not None:
        if game_registry.without_folder(given) != stored:
            raise InputError(f"--game: expected {stored}, of which {folder} holds games, found {given}")
        return given
    if ".py" not in stored:
        return stored
    for parent in folder.resolve().parents:
        if (parent / "study.json").is_file():
            return stored_config(parent).game
    raise InputError(f"{folder}: holds games of {stored}; --game PATH says where that lies")


# --- what is written ---------------------------------------------------------------------------------------


def as_text(facts: DescribedDataset, ending: str) -> str:
    """Return facts as JSON (`.json`), or their features as CSV (`.csv`)."""
    if ending == ".json":
        return json.dumps(facts.content(), indent=1, allow_nan=False) + "\n"
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, "q05", "q25", "median", "q75", "q95"])
    for row in facts.features:
        values = [*(getattr(row, name) for name in COLUMNS), *(row.quantiles or ("",) * 5)]
        writer.writerow(["" if value is None else value for value in values])
    return out.getvalue()
