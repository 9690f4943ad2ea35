"""Which columns do games, positions, weights, matches and trials have, of which type, unit and view?

Every frame has typed columns (categories for what repeats, nullable whole numbers, floats), a named index, and in
`attrs` two dictionaries by column: `units` and, where somebody's view it is, `views`. What there is not yet is a
frame without rows, with the same columns. Strengths are Elo, seen by the candidate or the first-named player; counts
are of pairs, worst first. A column of somebody's own (a feature, a setting) that has the name of another is called
`feature.NAME` or `setting.NAME`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from tunesmith.engine.player import Part
from tunesmith.engine.weights import Weights
from tunesmith.games.game import Game
from tunesmith.tuning.data.dataset import Dataset
from tunesmith.tuning.documents.fit import WeightRow
from tunesmith.tuning.documents.matches import Run
from tunesmith.tuning.fit.rows import Rows, features_of
from tunesmith.tuning.fit.split import split
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.stats import elo

COUNTS = ("LL", "LD", "DD+WL", "WD", "WW")
CANDIDATE = "the candidate"
MOVER = "the side to move"


@dataclass(frozen=True)
class Column:
    """What a column holds: its values, type, unit, and whose view it is ("": nobody's)."""

    values: Any
    dtype: str
    unit: str
    view: str = ""

    def series(self) -> pd.Series[Any]:
        """Return the values with their type; what cannot be of it is an error of ours."""
        return pd.Series(self.values).astype(self.dtype)  # type: ignore[call-overload, no-any-return]


def frame(index: Mapping[str, Column], columns: Mapping[str, Column]) -> pd.DataFrame:
    """Return a frame of columns, with their units and views in `attrs`."""
    made = pd.DataFrame({name: column.series().array for name, column in columns.items()})
    keys = [pd.Index(column.series().array, name=name) for name, column in index.items()]
    made.index = keys[0] if len(keys) == 1 else pd.MultiIndex.from_arrays(keys)
    every = {**index, **columns}
    made.attrs["units"] = {name: column.unit for name, column in every.items()}
    made.attrs["views"] = {name: column.view for name, column in every.items() if column.view}
    return made


def own_names(names: Iterable[str], taken: Iterable[str], kind: str) -> dict[str, str]:
    """Return what the columns of somebody's own are called, by their names."""
    used = set(taken)
    return {name: f"{kind}.{name}" if name in used else name for name in names}


# --- games and positions


def games_frame(played: Sequence[tuple[str, Games]], players: Mapping[str, str]) -> pd.DataFrame:
    """Return games, one a row; `played` by the name of their run, `players` are names by digest."""
    parts = [games for _, games in played]

    def every(read: Any) -> Any:
        return np.concatenate([read(games) for games in parts]) if parts else []

    def named(column: str) -> pd.Series[Any]:
        digests = pd.Series(
            every(lambda games: games.table[column].to_numpy(zero_copy_only=False)), dtype="object"
        )
        return digests.map(lambda digest: players.get(digest, digest[:12]))

    results = every(lambda games: games.table["result"].to_numpy(zero_copy_only=False).astype(np.float64))
    return frame(
        {
            "run": Column(_repeated(played), "category", "name of a match or generation"),
            "pair": Column(every(lambda games: games.pair), "int64", "number"),
            "game": Column(every(lambda games: games.game), "int8", "0 or 1: which of the pair"),
        },
        {
            "first": Column(named("first_weights"), "category", "name of the player who moves first"),
            "second": Column(named("second_weights"), "category", "name of the player who moves second"),
            "result": Column(
                results, "Int8", "1 win, 0 draw, -1 loss, missing: none", "the player who moves first"
            ),
            "end_reason": Column(every(lambda games: games.end_reason), "category", "word of the game"),
            "plies": Column(
                every(lambda games: np.diff(games.starts)), "int32", "moves, the opening's among them"
            ),
            "opening_plies": Column(every(lambda games: games.n_opening), "int32", "moves"),
            "opening": Column(every(lambda games: games.opening), "str", "moves or a position, in notation"),
            "seed": Column(every(lambda games: games.seed), "int64", "number"),
        },
    )


def _repeated(played: Sequence[tuple[str, Games]]) -> pd.Categorical:
    names = list(dict.fromkeys(name for name, _ in played))
    codes = np.repeat([names.index(name) for name, _ in played], [len(games) for _, games in played])
    return pd.Categorical.from_codes(codes.astype(np.int64), categories=pd.Index(names, dtype="str"))


PLACE = ("run", "pair", "game", "ply")
ABOUT = ("held_out", "result", "expected", "weight")


def no_positions(game: Game) -> pd.DataFrame:
    """Return the frame of positions without a row."""
    shares = np.full((1, game.n_stages), 1 / game.n_stages)
    one, first = np.zeros(1), np.zeros((1, 3), np.int64)
    row = Rows(np.zeros((1, game.n_features)), shares, one, one + 1, first[:, 0])
    return positions_frame(Dataset(game, (), row, {}, first, first[:, :0]), ["gen-1"], 0.5).iloc[:0]


def positions_frame(data: Dataset, runs: Sequence[str], held_out: float) -> pd.DataFrame:
    """Return the positions that a fit learns from, one a row.

    `runs` are the names of the sets of games in `data`; `held_out` is the share of the pairs that only judge.
    """
    game, rows, place = data.game, data.rows, data.place
    stages = [f"stage.{name}" for name in game.stage_names]
    called = own_names(game.feature_names, (*PLACE, *ABOUT, *stages), "feature")
    expected = np.full(rows.n, np.nan) if rows.expected is None else rows.expected
    columns = {
        "held_out": Column(split(rows.group, held_out), "bool", "whether it only judges"),
        "result": Column(rows.labels, "float64", "1 win, 1/2 draw, 0 loss", MOVER),
        "expected": Column(expected, "float64", "result that the search expected", MOVER),
        "weight": Column(rows.weight, "float64", "games with this position"),
    }
    shares = np.ones((rows.n, 1)) if rows.stages is None else np.asarray(rows.stages[:])
    columns |= {name: Column(shares[:, at], "float64", "share, 0 to 1") for at, name in enumerate(stages)}
    features = features_of(rows)
    for at, (name, meaning) in enumerate(zip(game.feature_names, game.feature_meanings, strict=True)):
        columns[called[name]] = Column(features[:, at], "float64", meaning, MOVER)
    run = pd.Categorical.from_codes(place[:, 0], categories=pd.Index(list(runs), dtype="str"))
    return frame(
        {
            "run": Column(run, "category", "name of a generation"),
            "pair": Column(_of_games(data, "pair"), "int64", "number"),
            "game": Column(_of_games(data, "game"), "int8", "0 or 1: which of the pair"),
            "ply": Column(place[:, 2], "int32", "moves before the position"),
        },
        columns,
    )


def _of_games(data: Dataset, column: str) -> Any:
    found = np.zeros(len(data.place), np.int64)
    for number, games in enumerate(data.games):
        own = data.place[:, 0] == number
        found[own] = getattr(games, column)[data.place[own, 1]]
    return found


# --- weights


def weights_frame(game: Game, files: Mapping[str, Weights], fitted: Sequence[WeightRow]) -> pd.DataFrame:
    """Return weights, one a row, a column for each file; what the fit says of them beside."""
    unit = "Elo per unit of the feature"
    keys = [(stage, feature) for stage in game.stage_names for feature in game.feature_names] if files else []
    known = {(row.stage, row.feature): row for row in fitted}
    rows = [known.get(key) for key in keys]
    meanings = dict(zip(game.feature_names, game.feature_meanings, strict=True))

    def said(read: Any) -> list[Any]:
        return [None if row is None else read(row) for row in rows]

    stages = pd.Categorical([stage for stage, _ in keys], categories=list(game.stage_names), ordered=True)
    columns = {
        name: Column([own.scale * own.values[stage][feature] for stage, feature in keys], "float64", unit)
        for name, own in files.items()
    }
    columns |= {
        "prior": Column(said(lambda row: row.before), "float64", f"{unit}, as results scale the baseline"),
        "error": Column(said(lambda row: row.error), "float64", f"{unit}, standard error by data and prior"),
        "data_error": Column(
            said(lambda row: None if row.data is None else row.data.error),
            "float64",
            f"{unit}, by the data alone",
        ),
        "status": Column(said(lambda row: row.status), "category", "what became of the weight in the fit"),
        "size": Column(
            said(lambda row: row.size), "float64", "root mean square of the feature where it is not 0"
        ),
        "rows": Column(said(lambda row: row.rows), "Int64", "positions in which the feature is not 0"),
        "pairs": Column(said(lambda row: row.pairs), "Int64", "pairs of games with such a position"),
        "meaning": Column([meanings[feature] for _, feature in keys], "str", "words"),
    }
    return frame(
        {
            "stage": Column(stages, "category", "name"),
            "feature": Column([feature for _, feature in keys], "str", "name"),
        },
        columns,
    )


def stages_frame(weights: Weights) -> pd.DataFrame:
    """Return the weights of one file, a feature a row, a stage a column."""
    unit = "Elo per unit of the feature"
    return frame(
        {"feature": Column(list(weights.features), "str", "name")},
        {
            stage: Column(
                [weights.scale * weights.values[stage][name] for name in weights.features], "float64", unit
            )
            for stage in weights.stages
        },
    )


def parts_frame(parts: Mapping[str, Part]) -> pd.DataFrame:
    """Return what each feature adds to an evaluation, one a row."""
    unit = "Elo"
    return frame(
        {"feature": Column(list(parts), "str", "name")},
        {
            "value": Column([part.value for part in parts.values()], "float64", "of the feature", MOVER),
            "weight": Column(
                [part.weight for part in parts.values()], "float64", "of the file, stages mixed"
            ),
            "elo": Column([part.elo for part in parts.values()], "float64", unit, MOVER),
        },
    )


# --- matches and trials


def matches_frame(runs: Sequence[tuple[str, Run]]) -> pd.DataFrame:
    """Return matches of fixed length and sequential tests, one a row; `runs` by the names that their games have."""
    found = [run for _, run in runs]
    measures = {
        "score": "points a game, 0 to 1",
        "elo": "Elo",
        "elo_low": "Elo, lower end of the 95 % interval",
        "elo_high": "Elo, upper end",
        "nelo": "normalised Elo",
        "los": "probability of being the stronger",
    }
    return frame(
        {
            "run": Column([name for name, _ in runs], "str", "name of the match"),
        },
        {
            "kind": Column(
                [run.kind for run in found], "category", "fixed number of pairs, or sequential test"
            ),
            "opponent": Column([run.opponent.name for run in found], "category", "name"),
            "limit": Column([run.limit for run in found], "category", "of a move's search"),
            "pairs": Column([run.pairs for run in found], "int64", "pairs"),
            "games": Column([run.games for run in found], "int64", "games"),
            "distinct_games": Column([run.distinct_games for run in found], "int64", "games"),
            **_counts([run.counts for run in found], CANDIDATE),
            **{
                name: Column([getattr(run.estimate, name) for run in found], "float64", unit, CANDIDATE)
                for name, unit in measures.items()
            },
            "decision": Column(
                [run.decision for run in found],
                "category",
                "of a sequential test: H1 gain, H0 none",
                CANDIDATE,
            ),
        },
    )


def _counts(counts: Sequence[Sequence[int] | None], view: str) -> dict[str, Column]:
    return {
        name: Column([None if own is None else own[at] for own in counts], "Int64", "pairs", view)
        for at, name in enumerate(COUNTS)
    }


def trials_frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the trials of a search, one a row, from the lines of its log.

    Score and Elo are what was observed, luck and all: the best of many is no recommendation.
    """
    view = "the setting, against the search's opponents"
    counts = [row.get("counts") for row in rows]
    shown = [elo.estimate(own).elo if own and sum(own) else None for own in counts]
    columns = {
        "state": Column([row.get("state") for row in rows], "category", "how the trial ended"),
        "score": Column([row.get("score") for row in rows], "float64", "points a game, 0 to 1", view),
        "elo": Column(shown, "float64", "Elo as observed", view),
        "games": Column([row.get("games") for row in rows], "Int64", "games that were played"),
        **_counts(counts, view),
        "sampler": Column([row.get("sampler") for row in rows], "category", "who proposed the setting"),
        "digest": Column([row.get("digest") for row in rows], "str", "of weights and options"),
    }
    settings = [row.get("setting") or {} for row in rows]
    called = own_names(
        dict.fromkeys(name for own in settings for name in own), ("number", *columns), "setting"
    )
    for name, shown_as in called.items():
        values = [own.get(name) for own in settings]
        columns[shown_as] = Column(values, _kind_of(values), "setting")
    return frame({"number": Column([row["number"] for row in rows], "int64", "of the trial")}, columns)


def _kind_of(values: Sequence[Any]) -> str:
    """Return the type of a setting's column by its values."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "boolean"
    if kinds == {int}:
        return "Int64"
    return "float64" if kinds and kinds <= {int, float} else "category"
