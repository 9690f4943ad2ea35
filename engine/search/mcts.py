"""Monte Carlo tree search: UCT (Kocsis and Szepesvari 2006) with evaluation or playouts at the leaves.

A *simulation* goes down the tree by UCB1 to a position that was not evaluated before, or is finished; values
it; and adds the value to every node on its way. A position gets children when it is visited the second time.
Values are integers, `ONE` for a win, and always the first player's; who chooses at a node is written there,
so it does not matter whether players alternate. The tree knows no transpositions: a node has one history,
repetition included. With `proofs`, what is proven of all children (or of one that wins) is proven of their
parent (Winands and others 2008): such nodes are exact, and a proven root ends the search.

The tree lives in the memory of the transposition table, `NODE_WORDS` words a node. When that is full no node
gets children any more; simulations go on. One node of a limit is one move made, in the tree or in a playout."""

import math
from typing import Any

import numpy as np

from tunesmith.engine.compile.arith import below, mix, next_random
from tunesmith.engine.compile.jit import clock, inlined
from tunesmith.engine.compile.slots import (
    REPETITION_LIMIT,
    SIMULTANEOUS,
    apply_move,
    history_key,
    legal_moves,
    mover,
)
from tunesmith.engine.evaluation import WIN, to_score
from tunesmith.engine.options import EXPLORATION, FIRST_PLAY, PARENT, PROOFS, ROLLOUTS
from tunesmith.engine.search.elo import expected, natural_log, to_elo
from tunesmith.engine.search.endings import ending
from tunesmith.engine.search.time_control import begin, stop_clock
from tunesmith.engine.search.values import turned, turned_share, weighed
from tunesmith.engine.searcher import (
    BEST_AT_ROOT,
    DEADLINE,
    MAX_PLY,
    N_PV,
    N_TREE,
    NODE_LIMIT,
    NODES,
    RANDOM,
    REACHED,
    SCALE,
    SCORE,
    SEED,
    SIMULATION_LIMIT,
    SIMULATIONS,
)
from tunesmith.games.game import ONGOING, State

ONE = 1 << 20  # the value of a win; sums of it stay exact
HALF = ONE // 2

# Words of a node. Children stand side by side from FIRST on; 0 = none (the root is nobody's child).
MOVE, VISITS, TOTAL, FIRST, N_CHILDREN, PROOF, LENGTH, MOVER = range(8)
NODE_WORDS = 8

# PROOF: 0 = not known, else 2 + result for the first player; LENGTH: plies that the proof takes.
UNKNOWN = 0

NODE = 0  # the word of a frame that holds the node at its ply


def think_uct(searcher: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Return the move to play from `root`, which is not over; fill `counters` and `pv` (template).

    The parameters are those of `engine.search.deepening.think`. The most visited move is played, of two the better
    one; a proven win before all, a proven loss after all. At least one simulation is made.
    """
    counters = searcher.counters
    begin(searcher, root, n_plies)
    counters[SIMULATIONS] = 0
    counters[RANDOM] = mix(mix(int(counters[SEED])) ^ n_plies)
    tree = transposition.reshape(transposition.shape[0] // 2, NODE_WORDS)
    counters[N_TREE] = 1
    top = 0 * n_keys  # not the literal 0: what takes it would be compiled once more
    clear_node(tree, top, top)
    expand(searcher, tree, top, root, top)
    while not is_enough(searcher, tree):
        simulate(searcher, tree, root, keys, n_keys, n_plies)
        counters[SIMULATIONS] += 1
    move = conclude(searcher, tree)
    stop_clock(searcher)
    return move


@inlined
def is_enough(searcher: Any, tree: Any) -> bool:
    """Whether a limit is reached, or the root proven."""
    counters = searcher.counters
    if counters[SIMULATIONS] == 0:
        return False
    if tree[0, PROOF] != UNKNOWN or counters[SIMULATIONS] >= counters[SIMULATION_LIMIT]:
        return True
    if counters[NODES] >= counters[NODE_LIMIT]:
        return True
    deadline = searcher.numbers[DEADLINE]
    return bool(deadline > 0.0 and clock() > deadline)


# --- one simulation


@inlined
def simulate(searcher: Any, tree: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> None:
    """Go down from the root, value the position where that ends, and tell all nodes on the way (template)."""
    frames = searcher.frames
    state = root
    node = 0 * n_keys  # not the literal 0, as above
    ply = 0 * n_keys
    frames[0, NODE] = 0
    while has_children(searcher, tree, node, state, ply):
        node = select(searcher, tree, node)
        state = apply_move(state, int(tree[node, MOVE]))
        ply += 1
        frames[ply, NODE] = node
        result = enter(searcher, state, keys, n_keys, n_plies, ply, tree[node, VISITS] == 0)
        if result != ONGOING:
            tree[node, PROOF] = 2 + result
    searcher.counters[REACHED] = max(searcher.counters[REACHED], ply)
    if tree[node, PROOF] != UNKNOWN:
        value = proven_value(tree, node)
    else:
        value = leaf_value(searcher, state, keys, n_keys, n_plies, ply)
    back_up(searcher, tree, ply, value)


def enter(searcher: Any, state: State, keys: Any, n_keys: int, n_plies: int, ply: int, is_asked: bool) -> int:
    """Count a position as reached; return how the game ended there if `is_asked`, else ONGOING (template)."""
    searcher.counters[NODES] += 1
    if REPETITION_LIMIT > 0:
        keys[n_keys - 1 + ply] = history_key(state)
    if not is_asked:
        return ONGOING
    return ending(state, keys, n_keys + ply, n_plies + ply)


def has_children(searcher: Any, tree: Any, node: int, state: State, ply: int) -> bool:
    """Whether a simulation goes on below a node; makes the children of one that is visited again (template).

    Where a choice is hidden a position has no value of its own: children are made at once.
    """
    if tree[node, PROOF] != UNKNOWN:
        return False
    if tree[node, FIRST] != 0:
        return True
    is_whole = not (SIMULTANEOUS and mover(state) == 1)
    if tree[node, VISITS] == 0 and is_whole:
        return False
    return expand(searcher, tree, node, state, ply)


def expand(searcher: Any, tree: Any, node: int, state: State, ply: int) -> bool:
    """Give a node its children; return False if there is no room for them (template)."""
    first = int(searcher.counters[N_TREE])
    if first >= tree.shape[0] or ply >= MAX_PLY - 2:
        return False
    moves = searcher.moves[ply]
    n_moves = legal_moves(state, moves)
    if n_moves == 0 or first + n_moves > tree.shape[0]:
        return False
    for index in range(n_moves):
        clear_node(tree, first + index, int(moves[index]))
    tree[node, FIRST] = first
    tree[node, N_CHILDREN] = n_moves
    tree[node, MOVER] = mover(state)
    searcher.counters[N_TREE] = first + n_moves
    return True


@inlined
def clear_node(tree: Any, node: int, move: int) -> None:
    """Make a new node: that of the position after `move`."""
    tree[node, :] = 0
    tree[node, MOVE] = move


def select(searcher: Any, tree: Any, node: int) -> int:
    """Return the child with the highest upper confidence bound for who chooses, the first of equals (template).

    A child that nobody visited comes before all others, or is taken for as good as its parent
    (`first_play`); one that is proven to lose is never chosen.
    """
    options = searcher.options
    first = int(tree[node, FIRST])
    player = int(tree[node, MOVER])
    visits = max(int(tree[node, VISITS]), 1)
    width = 0.01 * options[EXPLORATION] * math.sqrt(natural_log(float(visits)))
    fresh = 1e9
    if options[FIRST_PLAY] == PARENT:
        fresh = mean(tree, node, player) + width
    best = first
    best_bound = -1.0
    for child in range(first, first + int(tree[node, N_CHILDREN])):
        tried = tree[child, VISITS]
        if options[PROOFS] and tree[child, PROOF] != UNKNOWN and proven_result(tree, child, player) == -1:
            continue
        bound = fresh
        if tried > 0:
            bound = mean(tree, child, player) + width / math.sqrt(float(tried))
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


@inlined
def back_up(searcher: Any, tree: Any, ply: int, value: int) -> None:
    """Add a simulation's value to all nodes on its way, and carry a proof up as far as it reaches."""
    frames = searcher.frames
    for at in range(ply + 1):
        node = int(frames[at, NODE])
        tree[node, VISITS] += 1
        tree[node, TOTAL] += value
    at = ply
    while searcher.options[PROOFS] and at > 0 and tree[int(frames[at, NODE]), PROOF] != UNKNOWN:
        at -= 1
        prove(tree, int(frames[at, NODE]))


def prove(tree: Any, node: int) -> None:
    """Write down what the children prove of a node, if they do (template)."""
    player = int(tree[node, MOVER])
    first = int(tree[node, FIRST])
    is_open = False
    best = first
    for child in range(first, first + int(tree[node, N_CHILDREN])):
        if tree[child, PROOF] == UNKNOWN:
            is_open = True
        elif tree[best, PROOF] == UNKNOWN or proof_rank(tree, child, player) > proof_rank(tree, best, player):
            best = child
    if not is_open or (tree[best, PROOF] != UNKNOWN and proven_result(tree, best, player) == 1):
        tree[node, PROOF] = tree[best, PROOF]
        tree[node, LENGTH] = tree[best, LENGTH] + 1


# --- values


def mean(tree: Any, node: int, player: int) -> float:
    """Return the expected result at a node for a player: what is proven, or the mean of its visits (template).

    A node without visits counts as a draw.
    """
    if tree[node, PROOF] != UNKNOWN:
        return turned_share(proven_value(tree, node), ONE, player) / ONE
    visits = int(tree[node, VISITS])
    if visits == 0:
        return 0.5
    share = int(tree[node, TOTAL]) / (visits * ONE)
    return turned_share(share, 1.0, player)


def proven_value(tree: Any, node: int) -> int:
    """Return the value of a node that is proven."""
    return (int(tree[node, PROOF]) - 1) * HALF


def proven_result(tree: Any, node: int, player: int) -> int:
    """Return 1, 0 or -1 for a player at a node that is proven."""
    return turned(int(tree[node, PROOF]) - 2, 0, player)


def proof_rank(tree: Any, node: int, player: int) -> int:
    """Return how good a proven node is for a player: quick wins, then draws, then slow losses."""
    result = proven_result(tree, node, player)
    length = int(tree[node, LENGTH])
    return result * 4 * MAX_PLY + (length if result < 0 else -length)


@inlined
def leaf_value(searcher: Any, state: State, keys: Any, n_keys: int, n_plies: int, ply: int) -> int:
    """Return the value of an unfinished position: evaluation and playout, mixed as `rollouts` says (template)."""
    share = int(searcher.options[ROLLOUTS])
    value = 0
    if share < 100:
        value += (100 - share) * evaluated(searcher, state)
    if share > 0:
        value += share * played_out(searcher, state, keys, n_keys, n_plies, ply)
    return value // 100


def evaluated(searcher: Any, state: State) -> int:
    """Return the value that the weights give to a position (template)."""
    score = to_score(weighed(searcher, state), searcher.numbers[SCALE])
    return turned_share(int(np.rint(expected(score) * ONE)), ONE, mover(state))


def played_out(searcher: Any, state: State, keys: Any, n_keys: int, n_plies: int, ply: int) -> int:
    """Return the value of a random game to the end (template).

    One that outgrows the search's memory, MAX_PLY from the root, is evaluated there.
    """
    moves = searcher.moves[MAX_PLY - 1]
    while ply < MAX_PLY - 1:
        n_moves = legal_moves(state, moves)
        if n_moves == 0:
            break
        stream = next_random(int(searcher.counters[RANDOM]))
        searcher.counters[RANDOM] = stream
        state = apply_move(state, int(moves[below(stream, n_moves)]))
        ply += 1
        result = enter(searcher, state, keys, n_keys, n_plies, ply, True)
        if result != ONGOING:
            return (result + 1) * HALF
    return evaluated(searcher, state)


# --- the answer


def conclude(searcher: Any, tree: Any) -> int:
    """Return the best move at the root; fill score and principal variation (template)."""
    counters = searcher.counters
    node = 0
    length = 0
    while tree[node, FIRST] != 0 and length < MAX_PLY - 1:
        node = best_child(searcher, tree, node)
        if length > 0 and tree[node, VISITS] == 0:
            break
        searcher.pv[length] = tree[node, MOVE]
        length += 1
    counters[N_PV] = length
    player = int(tree[0, MOVER])
    counters[SCORE] = score_of(tree, best_child(searcher, tree, 0), player)
    counters[BEST_AT_ROOT] = searcher.pv[0]
    return int(searcher.pv[0])


def best_child(searcher: Any, tree: Any, node: int) -> int:
    """Return the child that would be played (template)."""
    player = int(tree[node, MOVER])
    first = int(tree[node, FIRST])
    best = first
    for child in range(first + 1, first + int(tree[node, N_CHILDREN])):
        if is_better(searcher, tree, child, best, player):
            best = child
    return best


def is_better(searcher: Any, tree: Any, node: int, other: int, player: int) -> bool:
    """Whether a player would rather go to `node` than to `other` (template)."""
    if searcher.options[PROOFS]:
        own = decided(tree, node, player)
        its = decided(tree, other, player)
        if own != its:
            return own > its
    if tree[node, VISITS] != tree[other, VISITS]:
        return bool(tree[node, VISITS] > tree[other, VISITS])
    return mean(tree, node, player) > mean(tree, other, player)


def decided(tree: Any, node: int, player: int) -> int:
    """Return the rank of a proven win or loss for a player; 0 for all else (template)."""
    if tree[node, PROOF] == UNKNOWN or proven_result(tree, node, player) == 0:
        return 0
    return proof_rank(tree, node, player)


def score_of(tree: Any, node: int, player: int) -> int:
    """Return the score of a root move for a player: win scores where that is proven (template)."""
    if tree[node, PROOF] != UNKNOWN and proven_result(tree, node, player) != 0:
        return proven_result(tree, node, player) * (WIN - int(tree[node, LENGTH]) - 1)
    return to_elo(mean(tree, node, player))


def think_uct_once(memory: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Do `think_uct` for callers outside compiled code (template)."""
    return think_uct(memory[0], transposition, root, keys, n_keys, n_plies)
