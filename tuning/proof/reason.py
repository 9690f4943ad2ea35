"""Why was nothing shown? The most likely reason, by the figures of the study, and the command that comes next.

- `speed`: the new evaluation takes longer, and time is what the players were given;
- `weaker`: the games show a loss, so the old weights are the better ones;
- `features`: the test rejected a gain, the games would have shown one of the size that the test asks for, or the fit
  predicts games that it did not see no better than the old weights: the features cannot say it;
- `games`: a gain is still possible, and more games would tell.

One is named, in this order: more games of a slower player, or of a fit that learned nothing, show nothing either."""

import shlex
from pathlib import Path

from tunesmith.engine.evaluation import wanted_features
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.weights import Weights
from tunesmith.games.game import Game
from tunesmith.tuning.config import MOST_EDITIONS
from tunesmith.tuning.documents.fit import GenerationFit, HeldOutGain
from tunesmith.tuning.documents.matches import FOLDER, Reason, Run
from tunesmith.tuning.proof.contest import UNITS
from tunesmith.tuning.proof.verdict import judge
from tunesmith.tuning.stats.elo import Estimate
from tunesmith.tuning.stats.sprt import NARROWEST, Sprt, pairs_to_resolve
from tunesmith.tuning.stats.words import elo_words
from tunesmith.tuning.study import Study

_CANDIDATE, _BASELINE = f"{FOLDER}/weights/candidate.json", f"{FOLDER}/weights/baseline.json"
SLOWER = 1.1  # times the evaluation's time, from which on it is worth a word
SURE = 2.0  # standard errors
MOST = 100  # times the pairs played: a gain as small as the one seen is not looked for with more
SECONDS = 0.2  # that an evaluation is timed
USUAL = 20.0  # normalised Elo that is worth showing, where the test counts in another unit


def reason(study: Study, game: Game, candidate: Weights, baseline: Weights, runs: list[Run]) -> Reason:
    """Return why the candidate is not shown to be stronger; only a limit by time is answered with a clock."""
    by_name = {run.name: run for run in runs}
    main, measured = by_name["main"], by_name["measure"]
    if parse_limit(main.limit).kind in ("time", "game-time"):
        ratio = slowdown(game, candidate, baseline)
        if ratio >= SLOWER:
            return _speed(study, main, ratio)
    if judge(main, measured) == "weaker":
        return _weaker(study, measured)
    return _features(study, main, measured) or _games(study, main, measured)


def slowdown(game: Game, candidate: Weights, baseline: Weights) -> float:
    """Return how many times as long an evaluation of the candidate takes, in CPU time.

    Only what the weights ask for is computed, all features or the game's cheap ones: 1 if both ask for the same.
    """
    from tunesmith.tuning.play.bench import evaluation_rate

    new, old = (wanted_features(game, weights.array(game)) for weights in (candidate, baseline))
    if new == old:
        return 1.0
    return evaluation_rate(game, old, SECONDS)[0] / evaluation_rate(game, new, SECONDS)[0]


def _speed(study: Study, main: Run, ratio: float) -> Reason:
    return Reason(
        cause="speed",
        sentence=f"the new evaluation takes {ratio:.2f} times as long as the old, and at {main.limit} that costs "
        "positions; at equal nodes the weights are compared without their price",
        command=_command(
            *("match", study.config.game, _CANDIDATE, study.config.baseline),
            *("--limit", "nodes:1000", "--pairs", main.pairs),
        ),
    )


def _weaker(study: Study, measured: Run) -> Reason:
    fit = last_fit(study.root)
    more = "; more games for each generation, or other features, may find better ones" if fit else ""
    return Reason(
        cause="weaker",
        sentence=f"the new weights lose games, {elo_words(measured.estimate, 0)} in {measured.games:,}: keep the old "
        f"ones{more}",
        command=_look(fit),
    )


def _features(study: Study, main: Run, measured: Run) -> Reason | None:
    fit, terms, e = last_fit(study.root), main.sprt, measured.estimate
    highest = e.nelo + e.nelo_half_width
    if terms and main.decision == "H0":
        why = (
            f"the test rejected a gain of {terms.elo1:g} {UNITS[terms.model]}, and {elo_words(e, 0)} was measured in "
            f"{measured.games:,} games: the features cannot say more, or there is no more to say"
        )
    elif terms and terms.model == "normalized" and highest < terms.elo1:
        why = (
            f"the games were enough, and what these features can say is said: {elo_words(e, 0)} leaves no room for "
            f"the {terms.elo1:g} normalised Elo that the test asks for (at most {highest:+z.0f})"
        )
    elif fit and _is_level(fit.gain_held_out):
        gain = fit.gain_held_out
        why = (
            "the features cannot say it: on games that no fit saw the loss falls by no more than "
            f"{gain.mean:.5f} ± {SURE * (gain.error or 0):.5f}"
        )
    else:
        return None
    return Reason(cause="features", sentence=why + _trees(fit), command=_look(fit))


def _look(fit: GenerationFit | None) -> str:
    """Return the command that shows what was fitted, or, without a fit, what changed."""
    return _command(*(("dataset", FOLDER) if fit else ("weights", "diff", _CANDIDATE, _BASELINE)))


def _is_level(gain: HeldOutGain) -> bool:
    """Whether the fit is not for sure better than the old weights where it was not fitted."""
    return gain.mean is not None and gain.error is not None and gain.mean <= SURE * gain.error


def _trees(fit: GenerationFit | None) -> str:
    """Say what trees over the same features gain beyond the weighted sum, where that was looked at."""
    more = fit.boosted if fit else None
    if more is None or more.fall is None or more.error is None:
        return ""
    if more.fall < SURE * more.error:
        return "; trees over the same features find nothing more, so other features are needed"
    return (
        f"; trees over the same features gain another {more.fall:.5f}: products of features are worth a try"
    )


def _games(study: Study, main: Run, measured: Run) -> Reason:
    e = measured.estimate
    size, pairs = _enough(main, e)
    return Reason(
        cause="games",
        sentence=f"too few games: {elo_words(e, 0)} in {measured.games:,} leaves a gain possible; {size} shows in nine "
        f"of ten tests of up to {pairs:,} pairs, and this one read {main.pairs:,}",
        command=_command(
            *("verify", study.config.game, _CANDIDATE, study.config.baseline, "--limit", main.limit),
            *("--max-pairs", pairs, "--measure-pairs", pairs // 2, "--edition", _next(study)),
        ),
    )


def _next(study: Study) -> int:
    """Return the edition of openings to prove it on: one that this proof did not use, as long as there are any."""
    return min(study.config.openings.edition + 1, MOST_EDITIONS)


def _enough(main: Run, e: Estimate) -> tuple[str, int]:
    """Return the gain to show, in words, and the limit of pairs within which a test accepts it in nine of ten."""
    v = main.sprt
    low, high = (v.elo0, v.elo1) if v and v.model == "normalized" else (0.0, USUAL)
    pairs = pairs_to_resolve(Sprt(low, e.nelo)) if low + NARROWEST < e.nelo < high else None
    is_seen = pairs is not None and pairs <= MOST * main.pairs
    aim = e.nelo if is_seen else high
    if not is_seen:
        pairs = pairs_to_resolve(Sprt(low, high)) if high - low > NARROWEST else None
    size = f"a gain of {aim:.0f} normalised Elo" + (", the one seen," if is_seen else "")
    return size, max(pairs or 0, 2 * main.pairs)


def last_fit(root: Path) -> GenerationFit | None:
    """Return the fit of a study's last generation, None where nothing was fitted."""
    paths = sorted((root / "fit").glob("gen-*.json"), key=lambda path: (len(path.name), path.name))
    return GenerationFit.read(paths[-1]) if paths else None


def _command(*words: object) -> str:
    return shlex.join(["tunesmith", *map(str, words)])
