"""Texel's tuning method in plain loops, one position at a time: the obvious twin of tuning.fit.texel.

A position is (features, shares of the stages, result of the side to move, weight, pair). Weights are
weights[stage][feature] in Elo."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

Weights = Sequence[Sequence[float]]


class Position(NamedTuple):
    """One row."""

    features: Sequence[float]
    shares: Sequence[float]
    result: float
    weight: float
    pair: int


def score(position: Position, weights: Weights) -> float:
    """Add up share * weight * feature."""
    total = 0.0
    for share, stage_weights in zip(position.shares, weights, strict=True):
        for feature, weight in zip(position.features, stage_weights, strict=True):
            total += share * weight * feature
    return total


def expected_result(elo: float) -> float:
    """Turn Elo into a result from 0 to 1."""
    return 1 / (1 + 10 ** (-elo / 400))


def loss(position: Position, weights: Weights, kind: str) -> float:
    """Loss of one position."""
    chance, result = expected_result(score(position, weights)), position.result
    if kind == "squared-error":
        return (result - chance) ** 2
    return -result * math.log(chance) - (1 - result) * math.log(1 - chance)


def mean_loss(positions: Sequence[Position], weights: Weights, kind: str) -> float:
    """Weighted mean over positions."""
    total = sum(position.weight for position in positions)
    return sum(position.weight * loss(position, weights, kind) for position in positions) / total


def gradient(position: Position, weights: Weights, kind: str) -> list[float]:
    """Derivative of one position's loss by each weight, first stage first."""
    chance, result = expected_result(score(position, weights)), position.result
    slope = chance - result
    if kind == "squared-error":
        slope = -2 * (result - chance) * chance * (1 - chance)
    slope *= math.log(10) / 400
    return [slope * share * feature for share in position.shares for feature in position.features]


def gradients_by_pair(positions: Sequence[Position], weights: Weights, kind: str) -> list[list[float]]:
    """Each pair's part of the gradient of the mean loss."""
    total = sum(position.weight for position in positions)
    sums: dict[int, list[float]] = {}
    for position in positions:
        part = gradient(position, weights, kind)
        before = sums.setdefault(position.pair, [0.0] * len(part))
        sums[position.pair] = [a + position.weight * b / total for a, b in zip(before, part, strict=True)]
    return [sums[pair] for pair in sorted(sums)]


def calibration(positions: Sequence[Position], weights: Weights, bins: int) -> list[list[float]]:
    """For each bin of predicted results: weight, and weighted sums of predicted and actual results."""
    table = [[0.0, 0.0, 0.0] for _ in range(bins)]
    for position in positions:
        chance = expected_result(score(position, weights))
        row = table[min(int(chance * bins), bins - 1)]
        row[0] += position.weight
        row[1] += position.weight * chance
        row[2] += position.weight * position.result
    return table


def residuals(positions: Sequence[Position], weights: Weights, bins: Sequence[int]) -> dict[int, list[float]]:
    """For each bin of positions: weight, mean score, predicted and actual result, clustered error and mean loss."""
    table: dict[int, list[float]] = {}
    for number in set(bins):
        rows = [position for position, own in zip(positions, bins, strict=True) if own == number]
        n = sum(row.weight for row in rows)

        def mean(value: Callable[[Position], float], rows: list[Position] = rows, n: float = n) -> float:
            return sum(row.weight * value(row) for row in rows) / n

        predicted = mean(lambda row: expected_result(score(row, weights)))
        actual = mean(lambda row: row.result)
        by_pair: dict[int, float] = {}
        for row in rows:
            miss = row.result - actual - (expected_result(score(row, weights)) - predicted)
            by_pair[row.pair] = by_pair.get(row.pair, 0.0) + row.weight * miss
        error = math.sqrt(sum(part**2 for part in by_pair.values())) / n
        losses = mean(lambda row: loss(row, weights, "cross-entropy"))
        table[number] = [n, mean(lambda row: score(row, weights)), predicted, actual, error, losses]
    return table
