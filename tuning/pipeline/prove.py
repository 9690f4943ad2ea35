"""Is one player stronger than another? The proof of a study by itself, for weights that come from anywhere.

`verify_weights` keeps a folder of its own, laid out like a study's: terms fixed before the first game, openings
nobody tuned on, `verify/*.json`, `verdict.json`. `verify_study` proves what a study has found already. Both
may be interrupted and called again, with the same numbers in the end."""

from pathlib import Path

from tunesmith.engine.limits import parse_limit
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import StudyError
from tunesmith.games.texts import counted
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.documents.matches import Run, Verdict
from tunesmith.tuning.files import locked
from tunesmith.tuning.pipeline.context import (
    Players,
    candidate_of,
    keep,
    load_players,
    matchup_of,
    note_openings,
    opening_set,
    openings_needed,
    pins,
    proof_seed,
)
from tunesmith.tuning.play import load
from tunesmith.tuning.play.player import read_weights
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.proof.contest import Contest, decide, measure, recall, terms_in_words
from tunesmith.tuning.proof.reason import reason
from tunesmith.tuning.proof.verdict import conclude, finished
from tunesmith.tuning.stats.sprt import Sprt, shown_gain
from tunesmith.tuning.stats.words import elo_words
from tunesmith.tuning.study import CANDIDATE, Study, open_study, require, stored_config


def verify_weights(
    config: StudyConfig, name: str, root: Path, resources: Resources, command: str = ""
) -> Verdict:
    """Prove or disprove that weights `name` beat the baseline of `config`; return the verdict.

    `command` does the same again; it is quoted in the verdict.

    Raises
    ------
    StudyError
        The folder holds something else, or a proof on other terms (listed).
    """
    players = load_players(config, tunes=False)
    candidate = read_weights(name, players.game, config.options)
    study = open_study(root, config, pins(players) | {CANDIDATE: candidate.digest})
    return _finish(study, players, candidate, resources, command, name)


def verify_study(root: Path, resources: Resources, command: str = "") -> Verdict:
    """Prove what the study in `root` has fitted or found by its search; return the verdict."""
    done = finished(root)
    if done is not None:
        resources.listener.note(f"{root}: already finished")
        return done
    config = stored_config(root)
    players = load_players(config, tunes=False)
    stored = require(root).pinned
    if CANDIDATE in stored:
        raise StudyError(f"{root}: is a proof, no study; the command that began it goes on with it")
    study = open_study(
        root, config, pins(players) | {key: stored[key] for key in stored if key not in pins(players)}
    )
    return _finish(study, players, candidate_of(study, players), resources, command, None)


def four_times(limit: str) -> str:
    """Return the limit of four times the work; a depth is one deeper."""
    parsed = parse_limit(limit)
    if parsed.kind == "depth":
        return str(parse_limit(f"depth:{int(parsed.value) + 1}"))
    return str(parse_limit(f"{parsed.kind}:{parsed.value * 4:g}"))


def _finish(
    study: Study, players: Players, candidate: Weights, resources: Resources, command: str, who: str | None
) -> Verdict:
    done = finished(study.root)
    if done is not None:
        resources.listener.note(f"{study.root}: already finished")
        return done
    with locked(study.root):
        keep(study, "baseline", players.baseline)
        note_openings(study, players, resources, {"verify": openings_needed(study.config)["verify"]})
        return settle(study, players, candidate, resources, command, who)


def settle(
    study: Study,
    players: Players,
    candidate: Weights,
    resources: Resources,
    command: str,
    who: str | None = None,
) -> Verdict:
    """Play what the proof still lacks, and write the verdict: the last stage of every study."""
    runs = prove(study, players, candidate, resources)
    named = {} if who is None else {"who": who}
    verdict = conclude(study, players.game, candidate, study.config.baseline, runs, command, **named)
    if verdict.outcome != "stronger" and candidate.digest != players.baseline.digest:
        why = reason(study, players.game, candidate, players.baseline, runs)
        verdict = verdict.model_copy(update={"reason": why})
    keep(study, "candidate", candidate.with_proof(verdict.content()))
    verdict.write(study.path("verdict.json"))
    study.note_stage("finished")
    return verdict


# --- the runs of a proof


def prove(study: Study, players: Players, candidate: Weights, resources: Resources) -> list[Run]:
    """Run the sequential test and the measurements; return what the files of `verify/` hold."""
    settings = study.config.verify
    opponents = [
        (f"opponent-{index}", name, weights)
        for index, (name, weights) in enumerate(players.verify_opponents, 1)
    ]
    plan: list[tuple[str, str, Weights, str, int]] = [
        ("main", study.config.baseline, players.baseline, settings.limit, settings.max_pairs),
        ("measure", study.config.baseline, players.baseline, settings.limit, settings.measure_pairs),
    ]
    if settings.second_pairs:
        plan.append(
            (
                "second-limit",
                study.config.baseline,
                players.baseline,
                settings.second_limit,
                settings.second_pairs,
            )
        )
    plan += [
        (run, name, weights, settings.limit, settings.opponent_pairs) for run, name, weights in opponents
    ]
    openings = opening_set(study, players, "verify", sum(row[4] for row in plan), resources)
    made = []
    for at, (run, name, opponent, limit, pairs) in enumerate(plan):
        own, openings = openings[:pairs], openings[pairs:]
        contest = Contest(
            run,
            matchup_of(study.config, candidate, opponent, limit, proof_seed(study.config, at)),
            name,
            own,
            study.path("verify", run, "games", "x").parent,
            resources,
        )
        test = settings_test(study.config) if run == "main" else None
        path = study.path("verify", f"{run}.json")
        stored = recall(contest, path, test)
        if stored is None:
            study.note_stage("verify", run=run)
            stored = _contest(contest, test, resources)
            stored.write(path)
        resources.listener.note(_line(stored))
        made.append(stored)
    return made


def settings_test(config: StudyConfig) -> Sprt:
    """Return the sequential test that a study asks for."""
    v = config.verify
    return Sprt(v.elo0, v.elo1, v.alpha, v.beta, v.model, v.max_pairs)


def foretold(config: StudyConfig) -> list[str]:
    """Return what the proof of a study can and cannot show, to be told before its first game."""
    first, *others = terms_in_words(settings_test(config))
    return [
        f"proof: {first}",
        *(f"  {line}" for line in others),
        f"  {_measured(config.verify.measure_pairs, 'to measure it')}",
    ]


def _measured(pairs: int, how: str) -> str:
    return f"{pairs:,} pairs {how}: a true gain of {shown_gain(pairs):.0f} normalised Elo shows in 80 % of such matches"


def _contest(contest: Contest, test: Sprt | None, resources: Resources) -> Run:
    against = f"against {contest.opponent} at {contest.limit}"
    if test is None:
        pairs = len(contest.openings)
        resources.listener.note(f"{contest.name}: {_measured(pairs, against)}")
        return measure(contest)
    for line in terms_in_words(test):
        resources.listener.note(f"{contest.name}: {line}" if line.startswith("sequential") else f"  {line}")
    resources.listener.note(f"  {against}")
    read = (0, 0.0)
    resources.listener.test(*read, test.lower, test.upper)

    def live(pairs: int, ratio: float) -> None:
        nonlocal read
        read = pairs, ratio
        resources.listener.note(
            f"  {counted(pairs, 'pair')}: LLR {ratio:+z.2f} of {test.lower:.2f}, {test.upper:.2f}"
        )
        resources.listener.test(pairs, ratio, test.lower, test.upper)

    try:
        return decide(contest, test, live)
    except KeyboardInterrupt:
        resources.listener.note(
            f"{contest.name}: interrupted between the bounds (LLR {read[1]:+z.2f} after {read[0]} pairs): "
            "inconclusive, nothing is decided"
        )
        raise


def _line(run: Run) -> str:
    e, stop = run.estimate, run.after_test
    head = f"{run.name}: {counted(run.pairs, 'pair')} against {run.opponent.name} at {run.limit}: "
    plain = elo_words(e) + ("" if run.load is None else f" (load {load.words(run.load)})")
    if stop is None:
        return head + plain
    return (
        f"{head}{run.decision}; plain {plain} (it stopped there: not the gain), allowing for the stop "
        f"{stop.elo:+z.1f} ({stop.elo_low:+z.1f} .. {stop.elo_high:+z.1f})"
    )
