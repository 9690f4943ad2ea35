"""What may be tuned by playing: search options, the scale, single weights, and the fit's principal directions.

Names in a study file: an option of `SearchOptions` (`aspiration`), `scale` (a factor on all weights), a feature
(`mobility`) or one stage's weight (`ending.mobility`); `direction-1` and so on come from the fit. Defaults: a
switch has its two values, an option in words its words, a weight the fitted value plus and minus some standard
errors, a direction the same of its own; the errors are those by the data alone, at most 100 Elo of usual effect.
The starting point is what the fit or the baseline says, and has to lie within the ranges."""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tunesmith.engine.options import CHOICES, SearchOptions
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.config import Range, Search
from tunesmith.tuning.documents.document import Setting
from tunesmith.tuning.documents.fit import GamesFit
from tunesmith.tuning.documents.search import Dimension
from tunesmith.tuning.search.samplers import AUTO, SAMPLERS
from tunesmith.tuning.search.samplers.axis import Axis

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

DECIMALS = 4  # of a weight: settings that differ by less are one setting
DIRECTION = "direction-"

T = TypeVar("T")


@dataclass(frozen=True)
class Parameter:
    """One parameter: a choice, or a number from `low` to `high`.

    Attributes
    ----------
    kind
        `option`, `scale`, `weight` or `direction`.
    shift
        What a unit of a direction adds to each weight, {(stage, feature): number}; for a weight its own place.
    """

    name: str
    kind: str
    start: Any
    low: float = 0.0
    high: float = 0.0
    step: float | None = None
    log: bool = False
    choices: tuple[Any, ...] = ()
    is_int: bool = False
    shift: tuple[tuple[str, str, float], ...] = ()

    def distribution(self) -> BaseDistribution:
        """Return it as Optuna says it."""
        from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

        if self.choices:
            return CategoricalDistribution(self.choices)
        if self.is_int:
            return IntDistribution(int(self.low), int(self.high), log=self.log, step=int(self.step or 1))
        return FloatDistribution(self.low, self.high, log=self.log, step=self.step)

    @property
    def axis(self) -> Axis:
        """The mapping of a number to [-1, 1]."""
        step = self.step or (1.0 if self.is_int else 0.0)
        return Axis(self.low, self.high, step, self.is_int, self.log)

    def probes(self) -> tuple[Any, ...]:
        """Return the values a pilot tries: both ends and the middle, or every other choice."""
        tried = self.choices or tuple(self.axis.value(unit) for unit in (-1.0, 0.0, 1.0))
        return tuple(dict.fromkeys(value for value in tried if value != self.start))

    def described(self) -> Dimension:
        """Return it for files and people."""
        if self.choices:
            return Dimension(name=self.name, kind=self.kind, start=self.start, choices=list(self.choices))
        return Dimension(
            name=self.name,
            kind=self.kind,
            start=self.start,
            low=self.low,
            high=self.high,
            step=self.step,
            log=self.log,
        )

    def is_at_bound(self, value: Any) -> bool:
        """Whether a number lies in the last twentieth of its range, where a better one may lie beyond.

        An option cannot go below 0, so that is no bound that was chosen.
        """
        if self.choices:
            return False
        room = 0.05 * (self.high - self.low)
        is_low = value <= self.low + room and not (self.kind == "option" and self.low == 0)
        return bool(is_low or value >= self.high - room)


@dataclass(frozen=True)
class Space(ABC, Generic[T]):
    """All parameters, and what they change: a setting applied to `base` is another T.

    Attributes
    ----------
    sampler
        What a study names; where that knows nothing but numbers, choices of two are 0 and 1 to Optuna.
    """

    base: T
    parameters: tuple[Parameter, ...]
    sampler: str = AUTO

    @property
    def start(self) -> Setting:
        """The setting of the base itself."""
        return {parameter.name: parameter.start for parameter in self.parameters}

    def distributions(self) -> dict[str, BaseDistribution]:
        """Return the space as Optuna says it."""
        from optuna.distributions import IntDistribution

        return {
            p.name: IntDistribution(0, 1) if self._is_number(p) else p.distribution() for p in self.parameters
        }

    def setting(self, params: Mapping[str, Any]) -> Setting:
        """Return the setting that Optuna's values mean."""
        return {
            p.name: p.choices[params[p.name]] if self._is_number(p) else params[p.name]
            for p in self.parameters
        }

    def params(self, setting: Mapping[str, Any]) -> Setting:
        """Return a setting in Optuna's values."""
        return {
            p.name: p.choices.index(setting[p.name]) if self._is_number(p) else setting[p.name]
            for p in self.parameters
        }

    def _is_number(self, parameter: Parameter) -> bool:
        return len(parameter.choices) == 2 and (self.sampler == AUTO or SAMPLERS[self.sampler].in_numbers)

    @abstractmethod
    def apply(self, setting: Mapping[str, Any]) -> T:
        """Return what a setting becomes; of the starting point, the base itself."""

    def describe(self) -> list[Dimension]:
        """Return the parameters for files and people."""
        return [p.described() for p in self.parameters]


@dataclass(frozen=True)
class WeightSpace(Space[Weights]):
    """A space whose settings become weights, with search options and scale."""

    def apply(self, setting: Mapping[str, Any]) -> Weights:
        """Return the weights of a setting; of the starting point, the base itself."""
        options, scale = dict(self.base.options), self.base.scale
        values = {stage: dict(row) for stage, row in self.base.values.items()}
        for parameter in self.parameters:
            value = setting[parameter.name]
            if value == parameter.start:
                continue
            if parameter.kind == "option":
                options[parameter.name] = value
            elif parameter.kind == "scale":
                scale = self.base.scale * value
            else:
                for stage, feature, unit in parameter.shift:
                    moved = values[stage][feature] + unit * (value - parameter.start)
                    values[stage][feature] = round(moved, DECIMALS) + 0.0  # never -0.0: another digest
        return replace(self.base, options=options, scale=scale, values=values, provenance={}, proof=[])


def build_space(game: Game, base: Weights, settings: Search, facts: GamesFit | None) -> WeightSpace:
    """Return the space of a study.

    Parameters
    ----------
    facts
        Of the fit that made `base` (`fit/gen-N.json`), None without one.

    Raises
    ------
    InputError
        An unknown name (with the nearest known), a range that is missing, empty or without the start, nothing
        to tune at all.
    """
    parameters = [
        found
        for name, limits in settings.space.items()
        for found in _parameters(game, base, name, limits, settings.errors, facts)
    ]
    parameters += _directions(settings.directions, settings.errors, facts)
    names = [parameter.name for parameter in parameters]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"search.space: named twice: {', '.join(twice)}")
    if not parameters:
        raise InputError("search.space: nothing to tune: name search options, scale or weights")
    for parameter in parameters:
        check_parameter(parameter)
    space = WeightSpace(base, tuple(parameters), settings.sampler)
    _check_options(space)
    return space


def known_names(game: Game) -> list[str]:
    """Return every name that a space may hold."""
    options = [field.name for field in fields(SearchOptions)]
    weights = [f"{stage}.{feature}" for stage in game.stage_names for feature in game.feature_names]
    return ["scale", *options, *game.feature_names, *weights]


def _parameters(
    game: Game, base: Weights, name: str, limits: Range, errors: float, facts: GamesFit | None
) -> list[Parameter]:
    if name == "scale":
        return [_numeric(name, "scale", 1.0, limits, (0.5, 2.0), True, False, ())]
    if name in {field.name for field in fields(SearchOptions)}:
        return [_option(base, name, limits)]
    stage, dot, feature = name.rpartition(".")
    if feature in game.feature_names and (not dot or stage in game.stage_names):
        stages = (stage,) if dot else game.stage_names
        return [_weight(base, one, feature, limits, errors, facts, len(game.stage_names)) for one in stages]
    near = difflib.get_close_matches(name, known_names(game), n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise InputError(
        f"search.space: unknown name {name!r}: neither scale, a search option nor a feature{hint}"
    )


def _option(base: Weights, name: str, limits: Range) -> Parameter:
    start = getattr(base.search_options, name)
    if isinstance(start, bool) or name in CHOICES:
        own = tuple(word for word in CHOICES.get(name, (False, True)) if word != "random")
        chosen = tuple(limits.choices) if limits.choices else own
        if limits.low is not None or limits.high is not None or limits.step is not None:
            raise InputError(f"search.space.{name}: is a choice of {own}: low, high and step mean nothing")
        return Parameter(name, "option", start, choices=chosen)
    if limits.choices:
        return Parameter(name, "option", start, choices=tuple(limits.choices))
    return _numeric(name, "option", start, limits, None, False, True, ())


def _weight(
    base: Weights,
    stage: str,
    feature: str,
    limits: Range,
    errors: float,
    facts: GamesFit | None,
    n_stages: int,
) -> Parameter:
    name = f"{stage}.{feature}" if n_stages > 1 else feature
    start = base.values[stage][feature]
    around: tuple[float, float] | None = None
    for row in facts.weights if facts else ():
        if (row.stage, row.feature) == (stage, feature) and (error := row.search_error):
            around = (start - errors * error, start + errors * error)
    return _numeric(name, "weight", start, limits, around, False, False, ((stage, feature, 1.0),))


def _numeric(
    name: str,
    kind: str,
    start: float,
    limits: Range,
    default: tuple[float, float] | None,
    log: bool,
    is_int: bool,
    shift: tuple[tuple[str, str, float], ...],
) -> Parameter:
    if limits.choices:
        raise InputError(f"search.space.{name}: is a number: expected low and high, found choices")
    low, high = limits.low, limits.high
    if (low is None or high is None) and default is None:
        why = " (the fit has no standard error for it)" if kind == "weight" else ""
        raise InputError(f"search.space.{name}: low and high: missing{why}")
    if default is not None:
        low, high = default[0] if low is None else low, default[1] if high is None else high
    return Parameter(
        name,
        kind,
        start,
        float(low or 0),
        float(high or 0),
        limits.step,
        limits.log or log,
        (),
        is_int,
        shift,
    )


def _directions(count: int, errors: float, facts: GamesFit | None) -> list[Parameter]:
    if not count:
        return []
    known = facts.directions if facts else []
    if len(known) < count:
        raise InputError(f"search.directions: the fit knows {len(known)}, found {count}")
    return [
        Parameter(
            f"{DIRECTION}{number}",
            "direction",
            0.0,
            -errors,
            errors,
            shift=tuple((part.stage, part.feature, part.change) for part in row.weights),
        )
        for number, row in enumerate(known[:count], 1)
    ]


def check_parameter(p: Parameter) -> None:
    """Refuse a range that is empty or without the start, and steps that do not meet both."""
    where = f"search.space.{p.name}"
    if p.choices:
        if p.start not in p.choices:
            raise InputError(f"{where}: the start {p.start!r} is not among the choices {list(p.choices)}")
        return
    if not p.low < p.high:
        raise InputError(f"{where}: expected low < high, found {p.low:g} and {p.high:g}")
    if p.log and p.low <= 0:
        raise InputError(f"{where}: a logarithmic range has to be positive, found low = {p.low:g}")
    if p.log and p.step and not (p.is_int and p.step == 1):
        raise InputError(f"{where}: a logarithmic range has no step, found {p.step:g}")
    if p.is_int and any(value != int(value) for value in (p.low, p.high, p.step or 1)):
        raise InputError(f"{where}: expected whole numbers, found {p.low:g}, {p.high:g}, {p.step or 1:g}")
    if not p.low <= p.start <= p.high:
        raise InputError(f"{where}: the start {p.start:g} has to lie within {p.low:g} .. {p.high:g}")
    step = p.step or (1.0 if p.is_int else None)
    if step and not p.log:
        for what, value in (("start", p.start), ("high", p.high)):
            steps = (value - p.low) / step
            if abs(steps - round(steps)) > 1e-6:
                raise InputError(
                    f"{where}: the {what} {value:g} is no whole number of steps from low = {p.low:g}"
                )


def _check_options(space: WeightSpace) -> None:
    """Refuse values that the search would refuse, before the first game."""
    for parameter in space.parameters:
        if parameter.kind == "option":
            for value in (*parameter.probes(), *parameter.choices):
                SearchOptions.from_mapping(
                    {**space.base.options, parameter.name: value}, f"search.space.{parameter.name}"
                )
