"""Makes a table of chess positions for `tunesmith fit`: material and piece-square tables, results of the mover.

    python -m tunesmith.experiments.chess_table chess.parquet --games 600
    tunesmith fit chess.parquet --anchor pawn=100

An engine (Toga II by default; without one, a player that takes what it can) plays itself from random openings and
now and then makes a random move, so that material differs. A row is a quiet position: own less opposing pieces by
kind, and by kind and zone of the board, all as the mover sees it; kings by zone only. Zones: files a, b, g, h
(`edge`) or c to f (`centre`), ranks two by two. The zone where a piece usually stands is no column: what it is worth
there is the piece's own value, and the other zones say how much more or less."""

import argparse
import random
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tunesmith.engine import files
from tunesmith.games.errors import InputError, StudyError, TunesmithError
from tunesmith.tuning.external.chess_rules import (
    PIECES,
    VALUES,
    ChessRules,
    board_of,
    counts_of,
    end_of,
    legal_move,
)
from tunesmith.tuning.external.engine import Engine, EngineFault
from tunesmith.tuning.external.limits import GoLimit, parse_go
from tunesmith.tuning.external.openings import RandomOpenings
from tunesmith.tuning.external.playing import EngineResult
from tunesmith.tuning.external.programs import find_program
from tunesmith.tuning.external.rules import EngineOpening
from tunesmith.tuning.play.matchup import pair_seed

ZONES = tuple(f"{side}_{ranks}" for ranks in ("12", "34", "56", "78") for side in ("edge", "centre"))
USUAL = dict(
    zip(PIECES, ("centre_12", "centre_34", "centre_12", "edge_12", "centre_12", "edge_12"), strict=True)
)
TABLES = tuple(f"{piece}.{zone}" for piece in PIECES for zone in ZONES if zone != USUAL[piece])
COLUMNS = (*PIECES[:-1], *TABLES)


def zone_of(square: int) -> str:
    """Return the zone of a square, 0 (a1) to 63 (h8), as its owner sees it."""
    return ZONES[square // 16 * 2 + (2 <= square % 8 <= 5)]


def features(board: Any) -> dict[str, int]:
    """Return the columns of a position."""
    row = dict.fromkeys(COLUMNS, 0)
    for piece, (own, other) in zip(PIECES[:-1], counts_of(board), strict=False):
        row[piece] = own - other
    for (kind, square), n in squares_of(board).items():
        name = f"{PIECES[kind]}.{zone_of(square)}"
        if name in row:
            row[name] += n
    return row


def rows_of(
    number: int, game: EngineResult, most: int, skip: int, rng: random.Random
) -> list[dict[str, Any]]:
    """Return up to `most` rows of a game with a result, in the order of play."""
    if game.result is None:
        return []
    found = [
        {"game": number, "result_mover": (1 + game.result * (1 if board.turn else -1)) / 2, **features(board)}
        for _, board in quiet_positions(game, skip)
    ]
    chosen = sorted(rng.sample(range(len(found)), min(most, len(found))))
    return [found[at] for at in chosen]


class Players(threading.local):
    """An engine of its own for each thread."""

    def __init__(self, command: str | None, limit: GoLimit, made: list[Engine]) -> None:
        self._limit, self.engine = limit, None
        if command is not None:
            self.engine = Engine((command,))
            made.append(self.engine)
            self.engine.configure(self.engine.defaults(4), command)

    def play(self, opening: EngineOpening, noise: float, rng: random.Random, move_cap: int) -> EngineResult:
        """Play a game; a fault of the engine leaves it without a result."""
        engine = self.engine
        if engine is None:
            return play_noisily(lambda _, __, board: greedy_move(board, rng), opening, noise, rng, move_cap)
        try:
            engine.new_game()
            return play_noisily(
                lambda start, moves, _: engine.go(start.fen, [*start.moves, *moves], self._limit).move,
                opening,
                noise,
                rng,
                move_cap,
            )
        except EngineFault as fault:
            return EngineResult(opening, end_reason=fault.reason, detail=fault.detail)


def make_rows(options: argparse.Namespace) -> tuple[list[dict[str, Any]], int]:
    """Play all games; return their rows in order, and how many games have none."""
    command = None if options.engine == "none" else find_program(options.engine)
    openings = RandomOpenings(ChessRules(), options.plies, options.seed).first(options.games)
    made: list[Engine] = []
    players = Players(command, parse_go(options.limit), made)

    def one(number: int) -> list[dict[str, Any]]:
        rng = random.Random(pair_seed(options.seed, number))
        game = players.play(openings[number % len(openings)], options.noise, rng, options.move_cap)
        return rows_of(number, game, options.positions, 8, rng)

    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            found = list(pool.map(one, range(options.games)))
    finally:
        for engine in made:
            engine.close()
    return [row for rows in found for row in rows], sum(not rows for rows in found)


def write(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Write the table as Parquet or CSV, as the file's name says."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.suffix == ".parquet":
        draft = path.with_name(f".{path.name}.draft")
        try:
            pq.write_table(pa.Table.from_pylist(list(rows)), draft)
            draft.replace(path)
        except OSError as error:
            raise StudyError(f"{path}: cannot be written: {error.strerror}") from error
        finally:
            draft.unlink(missing_ok=True)
    else:
        lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
        files.write(path, "\n".join(lines) + "\n", StudyError)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        description="Play chess games and write a table of quiet positions for `tunesmith fit`."
    )
    parser.add_argument("table", type=Path, help="FILE.parquet or FILE.csv")
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--engine", default="toga2", help="a UCI engine, or none")
    parser.add_argument(
        "--limit", default="depth:2", help="nodes:N, depth:N or movetime:MS (Toga II: not nodes)"
    )
    parser.add_argument("--noise", type=float, default=0.1, help="share of random moves")
    parser.add_argument("--plies", type=int, default=6, help="of the random openings")
    parser.add_argument("--positions", type=int, default=12, help="rows of a game, at most")
    parser.add_argument("--move-cap", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a table; return the exit code."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        if options.table.suffix not in (".parquet", ".csv"):  # before the games, not after them
            raise InputError(f"{options.table}: expected a name that ends with .parquet or .csv")
        rows, n_without = make_rows(options)
        if not rows:
            raise InputError("--games: no game has a result and a quiet position")
        write(rows, options.table)
    except (TunesmithError, EngineFault) as error:
        print(f"chess_table: {error}", file=sys.stderr)
        return 2
    print(
        f"{options.table}: {len(rows):,} positions of {options.games - n_without:,} games ({n_without} without rows)"
    )
    return 0


def quiet_positions(game: EngineResult, skip: int) -> Iterator[tuple[int, Any]]:
    """Yield (number of the move, position) of a game's quiet positions after `skip` moves; the same board, moved on."""
    board = board_of(game.opening)
    for number, move in enumerate(game.moves, 1):
        board.push_uci(move)
        if number >= skip and is_quiet(board) and end_of(board) is None:
            yield number, board


def squares_of(board: Any) -> Counter[tuple[int, int]]:
    """Return mover's minus opponent's pieces by (piece, square); squares as the owner sees them, 0 is his a1."""
    seen: Counter[tuple[int, int]] = Counter()
    for square, piece in board.piece_map().items():
        own = square if piece.color else square ^ 56  # black's: ranks the other way round
        seen[piece.piece_type - 1, own] += 1 if piece.color == board.turn else -1
    return seen


def is_quiet(board: Any) -> bool:
    """Whether the mover is not in check and has no capture of a piece that is worth more or undefended."""
    return not board.is_check() and not any(_wins(board, move) for move in board.legal_moves)


def _wins(board: Any, move: Any) -> bool:
    if move.promotion:
        return True
    taken, taker = board.piece_type_at(move.to_square), board.piece_type_at(move.from_square)
    if taken is None or taker is None:
        return False
    is_guarded = board.is_attacked_by(not board.turn, move.to_square)
    return not is_guarded or VALUES[taken - 1] > VALUES[taker - 1]


def play_noisily(
    choose: Callable[[EngineOpening, list[str], Any], str],
    opening: EngineOpening,
    noise: float,
    rng: random.Random,
    move_cap: int,
) -> EngineResult:
    """Play a game of one player against itself that makes a random move with chance `noise`.

    `choose` is given the opening, the moves since and the position; an engine's fault goes to the caller.
    """
    game, board = EngineResult(opening), board_of(opening)
    while (end := end_of(board)) is None and len(game.moves) < move_cap:
        if rng.random() < noise:
            text = rng.choice(sorted(move.uci() for move in board.legal_moves))
        else:
            text = choose(opening, game.moves, board)
        board.push(legal_move(board, text))
        game.moves.append(text)
    game.end_reason, game.result = end if end is not None else ("capped", None)
    return game


def greedy_move(board: Any, rng: random.Random) -> str:
    """Return the move that wins most material at once: a player for where there is no engine."""
    moves = sorted(board.legal_moves, key=lambda move: move.uci())
    worth = [_gain(board, move) for move in moves]
    best = max(worth)
    return str(rng.choice([move for move, value in zip(moves, worth, strict=True) if value == best]).uci())


def _gain(board: Any, move: Any) -> int:
    """Return the material a move wins, less the moved piece where the opponent can take it."""
    taken, taker = board.piece_type_at(move.to_square), board.piece_type_at(move.from_square)
    board.push(move)
    mate = board.is_checkmate()
    is_attacked = board.is_attacked_by(board.turn, move.to_square)
    board.pop()
    made = VALUES[(move.promotion or taker or 1) - 1]
    won = (VALUES[taken - 1] if taken else 0) + (made - 1 if move.promotion else 0)
    return 100 if mate else won - (made if is_attacked else 0)


if __name__ == "__main__":
    sys.exit(main())
