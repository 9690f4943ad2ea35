"""Positions of played games, one at a time in plain Python: the twin of `tuning.data.dataset` and `tuning.play.replay`."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tunesmith.engine.evaluation import EVALUATION_MAX
from tunesmith.games.game import Game, State
from tunesmith.tuning.fit.split import split
from tunesmith.tuning.play.records import Games


class Position(NamedTuple):
    """One position of one game, seen from its mover."""

    pair: int
    game: int
    ply: int
    state: State
    features: tuple[float, ...]
    stages: tuple[float, ...]
    is_quiet: bool
    label: float
    score: float
    moves_left: int


class Row(NamedTuple):
    """One row to fit on."""

    features: tuple[float, ...]
    stages: tuple[float, ...]
    label: float
    weight: int
    group: int


def positions(game: Game, games: Games) -> Iterator[Position]:
    """Yield all positions before a move of all games with a result, each sequence of moves once."""
    seen = set()
    for row in games.table.to_pylist():
        begins = row["opening"] if row["opening"] and row["n_opening"] == 0 else None
        line = (begins, *row["moves"])
        if row["result"] is None or line in seen:
            continue
        seen.add(line)
        state = game.initial() if begins is None else game.text_to_state(begins)
        for ply, (move, score) in enumerate(zip(row["moves"], row["scores"], strict=True)):
            sign = 1 if game.mover(state) == 0 else -1
            values, shares = np.zeros(game.n_features), np.ones(game.n_stages)
            game.features(state, values)
            if game.stages is not None:
                game.stages(state, shares)
            label = {1: 1.0, 0: 0.5, -1: 0.0}[sign * row["result"]]
            is_quiet = game.is_quiet is None or bool(game.is_quiet(state))
            if ply >= row["n_opening"]:
                left = len(row["moves"]) - ply
                yield Position(
                    row["pair"], row["game"], ply, state, tuple(values), tuple(shares), is_quiet, label, score, left
                )  # fmt: skip
            state = game.apply_move(state, move)


def is_decided(position: Position, max_score: float) -> bool:
    """Say whether the search was so sure of a position, and not because of one of the game's last two moves."""
    is_last = abs(position.score) > EVALUATION_MAX / 100 and position.moves_left <= 2
    return abs(position.score) > max_score and not is_last


def images(game: Game, state: State) -> set[State]:
    """Return a state, its symmetric images, and all of them with sides exchanged."""
    sides = [state] + ([game.swap_sides(state)] if game.swap_sides else [])
    if game.symmetries is None:
        return set(sides)
    return {game.symmetries(side, k) for side in sides for k in range(game.n_symmetries)}


def is_held_out(pair: int) -> bool:
    """Say on which side of the usual split a pair is."""
    return bool(split(np.array([pair]), 0.2)[0])


def rows(game: Game, games: Games, max_score: float) -> list[Row]:
    """Return the rows of all quiet positions whose score is within the bound, or a win by one of the last two moves.

    A fifth of the pairs is held out; a position is what pairs on the side of its first pair made of it.
    """
    taken = [p for p in positions(game, games) if p.is_quiet and not is_decided(p, max_score)]
    groups: dict[State, int] = {}
    merged: dict[tuple[State, tuple[float, ...], tuple[float, ...]], list[float]] = {}
    for position in taken:
        name = min(images(game, position.state))
        groups[name] = min(groups.get(name, position.pair), position.pair)
    for position in taken:
        name = min(images(game, position.state))
        if is_held_out(position.pair) != is_held_out(groups[name]):
            continue
        merged.setdefault((name, position.features, position.stages), []).append(position.label)
    return [
        Row(features, stages, sum(labels) / len(labels), len(labels), groups[name])
        for (name, features, stages), labels in merged.items()
    ]
