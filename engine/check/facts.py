"""What must hold of a game's static facts, before anything is played."""

from collections.abc import Sequence
from types import FunctionType

from tunesmith.engine.check.asking import Asker
from tunesmith.engine.check.words import where_defined
from tunesmith.games.errors import GameError
from tunesmith.games.game import follow

MOST_MASKED = 62  # features that a mask of 63 bits can name


def check_facts(asker: Asker) -> None:
    """Names, numbers and functions that belong together."""
    game = asker.game
    for what in (
        *_names("feature_names", game.feature_names),
        *_names("stage_names", game.stage_names),
        *_numbers(asker),
        *_pairs(asker),
    ):
        asker.note("facts", what, kind=what)
    if len(game.feature_meanings) != len(game.feature_names):
        what = f"{len(game.feature_names)} feature_names, but {len(game.feature_meanings)} feature_meanings"
        asker.note("facts", what, kind=what)
    unknown = sorted(set(game.cheap_features) - set(game.feature_names))
    if unknown:
        asker.note("facts", f"cheap_features: not among feature_names: {', '.join(unknown)}", kind="cheap")
    elif game.cheap_features and len(game.feature_names) > MOST_MASKED:
        asker.note("facts", f"cheap_features need at most {MOST_MASKED} features", kind="cheap")
    for name, function in game.functions().items():
        _plain(asker, name, function)


def _names(field: str, names: Sequence[object]) -> list[str]:
    if not names or not all(isinstance(name, str) and name for name in names):
        return [f"{field}: expected at least one name, found {tuple(names)!r:.80}"]
    twice = sorted({str(name) for name in names if names.count(name) > 1})
    return [f"{field}: named twice: {', '.join(twice)}"] if twice else []


def _numbers(asker: Asker) -> list[str]:
    game = asker.game
    bounds = {"max_moves": 1, "max_plies": 0, "repetition_limit": 0, "n_symmetries": 1}
    found = [(name, getattr(game, name), least) for name, least in bounds.items()]
    return [
        f"{name}: expected a whole number of at least {least}, found {value!r}"
        for name, value, least in found
        if type(value) is not int or value < least
    ]


def _pairs(asker: Asker) -> list[str]:
    """Facts that need a function, and functions that need another."""
    game = asker.game
    needs = [
        (len(game.stage_names) > 1, "stages", "more than one stage name needs"),
        (game.n_symmetries > 1, "symmetries", "n_symmetries > 1 needs"),
        (game.n_symmetries > 1, "symmetric_move", "n_symmetries > 1 needs"),
        (game.repetition_limit > 0, "history_key", "repetition_limit > 0 needs"),
        (game.simultaneous, "hide", "a simultaneous game needs"),
        (game.simultaneous, "swap_sides", "a simultaneous game needs"),
        (asker.has("settled_margin"), "final_margin", "settled_margin needs"),
    ]
    return [f"{why} the function {name}" for needed, name, why in needs if needed and not asker.has(name)]


def _plain(asker: Asker, name: str, function: object) -> None:
    """The engine copies functions by their code: nothing may hang on them."""
    if not isinstance(function, FunctionType):
        what = f"expected a plain function, found {type(function).__name__} (a decorator, a method, a class?)"
        asker.note("facts", what, name, kind=name)
    elif function.__closure__:
        names = ", ".join(function.__code__.co_freevars)
        what = (
            f"{where_defined(function)}: uses {names} of the function around it; make variants with"
            " tunesmith.games.game.specialise and module constants"
        )
        asker.note("facts", what, name, kind=name)


def check_values(asker: Asker) -> None:
    """Compiled code is kept under a digest of all that it refers to: all of it must be known by value."""
    for name, function in asker.game.functions().items():
        try:
            _, large = follow(function)
        except GameError as error:
            asker.note("values", str(error), name)
            continue
        for array in large:
            asker.note("array-size", array.words, name, kind=array.name)
