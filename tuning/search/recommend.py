"""Which setting do all trials together speak for, and how sure is that?

Trials of one setting are pooled; a Gaussian process smooths over settings (`tuning.search.samplers.gaussian_process`)
with the noise that their openings have (`tuning.search.noise`). Its best place, among the settings played and many
near the good ones, wanders where noise has roughened a smooth hill; so a middle is recommended, unless the process
holds its own best place better by more than `SURE` standard errors, as at a cliff. It lies between two: the mean of
the places where the best may lie, of landscapes drawn as the process holds them for possible, and the weighted mean of
the settings played, as CLOP recommends (`samplers.quadratic`), which counts for more where there are several
parameters. The recommendation is given with an interval, and with its difference from the start, whose own noise
counts; the luck that the best of equals has is taken off both, and the interval counts that nobody knows it exactly.
It may leave no gain; the setting is recommended nevertheless, as long as it is expected to be no worse than the start.
The luckiest trial is named as that and nothing else. Scores are 0 to 1 against the opponents of a search; Elo follows
from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.tuning.documents import search
from tunesmith.tuning.documents.document import Setting
from tunesmith.tuning.search.noise import Luck
from tunesmith.tuning.search.samplers import enough_trials
from tunesmith.tuning.search.samplers.gaussian_process import Belief, believe, fit_landscape
from tunesmith.tuning.search.samplers.quadratic import fit_local
from tunesmith.tuning.search.space import Parameter, Space
from tunesmith.tuning.stats.elo import NELO_UNIT, Z95, estimate, moments, score_to_elo

Array = npt.NDArray[np.float64]

CANDIDATES = 300
SURE = 2.0  # standard errors by which the process has to contradict the weighted mean (tuning instances, as below)
PLACES = 201  # values of a single parameter among which the best is looked for
CONTENDERS = 150  # settings of several parameters among which it is, those with the best expected scores
# What the weighted mean counts beside the mean of the places where the best may lie (tuning instances of
# search_regret); that of a single parameter only as far as its landscape is believed to be smooth.
QUADRATIC_OF_ONE, QUADRATIC_OF_MORE = 1 / 3, 2 / 3


@dataclass(frozen=True, eq=False)
class Seen:
    """A setting that was played.

    Attributes
    ----------
    counts
        Its pairs: LL, LD, DD+WL, WD, WW.
    openings, scores
        Numbers of the openings it has a result on, and its score on each (0 to 1, mean over opponents).
    numbers
        Of its trials.
    is_known
        No game was played: the setting is its only opponent.
    """

    setting: Mapping[str, Any]
    counts: tuple[int, ...]
    openings: npt.NDArray[np.int64]
    scores: Array
    numbers: tuple[int, ...] = ()
    is_known: bool = False


class Encoder:
    """Settings as points: numbers on [-1, 1] (logarithms where they are so), choices as 0 and 1."""

    def __init__(self, parameters: Sequence[Parameter]) -> None:
        self.parameters = parameters

    def point(self, setting: Mapping[str, Any]) -> Array:
        """Return the point of a setting."""
        parts: list[float] = []
        for p in self.parameters:
            value = setting[p.name]
            if p.choices:
                marks = [float(value == choice) for choice in p.choices]
                parts += marks if len(marks) > 2 else [2 * marks[1] - 1]
            else:
                parts.append(p.axis.unit(value))
        return np.array(parts)

    def points(self, settings: Sequence[Mapping[str, Any]]) -> Array:
        """Return points, one a row."""
        return np.array([self.point(setting) for setting in settings])


def recommend(space: Space[Any], seen: Sequence[Seen], seed: int) -> search.Recommendation:
    """Return the recommended setting with what is known about it, about the start and about each parameter."""
    encoder = Encoder(space.parameters)
    hill = landscape(encoder, seen)
    rng = np.random.default_rng(seed)
    options = _candidates(space, encoder, hill, seen, rng)
    points = encoder.points(options)
    at = int(np.argmax(hill.expected(points)))
    middle = _middle(space, encoder, hill, seen, points, rng)
    if middle is not None:
        at, options, points = len(options), [*options, middle], np.vstack([points, encoder.point(middle)])
    best, luck, origin = options[at], hill.optimism(points, at, rng), encoder.point(space.start)
    gain, error, better = hill.difference(points[at], origin, *luck)
    if hill.difference(points[at], origin)[0] <= 0:
        best, luck, gain, error, better = space.start, (0.0, 0.0), 0.0, 0.0, 0.5
    return search.Recommendation(
        setting=dict(best),
        estimate=_estimate(hill, encoder, best, *luck),
        start=search.Start(setting=space.start, estimate=_estimate(hill, encoder, space.start)),
        gain=search.ScoreGain(score=gain, error=error, better=better),
        at_bound=[p.name for p in space.parameters if p.is_at_bound(best[p.name])],
        effects=[_effect(p, hill, encoder, best) for p in space.parameters],
        observed_best=_luckiest(seen),
    )


def landscape(encoder: Encoder, seen: Sequence[Seen]) -> Belief:
    """Return the smoothed scores of all settings; their noise is first guessed, then what the smoothed scores imply."""
    luck = Luck(
        [one.openings for one in seen],
        [one.scores for one in seen],
        np.array([one.is_known for one in seen]),
    )
    points = encoder.points([one.setting for one in seen])
    expected = fit_landscape(points, luck.score, luck.covariance(luck.guess)).expected(points)
    return believe(points, luck.score, luck.covariance(expected))


def elo_interval(score: float, error: float) -> search.Interval:
    """Return score and Elo with 95 % intervals."""
    low, mid, high = (min(max(s, 0.001), 0.999) for s in (score - Z95 * error, score, score + Z95 * error))
    return search.Interval(
        score=score,
        error=error,
        elo=score_to_elo(mid),
        elo_low=score_to_elo(low),
        elo_high=score_to_elo(high),
    )


def _estimate(
    hill: Belief, encoder: Encoder, setting: Mapping[str, Any], luck: float = 0.0, unsure: float = 0.0
) -> search.Interval:
    score, error = hill.score(encoder.point(setting)[None, :])
    return elo_interval(float(score[0]) - luck, float(np.hypot(error[0], unsure)))


def _middle(
    space: Space[Any],
    encoder: Encoder,
    hill: Belief,
    seen: Sequence[Seen],
    points: Array,
    rng: np.random.Generator,
) -> Setting | None:
    """Return the setting in the middle of what may be best, None where there is none; `points`: candidates.

    Of words there is no mean, and the quadratic that weighs settings needs many of them. Where the process holds its
    best place better than the weighted mean by more than `SURE` standard errors, as at a cliff, no middle is right.
    """
    parameters = space.parameters
    if any(len(p.choices) > 2 for p in parameters) or len(seen) < enough_trials(len(parameters)):
        return None
    lived = _weighted_mean(encoder, seen)
    expected = hill.expected(points)
    gain, error, _ = hill.difference(points[np.argmax(expected)], lived)
    if gain > SURE * error:
        return None
    if len(parameters) == 1 and not parameters[0].choices:
        share, summit = QUADRATIC_OF_ONE * hill.smooth, _middle_summit(parameters[0], encoder, hill, rng)
    else:
        best = points[np.argsort(-expected, kind="stable")[:CONTENDERS]]
        share, summit = QUADRATIC_OF_MORE, best[hill.summits(best, rng)].mean(axis=0)
    mean = share * lived + (1 - share) * summit
    return {
        p.name: p.choices[int(at > 0)] if p.choices else p.axis.value(float(at))
        for p, at in zip(parameters, mean, strict=True)
    }


def _middle_summit(p: Parameter, encoder: Encoder, hill: Belief, rng: np.random.Generator) -> Array:
    """Return the mean of the middle half of the places on [-1, 1] where the best value may lie."""
    values = dict.fromkeys(p.axis.value(float(unit)) for unit in np.linspace(-1, 1, PLACES))
    points = encoder.points([{p.name: value} for value in values])
    places = np.sort(points[hill.summits(points, rng)], axis=0)
    found: Array = places[len(places) // 4 : -(len(places) // 4)].mean(axis=0)
    return found


def _weighted_mean(encoder: Encoder, seen: Sequence[Seen]) -> Array:
    """Return the mean of the settings played, weighted by how confidently a quadratic holds them for good."""
    points, counts = encoder.points([one.setting for one in seen]), np.array([one.counts for one in seen])
    results = counts @ _GAMES_OF_PAIRS
    mean: Array = np.average(points, axis=0, weights=fit_local(points, results).weights * results.sum(axis=1))
    return mean


# Games won, drawn and lost in a pair of each class; a drawn pair counts as one of each.
_GAMES_OF_PAIRS = np.array([[0, 0, 2], [0, 1, 1], [1, 0, 1], [1, 1, 0], [2, 0, 0]], float)


def _candidates(
    space: Space[Any], encoder: Encoder, hill: Belief, seen: Sequence[Seen], rng: np.random.Generator
) -> list[Mapping[str, Any]]:
    """Return the settings played, the start, and variations of those with good expected scores."""
    played = [one.setting for one in seen]
    scores = hill.expected(encoder.points(played))
    good = [played[at] for at in np.argsort(-scores, kind="stable")[: max(3, len(played) // 5)]]
    made = [_varied(space, good[int(rng.integers(len(good)))], rng) for _ in range(CANDIDATES)]
    return [space.start, *played, *made]


def _varied(space: Space[Any], setting: Mapping[str, Any], rng: np.random.Generator) -> Mapping[str, Any]:
    changed = dict(setting)
    reach = 0.4 * 10 ** rng.uniform(-1.5, 0)
    for p in space.parameters:
        if p.choices:
            if rng.random() < 0.2:
                changed[p.name] = p.choices[int(rng.integers(len(p.choices)))]
        elif rng.random() < 0.7:
            unit = p.axis.unit(changed[p.name]) + reach * rng.normal()
            changed[p.name] = p.axis.value(unit)
    return changed


def _effect(p: Parameter, hill: Belief, encoder: Encoder, at: Mapping[str, Any]) -> search.Effect:
    """Return what a parameter alone is worth around a setting: its best and worst value, the difference in Elo."""
    values = list(p.choices) or list(dict.fromkeys(p.axis.value(float(u)) for u in np.linspace(-1, 1, 21)))
    points = encoder.points([{**at, p.name: value} for value in values])
    scores, errors = hill.score(points)
    best, worst = int(np.argmax(scores)), int(np.argmin(scores))
    gain, error, _ = hill.difference(points[best], points[worst])
    curve = [
        search.CurvePoint(value=value, **dict(elo_interval(float(score), float(sd))))
        for value, score, sd in zip(values, scores, errors, strict=True)
    ]
    elo = curve[best].elo - curve[worst].elo
    per_score = elo / gain if gain > 1e-6 else NELO_UNIT * 2
    return search.Effect(
        name=p.name,
        best=values[best],
        worst=values[worst],
        elo=elo,
        elo_half_width=Z95 * error * per_score,
        score=gain,
        error=error,
        curve=curve,
    )


def _luckiest(seen: Sequence[Seen]) -> search.Luckiest:
    """Return the setting with the best observed score, which is not a recommendation."""
    best = max(seen, key=lambda one: moments(one.counts).score)
    facts = estimate(best.counts)
    return search.Luckiest(
        setting=dict(best.setting),
        trials=[int(n) for n in best.numbers],
        counts=[int(n) for n in best.counts],
        score=facts.score,
        elo=facts.elo,
        elo_half_width=facts.elo_half_width,
    )
