"""Does the solver find the values that other programs have computed?

Kalah of three to six ponds, each capture rule, with every move's value; endings of Pentago in its three variants,
with the value of every placement; the smallest boards of Fanorona, which the first player wins. Of Fanorona's
endgames a search of limited length must find most, and take none for the opposite, by alpha-beta and Monte Carlo.
Each number of ponds, rule and variant is a compilation of its own, and some endings take long: the tests take what is
quick or small enough for plain Python. The data and where it comes from: tests/golden/*/solved.json. The exit code
is 1 if a value differs. The largest boards of Kalah take minutes each, which are printed, and a table of up to 4 GiB:
six ponds of four seeds, all moves, 197 s of CPU time (commit f2f17f0, at the lowest priority under load).

    python -m tunesmith.experiments.proofs.solved_boards
    python -m tunesmith.experiments.proofs.solved_boards --large    the largest boards of Kalah alone
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.evaluation import EVALUATION_MAX
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.player import Player
from tunesmith.engine.search.solve import solve, solve_moves
from tunesmith.engine.weights import from_array
from tunesmith.games.game import Game

GOLDEN = Path(__file__).parents[2] / "tests" / "golden"

LARGE = {(6, 4), (5, 5)}  # ponds and seeds of Kalah that take minutes
LARGE_MB = 4096  # of the table that they get
SMALL = ([3, 3], [5, 3], [3, 5], [3, 7])  # boards of Fanorona that are won within a minute
MOST = 0.85  # of the endgames, found by a search of limited length
NODES, ENDGAME_NODES, SIMULATIONS = 3_000_000, 400_000, 40_000

Row = dict[str, Any]
Values = dict[str, int]


def read(game: str) -> list[Row]:
    """Return the solved positions of a game."""
    rows: list[Row] = json.loads((GOLDEN / game / "solved.json").read_text(encoding="utf-8"))
    return rows


# --- Kalah


def kalah_rows() -> list[Row]:
    """Return the boards that are solved within a minute."""
    return [row for row in read("kalah") if (row["pits"], row["seeds"]) not in LARGE]


def large_rows() -> list[Row]:
    """Return the boards that take minutes."""
    return [row for row in read("kalah") if (row["pits"], row["seeds"]) in LARGE]


def kalah(row: Row) -> Game:
    """Return the variant of a row."""
    empty = str(row["variant"] != "standard").lower()
    return games.load(f"kalah:ponds={row['pits']},seeds={row['seeds']},empty_capture={empty}")


def kalah_values(game: Game, row: Row) -> tuple[int, Values]:
    """Return the value of a board, and those of the moves that the row knows."""
    moves = solve_moves(game, hash_mb=64)
    return solve(game, hash_mb=64).value, {move: moves[move].value for move in row["per_move"]}


def large_values(game: Game, row: Row) -> tuple[int, Values]:
    """Return what `kalah_values` does, the board's value as that of its best move: all share one table."""
    moves = {move: answer.value for move, answer in solve_moves(game, hash_mb=LARGE_MB).items()}
    return max(moves.values()), {move: moves[move] for move in row["per_move"]}


def kalah_name(row: Row) -> str:
    """Name a board in print."""
    return f"kalah, {row['pits']} ponds, {row['seeds']} seeds, {row['variant']}"


# --- Pentago


def pentago(row: Row) -> Game:
    """Return the variant of a row."""
    return games.load(f"pentago:variant={row['variant']}")


def pentago_values(game: Game, row: Row) -> tuple[int, Values]:
    """Return the value of an ending, and those of its placements (the best twist after each) if the row has them."""
    value = solve(game, row["state"], hash_mb=64).value
    cells: Values = {}
    for move, answer in (
        solve_moves(game, row["state"], hash_mb=64).items() if row.get("per_placement") else ()
    ):
        cell = move.partition("-")[0]
        cells[cell] = max(answer.value, cells.get(cell, -1))
    return value, cells


# --- Fanorona


def fanorona(row: Row) -> Game:
    """Return the board of a row, without a rule of draws."""
    width, height = row["size"]
    return games.load(f"fanorona:width={width},height={height},draw_rule=none")


def score(game: Game, row: Row, limit: Limit, options: SearchOptions, hash_mb: int = 16) -> int:
    """Return what a search without knowledge says of a position: hundredths of an Elo, for who moves."""
    nothing = from_array(game, np.zeros((game.n_stages, game.n_features)))
    return Player(game, nothing, limit, options, hash_mb).analyse(Board(game, row["state"])).score


def forced(score: int) -> int:
    """Return whether a score says that a position is won or lost: 1, -1, or 0 = neither."""
    return int(score > EVALUATION_MAX) - int(score < -EVALUATION_MAX)


def fanorona_endgames() -> list[Row]:
    """Return the endgames of the large board."""
    return [row for row in read("fanorona") if row["size"] == [9, 5]]


# --- all of them


class Comparison:
    """Prints each value found, and keeps those that differ."""

    def __init__(self) -> None:
        self.wrong: list[str] = []

    def compare(self, what: str, found: object, expected: object) -> None:
        """Compare one value."""
        differs = "" if found == expected else f"EXPECTED {expected}"
        print(f"{what}: {found} {differs}", flush=True)
        if differs:
            self.wrong.append(f"{what}: {found}, expected {expected}")


def compare_all(seen: Comparison) -> None:
    """Compare every position whose value is exact."""
    for row in kalah_rows():
        seen.compare(kalah_name(row), kalah_values(kalah(row), row), (row["value"], row["per_move"]))
    for row in read("pentago"):
        name = f"pentago {row['variant']}, {row['id']}"
        expected = row["value"], row.get("per_placement") or {}
        seen.compare(name, pentago_values(pentago(row), row), expected)
    for row in read("fanorona"):
        if row["size"] in SMALL:
            found = score(fanorona(row), row, Limit("nodes", NODES), SearchOptions())
            seen.compare(f"fanorona {row['size']}", forced(found), row["value"])


def compare_large(seen: Comparison) -> None:
    """Compare the largest boards of Kalah, with every move's value, and print the CPU time they took."""
    for row in sorted(large_rows(), key=lambda row: (-row["pits"], row["variant"] != "standard")):
        game, began = kalah(row), time.process_time()
        found = large_values(game, row)
        name = f"{kalah_name(row)}, {time.process_time() - began:.0f} s of CPU time"
        seen.compare(name, found, (row["value"], row["per_move"]))


def compare_endgames(seen: Comparison) -> None:
    """Search endgames of Fanorona: most that are decided must be found, none be taken for the opposite.

    Monte Carlo search sees those that are won, and has found one where it leans to the winner.
    """
    rows = fanorona_endgames()
    values = np.array([row["value"] for row in rows])
    limit = Limit("nodes", ENDGAME_NODES)
    found = np.array([forced(score(fanorona(row), row, limit, SearchOptions())) for row in rows])
    seen.compare(
        "fanorona by alpha-beta, taken for what they are not", int(np.sum(found * (found - values) > 0)), 0
    )
    seen.compare(
        "fanorona by alpha-beta, most found", bool(np.sum(found != 0) >= MOST * np.sum(values != 0)), True
    )
    won, limit = [row for row in rows if row["value"] == 1], Limit("simulations", SIMULATIONS)
    options = SearchOptions(algorithm="uct", exploration=70)
    scores = np.array([score(fanorona(row), row, limit, options, hash_mb=64) for row in won])
    seen.compare("fanorona by monte carlo, taken for lost", int(np.sum(scores < -EVALUATION_MAX)), 0)
    seen.compare("fanorona by monte carlo, most found", bool(np.sum(scores > 0) >= MOST * len(won)), True)


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--large", action="store_true", help="the largest boards of Kalah alone")
    is_large = parser.parse_args(arguments).large
    seen = Comparison()
    for compare in [compare_large] if is_large else [compare_all, compare_endgames, compare_large]:
        compare(seen)
    wrong = seen.wrong
    print(*wrong or ["all values are those of the other programs"], sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
