"""What do lines of UGI say? The Universal Game Interface (`ugi.md` of kz04px/cutegames), as our programs read it.

Both sides of it use this: our engine and written-out agents, which get a copy, and matches of engines. Plain functions
and a plain class. Times are in milliseconds on the line, in seconds here."""

from tunesmith.engine.search.time_control import LAST
from tunesmith.games.errors import InputError

COMMANDS = ("ugi", "isready", "setoption", "uginewgame", "position", "query", "go", "stop", "quit")
QUESTIONS = ("gameover", "p1turn", "result")
RESULTS = {1: "p1win", 0: "draw", -1: "p2win", None: "none"}
TIMES = ("p1time", "p2time", "p1inc", "p2inc")
NUMBERS = ("p1time", "p2time", "p1inc", "p2inc", "movetime", "depth", "nodes")
MOST = 2**53  # of any number on a line
LEAST = 0.001  # seconds: of less nothing can be made
KEPT = 0.15  # seconds of a game's clock that are never planned with, and
KEPT_OF_CLOCK, MOST_KEPT = 0.01, 0.4  # of the clock, as much more, and at most so much in all
OF_KEPT = 0.125  # of what is left, that is shared out once only the kept part is
OF_INCREMENT = 0.75  # that a move may take for itself
LEARNED = 0.15  # weight of the last move in what is known of the way
SPREADS = 8.0  # mean deviations of the way, that are kept as well
MOVES_KEPT = (
    20  # beyond the expected ones, whose way is paid from what is kept, where the increment does not pay it
)
LONGEST = 400  # letters of what is said of a wrong line


class Go:
    """What ends a search: seconds left and won by a move, seconds, plies, nodes; None or 0: no such limit."""

    def __init__(
        self,
        left: float | None = None,
        increment: float = 0.0,
        seconds: float | None = None,
        depth: int = 0,
        nodes: int = 0,
    ) -> None:
        self.left, self.increment, self.seconds = left, increment, seconds
        self.depth, self.nodes = depth, nodes

    def is_infinite(self) -> bool:
        """Tell whether only `stop` ends it."""
        return not (self.depth or self.nodes) and self.left is None and self.seconds is None


class Clock:
    """How much of a clock may a search share out? All but a part that is kept for what the system takes away.

    On a busy machine a search ends later than it means to, and its move is read later still. Were all of the time
    shared out, a clock with an increment would run down to that increment, and the next delay end the game. So a part
    of the clock that the game began with is kept, and how late moves are read is learned from what the next `go` tells.
    The last of a clock is for games that last longer than others, by the rule of `engine.search.time_control`.
    """

    def __init__(self) -> None:
        self.first = 0.0  # seconds that the game began with
        self.moves = 0  # made by this clock in the game
        self.expected = (
            -1.0
        )  # seconds that the next `go` tells if nothing is lost on the way; negative: not known
        self.lag, self.spread = (
            0.0,
            0.0,
        )  # seconds that a move loses on the way: mean, and mean deviation from it

    def new_game(self) -> None:
        """Begin again with the time; how late moves are read is remembered."""
        self.first, self.moves, self.expected = 0.0, 0, -1.0

    def shared(self, go: Go, late: float, to_go: list[list[float]]) -> tuple[float, list[list[float]]]:
        """Return the seconds that the move may take at most, and among how many moves like it these are shared out.

        late: seconds that are gone already. to_go: moves to come, by stage and plies; the answer is of the same shape.
        """
        told = go.left or 0.0
        if self.expected >= 0.0:
            lag = max(0.0, self.expected - told)
            self.spread += (abs(lag - self.lag) - self.spread) * LEARNED
            self.lag += (lag - self.lag) * LEARNED
        self.first = max(self.first, told)
        kept = min(MOST_KEPT * self.first, KEPT + KEPT_OF_CLOCK * self.first)
        kept += LEAST + self.lag + SPREADS * self.spread + MOVES_KEPT * max(0.0, self.lag - go.increment)
        left = max(told - late, LEAST)
        own = min(OF_INCREMENT * go.increment * min(1.0, left / kept), left / 2) - self.lag
        free = max(left - kept, OF_KEPT * left)
        most = max(min(free + max(own, 0.0), max(left - kept / 2, left / 2)), LEAST)
        made = self.moves if told < LAST * self.first else 0
        return most, [[most / max(free / max(moves, made) + own, LEAST) for moves in row] for row in to_go]

    def moved(self, go: Go, used: float) -> None:
        """Remember what a move has left of the clock, by our count."""
        self.moves += 1
        self.expected = (go.left or 0.0) - used + go.increment if go.left is not None else -1.0


def read_go(text: str, mover: int) -> Go:
    """Return what a `go` asks for; `mover`: 0 for the first player's clock, 1 for the second's.

    Raises
    ------
    InputError
        An unknown word, a number that is none, or no clock of the mover's.
    """
    found: dict[str, int] = {}
    words = text.split()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "infinite":
            continue
        if word not in NUMBERS:
            raise InputError(f"go: expected {', '.join(NUMBERS)} or infinite, found {word!r:.60}")
        low = 1 if word in ("depth", "nodes") else -MOST  # a clock may have run out
        found[word] = read_whole(words[at] if at < len(words) else "", low, MOST, "go " + word)
        at += 1
    own = ("p1time", "p2time")[mover]
    if any(word in found for word in TIMES) and own not in found and "movetime" not in found:
        raise InputError(f"go: expected {own}, the mover's time in milliseconds, found {text!r:.100}")
    left = found.get(own)
    seconds = found.get("movetime")
    return Go(
        None if left is None else left / 1000,
        max(0, found.get(("p1inc", "p2inc")[mover], 0)) / 1000,
        None if seconds is None else seconds / 1000,
        found.get("depth", 0),
        found.get("nodes", 0),
    )


def read_position(text: str) -> tuple[str, list[str]]:
    """Return the position (empty: the start) and the moves from it that a `position` names."""
    words, _, tail = (text + " ").partition(" moves ")
    kind, _, start = words.strip().partition(" ")
    if kind not in ("startpos", "fen") or (start != "") != (kind == "fen"):
        raise InputError(
            f"position: expected startpos or fen POSITION, and moves MOVE ... behind it, found {text!r:.100}"
        )
    return start.strip(), tail.split()


def read_whole(text: str, low: int, high: int, where: str) -> int:
    """Return a whole number within its limits."""
    try:
        number = int(text)
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise InputError(f"{where}: expected a whole number from {low} to {high}, found {text!r:.60}")
    return number


def note(text: str) -> str:
    """Return the line that says what is wrong."""
    return "info string " + " ".join(text.split())[:LONGEST]
