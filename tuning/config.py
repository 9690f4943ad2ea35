"""What can a study say, and what holds where it says nothing?

Defaults stand here and nowhere else; `settings_file` reads the TOML. Paths in a study file resolve against the file's
own folder, never against the current one."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.searcher import DEFAULT_HASH_MB
from tunesmith.games import registry
from tunesmith.games.errors import InputError
from tunesmith.tuning.files import read_object
from tunesmith.tuning.settings_file import Flat, flatten, load_as


def _limit(text: str) -> str:
    return str(parse_limit(text))


def _options(values: dict[str, Any]) -> dict[str, Any]:
    SearchOptions.from_mapping(values)
    return values


# More pairs than this need no measurement and more memory than a machine has: they are a slip of the hand.
MOST_PAIRS = 10_000_000
MOST_EDITIONS = 10  # of openings: the last keeps 0.7 % of all positions for its proof
SEED_PARTS = 1000  # a study's parts take the seeds from seed * SEED_PARTS on; a game's seed has 63 bits

STRONGEST = "strongest"  # an opponent: the strongest weights that a game ships besides those that meet
TUNED, HAND = "tuned", "hand"

LimitText = Annotated[str, AfterValidator(_limit)]
Seed = Annotated[int, Field(ge=0, lt=2**63 // SEED_PARTS)]
HashMb = Annotated[int, Field(ge=1, le=65536)]
MoveCap = Annotated[int, Field(ge=2, le=100_000)]
SamplerName = Literal["auto", "random", "qmc", "tpe", "cma-es", "gp", "spsa", "clop"]
OptionSection = Annotated[dict[str, Any], AfterValidator(_options)]


class Strict(BaseModel):
    """Settings of which none is unknown and none is converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Openings(Strict):
    """How games begin: `plies` random moves, then balanced to within `max_score` Elo by a shallow search.

    Or as a `file` says (`tuning.play.openings.file`), which counts from the folder of the study file. No opening that
    one `edition` keeps for the proof serves the proof of another (`tuning.play.openings.opening`).
    """

    plies: int = Field(6, ge=0, le=60)
    max_score: float = Field(150.0, gt=0)
    edition: int = Field(1, ge=1, le=MOST_EDITIONS)
    file: str | None = Field(None, min_length=1)


class OpponentShare(Strict):
    """Who plays a share of the pairs: a player (`tuning.play.player`), `baseline`, `previous` or `strongest`."""

    weights: str
    share: float = Field(gt=0, le=1)


def _mix(opponents: list[OpponentShare]) -> list[OpponentShare]:
    total = sum(opponent.share for opponent in opponents)
    if total > 1 + 1e-9:
        raise ValueError(f"expected shares that sum to at most 1, found {total:g} in all")
    return opponents


class Adjudicate(Strict):
    """Games whose players agree on `score` (Elo) for so many `plies` each are decided; `audit` are played on."""

    score: float = Field(1500.0, gt=0)
    plies: int = Field(6, ge=1, le=1000)
    audit: int = Field(100, ge=0, le=100_000)


class Play(Strict):
    """Self-play that the fit learns from.

    learn_from: which games a later generation's fit sees: `all` so far, with the baseline as prior, or the `newest`
    alone, with the weights that played them as prior: what older ones taught is in these.
    stop_below: Elo; generations end once all that are left are expected to bring less (`stats.generations.left`); 0:
    all are played.
    """

    limit: LimitText = "nodes:1000"
    pairs: int = Field(2000, ge=1, le=MOST_PAIRS)
    generations: int = Field(2, ge=1, le=20)
    check_pairs: int = Field(100, ge=0, le=1_000_000)
    learn_from: Literal["all", "newest"] = "all"
    stop_below: float = Field(0.0, ge=0)
    noise: float = Field(0.1, ge=0, le=1)
    noise_plies: int = Field(20, ge=0, le=1000)
    move_cap: MoveCap = 1000
    opponents: Annotated[list[OpponentShare], AfterValidator(_mix)] = Field(default_factory=list)
    adjudicate: Adjudicate | None = None

    @model_validator(mode="after")
    def _stops_by_checks(self) -> Self:
        if self.stop_below and not self.has_checks:
            raise ValueError(
                "stop_below counts in the Elo of the checks between generations: expected generations of at least 2 "
                f"and check_pairs above 0, found {self.generations} and {self.check_pairs}"
            )
        if self.stop_below and self.learn_from == "newest":
            raise ValueError(
                "stop_below reckons with fits to all games so far: expected learn_from = 'all', found 'newest'"
            )
        return self

    @property
    def has_checks(self) -> bool:
        """Whether generations are compared: with a single one nothing depends on it."""
        return self.check_pairs > 0 and self.generations > 1

    @property
    def openings(self) -> int:
        """How many openings all generations and their checks take."""
        return self.generations * (self.pairs + (self.check_pairs if self.has_checks else 0))


Texts = Annotated[tuple[str, ...], Field(strict=False)]  # TOML has lists


class FitOptions(Strict):
    """A regression: its loss, what holds the weights, and what they may be (names as in `tuning.fit.constraints`).

    blend: label = blend * result + (1 - blend) * expected result of the score; auto: chosen with the ridge, by the
    results of games that the fit did not see. held_out: share of the pairs, or games, that only judge. only: everything
    else is fixed. round: write multiples of it, 0: no rounding.
    """

    loss: Literal["cross-entropy", "squared-error"] = "cross-entropy"
    draws: bool = False
    ridge: Annotated[float, Field(ge=0, le=1e12)] | Literal["auto"] = "auto"
    blend: Annotated[float, Field(ge=0, le=1)] | Literal["auto"] = "auto"
    held_out: float = Field(0.2, gt=0, le=0.9)
    fixed: Texts = ()
    only: Texts = ()
    bounds: Texts = ()
    orders: Texts = ()
    ties: Texts = ()
    round: float = Field(0.0, ge=0)
    min_rows: int = Field(
        30, ge=0
    )  # below, a weight's error exceeds 60 Elo even if the rows were independent
    keep_near_labels: bool = False

    @property
    def uses_scores(self) -> bool:
        """Whether labels may be blended with scores; where draws are outcomes, scores are none."""
        return self.blend != 1 and not self.draws


class GameFitOptions(FitOptions):
    """The section [fit]: also which positions of the games the regression sees, and the unit of a prior."""

    positions_per_game: int = Field(40, ge=1, le=1000)
    quiet: Literal["off", "game", "score", "resolve"] = "off"
    quiet_margin: float = Field(50.0, ge=0)
    max_score: float = Field(1200.0, gt=0)
    anchor: Literal["baseline", "elo"] = "baseline"


class Verify(Strict):
    """The proof: a sequential test, then fixed numbers of pairs to measure, all on unused openings.

    opponents: `strongest` stands for who `strongest` names, where there is one.
    """

    limit: LimitText = "nodes:1000"
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = Field(0.05, gt=0, lt=0.5)
    beta: float = Field(0.05, gt=0, lt=0.5)
    model: Literal["normalized", "logistic", "bayesian"] = "normalized"
    max_pairs: int = Field(4000, ge=2, le=MOST_PAIRS)
    measure_pairs: int = Field(500, ge=2, le=MOST_PAIRS)
    second_limit: LimitText = "nodes:4000"
    second_pairs: int = Field(200, ge=0, le=MOST_PAIRS)
    opponents: list[str] = Field(default_factory=lambda: [STRONGEST])
    opponent_pairs: int = Field(200, ge=2, le=MOST_PAIRS)


def strongest(game: str, but: Collection[str] = ()) -> str | None:
    """Return the strongest weights that a game ships, `tuned` and `but` left out, as its `gauntlet.json` has found.

    None for a variant, a game of one's own, and a game whose weights never met.
    """
    met = (
        read_object(Path(games.__file__).parent / game / "gauntlet.json")
        if game in registry.names()
        else None
    )
    rated = sorted((met or {"players": []})["players"], key=lambda player: -float(player["elo"]))
    return next((str(one["name"]) for one in rated if one["name"] not in (*but, TUNED)), None)


def opponents_by_name(game: str, opponents: Sequence[str], players: Collection[str]) -> list[str]:
    """Put its name in the place of `strongest`, each name once; who `players` are is no opponent of theirs."""
    found = (strongest(game, players) if one == STRONGEST else one for one in opponents)
    return list(dict.fromkeys(one for one in found if one is not None))


class Range(Strict):
    """Where one parameter of the search may go; what is left out follows from what it is (`tuning.search.space`)."""

    low: float | None = None
    high: float | None = None
    step: float | None = Field(None, gt=0)
    log: bool = False
    choices: list[bool | int | float | str] | None = Field(None, min_length=2)


def fixed_total(sampler: str) -> dict[str, str]:
    """Return why the number of a search's trials may not change, by the name of the setting; nothing if it may."""
    why = f"{sampler} lays out its steps for the number of trials"
    return {"search.trials": why} if sampler == "spsa" else {}


class Search(Strict):
    """The search by playing: what a fit cannot see. Off with no trials."""

    trials: int = Field(0, ge=0, le=100_000)
    start: Literal["fit", "baseline"] = "fit"
    sampler: SamplerName = "auto"
    limit: LimitText = "nodes:1000"
    pairs: int = Field(
        10, ge=2, le=1_000_000
    )  # short trials: more settings for the same games (search-regret)
    at_once: int = Field(4, ge=1, le=1000)
    opponents: list[str] = Field(default_factory=lambda: ["baseline"], min_length=1)
    errors: float = Field(3.0, gt=0)
    directions: int = Field(0, ge=0, le=8)
    pilot: int = Field(0, ge=0, le=MOST_PAIRS)
    space: dict[str, Range] = Field(default_factory=dict)

    @property
    def fixed(self) -> dict[str, str]:
        """What of the settings that may grow may not do so here, and why."""
        return fixed_total(self.sampler)


class StudyConfig(Strict):
    """Everything that decides the numbers of a study."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$")
    game: str
    seed: Seed = 1
    baseline: str = "hand"
    hash_mb: HashMb = DEFAULT_HASH_MB
    options: OptionSection = Field(default_factory=dict)
    openings: Openings = Field(default_factory=Openings)
    play: Play = Field(default_factory=Play)
    fit: GameFitOptions = Field(default_factory=GameFitOptions)
    search: Search = Field(default_factory=Search)
    verify: Verify = Field(default_factory=Verify)

    @model_validator(mode="after")
    def _strongest_by_name(self) -> Self:
        """Say who the strongest opponent is, so that what is stored names it whatever ships later."""
        named = opponents_by_name(self.game, self.verify.opponents, (self.baseline,))
        object.__setattr__(self, "verify", self.verify.model_copy(update={"opponents": named}))
        met = [
            one.model_copy(update={"weights": name})
            for one in self.play.opponents
            for name in opponents_by_name(self.game, [one.weights], (self.baseline,))
        ]
        object.__setattr__(self, "play", self.play.model_copy(update={"opponents": met}))
        return self

    def flat(self) -> Flat:
        """Return every setting by its dotted name."""
        return flatten(self.model_dump(mode="json"))


DEFAULTS = StudyConfig(
    name="defaults", game="any"
)  # for whatever else plays games: matches, gauntlets, ladders


def load(path: Path, preset: str | None = None, changes: Iterable[str] = ()) -> StudyConfig:
    """Return the study of a TOML file under a preset and `key=value` changes.

    Raises
    ------
    InputError
        The file, the preset, a change, or a value of the study is wrong.
    """
    return _resolve(load_as(StudyConfig, path, preset, changes), path.parent)


def _resolve(study: StudyConfig, folder: Path) -> StudyConfig:
    """Make paths of weights and game files that stand beside the study file independent of where we are."""
    opponents = [_beside(name, folder) for name in study.verify.opponents]
    others = [
        one.model_copy(update={"weights": _beside(one.weights, folder)}) for one in study.play.opponents
    ]
    head, colon, variant = study.game.partition(".py")
    game = f"{_beside(head + '.py', folder)}{variant}" if colon else study.game
    changes = {
        "game": game,
        "baseline": _beside(study.baseline, folder),
        "play": study.play.model_copy(update={"opponents": others}),
        "search": study.search.model_copy(
            update={"opponents": [_beside(n, folder) for n in study.search.opponents]}
        ),
        "verify": study.verify.model_copy(update={"opponents": opponents}),
    }
    return study.model_copy(update=changes)


def _beside(name: str, folder: Path) -> str:
    path = folder / name
    is_path = path.suffix in (".json", ".py") or weight_files.has_folder(name)
    return str(path.resolve()) if is_path and os.path.isfile(path) else name


def parse_options(
    text: str, where: str = "--options", others: tuple[str, ...] = ()
) -> dict[str, bool | int | str]:
    """Return the search options of `key=value,key=value`, checked, and those of `others` as text."""
    found: dict[str, bool | int | str] = {}
    for part in text.split(",") if text else ():
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or name in found:
            raise InputError(f"{where}: expected key=value,key=value, each key once, found {text!r}")
        word = {"true": True, "false": False}.get(value, value)
        found[name] = int(value) if value.isascii() and value.isdigit() and name not in others else word
    SearchOptions.from_mapping({name: found[name] for name in found if name not in others}, where)
    return found
