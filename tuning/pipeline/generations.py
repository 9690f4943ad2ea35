"""Play, fit, check, and play again with the better weights: generation by generation.

Games of generation n are played by the last good weights, at first the baseline; the fit sees all games so far,
and its prior is the baseline, unless the study learns from the newest games alone: then its prior is who played them.
A short match on openings that no generation plays compares the new weights with the good ones, and so does their loss
on games that no fit saw: the strongest by both (`stats.generations`) are good from then on. Weights are dropped only if
the match shows them to be worse. None of this proves anything. `generations.json` tells the path and its end."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tunesmith.engine.weights import Weights
from tunesmith.tuning.config import Play
from tunesmith.tuning.documents.fit import GenerationFit, Source
from tunesmith.tuning.documents.matches import Audit, Generations, Named, Run, Step
from tunesmith.tuning.pipeline.context import (
    BASELINE,
    PREVIOUS,
    Players,
    check_seed,
    matchup_of,
    opening_set,
    play_seed,
)
from tunesmith.tuning.play import adjudication, selfplay, store
from tunesmith.tuning.play.matchup import Noise, Opponent
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.summary import by_opponent, summarise
from tunesmith.tuning.proof.contest import Contest, measure, recall
from tunesmith.tuning.stats import generations as stats
from tunesmith.tuning.stats.words import elo_words
from tunesmith.tuning.study import Chosen, Study, require

NamedWeights = tuple[
    str, Weights
]  # weights by the name that a study gives them: `baseline`, `gen-2`, an opponent's


class Played(NamedTuple):
    """A generation's games, who played them, and what the audit of adjudicated ones found."""

    games: Games
    sources: list[Source]
    audit: Audit | None


def start_of(study: Study, players: Players, resources: Resources, storage: str | None = None) -> Weights:
    """Return the fitted weights, or the baseline if the study asks for nothing but a search from there."""
    settings = study.config.search
    if settings.trials and storage is not None:
        from tunesmith.tuning.search.storage import open_address

        open_address(storage)  # refused before the first game, not after an hour of self-play
    if settings.trials and settings.start == "baseline":
        return players.baseline
    return tune(study, players, resources)


def tune(study: Study, players: Players, resources: Resources) -> Weights:
    """Play and fit, generation by generation; return the strongest weights as far as all checks and losses tell.

    If all were shown to be worse, the last ones are returned: whether they are better is for the proof to say.
    """
    settings = study.config.play
    openings = opening_set(study, players, "train", settings.openings, resources)
    reserved = openings[settings.pairs * settings.generations :]
    good: NamedWeights = (BASELINE, players.baseline)
    before, number = good, 0
    steps: list[stats.Step] = []
    all_made: list[NamedWeights] = [good]
    played: list[Played] = []
    path: list[Step] = []
    stopped: str | None = None
    for generation in range(1, settings.generations + 1):
        own = openings[(generation - 1) * settings.pairs : generation * settings.pairs]
        opponents = _opponents(study, players, before)
        played.append(_play(study, generation, good, opponents, own, resources))
        made, facts = _fit(study, players, generation, played, good, resources)
        all_made.append(made)
        check = None
        if settings.has_checks:
            at = (generation - 1) * settings.check_pairs
            check = _check(study, generation, made, good, reserved[at : at + settings.check_pairs], resources)
            gain = facts.gain_over_player or facts.gain_held_out
            steps.append(stats.step(number, check.estimate, gain.mean, gain.error))
            resources.listener.note(_check_words(generation, check, steps[-1]))
        is_kept = check is None or not steps[-1].is_worse
        believed = None if check is None else steps[-1].elo
        path.append(
            Step(
                generation=generation,
                player=good[0],
                made=made[0],
                check=check,
                is_kept=is_kept,
                step=believed,
                left=_left(settings, steps, facts),
            )
        )
        best = stats.strongest(steps) if steps else generation
        if best != number and any(one.is_kept for one in path):
            before, good, number = good, all_made[best], best
        if (stopped := _why_stop(settings, path[-1])) is not None:
            resources.listener.note(f"generations: {stopped}")
            break
    name, chosen = made if good[0] == BASELINE else good
    found = Generations(chosen=name, digest=chosen.digest, path=path, stopped=stopped)
    found.write(study.path("generations.json"))
    if settings.has_checks:
        told = " -> ".join(_step_words(step) for step in path)
        resources.listener.note(f"generations: {told}; {_end_words(good, name)}")
    return chosen


def _play(
    study: Study,
    generation: int,
    player: NamedWeights,
    opponents: Sequence[Opponent],
    openings: Sequence[Opening],
    resources: Resources,
) -> Played:
    """Play a generation's games, those that are missing; return them all."""
    settings = study.config.play
    folder = study.path("games", f"gen-{generation}", "x").parent
    study.note_stage("play", generation=generation)
    resources.listener.note(
        f"play {generation}: {2 * len(openings):,} games at {settings.limit}, played by "
        f"{_who(player[0], opponents, settings)}"
    )
    matchup = replace(
        matchup_of(study.config, player[1], player[1], settings.limit, play_seed(study.config, generation)),
        noise=Noise(settings.noise, settings.noise_plies),
        opponents=tuple(opponents),
        adjudicate=settings.adjudicate,
    )
    selfplay.play(matchup, openings, range(len(openings)), folder, resources)
    games = store.read_games(folder, generation=generation - 1)
    checked = None
    if matchup.adjudicate is not None:
        checked = adjudication.audit(folder, matchup, matchup.adjudicate.audit, resources, games)
        resources.listener.note(adjudication.words(checked))
    return Played(games, _sources(study, generation, player, opponents, games), checked)


def _opponents(study: Study, players: Players, before: NamedWeights) -> list[Opponent]:
    """Return who else plays a generation, by name: opponents by the names of the study file."""
    named = dict(players.play_opponents) | {BASELINE: players.baseline, PREVIOUS: before[1]}
    return [
        Opponent(named[one.weights], one.share, before[0] if one.weights == PREVIOUS else one.weights)
        for one in study.config.play.opponents
    ]


def _who(player: str, opponents: Sequence[Opponent], settings: Play) -> str:
    others = "".join(f", {100 * opponent.share:g} % against {opponent.name}" for opponent in opponents)
    noise = f", {100 * settings.noise:g} % random moves up to ply {settings.noise_plies}"
    return f"{player}{others}{noise if settings.noise and settings.noise_plies else ''}"


def _sources(
    study: Study,
    generation: int,
    player: NamedWeights,
    opponents: Sequence[Opponent],
    games: Games,
) -> list[Source]:
    """Return one record for each opponent: who played, and what came of it."""
    names = {opponent.weights.digest: opponent.name for opponent in reversed(opponents)}
    names[player[1].digest] = player[0]
    first = Named(name=player[0], digest=player[1].digest)
    return [
        Source(
            generation=generation,
            limit=study.config.play.limit,
            first=first,
            second=Named(name=names[digest], digest=digest),
            **dict(summarise(own)),
        )
        for digest, own in by_opponent(games)
    ]


def _fit(
    study: Study,
    players: Players,
    generation: int,
    played: Sequence[Played],
    player: NamedWeights,
    resources: Resources,
) -> tuple[NamedWeights, GenerationFit]:
    """Fit to all games so far or the newest, unless that is done; return the written weights and the facts."""
    from tunesmith.tuning.pipeline.fit_games import fit_weights, gain_over, write_checked

    path = study.path("weights", f"gen-{generation}.json")
    prior: NamedWeights = (BASELINE, players.baseline)
    seen = played
    if study.config.play.learn_from == "newest":
        prior, seen = player, played[-1:]
    if not (path.is_file() and study.root.joinpath("fit", f"gen-{generation}.json").is_file()):
        study.note_stage("fit", generation=generation)
        games = [own.games for own in seen]
        resources.listener.note(f"fit {generation}: {sum(map(len, games)):,} games")
        made, found, data = fit_weights(
            players.game,
            prior[1],
            games,
            study.config.fit,
            study.config.seed,
            foresees=study.config.play.stop_below > 0,
        )
        if lost := found.selection.get("repeated game", 0):
            resources.listener.note(f"fit {generation}: {lost:,} games repeat another and are left out")
        facts = GenerationFit(
            generation=generation,
            digest=made.digest,
            **_all_sources(seen)._asdict(),
            **dict(found),
            gain_over_player=gain_over(player[1], made, data, study.config.fit),
        )
        facts.write(study.path("fit", f"gen-{generation}.json"))
        write_checked(players.game, _signed(made, study, facts), path, data)
        study.note_weights(path.stem, made.digest)
    facts = GenerationFit.read(study.root / "fit" / f"gen-{generation}.json")
    _tell_fit(facts, prior[0], resources)
    name = f"gen-{generation}"
    weights = Chosen(name, facts.digest).load(study.root, players.game)
    return (name, weights), facts


def _left(settings: Play, steps: Sequence[stats.Step], facts: GenerationFit) -> float | None:
    """Return what the generations to come are expected to bring, in Elo, if a study asks."""
    if facts.unlearnt is None:
        return None
    gain, done = facts.gain_held_out, facts.generation
    elo = stats.rating(steps, done)
    return stats.left(facts.unlearnt, done, settings.generations - done, elo, gain.mean, gain.error)


def _why_stop(settings: Play, step: Step) -> str | None:
    """Say why no more generations are played, if so."""
    to_come = settings.generations - step.generation
    if not to_come or step.left is None or step.left >= settings.stop_below:
        return None
    return (
        f"no more are played after {step.generation} of {settings.generations}: the other {to_come} are expected to "
        f"bring {step.left:.1f} Elo, and play.stop_below is {settings.stop_below:g}"
    )


def _check(
    study: Study,
    generation: int,
    made: NamedWeights,
    good: NamedWeights,
    openings: Sequence[Opening],
    resources: Resources,
) -> Run:
    """Compare new weights with the good ones in a match of fixed length, unless that is done."""
    settings = study.config.play
    seed = check_seed(study.config, generation)
    contest = Contest(
        f"gen-{generation}",
        matchup_of(study.config, made[1], good[1], settings.limit, seed),
        good[0],
        openings,
        study.path("check", f"gen-{generation}", "games", "x").parent,
        resources,
    )
    path = study.path("check", f"gen-{generation}.json")
    stored = recall(contest, path)
    if stored is None:
        study.note_stage("check", generation=generation)
        resources.listener.note(
            f"check {generation}: {len(openings):,} pairs against {good[0]} at {settings.limit}"
        )
        stored = measure(contest)
        stored.write(path)
    return stored


def _check_words(generation: int, check: Run, step: stats.Step) -> str:
    kept = "is shown to be worse, and dropped" if step.is_worse else "is not shown to be worse, and kept"
    return (
        f"check {generation}: {check.pairs} pairs against {check.opponent.name}: {elo_words(check.estimate)}, "
        f"with the held-out loss {step.elo:+z.0f}: gen-{generation} {kept}"
    )


def _step_words(step: Step) -> str:
    gain = "" if step.step is None else f" {step.step:+z.0f} Elo"
    return f"{step.made}{gain} against {step.player}{'' if step.is_kept else ' (dropped)'}"


def _end_words(good: NamedWeights, name: str) -> str:
    if good[0] != BASELINE:
        return f"on with {name}"
    return f"each is shown to be worse than the baseline; the proof tests the last, {name}, all the same"


class AllSources(NamedTuple):
    """What all games of a fit amount to; see `GenerationFit`."""

    games: int
    distinct_games: int
    faults: int
    results: dict[str, float]
    sources: list[Source]
    audits: list[Audit]


def _all_sources(played: Sequence[Played]) -> AllSources:
    sources = [source for own in played for source in own.sources]
    n_games = sum(source.games for source in sources)
    shares = {
        key: sum(s.result_shares[key] * s.games for s in sources) / max(1, n_games)
        for key in ("first", "draw", "second")
    }
    return AllSources(
        games=n_games,
        distinct_games=sum(source.distinct_games for source in sources),
        faults=sum(source.faults for source in sources),
        results=shares,
        sources=sources,
        audits=[own.audit for own in played if own.audit is not None],
    )


def _signed(made: Weights, study: Study, facts: GenerationFit) -> Weights:
    provenance = {
        "study": study.config.name,
        "generation": facts.generation,
        "games": facts.games,
        "rows": facts.rows,
        "seed": study.config.seed,
        "how": f"Texel fit ({study.config.fit.loss}) on self-play at {study.config.play.limit}; Elo per unit",
        "settings": study.config.model_dump(mode="json"),
        "versions": require(study.root).versions,
    }
    return replace(made, provenance=provenance)


def _tell_fit(facts: GenerationFit, prior: str, resources: Resources) -> None:
    loss, scale = facts.loss.judged, facts.scale_before
    unit = (
        "prior in Elo"
        if scale is None
        else f"K {scale:.3g} Elo per unit of {'the ' * (prior == BASELINE)}{prior}"
    )
    resources.listener.note(
        f"fit {facts.generation}: {facts.rows:,} positions, {unit}, "
        f"loss on held-out pairs {loss.prior:.5f} -> {loss.fit:.5f}"
    )
    resources.listener.note(f"fit {facts.generation}: {facts.blend_path.words(facts.blend)}")
