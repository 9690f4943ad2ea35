"""Pairs of games between two engines: threads play, engines are processes, games are lines of a file.

A player is a program with option settings and a limit; its digest names it. Pair p has opening p; in its game 0
the first-named player is the first player (White). A line of `games.jsonl` is a game (`result` is the first player's),
written when its pair is finished; a run that was stopped plays the missing pairs only. Games with a fault are rows
like others, with reason, engine and detail, and count in no score. Counts run LL, LD, DD+WL, WD, WW for the
first-named player."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import threading
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tunesmith.games.errors import FaultError, StudyError
from tunesmith.tuning import files
from tunesmith.tuning.documents.engines import EngineGame
from tunesmith.tuning.external.engine import SINGLE, Engine, EngineFault
from tunesmith.tuning.external.limits import GoLimit
from tunesmith.tuning.external.options import Setting
from tunesmith.tuning.external.playing import Adjudication, EngineResult, play_game
from tunesmith.tuning.external.protocol import UCI, Protocol
from tunesmith.tuning.external.rules import EngineOpening, Rules
from tunesmith.tuning.external.summary import Rows, blamed, classes, count_pairs
from tunesmith.tuning.files import append_lines, read_lines
from tunesmith.tuning.play.matchup import pair_seed
from tunesmith.tuning.play.point_of_view import for_first_named
from tunesmith.tuning.search.matches import games_folder
from tunesmith.tuning.search.outcome import Outcome, known_results

logger = logging.getLogger("tunesmith.tuning")

FAULTY, FEW = 0.1, 4  # share of games that may end by a fault, once there are more than a few faults
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Player:
    """A program, what is set before it plays, its limit, and the folder where it starts (None: where we are).

    `name` is for people and not in the digest.
    """

    name: str
    command: tuple[str, ...]
    options: Mapping[str, Setting]
    limit: GoLimit
    patience: float = 30.0
    margin: float = 1.0
    folder: Path | None = None
    protocol: Protocol = UCI

    @property
    def digest(self) -> str:
        """Digest of all that decides its moves."""
        said = [list(self.command), dict(sorted(self.options.items())), str(self.limit), self.protocol.name]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()

    @property
    def threads(self) -> int:
        """Threads that it thinks with, 1 if it has no such option."""
        return max([1, *(int(value) for name, value in self.options.items() if name.lower() in SINGLE)])

    def start(self) -> Engine:
        """Start the engine with its options set."""
        engine = Engine(self.command, self.patience, self.margin, self.folder, self.protocol)
        try:
            engine.configure(self.options, self.name)
        except BaseException:
            engine.kill()
            raise
        return engine

    def with_options(self, options: Mapping[str, Setting]) -> Player:
        """Return the player with some options changed."""
        return replace(self, options={**self.options, **options})


class EnginePool:
    """Running engines, lent to one game at a time; a dead one is not taken back."""

    def __init__(self) -> None:
        self._idle: dict[str, list[Engine]] = {}
        self._all: set[Engine] = set()
        self._lock = threading.Lock()
        self._is_closed = False

    @contextlib.contextmanager
    def lent(self, player: Player) -> Iterator[Engine]:
        """Lend an engine of a player, started if none is idle."""
        with self._lock:
            idle = self._idle.setdefault(player.digest, [])
            engine = idle.pop() if idle else None
        if engine is None:
            engine = player.start()
            with self._lock:
                self._all.add(engine)
                is_late = self._is_closed
            if is_late:
                engine.kill()
        try:
            yield engine
        finally:
            with self._lock:
                if engine.is_alive and engine in self._all:
                    self._idle.setdefault(player.digest, []).append(engine)
                else:
                    self._all.discard(engine)

    def retire(self, player: Player) -> None:
        """Close the idle engines of a player that is not needed for now."""
        with self._lock:
            idle = self._idle.pop(player.digest, [])
            self._all.difference_update(idle)
        for engine in idle:
            engine.close()

    def close(self) -> None:
        """Kill all engines, idle or not, and those that are started until `open` is called."""
        with self._lock:
            self._is_closed = True
            engines = list(self._all)
            self._all.clear()
            self._idle.clear()
        for engine in engines:
            engine.kill()

    def open(self) -> None:
        """Lend again after `close`."""
        self._is_closed = False


@dataclass(frozen=True)
class Terms:
    """What all games of a study have in common."""

    seed: int
    move_cap: int
    rules: Rules
    adjudication: Adjudication = field(default_factory=Adjudication)
    jobs: int = 1
    engines: EnginePool = field(default_factory=EnginePool)
    progress: Told | None = None


class Meeting(NamedTuple):
    """Two players, an opening for each of their pairs, and the folder of their games."""

    first: Player
    second: Player
    openings: Sequence[EngineOpening]
    folder: Path

    @property
    def path(self) -> Path:
        """The file of its games."""
        return self.folder / "games.jsonl"

    def known(self) -> Rows:
        """Return the pairs that are kept whole."""
        return _known(read_lines(self.path), self.first, self.second, self.openings, self.path)


def play_pairs(
    first: Player, second: Player, openings: Sequence[EngineOpening], folder: Path, terms: Terms
) -> Rows:
    """Play the pairs that `folder` lacks, one for each opening; return all rows, by pair. See `play_together`."""
    (rows,) = play_together([Meeting(first, second, openings, folder)], terms)
    if (said := too_faulty(rows)) is not None:
        raise FaultError(said)
    return rows


def play_together(meetings: Sequence[Meeting], terms: Terms) -> list[Rows]:
    """Play the pairs that the folders of some meetings lack; return the rows of all, by pair, for each meeting.

    They share the threads, so that none idles while one meeting comes to its end. A meeting that is `too_faulty` is
    given up: it has the rows that were played until then.

    Raises
    ------
    StudyError
        A folder holds games of other players or from other openings.
    """
    found: list[Rows] = []
    for meeting in meetings:
        meeting.folder.mkdir(parents=True, exist_ok=True)
        files.cut_tail(meeting.path)
        found.append(meeting.known())
    given_up = {at for at, rows in enumerate(found) if too_faulty(rows)}
    missing = [
        (at, number)
        for at, meeting in enumerate(meetings)
        for number in range(len(meeting.openings))
        if number not in found[at] and at not in given_up
    ]
    total = sum(len(meeting.openings) for meeting in meetings)
    for at, number, games in _play(meetings, missing, terms, given_up) if missing else ():
        append_lines(meetings[at].path, [game.content() for game in games])
        found[at][number] = games
        if terms.progress is not None:
            terms.progress(sum(map(len, found)), total)
        if too_faulty(found[at]):
            given_up.add(at)
    return [dict(sorted(rows.items())) for rows in found]


def _play(
    meetings: Sequence[Meeting], missing: Sequence[tuple[int, int]], terms: Terms, given_up: Container[int]
) -> Iterator[tuple[int, int, list[EngineGame]]]:
    terms.engines.open()
    pool = ThreadPoolExecutor(terms.jobs, thread_name_prefix="engines")

    def play(at: int, number: int) -> list[EngineGame]:
        return [] if at in given_up else _pair(meetings[at], number, terms)

    try:
        tasks = {pool.submit(play, at, number): (at, number) for at, number in missing}
        for task in as_completed(tasks):
            if games := task.result():
                yield (*tasks[task], games)
    except BaseException:
        terms.engines.close()  # games in progress end at once; threads cannot be stopped otherwise
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _pair(meeting: Meeting, number: int, terms: Terms) -> list[EngineGame]:
    first, second, opening, games = meeting.first, meeting.second, meeting.openings[number], []
    for game, (white, black) in enumerate(((first, second), (second, first))):
        made = play_one(white, black, opening, terms)
        games.append(
            EngineGame(
                pair=number,
                game=game,
                white=white.digest[:24],
                black=black.digest[:24],
                names=[white.name, black.name],
                fen=opening.fen,
                opening=list(opening.moves),
                seed=pair_seed(terms.seed, number),
                moves=made.moves,
                result=made.result,
                end_reason=made.end_reason,
                fault=made.fault,
                detail=made.detail,
                asked_again=made.asked_again,
            )
        )
    return games


def play_one(white: Player, black: Player, opening: EngineOpening, terms: Terms) -> EngineResult:
    """Play one game; an engine that cannot even be started is a fault of its side."""
    at = 0
    try:
        with terms.engines.lent(white) as first:
            at = 1
            with terms.engines.lent(black) as second:
                limits = (white.limit, black.limit)
                return play_game(
                    (first, second), limits, opening, terms.rules, terms.move_cap, terms.adjudication
                )
    except EngineFault as fault:
        return EngineResult(opening, end_reason=fault.reason, fault=at, detail=fault.detail)


def _known(
    lines: Iterable[Mapping[str, Any]],
    first: Player,
    second: Player,
    openings: Sequence[EngineOpening],
    path: Path,
) -> Rows:
    """Return the pairs of a file that are whole, checked to be games of these players from these openings."""
    found: dict[int, dict[int, EngineGame]] = {}
    for number, line in enumerate(lines, 1):
        try:
            row = EngineGame.of(line, path)
        except StudyError:
            raise StudyError(f"{path}:{number}: damaged: expected a game") from None
        sides = (row.white, row.black)[:: 1 - 2 * row.game]
        if sides != (first.digest[:24], second.digest[:24]):
            raise StudyError(
                f"{path}:{number}: holds games of other engines, options or limits; use another --out"
            )
        if row.pair < len(openings):
            if (row.fen, tuple(row.opening)) != (openings[row.pair].fen, openings[row.pair].moves):
                raise StudyError(f"{path}:{number}: pair {row.pair} has another opening; use another --out")
            found.setdefault(row.pair, {})[row.game] = row
    return {pair: [games[0], games[1]] for pair, games in found.items() if len(games) == 2}


def too_faulty(rows: Rows) -> str | None:
    """Return what is wrong if more than a tenth of the games (and more than a few) ended by a fault, else None."""
    games = [row for pair in rows.values() for row in pair]
    faults = [row for row in games if row.fault is not None]
    if len(faults) > max(FEW, FAULTY * len(games)):
        row = min(faults, key=lambda row: (row.pair, row.game))
        return (
            f"{len(faults)} of {len(games)} games ended by a fault of an engine; the first: pair {row.pair} game "
            f"{row.game}, {blamed(row.names, row.fault)}: {row.end_reason}: {row.detail}"
        )
    return None


@dataclass(frozen=True)
class EngineMatches:
    """Where settings of an engine's options meet their opponents (`tuning.search.loop`)."""

    opponents: tuple[tuple[str, Player], ...]
    openings: Sequence[EngineOpening]
    folder: Path
    terms: Terms

    def play(self, candidate: Player, pairs: range, mirrors: bool = False) -> Outcome:
        """Play what is missing of some pairs of the search; return all of them.

        A setting that is an opponent itself scores one half without a game, unless `mirrors` asks for games.
        """
        numbers, openings = self.openings_of(pairs)
        terms = replace(self.terms, seed=pair_seed(self.terms.seed, pairs.start))
        scores, wdl, digest = [], [], hashlib.sha256()
        for at, (_, opponent) in enumerate(self.opponents):
            if candidate.digest == opponent.digest and not mirrors:
                known = known_results(len(openings))
                scores.append(known[0])
                wdl.append(known[1])
                continue
            rows = play_pairs(candidate, opponent, openings, self.folder_of(candidate, pairs, at), terms)
            digest.update(json.dumps([[row.moves for row in rows[n]] for n in rows]).encode())
            scores.append(np.array([np.nan if kind is None else kind / 4 for kind in classes(rows)]))
            wdl.append(np.array([_wdl(rows[number]) for number in rows]))
            self.terms.engines.retire(candidate)
        names = tuple(name for name, _ in self.opponents)
        return Outcome(names, np.array(scores), np.array(wdl), numbers, digest.hexdigest()[:16])

    def counts_there(self, candidate: Player, pairs: range) -> dict[str, list[int]]:
        """Return the counts of some pairs against each opponent of whom all games are kept; plays none."""
        openings, found = self.openings_of(pairs)[1], {}
        for at, (name, opponent) in enumerate(self.opponents):
            if candidate.digest == opponent.digest:  # games there are a pilot's: they are in no trial
                continue
            rows = Meeting(candidate, opponent, openings, self.folder_of(candidate, pairs, at)).known()
            if len(rows) == len(openings):
                found[name] = count_pairs(rows)
        return found

    def openings_of(self, pairs: range) -> tuple[npt.NDArray[np.int64], list[EngineOpening]]:
        """Return numbers and openings of some pairs."""
        numbers = np.asarray(pairs, np.int64) % len(self.openings)
        return numbers, [self.openings[number] for number in numbers]

    def folder_of(self, candidate: Player, pairs: range, opponent: int) -> Path:
        """Return where the games of a setting against an opponent lie."""
        return games_folder(self.folder, candidate.digest, pairs.start) / str(opponent)


def _wdl(pair: Sequence[EngineGame]) -> list[int]:
    own = [None if row.result is None else for_first_named(row.result, row.game) for row in pair]
    return [own.count(value) for value in (1, 0, -1)]
