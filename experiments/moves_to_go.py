"""How long the shipped games last: self-play of their tuned weights, written to all of their weight files.

    python -m tunesmith.experiments.moves_to_go --games studies/moves-to-go

A player with time for a whole game shares it out by these numbers (`engine.search.time_control`); studies write them
into the weights that they fit. Digests of weights and their proofs stay as they are."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.games.errors import InputError, TunesmithError
from tunesmith.games.game import Game
from tunesmith.tuning.cli.options import resources_of
from tunesmith.tuning.config import Openings
from tunesmith.tuning.data.moves_to_go import moves_to_go
from tunesmith.tuning.files import read_object
from tunesmith.tuning.play import selfplay, store
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.openings import choose_openings
from tunesmith.tuning.play.resources import Resources

LIMIT, PLIES, SEED = "nodes:1000", 4, 1


def measured(game: Game, pairs: int, folder: Path, resources: Resources) -> dict[str, list[float]]:
    """Return the moves to go of a game, by stage, from so many pairs that `folder` keeps."""
    player = weight_files.load("tuned", game)
    openings = choose_openings(
        game, player, Openings(plies=PLIES, max_score=300.0), count=pairs, purpose="train", seed=SEED
    )
    matchup = Matchup(game.spec, player, player, (LIMIT, LIMIT), SEED, Noise(0.05, 20))
    selfplay.play(matchup, openings, range(pairs), folder, resources)
    return moves_to_go(game, [store.read_games(folder)])


def write(game: Game, found: dict[str, list[float]]) -> list[Path]:
    """Write the moves to go to every weight file that the game ships for this variant; return these.

    Raises
    ------
    InputError
        A weight file is damaged, or the game ships none.
    """
    if game.folder is None:
        raise InputError(f"game: expected one that ships weights, found {game.name!r}")
    written = []
    for path in sorted((game.folder / "weights").glob("*.json")):
        if (read_object(path) or {}).get("variant") == dict(game.variant):
            weight_files.save(replace(weight_files.load(path, game), moves_to_go=found), path)
            written.append(path)
    return written


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and write; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--pairs", type=int, default=150)
    parser.add_argument("--jobs", type=int, help="workers (default: one for each core)")
    parser.add_argument(
        "--games", type=Path, default=Path("studies/moves-to-go"), help="where games are kept"
    )
    given = parser.parse_args(arguments)
    try:
        for name in given.names or game_registry.names():
            game = game_registry.load(name)
            found = measured(game, given.pairs, given.games / name, resources_of(given.jobs))
            print(
                f"{name}: {len(write(game, found))} weight files; at the start {next(iter(found.values()))[0]}"
            )
    except TunesmithError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
