"""A made-up gauntlet with a circle."""

from pathlib import Path

from tunesmith.tuning.documents.tournaments import GauntletResult
from tunesmith.tuning.stats.elo import estimate


def circle() -> GauntletResult:
    """A made-up gauntlet in which three players beat each other in a circle, and one was met by nobody."""
    names = ["rock <b>", "paper", "scissors", "spectator"]
    counts = [1, 2, 10, 20, 40]
    found = estimate(counts)
    row = {
        "counts": counts, "pairs": 73, "games": 146, "score": found.score, "elo": found.elo, "elo_low": found.elo_low,
        "elo_high": found.elo_high, "los": 1.0, "draws": 0.2, "distinct": 140, "faults": 0, "capped": 0, "warnings": [],
    }  # fmt: skip
    ahead = [("rock <b>", "scissors"), ("paper", "rock <b>"), ("scissors", "paper")]
    terms = {
        "game": "kalah", "pairs": 73, "limit": "nodes:40", "seed": 0, "plies": 6, "max_score": 50.0, "hash_mb": 1,
        "first_only": False, "allow_variant": False, "pairings": "round robin",
    }  # fmt: skip
    content = {
        "format": "tunesmith-gauntlet",
        "game": "kalah",
        "terms": terms,
        "draws_as": "half",
        "nu": None,
        "openings": None,
        "level": 0.95,
        "resamples": 1000,
        "anchor": None,
        "players": [
            {
                "name": name, "digest": "d" * 64, "options": {}, "group": int(name == "spectator"),
                "limit": "nodes:40", "elo": 0.0, "low": -20.0, "high": 25.0,
                "games": 292, "wins": 100, "draws": 92, "losses": 100, "score": None if name == "spectator" else 0.5,
            }
            for name in names
        ],
        "pairings": [{"first": a, "second": b, **row} for a, b in ahead],
        "first_move": {"elo": 12.0, "low": -3.0, "high": 30.0},
        "superior": [[0.5 if i == j else None if 3 in (i, j) else 0.4 for j in range(4)] for i in range(4)],
        "cycles": [["rock <b>", "scissors", "paper"]],
        "notes": ["cannot be compared, no games connect them: rock <b>, paper, scissors | spectator"],
    }  # fmt: skip
    return GauntletResult.of(content, Path("gauntlet.json"))
