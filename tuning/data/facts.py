"""What do the positions that a fit sees look like: how many, from which games, how balanced, what do they show?

Counts of positions are sums of weights (a position that came up three times counts three times) times the share
of the stage they are counted for. Results are the mover's, of equal positions the mean; results of games the first
player's. Quantiles are those of all positions, those in which a feature is zero included."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tunesmith.engine.match import NO_RESULT
from tunesmith.games.game import Game
from tunesmith.tuning.data.dataset import Dataset
from tunesmith.tuning.data.source import Source
from tunesmith.tuning.documents import data as documents
from tunesmith.tuning.fit.checks import (
    Survey,
    find_dependencies,
    find_redundant,
    gram_of,
    near_labels,
    redundancy_words,
    survey,
)
from tunesmith.tuning.fit.constraints import Names
from tunesmith.tuning.fit.notes import TEMPO
from tunesmith.tuning.fit.rows import Floats, Ints, Rows
from tunesmith.tuning.fit.solve import in_one_thread
from tunesmith.tuning.play.summary import Outline, by_opponent, summarise

BINS = 20  # of a feature's picture, between its least and its greatest value
LENGTH_BINS = 16
PLY_BINS = 8
PARTS = (0.05, 0.25, 0.5, 0.75, 0.95)  # quantiles of features
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
FAR_FROM_EVEN = 3.0  # standard errors of the first player's share


@in_one_thread
def dataset_facts(
    data: Dataset, min_rows: float, sources: Sequence[Source] | None = None
) -> documents.DatasetFacts:
    """Return what the page of a dataset shows; a weight that fewer than `min_rows` rows show would not be fitted.

    sources: what is known of the games; None: the dataset has them all.
    """
    names = Names(tuple(data.game.stage_names), tuple(data.game.feature_names))
    sources = [Source.of([games]) for games in data.games] if sources is None else sources
    games = games_facts([source.outline for source in sources])
    seen = survey(data.rows)
    features = feature_rows(data.game, names, data.rows, seen)
    return documents.DatasetFacts(
        game=data.game.spec,
        rows=data.rows.n,
        positions=float(data.rows.weight.sum()),
        pairs=len(np.unique(data.rows.group)),
        selection=data.selection,
        games=games,
        per_game=_per_game(data),
        sources=[source_facts(source, at) for at, source in enumerate(sources, start=1)],
        balance=balance(names, data.rows),
        by_ply=by_ply(data.rows, data.place[:, 2]),
        features=features,
        notes=notes(names, data.rows, seen, games, features, min_rows),
    )


# --- games -------------------------------------------------------------------------------------------------


def games_facts(sources: Sequence[Outline]) -> documents.GamesFacts:
    """Return results and lengths of the games that have a result."""
    known = [games.take(games.result != NO_RESULT) for games in sources]
    results = np.concatenate([games.result for games in known])
    lengths = np.concatenate([games.length for games in known]).astype(np.float64)
    if not len(results):
        return documents.GamesFacts(with_result=0)
    share = (results.mean() + 1) / 2
    edges = _whole_edges(lengths, LENGTH_BINS).tolist()
    return documents.GamesFacts(
        with_result=len(results),
        results={name: int((results == value).sum()) for name, value in _RESULTS},
        first_player_share=float(share),
        first_player_error=float(np.std(results / 2) / np.sqrt(len(results))),
        length=documents.Lengths(
            mean=float(lengths.mean()),
            quartiles=np.quantile(lengths, QUARTERS).tolist(),
            bins=histogram(lengths, np.ones(len(lengths)), edges[0], edges[-1], len(edges) - 1),
        ),
    )


_RESULTS = (("first", 1), ("draw", 0), ("second", -1))


def source_facts(source: Source, generation: int) -> documents.SourceFacts:
    """Return who played a set of games, and under what."""
    settings = source.settings
    noise = settings.get("noise") or [None, None]
    return documents.SourceFacts(
        generation=generation,
        **dict(summarise(source.outline)),
        players=[list(pair) for pair in source.players],
        opponents={digest: summarise(own).pairs for digest, own in by_opponent(source.outline)},
        limits=settings.get("limits"),
        openings=source.openings,
        opening_plies=source.plies,
        noise=None if noise[0] is None else noise[0] / 1000,
        noise_plies=noise[1],
        move_cap=settings.get("move_cap"),
        seed=settings.get("seed"),
        version=settings.get("version"),
    )


def _per_game(data: Dataset) -> documents.PerGame:
    """Return how many rows the games gave that gave any."""
    _, counts = np.unique(data.place[:, :2], axis=0, return_counts=True)
    return documents.PerGame(games=len(counts), quartiles=np.quantile(counts, QUARTERS).tolist())


# --- positions ---------------------------------------------------------------------------------------------


def balance(names: Names, rows: Rows) -> list[documents.Balance]:
    """Return the mover's results over all positions, and in each stage."""
    made = [documents.Balance(stage="all", **dict(_results(rows.labels, rows.weight, rows.weight)))]
    if rows.stages is not None:
        made += [
            documents.Balance(stage=stage, **dict(_results(rows.labels, rows.weight * share, rows.weight)))
            for stage, share in zip(names.stages, rows.stages[: rows.n].T, strict=True)
        ]
    return made


def by_ply(rows: Rows, ply: Ints) -> list[documents.ByPly]:
    """Return the mover's results by how far the game had gone."""
    edges = _whole_edges(ply.astype(np.float64), PLY_BINS)
    made = []
    for low, high in itertools.pairwise(edges.tolist()):
        inside = (ply >= low) & (ply < high)
        if inside.any():
            found = _results(rows.labels[inside], rows.weight[inside], rows.weight[inside])
            made.append(documents.ByPly(low=int(np.ceil(low)), high=int(np.ceil(high)) - 1, **dict(found)))
    return made


def _results(labels: Floats, share: Floats, weight: Floats) -> documents.Results:
    """Count results; a merged position whose label is neither win nor loss had different ones, or draws."""
    total = float(share.sum())
    kinds = {"won": labels == 1, "drawn": (labels == 0.5) & (weight == 1), "lost": labels == 0}
    counts = {name: float(share[which].sum()) for name, which in kinds.items()}
    mixed = max(0.0, total - sum(counts.values()))
    return documents.Results(
        positions=total,
        **counts,
        mixed=mixed if mixed > 1e-9 * total else 0.0,
        mean=float(share @ labels) / total if total > 0 else None,
    )


def feature_rows(game: Game, names: Names, rows: Rows, seen: Survey) -> list[documents.FeatureRow]:
    """Return what each feature was, over all positions and in each stage."""
    n_rows, n_groups = (x.reshape(names.shape) for x in (seen.n_rows, seen.n_groups))
    stages: list[tuple[str, Floats]] = [("all", rows.weight)]
    if rows.stages is not None:
        shares = rows.stages[: rows.n].T
        stages += [(stage, rows.weight * share) for stage, share in zip(names.stages, shares, strict=True)]
    made = []
    for at, feature in enumerate(names.features):
        values = np.ascontiguousarray(rows.features[: rows.n][:, at])
        order = np.argsort(values, kind="stable")
        reach = float(values[order[0]]), float(values[order[-1]])
        is_there = values != 0
        for number, (stage, weight) in enumerate(stages):
            counted = int(is_there.sum()), len(np.unique(rows.group[is_there]))
            if number:
                counted = int(n_rows[number - 1, at]), int(n_groups[number - 1, at])
            made.append(
                documents.FeatureRow(
                    feature=feature,
                    meaning=game.feature_meanings[at],
                    stage=stage,
                    rows=counted[0],
                    pairs=counted[1],
                    **_distribution(values, weight, rows.labels, order)._asdict(),
                    bins=histogram(values, weight, *reach, BINS),
                )
            )
    return made


class Distribution(NamedTuple):
    """Of a feature; see `FeatureRow`. Nothing is known where no position weighs anything."""

    not_zero: float | None = None
    mean: float | None = None
    spread: float | None = None
    least: float | None = None
    greatest: float | None = None
    quantiles: list[float] | None = None
    correlation: float | None = None


def _distribution(values: Floats, weight: Floats, labels: Floats, order: Ints) -> Distribution:
    """Return share that is not zero, moments, quantiles, and the correlation with the result."""
    total = float(weight.sum())
    if not total > 0:
        return Distribution()
    share = weight / total
    mean, result = float(share @ values), float(share @ labels)
    variance = max(float(share @ (values - mean) ** 2), 0.0)
    of_results = float(share @ (labels - result) ** 2)
    together = float(share @ ((values - mean) * (labels - result)))
    scale = np.sqrt(variance * of_results)
    there = share[order] > 0
    reach = values[order][there]
    steps = np.cumsum(share[order])
    at = np.minimum(np.searchsorted(steps, np.array(PARTS) * steps[-1]), len(order) - 1)
    return Distribution(
        not_zero=float(share @ (values != 0)),
        mean=mean,
        spread=float(np.sqrt(variance)),
        least=float(reach[0]),
        greatest=float(reach[-1]),
        quantiles=values[order][at].tolist(),
        correlation=together / scale if scale > 1e-12 else None,
    )


def histogram(values: Floats, weight: Floats, low: float, high: float, n: int) -> documents.Histogram:
    """Return the weight in each of `n` bins of equal width from low to high; all equal values are one bin."""
    if not low < high:
        return documents.Histogram(low=low, high=high, counts=[float(weight.sum())])
    place = np.clip(((values - low) * (n / (high - low))).astype(np.int64), 0, n - 1)
    return documents.Histogram(low=low, high=high, counts=np.bincount(place, weight, n).tolist())


def _whole_edges(values: Floats, n: int) -> Floats:
    """Return edges of bins of equal whole width, halfway between whole numbers, round the values."""
    low, high = float(values.min()), float(values.max())
    width = max(1.0, np.ceil((high - low + 1) / n))
    count = int(np.ceil((high - low + 1) / width))
    return np.asarray(low - 0.5 + width * np.arange(count + 1), np.float64)


# --- words -------------------------------------------------------------------------------------------------


def notes(
    names: Names,
    rows: Rows,
    seen: Survey,
    games: documents.GamesFacts,
    features: list[documents.FeatureRow],
    min_rows: float,
) -> list[str]:
    """Say what is odd about the positions, most serious first."""
    made = []
    share, error = games.first_player_share, games.first_player_error
    if (
        share is not None
        and error
        and abs(share - 0.5) > FAR_FROM_EVEN * error
        and TEMPO not in names.features
    ):
        made.append(
            f"the first player scores {share:.1%} of the points: a feature '{TEMPO}' that is always 1 keeps that out "
            "of the other weights"
        )
    for label in near_labels(rows):
        made.append(
            f"{names.features[label.feature]} is nearly the result (correlation {label.correlation:.2f})"
        )
    made += _dependencies(names, gram_of(rows))
    for row in features:
        where = row.feature if row.stage == "all" else f"{row.stage}.{row.feature}"
        if row.rows == 0:
            made.append(f"{where} is zero in every position")
        elif row.rows < min_rows:
            made.append(f"{where} is not zero in only {row.rows} positions: its weight would keep its prior")
        elif row.stage == "all" and row.least == row.greatest and row.feature != TEMPO:
            made.append(f"{where} is {row.least:g} in every position")
    return made


def _dependencies(names: Names, gram: Floats) -> list[str]:
    there = np.flatnonzero(np.diag(gram) > 0)
    made = []
    gram = gram[np.ix_(there, there)]
    dependencies = find_dependencies(gram)
    for found in dependencies:
        parts = zip(found.coefficients, found.others, strict=True)
        text = " ".join(f"{value:+z.4g}*{names.full[there[other]]}" for value, other in parts)
        verb = "is" if found.is_frozen else "is nearly"
        made.append(f"{names.full[there[found.column]]} {verb} {text} in these positions")
    redundant = find_redundant(gram, dependencies)
    return made + [redundancy_words([names.full[at] for at in there], found) for found in redundant]
