"""Whole games and pairs, compiled from start to end: Python costs nothing per move.

Results and reasons are numbers here; `result` speaks of player 0. A game is played from a start position and
the moves of an opening, which are replayed so that repetition knows them. The limit, options and weights are
those of the two searchers. Deterministic where the limits are."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tunesmith.engine.book.probe import book_move
from tunesmith.engine.compile import jit
from tunesmith.engine.compile.arith import below, drawn_place, mix, next_random
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.compile.jit import inlined
from tunesmith.engine.compile.slots import (
    REPETITION_FIRST,
    REPETITION_LIMIT,
    SIMULTANEOUS,
    apply_move,
    hide,
    history_key,
    legal_moves,
    mover,
    outcome,
    swap_move,
    swap_sides,
)
from tunesmith.engine.evaluation import Wanted, wanted_features
from tunesmith.engine.options import ALGORITHM, RANDOM
from tunesmith.engine.search.dispatch import decide, deciding
from tunesmith.engine.search.endings import ending, is_drawn, occurrences
from tunesmith.engine.search.ordering import forget
from tunesmith.engine.search.transposition import NO_MOVE
from tunesmith.engine.searcher import (
    GAME_SECONDS,
    MAX_PLY,
    N_BOOK,
    OTHER_MASK,
    SCORE,
    SECONDS,
    SEED,
    THOUGHT,
    Searcher,
)
from tunesmith.games.errors import GameError
from tunesmith.games.game import ONGOING, Game, State

BY_OUTCOME, BY_REPETITION, BY_PLIES, CAPPED, STUCK, ADJUDICATED = 1, 2, 3, 4, 5, 6
NO_RESULT = ONGOING
DEFAULT_MOVE_CAP = 1000


class Record(NamedTuple):
    """One game: all moves from the start position (opening included), what the movers thought, the end.

    moves int64 (n,); scores float32 (n,) in Elo, the mover's view, NaN = none; result 1, 0, -1 of player 0 or
    NO_RESULT; reason: the game's own word, `repetition`, `max_plies`, `capped` or `adjudicated`.
    """

    moves: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float32]
    result: int
    reason: str


class Buffers(NamedTuple):
    """What the games of a pair are written into, a row a game, and what repetition is known by.

    moves int64 and scores float32 (2, cap of moves), of which `moves[0]` begins with the opening; ends int64 (2, 3):
    number of moves, result of player 0, reason; keys int64 (2, cap + MAX_PLY + 1) of the positions of the game that
    is played, and of them with sides exchanged.
    """

    moves: Any
    scores: Any
    ends: Any
    keys: Any


class Terms(NamedTuple):
    """What is random, and when a game is decided early, see `Arena`.

    noise int64 (2,): chance in 1/1000 that a move is drawn at random, and the number of moves after which none is.
    adjudicate float64 (2,): score in Elo and plies (0 plies: never).
    """

    noise: Any
    adjudicate: Any


def play_game(
    player_0: Searcher,
    player_1: Searcher,
    root: State,
    n_opening: int,
    buffers: Buffers,
    game: int,
    terms: Terms,
    seed: int,
) -> tuple[int, int, int]:
    """Play from `root` and the opening in row `game` to the end; return number of moves, result, reason (template).

    `seed` decides the random moves, and what the players draw.
    """
    moves, scores, keys = buffers.moves[game], buffers.scores[game], buffers.keys
    noise, adjudicate = terms.noise, terms.adjudicate
    first = player_0.memory[0]
    second = player_1.memory[0]
    forget(first)
    forget(second)
    first.counters[SEED] = mix(seed ^ 1)
    second.counters[SEED] = mix(seed ^ 2)
    state = root
    n_moves = 0 * n_opening  # not the literal 0: the search would be compiled for it once more
    ahead_0 = 0 * n_opening  # plies in a row at which player 0 found player 0 winning; negative: losing
    ahead_1 = 0 * n_opening  # what player 1 found, also of player 0
    while True:
        keys[0, n_moves] = history_key(state)
        if SIMULTANEOUS:
            keys[1, n_moves] = history_key(swap_sides(state)) if mover(state) == 0 else 0
        result = ending(state, keys[0], n_moves + 1, n_moves)
        if result != ONGOING:
            return n_moves, result, reason_of(state, keys[0], n_moves + 1, n_moves)
        if adjudicate[1] > 0 and (not SIMULTANEOUS or mover(state) == 0):
            if min(ahead_0, ahead_1) >= adjudicate[1]:
                return n_moves, 1, ADJUDICATED
            if max(ahead_0, ahead_1) <= -adjudicate[1]:
                return n_moves, -1, ADJUDICATED
        if n_moves >= len(moves):
            return n_moves, NO_RESULT, CAPPED
        scores[n_moves] = np.nan
        if n_moves >= n_opening:
            seed = next_random(seed)
            n_legal = legal_moves(state, first.moves[0])
            if n_legal == 0:
                return n_moves, NO_RESULT, STUCK
            if n_moves < noise[1] and below(seed, 1000) < noise[0]:
                seed = next_random(seed)
                moves[n_moves] = first.moves[0, below(seed, n_legal)]
                ahead_0 = 0 * n_opening  # what was found before counts no longer
                ahead_1 = 0 * n_opening
            else:
                searcher = first if mover(state) == 0 else second
                entries = player_0.transposition if mover(state) == 0 else player_1.transposition
                moves[n_moves] = choose(searcher, entries, state, keys, n_moves)
                scores[n_moves] = searcher.numbers[THOUGHT] / 100.0
                if mover(state) == 0:
                    ahead_0 = streak(ahead_0, float(scores[n_moves]), float(adjudicate[0]))
                else:
                    ahead_1 = streak(ahead_1, -float(scores[n_moves]), float(adjudicate[0]))
        state = apply_move(state, int(moves[n_moves]))
        n_moves += 1


def streak(count: int, score: float, bound: float) -> int:
    """Return how many plies in a row a player found player 0 winning (negative: losing), after one more.

    `score` is player 0's, in Elo; a ply without one (NaN) leaves the count as it is (template).
    """
    if np.isnan(score):
        return count
    if score >= bound:
        return max(count, 0) + 1
    if score <= -bound:
        return min(count, 0) - 1
    return 0


@inlined
def choose(searcher: Any, transposition: Any, state: State, keys: Any, n_moves: int) -> int:
    """Return the move of the side to move; one that sees no hidden choice, in a simultaneous game (template).

    A forced move, one of the opening book and one drawn at random is played without a search. The second chooser of a
    simultaneous game is shown the position with sides exchanged, as if it chose first: its search then assumes
    that the opponent sees its choice.
    """
    searcher.numbers[THOUGHT] = np.nan
    n_legal = legal_moves(state, searcher.moves[0])
    if n_legal == 1:
        return int(searcher.moves[0, 0])
    if searcher.counters[N_BOOK] > n_moves:
        known = book_move(searcher, state)
        if known != NO_MOVE:
            return known
    if searcher.options[ALGORITHM] == RANDOM:
        return int(searcher.moves[0, drawn_place(int(searcher.counters[SEED]), n_moves, n_legal)])
    seen = state
    view = 0
    if SIMULTANEOUS:
        seen = hide(state)
        if mover(state) == 1:
            seen = swap_sides(seen)
            view = 1
    move = decide(searcher, transposition, seen, keys[view], n_moves + 1, n_moves)
    searcher.numbers[THOUGHT] = float(searcher.counters[SCORE])
    if SIMULTANEOUS and mover(state) == 1:
        return swap_move(move)
    return move


def reason_of(state: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Return why a finished game is over (template)."""
    is_over = outcome(state) != ONGOING
    drawn = is_drawn(state, keys, n_keys, n_plies)
    if drawn and (not is_over or REPETITION_FIRST):
        key = keys[n_keys - 1]
        is_repeated = REPETITION_LIMIT > 0 and key != 0 and occurrences(keys, n_keys, key) >= REPETITION_LIMIT
        return BY_REPETITION if is_repeated else BY_PLIES
    return BY_OUTCOME


def play_pair(
    player_a: Searcher,
    player_b: Searcher,
    root: State,
    n_opening: int,
    buffers: Buffers,
    terms: Terms,
    seed: int,
) -> None:
    """Play one opening, `moves[0, :n_opening]`, twice: player A first and then second (template)."""
    for at in range(n_opening):
        buffers.moves[1, at] = buffers.moves[0, at]
    first, second = player_a, player_b
    for game in range(2):
        n_moves, result, reason = play_game(first, second, root, n_opening, buffers, game, terms, seed)
        buffers.ends[game, 0] = n_moves
        buffers.ends[game, 1] = result
        buffers.ends[game, 2] = reason
        first, second = player_b, player_a
        seed = mix(seed)


_WORDS = {BY_REPETITION: "repetition", BY_PLIES: "max_plies", CAPPED: "capped", ADJUDICATED: "adjudicated"}


def end_word(game: Game, reason: int, state: State) -> str:
    """Return a reason as records name it: `state` is the last one of the game, which may have words of its own."""
    if reason in _WORDS:
        return _WORDS[reason]
    return "finished" if game.end_reason is None else game.end_reason(state)


def _wanted(game: Game, player_a: Searcher, player_b: Searcher) -> Wanted:
    """Return which features a match computes: under a clock each player those of its own, so that none pays for the
    other's; else those that either uses, in code that serves more matches."""
    tables = [player.memory["weights"][0] for player in (player_a, player_b)]
    first, second = (wanted_features(game, table) for table in tables)
    has_clock = any(
        player.memory["numbers"][0, [SECONDS, GAME_SECONDS]].any() for player in (player_a, player_b)
    )
    if first == second or not has_clock:
        return wanted_features(game, *tables)
    # One order of the two, whoever is player A: the same code for both.
    for player, mask in ((player_a, first), (player_b, second)):
        player.memory["counters"][0, OTHER_MASK] = mask != min(first, second)
    return min(first, second), max(first, second)


class Arena:
    """Two players and the buffers they meet in; made once, used for many pairs.

    Parameters
    ----------
    game
        The rules.
    player_a, player_b
        Searchers of the two players (`engine.searcher.new_searcher`), each with memory of its own.
    move_cap
        A game of this many moves ends as `capped`, without a result.
    noise
        Chance in 1/1000 that a move after the opening is drawn at random, and the number of moves from the
        start after which none is: two equal deterministic players would play one game over and over.
    adjudicate
        Score in Elo and plies: once the scores of either player said at so many plies of its own in a row that
        the same side is ahead by so much, the game ends as `adjudicated`, won by that side. A random move
        starts the count anew; forced moves and those of a book, which have no score, are not counted. 0 plies:
        never.
    """

    def __init__(
        self,
        game: Game,
        player_a: Searcher,
        player_b: Searcher,
        move_cap: int = DEFAULT_MOVE_CAP,
        noise: tuple[int, int] = (0, 0),
        adjudicate: tuple[float, int] = (0.0, 0),
    ) -> None:
        self._terms = Terms(np.array(noise, np.int64), np.array(adjudicate, np.float64))
        self.game = game
        self._players = player_a, player_b
        self._play = bind(play_pair, game, _wanted(game, player_a, player_b), deciding(player_a, player_b))
        self._moves = np.zeros((2, move_cap), np.int64)
        self._scores = np.zeros((2, move_cap), np.float32)
        self._ends = np.zeros((2, 3), np.int64)
        self._keys = np.zeros((2, move_cap + MAX_PLY + 1), np.int64)

    def play_pair(
        self, opening: Sequence[int], seed: int = 0, root: State | None = None
    ) -> tuple[Record, Record]:
        """Play an opening twice, player A as player 0 first; return both games.

        `seed` (63 bits, not negative) decides the random moves, if `noise` asks for any, and what players draw.

        Raises
        ------
        GameError
            An unfinished position has no legal move.
        """
        start = self.game.initial() if root is None else root
        self._moves[0, : len(opening)] = opening
        self._play(*self._arguments(start, len(opening), seed))
        return self._record(start, 0), self._record(start, 1)

    @property
    def takes_long(self) -> bool:
        """Whether `prepare` has to compile: no file holds the code yet."""
        return jit.takes_long(self._play)

    def prepare(self) -> None:
        """Compile, or load compiled code, without playing: what follows starts at once."""
        jit.prepare(self._play, *self._arguments(self.game.initial(), 0, 0))

    def _arguments(self, root: State, n_opening: int, seed: int) -> tuple[Any, ...]:
        buffers = Buffers(self._moves, self._scores, self._ends, self._keys)
        return *self._players, root, n_opening, buffers, self._terms, seed

    def _record(self, root: State, game: int) -> Record:
        n_moves, result, code = (int(value) for value in self._ends[game])
        moves = self._moves[game, :n_moves].copy()
        if code == STUCK:
            text = self.game.state_to_text(self._after(root, moves))
            raise GameError(f"{self.game.name}: no legal move in the unfinished position {text!r}")
        reason = _WORDS.get(code) or end_word(self.game, code, self._after(root, moves))
        return Record(moves, self._scores[game, :n_moves].copy(), result, reason)

    def _after(self, root: State, moves: npt.NDArray[np.int64]) -> State:
        state = root
        for move in moves:
            state = self.game.apply_move(state, int(move))
        return state
