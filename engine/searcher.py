"""What one player brings to compiled code: weights, options, limits and working memory, as one record.

`Searcher` is made by `new_searcher`; templates take its parts as arguments, so that weights and options never
become part of compiled code. The memory belongs to one search at a time."""

from typing import Any, NamedTuple

import numpy as np

from tunesmith.engine.limits import MAX_DEPTH, Limit
from tunesmith.engine.options import N_OPTIONS, SearchOptions
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game

MAX_PLY = MAX_DEPTH + 56  # search plies that memory is laid out for
N_HISTORY = 1 << 12
BOOK_ROWS = 1 << 12  # of the hash table that holds an opening book
DEFAULT_HASH_MB = 8

# Fields of a frame: one row a ply of the search's own stack.
(
    ALPHA,
    BETA,
    BEST,
    BEST_MOVE,
    N_MOVES,
    AT,
    DEPTH,
    KEY,
    ALPHA_BEFORE,
    MOVE,
    SCOUTING,
    SHIFT,
    PATH,
    STARTED,
    IMAGE,
    FULL,  # remaining depth that the position is to be searched to; more than DEPTH in a first look at it
    LOOKED,  # the first look of internal deepening is done
    REDUCED,  # plies by which the move in work is searched less deep
    NULL,  # 1: the turn is to be passed first; 2: that is being searched
) = range(19)
FRAME_WORDS = 24

# Fields of `counters`: what a search leaves behind and works with.
(
    NODES,  # entered positions of this move's search
    NODE_LIMIT,
    GENERATION,
    SCORE,  # of the last completed iteration, mover's view
    REACHED,  # depth of the last completed iteration
    BEST_AT_ROOT,
    CUTS,  # beta cut-offs
    FIRST_CUTS,  # of these, at the first move
    TABLE_HITS,
    STOPPED,
    N_PV,
    DEPTH_LIMIT,
    N_USED,
    AGE,  # of the entries that this move's search stores in the table
    SEED,  # of the game: what a search draws follows from it
    RANDOM,  # state of the generator of this move's search
    SIMULATIONS,  # of this move's search
    SIMULATION_LIMIT,
    N_TREE,  # nodes of the tree of Monte Carlo search
    N_BOOK,  # plies of a game in which the opening book is asked; 0 = no book
    OTHER_MASK,  # 1: of two masks of features its own is the second
) = range(21)
N_COUNTERS = 24

# Fields of `numbers`.
(
    SCALE,  # Elo per unit
    SECONDS,  # a move; 0 = no limit
    DEADLINE,  # when to stop, by the clock
    THOUGHT,  # score of the last move in 1/100 Elo
    GAME_SECONDS,  # for all moves of a game; 0 = no limit
    SECONDS_LEFT,  # of these
    BEGAN,  # when this move's search did
    SHARE,  # of the time left, that this move is given
    SPARE,  # of the time left, that is not kept for later moves
    NEEDED,  # seconds for what each move is to have: depth 1, or two simultaneous turns
) = range(10)
N_NUMBERS = 12

N_TO_GO, PLIES_A_CELL = (
    64,
    4,
)  # cells of `to_go`, each for so many plies of a game; the last one for all that follow
MOVES_TO_GO = 20.0  # that the time left is shared out among, where no games say it


class Searcher(NamedTuple):
    """One player's memory, as templates take it apart: `memory[0]` (a record) and `transposition`.

    memory
        Record array of length 1 with the fields of `memory_type`. A record is one pointer in compiled code:
        handing it from function to function costs nothing.
    transposition
        int64 (entries, 4), see `engine.search.transposition`.
    """

    memory: Any
    transposition: Any


def memory_type(game: Game) -> np.dtype[Any]:
    """Return the record type of a searcher's memory: one field an array.

    weights (stages, features); used: indices of the features with a weight; values, shares: buffers of the
    evaluation; frames (MAX_PLY, FRAME_WORDS); moves and order (MAX_PLY, max_moves); killers (MAX_PLY, 2);
    history (2, N_HISTORY); line (MAX_PLY, MAX_PLY): triangular principal variation; pv: that of the last
    completed iteration; to_go: own moves to come, by plies played, see `engine.search.time_control`; book: key, move
    and whether there is one (`engine.book`).
    """
    n_features, n_stages = max(1, game.n_features), game.n_stages
    return np.dtype(
        [
            ("counters", np.int64, (N_COUNTERS,)),
            ("options", np.int64, (N_OPTIONS,)),
            ("numbers", np.float64, (N_NUMBERS,)),
            ("weights", np.float64, (n_stages, n_features)),
            ("values", np.float64, (n_features,)),
            ("shares", np.float64, (n_stages,)),
            ("used", np.int64, (n_features,)),
            ("frames", np.int64, (MAX_PLY, FRAME_WORDS)),
            ("moves", np.int64, (MAX_PLY, game.max_moves)),
            ("order", np.int64, (MAX_PLY, game.max_moves)),
            ("killers", np.int64, (MAX_PLY, 2)),
            ("history", np.int64, (2, N_HISTORY)),
            ("line", np.int64, (MAX_PLY, MAX_PLY)),
            ("pv", np.int64, (MAX_PLY,)),
            ("to_go", np.float64, (n_stages, N_TO_GO)),
            ("book", np.int64, (BOOK_ROWS, 3)),
        ],
        align=True,
    )


def new_searcher(
    game: Game,
    weights: Any,
    scale: float,
    options: SearchOptions,
    limit: Limit,
    hash_mb: int = DEFAULT_HASH_MB,
    to_go: Any = None,
) -> Searcher:
    """Return a searcher with fresh memory.

    Parameters
    ----------
    weights
        float64 (stages, features), in the order of the game's names.
    scale
        Elo per unit of the weights.
    hash_mb
        Size of the transposition table in MiB (one entry is 32 bytes); Monte Carlo search keeps its tree
        there (one node is 64 bytes).
    to_go
        float64 (stages, cells): among how many moves the time left is shared out, in order of the plies played,
        PLIES_A_CELL a cell (`Weights.moves_to_go`); None: MOVES_TO_GO always.

    Raises
    ------
    InputError
        Weights do not fit the game; options, limit and game do not fit each other.
    """
    _check_fit(game, options, limit)
    array = np.asarray(weights, np.float64)
    if array.shape != (game.n_stages, game.n_features):
        raise InputError(f"weights: expected shape {(game.n_stages, game.n_features)}, found {array.shape}")
    if not np.isfinite(array).all() or not np.isfinite(scale):
        raise InputError("weights: expected finite numbers")
    memory = np.zeros(1, memory_type(game)).view(np.recarray)
    used = np.flatnonzero(array.any(axis=0))
    memory["weights"][0, :, : game.n_features] = array
    memory["used"][0, : len(used)] = used
    memory["options"][0, :] = options.encode()
    numbers = [SCALE, SECONDS, GAME_SECONDS, SECONDS_LEFT]
    memory["numbers"][0, numbers] = scale, limit.seconds, limit.game_seconds, limit.game_seconds
    memory["to_go"][:] = MOVES_TO_GO
    if to_go is not None:
        cells = np.minimum(np.arange(N_TO_GO), to_go.shape[1] - 1)
        memory["to_go"][0] = to_go[:, cells]
    memory["killers"][:] = -1
    counters = memory["counters"][0]
    counters[NODE_LIMIT], counters[DEPTH_LIMIT] = limit.nodes, limit.depth
    counters[GENERATION], counters[N_USED] = 1, len(used)
    counters[SIMULATION_LIMIT] = limit.simulations
    if options.kind == "uct":  # a tree has room for the root and its children at least
        return Searcher(memory, _new_transposition(max(n_entries(hash_mb), 2 * (game.max_moves + 1))))
    has_entries = options.table and options.kind == "alphabeta"
    return Searcher(memory, _new_transposition(n_entries(hash_mb if has_entries else 0)))


def _check_fit(game: Game, options: SearchOptions, limit: Limit) -> None:
    """Refuse what has no meaning: each algorithm has its limits, its objective and its games."""
    if options.joint == "matrix" and not game.simultaneous:
        raise InputError(
            f"joint: expected pessimistic, {game.name} has no simultaneous choices, found 'matrix'"
        )
    if options.joint == "matrix" and game.swap_sides is None:
        raise InputError(f"joint: expected pessimistic, {game.name} has no swap_sides, found 'matrix'")
    if options.joint == "matrix" and options.algorithm != "alphabeta":
        raise InputError(f"joint: expected pessimistic with algorithm {options.algorithm}, found 'matrix'")
    if options.kind == "random":  # moves without a search: nothing else counts
        return
    if options.kind != "alphabeta" and options.objective != "result":
        raise InputError(
            f"objective: expected result, {options.kind} knows no margins, found {options.objective!r}"
        )
    if options.algorithm == "uct" and limit.kind == "depth":
        raise InputError(f"limit: expected simulations:N, nodes:N or time:SECONDS for uct, found '{limit}'")
    if options.algorithm != "uct" and limit.kind == "simulations" and not options.max_depth:
        raise InputError(f"limit: expected depth:N, nodes:N or time:SECONDS for alphabeta, found '{limit}'")


def _new_transposition(n_rows: int) -> Any:
    """Return an empty table whose buckets, of two rows, each lie in one cache line of 64 bytes."""
    memory = np.empty(4 * n_rows + 7, np.int64)
    memory[:] = 0  # numpy asks for large pages only for memory that is not cleared by the system
    first = (-memory.ctypes.data % 64) // 8
    return memory[first : first + 4 * n_rows].reshape(n_rows, 4)


def n_entries(hash_mb: int) -> int:
    """Return the number of table entries for a memory of `hash_mb` MiB (a power of two, at least 2)."""
    entries = max(2, hash_mb * 1024 * 1024 // 32)
    return 1 << (int(entries).bit_length() - 1)
