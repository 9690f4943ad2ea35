"""What a study of chess engines says, checked against the engines themselves before the first game.

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
from tunesmith.tuning.config import DEFAULTS, Range, SamplerName, Seed, Strict
from tunesmith.tuning.external.chess_rules import START
from tunesmith.tuning.external.engine import (
    Engine,
    EngineFault,
    GoLimit,
    Option,
    check_settings,
    find_command,
    find_option,
    parse_go,
)
from tunesmith.tuning.external.match import Player
from tunesmith.tuning.search.space import Parameter, Space, check_parameter
from tunesmith.tuning.stats.sprt import Sprt


def _limit(text: str) -> str:
    return str(parse_go(text))


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


class UciOpenings(Strict):
    """How games begin: the positions of a `file` (EPD, FEN; of PGN the first `plies`), or random `plies`."""

    file: str | None = None
    plies: int = Field(8, ge=0, le=200)


class UciTest(Strict):
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


class UciSearch(Strict):
    """The search over options of the first engine."""

    trials: int = Field(50, ge=1, le=100_000)
    sampler: SamplerName = DEFAULTS.search.sampler
    pairs: int = Field(DEFAULTS.search.pairs, ge=2, le=1_000_000)
    pilot: int = Field(0, ge=0)
    space: dict[str, Range] = Field(default_factory=dict)


class UciConfig(Strict):
    """Everything that decides the numbers of a study of engines."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$")
    seed: Seed = DEFAULTS.seed
    limit: Limit = "nodes:5000"
    pairs: int | None = Field(None, ge=1, le=1_000_000)
    move_cap: int = Field(400, ge=2, le=10_000)
    hash_mb: int = Field(4, ge=1, le=65536)
    patience: float = Field(30.0, gt=0)
    margin: float = Field(1.0, gt=0)
    engine: list[EngineSection] = Field(min_length=1, max_length=2)
    openings: UciOpenings = Field(default_factory=UciOpenings)
    test: UciTest | None = None
    search: UciSearch | None = None


# --- getting ready: whatever is wrong is said before the first game


def make_player(section: EngineSection, config: UciConfig, folder: Path) -> tuple[Player, dict[str, Option]]:
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
        engine = Engine(command, config.patience, config.margin, start)
        try:
            where = f"engine {section.command!r}: options"
            wanted = {
                **engine.defaults(config.hash_mb),
                **check_settings(engine.options, section.options, where),
            }
            engine.configure(wanted, where)
            name = section.name or engine.name
            try_limit(engine, limit, name)
            offered = dict(engine.options)
        finally:
            engine.close()
    except EngineFault as fault:
        raise InputError(f"engine {section.command!r}: {fault}") from None
    return Player(name, command, wanted, limit, config.patience, config.margin, start), offered


def try_limit(engine: Engine, limit: GoLimit, name: str) -> None:
    """Refuse a limit that an engine does not heed."""
    engine.new_game()
    try:
        engine.go(START, (), limit)
    except EngineFault as fault:
        if limit.kind != "nodes" or fault.reason not in ("ignores nodes", "hang"):
            raise
        raise InputError(
            f"limit: {name} does not heed {limit} ({fault.detail}): give its [[engine]] section a limit of its own, "
            "depth:N or movetime:MS"
        ) from None


def option_space(player: Player, offered: Mapping[str, Option], search: UciSearch) -> OptionSpace:
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
