"""A study of engines: a match of two, ratings of more, or a search over the options of one with a proof.

`tunesmith engines STUDY.toml` reads `[[engine]]` sections (the first-named player, its opponent; without a second one
the engine meets itself as it was), and plays pairs. With `[search]` the options in `[search.space]` are searched as
in `tunesmith search`; then a sequential test on openings that the search never saw decides whether the
recommended setting beats the one it started from. The folder holds all games, so any run can be continued."""

import hashlib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tunesmith.engine.source import code_digest
from tunesmith.games.errors import FaultError, InputError, StudyError
from tunesmith.games.texts import counted
from tunesmith.tuning.config import Search, fixed_total
from tunesmith.tuning.documents.engines import (
    DescribedEngine,
    EngineContest,
    EngineMatch,
    EngineOpenings,
    EngineSearch,
    EngineStudy,
    EngineTournament,
)
from tunesmith.tuning.external import match, summary, tournament
from tunesmith.tuning.external.config import (
    EnginesConfig,
    OptionSpace,
    RatingsSection,
    SearchSection,
    TestSection,
    make_player,
    option_space,
)
from tunesmith.tuning.external.openings import Book, RandomOpenings, read_lines_of
from tunesmith.tuning.external.rules import EngineOpening, OwnRules, Rules
from tunesmith.tuning.external.words import NAME
from tunesmith.tuning.files import finite, is_unused, read_object, write_json
from tunesmith.tuning.play import load
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.proof.contest import terms_in_words
from tunesmith.tuning.search.pilot import pilot
from tunesmith.tuning.settings_file import Flat, flatten
from tunesmith.tuning.stats import elo
from tunesmith.tuning.stats.sprt import walk
from tunesmith.tuning.stats.stopped_test import estimate_stopped
from tunesmith.tuning.study import require_same

WAVE = 16  # pairs between looks at the test, for each worker; the decision does not depend on it


class Beginnings:
    """The openings of a study by number; a search has the even ones, its proof the odd ones."""

    def __init__(self, config: EnginesConfig, rules: Rules) -> None:
        file, plies = config.openings.file, config.openings.plies
        self.rules = rules
        self.book: Book | None = read_openings(Path(file), plies, rules) if file else None
        self._random = RandomOpenings(rules, plies, config.seed)

    def facts(self) -> EngineOpenings | None:
        """Return what the file of openings held, None without one."""
        return None if self.book is None else self.book.facts()

    def first(self, count: int) -> list[EngineOpening]:
        """Return the first `count`, or as many as there are."""
        return self.book.openings[:count] if self.book is not None else self._random.first(count)

    def for_search(self, count: int) -> list[EngineOpening]:
        """Return the first `count` of the search."""
        return self.first(2 * count - 1)[::2]

    def for_proof(self, count: int) -> list[EngineOpening]:
        """Return the first `count` of the proof."""
        return self.first(2 * count)[1::2]


def read_openings(path: Path, plies: int, rules: Rules) -> Book:
    """Return the openings of a file, as the game's files are written."""
    if rules.name != "chess":
        return read_lines_of(path, rules)
    from tunesmith.tuning.external.chess_rules import read_book

    return read_book(path, plies)


# --- running


def run_study(config: EnginesConfig, folder: Path, root: Path, resources: Resources) -> EngineStudy:
    """Run or continue a study in `root`; return what came of it. `folder` is the study file's."""
    config.check_kind()
    rules = config.rules(folder)
    players = [make_player(section, config, folder) for section in config.engine]
    first, offered = players[0]
    second = players[1][0] if len(players) > 1 else replace(first, name=f"{first.name} as it was")
    if config.is_tournament:
        tournament.check_players([player for player, _ in players], config.ratings or RatingsSection())
    space = option_space(first, offered, config.search) if config.search is not None else None
    beginnings = Beginnings(config, rules)
    _open_folder(root, config, first, second, rules)
    if beginnings.book is not None:
        for line in beginnings.book.words():
            resources.listener.note(line)
    if (said := _crowding([player for player, _ in players], resources.jobs)) is not None:
        resources.listener.note(said)
    engines = match.EnginePool()
    found: EngineStudy
    try:
        if config.is_tournament:
            entrants = [player for player, _ in players]
            found = _tournament(config, entrants, beginnings, root, resources, engines)
        elif space is None or config.search is None:
            found = _match(config, first, second, beginnings, root, resources, engines)
        else:
            found = _search(config, config.search, space, first, second, beginnings, root, resources, engines)
    finally:
        engines.close()
    found.write(root / "engines.json")
    return found


def _crowding(players: Sequence[match.Player], jobs: int) -> str | None:
    """Return what is to be said where engines that think by the clock have no core for each of their threads."""
    if not any(player.limit.is_timed for player in players):
        return None
    return load.crowding(jobs * max(player.threads for player in players))


def _open_folder(
    root: Path, config: EnginesConfig, first: match.Player, second: match.Player, rules: Rules
) -> None:
    """Make the folder of a study, or go on with one that has the same settings, engines and openings."""
    pins = {} if config.is_tournament else {"first": first.digest[:24], "second": second.digest[:24]}
    if isinstance(rules, OwnRules):
        pins["game"] = code_digest(rules.game)[:24]
    if config.openings.file:
        pins["openings"] = hashlib.sha256(Path(config.openings.file).read_bytes()).hexdigest()[:24]
    now = finite({**config.model_dump(mode="json"), "pinned": pins})
    stored = read_object(root / NAME)
    if stored is not None:
        _require_same(root, flatten(stored), flatten(now), config)
    if stored is None and not is_unused(root):
        raise StudyError(f"{root}: holds files but no {NAME}; choose another folder with --out")
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StudyError(f"{root}: cannot be made: {error.strerror}") from error
    write_json(root / NAME, now)


def _require_same(root: Path, stored: Flat, now: Flat, config: EnginesConfig) -> None:
    """Refuse other settings, but for what nothing depends on yet.

    Before the proof that is its test and more trials; among those who are rated, who they are and how many pairs.
    """
    search = config.search
    why, free = {} if search is None else fixed_total(search.sampler), set[str]()
    if config.is_tournament:
        free = {name for name in {*stored, *now} if name.partition(".")[0] in ("engine", "pairs", "ratings")}
    if search is not None and stored.get("search.trials") and not (root / "verify").exists():
        tests = {name for name in {*stored, *now} if name == "test" or name.startswith("test.")}
        free = ({"search.trials"} - why.keys()) | tests
    before, after = ({name: made[name] for name in made.keys() - free} for made in (stored, now))
    require_same(root, before, after, why=why)


def _terms(
    config: EnginesConfig, rules: Rules, resources: Resources, engines: match.EnginePool, told: match.Told
) -> match.Terms:
    adjudication = config.adjudicate.rule()
    return match.Terms(config.seed, config.move_cap, rules, adjudication, resources.jobs, engines, told)


def _told(resources: Resources, what: str) -> match.Told:
    """Return who is told how many pairs of something are played."""
    return lambda done, total: resources.listener.progress(what, done, total)


def _told_of_all_trials(resources: Resources, pairs: int) -> match.Told:
    """Return who is told how many pairs of all trials are played, whatever is said of a single one."""
    played = itertools.count(1)
    return lambda done, total: resources.listener.progress("search", next(played), pairs)


def _match(
    config: EnginesConfig,
    first: match.Player,
    second: match.Player,
    begin: Beginnings,
    root: Path,
    resources: Resources,
    engines: match.EnginePool,
) -> EngineMatch:
    openings = _openings_of_match(config, begin)
    if config.test and not config.pairs:
        _tell_few(len(openings), config.test, begin, resources)
    terms = _terms(config, begin.rules, resources, engines, _told(resources, "match"))
    found = contest(first, second, openings, root / "match", terms, config.test, resources.listener.note)
    fields = {name: getattr(found, name) for name in found.model_fields_set}
    return EngineMatch(**fields, kind="match", openings=begin.facts())


def _tournament(
    config: EnginesConfig,
    players: Sequence[match.Player],
    begin: Beginnings,
    root: Path,
    resources: Resources,
    engines: match.EnginePool,
) -> EngineTournament:
    openings = _openings_of_match(config, begin)
    terms = _terms(config, begin.rules, resources, engines, _told(resources, "tournament"))
    section, note = config.ratings or RatingsSection(), resources.listener.note
    found = tournament.play(players, openings, section, root / "games", terms, note)
    return found.model_copy(update={"openings": begin.facts()})


def _openings_of_match(config: EnginesConfig, begin: Beginnings) -> list[EngineOpening]:
    """Return an opening for each pair that is asked for; without a number, all of a file, or 100."""
    has_file = begin.book is not None
    wanted = config.pairs or (config.test.max_pairs if config.test else 10**9 if has_file else 100)
    openings = begin.first(wanted)
    _enough(openings, wanted if config.pairs else 1)
    return openings


def _enough(openings: Sequence[EngineOpening], wanted: int) -> None:
    if len(openings) < wanted:
        raise InputError(
            f"openings: expected {wanted} different ones, found {len(openings)}: ask for fewer pairs"
        )


def _tell_few(found: int, test: TestSection, begin: Beginnings, resources: Resources) -> None:
    """Say why a test ends before the pairs that it may have: every pair needs an opening of its own."""
    if found >= test.max_pairs:
        return
    where = "; ".join(line.strip() for line in begin.book.words()) if begin.book else "random openings"
    resources.listener.note(
        f"the test ends after {counted(found, 'pair')}, not {test.max_pairs:,} (test.max_pairs): each pair needs an "
        f"opening of its own, and there are no more ({where})"
    )


def contest(
    first: match.Player,
    second: match.Player,
    openings: Sequence[EngineOpening],
    folder: Path,
    terms: match.Terms,
    test: TestSection | None,
    note: Callable[[str], None],
) -> EngineContest:
    """Play a match of all openings, or until a test stops; return counts, estimate, verdict and faults.

    `note` hears what the test can and cannot show, before its first game.
    """
    if test is None:
        rows = match.play_pairs(first, second, openings, folder, terms)
        return _facts(first, second, rows)
    sprt, played = test.sprt(len(openings)), 0
    for line in terms_in_words(sprt):
        note(line)
    while True:
        played = min(len(openings), played + WAVE * terms.jobs, sprt.max_pairs or len(openings))
        rows = match.play_pairs(first, second, openings[:played], folder, terms)
        found = walk(sprt, summary.classes(rows))
        if found.stop is not None or played in (len(openings), sprt.max_pairs):
            break
    read = played if found.stop is None else found.stop
    facts = _facts(first, second, {number: rows[number] for number in range(read)})
    decision = found.decision.decision if found.stop is not None else "inconclusive"
    after = estimate_stopped(sprt, found.counts) if sum(found.counts) else None
    return facts.model_copy(
        update={
            "sprt": sprt,
            "decision": decision,
            "llr": found.decision.llr,
            "lower": sprt.lower,
            "upper": sprt.upper,
            "after_test": after,
        }
    )


def _facts(first: match.Player, second: match.Player, rows: summary.Rows) -> EngineContest:
    counts = summary.count_pairs(rows)
    return EngineContest(
        first=_described(first),
        second=_described(second),
        counts=counts,
        pairs=sum(counts),
        estimate=elo.estimate(counts),
        games_needed=elo.games_needed(counts),
        summary=summary.summarise(rows),
        faults=summary.faults_of(rows),
    )


def _described(player: match.Player) -> DescribedEngine:
    return DescribedEngine(
        name=player.name, digest=player.digest[:16], options=dict(player.options), limit=str(player.limit)
    )


def _search(
    config: EnginesConfig,
    wanted: SearchSection,
    space: OptionSpace,
    first: match.Player,
    second: match.Player,
    begin: Beginnings,
    root: Path,
    resources: Resources,
    engines: match.EnginePool,
) -> EngineSearch:
    from tunesmith.tuning.search.loop import SearchLoop
    from tunesmith.tuning.search.storage import TrialStore
    from tunesmith.tuning.search.watched_sampler import budget

    openings = begin.for_search(max(wanted.trials * wanted.pairs, wanted.pilot))
    _enough(openings, wanted.pairs)
    search = Search(
        trials=wanted.trials,
        sampler=wanted.sampler,
        pairs=wanted.pairs,
        at_once=1,
        opponents=[second.name],
        limit="nodes:1",
    )
    resources.listener.note(budget(search, space))
    folder = root / "search"
    told = _told_of_all_trials(resources, wanted.trials * wanted.pairs)
    matches: Any = match.EngineMatches(
        ((second.name, second),),
        openings,
        folder / "games",
        _terms(config, begin.rules, resources, engines, told),
    )
    folder.mkdir(parents=True, exist_ok=True)
    if wanted.pilot:
        seen = [row.content() for row in pilot(space, matches, wanted.pilot, resources.listener.note)]
        write_json(folder / "pilot.json", seen)
    settings = {
        **{
            f"search.{key}": value
            for key, value in wanted.model_dump(mode="json").items()
            if key != "trials" or fixed_total(wanted.sampler)
        },
        "opponent": second.digest,
    }
    store = TrialStore(folder, config.name)
    loop = SearchLoop(store, search, space, matches, settings, config.seed, resources.listener.note)
    loop.run()
    if not loop.seen():
        raise FaultError("search: no pair has two results (games that are capped have none: raise move_cap)")
    result = loop.result().model_copy(update={"limit": str(first.limit)})
    result.write(folder / "result.json")
    best: match.Player = space.apply({p.name: result.setting[p.name] for p in space.parameters})
    found = EngineSearch(
        kind="search", search=result, options=dict(best.options), verify=None, openings=begin.facts()
    )
    if best.digest == first.digest:
        return found
    test = config.test or TestSection()
    fresh = begin.for_proof(test.max_pairs)
    _enough(fresh, 1)
    _tell_few(len(fresh), test, begin, resources)
    tuned, base = replace(best, name=f"{first.name} tuned"), replace(first, name=f"{first.name} as it was")
    engines.retire(second)
    terms = _terms(config, begin.rules, resources, engines, _told(resources, "verify"))
    verify = root / "verify" / best.digest[:16]
    proof = contest(tuned, base, fresh, verify, terms, test, resources.listener.note)
    return found.model_copy(update={"verify": proof})
