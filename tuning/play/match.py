"""Matches and self-play outside a study: from names of weights to games and a result in words."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tunesmith import games as game_registry
from tunesmith.engine import book as book_files
from tunesmith.engine import weights as weight_files
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.config import DEFAULTS
from tunesmith.tuning.play import adjudication, selfplay, store
from tunesmith.tuning.play import openings as choose_openings
from tunesmith.tuning.play.matchup import Matchup, Rival
from tunesmith.tuning.play.openings import file
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.summary import by_opponent
from tunesmith.tuning.stats import elo

Progress = Callable[[str, int, int], None]


def play_match(
    spec: str,
    first: str,
    second: str,
    *,
    pairs: int | None,
    limit: str,
    seed: int,
    jobs: int,
    backend: str,
    plies: int,
    max_score: float,
    folder: Path | None,
    hash_mb: int,
    allow_variant: bool,
    options: tuple[dict[str, Any], dict[str, Any]] = ({}, {}),
    second_limit: str | None = None,
    books: tuple[Path | None, Path | None] = (None, None),
    openings_file: Path | None = None,
    all_openings: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Play `pairs` openings twice each; return counts from the first-named player's view, estimate and facts.

    `options` are search options of the two players, on top of those of their weight files; `second_limit`
    is for the second player if it differs; `books` are files with the players' opening books. With an
    `openings_file`, games begin as it says, by default with every opening that it holds for verification, or
    with `all_openings` for any purpose.
    """
    game = game_registry.load(spec)
    first_book, second_book = (book_files.load(path, game) if path else None for path in books)
    a, b = (
        weight_files.with_options(weight_files.load(name, game, allow_variant), changes)
        for name, changes in zip((first, second), options, strict=True)
    )
    purpose = file.ALL if all_openings else "verify"
    known = file.read(game, openings_file) if openings_file else None
    openings = beginnings(game, judge(game, a, b), known, purpose, pairs, plies, seed, max_score)
    pairs = len(openings)
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as scratch:
        where = folder or Path(scratch)
        selfplay.play(
            spec,
            a,
            b,
            limit=limit,
            second_limit=second_limit,
            books=(first_book, second_book),
            openings=openings,
            pairs=range(pairs),
            seed=seed,
            folder=where,
            jobs=jobs,
            backend=backend,
            hash_mb=hash_mb,
            progress=progress,
        )
        played = store.read_games(where, range(pairs))
    results = store.pair_results(played)
    counts = list(results.counts)
    return {
        "game": game.spec,
        "first": {"name": first, "digest": a.digest, "options": a.options},
        "second": {"name": second, "digest": b.digest, "options": b.options},
        "limit": limit,
        "second_limit": second_limit or limit,
        "counts": counts,
        "pairs": sum(counts),
        **asdict(elo.estimate(counts)),
        "games_needed": elo.games_needed(counts),
        "openings": known and known.facts(),
        "summary": store.summarise(played, pairs).content(),
    }


def judge(game: Game, *players: Weights) -> Weights:
    """Return who judges openings: the first player that is not simple, else the game's `hand` weights."""
    known = [weights for weights in players if not weights.is_simple]
    if not known and game.folder is not None and (game.folder / "weights" / "hand.json").is_file():
        known = [weight_files.load("hand", game, allow_variant=True)]
    return (*known, *players)[0]


def beginnings(
    game: Game,
    judge: Weights,
    known: file.OpeningFile | None,
    purpose: str,
    pairs: int | None,
    plies: int,
    seed: int,
    max_score: float,
) -> list[Opening]:
    """Return an opening for each pair; without a number of pairs all that a file has for the purpose, or 100."""
    if pairs is None:
        pairs = 100 if known is None else max(1, known.count(purpose))
    return choose_openings.choose_openings(
        game, judge, plies=plies, count=pairs, purpose=purpose, seed=seed, max_score=max_score, file=known
    )


def play_self(
    spec: str,
    name: str,
    *,
    pairs: int | None,
    limit: str,
    seed: int,
    jobs: int,
    backend: str,
    plies: int,
    max_score: float,
    noise: tuple[int, int],
    folder: Path,
    hash_mb: int,
    allow_variant: bool,
    debug: bool = False,
    openings_file: Path | None = None,
    opponents: Sequence[str] = (),
    adjudicate: tuple[float, int] = (0.0, 0),
    audited: int = 0,
    move_cap: int = DEFAULTS.play.move_cap,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Write a player's games to `folder`, against itself and against opponents; return what is there.

    `opponents` are `NAME` or `NAME:SHARE` of the pairs; those without a share and the player itself divide the
    rest evenly. `audited` of the games that `adjudicate` decided are played on (`tuning.play.adjudication`).
    """
    game = game_registry.load(spec)
    weights = weight_files.load(name, game, allow_variant)
    mates = [
        (own, Rival(weight_files.load(own, game, allow_variant), share)) for own, share in shares(opponents)
    ]
    known = file.read(game, openings_file) if openings_file else None
    openings = beginnings(game, judge(game, weights), known, "train", pairs, plies, seed, max_score)
    pairs = len(openings)
    rivals = tuple(rival for _, rival in mates)
    matchup = Matchup(
        spec,
        weights,
        weights,
        (limit, limit),
        seed,
        noise,
        move_cap,
        hash_mb,
        debug=debug,
        rivals=rivals,
        adjudicate=adjudicate,
    )
    selfplay.play_matchup(matchup, openings, range(pairs), folder, jobs, backend, progress=progress)
    played = store.read_games(folder, range(pairs))
    checked = adjudication.audit(folder, matchup, audited, jobs, backend, played) if adjudicate[1] else None
    names = {rival.weights.digest: own for own, rival in reversed(mates)} | {weights.digest: name}
    return {
        "folder": str(folder),
        "digest": weights.digest,
        "openings": known and known.facts(),
        "opponents": [
            _opponent(names.get(digest, digest), digest, own) for digest, own in by_opponent(played)
        ],
        "audit": checked,
        **store.summarise(played, pairs).content(),
    }


def shares(opponents: Sequence[str]) -> list[tuple[str, float]]:
    """Return names and shares of `NAME` or `NAME:SHARE`; names without a share divide the rest with the player."""
    found: list[tuple[str, float | None]] = []
    for text in opponents:
        name, colon, share = text.rpartition(":")
        try:
            found.append((name, float(share)) if colon else (text, None))
        except ValueError:  # the colon belongs to the name
            found.append((text, None))
    given = [share for _, share in found if share is not None]
    if any(not 0 < share <= 1 for share in given) or sum(given) > 1 + 1e-9:
        raise InputError(
            "--opponent: expected NAME or NAME:SHARE, shares above 0 that sum to at most 1, found "
            f"{' '.join(opponents)}"
        )
    rest = (1 - sum(given)) / (len(found) - len(given) + 1)
    if rest <= 0 < len(found) - len(given):
        raise InputError(f"--opponent: expected a share left for all, found {' '.join(opponents)}")
    return [(name, rest if share is None else share) for name, share in found]


def _opponent(name: str, digest: str, games: store.Games) -> dict[str, Any]:
    """Return what came of the pairs against an opponent; the score is the player's, of a pair."""
    counts = list(store.pair_results(games).counts)
    score = elo.moments(counts).score if sum(counts) else None
    return {"name": name, "digest": digest, "games": len(games), "pairs": sum(counts), "score": score}


def words(found: dict[str, Any]) -> list[str]:
    """Return a match's result as lines: stronger, weaker or not shown, with intervals and counts."""
    summary = found["summary"]
    a, b = (_player_words(found, which) for which in ("first", "second"))
    low, high = found["elo"] - found["elo_half_width"], found["elo"] + found["elo_half_width"]
    if low > 0:
        claim = f"{a} is stronger than {b}"
    elif high < 0:
        claim = f"{a} is weaker than {b}"
    else:
        claim = f"not shown that {a} and {b} differ"
        if found["games_needed"]:
            claim += f"; a difference like this one needs about {found['games_needed']:,.0f} games"
    lines = [
        f"{claim}: {found['elo']:+.1f} ± {found['elo_half_width']:.1f} Elo, "
        f"score {100 * found['score']:.1f} %, {found['pairs']:,} pairs at {found['limit']}",
        "pairs LL LD DD+WL WD WW: " + " ".join(str(count) for count in found["counts"]),
        f"normalised Elo {found['nelo']:+.1f} ± {found['nelo_half_width']:.1f}, LOS {100 * found['los']:.1f} %",
        f"games {summary['games']:,}, distinct {summary['distinct_games']:,}, faults {summary['faults']}, "
        f"capped {summary['capped']}, {_first_player(summary)}",
    ]
    return [*lines, *opening_words(found["openings"]), *summary["warnings"]]


def self_words(found: dict[str, Any]) -> list[str]:
    """Return what there is to say of self-play besides its counts, as lines."""
    lines = opening_words(found["openings"])
    if len(found["opponents"]) > 1:
        for row in found["opponents"]:
            score = "no result" if row["score"] is None else f"scored {100 * row['score']:.1f} %"
            lines.append(f"against {row['name']}: {row['pairs']} pairs, {score}")
    return [*lines, *([adjudication.words(found["audit"])] if found["audit"] else [])]


def opening_words(facts: dict[str, Any] | None) -> list[str]:
    """Return what a file of openings held, as lines."""
    return [] if facts is None else file.describe(facts)


def _first_player(summary: dict[str, Any]) -> str:
    share, half_width = summary["first_player_share"], summary["first_player_half_width"]
    if share is None:
        return "no results"
    interval = "" if half_width is None else f" ± {100 * half_width:.1f}"
    return f"first player scored {100 * share:.1f}{interval} %"


def _player_words(found: dict[str, Any], which: str) -> str:
    """Return a player's name, with what sets its search and limit apart."""
    player = found[which]
    parts = [f"{name}={value}" for name, value in player["options"].items()]
    if which == "second" and found["second_limit"] != found["limit"]:
        parts.append(found["second_limit"])
    return f"{player['name']} ({', '.join(parts)})" if parts else str(player["name"])
