"""What the verification runs say together, in one sentence: stronger, weaker, or not shown.

The sequential test decides; the figure quoted is that of the fixed number of pairs, with its 95 % interval,
never that of the stopped test. Where nothing is shown, the sentence says how many games would."""

from pathlib import Path

from tunesmith.engine.source import code_digest
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import StudyError
from tunesmith.games.game import Game
from tunesmith.games.texts import counted
from tunesmith.tuning.documents.matches import Baseline, BriefRun, Gain, Run, Verdict
from tunesmith.tuning.play import store
from tunesmith.tuning.proof.contest import lost_words
from tunesmith.tuning.stats import elo
from tunesmith.tuning.stats.elo import Outcome
from tunesmith.tuning.stats.words import elo_words
from tunesmith.tuning.study import Study, chosen_weights

TUNED = "the tuned weights"


def verdict_of(root: Path) -> Verdict | None:
    """Return the verdict of a study, None before there is one; refuse one on other weights than the study's."""
    found = Verdict.find(root / "verdict.json")
    if found is None:
        return None
    chosen = chosen_weights(root)
    if chosen is None or found.candidate != chosen.digest:
        now = "it has chosen none yet" if chosen is None else f"it chose {chosen.name}, {chosen.digest[:12]}"
        raise StudyError(
            f"{root}/verdict.json: is of the weights {found.candidate[:12]}, and of this study "
            f"{now}; without this file `tunesmith run` goes on to the right one"
        )
    return found


def finished(root: Path) -> Verdict | None:
    """Return the verdict of a study that has nothing left to do: all runs are there, and their games are whole."""
    found = verdict_of(root)
    if found is None or not store.is_whole(root):
        return None
    for brief in found.runs:
        run = Run.find(root / "verify" / f"{brief.name}.json")
        if run is None or run.counts != brief.counts:
            return None
    return found


def conclude(
    study: Study,
    game: Game,
    candidate: Weights,
    baseline: str,
    runs: list[Run],
    command: str,
    who: str = TUNED,
) -> Verdict:
    """Return the content of `verdict.json`; `who` names the candidate in the sentence."""
    by_name = {run.name: run for run in runs}
    main, measured = by_name["main"], by_name["measure"]
    outcome = judge(main, measured)
    e = measured.estimate
    words = sentence(game.name, baseline, outcome, runs, who)
    if lost := store.lost(study.root):
        words = f"{words[:-1]}; {lost_words(len(lost))}."
    return Verdict(
        sentence=words,
        outcome=outcome,
        candidate=candidate.digest,
        baseline=Baseline(name=baseline, digest=main.opponent.digest, options=study.config.options),
        game=game.spec,
        code=code_digest(game),
        decision=main.decision,
        gain=Gain(
            run=measured.name,
            elo=e.elo,
            elo_half_width=e.elo_half_width,
            elo_low=e.elo_low,
            elo_high=e.elo_high,
            nelo=e.nelo,
            limit=measured.limit,
            games=measured.games,
        ),
        runs=[_brief(run) for run in runs],
        seed=study.config.seed,
        command=command,
        report="report.html",
        openings="unused in play, distinct under the game's symmetry",
        edition=study.config.openings.edition,
    )


def judge(main: Run, measured: Run) -> Outcome:
    """Return `stronger` if the test accepted the gain and the measurement does not contradict it."""
    e = measured.estimate
    if main.decision == "H1" and e.elo > 0:
        return "stronger"
    return "weaker" if elo.judge(e.elo_low, e.elo_high) == "weaker" else "not shown"


def sentence(game: str, baseline: str, outcome: Outcome, runs: list[Run], who: str = TUNED) -> str:
    """Return the verdict in words, with every figure's games and limit."""
    by_name = {run.name: run for run in runs}
    main, measured = by_name["main"], by_name["measure"]
    verb = "are" if who == TUNED else "is"
    head = {
        "stronger": f"{game}: {who} {verb} stronger than {baseline}",
        "weaker": f"{game}: {who} {verb} weaker than {baseline}",
        "not shown": f"{game}: {who} {verb} not shown to be stronger than {baseline}",
    }[outcome]
    if outcome == "not shown" and main.candidate.digest == main.opponent.digest:
        head = f"{game}: nothing to prove, {who} {verb} {baseline} itself"
    parts = [f"{_elo(measured)} at {measured.limit} in {counted(measured.games, 'game')} on unused openings"]
    if "second-limit" in by_name:
        second = by_name["second-limit"]
        parts.append(f"{_elo(second)} at {second.limit}")
    parts += [f"{_elo(run)} against {run.opponent.name}" for run in runs if run.name.startswith("opponent-")]
    test = f"sequential test: {_decision(main)} after {counted(main.pairs, 'pair')}"
    needed = ""
    if outcome == "not shown" and measured.games_needed and main.candidate.digest != main.opponent.digest:
        needed = f"; a difference of this size would need about {measured.games_needed:,.0f} games"
    return f"{head}: {', '.join(parts)} ({test}{needed})."


def _elo(run: Run) -> str:
    return elo_words(run.estimate, 0)


def _decision(main: Run) -> str:
    return {"H1": "gain accepted", "H0": "gain rejected"}.get(str(main.decision), "undecided")


def _brief(run: Run) -> BriefRun:
    return BriefRun(
        name=run.name,
        opponent=run.opponent,
        limit=run.limit,
        counts=run.counts,
        pairs=run.pairs,
        elo=run.estimate.elo,
        half_width=run.estimate.elo_half_width,
        after_test=run.after_test,
        decision=run.decision,
    )
