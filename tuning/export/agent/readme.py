"""The words of an agent's folder: the first line of its files, and its README."""

from tunesmith.engine.limits import Limit
from tunesmith.engine.weights import Weights
from tunesmith.games.game import Game
from tunesmith.tuning.export.agent.first_moves import N_DRAWN
from tunesmith.tuning.export.agent.referee import PLANNED

REFEREES = {
    "expendibots": ("Player(colour), action(), update(colour, action)", '"white" or "black"'),
    "ropasci360": ("Player(player), action(), update(opponent_action, player_action)", '"upper" or "lower"'),
}


def heading(game: Game, weights: Weights) -> str:
    """Return one line that says what plays here."""
    return f"An agent for {game.name}, weights {weights.digest[:12]}, written by tunesmith: do not change it by hand."


def readme(game: Game, weights: Weights, limit: Limit, folder: str, needs_numpy: bool, hash_mb: int) -> str:
    """Return the README."""
    variant = ", ".join(f"{key}={value}" for key, value in game.variant.items())
    options = ", ".join(f"{key}={value}" for key, value in weights.options.items())
    needs = "Python 3.6 or newer and numpy" if needs_numpy else "Python 3.6 or newer, nothing else"
    parts = [
        f"# An agent for {game.name}",
        f"Game: {game.name}{f' ({variant})' if variant else ''}. Weights: `weights.json`, digest `{weights.digest}`. "
        f"Search options: {options or 'defaults'}. Limit: `{limit}`. Table: {hash_mb} MiB. Needs {needs}.",
        "The code is the engine's and the game's, written out, with the weights as numbers in it; of `weights.json` "
        "only the expected lengths of games are read when it starts. For another game, limit, weights or options "
        "write an agent anew. Under a limit of nodes or depth it plays the moves that the engine plays. What it has "
        "worked out it keeps in tables of at most 16,384 answers each.",
    ]
    if game.name in REFEREES:
        parts += _referee(game, limit, folder)
    parts += _lines(game, limit, folder)
    return "\n\n".join(parts) + "\n"


def _referee(game: Game, limit: Limit, folder: str) -> list[str]:
    calls, colours = REFEREES[game.name]
    clock = (
        f"Of the {limit.game_seconds:g} seconds it plans with {PLANNED:.0%}, in CPU time of the whole process, "
        "constructor and updates included; when those run out it plays at once."
        if limit.game_seconds
        else f"It searches {limit} a move, whatever the referee's clock says."
    )
    return [
        "## Under the referee",
        f"The folder is a package with the class `Player`: {calls}; the first argument is {colours}. Put it beside the "
        f"`referee` folder and run\n\n    python -m referee {folder} {folder} -t 60 -s 100",
        f"{clock} If anything fails inside, a legal action is played.",
        "A game begins at the same position every time. With a whole number as a second argument, which no referee "
        "gives, `Player` draws by it, so that games differ: "
        + (
            "each choice from its mix."
            if game.simultaneous
            else f"its first {N_DRAWN} moves, among the good ones."
        ),
    ]


def _lines(game: Game, limit: Limit, folder: str) -> list[str]:
    start = game.state_to_text(game.initial())
    return [
        "## As a program",
        f"`python {folder}` (or `python {folder}/player.py`) reads a question a line on standard input and answers "
        "each with a line on standard output.",
        "| question | answer |\n|---|---|\n"
        "| `state TEXT` | `move TEXT`: the move to play |\n"
        "| `state TEXT moves M1 M2 ...` | the same, after more moves from there; repetition is known |\n"
        "| `info` | how the last move was found: depth, score in Elo, positions, CPU seconds, positions a second |\n"
        "| `newgame` | `ok`; a limit for a game begins anew |\n"
        "| `ugi` | from here on it speaks UGI (`ugi.md` of kz04px/cutegames), for programs that run matches |\n"
        "| `quit`, or the end of the input | nothing: the program ends |\n"
        "| anything else, or wrong | `error TEXT` |",
        "Each `state` stands for itself: nothing that came before counts, but for the time used if the limit is one "
        "for a game. At the start of a game:",
        f"    state {start}",
    ]
