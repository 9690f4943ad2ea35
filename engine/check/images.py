"""What must hold of images of a position: symmetries, and the players exchanged.

The engine keys its table by images, so an image must be the same position in every respect that matters:
moves, what they lead to, result, features. `swap_sides` makes an opening fair and tests the evaluation."""

import numpy as np

from tunesmith.engine.check.asking import Asker
from tunesmith.engine.check.position import Seen
from tunesmith.games.game import ONGOING, State

SAME = 1e-9  # relative: two ways of adding the same floats


def check_symmetry(asker: Asker, seen: Seen) -> None:
    """The identity and one other image, drawn at random."""
    n_images = asker.game.n_symmetries
    if not asker.has("symmetries") or n_images < 1:
        return
    if asker.state("symmetries", seen.state, 0) != seen.state:
        asker.note("symmetry", "image 0 is not the position itself", "symmetries", seen.state)
    if n_images == 1:
        return
    k = seen.rng.randrange(1, n_images)
    image = asker.state("symmetries", seen.state, k)
    _same_standing(asker, seen, image, k)
    _closed(asker, seen, image, k)
    if seen.moves and asker.has("symmetric_move"):
        _same_moves(asker, seen, image, k)
    if seen.moves:
        _same_numbers(asker, seen.state, image, f"image {k}", "symmetry")


def _same_standing(asker: Asker, seen: Seen, image: State, k: int) -> None:
    if seen.outcome == ONGOING and asker.call("mover", image) != seen.mover:
        asker.note("symmetry", f"in image {k} the other side is to move", "symmetries", seen.state)
    if asker.call("outcome", image) != seen.outcome:
        asker.note("symmetry", f"image {k} has another outcome", "symmetries", seen.state)


def _closed(asker: Asker, seen: Seen, image: State, k: int) -> None:
    """Images of an image are images of the position, or equal positions get different keys."""
    every = range(asker.game.n_symmetries)
    own = {asker.state("symmetries", seen.state, j) for j in every}
    if {asker.state("symmetries", image, j) for j in every} != own:
        what = f"image {k} has other images than the position itself"
        asker.note("symmetry", what, "symmetries", seen.state)


def _same_moves(asker: Asker, seen: Seen, image: State, k: int) -> None:
    turned = {move: asker.whole("symmetric_move", seen.state, move, k) for move in seen.moves}
    if sorted(turned.values()) != sorted(asker.moves("legal_moves", image)):
        what = f"the images of the legal moves are not the legal moves of image {k}"
        asker.note("symmetry", what, "symmetric_move", seen.state)
        return
    for move in seen.few[:2]:
        child = asker.state("apply_move", seen.state, move)
        if asker.state("symmetries", child, k) != asker.state("apply_move", image, turned[move]):
            what = f"in image {k} the same move leads elsewhere (it is move {turned[move]} there)"
            asker.note("symmetry", what, "symmetric_move", seen.state, move)


def _same_numbers(asker: Asker, state: State, image: State, name: str, rule: str, sign: float = 1.0) -> None:
    """Features must be equal (`sign` times, seen from there), and so must shares of stages."""
    game = asker.game
    one, two = asker.features(state), asker.features(image)
    for at in np.flatnonzero(~np.isclose(sign * one, two, rtol=SAME, atol=SAME)):
        feature = game.feature_names[at]
        what = f"{feature!r} is {one[at]:g}, in {name} {two[at]:g}, expected {sign * one[at]:g}"
        asker.note(rule, what, "features", state, kind=feature)
    if asker.has("stages"):
        here, there = (asker.numbers("stages", s, game.n_stages, 0.0) for s in (state, image))
        if not np.allclose(here, there, rtol=SAME, atol=SAME):
            asker.note(rule, f"the shares of stages differ in {name}", "stages", state)


def check_swap(asker: Asker, seen: Seen) -> None:
    """Exchanging the players: twice is nothing, the mover turns, the result too, features stay."""
    if not asker.has("swap_sides") or asker.game.simultaneous:
        return
    swapped = asker.state("swap_sides", seen.state)
    if asker.state("swap_sides", swapped) != seen.state:
        asker.note("swap", "done twice it is not the position itself", "swap_sides", seen.state)
    expected = seen.outcome if seen.outcome == ONGOING else -seen.outcome
    if asker.call("outcome", swapped) != expected:
        asker.note("swap", f"expected the outcome {expected}", "swap_sides", seen.state)
    if not seen.moves:
        return
    if asker.call("mover", swapped) == seen.mover:
        asker.note("swap", "the mover stays the same number", "swap_sides", seen.state)
    _same_numbers(asker, seen.state, swapped, "the swapped position", "swap")
    if seen.rng.random() < 64 / (64 + len(seen.moves) ** 2):  # costs all children of both positions
        _same_children(asker, seen, swapped)


def _same_children(asker: Asker, seen: Seen, swapped: State) -> None:
    children = [asker.state("apply_move", seen.state, move) for move in seen.moves]
    moves = asker.moves("legal_moves", swapped)
    expected = {asker.state("swap_sides", child) for child in children}
    if {asker.state("apply_move", swapped, move) for move in moves} != expected:
        what = "moves of the swapped position do not lead to the swapped positions"
        asker.note("swap", what, "swap_sides", seen.state)


def check_hidden_choice(asker: Asker, seen: Seen) -> None:
    """Simultaneous games: what the second player sees and may do does not depend on the first choice."""
    if not asker.game.simultaneous or not asker.has("hide") or not seen.moves:
        return
    hidden = asker.state("hide", seen.state)
    if asker.call("mover", hidden) != 0:
        asker.note("hidden-choice", "without a pending choice player 0 is to choose", "hide", seen.state)
    if seen.mover == 0:
        pending = [asker.state("apply_move", seen.state, move) for move in seen.few[:2]]
        for child in pending:
            _is_hidden(asker, seen.state, child, pending[0])
        _swapped_choices(asker, seen, hidden)


def _is_hidden(asker: Asker, state: State, child: State, other: State) -> None:
    if asker.call("mover", child) != 1 or asker.call("outcome", child) != ONGOING:
        what = "after player 0's choice player 1 must be to choose, and the game go on"
        raise asker.stop("hidden-choice", what, "apply_move", state)
    if asker.state("hide", child) != asker.state("hide", state):
        asker.note("hidden-choice", "leaves more of a pending choice than nothing", "hide", child)
    if asker.moves("legal_moves", child) != asker.moves("legal_moves", other):
        asker.note("hidden-choice", "depend on the hidden choice", "legal_moves", child)
    if (asker.features(child) != asker.features(other)).any():
        asker.note("hidden-choice", "depend on the hidden choice", "features", child)


def _swapped_choices(asker: Asker, seen: Seen, hidden: State) -> None:
    """In the swapped position player 0 stands where player 1 stood, with his moves and features."""
    if not asker.has("swap_sides"):
        return
    swapped = asker.state("swap_sides", hidden)
    if asker.state("swap_sides", swapped) != hidden:
        asker.note("swap", "done twice it is not the position itself", "swap_sides", hidden)
    first = seen.few[0]
    child = asker.state("apply_move", seen.state, first)
    answers = asker.moves("legal_moves", child)
    there = {_swap_move(asker, move): move for move in asker.moves("legal_moves", swapped)}
    if set(there) != set(answers):
        what = "player 1's moves are not player 0's in the swapped position"
        raise asker.stop("swap", what, "swap_move", hidden)
    second = seen.rng.choice(answers)
    turned = asker.state("apply_move", swapped, there[second])
    after = asker.state("apply_move", turned, _swap_move(asker, first))
    if after != asker.state("swap_sides", asker.state("apply_move", child, second)):
        asker.note("swap", "the same two choices lead elsewhere when swapped", "swap_sides", hidden, first)
    _same_numbers(asker, child, swapped, "the swapped position", "swap")


def _swap_move(asker: Asker, move: int) -> int:
    return asker.whole("swap_move", move) if asker.has("swap_move") else move


UNFINISHED = (check_symmetry, check_swap, check_hidden_choice)
FINISHED = (check_symmetry, check_swap)
