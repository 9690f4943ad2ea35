"""Matches and self-play outside a study: from players to games and a result in words."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import FaultError, InputError
from tunesmith.games.game import Game
from tunesmith.games.texts import counted
from tunesmith.tuning.config import Openings
from tunesmith.tuning.documents.matches import Summary
from tunesmith.tuning.documents.tournaments import (
    MatchPlayer,
    MatchResult,
    OpeningFacts,
    OpponentScore,
    SelfPlay,
)
from tunesmith.tuning.files import require_folder
from tunesmith.tuning.play import adjudication, load, playable, selfplay, store
from tunesmith.tuning.play.matchup import Matchup
from tunesmith.tuning.play.openings import choose_openings, file
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.summary import Outline, by_opponent, pair_results, summarise
from tunesmith.tuning.stats import elo
from tunesmith.tuning.stats.words import further_words, judged


@dataclass(frozen=True)
class Beginnings:
    """How games begin: from random openings, or from those of a file.

    Attributes
    ----------
    pairs
        Number of openings, each played twice; None: all that the file has for the purpose, or 100.
    plies, max_score
        Random moves of an opening, and the Elo that it is balanced to within.
    """

    pairs: int | None
    plies: int
    max_score: float
    file: Path | None = None

    def choose(
        self, game: Game, judge: Weights, purpose: str, seed: int
    ) -> tuple[list[Opening], OpeningFacts | None]:
        """Return an opening for each pair, and what there is to say of the file, None without one."""
        known = file.read(game, self.file) if self.file else None
        pairs = self.pairs
        if pairs is None:
            pairs = 100 if known is None else max(1, known.count(purpose))
        found = choose_openings(
            game,
            judge,
            Openings(plies=self.plies, max_score=self.max_score),
            count=pairs,
            purpose=purpose,
            seed=seed,
            file=known,
        )
        return found, None if known is None else known.facts()


def play_match(
    matchup: Matchup,
    names: tuple[str, str],
    beginnings: Beginnings,
    resources: Resources,
    folder: Path | None = None,
    purpose: str = "verify",
) -> MatchResult:
    """Play a match; return counts from the first-named player's view, estimate and facts.

    `names` are what the players are called. Games go to `folder`, or nowhere. Of a file of openings those
    for a `purpose` are played (`ALL`: for any).
    """
    game = game_registry.load(matchup.game)
    playable.check_players(matchup, game)
    if folder is not None:
        require_folder(folder)
    openings, facts = beginnings.choose(
        game, judge(game, matchup.first, matchup.second), purpose, matchup.seed
    )
    pairs = range(len(openings))
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as scratch:
        where = folder or Path(scratch)
        selfplay.play(matchup, openings, pairs, where, resources, " - ".join(names))
        played, busy = Outline.of(store.read_blocks(where, pairs)), load.find(where)
    if len(played) and played.is_fault.all():
        raise FaultError(f"every game ended by a fault of the game; the first: {played.reasons[0]}")
    counts = list(pair_results(played).counts)
    first, second = (
        MatchPlayer(name=name, digest=player.digest, options=player.options)
        for name, player in zip(names, (matchup.first, matchup.second), strict=True)
    )
    return MatchResult(
        game=game.spec,
        first=first,
        second=second,
        limit=matchup.limits[0],
        second_limit=matchup.limits[1],
        counts=counts,
        pairs=sum(counts),
        estimate=elo.estimate(counts),
        games_needed=elo.games_needed(counts),
        openings=facts,
        summary=summarise(played, len(pairs)),
        **({} if busy is None else {"load": busy}),
    )


def judge(game: Game, *players: Weights) -> Weights:
    """Return who judges openings: the first player that is not simple, else the game's `hand` weights."""
    known = [weights for weights in players if not weights.is_simple]
    if not known and game.folder is not None and (game.folder / "weights" / "hand.json").is_file():
        known = [weight_files.load("hand", game, allow_variant=True)]
    return (*known, *players)[0]


def play_self(
    matchup: Matchup,
    names: Mapping[str, str],
    beginnings: Beginnings,
    resources: Resources,
    folder: Path,
) -> SelfPlay:
    """Write a player's games to `folder`, against itself and against its opponents; return what is there.

    `names` are what players are called, by their digests. Some of the games that were adjudicated are played on
    (`tuning.play.adjudication`).
    """
    game = game_registry.load(matchup.game)
    playable.check_players(matchup, game)
    require_folder(folder)
    openings, facts = beginnings.choose(game, judge(game, matchup.first), "train", matchup.seed)
    pairs = range(len(openings))
    selfplay.play(matchup, openings, pairs, folder, resources)
    played = Outline.of(store.read_blocks(folder, pairs))
    checked = None
    if matchup.adjudicate is not None:
        games = store.read_games(folder, pairs)
        checked = adjudication.audit(folder, matchup, matchup.adjudicate.audit, resources, games)
    return SelfPlay(
        folder=str(folder),
        digest=matchup.first.digest,
        openings=facts,
        opponents=[_opponent(names.get(digest, digest), digest, own) for digest, own in by_opponent(played)],
        audit=checked,
        **dict(summarise(played, len(pairs))),
    )


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


def _opponent(name: str, digest: str, games: Outline) -> OpponentScore:
    """Return what came of the pairs against an opponent; the score is the player's, of a pair."""
    counts = list(pair_results(games).counts)
    score = elo.moments(counts).score if sum(counts) else None
    return OpponentScore(name=name, digest=digest, games=len(games), pairs=sum(counts), score=score)


def words(found: MatchResult) -> list[str]:
    """Return a match's result as lines: stronger, weaker or not shown, with intervals and counts."""
    summary = found.summary
    a, b = (_player_words(found, which) for which in ("first", "second"))
    lines = [
        f"{judged(a, b, found.estimate, found.games_needed)}, "
        f"score {100 * found.estimate.score:.1f} %, {counted(found.pairs, 'pair')} at {found.limit}",
        "pairs LL LD DD+WL WD WW: " + " ".join(str(count) for count in found.counts),
        further_words(found.estimate),
        f"games {summary.games:,}, distinct {summary.distinct_games:,}, faults {summary.faults}, "
        f"capped {summary.capped}, {_first_player(summary)}",
        *([] if found.load is None else [f"load of the machine: {load.words(found.load)}"]),
    ]
    return [*lines, *opening_words(found.openings), *summary.warnings]


def self_words(found: SelfPlay) -> list[str]:
    """Return what there is to say of self-play besides its counts, as lines."""
    lines = opening_words(found.openings)
    if len(found.opponents) > 1:
        for row in found.opponents:
            score = "no result" if row.score is None else f"scored {100 * row.score:.1f} %"
            lines.append(f"against {row.name}: {counted(row.pairs, 'pair')}, {score}")
    return [*lines, *([adjudication.words(found.audit)] if found.audit else [])]


def opening_words(facts: OpeningFacts | None) -> list[str]:
    """Return what a file of openings held, as lines."""
    return [] if facts is None else file.describe(facts)


def _first_player(summary: Summary) -> str:
    share, half_width = summary.first_player_share, summary.first_player_half_width
    if share is None:
        return "no results"
    interval = "" if half_width is None else f" ± {100 * half_width:.1f}"
    return f"first player scored {100 * share:.1f}{interval} %"


def _player_words(found: MatchResult, which: str) -> str:
    """Return a player's name, with what sets its search and limit apart."""
    player = found.first if which == "first" else found.second
    parts = [f"{name}={value}" for name, value in player.options.items()]
    if which == "second" and found.second_limit != found.limit:
        parts.append(found.second_limit)
    return f"{player.name} ({', '.join(parts)})" if parts else player.name
