"""Does a game keep its contract (`games.game`)? Random games, many questions, answers in words.

`check_game(game)` plays random games, asks every function of the game about their positions, and returns what
is wrong as `Problem`s: the rule (a key of `RULES`), what was found, and the first position that shows it. The
second half compiles the functions and compares the answers. An empty list is a passed check; `examine` also says
what nobody could look at. Code that never returns hangs the check; `tunesmith check` therefore runs it in a
process of its own (`tuning.play.sandbox.contract`).

- `asking`: Asking a user's functions questions without trusting them: every answer may be an exception or
  nonsense
- `compiled`: Do the compiled functions say what plain Python says?
- `facts`: What must hold of a game's static facts, before anything is played
- `games`: Random games: their positions, how they end, and whether functions answer the same when asked again
- `images`: What must hold of images of a position: symmetries, and the players exchanged
- `position`: What must hold in a single position: numbers, moves, features, shares, counters
- `texts`: What must hold of texts and drawings: they exist, they are read back as what they say, nonsense is
  refused
- `words`: Exceptions of a user's code, and of the compiler about it, as `file:line: what is wrong` in words

To add a rule, name it in `RULES`, ask for it in the file of its topic, and let a toy game break it
(`tests/support/broken.py`)."""

import math
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tunesmith.engine.check import images, position, texts
from tunesmith.engine.check.asking import Asker, Problem, Stopped, Watch
from tunesmith.engine.check.compiled import COMPILED_CODE, check_compiled
from tunesmith.engine.check.facts import check_facts, check_values
from tunesmith.engine.check.games import check_repeats, play_games
from tunesmith.engine.check.position import Seen
from tunesmith.engine.compile import jit
from tunesmith.games.game import ONGOING, Game

RULES = {
    "facts": "names, numbers and functions of the Game record fit together",
    "raises": "no function raises",
    "state": "a state is a tuple of ints, 0 <= word < 2**63, always of one length",
    "outcome-value": "outcome is ONGOING, 1, 0 or -1",
    "mover": "mover is 0 or 1",
    "start-finished": "the start position is not finished",
    "no-moves": "an unfinished position has a legal move",
    "move-number": "moves are not negative",
    "duplicate-moves": "each legal move is listed once",
    "max-moves": "no position has more moves than max_moves",
    "buffer": "only the buffer given is written, of moves only out[:n]",
    "pure": "answers depend on the arguments alone",
    "answer-type": "numbers are ints within 64 bits, reasons are words",
    "features": "every feature is written and finite",
    "cheap-features": "cheap features do not depend on FEATURES_WANTED",
    "stages": "shares of stages are 0 or more and sum to 1",
    "noisy-moves": "noisy moves are legal moves, each once",
    "pass": "passing gives the move to the other player, and twice is nothing",
    "history-key": "a history key is an int of 63 bits",
    "counters": "plies grow by one; states without counters or hidden choices allow the same moves",
    "margin": "margins have the winner's sign and stay within what was open",
    "texts": "texts are single lines, read back as what they say; nonsense is refused by InputError",
    "drawing": "positions can be drawn as text and as SVG",
    "symmetry": "images have the same mover, moves, children, outcome and features",
    "swap": "exchanging the players turns mover and outcome, keeps the features, and twice is nothing",
    "hidden-choice": "nothing shows a choice that is not yet revealed",
    "endless": "random games end",
    "values": "what functions refer to is known by value",
    "array-size": "arrays are small enough to be kept with compiled code",
    "compiles": "every function compiles",
    "compiled-types": "compiled functions return int64 words and numbers",
    "compiled-buffer": "compiled functions write only into their buffer",
    "compiled-differs": "compiled functions answer as plain Python does",
    "time": "every function returns soon",
    "crash": "the process survives",
}

TASTE = 100  # positions that `taste` asks about
# What `taste` lets pass: matters of looks, or of patience, which do no harm to a game that is played.
HARMLESS = ("drawing", "endless", "array-size")

Rule = Callable[[Asker, Seen], None]
UNFINISHED: tuple[Rule, ...] = (*position.UNFINISHED, *texts.UNFINISHED, *images.UNFINISHED)
FINISHED: tuple[Rule, ...] = (*position.FINISHED, *texts.FINISHED, *images.FINISHED)
DEEP = 0.5  # share of the positions that all rules are asked about
DRAWN = 50  # pictures are slow and rarely wrong


def check_game(
    game: Game, positions: int = 2000, seed: int = 0, compiled: bool = True, watch: Watch | None = None
) -> list[Problem]:
    """Return what is wrong with `game`, each kind of problem once; an empty list if nothing was found.

    The arguments are those of `examine`.
    """
    return examine(game, positions, seed, compiled, watch).problems


class Examined(NamedTuple):
    """What is wrong with a game, and, in words, what could not be looked at."""

    problems: list[Problem]
    unchecked: list[str]


def examine(
    game: Game, positions: int = 2000, seed: int = 0, compiled: bool = True, watch: Watch | None = None
) -> Examined:
    """Return what is wrong with `game`, each kind of problem once, and what could not be checked.

    Parameters
    ----------
    positions
        Positions of random games to ask about; whole games are played, so it may become a few more.
    compiled
        Also compile the functions (some ten seconds the first time) and compare their answers.
    watch
        Is told which function runs on which position, for a watcher in another thread.
    """
    asker = Asker(game, watch or Watch())
    check_facts(asker)
    if asker.problems:
        return Examined(asker.problems, ["anything that is played: names, numbers and functions come first"])
    seen = play_games(asker, positions, seed)
    check_positions(asker, seen, positions, seed)
    check_repeats(asker, seen, seed)
    check_values(asker)
    unchecked = _unchecked(asker, seen)
    if _is_hopeless(asker):
        unchecked.append("compiled code: what is wrong above comes first")
    elif not jit.COMPILED:
        unchecked.append("compiled code: there is no compiler, or it is switched off (TUNESMITH_NUMBA)")
    elif compiled:
        check_compiled(asker, seen, positions)
    return Examined(asker.problems, unchecked)


def _unchecked(asker: Asker, seen: Sequence[Seen]) -> list[str]:
    """Say what the game gives no chance to look at."""
    found = []
    if not asker.has("swap_sides"):
        found.append("whether features are seen from the player to move: there is no swap_sides")
    results = {one.outcome for one in seen} - {ONGOING}
    if not results:
        return [*found, "how games end: no random game came to its end"]
    for result, who in ((1, "first"), (-1, "second")):
        if result not in results:
            found.append(f"how a win of the {who} player is told: no random game ended with one")
    return found


def taste(game: Game) -> list[Problem]:
    """Return what makes it senseless or dangerous to play `game`: facts, and a few random games in plain Python.

    Seconds at most, where `check_game` takes its time.
    """
    return [one for one in check_game(game, TASTE, compiled=False) if one.rule not in HARMLESS]


def check_positions(asker: Asker, seen: Sequence[Seen], positions: int, seed: int) -> None:
    """Ask all rules about a sample of the positions, and draw a few of them."""
    rng = random.Random(seed)
    chosen = rng.sample(seen, min(math.ceil(positions * DEEP), len(seen)))
    for one in chosen:
        asker.forget()
        for rule in UNFINISHED if one.moves else FINISHED:
            ask(asker, rule, one)
    for one in chosen[:DRAWN]:
        ask(asker, texts.check_drawings, one)


def ask(asker: Asker, rule: Rule, seen: Seen) -> None:
    """Ask one rule about one position; that it has no answer is noted already."""
    try:
        rule(asker, seen)
    except Stopped:
        return


def _is_hopeless(asker: Asker) -> bool:
    """What compiled code would write anywhere in memory is not run; what nobody knows is not compiled."""
    return any(problem.rule in ("buffer", "max-moves", "values") for problem in asker.problems)


__all__ = ["COMPILED_CODE", "RULES", "Examined", "Problem", "Watch", "check_game", "examine", "taste"]
