"""Which positions would a study, or a folder of games, teach from, and what do they look like?

The same selection as before a fit, described without fitting: for a study its own games and settings, for a folder of
games the defaults or what the caller changes."""

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path

from tunesmith.games import registry as game_registry
from tunesmith.games.errors import InputError, StudyError
from tunesmith.tuning.config import GameFitOptions
from tunesmith.tuning.data.dataset import Dataset, build_rows
from tunesmith.tuning.data.facts import dataset_facts
from tunesmith.tuning.documents.data import DescribedDataset
from tunesmith.tuning.play import store
from tunesmith.tuning.play.player import read_weights
from tunesmith.tuning.settings_file import changed
from tunesmith.tuning.study import stored_config

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
    data, settings = load(where, changes, weights, game)
    facts = dataset_facts(data, settings.min_rows)
    return DescribedDataset(**dict(facts), settings=settings.model_dump(mode="json"))


def load(
    where: Path, changes: Iterable[str], weights: str | None, game: str | None = None
) -> tuple[Dataset, GameFitOptions]:
    """Return the positions of a study or a folder of games."""
    if not where.is_dir():
        kind = "a file" if where.exists() else "nothing there"
        raise InputError(f"{where}: expected the folder of a study or of games, found {kind}")
    if (where / "study.json").is_file():
        return _of_study(where, changes, weights)
    return _of_games(where, changes, weights, game)


def _of_study(root: Path, changes: Iterable[str], weights: str | None) -> tuple[Dataset, GameFitOptions]:
    config = stored_config(root)
    game = game_registry.load(config.game)
    settings = changed(config.fit, "fit", changes)
    folders = sorted((root / "games").glob("gen-*"), key=lambda folder: int(folder.name.removeprefix("gen-")))
    played = [store.read_games(folder, generation=at) for at, folder in enumerate(folders)]
    played = [games for games in played if len(games)]
    if not played:
        raise StudyError(f"{root}: no games yet")
    judge = read_weights(weights or config.baseline, game)
    return build_rows(game, played, settings, judge, config.seed), settings


def _of_games(
    folder: Path, changes: Iterable[str], weights: str | None, spec: str | None
) -> tuple[Dataset, GameFitOptions]:
    played = store.read_games(folder)
    if not len(played):
        raise InputError(
            f"{folder}: expected a study.json or files of games (shard-*.parquet), found neither"
        )
    game = game_registry.load(spec_of(folder, str(played.settings.get("game")), spec))
    settings = changed(GameFitOptions(), "fit", changes)
    return build_rows(game, played, settings, read_weights(weights or "hand", game)), settings


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
