"""The whole loop of a study: openings, self-play, fit, again, verification, verdict, report.

`run_study` may be interrupted at any point and called again: what is done is read back, what is missing is
made, and the numbers are those of an undisturbed run. Nothing here depends on the number of workers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.engine.source import code_pins
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.pipeline import preflight
from tunesmith.tuning.play import store
from tunesmith.tuning.play.openings import choose_openings, pick
from tunesmith.tuning.play.openings.file import OpeningFile, describe
from tunesmith.tuning.play.openings.file import read as read_openings
from tunesmith.tuning.play.openings.opening import Opening, from_rows, to_rows
from tunesmith.tuning.proof import contest as verify
from tunesmith.tuning.proof.verdict import conclude, verdict_of
from tunesmith.tuning.stats.sprt import Sprt, shown_gain
from tunesmith.tuning.study import Study, chosen_weights, open_study

BASELINE, PREVIOUS = "baseline", "previous"  # names of opponents in self-play that a study gives itself

logger = logging.getLogger("tunesmith.tuning")


@dataclass(frozen=True)
class Means:
    """What a run may use, none of which changes a number: workers, and who is told of progress.

    `command` repeats the study; it is quoted in the verdict and the report. `storage` is the address of an
    Optuna storage for the search, if not the study's own file. `send` takes events for programs: a kind, and
    facts by name.
    """

    jobs: int = 1
    backend: str = "loky"
    command: str = ""
    tell: Callable[[str], None] = logger.info
    progress: Callable[[str, int, int], None] | None = None
    storage: str | None = None
    send: Callable[..., None] | None = None


@dataclass(frozen=True)
class Team:
    """The game and the players of a study, and its file of openings, if it has one.

    `opponents` verify, `mates` (by their names) play along in self-play.
    """

    game: Game
    baseline: Weights
    opponents: tuple[tuple[str, Weights], ...]
    openings: OpeningFile | None = None
    mates: tuple[tuple[str, Weights], ...] = ()


def load_team(config: StudyConfig, tunes: bool = True) -> Team:
    """Return the game and the weights that a study names, all checked; what it `tunes` is no simple player."""
    game = game_registry.load(config.game)

    def load(name: str) -> Weights:
        found = weight_files.load(name, game)
        return weight_files.with_search(found, config.search, keep_simple=True)

    if tunes and weight_files.simple(config.baseline, game):
        raise InputError(
            f"baseline: expected weights to improve, found the simple player {config.baseline!r} "
            "(the search table can make a player as simple: search = {max_depth = 1})"
        )
    rivals = tuple((name, load(name)) for name in config.verify.opponents)
    file = config.openings.file
    openings = read_openings(game, Path(file)) if file else None
    names = {mate.weights for mate in config.play.opponents} - {BASELINE, PREVIOUS}
    mates = tuple((name, load(name)) for name in sorted(names))
    return Team(game, load(config.baseline), rivals, openings, mates)


def pins(team: Team) -> dict[str, Any]:
    """Return what decides a study's numbers besides its settings."""
    pinned = code_pins(team.game) | {"digest of the baseline": team.baseline.digest}
    if team.openings is not None:
        pinned["digest of the openings"] = team.openings.digest
    others = (*team.opponents, *team.mates)
    return pinned | {f"digest of {name}": weights.digest for name, weights in others}


def run_study(config: StudyConfig, root: Path, means: Means) -> dict[str, Any]:
    """Run or continue the study in `root`; return the verdict (`verdict.json`)."""
    team = load_team(config)
    study = replace(open_study(root, config, pins(team)), listen=means.send)
    finished = verdict_of(root)
    if finished is not None:
        means.tell(f"{root}: already finished")
        return finished
    with store.locked(root):
        if study.read("status.json") is None:
            means.tell(preflight.line(team.game))
        weight_files.save(team.baseline, study.path("weights", "baseline.json"))
        note_openings(study, team, means, openings_needed(config))
        find_candidate(study, team, means)
        candidate = candidate_of(study, team)
        runs = prove(study, team, candidate, means)
        verdict = conclude(study, team.game, candidate, config.baseline, runs, means.command)
        weight_files.save(candidate.with_proof(verdict), study.path("weights", "candidate.json"))
        study.write(verdict, "verdict.json")
        study.note_stage("finished")
    return verdict


def openings_needed(config: StudyConfig) -> dict[str, int]:
    """Return how many openings a study needs for each purpose, the search's further ones left out."""
    v, tuned = config.verify, bool(config.tune.trials)
    played = 0 if tuned and config.tune.start == "baseline" else config.play.openings
    proof = v.max_pairs + v.measure_pairs + v.second_pairs + len(v.opponents) * v.opponent_pairs
    return {"train": played, "search": config.tune.pairs if tuned else 0, "verify": proof}


def note_openings(study: Study, team: Team, means: Means, needed: dict[str, int]) -> None:
    """Tell what the file of openings holds, and refuse one that is too short before the first game."""
    if team.openings is None:
        return
    facts = team.openings.facts()
    for line in describe(facts):
        means.tell(line)
    for purpose, count in needed.items():
        pick(team.openings, purpose, count, study.config.seed)
    study.write(facts, "openings", "file.json")


def start_of(study: Study, team: Team, means: Means) -> Weights:
    """Return the fitted weights, or the baseline if the study asks for nothing but a search from there."""
    from tunesmith.tuning.pipeline.generations import tune

    settings = study.config.tune
    if settings.trials and means.storage is not None:
        from tunesmith.tuning.search.storage import open_address

        open_address(means.storage)  # refused before the first game, not after an hour of self-play
    return team.baseline if settings.trials and settings.start == "baseline" else tune(study, team, means)


def find_candidate(study: Study, team: Team, means: Means) -> None:
    """Make the weights to verify: fitted, then improved by a search if the study asks for one."""
    start = start_of(study, team, means)
    if not study.config.tune.trials:
        return
    from tunesmith.tuning.pipeline.searching import search, words

    search(study, team, start, means)
    for line in words(study.read("tune", "result.json")):
        means.tell(line)


def candidate_of(study: Study, team: Team) -> Weights:
    """Return the weights that a study has chosen; refuse a study that still tunes."""
    chosen = chosen_weights(study.root)
    if chosen is None:
        raise StudyError(f"{study.root}: has no weights to verify yet; tunesmith run goes on with it")
    return chosen.load(study.root, team.game)


# Openings


def opening_set(study: Study, team: Team, purpose: str, count: int, means: Means) -> list[Opening]:
    """Return `count` openings of a purpose, made on the first call and read back later."""
    stored = study.read("openings", f"{purpose}.json")
    if stored is None:
        study.note_stage("openings", purpose=purpose)
        means.tell(f"openings: {count:,} for {purpose}")
        made = choose_openings(
            team.game,
            team.baseline,
            plies=study.config.openings.plies,
            count=count,
            purpose=purpose,
            seed=study.config.seed,
            max_score=study.config.openings.max_score,
            file=team.openings,
        )
        stored = to_rows(made)
        study.write(stored, "openings", f"{purpose}.json")
    return from_rows(team.game, stored)


# Proof


def prove(study: Study, team: Team, candidate: Weights, means: Means) -> list[dict[str, Any]]:
    """Run the sequential test and the measurements; return what the files of `verify/` hold."""
    settings = study.config.verify
    rivals = [(f"opponent-{index}", name, weights) for index, (name, weights) in enumerate(team.opponents, 1)]
    plan: list[tuple[str, str, Weights, str, int]] = [
        ("main", study.config.baseline, team.baseline, settings.limit, settings.max_pairs),
        ("measure", study.config.baseline, team.baseline, settings.limit, settings.measure_pairs),
    ]
    if settings.second_pairs:
        plan.append(
            (
                "second-limit",
                study.config.baseline,
                team.baseline,
                settings.second_limit,
                settings.second_pairs,
            )
        )
    plan += [(run, name, weights, settings.limit, settings.opponent_pairs) for run, name, weights in rivals]
    openings = opening_set(study, team, "verify", sum(row[4] for row in plan), means)
    made = []
    for at, (run, name, opponent, limit, pairs) in enumerate(plan):
        own, openings = openings[:pairs], openings[pairs:]
        contest = verify.Contest(
            run,
            study.config.game,
            candidate,
            opponent,
            name,
            limit,
            own,
            study.config.seed * 1000 + 500 + at,
            study.path("verify", run, "games", "x").parent,
            means.jobs,
            means.backend,
            study.config.hash_mb,
            study.config.play.move_cap,
            means.progress,
        )
        test = settings_test(study.config) if run == "main" else None
        stored = verify.recall(contest, study.path("verify", f"{run}.json"), test)
        if stored is None:
            study.note_stage("verify", run=run)
            stored = _contest(contest, test, means)
            study.write(stored, "verify", f"{run}.json")
        means.tell(_line(stored))
        made.append(stored)
    return made


def settings_test(config: StudyConfig) -> Sprt:
    """Return the sequential test that a study asks for."""
    v = config.verify
    return Sprt(v.elo0, v.elo1, v.alpha, v.beta, v.model, v.max_pairs)


def _contest(contest: verify.Contest, test: Sprt | None, means: Means) -> dict[str, Any]:
    against = f"against {contest.opponent_name} at {contest.limit}"
    if test is None:
        pairs = len(contest.openings)
        means.tell(
            f"{contest.name}: {pairs:,} pairs {against}, which show a gain of {shown_gain(pairs):.0f} normalised "
            "Elo four times in five"
        )
        return verify.measure(contest)
    for line in verify.terms_in_words(test):
        means.tell(f"{contest.name}: {line}" if line.startswith("sequential") else f"  {line}")
    means.tell(f"  {against}")
    read = (0, 0.0)

    def live(pairs: int, ratio: float) -> None:
        nonlocal read
        read = pairs, ratio
        means.tell(f"  {pairs} pairs: LLR {ratio:+.2f} of {test.lower:.2f}, {test.upper:.2f}")
        if means.send is not None:
            means.send("test", pairs=pairs, llr=ratio, lower=test.lower, upper=test.upper)

    try:
        return verify.decide(contest, test, live)
    except KeyboardInterrupt:
        means.tell(
            f"{contest.name}: interrupted between the bounds (LLR {read[1]:+.2f} after {read[0]} pairs): "
            "inconclusive, nothing is decided"
        )
        raise


def _line(run: dict[str, Any]) -> str:
    e, stop = run["estimate"], run.get("after_test")
    head = f"{run['name']}: {run['pairs']} pairs against {run['opponent']['name']} at {run['limit']}: "
    plain = f"{e['elo']:+.1f} ± {e['elo_half_width']:.1f} Elo"
    if stop is None:
        return head + plain
    return (
        f"{head}{run['decision']}; plain {plain} (it stopped there: not the gain), allowing for the stop "
        f"{stop['elo']:+.1f} ({stop['elo_low']:+.1f} .. {stop['elo_high']:+.1f})"
    )


def check_jobs(jobs: int) -> int:
    """Return the number of workers, refused if it is not positive."""
    if jobs < 1:
        raise InputError(f"--jobs: expected 1 or more, found {jobs}")
    return jobs
