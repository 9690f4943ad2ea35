"""The figures of README and guides: each is written by a command, and known by the code that was measured.

    python -m tunesmith.experiments.figures             measure all of them: hours on an idle machine
    python -m tunesmith.experiments.figures demo uct    these alone
    python -m tunesmith.experiments.figures --pages     measure nothing, write the pages from the records
    python -m tunesmith.experiments.figures --check     list those that were measured with other code than today's,
                                                        and pages that say something else than the records

A figure stands between two marks of a page. What stands there is its record in `results/figures.json`, with a last
line that names the command, the commit and the day. Beside it the record keeps the digests of the engine and of the
games that were measured. Code changes daily and most changes leave figures as they were, so a stale one is listed,
not refused. Answers to questions are records too (`results/questions`), as are the losses of searches: their pages,
their sentences in `results/questions/README.md` and guides, and the pictures of `experiments/README.md` are made of
them."""

import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tunesmith import games
from tunesmith.engine import files
from tunesmith.engine.source import code_digest, engine_digest
from tunesmith.experiments import five_games, price
from tunesmith.experiments.bench import machine
from tunesmith.experiments.bench.table import number
from tunesmith.experiments.five_games import GAMES
from tunesmith.experiments.pictures import album
from tunesmith.experiments.proofs import search_regret
from tunesmith.experiments.questions.ask import question_command
from tunesmith.experiments.questions.page import claims, markdown
from tunesmith.experiments.questions.page import page as page_of
from tunesmith.games.errors import InputError, TunesmithError
from tunesmith.tuning.files import read_json, write_json

ROOT = Path(__file__).parents[1]
RECORDS = ROOT / "experiments" / "results" / "figures.json"
END = "<!-- end of figure -->"

Record = dict[str, Any]


def fenced(outputs: Sequence[str]) -> str:
    """Return what the last command printed, as a block."""
    return f"```text\n{outputs[-1].strip()}\n```"


def plain(outputs: Sequence[str]) -> str:
    """Return what the last command printed, which is Markdown already."""
    return outputs[-1].strip()


def headlines(outputs: Sequence[str]) -> str:
    """Return the first line of each command."""
    return fenced(["\n".join(output.strip().split("\n")[0] for output in outputs)])


def pieces(outputs: Sequence[str]) -> str:
    """Return what there was to learn from, and the first rows of a fit: its columns without a zone."""
    from tunesmith.tuning.external import chess_rules  # needs an extra, which a look at the figures does not

    lines = outputs[-1].splitlines()
    return fenced(["\n".join(lines[: 2 + len(chess_rules.PIECES[:-1])])])


def speeds(outputs: Sequence[str]) -> str:
    """Return a table of the main speeds, from an output of `bench --json` for each game."""
    rows = []
    for output in outputs:
        found = json.loads(output)
        rate = {row["name"]: number(row["value"]) for row in found["rows"]}
        cheap = [value for name, value in rate.items() if name.endswith(" alone")]
        names = ("perft, bulk counted", "evaluations, all features", "search, all features")
        rows.append([f"`{found['game']}`", *(rate[name] for name in names), *(cheap or ["none is cheap"])])
    header = (
        "game",
        "perft, leaves/s",
        "evaluations/s",
        "search, nodes/s",
        "with one cheap feature, nodes/s",
    )
    return "\n".join(markdown(header, rows))


@dataclass(frozen=True)
class Figure:
    """What is measured by commands, and shown on a page."""

    page: str
    commands: tuple[str, ...]
    games: tuple[str, ...]
    show: Callable[[Sequence[str]], str] = fenced


_MODULE = "python -m tunesmith.experiments"
_MATCH = "tunesmith match kalah"
FIGURES: Mapping[str, Figure] = {
    "demo": Figure("README.md", ("tunesmith run experiments/kalah.toml --preset quick",), ("kalah",)),
    "five-games": Figure(
        "README.md", (f"{_MODULE}.questions tuned", f"{_MODULE}.five_games"), GAMES, plain
    ),
    "history": Figure(
        "experiments/guides/proof.md",
        (
            "tunesmith run experiments/kalah.toml --preset quick",
            "tunesmith weights history studies/kalah-quick",
        ),
        ("kalah",),
    ),
    "uct": Figure(
        "experiments/guides/players.md",
        (
            f"{_MATCH} hand@algorithm=uct hand --pairs 200 --limit nodes:2000",
            f"{_MATCH} hand@algorithm=uct,rollouts=20 hand@limit=nodes:5000 --limit simulations:800",
        ),
        ("kalah",),
        headlines,
    ),
    "speed-kalah": Figure("experiments/guides/benchmarks.md", ("tunesmith bench kalah",), ("kalah",)),
    "speed-games": Figure(
        "experiments/guides/benchmarks.md",
        tuple(f"tunesmith bench {name} --seconds 1 --json" for name in GAMES),
        GAMES,
        speeds,
    ),
    "bench": Figure(
        "experiments/guides/benchmarks.md",
        (f"{_MODULE}.bench --out experiments/results/bench.json",),
        ("kalah", "pentago"),
        plain,
    ),
    "agents": Figure(
        "experiments/guides/agents.md",
        (f"{_MODULE}.bench.agents --against dd24076 --out experiments/results/agents.json",),
        GAMES,
        plain,
    ),
    "sizes": Figure("experiments/guides/install.md", (f"{_MODULE}.sizes",), (), plain),
    "chess-table": Figure(
        "experiments/guides/chess.md",
        (f"{_MODULE}.chess_table chess.parquet --games 600", "tunesmith fit chess.parquet --anchor pawn=100"),
        (),
        pieces,
    ),
}  # fmt: skip


def code_of(figure: Figure) -> dict[str, str]:
    """Return the digests of the code that a figure measures, by name."""
    return {"engine": engine_digest()} | {name: code_digest(games.load(name)) for name in figure.games}


def changed(measured: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Name the code that is not what was measured, or of which nothing was recorded."""
    return [name for name in now if measured.get(name) != now[name]]


def text(figure: Figure, record: Record) -> str:
    """Return what a page shows of a figure."""
    commands = "; ".join(f"`{command}`" for command in figure.commands)
    return f"{record['text']}\n\nWritten by {commands} (commit {record['commit']}, {record['date']}).\n"


def put(page: str, name: str, shown: str, where: str) -> str:
    """Return a page with a figure between its marks.

    Raises
    ------
    InputError
        The page does not have the marks, or has them twice.
    """
    begin = f"<!-- figure: {name} -->"
    found = re.compile(f"({re.escape(begin)}\n).*?({re.escape(END)})", re.DOTALL)
    if len(found.findall(page)) != 1:
        raise InputError(f"{where}: expected one pair of {begin} and {END}, found {len(found.findall(page))}")
    return found.sub(lambda match: match[1] + shown + match[2], page)


def measure(figure: Figure, folder: Path) -> Record:
    """Run the commands of a figure in a folder that has the repository's `experiments`; return its record.

    Raises
    ------
    InputError
        A command failed.
    """
    code, commit = code_of(figure), machine.commit() or "unknown"  # as it is now: files may change meanwhile
    outputs = [_output(command, folder) for command in figure.commands]
    date = datetime.now(UTC).date().isoformat()
    return {"text": figure.show(outputs), "commit": commit, "date": date, "code": code}


def _output(command: str, folder: Path) -> str:
    words = shlex.split(command)
    modules = {"tunesmith": [sys.executable, "-m", "tunesmith.tuning.cli"], "python": [sys.executable]}
    print(command, "...", file=sys.stderr, flush=True)
    done = subprocess.run(
        [*modules[words[0]], *words[1:]], cwd=folder, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise InputError(f"{command}: ended with exit code {done.returncode}")
    return done.stdout


def pages(records: Mapping[str, Record]) -> dict[Path, str]:
    """Return what every page has to say by the records and by the answers to questions."""
    found: dict[Path, str] = {}
    for name, record in records.items():
        figure = FIGURES[name]
        page = ROOT / figure.page
        before = found.get(page) or page.read_text(encoding="utf-8")
        found[page] = put(before, name, text(figure, record), figure.page)
    if answers := sorted((ROOT / "experiments" / "results" / "questions").glob("*.json")):
        found |= _pages_of_answers(answers) | _front()
    if cells := read_json(ROOT / "experiments" / "results" / "search-regret.json"):
        found |= _pages_of_searches(cells)
    return found


def _pages_of_answers(answers: Iterable[Path]) -> dict[Path, str]:
    """Return a page for each answered question, and the one that lists what came of all."""
    place = ROOT / "experiments" / "results" / "questions" / "README.md"
    found, overview = {}, place.read_text(encoding="utf-8")
    for path in answers:
        answer = read_json(path)
        found[path.with_suffix(".md")] = page_of(answer, question_command(path.stem))
        overview = put(overview, path.stem, "\n".join(claims(answer)) + "\n", place.name)
    page_of_price = price.page({path.stem: read_json(path) for path in answers})
    return found | {place: overview, place.parents[1] / price.PLACE.name: page_of_price}


def _front() -> dict[Path, str]:
    """Return the page of experiments, with pictures and with what the tuned weights proved, and its pictures."""
    place = ROOT / "experiments" / "README.md"
    page, shown = place.read_text(encoding="utf-8"), album.shown(ROOT / "experiments" / "results")
    for name, one in shown.items():
        page = put(page, name, one.text, place.name)
    verdicts = "\n".join(f"- {five_games.verdict(name)}" for name in GAMES)
    drawn = {path: svg for one in shown.values() for path, svg in one.files.items()}
    return drawn | {place: put(page, "verdicts", f"{verdicts}\n", place.name)}


def _pages_of_searches(cells: Any) -> dict[Path, str]:
    """Return the page of what searches lose, and the guide that takes in what it shows."""
    guide = ROOT / "experiments" / "guides" / "search.md"
    shown = "\n".join(f"- {line}" for line in search_regret.verdicts(cells)) + "\n"
    return {
        guide: put(guide.read_text(encoding="utf-8"), "search-regret", shown, guide.name),
        ROOT / "experiments" / "results" / "search-regret.md": search_regret.page(
            cells, search_regret.COMMAND
        ),
    }


def write_pages(records: Mapping[str, Record]) -> None:
    """Write every page as the records have it."""
    for path, content in pages(records).items():
        files.write(path, content)


def lines_of_wrong(records: Mapping[str, Record]) -> list[str]:
    """Return a line for each page that says something else than its records."""
    return [
        f"{path.relative_to(ROOT)}: is not what its records say; --pages writes it"
        for path, content in pages(records).items()
        if not path.is_file() or path.read_text(encoding="utf-8") != content
    ]


def lines_of_stale(records: Mapping[str, Record]) -> list[str]:
    """Return a line for each figure that was measured with other code than today's, or not yet."""
    lines = []
    for name, figure in FIGURES.items():
        record = records.get(name)
        if record is None:
            lines.append(f"{name} ({figure.page}): not measured")
        elif other := changed(record["code"], code_of(figure)):
            since = f"measured at {record['commit']}, since then changed: {', '.join(other)}"
            lines.append(f"{name} ({figure.page}): {since}")
    return lines


def _measure_all(names: Iterable[str], records: dict[str, Record]) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "experiments").symlink_to(ROOT / "experiments")
        for name in names:
            records[name] = measure(FIGURES[name], folder)
            write_json(RECORDS, records, stands_alone=True)  # what has taken an hour is kept,
            write_pages({name: records[name]})  # and shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog=f"{_MODULE}.figures", description="Measure the figures of README and guides."
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"some of {', '.join(FIGURES)} (default: all)"
    )
    parser.add_argument("--pages", action="store_true", help="only write the pages from the records")
    parser.add_argument("--check", action="store_true", help="only list figures of other code than today's")
    options = parser.parse_args(arguments)
    try:
        unknown = [name for name in options.names if name not in FIGURES]
        if unknown:
            raise InputError(f"NAME: expected {', '.join(FIGURES)}, found {unknown[0]!r}")
        records = read_json(RECORDS) or {}
        if options.check:
            stale, wrong = lines_of_stale(records), lines_of_wrong(records)
            print(
                "\n".join(stale + wrong)
                or "all figures were measured with today's code, and stand in their pages"
            )
            return 1 if wrong else 0
        if options.pages:
            write_pages(records)
        else:
            _measure_all(options.names or FIGURES, records)
    except TunesmithError as error:
        print(f"figures: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
