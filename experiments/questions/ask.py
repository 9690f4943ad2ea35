"""Questions about games and searches, each answered by one command from one file.

    python -m tunesmith.experiments.questions kalah-heuristics          the answer, as tables
    python -m tunesmith.experiments.questions kalah-heuristics --preset quick

A question is a TOML file in `experiments/questions/`. It holds any number of parts, of six kinds:

- `[[match]]`: a first player against a second, each limit by itself. Elo is the first player's.
- `[[gauntlet]]`: several players, everybody against everybody, with ratings.
- `[[techniques]]`: searches to a fixed depth over random positions: nodes, CPU time, cut-offs at the first move.
- `[[squash]]`: does an evaluation passed through x / (1 + |x|) choose other moves?
- `[[foresight]]`: is it worth anything to expect the opponent's moves by its own evaluation?
- `[[study]]`: whole studies that differ in a few settings, each with its verified gain.

The games of a question are kept in `studies/questions/NAME`, so an interrupted one goes on; the answer is written
to `experiments/results/questions/` as a page and, with the settings that gave it, as `NAME.json`. Its sentences come
into `results/questions/README.md` by `python -m tunesmith.experiments.figures --pages`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tunesmith.engine import files
from tunesmith.experiments.questions import played, searched
from tunesmith.experiments.questions.page import page, show
from tunesmith.experiments.questions.terms import Question
from tunesmith.games.errors import InputError, TunesmithError
from tunesmith.tuning.cli.options import resources_of
from tunesmith.tuning.files import finite, write_json
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.settings_file import load_as

HERE = Path(__file__).parent
QUESTIONS, RESULTS = HERE, HERE.parent / "results" / "questions"


def find(name: str) -> Path:
    """Return the file of a question, by its name or its path.

    Raises
    ------
    InputError
        There is none; the message lists those there are.
    """
    for path in (QUESTIONS / f"{name}.toml", Path(name)):
        if path.is_file():
            return path
    known = ", ".join(sorted(path.stem for path in QUESTIONS.glob("*.toml")))
    raise InputError(f"question: expected a file or one of {known}, found {name!r}")


def answer(question: Question, folder: Path, resources: Resources) -> dict[str, Any]:
    """Play and measure what `folder` lacks; return all figures.

    Raises
    ------
    InputError, StudyError
        A setting is wrong, or `folder` holds games of other settings.
    """
    run = played.QuestionRun(question, folder, resources)
    parts = [
        *(run.match(part) for part in question.match),
        *(run.gauntlet(part) for part in question.gauntlet),
        *(searched.techniques(question.game, part) for part in question.techniques),
        *(searched.squash(question.game, part) for part in question.squash),
        *(run.foresight(part) for part in question.foresight),
        *(run.study(part) for part in question.study),
    ]
    return {
        "question": question.question,
        "game": question.game,
        "settings": question.model_dump(mode="json"),
        "parts": parts,
    }


def question_command(name: str) -> str:
    """Return the command that answers a question."""
    return f"python -m tunesmith.experiments.questions {name}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer the questions that are named; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "questions", nargs="+", metavar="QUESTION", help="a name in experiments/questions, or a file"
    )
    parser.add_argument("--preset", help="a preset of the file, as quick")
    parser.add_argument("--set", action="append", default=[], dest="changes", metavar="KEY=VALUE")
    parser.add_argument("--jobs", type=int, help="workers (default: one for each core)")
    parser.add_argument("--games", type=Path, default=Path("studies/questions"), help="where games are kept")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the answer goes")
    given = parser.parse_args(arguments)
    try:
        for name in given.questions:
            question = load_as(Question, find(name), given.preset, given.changes)
            found = finite(answer(question, given.games / question.name, resources_of(given.jobs)))
            show(found)
            given.out.mkdir(parents=True, exist_ok=True)
            write_json(given.out / f"{question.name}.json", found, stands_alone=True)
            text = page(found, question_command(question.name))
            files.write(given.out / f"{question.name}.md", text)
            print(f"\nresults  {given.out / question.name}.json\n")
    except TunesmithError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
