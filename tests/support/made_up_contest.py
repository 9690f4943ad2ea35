"""Contests without games: pairs come out as they are told to, the statistics and verdicts are the real ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tunesmith.engine import weights as weight_files
from tunesmith.games import registry
from tunesmith.games.game import Game
from tunesmith.tuning.documents.matches import Digest, Run
from tunesmith.tuning.play.matchup import Matchup, PlayedGame
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.records import Games, to_table
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.proof.contest import Contest, decide, measure
from tunesmith.tuning.proof.verdict import judge, sentence
from tunesmith.tuning.stats.sprt import Sprt

GAMES = {0: (-1, -1), 1: (-1, 0), 2: (0, 0), 3: (1, 0), 4: (1, 1)}  # results of the first-named player


@dataclass(frozen=True)
class MadeUpContest(Contest):
    """Pair p comes out as `results[p]` says (0 LL ... 4 WW); `asked` notes how many pairs were wanted."""

    results: Sequence[int] = ()
    asked: tuple[list[int], ...] = ()

    def play(self, pairs: int) -> Games:
        """Return the games of pairs 0 .. pairs - 1."""
        for note in self.asked:
            note.append(pairs)
        return games_of(self.results[:pairs])


def games_of(results: Sequence[int]) -> Games:
    """Return two games of each pair, which come out as they are told to."""
    rows = [
        PlayedGame(
            pair, game, 0, 0, np.array([pair, game]), np.zeros(2, np.float32), result * (1 - 2 * game), "end"
        )
        for pair, kind in enumerate(results)
        for game, result in enumerate(GAMES[kind])
    ]
    return Games(to_table(rows, {p: str(p) for p in range(len(results))}, ("a", "b"), {}), {}, 0)


def contest(results: Sequence[int], name: str = "main", asked: tuple[list[int], ...] = ()) -> MadeUpContest:
    """Return a contest of as many openings as results."""
    game: Game = registry.load("kalah")
    hand = weight_files.load("hand", game)
    openings = [Opening((at,), str(at)) for at in range(len(results))]
    return MadeUpContest(
        name, Matchup("kalah", hand, hand, ("nodes:1000", "nodes:1000"), 1), "hand", openings, Path("no-games"),
        Resources(), results=results, asked=asked,
    )  # fmt: skip


def proven(test: Sprt, main: Sequence[int], measured: Sequence[int]) -> tuple[str, str, Run]:
    """Return outcome and sentence of a proof, and the test's record."""
    same = [decide(contest(main), test), measure(contest(measured, "measure"))]
    runs = [run.model_copy(update={"candidate": Digest(digest="other than hand")}) for run in same]
    outcome = judge(*runs)
    return outcome, sentence("kalah", "hand", outcome, runs), runs[0]
