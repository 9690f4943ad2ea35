"""Are stored games what was played, where no digest vouches for them? They are replayed against what they say.

Every move must be legal, no game may go on after its end or stop before it but for the reasons that stop one early,
and result and reason must be those of the rules; pairs, seeds and players must be those of the settings. What a
player thought (`scores`) and what a fault left behind cannot be replayed."""

from __future__ import annotations

from typing import Any

import numpy as np

from tunesmith.engine.compile.arith import mix
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.compile.slots import MAX_MOVES, apply_move, history_key, legal_moves
from tunesmith.engine.match import NO_RESULT, end_word, reason_of
from tunesmith.engine.search.endings import ending
from tunesmith.engine.search.values import turned
from tunesmith.games.errors import TunesmithError
from tunesmith.games.game import ONGOING, Game, State
from tunesmith.tuning.play.matchup import FAULT, pair_seed
from tunesmith.tuning.play.records import ADJUDICATED, CAPPED, Games
from tunesmith.tuning.play.replay import runs, state_at

_EARLY = (ADJUDICATED, CAPPED)  # why a game may stop before its end by the rules


def first_wrong(game: Game, games: Games) -> str | None:
    """Return what is wrong with the first game that cannot be as it is stored, None if all can."""
    moves, starts, roots = games.moves, games.starts, games.roots(game)
    ends = np.zeros((len(games), 3), np.int64)
    keys = np.zeros(int(np.diff(starts).max(initial=0)) + 1, np.int64)
    first = 0
    for run in runs(game, starts, roots):
        last = first + len(run.starts) - 1
        bind(write_ends, game)(run.root, moves, run.starts, ends[first:last], keys)
        first = last
    places = 2 * games.pair + games.game
    in_order = (np.diff(places, prepend=-1) > 0) & np.isin(games.game, (0, 1))
    for row in range(len(games)):
        if not in_order[row]:
            return f"pair {games.pair[row]}, game {games.game[row]}: rows out of order"
        wrong = _wrong_row(games, row) or _wrong_end(game, games, row, ends[row].tolist(), roots)
        if wrong is not None:
            return f"pair {games.pair[row]}, game {games.game[row]}: {wrong}"
    return None


def write_ends(root: State, moves: Any, starts: Any, ends: Any, keys: Any) -> None:
    """Fill `ends` (games, 3): moves up to the end or the first illegal one, result, reason if over (template)."""
    buffer: Any = np.zeros(MAX_MOVES, np.int64)
    for game in range(len(starts) - 1):
        state = root
        n_moves = 0 * starts[game]
        n_all = starts[game + 1] - starts[game]
        keys[0] = history_key(state)
        result = ending(state, keys, 1, n_moves)
        while result == ONGOING and n_moves < n_all:
            move = int(moves[starts[game] + n_moves])
            if not (buffer[: legal_moves(state, buffer)] == move).any():
                break
            state = apply_move(state, move)
            n_moves += 1
            keys[n_moves] = history_key(state)
            result = ending(state, keys, n_moves + 1, n_moves)
        ends[game, 0] = n_moves
        ends[game, 1] = result
        ends[game, 2] = reason_of(state, keys, n_moves + 1, n_moves)


def _wrong_row(games: Games, row: int) -> str | None:
    """Return what does not fit the settings or the other game of the pair."""
    pair, which, settings = int(games.pair[row]), int(games.game[row]), games.settings
    seed = pair_seed(int(settings["seed"]), pair)
    if games.seed[row] != (mix(seed) if which else seed):
        return "not the seed of its pair"
    players = set(settings["players"]) | {digest for digest, _ in settings.get("opponents", ())}
    own = {games.table[name][row].as_py() for name in ("first_weights", "second_weights")}
    if not own <= players or settings["players"][0] not in own:
        return "played by somebody else"
    n_moves = int(games.starts[row + 1] - games.starts[row])
    if len(games.table["scores"][row]) != n_moves or not 0 <= games.n_opening[row] <= n_moves:
        return "as many scores as moves, and no fewer moves than of the opening, were expected"
    return None


def _wrong_end(game: Game, games: Games, row: int, end: list[int], roots: Any) -> str | None:
    """Return how the recorded end differs from that of the replayed moves."""
    n_legal, result, code = end
    moves = games.moves[games.starts[row] : games.starts[row + 1]]
    said, why = int(games.result[row]), str(games.end_reason[row])
    if why.startswith(FAULT):
        return None if said == NO_RESULT else "a fault with a result"
    if n_legal < len(moves):
        return f"move {n_legal + 1} is not legal, or comes after the end"
    if result == ONGOING:
        if why not in _EARLY:
            return f"recorded as ended ({why}), and the game goes on"
        if why == CAPPED:
            is_right = said == NO_RESULT and len(moves) == games.settings["move_cap"]
        else:
            is_right = games.settings.get("adjudicate") is not None and said == _ahead(
                game, games, row, roots
            )
        return None if is_right else f"result {said} does not follow from {why}"
    if said != result:
        return f"recorded as {said}, by the rules {result}"
    root = None if roots is None else roots[row]
    word = end_word(game, code, state_at(game, moves, root))
    return None if why == word else f"recorded as ended by {why}, by the rules {word}"


def _ahead(game: Game, games: Games, row: int, roots: Any) -> int:
    """Return whom the last score of the last mover who thought found winning, for player 0."""
    scores = games.scores[games.starts[row] : games.starts[row + 1]]
    known = np.flatnonzero(np.isfinite(scores))
    if not len(known):
        return NO_RESULT
    at = int(known[-1])
    moves = games.moves[games.starts[row] : games.starts[row] + at]
    mover = game.mover(state_at(game, moves, None if roots is None else roots[row]))
    return turned(int(np.sign(scores[at])), mover, 0)


def wrong(game: Game, games: Games) -> str | None:
    """Do as `first_wrong`; whatever the game's code makes of damaged values is wrong as well."""
    try:
        return first_wrong(game, games)
    except (TunesmithError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        return " ".join(f"{type(error).__name__}: {error}".split())[:200]
