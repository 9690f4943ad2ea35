"""Measure, print the table, and write it: `python -m tunesmith.experiments.bench --out
experiments/results/bench.json`. With `--against COMMIT`, beside the code of another commit instead.

A row whose ratio is worse than the committed one by a tenth is printed in red."""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tunesmith import games
from tunesmith.experiments.bench import machine
from tunesmith.experiments.bench.race import Effort, Row
from tunesmith.experiments.bench.spiel import compare_rules, pyspiel, twin
from tunesmith.experiments.bench.table import page, warned
from tunesmith.games.errors import InputError, TunesmithError
from tunesmith.tuning.files import read_json, write_json

RESULTS = Path(__file__).parents[1] / "results"


def of_game(name: str, effort: Effort) -> list[Row]:
    """Compare the rules of a game, then race rules and searches."""
    from tunesmith.experiments.bench.duel import duel
    from tunesmith.experiments.bench.rules import playouts, sequences
    from tunesmith.experiments.bench.searches import alpha_beta, monte_carlo

    pair, checked = twin(name, pyspiel()), ""
    if pair.module is not None:
        n = compare_rules(pair, effort.games)
        checked = f"{n:,} positions of {effort.games} games: the same player, legal moves, end and result"
    return [
        playouts(pair, effort, checked),
        sequences(pair, effort.perft[name], effort),
        *alpha_beta(pair, effort.search[name], effort),
        monte_carlo(pair, effort),
        *duel(pair, effort),
    ]


def _fits(effort: Effort) -> list[Row]:
    from tunesmith.experiments.bench.learning import fits

    return fits(effort)


PARTS: dict[str, Callable[[Effort], list[Row]]] = {
    "kalah": lambda effort: of_game("kalah", effort),
    "pentago": lambda effort: of_game("pentago", effort),
    "fit": _fits,
}


def measure(parts: Sequence[str], effort: Effort) -> tuple[dict[str, Any], list[Row]]:
    """Return what a run is known by, and its rows."""
    run: dict[str, Any] = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine.describe(),
        "parts": list(parts),
        "effort": vars(effort),
    }
    began, rows = time.monotonic(), []
    for part in parts:
        print(f"{part} ...", file=sys.stderr, flush=True)
        rows += PARTS[part](effort)
    run["took"] = round(time.monotonic() - began, 1)
    return run, rows


def committed(name: str, ratio: str, *keys: str) -> dict[tuple[Any, ...], float | None]:
    """Return the ratios of a committed result by what its rows are about; none if there is no such file."""
    path = RESULTS / name
    rows = read_json(path)["rows"] if path.is_file() else []
    return {tuple(row[key] for key in keys): row[ratio] for row in rows}


def _parts(wanted: Sequence[str] | None) -> list[str]:
    unknown = [name for name in wanted or () if name not in PARTS]
    if unknown:
        raise InputError(f"--only: expected {', '.join(PARTS)}, found {unknown[0]!r}")
    return [part for part in PARTS if not wanted or part in wanted]


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tunesmith.experiments.bench",
        description="Speed beside other programs, measured in one run.",
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="for each side of a figure (default 2)")
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="PART",
        help=f"some of {', '.join(PARTS)}, with --against some games (default: all)",
    )
    parser.add_argument(
        "--against", metavar="COMMIT", help="measure beside this commit of the repository instead"
    )
    parser.add_argument("--out", type=Path, help="JSON file for the figures and the machine")
    options = parser.parse_args(arguments)
    if not 0.001 <= options.seconds <= 3600:
        parser.error(f"--seconds: expected 0.001 to 3600, found {options.seconds:g}")
    return options


def main(arguments: Sequence[str] | None = None, effort: Effort | None = None) -> int:
    """Run from the command line; `effort` replaces the usual one."""
    options = _options(arguments)
    try:
        if options.against:
            _run_against(options)
        else:
            _run(options, effort or Effort(seconds=options.seconds))
    except TunesmithError as error:
        print(f"bench: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("bench: interrupted, nothing is written", file=sys.stderr)
        return 130
    return 0


def _check_out(options: argparse.Namespace) -> None:
    if options.out and not options.out.absolute().parent.is_dir():
        raise InputError(f"--out: expected a file in a folder that exists, found {str(options.out)!r}")


def _run_against(options: argparse.Namespace) -> None:
    from tunesmith.experiments.bench import against

    _check_out(options)
    unknown = [name for name in options.only or () if name not in games.names()]
    if unknown:
        raise InputError(f"--only: expected {', '.join(games.names())}, found {unknown[0]!r}")
    rows, before = [], committed("speed.json", "times as fast", "what", "game")
    for row in against.compare(options.against, options.only or ()):
        rows.append(row)
        line = against.lines(options.against, [row])[-1]
        print(warned(line, row["times as fast"], before.get((row["what"], row["game"]))), flush=True)
    if options.out:
        only = f" --only {' '.join(options.only)}" if options.only else ""
        command = (
            f"python -m tunesmith.experiments.bench --against {options.against}{only} --out {options.out}"
        )
        here = machine.describe()
        facts = {"command": command, "commit": machine.commit(), "machine": here}
        load = here["load"]
        write_json(options.out, {**facts, "against": options.against, "rows": rows}, stands_alone=True)
        page = [
            "# Speed beside an earlier commit",
            "",
            f"Written by `{command}` (commit {facts['commit']})"
            + (f", load {load[0]:g} at the end." if load else "."),
            "",
        ]
        page += against.lines(options.against, rows)
        options.out.with_suffix(".md").write_text("\n".join([*page, ""]), encoding="utf-8")


def _run(options: argparse.Namespace, effort: Effort) -> None:
    parts = _parts(options.only)
    _check_out(options)
    run, rows = measure(parts, effort)
    print(page(run, rows, committed("bench.json", "ratio", "what", "by")), end="")
    if options.out:
        write_json(options.out, {**run, "rows": [vars(row) for row in rows]}, stands_alone=True)


if __name__ == "__main__":
    sys.exit(main())
