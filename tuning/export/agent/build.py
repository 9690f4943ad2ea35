"""From a game, its weights and a limit to the one file of code that an agent is.

The code is the engine's own, with the game's functions in place of what it leaves free, as
`engine.compile.bind` puts them there; but instead of being compiled it is written out (`flatten`). The same operations
in the same order: the same moves."""

from time import process_time
from typing import Any

from tunesmith.engine import evaluation
from tunesmith.engine.compile import arith, bind, jit
from tunesmith.engine.compile.slots import Constant
from tunesmith.engine.evaluation import wanted_features, weighted_sum
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search import alphabeta, endings, ordering
from tunesmith.engine.search.deepening import think
from tunesmith.engine.search.mcts import think_uct
from tunesmith.engine.search.simultaneous import think_matrix
from tunesmith.engine.searcher import new_searcher
from tunesmith.engine.weights import Weights
from tunesmith.games.game import Game
from tunesmith.tuning.export.agent import alphabeta as recursive
from tunesmith.tuning.export.agent import plain_numpy, player, referee, slots, stdio
from tunesmith.tuning.export.agent.flatten import Flattener
from tunesmith.tuning.export.agent.resolve import ARRAYS, ENGINE, LISTS
from tunesmith.tuning.export.agent.speed.weighing import Weighing

THINK = {"alphabeta": think, "uct": think_uct, "matrix": think_matrix}
PLAYERS = {"expendibots": referee.ExpendibotsPlayer, "ropasci360": referee.RopasciPlayer}
# Time for a game under the courses' referees, in seconds of CPU time.
COURSE_LIMIT = "game-time:60"
TEXTS = ("state_to_text", "text_to_state", "move_to_text", "text_to_move")
HELPERS = ("popcount", "lowest")  # of the shipped games: loops that plain Python has a word for
BOARDS = (
    "tunesmith.games.expendibots.board",
    "tunesmith.games.ropasci360.board",
    "tunesmith.games.pentago.board",
)  # where they are


# Functions of the engine that plain Python does otherwise.
INSTEAD: dict[int, object] = {
    id(jit.times): plain_numpy.low_times,
    id(jit.plus): plain_numpy.low_plus,
    id(jit.clock): process_time,
    id(arith.hash_state): plain_numpy.hash_state,
    id(endings.occurrences): plain_numpy.occurrences,
    id(evaluation.to_score): plain_numpy.to_score,
    id(ordering.fade): plain_numpy.fade,
    id(ordering.forget): plain_numpy.forget,
}
# The search by recursion, for options that it knows.
SEARCH: dict[int, object] = {
    id(alphabeta.alphabeta): recursive.alphabeta,
    id(alphabeta.keep_pv): recursive.keep_pv,
    id(ordering.fade): recursive.fade,
}


def name_of(value: object) -> str:
    """Return what a function is called: the copy of one in a variant of a game is another object of the same name."""
    return getattr(value, "__name__", "")


class Builder:
    """Knows what the free names of an agent's code stand for."""

    def __init__(
        self,
        game: Game,
        weights: Weights,
        options: SearchOptions,
        limit: Limit,
        hash_mb: int,
        manners: tuple[str, str],
    ) -> None:
        self.game, self.weights, self.options, self.limit, self.hash_mb = (
            game,
            weights,
            options,
            limit,
            hash_mb,
        )
        self.rules, self.texts = manners  # of the game's functions, of its text functions
        self.bound = bind.substitution(game, wanted_features(game, weights.array(game)))
        self.facts = self._facts()
        self.owned = {id(function) for function in game.functions().values()}

    @property
    def has_bare_keys(self) -> bool:
        """Whether keys of positions are only compared with each other: none is part of the table's keys."""
        options = self.options
        return options.kind == "matrix" or not options.table or options.path_free

    def _facts(self) -> dict[str, object]:
        searcher = new_searcher(  # also judges whether game, options and limit fit each other
            self.game,
            self.weights.array(self.game),
            self.weights.scale,
            self.options,
            self.limit,
            self.hash_mb,
        )
        limit = self.limit
        return {
            "MAX_MOVES": self.game.max_moves,
            "N_WORDS": len(self.game.initial()),
            "HAS_SWAP": int(self.game.swap_sides is not None),
            "HASH_WORDS": int(searcher.transposition.size),
            "DEPTH": limit.depth,
            "LIMIT_NODES": limit.nodes,
            "LIMIT_SIMULATIONS": limit.simulations,
            "MOVE_SECONDS": float(limit.seconds),
            "CLOCK_SECONDS": float(limit.game_seconds),
            "IS_RANDOM": int(not limit.is_deterministic),
            "IS_MARGIN": int(self.options.objective == "margin"),
            "IS_TREE": int(self.options.kind == "uct"),
            "FEATURES": self.game.feature_names,
            "STAGES": self.game.stage_names,
        }

    def substitute(self, name: str, value: Any, manner: str) -> tuple[object, str]:
        """Return what a global name stands for, and the manner of its copy."""
        if isinstance(value, Constant) and value.name in self.facts:
            return self.facts[value.name], manner
        home = getattr(value, "__module__", "")
        if name in ("FEATURES", "STAGES") and value is getattr(slots, name):
            return self.facts[name], LISTS
        if home == slots.__name__ and hasattr(value, "__name__"):
            return self._slot(value.__name__)
        if name == "_CLOCK_PERIOD":
            return 0, manner  # a node takes so long that the clock costs nothing
        found = self.bound(name, value)
        if found is not value and id(found) in self.owned:
            return found, self.rules
        if home == "tunesmith.games.bits" and name_of(found) == "mixed" and self.has_bare_keys:
            return plain_numpy.shifted, LISTS
        if id(found) in SEARCH and recursive.is_for(self.options):
            return SEARCH[id(found)], ENGINE
        if id(found) in INSTEAD:
            return INSTEAD[id(found)], LISTS
        if home in BOARDS and name_of(value) in HELPERS and manner == LISTS:
            return getattr(plain_numpy, name_of(value)), LISTS
        if home.startswith("tunesmith.engine.") or home == recursive.__name__:
            return found, ENGINE
        return found, manner

    def _slot(self, name: str) -> tuple[object, str]:
        if name in TEXTS:
            return getattr(self.game, name), self.texts
        if name == "think":
            return THINK[self.options.kind], ENGINE
        is_plain = self.rules == LISTS
        if name == "buffer":
            return (plain_numpy.buffer, LISTS) if is_plain else (plain_numpy.array_buffer, ARRAYS)
        if name == "listed":
            return (plain_numpy.listed, LISTS) if is_plain else (plain_numpy.array_listed, ARRAYS)
        return (list, LISTS) if is_plain else (plain_numpy.array_of, ARRAYS)

    def code(self, heading: str) -> tuple[str, dict[str, str]]:
        """Return the code, and what it calls the functions of the game by their names in `games.game`."""
        flat = Flattener(self.substitute, self.options.encode().tolist())
        referees = PLAYERS.get(self.game.name)
        if referees is not None:
            flat.add(referees, LISTS, "Player")
        flat.add(stdio.main, LISTS, "main")
        for kept in (player.Thinker, player.Game):
            flat.add(kept, LISTS, kept.__name__)
        text = flat.text(heading)
        functions: dict[str, object] = {
            **self.game.functions(),
            **{name: getattr(self.game, name) for name in TEXTS},
        }
        manners = {name: self.texts if name in TEXTS else self.rules for name in functions}
        functions["buffer"], manners["buffer"] = self._slot("buffer")
        names = {name: flat.name_of(function, manners[name]) for name, function in functions.items()}
        self.sum_name = flat.name_of(weighted_sum, ENGINE)
        return text, {name: found for name, found in names.items() if found is not None}

    def weighing(self) -> Weighing:
        """Return what `speed` wants to know of the weights, once the code is made."""
        return Weighing(
            self.sum_name,
            self.weights.array(self.game).tolist(),
            float(self.weights.scale),
            self.rules == LISTS,
        )
