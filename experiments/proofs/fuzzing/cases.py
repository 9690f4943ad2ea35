"""What is fuzzed: every kind of input with the command that reads it, and folders of studies in every state.

Everything is of a tiny game (`noise_game`), so that a case takes a fraction of a second in plain Python."""

import ast
import contextlib
import inspect
import io
import json
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tunesmith.engine import weights as weight_files
from tunesmith.experiments.proofs import noise_game
from tunesmith.experiments.proofs.fuzzing.mutations import Meaning
from tunesmith.games.errors import InputError
from tunesmith.tuning import config
from tunesmith.tuning.cli import run
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play.resources import Log, Resources
from tunesmith.tuning.play.tally import Tally

GAME = f"{noise_game.__name__}:GAME"
STUDY = """
name = "study"
game = "{game}"
baseline = "hand.json"
seed = 3
openings = {{ plies = 5, max_score = 1000.0 }}
play = {{ limit = "depth:1", pairs = 8, generations = 2, check_pairs = 2 }}
fit = {{ positions_per_game = 4, ridge = 0.01 }}
[verify]
limit = "depth:1"
elo1 = 60.0
max_pairs = 4
measure_pairs = 2
second_limit = "depth:2"
second_pairs = 2
opponents = ["other.json"]
opponent_pairs = 2
[preset.brief.play]
pairs = 8
"""
SEARCH = """
[search]
trials = 3
at_once = 1
start = "baseline"
sampler = "random"
limit = "depth:1"
pairs = 4
space = {{ reductions = {{ low = 0, high = 4 }}, scale = {{}} }}
"""
LADDER = """
game = "{game}"
weights = "hand.json"
pairs = 2
limits = ["depth:1"]
openings.plies = 5
rung = [
    {{ name = "plain", options = {{ deepening = true }} }},
    {{ name = "table", options = {{ table = true }} }},
]
"""
ENGINES = """
limit = "nodes:100"
pairs = 4
[[engine]]
command = "/no/such/engine"
[[engine]]
command = "/no/such/engine"
options = { Hash = 8 }
[openings]
file = "openings.epd"
"""
EPD = """rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id "king";
rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - id "queen";
rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR w KQkq -
"""
PGN = """[Event "one"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *

[Event "two"]
[Result "*"]

1. d4 d5 2. c4 (2. Nf3 Nf6) 2... e6 3. Nc3 Nf6 *
"""
COMMON = ["--jobs", "1", "--backend", "threads", "--json"]

Command = Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """A command, and the files that are changed under it.

    Attributes
    ----------
    folder
        What is copied: a folder of the templates.
    files
        What may be changed: a file, or a folder with all its files.
    command
        Runs in the copy; returns what must not change unnoticed, and raises SystemExit with other exit codes than 0.
    meaning
        How an independent reader takes an input; None where no change is another input: files of studies.
    """

    name: str
    folder: str
    files: str
    command: Command = field(repr=False)
    meaning: Meaning | None = None
    code: int = 0  # of the unchanged folder


def cli(*words: str) -> Command:
    """Return what runs a command and returns its standard output, numbers that depend on the clock left out."""

    def command() -> Any:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = run([str(word) for word in words])
        if code:
            raise SystemExit(code)
        return re.sub(r"\S*/\S*|[\d.,]+ (games/s|s\b)|\d{4}-\d\d-\d\d \d\d:\d\d", "", out.getvalue())

    return command


def report() -> Any:
    """Write a report; return its page, and the problems that it names."""
    from tunesmith.tuning.report.reading import read_study

    cli("report", "study")()
    problems = read_study(Path("study")).problems
    for problem in problems:
        print(problem, file=sys.stderr)
    return Path("study/report.html").read_text(encoding="utf-8")


def book() -> Any:
    """Read a book of chess openings."""
    from tunesmith.tuning.external.chess_rules import read_book

    name = "openings.pgn" if Path("openings.pgn").exists() else "openings.epd"
    try:
        found = read_book(Path(name), 6)
    except InputError as error:
        print(f"tunesmith: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    print("\n".join(found.words()), file=sys.stderr)
    return repr(found.openings)


def _play(study: str, words: str = "run") -> Command:
    return cli(words, "study.toml", "--out", study, *COMMON)


def text(content: bytes) -> Any:
    """Take a text file as its words."""
    return [line.split() for line in content.decode("utf-8-sig").splitlines()]


def as_json(content: bytes) -> Any:
    """Take a file as JSON."""
    return json.loads(content.decode("utf-8-sig"))


def as_toml(content: bytes) -> Any:
    """Take a file as TOML."""
    return tomllib.loads(content.decode("utf-8-sig"))


def as_python(content: bytes) -> Any:
    """Take a file as a program."""
    return ast.dump(ast.parse(content))


def as_parquet(content: bytes) -> Any:
    """Take a file as Parquet, pages checked by their sums."""
    table = pq.read_table(io.BytesIO(content), page_checksum_verification=True)
    return table.schema.names, table.schema.metadata, table.to_pydict()


MATCH = ("match", GAME, "hand.json", "other.json", "--pairs", "3", "--plies", "5", "--max-score", "1000",
         "--limit", "depth:1")  # fmt: skip
BOOKED = ("match", GAME, "hand.json@book=book.json", *MATCH[3:])
GAUNTLET = ("gauntlet", GAME, "hand.json", "other.json", "random", "--pairs", "2", "--plies", "5", "--max-score",
            "1000", "--limit", "depth:1", "--out", "gauntlet")  # fmt: skip
SELF = ("selfplay", GAME, "--weights", "hand.json", "--pairs", "4", "--plies", "5", "--max-score", "1000", "--limit",
        "depth:1", "--out", "games")  # fmt: skip
FIT = ("--no-compare", "--ridge", "0.01")
CASES = (
    Case("weights v2", "inputs", "hand.json", cli("probe", GAME, "--weights", "hand.json", "--json"), as_json),
    Case("weights v1", "inputs", "old.json", cli("probe", GAME, "--weights", "old.json", "--json"), as_json),
    Case("weights show", "inputs", "hand.json", cli("weights", "show", "hand.json", "--game", GAME, "--json"), as_json),
    Case("study toml", "inputs", "study.toml", _play("new", "run"), as_toml),
    Case("search toml", "search-inputs", "study.toml", _play("new", "search"), as_toml),
    Case("ladder toml", "inputs", "ladder.toml", cli("ladder", "ladder.toml", "--out", "ladder", *COMMON), as_toml),
    Case("engine toml", "inputs", "engines.toml", cli("engines", "engines.toml", "--out", "engines"), as_toml, 2),
    Case("table csv", "inputs", "table.csv", cli("fit", "table.csv", *FIT), text),
    Case("table parquet", "inputs", "table.parquet", cli("fit", "table.parquet", *FIT), as_parquet),
    Case("table svmlight", "inputs", "table.svm", cli("fit", "table.svm", "--perspective", "mover", *FIT), text),
    Case("prior json", "inputs", "prior.json", cli("fit", "table.csv", "--prior", "prior.json", *FIT), as_json),
    Case("table weights", "inputs", "fitted.json", cli("weights", "export", "fitted.json", "--to", "c"), as_json),
    Case("openings text", "inputs", "openings.txt", cli(*MATCH, "--openings", "openings.txt", "--all-openings",
                                                         *COMMON), text),
    Case("openings epd", "inputs", "openings.epd", book, text),
    Case("openings pgn", "pgn", "openings.pgn", book, text),
    Case("opening book", "inputs", "book.json", cli(*BOOKED, *COMMON), as_json),
    Case("game module", "inputs", "game.py", cli("match", "game.py", "random", "random", "--pairs", "2", "--plies", "2",
                                                 "--limit", "depth:1", "--max-score", "1000", *COMMON), as_python),
    Case("transcript", "inputs", "moves.txt", cli("show", GAME, "--transcript", "moves.txt"), text),
    *(
        Case(f"study {state}", state, "study", _play("study"))
        for state in ("fresh", "half", "finished", "search-half", "search-finished")
    ),
    *(
        Case(f"{what} {state}", state, "study", command)
        for state in ("half", "finished", "search-finished")
        for what, command in (
            ("report", report),
            ("status", cli("status", "study")),
            ("history", cli("weights", "history", "study")),
            ("dataset", cli("dataset", "study", "--out", "page.html")),
        )
        if (state, what) != ("search-finished", "dataset")  # no games of its own
    ),
    Case("gauntlet", "gauntlet", "gauntlet", cli(*GAUNTLET, *COMMON)),
    Case("match folder", "match", "match", cli(*MATCH, "--out", "match", *COMMON)),
    Case("selfplay folder", "selfplay", "games", cli(*SELF, *COMMON)),
    Case("ladder folder", "ladder", "ladder", cli("ladder", "ladder.toml", "--out", "ladder", *COMMON)),
)  # fmt: skip


# --- the templates


def build(root: Path, work: Path) -> None:
    """Make a folder for each of the cases, at `work`: studies name files by whole paths; then move it to `root`."""
    inputs = root / "inputs"
    inputs.mkdir(parents=True)
    _players(inputs)
    _tables(inputs)
    for name, content in {
        "study.toml": STUDY.format(game=GAME),
        "ladder.toml": LADDER.format(game=GAME),
        "engines.toml": ENGINES,
        "openings.epd": EPD,
        "openings.txt": "0 1 2\n1 1 1\n2 0 3  # a comment\n3 3 0\n",
        "moves.txt": "0 1 2 3\n0 1 2 3\n0 1 2 3\n",
        "game.py": inspect.getsource(noise_game),
    }.items():
        (inputs / name).write_text(content)
    _here(inputs, cli("fit", "table.csv", *FIT, "--out", "fitted.json"))
    _here(inputs, cli("book", GAME, "--out", "book.json", "--weights", "hand.json", "--plies", "3", "--games", "12",
                      "--limit", "depth:1", "--judge", "depth:2", "--min-games", "1"))  # fmt: skip
    pgn = root / "pgn"
    pgn.mkdir()
    (pgn / "openings.pgn").write_text(PGN)
    shutil.copytree(inputs, root / "search-inputs")
    (root / "search-inputs" / "study.toml").write_text((STUDY + SEARCH).format(game=GAME))
    for name, source, command in (
        ("fresh", "inputs", lambda: _stopped("fresh")),
        ("half", "inputs", lambda: _stopped("half")),
        ("search-half", "search-inputs", lambda: _stopped("search-half")),
        ("finished", "inputs", _play("study")),
        ("search-finished", "search-inputs", _play("study")),
        ("gauntlet", "inputs", cli(*GAUNTLET, *COMMON)),
        ("match", "inputs", cli(*MATCH, "--out", "match", *COMMON)),
        ("selfplay", "inputs", cli(*SELF, *COMMON)),
        ("ladder", "inputs", cli("ladder", "ladder.toml", "--out", "ladder", *COMMON)),
    ):
        work.mkdir()
        for file in ("study.toml", "ladder.toml", "hand.json", "other.json"):
            shutil.copy(root / source / file, work / file)
        _here(work, command)
        work.rename(root / name)


def _here(folder: Path, command: Command) -> None:
    before = Path.cwd()
    os.chdir(folder)
    try:
        command()
    finally:
        os.chdir(before)


def _players(folder: Path) -> None:
    game = noise_game.GAME
    for name, sign in (("hand", 1), ("other", -1)):
        made = weight_files.from_array(
            game, np.array([[30.0, -20.0, 10.0]]) * sign, provenance={"by": "nobody"}
        )
        weight_files.save(made, folder / f"{name}.json")
    old = json.loads((folder / "hand.json").read_text())
    old |= {"version": 1, "search": {"reductions": 2}}
    del old["options"], old["digest"]
    (folder / "old.json").write_text(json.dumps(old, indent=1))


def _tables(folder: Path) -> None:
    rng = np.random.default_rng(5)
    features = np.round(rng.normal(size=(120, 2)), 3)
    results = (features @ [1.0, -0.5] + rng.logistic(size=120) > 0).astype(float)
    games = [f"g{at // 3}" for at in range(120)]
    rows = [f"{a},{b},{r:g},{g}" for (a, b), r, g in zip(features, results, games, strict=True)]
    (folder / "table.csv").write_text("\n".join(["red,green,result_mover,game", *rows]) + "\n")
    lines = [
        f"{r:g} qid:{1 + at // 3} 1:{a} 2:{b}"
        for at, ((a, b), r) in enumerate(zip(features, results, strict=True))
    ]
    (folder / "table.svm").write_text("\n".join(lines) + "\n")
    columns = {"red": features[:, 0], "green": features[:, 1], "result": results, "game": games}
    table = pa.table(columns).replace_schema_metadata({"perspective": "mover"})
    pq.write_table(table, folder / "table.parquet", write_page_checksum=True)
    (folder / "prior.json").write_text('{"red": 100, "green": -40.5}\n')


class _Enough(Exception):
    """A run has come as far as it is wanted."""


class _Stop(Log):
    """Ends a run at its first self-play, or in the middle of what plays later."""

    def __init__(self, state: str) -> None:
        self._state, self._generation = state, 0

    def stage(self, stage: str, **facts: Any) -> None:
        """See `Listener`."""
        self._generation = facts.get("generation", self._generation)
        if self._state == "fresh" and stage == "play":
            raise _Enough
        if self._state == "search-half" and stage == "verify":
            raise _Enough

    def progress(self, what: str, done: int, total: int, tally: Tally | None = None) -> None:
        """See `Listener`."""
        if self._state == "half" and self._generation == 2 and 0 < done < total:
            raise _Enough


def _stopped(state: str) -> None:
    settings = config.load(Path("study.toml"))
    with contextlib.suppress(_Enough):
        run_study(settings, Path("study"), Resources(1, "threads", _Stop(state)))
