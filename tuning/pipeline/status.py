"""How far a study is and what it has found, read from its folder; disturbs nothing.

The sequential test is told as it stands: the log-likelihood ratio of the pairs so far, consumed in order of their
number, between its two bounds."""

import logging
from pathlib import Path
from typing import Any, TypeVar

from tunesmith.games.errors import StudyError
from tunesmith.games.texts import counted
from tunesmith.tuning import manifest
from tunesmith.tuning.documents.document import Document
from tunesmith.tuning.documents.fit import GenerationFit
from tunesmith.tuning.documents.matches import Generations, Named, Run
from tunesmith.tuning.documents.search import SearchResult
from tunesmith.tuning.documents.status import (
    CheckLine,
    FitLine,
    RunLine,
    SprtState,
    Stage,
    StageGames,
    Status,
)
from tunesmith.tuning.files import read_lines
from tunesmith.tuning.play.summary import pair_results
from tunesmith.tuning.proof.verdict import verdict_of
from tunesmith.tuning.stats.elo import judge
from tunesmith.tuning.stats.words import elo_words, place_between
from tunesmith.tuning.study import Chosen, chosen_weights, require, stored_config

logger = logging.getLogger("tunesmith.tuning")
Line = TypeVar("Line", bound=Document)


def describe_status(root: Path) -> Status:
    """Return stage, games, fits, checks, trials, chosen weights, verification runs and verdict of a study."""
    config = require(root).config
    stage = Stage.find(root / "status.json") or Stage(stage="not begun")
    chosen, games = chosen_weights(root), _games(root)
    return Status(
        **stage.model_dump(exclude_unset=True),
        study=str(root),
        name=config.get("name"),
        game=config.get("game"),
        games=games,
        present=_present(stage, root, games),
        stopped=path.stopped if (path := Generations.find(root / "generations.json")) else None,
        fits=[
            _brief(FitLine, fit, others=_others(fit)) for fit in map(GenerationFit.read, _files(root, "fit"))
        ],
        checks=[_brief(CheckLine, check) for check in map(Run.read, _files(root, "check"))],
        trials=_trials(root),
        chosen=None if chosen is None else Named(name=chosen.name, digest=chosen.digest),
        runs=[
            _brief(RunLine, run, is_of_chosen=_is_of(run, chosen))
            for run in map(Run.read, sorted((root / "verify").glob("*.json")))
        ],
        test=_test(root, chosen),
        verdict=verdict_of(root),
    )


def tell_missing(root: Path) -> None:
    """Say which files of a study are entered and not there, and whether trials are missing from its search's log."""
    from tunesmith.tuning.play import store

    require(root)  # or whole folders of somebody's would be searched
    for folder in sorted({path.parent for path in root.rglob(manifest.NAME)}):
        store.tell_missing(folder)
        for path in manifest.missing(folder):
            if path.suffix != ".parquet":
                logger.warning("%s is missing; the command that wrote it makes it again", path)
    found = SearchResult.find(root / "search" / "result.json")
    n_kept, n_all = sum(_trials(root).values()), sum(found.trials.values()) if found else 0
    if n_all > n_kept:
        logger.warning("%s has %d of %d trials: lines are missing", _trials_file(root), n_kept, n_all)


def _files(root: Path, folder: str) -> list[Path]:
    return sorted((root / folder).glob("gen-*.json"))


def _brief(kind: type[Line], whole: Document, **more: Any) -> Line:
    """Return the fields of a document that a line of the status has."""
    shown = {name: getattr(whole, name) for name in kind.model_fields if name not in more}
    return kind(**shown, **more)


def _others(fit: GenerationFit) -> dict[str, int]:
    """Return how many games were played against others than the player itself, by their names."""
    met = [source for source in fit.sources if source.second.digest != source.first.digest]
    return {
        name: sum(source.games for source in met if source.second.name == name)
        for name in dict.fromkeys(source.second.name for source in met)
    }


def _games(root: Path) -> dict[str, int]:
    """Return how many games each part of a study has on disk."""
    from tunesmith.tuning.play import store

    found: dict[str, int] = {}
    for folder, games in store.count_games(root).items():
        where = folder.relative_to(root)
        name = "search/games" if where.parts[0] == "search" else where.as_posix()  # a folder for each setting
        found[name] = found.get(name, 0) + games
    return found


def _present(stage: Stage, root: Path, games: dict[str, int]) -> StageGames | None:
    """Return how many games of the present stage there are, None for one that plays none or has no fixed number."""
    if stage.stage not in ("play", "check", "verify"):
        return None
    config = stored_config(root)
    v = config.verify
    runs = {"main": v.max_pairs, "measure": v.measure_pairs, "second-limit": v.second_pairs}
    folder, pairs = {
        "play": (f"games/gen-{stage.generation}", config.play.pairs),
        "check": (f"check/gen-{stage.generation}/games", config.play.check_pairs),
        "verify": (f"verify/{stage.run}/games", runs.get(stage.run or "", v.opponent_pairs)),
    }[stage.stage]
    return StageGames(games=games.get(folder, 0), planned=2 * pairs)


def _is_of(run: Run, chosen: Chosen | None) -> bool:
    """Whether a stored run was played by the weights that the study has chosen."""
    return chosen is None or run.candidate.digest == chosen.digest


def _test(root: Path, chosen: Chosen | None) -> SprtState | None:
    """Return where the sequential test stands, None if it has not begun."""
    done = Run.find(root / "verify" / "main.json")
    if done is not None and not _is_of(done, chosen):
        return None
    if done is not None and done.path and done.sprt is not None:
        pairs, ratio = done.path[-1]
        return SprtState(
            pairs=pairs, llr=ratio, lower=done.sprt.lower, upper=done.sprt.upper, decision=done.decision
        )
    folder = root / "verify" / "main" / "games"
    return _running_test(root, folder) if any(folder.glob("*.parquet")) else None


def _running_test(root: Path, folder: Path) -> SprtState:
    from tunesmith.tuning.pipeline.prove import settings_test
    from tunesmith.tuning.play import store
    from tunesmith.tuning.stats.sprt import walk

    test, games = settings_test(stored_config(root)), store.read_games(folder)
    played = set(games.pair.tolist())
    n_pairs = next(pair for pair in range(len(played) + 1) if pair not in played)
    results = pair_results(games)
    at = walk(test, [results.get(pair) for pair in range(n_pairs)]).decision
    return SprtState(pairs=n_pairs, llr=at.llr, lower=at.lower, upper=at.upper, decision=None)


def _trials(root: Path) -> dict[str, int]:
    """Return how many trials of the search ended in each way; a log that is being written may end in half a line."""
    path = _trials_file(root)
    rows = read_lines(path)
    if not all(isinstance(row.get("state"), str) for row in rows):
        raise StudyError(f"{path}: expected a state in each line")
    states = [row["state"].lower() for row in rows if not row.get("ghost")]
    return {state: states.count(state) for state in dict.fromkeys(states)}


def _trials_file(root: Path) -> Path:
    return root / "search" / "trials.jsonl"


def lines(facts: Status) -> list[str]:
    """Return the same as lines for a terminal."""
    made = [f"{facts.name} ({facts.game}): {stage_words(facts)}"]
    for folder, count in sorted(facts.games.items()):
        made.append(f"  {folder}: {counted(count, 'game')}")
    for fit in facts.fits:
        loss = fit.loss.judged
        others = "".join(f", {number:,} against {name}" for name, number in fit.others.items())
        made.append(
            f"  fit {fit.generation}: {fit.games:,} games{others}, {fit.rows:,} positions, "
            f"held-out loss {loss.prior:.5f} -> {loss.fit:.5f}"
        )
    for check in facts.checks:
        e = check.estimate
        kept = "shown to be worse" if judge(e.elo_low, e.elo_high) == "weaker" else "kept"
        against = f"{counted(check.pairs, 'pair')} against {check.opponent.name}"
        made.append(f"  check {check.name}: {against}, {elo_words(e)}, {kept}")
    if facts.stopped:
        made.append(f"  generations: {facts.stopped}")
    if facts.trials:
        ends = ", ".join(f"{count} {state}" for state, count in facts.trials.items())
        made.append(f"  search: {ends}")
    if facts.chosen:
        made.append(f"  chosen: {facts.chosen.name}, {facts.chosen.digest[:12]}")
    if facts.test:
        made.append(f"  {test_line(facts.test)}")
    for run in facts.runs:
        decided = f", {run.decision}" if run.decision else ""
        whose = "" if run.is_of_chosen else ", by other weights than the chosen ones: does not count"
        made.append(f"  {run.name}: {counted(run.pairs, 'pair')} against {run.opponent.name}{decided}{whose}")
    if facts.verdict:
        made.append(facts.verdict.sentence)
        made += facts.verdict.reason.words(Path(facts.study)) if facts.verdict.reason else []
    return made


def stage_words(facts: Stage) -> str:
    """Return the present stage in words."""
    known = {"generation": facts.generation, "run": facts.run, "purpose": facts.purpose}
    details = ", ".join(f"{key} {value}" for key, value in known.items() if value is not None)
    return f"{facts.stage}{' ' + details if details else ''}"


def test_line(test: SprtState) -> str:
    """Return where the sequential test stands between its bounds, as words and as a picture."""
    lower, upper, width = test.lower, test.upper, 24
    place = place_between(test.llr, lower, upper, width)
    picture = "".join("*" if at == place else "-" for at in range(width + 1))
    ended = f", {test.decision}" if test.decision else ""
    return (
        f"sequential test: {counted(test.pairs, 'pair')}, LLR {lower:.2f} [{picture}] {upper:.2f}: "
        f"{test.llr:+z.2f}{ended}"
    )


def n_games(facts: Status) -> int:
    """Return the number of games on disk."""
    return sum(facts.games.values())
