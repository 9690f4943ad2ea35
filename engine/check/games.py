"""Random games: their positions, how they end, and whether functions answer the same when asked again."""

import math
import random
from typing import Any

from tunesmith.engine.check.asking import FILLS, Asker, Stopped
from tunesmith.engine.check.position import Seen, look
from tunesmith.engine.search.values import turned
from tunesmith.games.game import ONGOING, State

LONGEST = 1000  # moves after which a match gives a game up
FEWEST_GAMES = 3
MOST_FAILED = 30  # games that stopped with an error, after which no more are tried
ASKED_AGAIN = 0.1  # share of the positions


def play_games(asker: Asker, positions: int, seed: int) -> list[Seen]:
    """Play whole random games until `positions` positions were seen; return them in order."""
    seen: list[Seen] = []
    number = failed = 0
    while failed < MOST_FAILED and (len(seen) < positions or number < FEWEST_GAMES):
        rng = random.Random(f"{seed} {number}")
        number += 1
        try:
            play_game(asker, rng, seen)
        except Stopped:
            failed += 1
    return seen


def play_game(asker: Asker, rng: random.Random, seen: list[Seen]) -> None:
    """Play one random game, appending its positions to `seen`."""
    start = len(seen)
    keys: list[int] = []
    state = asker.state("initial")
    while True:
        seen.append(look(asker, state, rng))
        n_plies = len(seen) - 1 - start
        if n_plies == 0 and seen[-1].outcome != ONGOING:
            what = f"the start position counts as finished ({seen[-1].outcome}); ONGOING is {ONGOING}"
            raise asker.stop("start-finished", what, "outcome", state)
        if is_ended(asker, seen[-1], keys, n_plies):
            check_course(asker, seen[start:])
            return
        if n_plies >= LONGEST:
            what = f"a random game goes on after {n_plies} moves; matches give it up (see max_plies)"
            asker.note("endless", what, "", state)
            return
        state = asker.state("apply_move", state, rng.choice(seen[-1].moves))


def is_ended(asker: Asker, seen: Seen, keys: list[int], n_plies: int) -> bool:
    """Tell whether the game is over, by its outcome or by the rules that the engine keeps."""
    game = asker.game
    if seen.outcome != ONGOING:
        return True
    if game.repetition_limit and asker.has("history_key"):
        key = asker.call("history_key", seen.state)
        keys.append(key)
        if type(key) is int and key != 0 and keys.count(key) >= game.repetition_limit:
            return True
    known = asker.whole("plies", seen.state) if asker.has("plies") else -1
    return 0 < game.max_plies <= (known if known >= 0 else n_plies)


def check_course(asker: Asker, course: list[Seen]) -> None:
    """At every moment the final margin was within what was settled and what was open."""
    last = course[-1]
    if last.outcome == ONGOING or not asker.has("final_margin") or not asker.has("settled_margin"):
        return
    final = asker.whole("final_margin", last.state)
    for seen in course[:-1]:
        settled = turned(asker.whole("settled_margin", seen.state), seen.mover, 0)
        most = asker.whole("open_margin", seen.state) if asker.has("open_margin") else abs(final - settled)
        if abs(final - settled) > most:
            what = f"{settled} was settled for the first player, {most} open, but the game ended at {final}"
            asker.note("margin", what, "settled_margin", seen.state)


def check_repeats(asker: Asker, seen: list[Seen], seed: int) -> None:
    """Asked again, in another order, about other positions in between, every function answers the same."""
    rng = random.Random(seed)
    chosen = rng.sample(seen, math.ceil(ASKED_AGAIN * len(seen)))
    try:
        before = [answers(asker, position.state, position.moves) for position in chosen]
        for at in rng.sample(range(len(chosen)), len(chosen)):
            again = answers(asker, chosen[at].state, chosen[at].moves)
            for name in before[at].keys() | again.keys():
                one, two = before[at].get(name), again.get(name)
                if repr(one) != repr(two):
                    what = f"answered {one!s:.60}, later {two!s:.60} to the same question"
                    asker.note("pure", what, name, chosen[at].state)
    except Stopped:
        return


def answers(asker: Asker, state: State, moves: list[int]) -> dict[str, Any]:
    """Return what every function says about a position, by name of the function."""
    found: dict[str, Any] = {name: asker.call(name, state) for name in ("mover", "outcome")}
    if asker.has("history_key"):
        found["history_key"] = asker.call("history_key", state)
    if not moves:
        return found
    for name in ("is_quiet", "plies", "strip_counters", "swap_sides", "settled_margin", "open_margin"):
        if asker.has(name):
            found[name] = asker.call(name, state)
    found["legal_moves"] = asker.moves("legal_moves", state, FILLS[1])
    if found["legal_moves"] != moves:
        asker.note("pure", "answers differently when asked again", "legal_moves", state)
    else:
        found["apply_move"] = asker.call("apply_move", state, moves[len(moves) // 2])
    if asker.has("noisy_moves"):
        found["noisy_moves"] = asker.moves("noisy_moves", state, FILLS[1])
    for name, n in (("features", asker.game.n_features), ("stages", asker.game.n_stages)):
        if asker.has(name):
            found[name] = asker.numbers(name, state, n, 0.0).tolist()
    return found
