"""Does anything damaged get through? Every kind of input, every file of studies in every state, changed at random.

A copy of a folder, one file of it changed (bits, cuts, types, sizes, names; files of a folder also lost or renamed),
and the command that reads it, in a process of its own with a time limit. What came of it:

- refused: one line, exit code 1 or 2;
- told: it went on with other results, and said what was wrong;
- repaired: the same results, and said what was wrong; harmless: the same results without a word;
- another: the input is a whole file of its format that says something else, as an independent reader sees it;
- traceback (also: a crash, or no line to say why), hang, silently wrong (other results without a word): none may be.

Plain Python on a game so small that a case takes a fraction of a second. Exit code 1 if one of the last three came up,
each with the seed and number that bring it back: `--only NUMBER` keeps its folder.

    python -m tunesmith.experiments.proofs.fuzz --files 300 --seed 1"""

import argparse
import contextlib
import io
import json
import logging
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunesmith.experiments.proofs.fuzzing.mutations import meant, mutate

PATIENCE = 120.0  # seconds; cases take less than two
MEMORY = 8 << 30  # bytes of address space: what asks for more is a traceback, not the end of the machine
OUTCOMES = ("refused", "told", "repaired", "harmless", "another", "traceback", "hang", "silently wrong")
BAD = OUTCOMES[-3:]
PLAIN = {"TUNESMITH_NUMBA": "0", "TUNESMITH_GUARD": "0"}
_LOSS = re.compile("left.out|cannot be read|damaged|missing|set aside|was cut|are the same|repeat another")
TEXTS = (".json", ".jsonl", ".toml", ".csv", ".svm", ".txt", ".epd", ".pgn", ".py", ".html", ".log")


@dataclass(frozen=True)
class Answer:
    """What a command came to: exit code (None: killed for its time), results, words, an error that escaped."""

    code: int | None
    result: Any = None
    words: str = ""
    error: str = ""


@dataclass(frozen=True)
class Finding:
    """What came of a change."""

    number: int
    case: str
    change: str
    outcome: str
    why: str


# --- one command


def ask(case: Any, folder: Path, patience: float = PATIENCE) -> Answer:
    """Run the command of a case in a folder, in a process of its own."""
    reply = folder.with_suffix(".reply")
    child = os.fork()
    if child == 0:
        try:
            _answer(case, folder, reply)
        finally:
            os._exit(99)
    until = time.monotonic() + patience
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return Answer(None)
        time.sleep(0.002)
    try:
        return Answer(**json.loads(reply.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return Answer(os.waitstatus_to_exitcode(status), error=f"the process ended with status {status}")


def _answer(case: Any, folder: Path, reply: Path) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.chdir(folder)
    words = folder.with_suffix(".words")
    with words.open("w", encoding="utf-8", errors="backslashreplace") as said:
        os.dup2(said.fileno(), 2)
        sys.stderr = said
        sys.stdout = said
        logging.basicConfig(stream=said, level=logging.WARNING, format="tunesmith: %(message)s", force=True)
        code, result, error = 0, None, ""
        try:
            result = case.command()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        except BaseException:
            code, error = 70, traceback.format_exc()
    found = {"code": code, "result": result, "error": error}
    found["words"] = words.read_text(encoding="utf-8", errors="backslashreplace")
    reply.write_text(json.dumps(found), encoding="utf-8")
    os._exit(0)


def outcome(now: Answer, before: Answer, is_another: bool) -> tuple[str, str]:
    """Return what an answer comes to beside that of the unchanged folder, and why."""
    told = sorted(_said(now) - _said(before))
    if now.code is None:
        return "hang", ""
    if now.error or now.code not in (0, 1, 2):
        return "traceback", now.error or f"exit code {now.code}: {now.words}"
    if now.code and not (told or before.code):
        return "traceback", f"exit code {now.code} without a line to say why: {now.words}"
    if now.code and any(len(line.splitlines()) > 1 for line in told):
        return "traceback", now.words
    if now.code:
        return "refused", " ".join(told)
    if _besides_digest(now.result) == _besides_digest(before.result) and now.code == before.code:
        return ("repaired" if told else "harmless"), " ".join(told)
    if told:
        return "told", " ".join(told)
    return ("another" if is_another else "silently wrong"), _difference(before.result, now.result)


def _besides_digest(result: Any) -> str:
    """Return a result without the digest of a file of openings: of a lost blank line it is another, and truly so."""
    return re.sub(r'("file": "[^"]*",\s*"digest": )"\w+"', r"\1", str(result))


def _said(answer: Answer) -> set[str]:
    """Return what was said of the input: lines of standard error, and those among the results that name a loss.

    Left out are what tells how far a command is, and numbers that depend on the clock.
    """
    lines = [line for line in answer.words.splitlines() if '"progress"' not in line and '"stage"' not in line]
    lines += [line for line in str(answer.result or "").splitlines() if _LOSS.search(line)]
    return {re.sub(r"[\d.,]+ games/s|[\d.]+ s\b", "", line) for line in lines if line.strip()}


def _difference(one: Any, other: Any) -> str:
    a, b = str(one), str(other)
    at = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return f"{a[max(0, at - 60) : at + 60]!r} became {b[max(0, at - 60) : at + 60]!r}"


# --- one change


class Fuzz:
    """Folders to change, and what their commands come to unchanged."""

    def __init__(self, root: Path, seed: int, patience: float = PATIENCE) -> None:
        from tunesmith.experiments.proofs.fuzzing import cases

        self.root, self.seed, self.patience = root, seed, patience
        self.cases = cases.CASES
        self.work = root / "now" / "copy"
        self.work.parent.mkdir(parents=True)
        nobody = io.StringIO()
        with contextlib.redirect_stderr(nobody), contextlib.redirect_stdout(nobody):
            cases.build(root / "templates", self.work)
        self._before: dict[str, Answer] = {}

    def try_one(self, number: int, keep: bool = False) -> Finding:
        """Change one file, run its command, and say what came of it; the same for the same seed and number."""
        rng = random.Random(f"{self.seed} {number}")
        case = self.cases[(number + self.seed) % len(self.cases)]
        template, folder = self.root / "templates" / case.folder, self.work
        if case.name not in self._before:
            shutil.copytree(template, folder)
            self._before[case.name] = ask(case, folder, self.patience)
            shutil.rmtree(folder)
            if (answer := self._before[case.name]).code != case.code:
                raise SystemExit(f"{case.name}, unchanged: {answer.code}: {answer.words}{answer.error}")
        shutil.copytree(template, folder)
        change, is_another = _change(rng, case, folder)
        found = ask(case, folder, self.patience)
        what, why = outcome(found, self._before[case.name], is_another)
        if not keep:
            shutil.rmtree(folder)
        return Finding(number, case.name, change, what, why)


def _change(rng: random.Random, case: Any, folder: Path) -> tuple[str, bool]:
    """Change a file of a case; return what was done, and whether that is another whole input."""
    target = folder / case.files
    if target.is_dir():
        files = sorted(path for path in target.rglob("*") if path.is_file() and path.name != ".lock")
        target = rng.choice(files)
        if rng.random() < 0.15:
            return _moved(rng, target, folder, files), False
    before = target.read_bytes()
    what, content = mutate(rng, before, target.suffix in TEXTS)
    target.write_bytes(content)
    name = target.relative_to(folder)
    if case.meaning is None:
        return f"{what} {name}", False
    now = meant(case.meaning, content)
    return f"{what} {name}", now is not None and now != meant(case.meaning, before)


def _moved(rng: random.Random, target: Path, folder: Path, files: Sequence[Path]) -> str:
    """Lose a file, rename it, or have another one in its place."""
    name = target.relative_to(folder)
    kind = rng.choice(("lost", "renamed", "exchanged", "made a folder"))
    if kind == "exchanged":
        other = rng.choice(files)
        target.write_bytes(other.read_bytes())
        return f"{name} exchanged for {other.relative_to(folder)}"
    content = target.read_bytes()
    target.unlink()
    if kind == "renamed":
        target.with_name(f"{rng.choice(('x', '9', '-', 'é'))}{target.name}").write_bytes(content)
    if kind == "made a folder":
        target.mkdir()
    return f"{name} {kind}"


# --- all of it


def table(findings: Sequence[Finding]) -> str:
    """Return how often each outcome came up, by case."""
    width = max(len(one.case) for one in findings)
    lines = [" " * width + "  " + "  ".join(OUTCOMES)]
    for case in [*dict.fromkeys(sorted(one.case for one in findings)), "all"]:
        counts = Counter(one.outcome for one in findings if case in (one.case, "all"))
        cells = [f"{counts[name]:>{len(name)}}" for name in OUTCOMES]
        lines.append(f"{case:<{width}}  " + "  ".join(cells))
    return "\n".join(lines)


def run(arguments: argparse.Namespace) -> int:
    """Change files and print what came of it; return 1 if something got through."""
    numbers = range(arguments.files) if arguments.only is None else [arguments.only]
    with tempfile.TemporaryDirectory(prefix="tunesmith-fuzz-") as scratch:
        root = Path(scratch) if arguments.only is None else Path(tempfile.mkdtemp(prefix="tunesmith-fuzz-"))
        fuzz = Fuzz(root, arguments.seed)
        began = time.monotonic()
        findings = []
        for number in numbers:
            found = fuzz.try_one(number, keep=arguments.only is not None)
            findings.append(found)
            if found.outcome in BAD or arguments.only is not None or arguments.verbose:
                print(f"seed {arguments.seed}, number {number}: {found.case}: {found.change}: {found.outcome}: "
                      f"{found.why.strip()}", flush=True)  # fmt: skip
        print(f"seed {arguments.seed}, {len(findings)} files, {time.monotonic() - began:.0f} s")
        print(table(findings))
        if arguments.only is not None:
            print(f"folder {root}")
    return int(any(found.outcome in BAD for found in findings))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run in a process of plain Python; see the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="This file alone; its folder is kept.")
    parser.add_argument("--verbose", action="store_true", help="Print every file.")
    given = parser.parse_args(arguments)
    if all(os.environ.get(name) == value for name, value in PLAIN.items()):
        return run(given)
    words = sys.argv[1:] if arguments is None else arguments
    command = [sys.executable, "-P", "-m", "tunesmith.experiments.proofs.fuzz", *words]
    return subprocess.run(command, env={**os.environ, **PLAIN}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
