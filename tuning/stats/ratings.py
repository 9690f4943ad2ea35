"""How strong are several players, from the counts of all their matches?

Bradley-Terry: player i, moving first, is expected to score 1 / (1 + 10 ** (-(r_i - r_j + h) / 400)) against j;
ratings r and first-move advantage h are in Elo and of greatest likelihood. A draw is half a win and half a loss
(Hunter 2004, as Ordo does): each player's expected points are then its real ones, and a difference of ratings
means what Elo means everywhere else. The other way is Davidson's (1970; with the order of play: Davidson and
Beaver 1977): a draw has the likelihood nu * sqrt(win * loss) with one nu for all, and points still suffice, which
Rao and Kupper's model (BayesElo's) lacks; it is sharper if all pairings draw alike, and misleading if players
that draw rarely meet others that draw often. Its ratings are scaled to be Elo near equality.

Cells: cells[i, j, a, b], i < j, counts pairs: i scored a (0 lost, 1 drew, 2 won) in the game in which it moved
first, and b in the game in which j did. Everything is finite: a player that took all points of another counts as
a quarter of a point short of that (as in `stats.estimate`). Players whom no chain of pairings connects cannot
be compared: each group has its own zero."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from tunesmith.games.errors import InputError

Draws = Literal["half", "davidson"]
DRAWS: tuple[Draws, ...] = get_args(Draws)
Floats = npt.NDArray[np.float64]

LOGIT = 400 / math.log(10)  # Elo of a unit of the logistic function
SHORT = 0.25  # points that somebody who took all of them is short of that
_STRIDE = 4.0  # most that a step of the search moves a parameter (natural units)
_RIDGE = 1e-8  # keeps what the data leave open at 0


@dataclass(frozen=True, eq=False)
class Fit:
    """Ratings of greatest likelihood, in Elo, mean 0 in each group.

    groups: a number for each player; players of other groups cannot be compared. one_sided: (i, j) where i took
    every point of j (Davidson: never lost to it) and nothing else limits their difference. nu: Davidson's draw
    parameter, None where draws are half wins.
    """

    ratings: Floats
    first_move: float
    groups: tuple[int, ...]
    one_sided: tuple[tuple[int, int], ...]
    nu: float | None


@dataclass(frozen=True, eq=False)
class Ratings:
    """A fit with intervals by bootstrap over pairs. `superior[i, j]`: likelihood that i is stronger than j."""

    fit: Fit
    ratings: Floats
    low: Floats
    high: Floats
    first_move: tuple[float, float, float]
    superior: Floats
    level: float
    draws: int
    seed: int


def rate(
    cells: npt.ArrayLike,
    *,
    anchor: tuple[int, float] | None = None,
    level: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
    model: Draws = "half",
) -> Ratings:
    """Return ratings with intervals.

    Parameters
    ----------
    cells
        Counts of pairs, (players, players, 3, 3); only i < j is read.
    anchor
        A player and its rating, instead of mean 0; other groups keep mean 0.
    draws
        Resampled tournaments: in each, every pairing's pairs are drawn anew, with replacement.

    Raises
    ------
    InputError
        The counts have another shape or are no counts; a parameter is out of range.
    """
    counts = check_cells(cells)
    if not 0 < level < 1:
        raise InputError(f"level: expected a number between 0 and 1, found {level}")
    if draws < 10:
        raise InputError(f"draws: expected 10 or more, found {draws}")
    if anchor is not None and not 0 <= anchor[0] < len(counts):
        raise InputError(f"anchor: expected a player from 0 to {len(counts) - 1}, found {anchor[0]}")
    found = fit(games_of(counts), model)
    rng = np.random.default_rng(seed)
    fits = [fit(games_of(resample(counts, rng)), model, found) for _ in range(draws)]
    drawn = np.array([_anchored(one.ratings, found.groups, anchor) for one in fits])
    first = np.array([one.first_move for one in fits])
    ends = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(drawn, ends, axis=0)
    own = _anchored(found.ratings, found.groups, anchor)
    first_low, first_high = np.quantile(first, ends)
    return Ratings(
        found,
        own,
        np.minimum(low, own),
        np.maximum(high, own),
        (found.first_move, float(first_low), float(first_high)),
        _superior(drawn, found.groups),
        level,
        draws,
        seed,
    )


def check_cells(cells: npt.ArrayLike) -> Floats:
    """Return the counts as float64 (players, players, 3, 3); refuse what is none."""
    counts = np.asarray(cells, np.float64)
    if (
        counts.ndim != 4
        or counts.shape[0] != counts.shape[1]
        or counts.shape[2:] != (3, 3)
        or len(counts) < 2
    ):
        raise InputError(f"cells: expected counts of shape (players, players, 3, 3), found {counts.shape}")
    if not (np.isfinite(counts) & (counts >= 0)).all():
        raise InputError("cells: expected counts, finite and not negative")
    return counts


def games_of(cells: Floats) -> Floats:
    """Return (players, players, 3): games that i lost, drew and won moving first against j."""
    games = np.zeros((*cells.shape[:2], 3))
    upper = np.triu(np.ones(cells.shape[:2], bool), 1)
    games[upper] = cells.sum(axis=3)[upper]
    games.transpose(1, 0, 2)[upper] = cells.sum(axis=2)[upper][:, ::-1]
    return games


# --- greatest likelihood


def fit(games: Floats, model: Draws = "half", start: Fit | None = None) -> Fit:
    """Return the ratings for games (players, players, 3), lost, drawn and won by the one who moved first."""
    if model not in DRAWS:
        raise InputError(f"draws: expected one of {', '.join(DRAWS)}, found {model!r}")
    met = games.sum(axis=2) > 0
    groups = _groups(met | met.T)
    games, one_sided = _kept_finite(games, model == "half")
    drawn, decided = games[:, :, 1].sum(), games[:, :, [0, 2]].sum()
    if model == "davidson" and drawn and not decided:
        return Fit(np.zeros(len(games)), 0.0, groups, one_sided, math.inf)
    has_nu = model == "davidson" and drawn > 0
    problem = _Problem(games, groups, has_nu)
    found = problem.solve(_start_of(start, len(games), has_nu))
    limit = math.log(max(games.sum() / SHORT - 1, 1.0))
    if abs(found[len(games)]) > limit:  # whoever moved first won: that is worth no more than a rating can be
        problem.first_move = math.copysign(limit, found[len(games)])
        found = problem.solve(found)
    ratings, first, nu = found[: len(games)], float(found[len(games)]), None
    if model == "davidson":
        nu = math.exp(found[-1]) if has_nu else 0.0
    unit = LOGIT * 2 / (2 + (nu or 0.0))
    return Fit(unit * _centred(ratings, groups), unit * first, groups, one_sided, nu)


def _start_of(start: Fit | None, n: int, has_nu: bool) -> Floats:
    begin = np.zeros(n + 1 + has_nu)
    if start is not None and math.isfinite(start.nu or 0.0):
        unit = LOGIT * 2 / (2 + (start.nu or 0.0))
        begin[:n], begin[n] = start.ratings / unit, start.first_move / unit
        if has_nu and start.nu:
            begin[-1] = math.log(start.nu)
    return begin


class _Problem:
    """Log-likelihood of ratings, first-move advantage and, if asked for, log nu, all in natural units.

    With x = r_i - r_j + h a win, a draw and a loss have the weights exp(x / 2), nu and exp(-x / 2); without nu
    a draw is half a win and half a loss. Concave; a step of Newton's is halved until it does not lose.
    """

    def __init__(self, games: Floats, groups: tuple[int, ...], has_nu: bool) -> None:
        self.first_move: float | None = None
        first, second = np.nonzero(games.sum(axis=2))
        lost, drawn, won = games[first, second].T
        self._n, self._has_nu = len(games), has_nu
        self._rows = np.zeros((len(first), self._n + 1))
        at = np.arange(len(first))
        self._rows[at, first] += 1
        self._rows[at, second] -= 1
        self._rows[:, self._n] = 1
        self._games, self._drawn, self._lead = lost + drawn + won, drawn, (won - lost) / 2
        marks = np.array(groups)
        # Adding a number to all of a group changes nothing: the sum of a group is held at 0.
        self._gauge = np.zeros((self._n + 1 + has_nu,) * 2)
        self._gauge[: self._n, : self._n] = marks[:, None] == marks[None, :]
        self._gauge += _RIDGE * np.eye(len(self._gauge))

    def solve(self, at: Floats) -> Floats:
        """Return the parameters of greatest likelihood, from `at`."""
        at = at.copy()
        if self.first_move is not None:
            at[self._n] = self.first_move
        value, slope, curve = self._look(at)
        for _ in range(100):
            step = np.linalg.solve(curve, slope)
            size = min(1.0, _STRIDE / max(np.abs(step).max(), 1e-300))
            while True:
                there = at + size * step
                new, new_slope, new_curve = self._look(there)
                if new >= value - 1e-12 * abs(value) or size < 1e-6:
                    break
                size /= 2
            at, value, slope, curve = there, new, new_slope, new_curve
            if np.abs(step).max() < 1e-10:
                break
        return at

    def _look(self, at: Floats) -> tuple[float, Floats, Floats]:
        """Return value, gradient and minus the Hessian."""
        x = self._rows @ at[: self._n + 1]
        log_nu = at[-1] if self._has_nu else -np.inf
        total = np.logaddexp(np.logaddexp(x / 2, -x / 2), log_nu)
        won, lost, drawn = np.exp(x / 2 - total), np.exp(-x / 2 - total), np.exp(log_nu - total)
        value = float(self._lead @ x - self._games @ total)
        lead = (won - lost) / 2
        slope = self._rows.T @ (self._lead - self._games * lead)
        spread = self._games * ((won + lost) / 4 - lead**2)
        curve = (self._rows * spread[:, None]).T @ self._rows
        if self._has_nu:
            value += float(self._drawn.sum() * log_nu)
            slope = np.append(slope, self._drawn.sum() - self._games @ drawn)
            cross = -(self._rows.T @ (self._games * drawn * lead))
            corner = self._games @ (drawn * (1 - drawn))
            curve = np.block([[curve, cross[:, None]], [cross[None, :], np.array([[corner]])]])
        value -= float(at @ self._gauge @ at) / 2
        slope, curve = slope - self._gauge @ at, curve + self._gauge
        if self.first_move is not None:
            slope[self._n] = 0.0
            curve[self._n, :] = curve[:, self._n] = 0.0
            curve[self._n, self._n] = 1.0
        return value, slope, curve


def _kept_finite(games: Floats, draws_hold: bool) -> tuple[Floats, tuple[tuple[int, int], ...]]:
    """Take a quarter of a point from whoever took all, where nothing else holds the difference.

    draws_hold: whether a draw holds a difference; in Davidson's model only losses do.
    """
    lost, drawn, won = games.astype(np.bool_).transpose(2, 0, 1)
    scored = won | lost.T | (draws_hold & (drawn | drawn.T))
    strong = _reach(scored)
    apart = scored & ~(strong & strong.T)
    found = tuple((int(i), int(j)) for i, j in zip(*np.nonzero(apart), strict=True))
    games = games.copy()
    for winner, loser in found:
        both = games[winner, loser].sum() + games[loser, winner].sum()
        for one, other, best in ((winner, loser, 2), (loser, winner, 0)):
            moved = SHORT * games[one, other].sum() / both
            games[one, other, best] -= moved
            games[one, other, 2 - best] += moved
    return games, found


def _reach(edges: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which players can be reached from which, along edges."""
    found = edges | np.eye(len(edges), dtype=bool)
    for _ in range(max(1, math.ceil(math.log2(len(edges))))):
        found = (found.astype(np.int64) @ found.astype(np.int64)) > 0
    return found


def _groups(met: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    reach = _reach(met)
    firsts = [int(row.argmax()) for row in reach]
    order = {first: number for number, first in enumerate(dict.fromkeys(firsts))}
    return tuple(order[first] for first in firsts)


def _centred(ratings: Floats, groups: tuple[int, ...]) -> Floats:
    marks, made = np.array(groups), ratings.copy()
    for group in set(groups):
        made[marks == group] -= ratings[marks == group].mean()
    return made


def _anchored(ratings: Floats, groups: tuple[int, ...], anchor: tuple[int, float] | None) -> Floats:
    if anchor is None:
        return ratings
    made, same = ratings.copy(), np.array(groups) == groups[anchor[0]]
    made[same] = anchor[1] + (ratings[same] - ratings[anchor[0]])
    return made


# --- bootstrap


def resample(cells: Floats, rng: np.random.Generator) -> Floats:
    """Return every pairing's pairs drawn anew, as many as before.

    Where all pairs came out alike, others are drawn as often as so many pairs cannot exclude (Jeffreys' prior):
    ten wins in ten pairs do not prove that no other result is possible.
    """
    made = np.zeros(cells.shape)
    for i in range(len(cells)):
        for j in range(i + 1, len(cells)):
            own = cells[i, j].ravel()
            n = round(float(own.sum()))
            if n:
                made[i, j] = rng.multinomial(n, _chances(own, rng)).reshape(3, 3)
    return made


def _chances(counts: Floats, rng: np.random.Generator) -> Floats:
    n = counts.sum()
    if (counts > 0).sum() > 1:
        return np.asarray(counts / n)
    other = rng.beta(0.5, n + 0.5)
    return np.asarray(np.where(counts > 0, 1 - other, other / (len(counts) - 1)))


def _superior(drawn: Floats, groups: tuple[int, ...]) -> Floats:
    """Return the share of draws in which i is rated above j, ties half; NaN across groups."""
    ahead = drawn[:, :, None] - drawn[:, None, :]
    share = (ahead > 1e-9).mean(axis=0) + 0.5 * (np.abs(ahead) <= 1e-9).mean(axis=0)
    marks = np.array(groups)
    return np.asarray(np.where(marks[:, None] == marks[None, :], share, np.nan))


# --- who beats whom in a circle


def cycles(shown: Sequence[tuple[int, int]], most: int = 20) -> list[list[int]]:
    """Return the shortest circles i beats j beats ... beats i, among those (winner, loser) that are shown."""
    beaten: dict[int, list[int]] = {}
    for winner, loser in shown:
        beaten.setdefault(winner, []).append(loser)
    found: dict[tuple[int, ...], None] = {}
    for winner, loser in shown:
        path = _path(beaten, loser, winner)
        if path:
            circle = [winner, *path[:-1]]
            turn = circle.index(min(circle))
            found[tuple(circle[turn:] + circle[:turn])] = None
    return [list(circle) for circle in sorted(found, key=lambda circle: (len(circle), circle))][:most]


def _path(beaten: dict[int, list[int]], start: int, end: int) -> list[int]:
    """Return the shortest way from `start` to `end`, both included; empty if there is none."""
    ways = {start: [start]}
    queue = [start]
    for player in queue:
        if player == end:
            return ways[player]
        for loser in sorted(beaten.get(player, ())):
            if loser not in ways:
                ways[loser] = [*ways[player], loser]
                queue.append(loser)
    return []
