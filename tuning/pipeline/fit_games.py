"""From games to weights: rows, scale of the prior, strength of the ridge, fit, and the check of what was written.

The prior is the baseline, brought to Elo by one number K fitted on the same games: its own opinion in our unit.
A baseline of zeros has no K: the study then names the unit, Elo.
Fitted files have scale 1: their weights are Elo per unit of the feature."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.engine.evaluation import CENTI, EVALUATION_MAX
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game
from tunesmith.tuning.config import DEFAULTS, GameFitOptions
from tunesmith.tuning.data import dataset
from tunesmith.tuning.data.describe import spec_of
from tunesmith.tuning.data.facts import dataset_facts
from tunesmith.tuning.data.moves_to_go import moves_to_go
from tunesmith.tuning.documents.fit import (
    MOST_ERROR,
    Change,
    Direction,
    Example,
    ExamplePart,
    GamesFit,
    HeldOutGain,
    ScoreScale,
    WeightRow,
)
from tunesmith.tuning.fit import calibration
from tunesmith.tuning.fit.constraints import STUDY, Names, make_constraints
from tunesmith.tuning.fit.facts import fit_facts
from tunesmith.tuning.fit.learning_curve import unlearnt
from tunesmith.tuning.fit.loss import expected_result, scores
from tunesmith.tuning.fit.rounding import Rounded
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.run import (
    FitResult,
    check_prior,
    require_results,
    rounded,
    rounding_facts,
    rounding_notes,
    run_fit,
)
from tunesmith.tuning.fit.scale import fit_scale
from tunesmith.tuning.fit.split import split
from tunesmith.tuning.fit.texel import Fit
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.store import read_games

DECIMALS = 4  # of a written weight, in Elo: far below every error, far above rounding
MIN_SCALE = 1e-3
ROUNDING = 0.5 / CENTI  # Elo; the engine's evaluations are whole hundredths


class Made(NamedTuple):
    """Weights fitted to games, as they are written, and how they came about; scale: K of the prior, None in Elo."""

    weights: Weights
    data: dataset.Dataset
    ran: FitResult
    judging: Rows
    prior: Floats
    scale: float | None
    rounding: Rounded | None


def make_weights(
    game: Game,
    baseline: Weights,
    games: list[Games],
    settings: GameFitOptions,
    seed: int,
    start: Weights | None = None,
) -> Made:
    """Return weights fitted to the games of all generations so far, oldest first.

    start: weights in Elo, such as those of the generation before, to begin at: for speed, not for the result.
    """
    names = _names(game)
    limits = make_constraints(names, settings, STUDY)
    data = dataset.build_rows(game, games, settings, baseline, seed)
    held_out = split(data.rows.group, settings.held_out)
    training = data.rows.take(~held_out)
    judging = data.rows.take(held_out)
    require_results(training)
    prior, scale = _prior(game, baseline, training, settings)
    check_prior(names, prior, limits, STUDY)
    near = None if start is None or start.scale != 1.0 else start.array(game)
    ran = run_fit(training, judging, prior, settings, limits, near)
    made = rounded(ran.rows, ran.fit, ran.constraints, settings.round)
    fitted = np.round(ran.fit.weights if made is None else made.weights, DECIMALS)
    written = weight_files.from_array(
        game, fitted, options=dict(baseline.options), moves_to_go=moves_to_go(game, games)
    )
    return Made(written, data, ran, judging, prior, scale, made)


def fit_weights(
    game: Game,
    baseline: Weights,
    games: list[Games],
    settings: GameFitOptions,
    seed: int,
    start: Weights | None = None,
    *,
    foresees: bool = False,
) -> tuple[Weights, GamesFit, dataset.Dataset]:
    """Return what `make_weights` makes, what `fit/gen-N.json` holds of it, and the positions behind it.

    foresees: whether to say what more games would bring (`GamesFit.unlearnt`), which takes another fit.
    """
    written, data, ran, judging, prior, scale, made = make_weights(
        game, baseline, games, settings, seed, start
    )
    names, fitted = _names(game), written.array(game)
    found = fit_facts(names, ran, ran.rows, judging, fitted)
    said = {
        "notes": [*found.notes, *_score_notes(data, found.blend), *rounding_notes(names, made)],
        "weights": [_with_meaning(game, row) for row in found.weights],
    }
    facts = GamesFit(
        **(dict(found) | said),
        rows=data.rows.n,
        selection=data.selection,
        scale_before=scale,
        score_scales=[ScoreScale(**scale._asdict()) for scale in data.score_scales],
        draw_margin=ran.margin,
        unlearnt=unlearnt(ran) if foresees and not ran.options.draws else None,
        directions=directions(game, ran.fit),
        rounding=rounding_facts(names, made, settings.round),
        examples=_examples(game, data, prior, fitted),
        dataset=dataset_facts(data, settings.min_rows),
    )
    return written, facts, data


def fit_folder(
    folder: Path, settings: GameFitOptions, prior: str = "hand", game: str | None = None
) -> tuple[Game, Weights, GamesFit]:
    """Return a folder's game, weights fitted to its games, and the facts of the fit; `game`: as in `data.describe`.

    The prior may have been made for another variant.
    """
    if (folder / "study.json").is_file():
        raise InputError(f"{folder}: is a study, which `tunesmith run` fits; expected a folder of games")
    played = read_games(folder)
    if not len(played):
        raise InputError(f"{folder}: expected files of games (shard-*.parquet), found none")
    known = game_registry.load(spec_of(folder, str(played.settings.get("game")), game))
    baseline = weight_files.load(prior, known, allow_variant=True)
    made, facts, _ = fit_weights(known, baseline, [played], settings, DEFAULTS.seed)
    return known, made, facts


def _prior(
    game: Game, baseline: Weights, training: Rows, settings: GameFitOptions
) -> tuple[Floats, float | None]:
    """Return the baseline's weights in Elo and K; a study anchored in Elo takes the file's own scale."""
    hand = baseline.array(game)
    if settings.anchor == "elo":
        return hand * baseline.scale, None
    scale = prior_scale(training, hand)
    return hand * scale, scale


def prior_scale(rows: Rows, hand: Any) -> float:
    """Return K: Elo per unit of the hand-made weights, as the results say; refuse weights that say nothing."""
    raw = scores(rows, hand)
    if not np.ptp(raw) > 0:
        raise InputError(
            "baseline: gives every position the same score, so it has no scale; to start from zero, name the unit: "
            'fit.anchor = "elo"'
        )
    return max(fit_scale(raw, rows.labels, rows.weight), MIN_SCALE)


def gain_over(
    before: Weights, after: Weights, data: dataset.Dataset, settings: GameFitOptions
) -> HeldOutGain:
    """Return by how much the loss of `after` is lower than that of `before` on games that no fit saw.

    Weights by hand are taken at the scale that the training rows give them.
    """
    held_out = split(data.rows.group, settings.held_out)
    judging = data.rows.take(held_out)
    old = _prior(data.game, before, data.rows.take(~held_out), settings)[0]
    return HeldOutGain(**calibration.gain(judging, old, after.array(data.game), settings.loss)._asdict())


def _names(game: Game) -> Names:
    return Names(tuple(game.stage_names), tuple(game.feature_names))


def _with_meaning(game: Game, row: WeightRow) -> WeightRow:
    meaning = game.feature_meanings[game.feature_names.index(row.feature)]
    return row.model_copy(update={"meaning": meaning})


def _score_notes(data: dataset.Dataset, blend: float) -> list[str]:
    """Say how far the scores in the labels were from Elo, where it matters."""
    if blend == 1:
        return []
    return [
        f"generation {number}: one Elo of the scores of {player[:12]} is worth {scale:.2f} in results: "
        + ("they predict the wrong side and count as even" if scale <= 0 else "labels take that into account")
        for number, player, scale in data.score_scales
        if not 0.8 < scale < 1.25
    ]


def directions(game: Game, found: Fit, count: int = 8) -> list[Direction]:
    """Return the directions in which the data alone are least sure, in Elo of positions: where playing can add most.

    Principal axes of the data's covariance, each weight scaled by its usual effect (weight times size). `change` is
    what one standard deviation along the axis adds to each weight, `elo` how much it moves a usual position: at most
    MOST_ERROR, which stands for a direction about which the data say nothing, too.
    """
    size = np.where(np.isfinite(found.size), found.size, 0.0).ravel()
    size = np.where((found.status == "fitted").ravel(), size, 0.0)
    known = found.data.covariance * np.outer(size, size)
    silent = np.linalg.svd(size[:, None] * found.data.silent, full_matrices=False)[0]
    values, axes = np.linalg.eigh(known + MOST_ERROR**2 * silent @ silent.T)
    order = np.argsort(-values, kind="stable")
    values = np.minimum(values, MOST_ERROR**2)
    names = [(stage, feature) for stage in game.stage_names for feature in game.feature_names]
    made = []
    for at in order[:count]:
        if values[at] <= 1e-9 * max(values.max(), 1e-9):
            break
        effect = axes[:, at] * np.sqrt(values[at])
        effect = effect * np.sign(effect[np.argmax(np.abs(effect))])
        change = np.divide(effect, size, out=np.zeros_like(effect), where=size > 0)
        parts = [
            Change(stage=stage, feature=feature, change=round(float(value), DECIMALS))
            for (stage, feature), value in zip(names, change, strict=True)
            if abs(value) >= 10**-DECIMALS
        ]
        made.append(Direction(elo=float(np.sqrt(values[at])), weights=parts))
    return made


def _examples(game: Game, data: dataset.Dataset, before: Any, after: Any, n: int = 10) -> list[Example]:
    """Return the positions on which old and new weights differ most in expected result, one a pair."""
    rows = data.rows
    old, new = scores(rows, before), scores(rows, after)
    apart = np.abs(expected_result(new) - expected_result(old))
    chosen: list[int] = []
    for at in np.argsort(-apart, kind="stable"):
        if rows.group[at] not in rows.group[chosen]:
            chosen.append(int(at))
        if len(chosen) == n:
            break
    return [_example(game, data, at, before, after, old[at], new[at]) for at in chosen]


def _example(
    game: Game, data: dataset.Dataset, at: int, before: Any, after: Any, old: float, new: float
) -> Example:
    state = data.state(at)
    shares = np.ones(1) if data.rows.stages is None else data.rows.stages[at]
    values = data.rows.features[at]
    parts = [
        ExamplePart(
            feature=name,
            value=float(values[j]),
            before=float((shares @ before)[j] * values[j]),
            after=float((shares @ after)[j] * values[j]),
        )
        for j, name in enumerate(game.feature_names)
    ]
    parts.sort(key=lambda part: -abs(part.after - part.before))
    return Example(
        text=game.state_to_text(state),
        board_text=game.draw_text(state),
        svg=game.draw_svg(state),
        before=float(old),
        after=float(new),
        result=float(data.rows.labels[at]),
        parts=[p for p in parts if p.before or p.after],
    )


def write_checked(game: Game, made: Weights, path: Path, data: dataset.Dataset | None = None) -> Weights:
    """Write a weight file, load it back as the engine does, and see that nothing changed on the way.

    With `data`, the engine's own evaluation of every stored position must be what the fit computes, to the
    engine's rounding; otherwise there is no file.
    """
    weight_files.save(made, path)
    try:
        loaded = weight_files.load(path, game)
        if loaded.digest != made.digest or not np.array_equal(loaded.array(game), made.array(game)):
            raise StudyError(f"{path}: what was written is not what was fitted")
        if data is not None:
            check_evaluations(game, loaded, data, path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return loaded


def check_evaluations(game: Game, loaded: Weights, data: dataset.Dataset, path: Path) -> None:
    """Compare the engine's evaluation of every row with the fit's, in Elo."""
    engine = dataset.engine_scores(data, loaded)
    fitted = scores(data.rows, loaded.scale * loaded.array(game))
    fitted = np.clip(fitted, -EVALUATION_MAX / CENTI, EVALUATION_MAX / CENTI)
    apart = np.abs(engine - fitted)
    allowed = ROUNDING + 1e-9 * np.abs(fitted)  # sums run in another order
    if (bad := np.flatnonzero(~(apart <= allowed))).size:
        at = int(bad[0])
        raise StudyError(
            f"{path}: the engine evaluates {bad.size:,} of {data.rows.n:,} positions differently from the fit, "
            f"such as {game.state_to_text(data.state(at))}: {engine[at]:.2f} and {fitted[at]:.2f} Elo; no file "
            "is written"
        )
