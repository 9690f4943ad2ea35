"""What must hold of a game's static facts, before anything is played."""

from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType

from tunesmith.engine.check.asking import Asker, shown
from tunesmith.engine.check.words import where_defined
from tunesmith.games.errors import GameError
from tunesmith.games.game import Game, follow

MOST_MASKED = 62  # features that a mask of 63 bits can name
MOST = 1 << 30  # plies, repetitions
# Numbers of a game: least, and most. Memory for every ply of a search is laid out by max_moves.
BOUNDS = {
    "max_moves": (1, 1 << 16),
    "max_plies": (0, MOST),
    "repetition_limit": (0, MOST),
    "n_symmetries": (1, 1 << 10),
}


def check_facts(asker: Asker) -> None:
    """Names, numbers and functions that belong together."""
    game = asker.game
    wrong = list(_types(game))
    for what in wrong:
        asker.note("facts", what, kind=what)
    if wrong:
        return
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
    name, folder = game.default_weights, game.folder
    if name and (folder is None or not (folder / "weights" / f"{name}.json").is_file()):
        asker.note("facts", f"default_weights: no file weights/{name}.json beside the game", kind="default")
    for name, function in game.functions().items():
        _plain(asker, name, function)


def _types(game: Game) -> Iterator[str]:
    """Say which facts are of another type than they have to be."""
    if not (isinstance(game.name, str) and game.name and game.name.isprintable()):
        yield f"name: expected a name, found {shown(game.name)}"
    if not isinstance(game.default_weights, str):
        yield f"default_weights: expected a name, found {shown(game.default_weights)}"
    if not isinstance(game.variant, Mapping):
        yield f"variant: expected a mapping of names to values, found {shown(game.variant)}"
    for field in ("feature_names", "feature_meanings", "stage_names", "cheap_features"):
        value = getattr(game, field)
        if not (isinstance(value, tuple | list) and all(isinstance(name, str) for name in value)):
            yield f"{field}: expected a tuple of texts, found {shown(value)}"
    for field in ("repetition_first", "simultaneous"):
        if not isinstance(getattr(game, field), bool):
            yield f"{field}: expected True or False, found {shown(getattr(game, field))}"


def _names(field: str, names: Sequence[object]) -> list[str]:
    if not names or not all(isinstance(name, str) and name for name in names):
        return [f"{field}: expected at least one name, found {tuple(names)!r:.80}"]
    twice = sorted({str(name) for name in names if names.count(name) > 1})
    return [f"{field}: named twice: {', '.join(twice)}"] if twice else []


def _numbers(asker: Asker) -> list[str]:
    game = asker.game
    found = [(name, getattr(game, name), *bounds) for name, bounds in BOUNDS.items()]
    return [
        f"{name}: expected a whole number from {least} to {most:,}, found {value!r:.80}"
        for name, value, least, most in found
        if type(value) is not int or not least <= value <= most
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
