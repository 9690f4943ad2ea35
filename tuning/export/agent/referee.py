"""`Player` for the referees of two courses: Expendibots (2020) and RoPaSci 360 (2021). Copied into their agents.

The referee makes a `Player` with the name of its colour, asks `action()` for an action, and tells by `update` what was
played, own actions too. It counts the CPU time of the whole process; so does this, from the constructor on, and it
keeps a reserve. How the time is shared out is the search's own rule. Whatever fails, a legal action is played.

Given a `seed` too, which a referee does not do, a `Player` draws by it: its first moves, or in a game of simultaneous
choices each draw from an equilibrium, so that games from the same start differ."""

from time import process_time
from typing import Any

from tunesmith.engine.compile.slots import REPETITION_LIMIT, SIMULTANEOUS
from tunesmith.engine.evaluation import EVALUATION_MAX
from tunesmith.engine.searcher import SCORE, SEED
from tunesmith.tuning.export.agent.first_moves import N_DRAWN, drawn
from tunesmith.tuning.export.agent.player import Game, Thinker, first_choice, load_weights
from tunesmith.tuning.export.agent.slots import CLOCK_SECONDS, move_to_text, text_to_move

LOWER = "lower"
# What is planned with of the time for a game. The rest is for what is counted and is not search.
PLANNED = 0.95


class Seat:
    """What both games' players do alike: a game, a clock, a thinker."""

    def __init__(self, seed: Any) -> None:
        """Begin a game; draw by `seed`, a whole number, unless it is None."""
        began = process_time()
        self.game, self.seed = Game(), seed
        self.thinker = Thinker(load_weights())
        if seed is not None:
            self.thinker.memory.counters[SEED] = int(seed)
        self.used = process_time() - began

    def chosen(self) -> int:
        """Return the move to play; a legal one whatever happens.

        Once the end is known what was searched before is forgotten: the table knows a win at every position round
        here, some of them longer ones, and a search that ends at the first of these may walk to and fro until the
        game is drawn. A search of its own finds the shortest win, which gets shorter with every move.
        Who led at the last move takes coming back to any position of the game for a draw (`wary`).
        """
        left = PLANNED * CLOCK_SECONDS - self.used
        if CLOCK_SECONDS > 0.0 and left <= 0.0:
            return first_choice(self.game)
        try:
            score = self.thinker.memory.counters[SCORE]
            if abs(score) > EVALUATION_MAX:
                self.thinker.forget()
            if CLOCK_SECONDS > 0.0:
                self.thinker.set_clock(left)
            move = -1
            if self.seed is not None and not SIMULTANEOUS and self.game.n_plies() < 2 * N_DRAWN:
                move = drawn(self.thinker, self.game, self.seed)
            if move < 0:
                is_wary = score > 0 and REPETITION_LIMIT > 0 and not SIMULTANEOUS
                move = self.thinker.choose(wary(self.game) if is_wary else self.game)
            return move if move in self.game.legal() else first_choice(self.game)
        except Exception:
            return first_choice(self.game)

    def take(self, action: Any, to_text: Any, to_action: Any) -> None:
        """Play an action that the referee has allowed, in the referee's form."""
        state = self.game.states[-1]
        try:
            move = text_to_move(state, to_text(action))
        except Exception:  # in a form that is new to us: the legal one that is equal to it
            move = next(m for m in self.game.legal() if to_action(move_to_text(state, m)) == action)
        self.game.play(move)


def wary(game: Game) -> Game:
    """Return the game with each position there as often as it may be: to come back to one would be a draw."""
    made = Game(game.states[-1])
    made.states, made.turned_keys = list(game.states), list(game.turned_keys)
    made.keys = sorted({key for key in game.keys if key != 0}) * max(0, REPETITION_LIMIT - 2) + game.keys
    return made


class ExpendibotsPlayer(Seat):
    """Plays one game of Expendibots."""

    def __init__(self, colour: str, seed: Any = None) -> None:
        """Take a seat: `white` or `black`."""
        super().__init__(seed)
        self.colour = colour

    def action(self) -> Any:
        """Return the action for the present position: ("MOVE", n, (xa, ya), (xb, yb)) or ("BOOM", (x, y))."""
        began = process_time()
        action = expendibots_action(move_to_text(self.game.states[-1], self.chosen()))
        self.used += process_time() - began
        return action

    def update(self, colour: str, action: Any) -> None:
        """Note an action of either player."""
        began = process_time()
        if not self.game.is_over():
            self.take(action, expendibots_text, expendibots_action)
        self.used += process_time() - began


def expendibots_action(text: str) -> Any:
    """Return the referee's form of an action's text."""
    if text[0] == "B":
        return ("BOOM", (int(text[1]), int(text[2])))
    head, places = text.split(":")
    return ("MOVE", int(head[1:], 16), (int(places[0]), int(places[1])), (int(places[3]), int(places[4])))


def expendibots_text(action: Any) -> str:
    """Return the text of an action in the referee's form."""
    if action[0] == "BOOM":
        return f"B{action[1][0]}{action[1][1]}"
    _, n, source, target = action
    return f"M{int(n):X}:{source[0]}{source[1]}-{target[0]}{target[1]}"


class RopasciPlayer(Seat):
    """Plays one game of RoPaSci 360."""

    def __init__(self, player: str, seed: Any = None) -> None:
        """Take a seat: `upper` or `lower`."""
        super().__init__(seed)
        self.player = player

    def action(self) -> Any:
        """Return the action for the present turn: ("THROW", symbol, hex), ("SLIDE" or "SWING", hex, hex)."""
        began = process_time()
        before = self.game
        if self.player == LOWER:  # Lower chooses second: behind any choice of Upper's, which stays unseen
            self.game = behind(before)
        try:
            action = ropasci_action(move_to_text(self.game.states[-1], self.chosen()))
        finally:
            self.game = before
        self.used += process_time() - began
        return action

    def update(self, opponent_action: Any, player_action: Any) -> None:
        """Note both actions of a turn, the opponent's first."""
        began = process_time()
        both = [player_action, opponent_action]
        if self.player == LOWER:
            both.reverse()
        if not self.game.is_over():
            for action in both:
                self.take(action, ropasci_text, ropasci_action)
        self.used += process_time() - began


def behind(game: Game) -> Game:
    """Return the game with some choice of Upper's made, so that Lower is to choose; the given one stays as it is."""
    pending = Game(game.states[-1])
    pending.states, pending.keys = list(game.states), list(game.keys)
    pending.turned_keys = list(game.turned_keys)
    pending.play(game.legal()[0])
    return pending


def ropasci_action(text: str) -> Any:
    """Return the referee's form of an action's text."""
    kind, places = text.split(":")
    hexes = [tuple(int(number) for number in place.split(",")) for place in places.split(">")]
    if kind[0] == "T":
        return ("THROW", kind[1], hexes[0])
    return ({"L": "SLIDE", "W": "SWING"}[kind], hexes[0], hexes[1])


def ropasci_text(action: Any) -> str:
    """Return the text of an action in the referee's form."""
    if action[0] == "THROW":
        return f"T{action[1]}:{action[2][0]},{action[2][1]}"
    kind = {"SLIDE": "L", "SWING": "W"}[action[0]]
    (r, q), (to_r, to_q) = action[1], action[2]
    return f"{kind}:{r},{q}>{to_r},{to_q}"
