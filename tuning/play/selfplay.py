"""Self-play: pairs by global number, from openings to files, on any number of workers.

Pair p plays opening p with seed `pair_seed(seed, p)`, whoever plays it and when; so the files of a finished
range are the same bytes for any number of workers and any interruptions. What has been played is never played
again: a call plays exactly the pairs that the folder lacks. Faults are rows without result (`fault:...`);
they reach the folder at the end, if they are no more than one in a hundred, so that a run that failed for
them starts over with those pairs once the game is mended."""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import Any

from tunesmith.engine.source import code_digest, engine_digest
from tunesmith.games import registry
from tunesmith.games.errors import FaultError, InputError, StudyError
from tunesmith.games.game import Game
from tunesmith.tuning import manifest
from tunesmith.tuning.documents.matches import Summary
from tunesmith.tuning.files import locked, write_json
from tunesmith.tuning.play import playable, store
from tunesmith.tuning.play.load import LoadWatch, crowding, depends_on_load
from tunesmith.tuning.play.matchup import FAULT, Answer, FolderMatch, Matchup, Pair, PlayedGame
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.pool import Wanted, play_all
from tunesmith.tuning.play.records import FAULTS, Games, Settings, fault_lines, to_table, write_parquet
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.sandbox.deadline import compiling
from tunesmith.tuning.play.store import SHARD, merge_shard, part_path, shard_path
from tunesmith.tuning.play.summary import Outline, summarise
from tunesmith.tuning.play.tally import Tally
from tunesmith.tuning.play.worker import new_arena

logger = logging.getLogger("tunesmith.tuning")

MOST_FAULTS = 0.01
COMPILING = 30  # seconds that a game's search takes or so
SUSPECTS = ".suspects"  # while pairs are played: how often each was on its way when a worker died


def play(
    matchup: Matchup,
    openings: Sequence[Opening],
    pairs: range,
    folder: Path,
    resources: Resources,
    name: str | None = None,
) -> Summary:
    """Play those of `pairs` that `folder` lacks, and return what all of `pairs` amount to (`play_together`)."""
    return play_together([FolderMatch(matchup, openings, pairs, folder, name)], resources)[0]


def play_together(matches: Sequence[FolderMatch], resources: Resources) -> list[Summary]:
    """Play what the folders of some matches lack, and return what each amounts to.

    All are played by the same workers, in their order, but none idles while a match comes to its end. The listener of
    `resources` hears of progress when a match begins and whenever a batch of it ends.

    Raises
    ------
    InputError
        A parameter is wrong, or there are fewer openings than pairs.
    StudyError
        A folder is in use, cannot be written, is damaged, or holds games of other settings.
    FaultError
        More than one pair in a hundred of a match is a fault; everything else that was played stays on disk.
    """
    pinned_matches = [_checked(one) for one in matches]
    if resources.jobs < 1:
        raise InputError(f"jobs: expected 1 or more, found {resources.jobs}")
    if any(depends_on_load(one.matchup, resources) for one in matches):
        _warn(crowding(resources.jobs), resources)
    running: dict[int, _Running] = {}
    found: dict[int, Summary] = {}

    def wanted() -> Iterator[Wanted]:
        for number, (one, game) in enumerate(pinned_matches):
            now = running[number] = _Running(one, game, resources)
            pairs = now.begin()
            if now.games.is_done:
                found[number] = running.pop(number).end()
            else:
                yield Wanted(number, one.matchup, pairs, now.games.deaths(), now.games.remember)

    try:
        for number, answer in _played(wanted(), resources):
            running[number].take(answer)
            if running[number].games.is_done:
                found[number] = running.pop(number).end()
    finally:
        for left in running.values():
            left.leave()
    return [found[number] for number in range(len(matches))]


def _warn(said: str | None, resources: Resources) -> None:
    if said is not None:
        resources.listener.note(said)


def _checked(one: FolderMatch) -> tuple[FolderMatch, Game]:
    matchup, game = pinned(one.matchup)
    playable.check(matchup, game, one.pairs, one.openings)
    return replace(one, matchup=matchup), game


def _played(wanted: Iterator[Wanted], resources: Resources) -> Iterator[tuple[int, Answer]]:
    """Yield answers as they come; whatever ends this early, workers are stopped. Nothing is started for nothing."""
    first = next(wanted, None)
    if first is None:
        return
    workers = resources.jobs, resources.backend, resources.patience
    with contextlib.closing(play_all(chain([first], wanted), *workers)) as answers:
        yield from answers


class _Running:
    """A match that is being played: its folder is locked until it is left."""

    def __init__(self, match: FolderMatch, game: Game, resources: Resources) -> None:
        self._match, self._game, self._resources = match, game, resources
        self._lock = contextlib.ExitStack()
        self._watch = LoadWatch(match.matchup, resources)
        self.games = PairFolder(match.matchup, match.openings, match.pairs, match.folder)

    def begin(self) -> list[Pair]:
        """Lock the folder; return what has to be played, if anything with a search that is compiled."""
        self._lock.enter_context(locked(self._match.folder))
        missing = self.games.missing()
        if missing:
            compile_search(self._match.matchup, self._game, self._resources.listener.note)
            self._report()
        return missing

    def take(self, answer: Answer) -> None:
        """Write games, and tell of it."""
        self.games.take(answer)
        self._report()

    def _report(self) -> None:
        self._watch.look()
        self._resources.listener.progress(self._match.title, *self.games.progress)

    def end(self) -> Summary:
        """Sum up a match that is done."""
        try:
            return self.games.finish()
        finally:
            self.leave()

    def leave(self) -> None:
        """Note how busy the machine was, and unlock the folder."""
        with self._lock:
            self._watch.keep(self._match.folder, self.games.n_played)


def pinned(matchup: Matchup) -> tuple[Matchup, Game]:
    """Return a match under one spelling of its game and with the game's code as it is now, and the game."""
    game = registry.load(matchup.game)
    spec = game.spec if matchup.game.partition(":")[0] in registry.names() else matchup.game
    return replace(matchup, game=spec, code=code_digest(game)), game


def settings(matchup: Matchup) -> Settings:
    """Return what is stored with games: everything that decides them but the openings; no clock values.

    The code of the game is what `play` was started with (`Matchup.code`).
    """
    extras: dict[str, list[object]] = {}
    if any(matchup.books):
        extras["books"] = [book and book.digest for book in matchup.books]
    if matchup.opponents:
        extras["opponents"] = [[opponent.weights.digest, opponent.share] for opponent in matchup.opponents]
    if matchup.adjudicate is not None:
        extras["adjudicate"] = [matchup.adjudicate.score, matchup.adjudicate.plies]
    others = [matchup.against(at).search_options(1) for at in range(len(matchup.opponents))]
    return {
        "game": registry.without_folder(matchup.game),
        "players": [matchup.first.digest, matchup.second.digest],
        "limits": list(matchup.limits),
        "options": [
            asdict(options) for options in (matchup.search_options(0), matchup.search_options(1), *others)
        ],
        "noise": list(matchup.noise.thousandths),
        "move_cap": matchup.move_cap,
        "hash_mb": matchup.hash_mb,
        "seed": matchup.seed,
        "version": _version(),
        "code of the game": matchup.code,
        "code of the engine": engine_digest(),
        **extras,
    }


class PairFolder:
    """Some pairs of a folder: what it holds, what has come back, and what is still to be merged."""

    def __init__(self, matchup: Matchup, openings: Sequence[Opening], pairs: range, folder: Path) -> None:
        self._matchup, self._openings, self._pairs, self._folder = matchup, openings, pairs, folder
        self._settings = settings(matchup)
        self._faults: list[PlayedGame] = []
        self._waiting: set[int] = set()
        self._in_parts: set[int] = set()  # shards of which there are parts
        self._digests: dict[int, tuple[str, str]] = {}  # of the two players, by opponent
        self._n_missing = 0
        self._tally = Tally()

    def missing(self) -> list[Pair]:
        """Return the pairs that have to be played, after a look at what is there."""
        _guard(self._folder, store.sweep, self._folder, self._settings)
        self._in_parts = {piece.shard for piece in store.pieces(self._folder) if piece.is_part}
        self._waiting = set(self._pairs)
        for there in store.read_blocks(self._folder, self._pairs):
            self._check_same(there)
            self._tally.add_stored(there)
            self._waiting.difference_update(there.pair[there.game == 1].tolist())
        self._n_missing = len(self._waiting)
        return [self._pair(number) for number in sorted(self._waiting)]

    def _pair(self, number: int) -> Pair:
        opening = self._openings[number]
        return Pair(number, opening.moves, opening.root)

    def deaths(self) -> Counter[int]:
        """Return how often pairs were on their way when a worker died, in runs that came to no end."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            known = json.loads((self._folder / SUSPECTS).read_text(encoding="utf-8"))
            return Counter({int(number): int(n) for number, n in known.items()})
        return Counter()

    def remember(self, deaths: Counter[int]) -> None:
        """Keep the same for a run that goes on here: what hangs is not waited for from the beginning again."""
        write_json(self._folder / SUSPECTS, deaths, stands_alone=True)

    @property
    def is_done(self) -> bool:
        """Whether all pairs have come back."""
        return not self._waiting

    @property
    def n_played(self) -> int:
        """Number of games that have come back since `missing`."""
        return 2 * (self._n_missing - len(self._waiting))

    @property
    def progress(self) -> tuple[int, int, Tally]:
        """How many pairs are there, how many were asked for, and counts of the games that are there."""
        return len(self._pairs) - len(self._waiting), len(self._pairs), self._tally

    def finish(self) -> Summary:
        """Write faults, make whole shards of parts, and sum up."""
        self.merge()
        summary = summarise(Outline.of(store.read_blocks(self._folder, self._pairs)))
        for warning in summary.warnings:
            logger.warning("%s", warning)
        return summary

    def merge(self) -> None:
        """Write faults, make whole shards of parts, and forget deaths once all pairs have come back."""
        self._write(self._faults)
        for shard in sorted(self._in_parts):
            _guard(self._folder, merge_shard, self._folder, shard)
        self._in_parts.clear()
        _guard(self._folder, manifest.tidy, self._folder)
        if not self._waiting:
            (self._folder / SUSPECTS).unlink(missing_ok=True)

    def take(self, answer: Answer) -> None:
        """Write the games of an answer."""
        numbers = {row.pair for row in answer.games}
        if not numbers <= self._waiting or len(answer.games) != 2 * len(numbers):
            raise StudyError(f"{self._folder}: a worker answered with pairs {sorted(numbers)}: not its own")
        self._waiting -= numbers
        self._tally.add(answer.games)
        self._note_faults([row for row in answer.games if row.reason.startswith(FAULT)])
        self._write([row for row in answer.games if not row.reason.startswith(FAULT)])
        for shard in sorted({number // SHARD for number in numbers}):
            self._merge_if_complete(shard)

    def _write(self, rows: list[PlayedGame]) -> None:
        for shard in sorted({row.pair // SHARD for row in rows}):
            own = [row for row in rows if row.pair // SHARD == shard]
            texts = {row.pair: self._openings[row.pair].text for row in own}
            table = to_table(own, texts, self._players(texts), self._settings)
            if len(texts) == SHARD:  # whole from the start
                path = shard_path(self._folder, shard)
            else:
                path = part_path(self._folder, min(texts), max(texts))
                self._in_parts.add(shard)
            _guard(self._folder, write_parquet, table, path)

    def _players(self, pairs: Iterable[int]) -> dict[int, tuple[str, str]]:
        """Return the digests of the first- and second-named player of each pair."""
        found = {}
        for pair in pairs:
            opponent = self._matchup.opponent_of(pair)
            if opponent not in self._digests:
                match = self._matchup.against(opponent)
                self._digests[opponent] = match.first.digest, match.second.digest
            found[pair] = self._digests[opponent]
        return found

    def _merge_if_complete(self, shard: int) -> None:
        if shard not in self._in_parts:
            return
        own = range(shard * SHARD, (shard + 1) * SHARD)
        faults = {row.pair for row in self._faults}
        if not any(number in self._waiting or number in faults for number in own):
            _guard(self._folder, merge_shard, self._folder, shard)
            self._in_parts.discard(shard)

    def _note_faults(self, rows: list[PlayedGame]) -> None:
        if not rows:
            return
        self._faults = sorted([*self._faults, *rows], key=lambda row: (row.pair, row.game))
        texts = {row.pair: self._openings[row.pair].text for row in self._faults}
        path = self._folder / FAULTS
        manifest.write(path, fault_lines(self._faults, texts, self._players(texts)))
        n_faults = len(self._faults) // 2
        if n_faults > MOST_FAULTS * len(self._pairs):
            worst = self._faults[0]
            raise FaultError(
                f"{n_faults} of {len(self._pairs)} pairs ended by a fault of the game; the first: pair "
                f"{worst.pair} ({worst.reason}), opening {self._openings[worst.pair].text!r}; all: {path}"
            )

    def _check_same(self, there: Games) -> None:
        if there.settings:
            store.require_same_settings(self._folder, there.settings, self._settings)
        for number, text in zip(there.pair.tolist(), there.opening.tolist(), strict=True):
            if text != self._openings[number].text:
                raise StudyError(
                    f"{self._folder}: pair {number} was played from another opening ({text!r}, now "
                    f"{self._openings[number].text!r}); use another folder"
                )


def compile_search(matchup: Matchup, game: Game, note: Callable[[str], None] = logger.info) -> None:
    """Compile before the first worker starts: they load what is on disk. `note` hears of what takes long."""
    with compiling(game):
        for opponent in range(-1, len(matchup.opponents)):
            arena = new_arena(matchup.against(opponent), game)
            if arena.takes_long:
                note(f"compiling the search of {game.name} (first time, about {COMPILING} s)")
            arena.prepare()


def _guard(folder: Path, write: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return write(*arguments)
    except OSError as error:
        raise StudyError(f"{folder}: cannot be written: {error.strerror or error}") from error


def _version() -> str:
    try:
        return importlib.metadata.version("tunesmith")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
