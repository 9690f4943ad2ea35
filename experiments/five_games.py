"""The table of the five games in the README, from the proofs in the tuned weight files and the answer to `tuned`.

    python -m tunesmith.experiments.five_games

The gain, its interval and the number of games at the study's own limit are the proof's, in every tuned file. Deeper
search and equal time come from `python -m tunesmith.experiments.questions tuned`, which played both files once more."""

import sys
from typing import Any

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.experiments.questions.ask import RESULTS, markdown
from tunesmith.games.errors import InputError, TunesmithError
from tunesmith.tuning.files import read_json

GAMES = ("kalah", "pentago", "fanorona", "expendibots", "ropasci360")
HEADER = ("game", "gain, equal nodes", "games", "deeper", "at equal time", "digest of the weights")


def rows() -> list[list[str]]:
    """Return a row a game.

    Raises
    ------
    InputError
        A game has no tuned weights, or the answer lacks it or is about other weights.
    """
    asked = _asked()
    return [_row(name, asked) for name in GAMES]


def _asked() -> dict[str, Any]:
    found = read_json(RESULTS / "tuned.json")
    if found is None:
        raise InputError(
            f"{RESULTS / 'tuned.json'}: not there; python -m tunesmith.experiments.questions tuned makes it"
        )
    return {part["name"]: part for part in found["parts"]}


def _row(name: str, asked: dict[str, Any]) -> list[str]:
    game = game_registry.load(name)
    tuned = weight_files.load("tuned", game)
    own = [proof for proof in tuned.proof if proof.get("candidate") == tuned.digest]
    if not own:
        raise InputError(f"tuned weights of {name}: expected a proof of them, found none")
    proof = own[-1]
    if asked[name]["weights"][0] != tuned.digest:
        raise InputError(f"tuned.json: answers for other weights of {name}; ask again")
    by_limit = {one["limit"]: one for one in asked[name]["figures"]}
    gain = proof["gain"]
    deep, timed = list(by_limit.values())[-2:]
    return [
        f"`{name}`",
        f"**{gain['elo']:+.0f} ± {gain['elo_half_width']:.0f}** ({gain['limit']})",
        f"{gain['games']:,}",
        _cell(deep),
        _cell(timed),
        f"`{tuned.digest[:12]}`",
    ]


def _cell(one: dict[str, Any]) -> str:
    return f"{one['elo']:+.0f} ± {one['elo_half_width']:.0f} ({one['limit']})"


def table() -> str:
    """Return the table as Markdown."""
    return "\n".join(markdown(HEADER, rows()))


if __name__ == "__main__":
    try:
        print(table())
    except TunesmithError as error:
        sys.exit(f"error: {error}")
