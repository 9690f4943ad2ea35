"""Which formulas of statistics and fit could be wrong without a test that says so?

Every number and operator of a module of `tuning/stats` and `tuning/fit` is changed, one at a time (`_mutants` says
how), and the module's own test file runs on it, then the test files that stand for it in WHOLE; no file is
touched. A change that no test notices has survived: the formula is tested too loosely, or the change does not matter:
then `mutation-reasons.json` has the reason, beside the results. Tests that find no end count as red. The exit code is
1 if tests are red without any change, or a survivor has no reason. `--again` tries only what survived before, as long
as the module is the same.

    python -m tunesmith.experiments.proofs.mutation --out experiments/results/mutation.json
    python -m tunesmith.experiments.proofs.mutation stats.elo fit.loss --most 40 --seed 1

The page says with which commands its modules were measured, and the file of which source (its digest).
"""

import argparse
import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tunesmith.experiments.proofs import _cells
from tunesmith.experiments.proofs._mutants import count, mutant, serve
from tunesmith.tuning.files import read_json

ROOT = Path(__file__).parents[2]
ROOMS = ("stats", "fit")
# Test files about several modules, by a room or by a module of it.
WHOLE = {
    "stats": ("test_golden_statistics",),
    "fit.folds": ("test_ridge", "test_blend"),
    "fit.ridge": ("test_folds",),
}
NAME = "mutation"
# Module, then what the changed statement says, then why that is as right as the original.
REASONS = ROOT / "experiments" / "results" / "mutation-reasons.json"


@dataclass(frozen=True)
class Survivor:
    """A change that no test noticed: its number, and what the first line of its statement says then."""

    number: int
    line: int
    text: str


@dataclass(frozen=True)
class Outcome:
    """What came of a module's changes; `is_sound`: without a change the tests pass."""

    is_sound: bool
    tried: int
    survivors: tuple[Survivor, ...]


def reason_for(module: str, text: str) -> str | None:
    """Return why a change of a module does not matter, None if nobody has said so."""
    reason: str | None = (read_json(REASONS) or {}).get(module, {}).get(text)
    return reason


def modules() -> list[str]:
    """Return the modules of the rooms, as in stats.elo."""
    files = [path for room in ROOMS for path in sorted((ROOT / "tuning" / room).glob("*.py"))]
    return [f"{path.parent.name}.{path.stem}" for path in files if path.stem != "__init__"]


def tests_of(module: str) -> list[list[Path]]:
    """Return the test files of a module: its own, and those that are asked when its own noticed nothing."""
    room, _, file = module.partition(".")
    folder = ROOT / "tests" / "tuning" / room
    return [
        [folder / f"test_{file}.py"],
        [folder / f"{name}.py" for name in WHOLE.get(module, WHOLE.get(room, ()))],
    ]


def told(
    name: str, path: Path, tests: Sequence[Path], numbers: Sequence[int], folder: Path
) -> Iterator[tuple[int, bool]]:
    """Yield (number, whether the tests pass) of no change (-1) and then of each change."""
    call = [sys.executable, "-m", f"tunesmith.experiments.proofs.{NAME}", "--child", name, str(path)]
    call += [",".join(map(str, tests)), ",".join(map(str, numbers))]
    environment = {
        **os.environ,
        "TUNESMITH_NUMBA": "0",
        "PYTHONDONTWRITEBYTECODE": "",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    with subprocess.Popen(call, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout or ():
            number, is_green = line.split()
            yield int(number), is_green == "1"
            if (number, is_green) == ("-1", "0"):
                child.terminate()
                return


def outlive(
    name: str, path: Path, tests: Sequence[Sequence[Path]], numbers: Sequence[int], folder: Path = ROOT
) -> Outcome:
    """Try changes of a module; those that a group of test files let pass go to the next group."""
    source, alive = path.read_text(encoding="utf-8"), list(numbers)
    for group in tests:
        if not (group and alive):
            continue
        passed = []
        for number, is_green in told(name, path, group, alive, folder):
            if number == -1 and not is_green:
                return Outcome(False, 0, ())
            if number >= 0 and is_green:
                passed.append(number)
                print(
                    f"    {path.stem}:{mutant(source, number).line} #{number}: {mutant(source, number).text}",
                    flush=True,
                )
        alive = passed
    found_alive = ((number, mutant(source, number)) for number in alive)
    return Outcome(True, len(numbers), tuple(Survivor(n, one.line, one.text) for n, one in found_alive))


def drawn(source: str, most: int, seed: int) -> list[int]:
    """Return the numbers of all changes of a module, of more than `most` some."""
    every = count(source)
    return sorted(random.Random(seed).sample(range(every), min(most, every)))


def commands(cells: dict[str, Any], out: Path | None) -> list[str]:
    """Return what measures the modules as they were: all changes, or as many as were drawn."""
    asked: dict[tuple[int, int], list[str]] = {}
    for name, cell in sorted(cells.items(), reverse=True):
        asked.setdefault((cell["most"], cell["seed"]), []).append(name)
    return [
        f"python -m tunesmith.experiments.proofs.{NAME} --most {most} --seed {seed} --out {out} \\\n    "
        + " ".join(names)
        for (most, seed), names in sorted(asked.items(), reverse=True)
    ]


def page(cells: dict[str, Any], out: Path | None = None) -> str:
    """Return the page of all modules so far; `out`: the file that it stands beside."""
    told = {
        name: [(one["text"], reason_for(name, one["text"])) for one in cell["survivors"]]
        for name, cell in sorted(cells.items(), reverse=True)
    }
    alive = [reason for cell in told.values() for _, reason in cell]
    tried, missed = sum(cell["tried"] for cell in cells.values()), alive.count(None)
    there = sum(cell["there"] for cell in cells.values())
    lines = [
        "# Changes of a formula that no test notices", "",
        "Every number and operator of `tuning/stats` and `tuning/fit` is changed, one at a time, and the module's",
        f"tests run on it. Tried are {tried:,} of {there:,} changes (of large modules some are drawn).",
        f"{tried - len(alive):,} turned a test red, {len(alive) - missed} do not matter, for the reasons below,",
        f"and {missed} were not noticed and have no reason.", "",
        f"Not tried: {', '.join(name for name in modules() if name not in cells) or 'none'}.", "",
        "```", *commands(cells, out), "```", "",
        "| module | changes | tried | noticed | do not matter | not noticed |", "| --- | --: | --: | --: | --: | --: |",
    ]  # fmt: skip
    for name, left in told.items():
        cell, open_ = cells[name], [reason for _, reason in left].count(None)
        lines.append(f"| `{name}` | {cell['there']} | {cell['tried']} | {cell['tried'] - len(left)} "
                     f"| {len(left) - open_} | {open_} |")  # fmt: skip
    for name, left in told.items():
        if left:
            lines += [
                "",
                f"## {name}",
                "",
                *(f"- `{text}`: {why or '**not noticed**'}" for text, why in left),
            ]
    return "\n".join(lines) + "\n"


def digest(source: str) -> str:
    """Return the digest of a module's source."""
    return hashlib.sha256(source.encode()).hexdigest()[:12]


def main(arguments: list[str] | None = None) -> int:
    """Print what survived of each module; return the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["--child"]:
        changed, file, asked, places = words[1:]
        serve(changed, Path(file), asked.split(","), [int(place) for place in places.split(",")])
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("modules", nargs="*", help="as in stats.elo; all of stats and fit if none is named")
    parser.add_argument("--most", type=int, default=1000, help="changes of one module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="only what survived before")
    _cells.add_out(parser)
    given = parser.parse_args(words)
    cells, is_sound = _cells.stored(given.out), True
    for module in given.modules or modules():
        path = ROOT / "tuning" / (module.replace(".", "/") + ".py")
        source = path.read_text(encoding="utf-8")
        numbers, before = drawn(source, given.most, given.seed), cells.get(module, {})
        is_again = given.again and before.get("source") == digest(source)
        if is_again:
            numbers = [one["number"] for one in before["survivors"]]
        found = outlive(f"tunesmith.tuning.{module}", path, tests_of(module), numbers)
        if not found.is_sound:
            print(f"{module}: red without a change", flush=True)
            is_sound = False
            continue
        is_sound &= _tell(module, found)
        tried = before["tried"] if is_again else found.tried
        drawn_as = before if is_again else {"most": given.most, "seed": given.seed}
        cells[module] = {"source": digest(source), "there": count(source), "tried": tried,
                         "most": drawn_as["most"], "seed": drawn_as["seed"],
                         "survivors": [asdict(one) for one in found.survivors]}  # fmt: skip
        _cells.store(given.out, cells, page(cells, given.out))
    return 0 if is_sound else 1


def _tell(module: str, found: Outcome) -> bool:
    """Print what survived without a reason; return whether nothing did."""
    missed = [one for one in found.survivors if reason_for(module, one.text) is None]
    print(f"{module}: {found.tried} changes, {len(found.survivors)} survived, {len(missed)} without a reason",
          flush=True)  # fmt: skip
    return not missed


if __name__ == "__main__":
    sys.exit(main())
