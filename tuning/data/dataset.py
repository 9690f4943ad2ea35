"""Which positions of which games teach the weights, and with what label?

One row a position, seen from its mover: features, stage shares, label (the game's result, 1, 1/2 or 0), what the
search's score expected of it, with which labels may be blended, weight, group. Games that repeat another, were capped
or ended by a fault are left out; so are positions of the opening, noisy ones (or they give way to the calm
position that they come to, with the same result), decided ones, and all but some of a game, chosen by a hash
of (seed, pair, game, ply): no row depends on which other games there are.

Equal positions are merged (`tuning.data.merge`) before anything is split, but never those of held-out games with
those of others; games that are added later have larger numbers, so they move nothing across a split."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.engine.match import NO_RESULT
from tunesmith.engine.search.transposition import NO_MOVE
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game, State
from tunesmith.tuning.config import GameFitOptions
from tunesmith.tuning.data.merge import Positions, merge, on_one_side
from tunesmith.tuning.data.quiet import ENDLESS, OVER, check_game, quiet_lines
from tunesmith.tuning.data.score_scales import FORCED, ScoreScale, bring_to_elo
from tunesmith.tuning.fit.loss import expected_result
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.hashing import splitmix64
from tunesmith.tuning.play import replay
from tunesmith.tuning.play.records import Games

LAST_PLIES = 2
"""Forced wins this near to the end of their game are kept: a move that wins at once, for the mover or the other side.
The last ply of a search is full of such positions, and whoever never saw one does not know the features that show
them. Wins that a search found further ahead are left out: no static feature shows those. With them too, Kalah's fits
to 640 games gained 175, 181 and 184 Elo, and 199, 212 and 204 without (three seeds of `proofs.learning_curves`)."""
BLOCK = 4096  # games whose positions are looked at together: most of them are left out
GENERATION_STEP = 1 << 40  # between the groups of one generation and the next

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows to fit on, how they were chosen, and where they come from.

    Attributes
    ----------
    rows
        Sorted by group.
    selection
        What became of games and positions, by reason, in the order of the steps.
    place
        (n, 3): number of the set of games, row in it, ply: the first occurrence of each row's position.
    lines
        (n, most) moves from there to the calm position that the row shows, padded with NO_MOVE; most is 0 where
        positions are taken as they are.
    score_scales
        For each set of games and each of its players the factor on the search's scores in `rows.expected`; none where
        scores take no part, or say nothing that a scale can be found by (those of `random`).
    """

    game: Game
    games: tuple[Games, ...]
    rows: Rows
    selection: dict[str, int]
    place: Ints
    lines: Ints
    score_scales: tuple[ScoreScale, ...] = ()

    def state(self, row: int) -> State:
        """Return the position of a row."""
        source, at, ply = (int(number) for number in self.place[row])
        games = self.games[source]
        start = int(games.starts[at])
        line = self.lines[row]
        moves = np.concatenate([games.moves[start : start + ply], line[line != NO_MOVE]])
        roots = games.roots(self.game)
        return replay.state_at(self.game, moves, roots[at] if roots else None)


def build_rows(
    game: Game,
    games: Games | Sequence[Games],
    settings: GameFitOptions | None = None,
    judge: Weights | None = None,
    seed: int = 1,
) -> Dataset:
    """Return the rows of one or several generations of games, oldest first.

    Parameters
    ----------
    settings
        Of them: `positions_per_game`: most positions of one game. `quiet`: `off`: any position; `game`: those that
        the game's own test calls quiet (or, without one, those without a noisy move); `score`: those whose static
        score quiescence changes by at most `quiet_margin` Elo; `resolve`: a position gives way to the one at the
        end of its best noisy line, and the result stays that of the game. `max_score`: positions that a search
        judged further apart (Elo) are decided and left out, and forced wins but for those of a game's LAST_PLIES,
        whatever the number. `blend`: 1 leaves scores out; else rows have the result that the search's score
        expected; where a move had no score (it was random or the only one), the result itself. Scores of each
        player in each set of games are first brought to Elo, by one
        factor K that makes them predict its results: the players' own scale may have been a guess. It is found in the
        player's games with itself, or, if it has none, with allowance for the other player's strength; where that
        finds none, the result stands for the scores. Below 0 they predict the wrong side, and count as even. `draws`:
        equal positions with different labels stay apart.
    judge
        Weights whose static evaluation says whether a position without a score is decided, and whose quiescence
        `score` and `resolve` ask.

    Raises
    ------
    StudyError
        No position is left; the message says why.
    """
    settings = settings or GameFitOptions()
    sources = (games,) if isinstance(games, Games) else tuple(games)
    _check(game, settings, judge)
    selection: dict[str, int] = {}
    scales: list[ScoreScale] = []
    parts = [
        _select(game, source, number, kept, settings, judge, seed, selection, scales)
        for number, (source, kept) in enumerate(zip(sources, _kept_games(sources, selection), strict=True))
    ]
    n_taken = sum(len(part.labels) for part in parts)
    positions = parts[0] if len(parts) == 1 else Positions.joined(parts, n_taken)
    del parts
    if not n_taken:
        raise StudyError(f"no position is left to fit on: {selection}")
    group = on_one_side(positions, settings.held_out)
    n_kept = len(positions.labels)
    selection["on the other side of the split"] = n_taken - n_kept
    merge(positions, group, settings.draws)
    selection["same position"] = n_kept - len(positions.labels)
    selection["rows"] = len(positions.labels)
    stages = positions.stages if game.n_stages > 1 else None
    has_scores = settings.uses_scores and not np.array_equal(positions.expected, positions.labels)
    rows = Rows(
        positions.features, stages, positions.labels, positions.weight, positions.group,
        positions.expected if has_scores else None,
    )  # fmt: skip
    return Dataset(game, sources, rows, selection, positions.place, positions.lines, tuple(scales))


def engine_scores(data: Dataset, weights: Weights) -> Floats:
    """Return the engine's own evaluation of every row's position, in Elo, in the order of the rows."""
    scores = np.zeros(data.rows.n)
    for number, games in enumerate(data.games):
        rows = np.flatnonzero(data.place[:, 0] == number)
        starts = games.starts
        at = starts[data.place[rows, 1]] + data.place[rows, 2]
        chosen = np.zeros(len(games.moves), np.bool_)
        chosen[at] = True
        order = np.argsort(at)  # places are distinct: each row is the first occurrence of another position
        scores[rows[order]] = replay.judge_positions(
            data.game, weights, games.moves, starts, chosen, data.lines[rows[order]], games.roots(data.game)
        )
    return scores


def label(result: Any, is_second: Any) -> Any:
    """Return the result of player 0 (1, 0, -1) as the mover's: 1, 1/2 or 0; the two sides' add up to 1."""
    return (np.where(is_second, -result, result) + 1) / 2


def _check(game: Game, settings: GameFitOptions, judge: Weights | None) -> None:
    if settings.draws and settings.blend not in (1, "auto"):
        raise InputError(f"fit.draws: expected fit.blend = 1, found {settings.blend}: scores are no outcomes")
    check_game(game, settings.quiet)
    if settings.quiet in ("score", "resolve") and judge is None:
        raise InputError(f"quiet: {settings.quiet!r} needs weights that judge")


# --- games and positions -----------------------------------------------------------------------------------


def _kept_games(sources: Sequence[Games], selection: dict[str, int]) -> list[Ints]:
    """Return the rows of each source that are games with a result, each sequence of moves once."""
    counts = dict.fromkeys(("games", "fault", "capped", "no moves", "repeated game"), 0)
    seen: set[int] = set()
    kept = []
    for games in sources:
        lines = _lines(games)
        has_result = games.result != NO_RESULT
        has_moves = np.diff(games.starts) > games.n_opening
        counts["games"] += len(games)
        counts["fault"] += int(games.is_fault.sum())
        counts["capped"] += int((~has_result & ~games.is_fault).sum())
        counts["no moves"] += int((has_result & ~has_moves).sum())
        own = []
        for row in np.flatnonzero(has_result & has_moves).tolist():
            if lines[row] in seen:
                counts["repeated game"] += 1
            else:
                seen.add(lines[row])
                own.append(row)
        kept.append(np.array(own, np.int64))
    selection.update(counts)
    return kept


def _lines(games: Games) -> list[int]:
    """Return 64 bits of start and moves of each game; of so many bits no two games share all by chance."""
    parts = (games.take(np.arange(at, min(at + BLOCK, len(games)))) for at in range(0, len(games), BLOCK))
    return [hash(line) for part in parts for line in part.lines()]


def _select(
    game: Game,
    source: Games,
    number: int,
    kept: Ints,
    settings: GameFitOptions,
    judge: Weights | None,
    seed: int,
    selection: dict[str, int],
    scales: list[ScoreScale],
) -> Positions:
    """Return the positions of one set of games that are taken, before merging; a block of games at a time."""
    lengths = np.diff(source.starts)[kept]
    most = int(np.minimum(lengths, settings.positions_per_game).sum())
    positions = Positions.joined(
        (
            _of_block(game, source, number, kept[at : at + BLOCK], settings, judge, seed, selection)
            for at in range(0, max(len(kept), 1), BLOCK)
        ),
        most,
    )
    if not settings.uses_scores:
        return positions
    scales += bring_to_elo(source, number, positions, settings.held_out)
    positions.expected = _expected(positions.expected, positions.labels)
    return positions


def _of_block(
    game: Game,
    source: Games,
    number: int,
    kept: Ints,
    settings: GameFitOptions,
    judge: Weights | None,
    seed: int,
    selection: dict[str, int],
) -> Positions:
    """Return the positions of some games that are taken; scores (Elo) stand where expected results will."""
    games = source.take(kept)
    moves, starts = games.moves, games.starts
    owner = np.repeat(np.arange(len(games)), np.diff(starts))
    ply = np.arange(len(moves)) - starts[owner]
    roots = games.roots(game)
    marks = replay.mark_positions(game, moves, starts, roots)
    is_second = marks & replay.SECOND != 0
    scores = _scores(games, owner, is_second)
    left = _Left(np.ones(len(moves), np.bool_), selection)
    _filter(game, games, owner, ply, marks, scores, settings, judge, left)
    lines = _filter_noise(game, games, scores, settings, judge, left)
    chosen = _some_of_each(games, owner, ply, left.open, settings.positions_per_game, seed)
    at = np.flatnonzero(chosen)
    left.out("not sampled", ~chosen)
    views = replay.view_positions(game, moves, starts, chosen, lines[at], roots)
    labels = label(games.result[owner[at]], views.seconds != 0)
    turned = np.where((views.seconds != 0) == is_second[at], scores[at], -scores[at])
    place = np.stack([np.full(len(at), number), kept[owner[at]], ply[at]], axis=1)
    return Positions(
        views.keys,
        views.features,
        views.stages,
        labels,
        turned if settings.uses_scores else labels,
        np.ones(len(at)),
        games.pair[owner[at]] + np.int64(number * GENERATION_STEP),
        place.astype(np.int64),
        lines[at],
        is_second[at].astype(np.int8),
    )


def _scores(games: Games, owner: Ints, is_second: Bools) -> Floats:
    """Return the movers' scores in Elo; NaN where there is none, or where it is a margin."""
    scores = games.scores.astype(np.float64)
    players = [*games.settings.get("players", ()), *(one[0] for one in games.settings.get("opponents", ()))]
    options = games.settings.get("options", ())
    counting = {
        player for player, own in zip(players, options, strict=False) if own.get("objective") == "margin"
    }
    if counting:
        digests, seats = games.seats
        is_margin = np.array([digest in counting for digest in digests])[seats]
        scores[is_margin[owner, is_second.astype(np.int8)]] = np.nan
    return scores


@dataclass(eq=False)
class _Left:
    """Positions that may still be taken, and how many were left out for which reason, each for its first."""

    open: Bools
    selection: dict[str, int]

    def out(self, reason: str, which: Bools) -> None:
        """Leave out those of `which` that are left."""
        self.selection[reason] = self.selection.get(reason, 0) + int((self.open & which).sum())
        self.open = self.open & ~which


def _filter(
    game: Game,
    games: Games,
    owner: Ints,
    ply: Ints,
    marks: npt.NDArray[np.int8],
    scores: Floats,
    settings: GameFitOptions,
    judge: Weights | None,
    left: _Left,
) -> None:
    """Leave out what needs no search to tell."""
    left.selection["positions"] = left.selection.get("positions", 0) + len(ply)
    left.out("opening", ply < games.n_opening[owner])
    left.out("choice pending", marks & replay.PENDING != 0)
    left.out("noisy", (marks & replay.QUIET == 0) & (settings.quiet == "game"))
    to_end = np.where(games.is_adjudicated[owner], LAST_PLIES + 1, np.diff(games.starts)[owner] - ply)
    is_last = (np.abs(scores) > FORCED) & (to_end <= LAST_PLIES)
    bound = min(settings.max_score, FORCED)
    left.out("decided", (np.abs(scores) > bound) & ~is_last)
    if judge is not None:
        unknown = left.open & np.isnan(scores)
        lost = np.zeros(len(ply), np.bool_)
        static = replay.judge_positions(
            game, judge, games.moves, games.starts, unknown, roots=games.roots(game)
        )
        lost[unknown] = np.abs(static) > bound
        left.out("decided", lost)


def _filter_noise(
    game: Game, games: Games, scores: Floats, settings: GameFitOptions, judge: Weights | None, left: _Left
) -> Ints:
    """Leave out what quiescence finds noisy, decided or endless; return the line (n, most) of every position."""
    n = len(games.moves)
    if settings.quiet not in ("score", "resolve") or judge is None:
        return np.zeros((n, 0), np.int64)
    asked = left.open
    found = quiet_lines(game, judge, games.moves, games.starts, asked, games.roots(game))

    def spread(values: npt.NDArray[Any], rest: Any) -> npt.NDArray[Any]:
        whole = np.full((n, *values.shape[1:]), rest, values.dtype)
        whole[asked] = values
        return whole

    left.out("endless exchange", spread(found.fate == ENDLESS, False))
    if settings.quiet == "score":
        left.out("noisy", spread(~(np.abs(found.value - found.static) <= settings.quiet_margin), False))
        return np.zeros((n, 0), np.int64)
    value, bound = spread(found.value, 0.0), min(settings.max_score, FORCED)
    is_lost = np.abs(value) > np.where(np.isnan(scores), bound, FORCED)
    left.out("decided", spread(found.fate == OVER, False) | is_lost)
    return spread(found.moves, NO_MOVE)


def _some_of_each(games: Games, owner: Ints, ply: Ints, is_open: Bools, per_game: int, seed: int) -> Bools:
    """Return the first `per_game` open positions of each game in the order of a hash of their place."""
    at = np.flatnonzero(is_open)
    words = [np.full(len(at), seed), games.pair[owner[at]], games.game[owner[at]], ply[at]]
    hashed = np.zeros(len(at), np.uint64)
    for word in words:
        hashed = splitmix64(hashed ^ word.astype(np.int64).view(np.uint64))
    order = np.lexsort((hashed, owner[at]))
    own = owner[at][order]
    first = np.searchsorted(own, own, side="left")
    chosen = np.zeros(len(is_open), np.bool_)
    chosen[at[order[np.arange(len(own)) - first < per_game]]] = True
    return chosen


def _expected(scores: Floats, labels: Floats) -> Floats:
    expected = expected_result(np.clip(np.nan_to_num(scores), -FORCED, FORCED))
    return np.where(np.isnan(scores), labels, expected)
