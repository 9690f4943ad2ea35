"""An agent in UGI, the Universal Game Interface of kz04px/cutegames. Copied into every agent.

The messages are those of `external.ugi`, with the options that an agent has: none. The search runs in a thread, so that
`stop` is heard; the search shares out this process's CPU time, and a timer keeps the clock on the wall."""

import sys
import threading
import time
from typing import Any

from tunesmith.engine.compile.slots import SIMULTANEOUS, apply_move, mover
from tunesmith.engine.evaluation import EVALUATION_MAX, WIN
from tunesmith.engine.searcher import (
    DEPTH_LIMIT,
    GAME_SECONDS,
    N_PV,
    NODE_LIMIT,
    NODES,
    REACHED,
    SCORE,
    SECONDS,
    SECONDS_LEFT,
    SIMULATION_LIMIT,
)
from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING
from tunesmith.tuning.export.agent.player import Game, Thinker, first_choice, load_weights
from tunesmith.tuning.export.agent.slots import (
    IS_MARGIN,
    IS_TREE,
    move_to_text,
    text_to_move,
    text_to_state,
)
from tunesmith.tuning.play.ugi_lines import (
    COMMANDS,
    LEAST,
    QUESTIONS,
    RESULTS,
    Clock,
    Go,
    note,
    read_go,
    read_position,
)

NO_LIMIT = 1 << 60
GREATEST_DEPTH = 200
INSTEAD_OF_DEPTH = 5000  # nodes, for a search that knows no depth
OVERHEAD = 0.02  # seconds that a move takes on its way, kept from every clock
MOST_OF_LEFT = 0.6  # of the time left that a move may take on the wall, where the processor is shared


class Conversation:
    """What is said and done between `ugi` and `quit`."""

    def __init__(self, say: Any) -> None:
        self.say = say
        weights = load_weights()
        self.name = "Tunesmith agent for " + str(weights["game"])
        self.thinker = Thinker(weights)
        self.to_go = [list(row) for row in self.thinker.memory.to_go]
        self.clock = Clock()
        self.game, self.start = Game(), ""
        self.moves: list[str] = []
        self.search: Any = None
        self.is_stopped = threading.Event()

    def answer(self, line: str) -> None:
        """Answer one line."""
        command, _, rest = line.strip().partition(" ")
        try:
            if command not in COMMANDS:
                raise InputError(f"expected one of {', '.join(COMMANDS)}, found {command!r:.60}")
            self.obey(command, rest.strip())
        except InputError as error:
            self.say(note(str(error)))
        except Exception as error:  # a game's own reader may fail in any way
            self.say(note(f"{command}: {type(error).__name__}: {error}"))

    def obey(self, command: str, rest: str) -> None:
        """Do what a line asks for; a search that goes on ends first, if it is in the way."""
        if command == "ugi":
            self.say("id name " + self.name)
            self.say("id author the Tunesmith authors")
            self.say("ugiok")
        elif command == "isready":
            self.say("readyok")
        elif command == "query":
            self.query(rest)
        elif command == "position":
            start, moves = read_position(rest)
            self.stop()
            self.replay(start, moves)
        elif command == "setoption":
            raise InputError(f"setoption: an agent has no options, found {rest!r:.60}")
        else:
            self.stop()
            if command == "go":
                self.go(rest, time.perf_counter())
            elif command == "uginewgame":
                self.thinker.forget()
                self.clock.new_game()
                self.game, self.start, self.moves = Game(), "", []

    def replay(self, start: str, moves: Any) -> None:
        """Go to a position, from the present one if that is on the way; what is wrong changes nothing."""
        is_same = start == self.start and moves[: len(self.moves)] == self.moves
        game = self.game if is_same else Game(text_to_state(start) if start else None)
        n_known = len(game.states)
        try:
            for move in moves[n_known - 1 :]:
                number = text_to_move(game.states[-1], move) if not game.is_over() else -1
                if number not in game.legal():
                    raise InputError(f"expected a legal move, found {move!r:.100}")
                game.play(number)
        except Exception as error:
            del game.states[n_known:], game.keys[n_known:], game.turned_keys[n_known:]
            raise InputError(f"position: {error} (the position stays as it was)") from None
        self.game, self.start, self.moves = game, start, moves

    def query(self, rest: str) -> None:
        """Answer whose turn it is, whether the game is over, and how it ended."""
        if rest not in QUESTIONS:
            raise InputError(f"query: expected one of {', '.join(QUESTIONS)}, found {rest!r:.60}")
        game = self.game
        found = game.result()
        answers = {
            "gameover": str(found != ONGOING).lower(),
            "p1turn": str(mover(game.states[-1]) == 0).lower(),
            "result": RESULTS[None if found == ONGOING else int(found)],
        }
        self.say("response " + answers[rest])

    def go(self, rest: str, began: float) -> None:
        """Begin to search."""
        limits = read_go(rest, int(mover(self.game.states[-1])))
        if self.game.is_over():
            self.say(note("go: the game is over"))
            self.say("bestmove (none)")
            return
        self.limit(limits)
        self.is_stopped = threading.Event()
        self.search = threading.Thread(target=self.think, args=(limits, began))
        self.search.daemon = True
        self.search.start()

    def limit(self, limits: Go) -> None:
        """Write into the memory of the search what ends it."""
        memory = self.thinker.memory
        nodes = limits.nodes or (INSTEAD_OF_DEPTH if IS_TREE and limits.depth else NO_LIMIT)
        memory.counters[NODE_LIMIT] = nodes
        memory.counters[DEPTH_LIMIT] = min(limits.depth or GREATEST_DEPTH, GREATEST_DEPTH)
        memory.counters[SIMULATION_LIMIT] = NO_LIMIT
        memory.numbers[SECONDS] = memory.numbers[GAME_SECONDS] = memory.numbers[SECONDS_LEFT] = 0.0
        if limits.seconds is not None:
            memory.numbers[SECONDS] = max(limits.seconds - OVERHEAD, LEAST)
        elif limits.left is not None:
            most, memory.to_go = self.clock.shared(limits, OVERHEAD, self.to_go)
            memory.numbers[GAME_SECONDS] = memory.numbers[SECONDS_LEFT] = most

    def think(self, limits: Go, began: float) -> None:
        """Search, and tell what was found."""
        wall = limits.seconds
        if wall is None and limits.left is not None:
            wall = MOST_OF_LEFT * limits.left
        timer = None
        if wall is not None:
            timer = threading.Timer(max(wall - OVERHEAD, LEAST), self.cut)
            timer.daemon = True
            timer.start()
        try:
            move = self.thinker.choose(self.game)
            text = move_to_text(self.game.states[-1], move)
            self.say(self.found(time.perf_counter() - began))
        except Exception as error:
            self.say(note(f"the search failed: {type(error).__name__}: {error}"))
            text = move_to_text(self.game.states[-1], first_choice(self.game))
        if timer is not None:
            timer.cancel()
        if limits.is_infinite():
            self.is_stopped.wait()
        self.clock.moved(limits, time.perf_counter() - began)
        self.say("bestmove " + text)

    def found(self, used: float) -> str:
        """Return the line that tells what a search has found."""
        memory = self.thinker.memory
        counters = memory.counters
        pace = round(counters[NODES] / used) if used > 0 else 0
        words = [f"info depth {counters[REACHED]} score {score_text(int(counters[SCORE]))}"]
        words.append(f"time {round(1000 * used)} nodes {counters[NODES]} nps {pace}")
        state = self.game.states[-1]
        for at in range(0 if SIMULTANEOUS and mover(state) == 1 else int(counters[N_PV])):
            move = int(memory.pv[at])
            words.append(("" if at else "pv ") + move_to_text(state, move))
            state = apply_move(state, move)
        return " ".join(words)

    def cut(self) -> None:
        """Let the search end at its next node."""
        self.thinker.memory.counters[NODE_LIMIT] = -1

    def stop(self) -> None:
        """End the search that goes on, if one does, and wait until its move is told."""
        search, self.search = self.search, None
        if search is not None:
            self.is_stopped.set()
            while search.is_alive():
                self.cut()
                search.join(0.05)

    def wait(self) -> None:
        """Wait until the search that goes on has ended by its own limit."""
        if self.search is not None:
            self.search.join()


def score_text(score: int) -> str:
    """Return a score (cp: Elo, or hundredths of a point of margin) or the moves to a forced end, mover's view."""
    if IS_MARGIN:
        return f"cp {100 * score}"
    if abs(score) > EVALUATION_MAX:
        moves = (WIN - abs(score) + 1) // 2
        return f"mate {moves if score > 0 else -moves}"
    return f"cp {round(score / 100)}"


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
