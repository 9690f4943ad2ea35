"""Is one player stronger than another? The proof of a study by itself, for weights that come from anywhere.

`verify_weights` keeps a folder of its own, laid out like a study's: terms fixed before the first game, openings
nobody tuned on, `verify/*.json`, `verdict.json`. `verify_study` proves what a study has found already. Both
may be interrupted and called again, with the same numbers in the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tunesmith.engine import weights as weight_files
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import StudyError
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.pipeline.study import (
    Means,
    Team,
    candidate_of,
    load_team,
    note_openings,
    openings_needed,
    pins,
    prove,
)
from tunesmith.tuning.play import store
from tunesmith.tuning.proof.verdict import conclude, verdict_of
from tunesmith.tuning.study import CANDIDATE, Study, open_study, require, stored_config


def verify_weights(config: StudyConfig, name: str, root: Path, means: Means) -> dict[str, Any]:
    """Prove or disprove that weights `name` beat the baseline of `config`; return the verdict.

    Raises
    ------
    StudyError
        The folder holds something else, or a proof on other terms (listed).
    """
    team = load_team(config, tunes=False)
    found = weight_files.load(name, team.game)
    candidate = weight_files.with_search(found, config.search, keep_simple=True)
    study = open_study(root, config, pins(team) | {CANDIDATE: candidate.digest})
    return _finish(study, team, candidate, means, name)


def verify_study(root: Path, means: Means) -> dict[str, Any]:
    """Prove what the study in `root` has fitted or found by its search; return the verdict."""
    finished = verdict_of(root)
    if finished is not None:
        means.tell(f"{root}: already finished")
        return finished
    config = stored_config(root)
    team = load_team(config, tunes=False)
    stored = require(root).get("pinned", {})
    if CANDIDATE in stored:
        raise StudyError(f"{root}: is a proof, no study; the command that began it goes on with it")
    study = open_study(
        root, config, pins(team) | {key: stored[key] for key in stored if key not in pins(team)}
    )
    return _finish(study, team, candidate_of(study, team), means, None)


def four_times(limit: str) -> str:
    """Return the limit of four times the work; a depth is one deeper."""
    parsed = parse_limit(limit)
    if parsed.kind == "depth":
        return str(parse_limit(f"depth:{int(parsed.value) + 1}"))
    return str(parse_limit(f"{parsed.kind}:{parsed.value * 4:g}"))


def _finish(study: Study, team: Team, candidate: Weights, means: Means, who: str | None) -> dict[str, Any]:
    finished = verdict_of(study.root)
    if finished is not None:
        means.tell(f"{study.root}: already finished")
        return finished
    with store.locked(study.root):
        weight_files.save(team.baseline, study.path("weights", "baseline.json"))
        note_openings(study, team, means, {"verify": openings_needed(study.config)["verify"]})
        runs = prove(study, team, candidate, means)
        named = {} if who is None else {"who": who}
        verdict = conclude(study, team.game, candidate, study.config.baseline, runs, means.command, **named)
        weight_files.save(candidate.with_proof(verdict), study.path("weights", "candidate.json"))
        study.write(verdict, "verdict.json")
        study.note_stage("finished")
    return verdict
