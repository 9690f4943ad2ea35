"""How fast is it? Figures of one game, each with the amount of work it was measured on.

All in one run and one process, but for the times of import, first compilation (an empty cache) and loading
(the same cache again), which are those of fresh processes, and games per second, which the workers of
self-play play."""

import itertools
import logging
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.engine.compile.bind import bind
from tunesmith.engine.compile.slots import (
    MAX_MOVES,
    apply_move,
    features,
    initial,
    legal_moves,
    outcome,
    stages,
)
from tunesmith.engine.evaluation import ALL_FEATURES, wanted_features
from tunesmith.engine.limits import Limit
from tunesmith.engine.match import Arena
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.perft import count_sequences
from tunesmith.engine.search.dispatch import ONCE
from tunesmith.engine.searcher import MAX_PLY, NODES, Searcher, new_searcher
from tunesmith.engine.weights import Weights, from_array
from tunesmith.games.errors import TunesmithError
from tunesmith.games.game import ONGOING, Game
from tunesmith.games.registry import load
from tunesmith.tuning.config import Openings
from tunesmith.tuning.play.bench_features import leaves_out_by_itself, without_feature
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.openings.random import make_openings
from tunesmith.tuning.play.player import named_or_default, read_weights
from tunesmith.tuning.play.replay import mark_positions, view_positions
from tunesmith.tuning.play.resources import Log, Resources
from tunesmith.tuning.play.sandbox.process import safe_environment
from tunesmith.tuning.play.selfplay import play
from tunesmith.tuning.play.tally import Tally

logger = logging.getLogger("tunesmith.tuning")

GAME_NODES = 1000  # a move, where games are counted
NOISE = Noise(0.2, 40)
WARM_UP = 20  # pairs played before any are counted
SAMPLE = 2000  # positions evaluated at a time
SEARCH_NODES = 300_000
_DEAR = 0.2  # share of a search's time from which on a feature is called dear


@dataclass(frozen=True)
class Row:
    """One figure; `work` says how much was measured."""

    name: str
    value: float
    unit: str
    work: str


def bench(
    spec: str, seconds: float = 2.0, features: bool = False, note: Callable[[str], None] = logger.info
) -> Iterator[Row]:
    """Give the figures of a game, about `seconds` spent on each; with `features`, nodes/s without each too.

    The search is measured with all features, with one cheap one, and as the weights that play by default search.

    `note` is told what comes next, before it begins.

    Raises
    ------
    InputError, GameError
        No games can be played: the figures before are given by then.
    """
    game = load(spec)
    every = _weights(game, range(game.n_features))
    note("perft: compiled, then measured")
    yield _perft(game, seconds)
    note("evaluations: compiled, then measured")
    yield _evaluations(game, seconds)
    note("replay: compiled, then measured")
    yield _replay(game, seconds)
    note("search, all features: compiled, then measured")
    full = _search(game, from_array(game, every), seconds, "all features")
    yield full
    if game.cheap_features:
        note(f"search, {game.cheap_features[0]} alone: compiled, then measured")
        first = [game.feature_names.index(game.cheap_features[0])]
        player = from_array(game, _weights(game, first))
        yield _search(game, player, seconds, f"{game.cheap_features[0]} alone")
    name = named_or_default(None, game, True)[0]
    if game.folder is not None and (game.folder / "weights" / f"{name}.json").is_file():
        note(f"search, {name}: compiled, then measured")
        player = read_weights(name, game, allow_variant=True)
        yield _search(game, player, seconds, name)
    if features:
        note("evaluations without each feature: compiled, then measured")
        yield from _without_each(game, full.value, seconds)
        return
    note("games: played in this process, by one worker, then by two")
    yield _around_a_search(game, every, seconds)
    yield from _games(spec, game, every, seconds)
    note("import, compilation with an empty cache, and loading: each in a process of its own")
    yield from _starts(spec, game)


def _weights(game: Game, chosen: Any) -> Any:
    """Return small weights of both signs for the chosen features: what they are does not matter, only that."""
    values = np.zeros((game.n_stages, game.n_features))
    for index in chosen:
        values[:, index] = 1.0 + 0.1 * (index % 7)
    return values


def _until(seconds: float, call: Callable[[], int]) -> tuple[int, float]:
    """Repeat `call` for about `seconds` after one call for compilation; return work and CPU seconds."""
    call()
    work, began = 0, time.process_time()
    while True:
        work += call()
        spent = time.process_time() - began
        if spent >= seconds:
            return work, spent


def _perft(game: Game, seconds: float) -> Row:
    count, root = bind(count_sequences, game), game.initial()
    count(root, 1)
    for depth in range(1, 30):
        began = time.process_time()
        count(root, depth)
        if time.process_time() - began > seconds / 20:
            break
    leaves, spent = _until(seconds, lambda: int(count(root, depth)))
    return Row("perft, bulk counted", leaves / spent, "leaves/s", f"{leaves:,} leaves of depth {depth}")


def _evaluations(game: Game, seconds: float) -> Row:
    rate, n = evaluation_rate(game, ALL_FEATURES, seconds)
    return Row("evaluations, all features", rate, "positions/s", f"{n:,} positions with their moves")


def evaluate_games(n: int, values: Any, shares: Any) -> int:
    """Compute features and stages along games that take every third move; return the number (template)."""
    moves: Any = np.zeros(MAX_MOVES, np.int64)
    state = initial()
    for at in range(n):
        features(state, values)
        stages(state, shares)
        n_moves = legal_moves(state, moves)
        state = apply_move(state, int(moves[(3 * at) % n_moves]))
        if outcome(state) != ONGOING:
            state = initial()
    return n


def _replay(game: Game, seconds: float) -> Row:
    """Look at every position of games, as before a fit, and compare with plain Python."""
    moves, starts = np.zeros(20 * SAMPLE, np.int64), np.zeros(20 * SAMPLE + 1, np.int64)
    n_games = int(bind(record_games, game)(moves, starts))
    starts = starts[: n_games + 1]
    chosen = np.ones(len(moves), np.bool_)

    def once() -> int:
        mark_positions(game, moves, starts)
        return len(view_positions(game, moves, starts, chosen).keys)

    n, spent = _until(seconds, once)
    few = moves[: min(int(starts[1]), 200)]
    slow, slow_spent = _until(min(seconds, 0.5), lambda: _plain_replay(game, few))
    ratio = n / spent / (slow / slow_spent)
    work = f"{n:,} positions of {n_games:,} games, {ratio:,.0f} times plain Python"
    return Row("replay, all features", n / spent, "positions/s", work)


def record_games(moves: Any, starts: Any) -> int:
    """Fill `moves` with games that take every third move; return their number (template)."""
    legal: Any = np.zeros(MAX_MOVES, np.int64)
    state = initial()
    n_games = 0
    for at in range(len(moves)):
        moves[at] = legal[(3 * at) % legal_moves(state, legal)]
        state = apply_move(state, int(moves[at]))
        if outcome(state) != ONGOING:
            state = initial()
            n_games += 1
            starts[n_games] = at + 1
    if starts[n_games] < len(moves):
        n_games += 1
        starts[n_games] = len(moves)
    return n_games


def _plain_replay(game: Game, moves: Any) -> int:
    state, values, shares = game.initial(), np.zeros(max(1, game.n_features)), np.ones(game.n_stages)
    for move in moves.tolist():
        game.features(state, values)
        if game.stages is not None:
            game.stages(state, shares)
        state = game.apply_move(state, move)
    return len(moves)


def _searcher(
    game: Game, values: Any, nodes: int, scale: float = 1.0, options: SearchOptions | None = None
) -> Searcher:
    return new_searcher(game, values, scale, options or SearchOptions(), Limit("nodes", nodes))


def _search(game: Game, player: Weights, seconds: float, what: str) -> Row:
    """Search as `player` does with the features that it uses."""
    values: Any = player.array(game)
    options = player.search_options
    searcher = _searcher(game, values, SEARCH_NODES, player.scale, options)
    wanted = wanted_features(game, values)
    think = bind(ONCE[options.kind], game, wanted)
    keys, counters = np.zeros(MAX_PLY + 2, np.int64), searcher.memory["counters"][0]

    def once() -> int:
        counters[2] += 1  # a new generation: nothing is known from the search before
        think(*searcher, game.initial(), keys, 1, 0)
        return int(counters[NODES])

    nodes, spent = _until(seconds, once)
    return Row(f"search, {what}", nodes / spent, "nodes/s", f"{nodes:,} nodes from the start")


def _without_each(game: Game, full: float, seconds: float) -> list[Row]:
    """Return the speed of a search without each feature, from what evaluations without it save; dearest first.

    The same search with other weights would be another tree; a search compiled for each set of features would
    take minutes. Features that are computed together cost nothing one by one.
    """
    every, masks = (1 << game.n_features) - 1, leaves_out_by_itself(game)
    rows = []
    for left_out, feature in enumerate(game.feature_names):
        name = f"search, without {feature}"
        less = game if masks else without_feature(game, left_out)
        if less is None:
            rows.append(Row(name, full, "nodes/s", "not measured: written together with other features"))
            continue
        rate, _ = evaluation_rate(game, every, seconds)  # each time: a machine's speed changes in minutes
        other, n = evaluation_rate(less, every & ~(1 << left_out) if masks else every, seconds)
        saved = 1 / rate - 1 / other  # seconds an evaluation
        share = full * saved  # of a search's time
        dear = ": more than a fifth" if share > _DEAR else ""
        work = f"{n:,} evaluations without it; it takes {max(share, 0.0):.0%} of the time{dear}"
        rows.append(Row(name, full / max(1 - share, 0.01), "nodes/s", work))
    return sorted(rows, key=lambda row: -row.value)


def evaluation_rate(game: Game, wanted: int, seconds: float) -> tuple[float, int]:
    """Return evaluations a second (of CPU) with the wanted features, and how many were timed."""
    run = bind(evaluate_games, game, wanted)
    values, shares = np.zeros(max(1, game.n_features)), np.zeros(game.n_stages)
    n, spent = _until(seconds, lambda: int(run(SAMPLE, values, shares)))
    return n / spent, n


def _around_a_search(game: Game, values: Any, seconds: float) -> Row:
    """Return what a move of a game takes besides its nodes: the time of one that may search a single node."""
    one, n = _move_time(game, values, 1, seconds)
    whole, _ = _move_time(game, values, GAME_NODES, seconds)
    work = f"{n:,} moves at nodes:1; {one / whole:.1%} of one at nodes:{GAME_NODES}"
    return Row("around the search of a move", one, "s", work)


def _move_time(game: Game, values: Any, nodes: int, seconds: float) -> tuple[float, int]:
    """Return CPU seconds a searched move of games between equal players, and how many were timed."""
    players = (_searcher(game, values, nodes), _searcher(game, values, nodes))
    arena = Arena(game, *players, noise=NOISE.thousandths)
    seeds = itertools.count()

    def play() -> int:
        return sum(int(np.isfinite(record.scores).sum()) for record in arena.play_pair((), next(seeds)))

    n, spent = _until(seconds, play)
    return spent / max(n, 1), n


def _games(spec: str, game: Game, values: Any, seconds: float) -> Iterator[Row]:
    """Play the same pairs with one worker and with two, by the harness itself; workers are up by then."""
    player = from_array(game, values)
    openings = _openings(game, player, WARM_UP)
    for jobs in (1, 2):
        _play(spec, player, openings[:WARM_UP], jobs)
        if jobs == 1:
            warm = _play(spec, player, openings[:WARM_UP], jobs)
            openings = _openings(game, player, max(4, min(2000, int(2 * seconds / warm * WARM_UP))))
        spent = _play(spec, player, openings, jobs)
        name = f"games, {jobs} worker{'s' * (jobs > 1)}"
        work = f"{2 * len(openings)} games at nodes:{GAME_NODES}"
        yield Row(name, 2 * len(openings) / spent, "games/s", work)


def _openings(game: Game, player: Weights, count: int) -> list[Opening]:
    """Return openings of six plies, of fewer where the game hardly lasts so long."""
    plies = 6
    while True:
        try:
            return make_openings(
                game,
                player,
                Openings(plies=plies, max_score=1000.0),
                count=count,
                purpose="train",
                seed=1,
                judge_limit="nodes:50",
            )
        except TunesmithError:
            plies //= 2
            if plies == 0:
                raise


def _play(spec: str, player: Weights, openings: list[Opening], jobs: int) -> float:
    """Return the seconds it takes to play one pair from each opening, from the first batch on."""
    clock = _Clock()
    level, logger.disabled = logger.disabled, True  # what games of such weights are worth is no news
    try:
        with tempfile.TemporaryDirectory(prefix="tunesmith-") as folder:
            limit = f"nodes:{GAME_NODES}"
            matchup = Matchup(spec, player, player, (limit, limit), 1, NOISE)
            play(
                matchup,
                openings,
                range(len(openings)),
                Path(folder) / "games",
                Resources(jobs, listener=clock),
            )
    finally:
        logger.disabled = level
    return clock.times[-1] - clock.times[0]


class _Clock(Log):
    """Notes when pairs come in."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def progress(self, what: str, done: int, total: int, tally: Tally | None = None) -> None:
        """Note the time."""
        self.times.append(time.monotonic())


_PROBE = (
    "import sys; from tunesmith.tuning.cli import run; "
    "sys.exit(run(['probe', sys.argv[1], '--limit', 'depth:1', '--json']))"
)


def _starts(spec: str, game: Game) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as cache:
        imported = _process(["-c", "import tunesmith.engine.player, tunesmith.engine.match"], cache)
        if game.folder is None or not (game.folder / "weights" / "hand.json").is_file():
            return [Row("import of the engine", imported, "s", "1 process")]
        first = _process(["-c", _PROBE, spec], cache)
        loaded = _process(["-c", _PROBE, spec], cache)
    return [
        Row("import of the engine", imported, "s", "1 process"),
        Row("probe, first compilation", first, "s", "1 process, empty cache"),
        Row("probe, loaded from the cache", loaded, "s", "1 process"),
    ]


def _process(arguments: list[str], cache: str) -> float:
    environment = {**safe_environment(), "TUNESMITH_CACHE": cache}
    began = time.monotonic()
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=False)
    return time.monotonic() - began
