"""Play against other people's programs, add what came of it to the results, and write their page."""

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count, islice
from pathlib import Path, PurePath
from typing import Any

from tunesmith import games
from tunesmith.engine.limits import parse_limit
from tunesmith.experiments.bench.machine import commit
from tunesmith.experiments.proofs._cells import store, stored
from tunesmith.experiments.sparring import course, engines
from tunesmith.experiments.sparring.opponent import TUNED, Played, different, page_of, tally
from tunesmith.games.errors import InputError, TunesmithError
from tunesmith.tuning.export.agent.write import write_agent
from tunesmith.tuning.files import append_lines, cut_tail, read_lines
from tunesmith.tuning.play.player import read_weights

RESULTS = Path(__file__).parents[1] / "results" / "sparring.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; return the exit code."""
    given = _parser().parse_args(arguments)
    command = command_of(arguments or sys.argv[1:])
    try:
        cells = stored(given.out)
        for found in given.do(given):
            if "won" in found:
                cells = {name: cell for name, cell in cells.items() if not _tells_why(cell, found)}
                found |= {
                    "command": command,
                    "commit": commit(),
                    "seed": given.seed,
                    "weights": given.weights,
                }
                found |= {"note": given.note} if given.note else {}
            cells[_name(found)] = found
            store(given.out, cells, page_of(cells))
        print(page_of(cells), end="")
    except TunesmithError as error:
        print(f"sparring: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _tells_why(cell: Mapping[str, Any], played: Mapping[str, Any]) -> bool:
    """Whether a cell says why an opponent was not played that now was."""
    words = str(played["opponent"])
    return "why" in cell and cell["game"] == played["game"] and words.startswith(str(cell["opponent"]))


def _name(found: Mapping[str, Any]) -> str:
    """Return what a row is known by: other weights than the tuned ones make another row."""
    words = [found[word] for word in ("game", "opponent", "limit") if word in found]
    return ", ".join([*words, *({found.get("weights", TUNED)} - {TUNED})])


def command_of(arguments: Sequence[str]) -> str:
    """Return the command for the page: of a path on this machine the last part, of a note nothing."""
    words = [" ".join(_shown(part) for part in word.split(" ")) for word in arguments]
    if "--note" in words:
        del words[words.index("--note") : words.index("--note") + 2]
    return shlex.join(["python", "-m", "tunesmith.experiments.sparring", *words])


def _shown(word: str) -> str:
    return PurePath(word).name if PurePath(word).is_absolute() else word


def _referee(given: argparse.Namespace) -> Any:
    """Give what came of each opponent under the referee of a course."""
    name = course.game_of(given.folder)
    game = games.load(name)
    weights = read_weights(given.weights, game, {}, allow_variant=False, keep_simple=False)
    agent = given.work / f"{name}-{weights.digest[:12]}-{given.limit.replace(':', '-')}" / course.AGENT
    if not agent.exists():
        write_agent(game, weights, agent, parse_limit(given.limit, "--limit"))
    setting = course.Course(given.folder, agent, given.seconds)
    for package in given.packages or _packages(given.folder):
        if not (given.folder / package).exists():
            raise InputError(f"{given.folder}: expected the package {package}, found none")
        path = agent.parent / f"{given.name or given.folder.name}-{package}.jsonl".replace("/", "-")
        found = _games(partial(course.play, setting, package), path, given)
        opponent = f"{given.name or given.folder.name} ({package})"
        yield {"game": name, "opponent": opponent, "limit": given.limit, **tally(found)}


def _packages(folder: Path) -> list[str]:
    found = [path.parent.name for path in sorted(folder.glob("*/__init__.py"))]
    return [name for name in found if name not in ("referee", "battleground")]


def _games(play: Any, path: Path, given: argparse.Namespace) -> list[Played]:
    """Play until there are enough different games, at most twice as many; return all that the file holds then."""
    path.parent.mkdir(parents=True, exist_ok=True)
    cut_tail(path)
    found = {row["seed"]: Played(**row) for row in read_lines(path)}
    numbers = (n for n in islice(count(), 2 * given.games) if given.seed + n not in found)
    with ThreadPoolExecutor(given.jobs) as pool:
        while len(different(found.values())) < given.games:
            batch = list(islice(numbers, given.jobs))
            if not batch:
                break
            for game in pool.map(lambda n: play(n % 2 == 0, given.seed + n), batch):
                append_lines(path, [game.row()])
                found[game.seed] = game
                print(f"{path.stem} {game.seed}: {game.result} {game.ending} {game.seconds}", file=sys.stderr)
    return [found[seed] for seed in sorted(found)]


def _ugi(given: argparse.Namespace) -> Any:
    """Give what came of an opponent that speaks UGI."""
    name, theirs = given.name or given.command, given.their_limit or given.limit
    words = given.limit if theirs == given.limit else f"{given.limit}, theirs {theirs}"
    us = engines.ours(given.game, given.weights, given.limit)
    if given.ours:
        us = engines.program(given.ours, given.limit)
    them = engines.program(given.command, theirs)
    path = f"{given.game}-{name}-{words}-{us.digest[:12]}.jsonl".replace("/", "-").replace(":", "-")
    game = games.load(given.game)
    judge = read_weights(given.weights, game, {}, allow_variant=True, keep_simple=False)
    openings = engines.balanced(game, judge, given.games, given.seed)
    with engines.playing(game, us, them, openings, given.seed, given.jobs) as play:
        found = _games(play, given.work / path, given)
    yield {"game": given.game, "opponent": name, "limit": words, **tally(found)}


def _absent(given: argparse.Namespace) -> Any:
    """Give why an opponent was not played."""
    yield {"game": given.game, "opponent": given.name, "why": given.why}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tunesmith.experiments.sparring", description=__doc__)
    commands = parser.add_subparsers(required=True)
    playing = argparse.ArgumentParser(add_help=False)
    playing.add_argument("--name", help="of the opponents in the table, such as OWNER/REPOSITORY")
    playing.add_argument("--weights", default=TUNED)
    playing.add_argument("--note", help="what the page is to say of these games")
    playing.add_argument("--games", type=int, default=20, help="different ones for each opponent")
    playing.add_argument("--seed", type=int, default=1, help="of the first game; each has the next")
    playing.add_argument("--jobs", type=int, default=1)
    playing.add_argument("--work", type=Path, required=True, help="folder for games; what is there counts")
    out = argparse.ArgumentParser(add_help=False)
    out.add_argument("--out", type=Path, default=RESULTS, help="JSON file to add to; its page is made anew")

    referee = commands.add_parser("referee", parents=[playing, out], help="under the referee of a course")
    referee.add_argument("folder", type=Path, help="with the package referee and the opponents' packages")
    referee.add_argument("--packages", nargs="+", help="default: all in the folder")
    referee.add_argument("--limit", default="game-time:60", help="of our agent")
    referee.add_argument("--seconds", type=float, default=60, help="CPU time of a side, by the referee")
    referee.set_defaults(do=_referee)

    ugi = commands.add_parser("ugi", parents=[playing, out], help="a program that speaks UGI")
    ugi.add_argument("game")
    ugi.add_argument("command")
    ugi.add_argument("--ours", help="command of our side (default: tunesmith ugi)")
    ugi.add_argument("--limit", default="movetime:500", help="of both, as for tunesmith engines")
    ugi.add_argument("--their-limit", help="of the opponent, if it has another")
    ugi.set_defaults(do=_ugi)

    absent = commands.add_parser("absent", parents=[out], help="note why an opponent was not played")
    absent.add_argument("game")
    absent.add_argument("name")
    absent.add_argument("why")
    absent.set_defaults(do=_absent)
    return parser


if __name__ == "__main__":
    sys.exit(main())
