"""What a study of engines says, checked against the engines themselves before the first game.

Each engine is started once: option names, values and ranges are those it offers, and a limit that it does not heed
is refused. Options that are not named keep the engine's defaults, except: no book, no pondering, one thread, a
table of `hash_mb` MiB."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.config import DEFAULTS, Range, SamplerName, Seed, Strict
from tunesmith.tuning.external.engine import Engine, EngineFault
from tunesmith.tuning.external.limits import GoLimit, parse_go
from tunesmith.tuning.external.match import Player
from tunesmith.tuning.external.options import Option, check_settings, find_option
from tunesmith.tuning.external.playing import Adjudication
from tunesmith.tuning.external.programs import find_command
from tunesmith.tuning.external.protocol import PROTOCOLS
from tunesmith.tuning.external.rules import EnginesAgree, OwnRules, Rules
from tunesmith.tuning.search.space import Parameter, Space, check_parameter
from tunesmith.tuning.stats.ratings import Draws
from tunesmith.tuning.stats.sprt import Sprt


def _limit(text: str) -> str:
    return str(parse_go(text))


# For engines of chess that know no `position startpos` with moves of their own notation.
_CHESS_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MOST_ENGINES = 200  # in one study
Limit = Annotated[str, AfterValidator(_limit)]


class EngineSection(Strict):
    """An engine: program, arguments, options as it names them, a limit of its own.

    `command` may be a whole command line; `dir` is the folder where the engine starts, by default its own. Both count
    from the folder of the study file.
    """

    command: str = Field(min_length=1, pattern=r"\S")
    dir: str | None = Field(None, min_length=1)
    name: str | None = None
    arguments: list[str] = Field(default_factory=list)
    options: dict[str, bool | int | str] = Field(default_factory=dict)
    limit: Limit | None = None
    protocol: Literal["uci", "ugi"] | None = None


class OpeningsSection(Strict):
    """How games begin: the positions of a `file` (EPD, FEN; of PGN the first `plies`; of other games one a line), or
    random `plies`; where nobody knows the rules, at the start."""

    file: str | None = None
    plies: int = Field(8, ge=0, le=200)


class TestSection(Strict):
    """A sequential test; without `[test]` a match has a fixed length."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = Field(0.05, gt=0, lt=0.5)
    beta: float = Field(0.05, gt=0, lt=0.5)
    model: Literal["normalized", "logistic", "bayesian"] = "normalized"
    max_pairs: int = Field(400, ge=1)

    def sprt(self, openings: int) -> Sprt:
        """Return the test, no longer than there are openings."""
        return Sprt(**{**self.model_dump(), "max_pairs": min(self.max_pairs, openings)})


class ResignSection(Strict):
    """A win, once for `moves` moves of each side one has said `score` (cp) or more and the other the opposite."""

    score: int = Field(ge=1)
    moves: int = Field(3, ge=1)


class DrawSection(Strict):
    """A draw, once for `moves` moves of each side both have said at most `score` (cp), from ply `from_ply` on."""

    score: int = Field(ge=0)
    moves: int = Field(8, ge=1)
    from_ply: int = Field(0, ge=0)


class AdjudicateSection(Strict):
    """When games are decided by the scores that the engines tell."""

    resign: ResignSection | None = None
    draw: DrawSection | None = None

    def rule(self) -> Adjudication:
        """Return the same for one game."""
        resign, draw = self.resign, self.draw
        return Adjudication(
            *((resign.score, resign.moves) if resign else (0, 0)),
            *((draw.score, draw.moves, draw.from_ply) if draw else (0, 0, 0)),
        )


class SearchSection(Strict):
    """The search over options of the first engine."""

    trials: int = Field(50, ge=1, le=100_000)
    sampler: SamplerName = DEFAULTS.search.sampler
    pairs: int = Field(DEFAULTS.search.pairs, ge=2, le=1_000_000)
    pilot: int = Field(0, ge=0)
    space: dict[str, Range] = Field(default_factory=dict)


class RatingsSection(Strict):
    """How three engines or more are rated: who meets whom, level and bootstrap samples of intervals, an engine whose
    rating is held at `anchor_elo` (default: the mean is 0), and whether a draw is `half` a win or a third result.
    """

    first_only: bool = False
    level: float = Field(0.95, ge=0.5, le=0.999)
    resamples: int = Field(1000, ge=100, le=1_000_000)
    anchor: str | None = None
    anchor_elo: float = Field(0.0, ge=-100_000, le=100_000)
    draws: Draws = "half"


class EnginesConfig(Strict):
    """Everything that decides the numbers of a study of engines."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$")
    seed: Seed = DEFAULTS.seed
    game: str | None = Field(None, min_length=1)
    protocol: Literal["uci", "ugi"] | None = None
    limit: Limit = "nodes:5000"
    pairs: int | None = Field(None, ge=1, le=1_000_000)
    move_cap: int = Field(400, ge=2, le=10_000)
    hash_mb: int = Field(4, ge=1, le=65536)
    patience: float = Field(30.0, gt=0)
    margin: float = Field(1.0, gt=0)
    engine: list[EngineSection] = Field(min_length=1, max_length=MOST_ENGINES)
    openings: OpeningsSection = Field(default_factory=OpeningsSection)
    adjudicate: AdjudicateSection = Field(default_factory=AdjudicateSection)
    test: TestSection | None = None
    search: SearchSection | None = None
    ratings: RatingsSection | None = None

    @property
    def is_tournament(self) -> bool:
        """Whether there are so many engines that they are rated."""
        return len(self.engine) > 2

    def check_kind(self) -> None:
        """Refuse sections that say nothing to so many engines."""
        n = len(self.engine)
        for name, section, wanted, is_good in (
            ("search", self.search, "one or two", n <= 2),
            ("test", self.test, "one or two", n <= 2),
            ("ratings", self.ratings, "three or more", n > 2),
        ):
            if section is not None and not is_good:
                raise InputError(f"{name}: expected {wanted} [[engine]] tables beside it, found {n}")
        if n == 1 and self.search is None:
            raise InputError("engine: a match takes two [[engine]] tables, found one (and no [search])")

    @property
    def is_chess(self) -> bool:
        """Whether the game is chess: it is, unless something else is said."""
        return self.game == "chess" or (self.game is None and self.protocol != "ugi")

    def rules(self, folder: Path) -> Rules:
        """Return who judges; `folder` is the study file's, where a game of the user's own is looked for."""
        if self.is_chess:
            from tunesmith.tuning.external.chess_rules import ChessRules

            return ChessRules()
        return EnginesAgree() if self.game is None else OwnRules(load_game(self.game, folder))


def load_game(spec: str, folder: Path) -> Game:
    """Return a game of ours, or the user's; the path of one counts from the study file's folder."""
    from tunesmith.games import registry

    path, mark, rest = spec.partition(":")
    is_file = path.endswith(".py") and (folder / path).is_file()
    return registry.load(f"{(folder / path).absolute()}{mark}{rest}" if is_file else spec)


# --- getting ready: whatever is wrong is said before the first game


def make_player(
    section: EngineSection, config: EnginesConfig, folder: Path
) -> tuple[Player, dict[str, Option]]:
    """Return a player whose engine was started once, with checked options and a limit that it heeds."""
    words, own = find_command(section.command, folder)
    command, start = (
        (*words, *section.arguments),
        own if section.dir is None else (folder / section.dir).absolute(),
    )
    if not start.is_dir():
        raise InputError(f"engine {section.command!r}: dir: expected a folder, found {str(start)!r}")
    limit = parse_go(section.limit or config.limit)
    try:
        protocol = PROTOCOLS[section.protocol or config.protocol or ("uci" if config.is_chess else "ugi")]
        if config.is_chess is False and config.game is None and not protocol.can_be_asked:
            raise InputError(
                f"engine {section.command!r}: protocol: expected ugi, as nobody else knows the rules"
            )
        engine = Engine(command, config.patience, config.margin, start, protocol)
        try:
            where = f"engine {section.command!r}: options"
            wanted = {
                **engine.defaults(config.hash_mb),
                **check_settings(engine.options, section.options, where),
            }
            engine.configure(wanted, where)
            name = section.name or engine.name
            try_limit(engine, limit, name, config)
            offered = dict(engine.options)
        finally:
            engine.close()
    except EngineFault as fault:
        raise InputError(f"engine {section.command!r}: {fault}") from None
    return Player(name, command, wanted, limit, config.patience, config.margin, start, protocol), offered


def try_limit(engine: Engine, limit: GoLimit, name: str, config: EnginesConfig) -> None:
    """Refuse a limit that an engine does not heed."""
    engine.new_game()
    try:
        engine.go(_CHESS_START if config.is_chess else "", (), limit)
    except EngineFault as fault:
        if limit.kind != "nodes" or fault.reason not in ("ignores nodes", "hang"):
            raise
        raise InputError(
            f"limit: {name} does not heed {limit} ({fault.detail}): give its [[engine]] section a limit of its own, "
            "depth:N or movetime:MS"
        ) from None


def option_space(player: Player, offered: Mapping[str, Option], search: SearchSection) -> OptionSpace:
    """Return the space of a search; names and ranges are checked against what the engine offers."""
    parameters: list[Parameter] = []
    if not search.space:
        raise InputError("search.space: nothing to tune: name options of the engine")
    for name, limits in search.space.items():
        where = f"search.space.{name}"
        option = find_option(offered, name, "search.space")
        start = option.check(player.options.get(name, option.default), where)
        parameters.append(_parameter(option, start, limits, where))
        check_parameter(parameters[-1])
    return OptionSpace(player, tuple(parameters), search.sampler)


def _parameter(option: Option, start: Any, limits: Range, where: str) -> Parameter:
    if option.kind == "spin" and not limits.choices:
        low = option.low if limits.low is None else limits.low
        high = option.high if limits.high is None else limits.high
        if low is None or high is None:
            raise InputError(f"{where}: low and high: missing, and the engine states no range")
        for value in (low, high):
            if value == int(value):
                option.check(int(value), where)
        return Parameter(
            option.name, "option", start, float(low), float(high), limits.step, limits.log, (), True
        )
    if option.kind == "string" and not limits.choices:
        raise InputError(f"{where}: is text: expected choices")
    if option.kind != "spin" and (limits.low, limits.high, limits.step) != (None, None, None):
        raise InputError(f"{where}: is a choice: low, high and step mean nothing")
    own: tuple[Any, ...] = (False, True) if option.kind == "check" else option.words
    choices = tuple(limits.choices or own)
    for value in choices:
        option.check(value, where)
    return Parameter(option.name, "option", start, choices=choices)


@dataclass(frozen=True)
class OptionSpace(Space[Player]):
    """A space whose settings become a player: an engine with other options."""

    def apply(self, setting: Mapping[str, Any]) -> Player:
        """Return the player with a setting."""
        return self.base.with_options(setting)
