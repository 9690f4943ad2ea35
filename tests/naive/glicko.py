"""Slow twin of tuning.glicko: the volatility is sought as the summit of its posterior, on a grid made finer."""

import math

import numpy as np

SCALE = 400 / math.log(10)


def glicko2(
    player: tuple[float, float, float], games: list[tuple[float, float, float]], tau: float
) -> tuple[float, float, float] | None:
    """Return rating, deviation and volatility, None if there are two summits; games are (rating, deviation, score)."""
    mu, phi, sigma = (player[0] - 1500) / SCALE, player[1] / SCALE, player[2]
    weight = [1 / math.sqrt(1 + 3 * (d / SCALE) ** 2 / math.pi**2) for _, d, _ in games]
    chance = [
        1 / (1 + 10 ** (-g * (player[0] - r) / 400)) for g, (r, _, _) in zip(weight, games, strict=True)
    ]
    v = 1 / sum(g * g * e * (1 - e) for g, e in zip(weight, chance, strict=True))
    ahead = sum(g * (s - e) for g, e, (_, _, s) in zip(weight, chance, games, strict=True))
    middle, width = 2 * math.log(sigma), 40.0
    x = middle
    for _ in range(12):
        grid = np.linspace(x - width, x + width, 20_001)
        spread = phi**2 + v + np.exp(grid)
        height = -np.log(spread) - (v * ahead) ** 2 / spread - ((grid - middle) / tau) ** 2
        if width == 40 and (np.diff(np.sign(np.diff(height))) < 0).sum() > 1:
            return None
        x = grid[np.argmax(height)]
        width /= 100
        if width < 1e-6:
            break
    new = math.exp(x / 2)
    after = 1 / math.sqrt(1 / (phi**2 + new**2) + 1 / v)
    return 1500 + SCALE * (mu + after**2 * ahead), SCALE * after, new
