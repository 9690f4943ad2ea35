"""The search as a stage of a study: its players, its openings, its files below `search/`.

`search/settings.json` pins what decides the numbers, `journal.log` is Optuna's, `trials.jsonl` says the same in
plain lines, `games/` holds all games, `pilot.json` and `result.json` what was found; the recommended weights
are `weights/search.json`."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tunesmith.engine.weights import Weights
from tunesmith.games.errors import StudyError
from tunesmith.games.registry import without_folder
from tunesmith.tuning.config import MOST_PAIRS, StudyConfig
from tunesmith.tuning.documents.fit import GenerationFit
from tunesmith.tuning.documents.search import PilotRow, SearchFound, SearchResult
from tunesmith.tuning.files import locked
from tunesmith.tuning.pipeline import context
from tunesmith.tuning.pipeline.generations import start_of
from tunesmith.tuning.play import store
from tunesmith.tuning.play.openings import choose_openings
from tunesmith.tuning.play.openings.opening import Opening, TooFewOpenings, read_rows, to_rows
from tunesmith.tuning.play.player import read_weights
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.search.loop import (
    SearchLoop,
    pin_settings,
    recommended,
    with_provenance,
)
from tunesmith.tuning.search.matches import TrialMatches
from tunesmith.tuning.search.pilot import pilot, pilot_line, short
from tunesmith.tuning.search.space import WeightSpace, build_space
from tunesmith.tuning.search.storage import TrialStore
from tunesmith.tuning.search.trial_log import mend_log
from tunesmith.tuning.search.watched_sampler import budget
from tunesmith.tuning.stats.elo import estimate
from tunesmith.tuning.stats.words import elo_words
from tunesmith.tuning.study import Chosen, Study, fitted_weights, names_of_proof, open_study, require

logger = logging.getLogger("tunesmith.tuning")


def search(
    study: Study, players: context.Players, base: Weights, resources: Resources, storage: str | None = None
) -> Weights:
    """Run or continue the search of a study from `base`; return the recommended weights.

    `storage` is the address of an Optuna storage, if trials are not to lie in the study's own file.
    """
    config = study.config.search
    space = build_space(players.game, base, config, _facts(study, base))
    path = study.path("weights", "search.json")
    matches = trial_matches(study, players, base, resources)
    settings = _settings(study, space, matches)
    pin_settings(study.path("search", "x").parent, space, settings)
    result = study.path("search", "result.json")
    stored = SearchResult.find(result)
    where = TrialStore(study.path("search", "x").parent, study.config.name, storage)
    is_open = stored is None or sum(stored.trials.values()) < config.trials
    is_whole = store.is_whole(matches.folder)
    if is_open:
        study.note_stage("search")
        resources.listener.note(budget(config, space))
        _pilot(study, space, matches, resources)
    if is_open or not is_whole:
        seed, note = study.config.seed, resources.listener.note
        loop = SearchLoop(where, config, space, matches, settings, seed, note)
    if not is_whole:
        if config.pilot:
            pilot(space, matches, config.pilot, lambda _: None)
        loop.play_again()
    if stored is None or is_open:
        loop.run()
        found = loop.result()
        digest = recommended(space, found, players.game).digest
        path.unlink(missing_ok=True)
        stored = SearchResult(weights="search", digest=digest, start_digest=base.digest, **dict(found))
        stored.write(result)
    elif storage is None:
        mend_log(where, space)
    if stored.start_digest != base.digest:
        raise StudyError(
            f"{study.root / 'search' / 'result.json'}: start_digest: stored {stored.start_digest}, now "
            f"{base.digest}: a search counts only for the weights it started from; remove the folder search and "
            "weights/search.json to search again"
        )
    made = recommended(space, stored, players.game)
    if not path.is_file():
        context.keep(study, "search", with_provenance(made, base, study.config.name, stored))
    return Chosen("search", made.digest).load(study.root, players.game)


def trial_matches(
    study: Study, players: context.Players, base: Weights, resources: Resources
) -> TrialMatches:
    """Return where the settings of a study play."""
    config = study.config
    return TrialMatches(
        context.matchup_of(config, base, players.baseline, config.search.limit, context.search_seed(config)),
        tuple((name, _opponent(study, players, base, name)) for name in config.search.opponents),
        _openings(study, players),
        study.path("search", "games", "x").parent,
        Resources(resources.jobs, resources.backend),  # nobody is told of hundreds of small matches
    )


def words(result: SearchFound) -> list[str]:
    """Return a result in words."""
    at, start, lucky = result.estimate, result.start.estimate, result.observed_best
    setting = ", ".join(f"{name} {short(value)}" for name, value in result.setting.items())
    complete, in_all = result.trials.get("complete", 0), sum(result.trials.values())
    of = "" if complete == in_all else f" of {complete} of {in_all} trials (the others failed)"
    lines = [
        f"search: recommended {setting}",
        f"  expected {at.elo:+z.0f} Elo ({at.elo_low:+z.0f} .. {at.elo_high:+z.0f}) against "
        f"{', '.join(result.opponents)} by a model of all {result.games:,} games{of}; the start "
        f"{start.elo:+z.0f}; better with probability {result.gain.better:.2f}",
        f"  best observed (luck included, no recommendation): trial {lucky.trials[0] + 1}, "
        f"{elo_words(estimate(lucky.counts), 0)}",
    ]
    for name in result.at_bound:
        lines.append(f"  {name} lies at the end of its range: a wider one may hold a better value")
    return lines


def search_study(
    config: StudyConfig, root: Path, resources: Resources, storage: str | None = None
) -> SearchResult:
    """Run or continue a study up to the end of its search; return `search/result.json`."""
    players = context.load_players(config, proves=False)
    study = open_study(root, config, context.pins(players), has_proof=False)
    study = replace(study, listen=resources.listener.stage)
    if not config.search.trials:
        raise StudyError("search.trials: 0: the study asks for no search (--set search.trials=50)")
    with locked(root):
        context.keep(study, "baseline", players.baseline)
        context.note_openings(study, players, resources, {**context.openings_needed(config), "verify": 0})
        search(study, players, start_of(study, players, resources, storage), resources, storage)
    return SearchResult.read(root / "search" / "result.json")


def _openings(study: Study, players: context.Players) -> list[Opening]:
    """Return the openings of a study's search, made on the first call: one for each pair, or as many as there are."""
    stored = read_rows(players.game, study.path("openings", "search.json"))
    if stored is not None:
        return stored
    config = study.config
    count = min(max(config.search.trials * config.search.pairs, config.search.pilot), MOST_PAIRS)
    try:
        made = choose_openings(
            players.game,
            players.baseline,
            config.openings,
            count=count,
            purpose="search",
            seed=config.seed,
            file=players.openings,
        )
    except TooFewOpenings as error:
        made = error.found
        if len(made) < config.search.pairs:
            raise
        logger.warning(
            "search: %d openings for %d pairs: each is played by about %.1f trials, and the intervals count that they "
            "share its luck",
            len(made),
            count,
            count / len(made),
        )
    study.write(to_rows(made), "openings", "search.json")
    return made


def _opponent(study: Study, players: context.Players, base: Weights, name: str) -> Weights:
    if name in ("baseline", study.config.baseline):
        return players.baseline
    if name == "fit":
        return base
    return read_weights(name, players.game, study.config.options)


def _facts(study: Study, base: Weights) -> GenerationFit | None:
    """Return what is known of the fit that made `base`, None where the search starts from no fit."""
    if study.config.search.start != "fit":
        return None
    fitted = fitted_weights(study.root)
    if fitted is None:
        return None
    found = GenerationFit.find(study.root / "fit" / f"{fitted.name}.json")
    if found is None or found.digest != base.digest:
        stored = None if found is None else found.digest
        raise StudyError(
            f"{study.root / 'fit' / fitted.name}.json: digest: stored {stored}, now {base.digest}: "
            "the directions of a search come from the fit it starts from"
        )
    return found


def _pilot(study: Study, space: WeightSpace, matches: TrialMatches, resources: Resources) -> None:
    pairs = study.config.search.pilot
    if not pairs:
        return
    stored = study.read("search", "pilot.json")
    if stored is not None:
        for row in stored:
            resources.listener.note(pilot_line(PilotRow.of(row, study.root / "search" / "pilot.json")))
        return
    found = [row.content() for row in pilot(space, matches, pairs, resources.listener.note)]
    study.write(found, "search", "pilot.json")


def _settings(study: Study, space: WeightSpace, matches: TrialMatches) -> Mapping[str, Any]:
    """Return what decides the numbers of a search besides its space."""
    config = study.config
    return {
        **{
            f"search.{key}": value
            for key, value in config.search.model_dump(mode="json").items()
            if key != "pilot" and (key != "trials" or "search.trials" in config.search.fixed)
        },
        "game": without_folder(config.game),
        "seed": config.seed,
        "hash_mb": config.hash_mb,
        "start": space.base.digest,
        "opponents": [weights.digest for _, weights in matches.opponents],
        "openings": config.openings.model_dump(mode="json"),
        **pins_of(study),
    }


def pins_of(study: Study) -> dict[str, str]:
    """Return what the study file pins besides its settings, the opponents of its proof left out."""
    pinned = require(study.root).pinned
    others = names_of_proof(study.config.flat())
    return {name: digest for name, digest in pinned.items() if name not in others}
