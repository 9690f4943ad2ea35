"""Kalah seed by seed, from the text of the rules: the obvious twin of games.kalah.

A position is (ponds, banks, turn): ponds[player][i] is pond i + 1 from that player's left, turn is 0, 1 or
None when the game is over."""

import copy
import json
import random
from typing import NamedTuple


class Position(NamedTuple):
    ponds: list[list[int]]
    banks: list[int]
    turn: int | None


def start(ponds, seeds):
    return Position([[seeds] * ponds, [seeds] * ponds], [0, 0], 0)


def text(position):
    return json.dumps([*position.ponds, position.banks, position.turn], separators=(",", ":"))


def legal(position):
    if position.turn is None:
        return []
    return [i + 1 for i, seeds in enumerate(position.ponds[position.turn]) if seeds > 0]


def sow(position, move):
    """Sow without capture; return ponds, banks and the place (owner, index or "bank") of the last seed."""
    ponds, banks = copy.deepcopy(position.ponds), list(position.banks)
    me, m = position.turn, len(position.ponds[0])
    in_hand, ponds[me][move - 1] = ponds[me][move - 1], 0
    owner, place = me, move - 1
    while in_hand > 0:
        place += 1
        if place == m and owner == me:
            banks[me] += 1
            in_hand -= 1
            if in_hand == 0:
                return ponds, banks, (me, "bank")
        if place >= m:
            owner, place = 1 - owner, -1
            continue
        ponds[owner][place] += 1
        in_hand -= 1
    return ponds, banks, (owner, place)


def captured(position, move, empty_capture):
    """Return the seeds that `move` banks by capture (own last seed included) and the captured pond."""
    ponds, _, (owner, place) = sow(position, move)
    if owner != position.turn or place == "bank" or ponds[owner][place] != 1:
        return 0, None
    facing = len(ponds[0]) - 1 - place
    taken = ponds[1 - owner][facing]
    if taken == 0 and not empty_capture:
        return 0, None
    return taken + 1, facing


def play(position, move, empty_capture):
    me = position.turn
    ponds, banks, (owner, place) = sow(position, move)
    gain, facing = captured(position, move, empty_capture)
    if gain:
        ponds[me][place] = 0
        ponds[1 - me][facing] = 0
        banks[me] += gain
    turn = me if place == "bank" else 1 - me
    if sum(ponds[0]) == 0 or sum(ponds[1]) == 0:
        for player in (0, 1):
            banks[player] += sum(ponds[player])
            ponds[player] = [0] * len(ponds[player])
        turn = None
    return Position(ponds, banks, turn)


def result(position):
    if position.turn is not None:
        return None
    a, b = position.banks
    return (a > b) - (a < b)


def perft(position, depth, empty_capture):
    if depth == 0:
        return 1
    return sum(
        perft(play(position, move, empty_capture), depth - 1, empty_capture) for move in legal(position)
    )


def features(position, empty_capture):
    """Every feature of section "default features" by name, the ones that games.kalah leaves out too."""
    me = position.turn
    m = len(position.ponds[0])
    seats = [position._replace(turn=me), position._replace(turn=1 - me)]
    total = sum(position.banks) + sum(map(sum, position.ponds))
    open_seeds = sum(map(sum, position.ponds))

    def difference(count):
        return count(seats[0]) - count(seats[1])

    def own(seat):
        return seat.ponds[seat.turn]

    def other(seat):
        return seat.ponds[1 - seat.turn]

    def bank(seat):
        return seat.banks[seat.turn]

    def free(seat, i):
        return int(i in legal(seat) and sow(seat, i)[2] == (seat.turn, "bank"))

    def gains(seat):
        return [captured(seat, i, empty_capture)[0] for i in legal(seat)]

    def overflow(seat):
        return sum(sum(sow(seat, i)[0][1 - seat.turn]) - sum(other(seat)) for i in legal(seat))

    def need(seat):
        missing = max(0, total // 2 + 1 - bank(seat))
        return min(missing, open_seeds)

    decided = [2 * bank(seat) > total for seat in seats]
    found = {
        "bank": difference(bank),
        "ponds": difference(lambda seat: sum(own(seat))),
        "won": difference(lambda seat: int(2 * bank(seat) > total)),
        "tempo": 0 if any(decided) else 1,
        "need": (need(seats[0]) - need(seats[1])) / open_seeds,
        "last_pond_free": difference(lambda seat: int(own(seat)[-1] == 1)),
        "free_turns": difference(lambda seat: sum(free(seat, i + 1) for i in range(m))),
        "best_capture": max(gains(seats[0])),
        "captures": difference(lambda seat: sum(gain > 0 for gain in gains(seat))),
        "exposed": max(0, max(gains(seats[1])) - 1),
        "lap_ponds": difference(lambda seat: own(seat).count(2 * m + 1)),
        "mobility": difference(lambda seat: len(legal(seat))),
        "empty_ponds": difference(
            lambda seat: sum(own(seat)[i] == 0 < other(seat)[m - 1 - i] for i in range(m))
        ),
        "overflow": difference(overflow),
        "near_bank": difference(lambda seat: sum(own(seat)[m // 2 :])),
        "far_from_bank": difference(lambda seat: sum(own(seat)[: m // 2])),
        "biggest": difference(lambda seat: max(own(seat))),
        "left_hoard": difference(lambda seat: own(seat)[0]),
    }
    for i in range(m):
        found[f"pond_{i + 1}"] = difference(lambda seat, i=i: own(seat)[i])
        found[f"free_turn_by_pond_{i + 1}"] = difference(lambda seat, i=i: free(seat, i + 1))
    return found


def random_position(rng: random.Random, m: int, most: int = 30) -> Position:
    """Return an unfinished position, not a reachable one: any counts, some ponds of a lap, many empty."""
    kinds = (0, 0, 1, 2, rng.randrange(8), rng.randrange(most), m, 2 * m, 2 * m + 1, 2 * m + 2, 4 * m + 2)
    while True:
        ponds = [[rng.choice(kinds) for _ in range(m)] for _ in range(2)]
        left = 255 - sum(map(sum, ponds))
        if left >= 0 and all(map(any, ponds)):
            banks = [rng.randrange(min(left // 2, 40) + 1) for _ in range(2)]
            return Position(ponds, banks, rng.randrange(2))
