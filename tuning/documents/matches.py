"""Matches, the verdict that they come to, and the path of the generations.

Counts are of pairs, worst first, from the view of the candidate or the first-named player; Elo with 95 % intervals."""

import math
import shlex
from pathlib import Path
from typing import Literal

from tunesmith.tuning.documents.document import Document
from tunesmith.tuning.stats.elo import Estimate, Outcome

FOLDER = "STUDY"  # stands for the study's folder, which may move
Decision = Literal["H1", "H0", "inconclusive"]


class Digest(Document):
    """Weights by the digest of what they say."""

    digest: str


class Named(Document):
    """Weights by the name that the study gives them, and their digest."""

    name: str
    digest: str


class MachineLoad(Document):
    """How busy the machine was while games under a time limit were played (`load.json`); see `play.load`.

    games: how many. mean: of the load besides the workers. cores: of the machine. reserved: the workers ran with
    real-time priority, so that no other program took a core from them.
    """

    games: int
    mean: float
    cores: int
    workers: int
    reserved: bool


class Summary(Document):
    """What some games amount to.

    games, pairs, distinct_games: rows, different pair numbers, different sequences of moves. results and
    result_shares: of {"first", "draw", "second"}, wins of the first player, draws, wins of the second.
    first_player_share: mean result of the first player, 0 to 1 (None without results), and the half width of its
    95 % interval, by pairs (None for fewer than two). ends: number of games
    by reason; faults keep theirs, adjudicated games have a result. mean_length: moves of a game with a result,
    opening included. warnings: sentences for the reader.
    """

    games: int
    pairs: int
    distinct_games: int
    results: dict[str, int]
    result_shares: dict[str, float]
    first_player_share: float | None
    first_player_half_width: float | None
    capped: int
    adjudicated: int
    faults: int
    ends: dict[str, int]
    mean_length: float | None
    warnings: list[str]

    def _wrong_here(self) -> str | None:
        known = sum(self.results.values())
        for name, share in self.result_shares.items():
            right = self.results.get(name, 0) / max(1, known)
            if not math.isclose(share, right, abs_tol=1e-6):
                return f"result_shares.{name}: expected {right:g}, by the results {self.results}, found {share:g}"
        if sum(self.ends.values()) != self.games:
            return f"games: expected {sum(self.ends.values())}, by their ends {self.ends}, found {self.games}"
        return super()._wrong_here()


class Terms(Document):
    """A sequential test as it was fixed before the first game, and what was to be expected of it.

    alpha, beta: error rates without the limit of pairs. Lengths in pairs, on average, without that limit. accepted,
    rejected, undecided: probabilities of how it ends within the limit if the gain is `elo1`. resolvable: the least
    gain that is accepted within the limit in nine of ten tests, and pairs_to_resolve the limit that does so for
    `elo1`; None if there is none.
    """

    elo0: float
    elo1: float
    alpha: float
    beta: float
    model: Literal["normalized", "logistic", "bayesian"]
    max_pairs: int | None
    lower: float
    upper: float
    expected_pairs: float
    longest_pairs: float
    resolvable: float | None
    accepted: float | None = None
    rejected: float | None = None
    undecided: float | None = None
    pairs_to_resolve: int | None = None


class AfterTest(Document):
    """The estimate that allows for the stop; `estimate` beside it is the plain one."""

    elo: float
    elo_low: float
    elo_high: float
    los: float
    meaning: str


class Match(Document):
    """Who met whom, and how it came out; seen from the candidate."""

    name: str
    opponent: Named
    candidate: Digest
    limit: str
    counts: list[int]
    estimate: Estimate
    games_needed: int | None


class Run(Summary, Match):
    """A match on openings that nothing else used (`verify/*.json`, `check/*.json`).

    `path`: [pairs, log-likelihood ratio] points of a sequential test; a fixed number of pairs has neither path nor
    decision. `load`: of the machine, for a limit in time.
    """

    kind: Literal["sequential", "fixed"]
    sprt: Terms | None
    decision: Decision | None
    after_test: AfterTest | None = None
    path: list[tuple[int, float]]
    load: MachineLoad | None = None


# --- verdict


class Baseline(Document):
    """The weights to beat; `options` are those on top of the file's own: part of the digest."""

    name: str
    digest: str
    options: dict[str, bool | int | float | str]


class Gain(Document):
    """The measured gain, in Elo with its 95 % interval, at a limit in so many games; `run` measured it."""

    run: str
    elo: float
    elo_half_width: float
    elo_low: float
    elo_high: float
    nelo: float
    limit: str
    games: int


class BriefRun(Document):
    """A run in the verdict: a plain figure with its half width, for a stopped test the figure that allows for it."""

    name: str
    opponent: Named
    limit: str
    counts: list[int]
    pairs: int
    elo: float
    half_width: float
    after_test: AfterTest | None
    decision: Decision | None


class Reason(Document):
    """Why no gain was shown, most likely, and the command that comes next, in which STUDY is the study's folder."""

    cause: Literal["games", "features", "speed", "weaker"]
    sentence: str
    command: str

    def words(self, root: Path) -> list[str]:
        """Return both as lines for people, of a study in `root`."""
        return [f"why      {self.sentence}", f"next     {self.command_in(root)}"]

    def command_in(self, root: Path | str) -> str:
        """Return the command for a study in `root`."""
        return self.command.replace(FOLDER, shlex.quote(str(root)))


class Verdict(Document):
    """What the runs say together (`verdict.json`); `candidate` is a digest. `reason`: where no gain is shown.

    edition: of the openings, of which no two editions share one; verdicts before there were editions are of the first.
    """

    sentence: str
    outcome: Outcome
    candidate: str
    baseline: Baseline
    game: str
    code: str
    decision: Decision | None
    gain: Gain
    runs: list[BriefRun]
    seed: int
    command: str
    report: str
    openings: str
    edition: int = 1
    reason: Reason | None = None

    def _wrong_here(self) -> str | None:
        for run in self.runs:
            if run.name == self.gain.run and not math.isclose(run.elo, self.gain.elo, abs_tol=1e-6):
                return f"gain.elo: expected {run.elo:g}, that of the run {run.name}, found {self.gain.elo:g}"
        return None


# --- generations


class Step(Document):
    """A generation: who played it, what was fitted, and what the check said.

    is_kept: the check did not show it to be worse. step: Elo over the weights that played, as match and held-out loss
    together tell (`stats.generations`). left: Elo that the generations to come were expected to bring.
    """

    generation: int
    player: str
    made: str
    check: Run | None
    is_kept: bool
    step: float | None = None
    left: float | None = None


class Generations(Document):
    """The path of a study and the weights that came of it (`generations.json`)."""

    chosen: str
    digest: str
    path: list[Step]
    stopped: str | None = None  # why not all generations were played


# --- audits


class AuditedGame(Document):
    """An adjudicated game that was played on: verdict and result of the first player, moves then and in the end."""

    pair: int
    game: int
    verdict: int
    result: int | None
    reason: str
    moves: int
    moves_in_all: int


class AuditTerms(Document):
    """What an audit is about. `sample`: [pair, game] of the games that were drawn; players, limits, and the rule."""

    sample: list[list[int]]
    players: list[str]
    limits: list[str]
    score: float
    plies: int


class Audit(AuditTerms):
    """How often adjudication decided wrongly (`audit.json`); `share` of wrong verdicts with its interval."""

    games: int
    adjudicated: int
    played: int
    no_result: int
    wrong: int
    drawn: int
    reversed: int
    share: float
    low: float
    high: float
    level: float
    ends: list[AuditedGame]


# --- faults


class FaultLine(Document):
    """A game that ended by a fault, with all that is needed to play it again (a line of `faults.jsonl`)."""

    pair: int
    game: int
    seed: int
    opening: str
    n_opening: int
    moves: list[int]
    players: list[str]
    reason: str
