"""A user's game and weights with and without a proof, for tests of what may be called tuned."""

from dataclasses import replace
from pathlib import Path

from tunesmith.engine import weights as weight_files
from tunesmith.engine.source import code_digest
from tunesmith.engine.weights import Weights
from tunesmith.games.game import Game


def changed(game: Game, scale: float) -> Weights:
    """Hand-made weights with another scale: other weights, another digest."""
    return replace(weight_files.load("hand", game), scale=scale)


def proven(game: Game, scale: float, against: str = "hand", **changes: object) -> Weights:
    """Weights with a proof against a baseline."""
    made = changed(game, scale)
    proof = {
        "sentence": f"mine: the tuned weights are stronger than {against}: +{scale:.0f} Elo.",
        "outcome": "stronger",
        "decision": "H1",
        "candidate": made.digest,
        "baseline": {"name": against, "digest": weight_files.load(against, game).digest, "options": {}},
        "game": game.spec,
        "code": code_digest(game),
    }
    return made.with_proof({**proof, **changes})


def saved(weights: Weights, folder: Path, name: str = "new.json") -> Path:
    path = folder / name
    weight_files.save(weights, path)
    return path


def tuned(game: Game) -> Weights:
    return weight_files.load("tuned", game)
