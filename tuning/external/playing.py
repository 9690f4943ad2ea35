"""One game between two engines: asked in turn, judged by `Rules`, timed by our clocks, adjudicated by their scores.

A game ends by the rules, by adjudication, by the move cap (`capped`, no result) or by a fault of an engine (reason, no
result). Results are the first player's (White's): 1, 0, -1."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tunesmith.tuning.external.engine import Clocks, Engine, EngineFault
from tunesmith.tuning.external.limits import GoLimit
from tunesmith.tuning.external.rules import EngineOpening, Rules

RESIGNED, AGREED = "adjudicated win", "adjudicated draw"


@dataclass(frozen=True)
class Adjudication:
    """When a game is decided by what both engines say of it; scores as told (cp), `moves` of each side in a row.

    Attributes
    ----------
    resign, resign_moves
        A win, if one side says at least so much and the other one at most the opposite; 0 moves: never.
    draw, draw_moves, draw_from
        A draw, if both say at most so much, either way, from that ply of the game on; 0 moves: never.
    """

    resign: int = 0
    resign_moves: int = 0
    draw: int = 0
    draw_moves: int = 0
    draw_from: int = 0

    def decided(self, scores: Sequence[tuple[int, int | None]]) -> tuple[str, int] | None:
        """Return why the game is decided and the first player's result; scores are (mover, mover's score) by ply."""
        own = [[score for mover, score in scores if mover == side] for side in (0, 1)]
        if self.resign_moves and all(len(told) >= self.resign_moves for told in own):
            for side, sign in ((0, 1), (1, -1)):
                lost, won = own[side][-self.resign_moves :], own[1 - side][-self.resign_moves :]
                if all(s is not None and s <= -self.resign for s in lost) and all(
                    s is not None and s >= self.resign for s in won
                ):
                    return RESIGNED, -sign
        if self.draw_moves and len(scores) >= self.draw_from and all(len(t) >= self.draw_moves for t in own):
            last = [score for told in own for score in told[-self.draw_moves :]]
            if all(score is not None and abs(score) <= self.draw for score in last):
                return AGREED, 0
        return None


@dataclass
class EngineResult:
    """A played game: moves after the opening, the first player's result (None without), why it ended.

    `fault` is the engine at fault (0 first, 1 second, `engine.BOTH`), `detail` what it did. `asked_again`: moves for
    which the nodes were used up before the engine had one (Glaurung, `bestmove (none)`): it searched depth 1 instead.
    `seconds` is what (first, second) thought by the clock, which no two runs share.
    """

    opening: EngineOpening
    moves: list[str] = field(default_factory=list)
    result: int | None = None
    end_reason: str = ""
    fault: int | None = None
    detail: str = ""
    asked_again: int = 0
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0], compare=False)


def play_game(
    engines: Sequence[Engine],
    limits: Sequence[GoLimit],
    opening: EngineOpening,
    rules: Rules,
    move_cap: int,
    adjudication: Adjudication,
) -> EngineResult:
    """Play one game between (first, second); an engine's failure ends it without a result."""
    game = EngineResult(opening)
    at = 0
    try:
        for at in range(len(engines)):
            engines[at].new_game()
        at = 0
        position = rules.begin(opening, engines)
        left = [limit.value for limit in limits]
        scores: list[tuple[int, int | None]] = []
        while (end := position.end() or adjudication.decided(scores)) is None:
            if len(game.moves) >= move_cap:
                game.end_reason = "capped"
                return game
            at = position.mover
            move, score = _ask(engines[at], limits, at, left, game)
            game.moves.append(position.push(move))
            scores.append((at, score))
    except EngineFault as fault:
        game.end_reason, game.detail = fault.reason, fault.detail
        game.fault = at if fault.side is None else fault.side
        return game
    game.end_reason, game.result = end
    return game


def _ask(
    engine: Engine, limits: Sequence[GoLimit], at: int, left: list[int], game: EngineResult
) -> tuple[str, int | None]:
    """Return an engine's move and score, and let its clock run."""
    line, limit = [*game.opening.moves, *game.moves], limits[at]
    own = [limits[side] if limits[side].is_clock else limit for side in (0, 1)]
    known = [left[side] if limits[side].is_clock else left[at] for side in (0, 1)]
    clocks = Clocks((known[0], known[1]), (own[0].increment, own[1].increment), at)
    found = engine.go(game.opening.fen, line, limit, clocks)
    game.seconds[at] += found.seconds
    left[at] = max(0, left[at] - round(1000 * found.seconds)) + limit.increment
    if not found.move and limit.kind == "nodes":
        game.asked_again += 1
        found = engine.go(game.opening.fen, line, GoLimit("depth", 1))
    return found.move, found.score
