"""Play, fit, check, and play again with the better weights: generation by generation.

Games of generation n are played by the last good weights, at first the baseline; the fit sees all games so far,
and its prior is always the baseline. A short match on openings that no generation plays compares the new weights
with the good ones: if they score more than half, they are good from then on. That keeps a step back from
spreading; it proves nothing, and its interval says so. `generations.json` tells the path and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine import weights as weight_files
from engine.weights import Weights
from tuning import selfplay, store, verify
from tuning.openings import Opening
from tuning.pipeline import Means, Team, opening_set
from tuning.study import Study, read_json

CHECK_SALT = 300  # seeds of a study: 1 ... for generations, 301 ... for their checks, 400 for the search


@dataclass(frozen=True)
class Player:
    """Weights by the name that the study gives them: `baseline` or `gen-2`."""

    name: str
    weights: Weights


def tune(study: Study, team: Team, means: Means) -> Weights:
    """Play and fit, generation by generation; return the last weights that passed their check.

    If none did, the last ones are returned: whether they are better is for the proof to say.
    """
    settings = study.config.play
    openings = opening_set(study, team, "train", settings.openings, means)
    reserved = openings[settings.pairs * settings.generations :]
    good = Player("baseline", team.baseline)
    played: list[store.Games] = []
    sources: list[dict[str, Any]] = []
    path: list[dict[str, Any]] = []
    for generation in range(1, settings.generations + 1):
        own = openings[(generation - 1) * settings.pairs : generation * settings.pairs]
        played.append(_play(study, generation, good, own, means))
        sources.append(_source(study, generation, good, played[-1]))
        made = _fit(study, team, generation, played, sources, means)
        step: dict[str, Any] = {
            "generation": generation,
            "player": good.name,
            "made": made.name,
            "check": None,
        }
        if settings.has_checks:
            at = (generation - 1) * settings.check_pairs
            step["check"] = _check(
                study, generation, made, good, reserved[at : at + settings.check_pairs], means
            )
        step["is_kept"] = step["check"] is None or step["check"]["is_better"]
        path.append(step)
        good = made if step["is_kept"] else good
    chosen = made if good.name == "baseline" else good
    study.write({"chosen": chosen.name, "path": path}, "generations.json")
    if settings.has_checks:
        means.tell(f"generations: {' -> '.join(_step_words(step) for step in path)}; on with {chosen.name}")
    return chosen.weights


def _play(
    study: Study, generation: int, player: Player, openings: Sequence[Opening], means: Means
) -> store.Games:
    """Play a generation's games, those that are missing; return them all."""
    settings = study.config.play
    folder = study.path("games", f"gen-{generation}", "x").parent
    study.note_stage("play", generation=generation)
    means.tell(f"play {generation}: {2 * len(openings):,} games at {settings.limit}, played by {player.name}")
    selfplay.play(
        study.config.game,
        player.weights,
        player.weights,
        limit=settings.limit,
        openings=openings,
        pairs=range(len(openings)),
        seed=study.config.seed * 1000 + generation,
        folder=folder,
        jobs=means.jobs,
        backend=means.backend,
        noise=(round(1000 * settings.noise), settings.noise_plies),
        move_cap=settings.move_cap,
        hash_mb=study.config.hash_mb,
        progress=means.progress,
    )
    return store.read_games(folder, generation=generation - 1)


def _fit(
    study: Study,
    team: Team,
    generation: int,
    played: list[store.Games],
    sources: list[dict[str, Any]],
    means: Means,
) -> Player:
    """Fit to all games so far, unless that is done; return the weights that were written."""
    from tuning.fitting import fit_weights, write_checked

    path = study.path("weights", f"gen-{generation}.json")
    if not (path.is_file() and study.root.joinpath("fit", f"gen-{generation}.json").is_file()):
        study.note_stage("fit", generation=generation)
        means.tell(f"fit {generation}: {sum(len(games) for games in played):,} games")
        made, facts, data = fit_weights(team.game, team.baseline, played, study.config.fit, study.config.seed)
        facts = {"generation": generation, **_all_sources(sources), **facts}
        study.write(facts, "fit", f"gen-{generation}.json")
        write_checked(team.game, _signed(made, study, facts), path, data)
    _tell_fit(read_json(study.root / "fit" / f"gen-{generation}.json"), means)
    return Player(f"gen-{generation}", weight_files.load(path, team.game))


def _check(
    study: Study, generation: int, made: Player, good: Player, openings: Sequence[Opening], means: Means
) -> dict[str, Any]:
    """Compare new weights with the good ones in a match of fixed length, unless that is done."""
    stored = study.read("check", f"gen-{generation}.json")
    if stored is None:
        settings = study.config.play
        study.note_stage("check", generation=generation)
        means.tell(f"check {generation}: {len(openings):,} pairs against {good.name} at {settings.limit}")
        contest = verify.Contest(
            f"gen-{generation}",
            study.config.game,
            made.weights,
            good.weights,
            good.name,
            settings.limit,
            openings,
            study.config.seed * 1000 + CHECK_SALT + generation,
            study.path("check", f"gen-{generation}", "games", "x").parent,
            means.jobs,
            means.backend,
            study.config.hash_mb,
            settings.move_cap,
            means.progress,
        )
        found = verify.measure(contest)
        found["is_better"] = found["estimate"]["score"] > 0.5
        study.write(found, "check", f"gen-{generation}.json")
        stored = study.read("check", f"gen-{generation}.json")
    means.tell(_check_words(generation, stored))
    return dict(stored)


def _check_words(generation: int, check: dict[str, Any]) -> str:
    e, rival = check["estimate"], check["opponent"]["name"]
    kept = "is kept" if check["is_better"] else f"is not better: {rival} stays"
    return (
        f"check {generation}: {check['pairs']} pairs against {rival}: {e['elo']:+.1f} ± "
        f"{e['elo_half_width']:.1f} Elo: gen-{generation} {kept}"
    )


def _step_words(step: dict[str, Any]) -> str:
    elo = step["check"]["estimate"]["elo"]
    return f"{step['made']} {elo:+.0f} Elo against {step['player']}{'' if step['is_kept'] else ' (not kept)'}"


def _source(study: Study, generation: int, player: Player, games: store.Games) -> dict[str, Any]:
    who = {"name": player.name, "digest": player.weights.digest}
    facts = {"generation": generation, "limit": study.config.play.limit, "first": who, "second": who}
    return {**facts, **store.summarise(games)}


def _all_sources(sources: list[dict[str, Any]]) -> dict[str, Any]:
    n_games = sum(source["games"] for source in sources)
    shares = {
        key: sum(s["result_shares"][key] * s["games"] for s in sources) / max(1, n_games)
        for key in ("first", "draw", "second")
    }
    return {
        "games": n_games,
        "distinct_games": sum(source["distinct_games"] for source in sources),
        "faults": sum(source["faults"] for source in sources),
        "results": shares,
        "sources": sources,
    }


def _signed(made: Weights, study: Study, facts: dict[str, Any]) -> Weights:
    provenance = {
        "study": study.config.name,
        "generation": facts["generation"],
        "games": facts["games"],
        "rows": facts["rows"],
        "seed": study.config.seed,
        "how": f"Texel fit ({study.config.fit.loss}) on self-play at {study.config.play.limit}; Elo per unit",
        "settings": study.config.model_dump(mode="json"),
        "versions": study.read("study.json")["versions"],
    }
    return replace(made, provenance=provenance)


def _tell_fit(facts: dict[str, Any], means: Means) -> None:
    loss = facts["loss"]["held_out"] or facts["loss"]["training"]
    scale = facts["scale_before"]
    unit = "prior in Elo" if scale is None else f"K {scale:.3g} Elo per unit of the baseline"
    means.tell(
        f"fit {facts['generation']}: {facts['rows']:,} positions, {unit}, "
        f"loss on held-out pairs {loss['prior']:.5f} -> {loss['fit']:.5f}"
    )
