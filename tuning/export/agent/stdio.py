"""An agent on standard input and output, one line a question and one line an answer. Copied into every agent.

`state TEXT` is answered by `move TEXT`, what is wrong by `error TEXT`. Each `state` stands for itself: the same text
gets the same answer under a limit of nodes or depth, whatever came before. `state TEXT moves M1 M2 ...` plays moves
from there first, so that draws by repetition are known. A time for a game runs on from one `state` to the next. `info`
tells how the last move was found. From the line `ugi` on the agent speaks UGI instead."""

import sys

from tunesmith.engine.searcher import NODES, REACHED, SCORE
from tunesmith.games.errors import InputError
from tunesmith.tuning.export.agent.player import Game, Thinker, first_choice, load_weights
from tunesmith.tuning.export.agent.slots import move_to_text, text_to_move, text_to_state
from tunesmith.tuning.export.agent.ugi import Conversation, say

USAGE = "state TEXT, state TEXT moves M1 M2 ..., newgame, info, ugi or quit"
MOVES = " moves "


def main() -> None:
    """Answer questions until `quit` or the end of the input."""
    thinker = Thinker(load_weights())
    talk = None
    for line in sys.stdin.buffer:
        words = line.decode("utf-8", "replace").strip()
        if words == "quit":
            return
        if words == "ugi" and talk is None:
            talk = Conversation(say)
        if talk is not None and words:
            talk.answer(words)
        elif words:
            sys.stdout.write(answer(thinker, words) + "\n")
            sys.stdout.flush()


def answer(thinker: Thinker, words: str) -> str:
    """Return the answer to one line."""
    command, _, rest = words.partition(" ")
    if command == "newgame" and not rest:
        thinker.forget()
        return "ok"
    if command == "info" and not rest:
        return info(thinker)
    if command != "state" or not rest.strip():
        return f"error expected {USAGE}, found {words[:200]!r}"
    try:
        game = position(rest.strip())
    except InputError as error:
        return "error " + " ".join(str(error).split())
    except Exception as error:  # a game's own reader may fail in any way
        return f"error cannot read {rest[:200]!r}: {type(error).__name__}: {' '.join(str(error).split())}"
    if game.is_over():
        return f"error the game is over in {rest[:200]!r}"
    return "move " + move_to_text(game.states[-1], decide(thinker, game))


def info(thinker: Thinker) -> str:
    """Tell how the last move was found: depth, score in Elo for the mover, positions, seconds of CPU time."""
    counters, seconds = thinker.memory.counters, thinker.seconds
    speed = int(counters[NODES] / seconds) if seconds > 0 else 0
    return (
        f"info depth {counters[REACHED]} score {counters[SCORE] / 100:.2f} nodes {counters[NODES]} "
        f"seconds {seconds:.3f} speed {speed}"
    )


def position(text: str) -> Game:
    """Return the game of a text, with the moves that follow it."""
    text, _, moves = text.partition(MOVES)
    game = Game(text_to_state(text.strip()))
    for move in moves.split():
        number = text_to_move(game.states[-1], move) if not game.is_over() else -1
        if number not in game.legal():
            raise InputError(f"moves: expected a legal move, found {move!r:.100}")
        game.play(number)
    return game


def decide(thinker: Thinker, game: Game) -> int:
    """Return the move to play; a legal one whatever happens."""
    left = thinker.clock()
    thinker.forget()
    thinker.set_clock(left)
    try:
        move = thinker.choose(game)
        return move if move in game.legal() else first_choice(game)
    except Exception:
        return first_choice(game)
