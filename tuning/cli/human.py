"""A person against the engine in the terminal.

`play` asks for lines and says lines through the two functions it is given, so that tests can hold the
conversation. A line is a move (its text, or its number in the list of `moves`) or one of `COMMANDS`; anything
else is answered, never punished. Scores are Elo seen from whoever they are said to be for. In a simultaneous
game both choices are announced together, and neither side is shown the other's before."""

import shutil
from collections.abc import Callable, Sequence

from tunesmith.engine.board import Board
from tunesmith.engine.options import ALGORITHM, MARGIN, OBJECTIVE, RANDOM
from tunesmith.engine.player import Analysis, Player, evaluation_parts, seen_by_mover
from tunesmith.games.errors import InputError
from tunesmith.games.texts import counted, read_notation
from tunesmith.tuning.cli.interrupt import say as warn
from tunesmith.tuning.cli.printing import grid_lines

COMMANDS = {
    "moves": "list the legal moves",
    "board": "draw the board again",
    "hint": "what the engine would play for you",
    "eval": "the engine's view of the position, feature by feature",
    "undo": "take your last move back",
    "help": "this list",
    "quit": "end the game (so does the end of input)",
}
OVER = "The game is over: undo takes your last move back, quit or Enter ends it."
_LINE = 100  # characters of a line of moves where there is no terminal


def play(
    new_player: Callable[[], Player],
    side: int = 0,
    text: str | None = None,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
    against: str = "",
) -> Board:
    """Play one game against an engine and return its board, finished or not.

    Parameters
    ----------
    new_player
        Makes the engine that is played against; called once more for the engine that gives hints.
    side
        0: the person is the first player; 1: the second.
    text
        Position to start from (default: the start position).
    ask, say
        Called with a prompt for a line of input (`EOFError` ends the game), and with lines of output.
    against
        Who the engine is, in a few words.

    Raises
    ------
    InputError
        The text is not a position of this game, or `side` is not 0 or 1.
    KeyboardInterrupt
        The person pressed Ctrl-C, and has been told good-bye.
    """
    if side not in (0, 1):
        raise InputError(f"side: expected 0 or 1, found {side!r}")

    talk = _Talk(new_player, side, text, ask, say)
    if against:
        say(f"You play against {against}.")
    try:
        talk.run()
    except (EOFError, KeyboardInterrupt) as end:
        say("")
        say("Good-bye.")
        if isinstance(end, KeyboardInterrupt):
            raise
    return talk.board


class _Talk:
    """One game between a person and the engine: who sits where, and what was said."""

    def __init__(
        self,
        new_player: Callable[[], Player],
        side: int,
        text: str | None,
        ask: Callable[[str], str],
        say: Callable[[str], None],
    ) -> None:
        self._engine, self._new_player = new_player(), new_player
        self._game, self._weights = self._engine.game, self._engine.weights
        self.board, self._side, self._ask, self._say = Board(self._game, text), side, ask, say
        self._adviser: Player | None = None  # made for the first hint
        self._spoken: list[tuple[int, str]] = []  # (who, text) of every move
        self._is_open = True

    # --- the course of the game

    def run(self) -> None:
        """Play until the person has had enough."""
        self._say(f"You are the {('first', 'second')[self._side]} player. Type a move, or help.")
        while self._is_open:
            if self.board.is_over:
                self._finish()
            elif self.board.mover == self._side:
                self._person_moves()
            else:
                self._engine_moves()

    def _person_moves(self) -> None:
        self._show_board()
        length = len(self.board.moves)
        while self._is_open and len(self.board.moves) == length:
            line = self._ask("your move> ").strip()
            if not self._try_move(line):
                self._obey(line)

    def _engine_moves(self) -> None:
        analysis = self._analysed(self._engine)
        self._push(self._game.text_to_move(self.board.state, analysis.move))
        if not self._game.simultaneous:
            self._say(f"Engine: {analysis.move}  ({self._thought(analysis, 'for it')})")

    def _analysed(self, player: Player) -> Analysis:
        if player.takes_long:
            warn(f"compiling the search of {self._game.name} (the first time only, about half a minute)")
        return player.analyse(self.board)

    def _push(self, move: int) -> None:
        mover = self.board.mover
        self._spoken.append((mover, self._game.move_to_text(self.board.state, move)))
        self.board.play(move)
        if self._game.simultaneous:
            self._announce(mover)

    def _announce(self, mover: int) -> None:
        """Say that a choice is made; say which once both are."""
        if mover == 1:
            chosen = dict(self._spoken[-2:])
            self._say(f"Both have chosen. You: {chosen.get(self._side, 'as given')}")
            self._say(f"Engine: {chosen.get(1 - self._side, 'as given')}")
        elif mover != self._side:
            self._say("The engine has made its choice, which you will see after yours.")

    def _finish(self) -> None:
        result = self.board.result or 0
        mine = result if self._side == 0 else -result
        self._show_board()
        self._say(f"{('Draw', 'You win', 'The engine wins')[mine]} ({self.board.reason}).")
        if not self._spoken:
            self._is_open = False
        while self._is_open and self.board.is_over:
            line = self._ask("undo, or Enter to end> ").strip()
            self._obey(line or "quit")

    # --- what a person may say

    def _try_move(self, line: str) -> bool:
        """Play the move that the line names, if it names one."""
        legal = self._legal()
        if line in legal:
            self._push(legal[line])
            return True
        number = int(line) if line.isdecimal() and len(line) < 6 else 0
        if _is_numbered(legal) and 1 <= number <= len(legal):
            self._push(list(legal.values())[number - 1])
            return True
        return False

    def _obey(self, line: str) -> None:
        """Carry out a command, or answer what is none."""
        word = line.lower()
        if word in COMMANDS:
            getattr(self, f"_{word}")()
        elif self.board.is_over:
            self._say(OVER)
        elif line:
            self._read_otherwise(line)
        else:
            self._say("Type a move, or help.")

    def _read_otherwise(self, line: str) -> None:
        """Accept another spelling of a move that the game itself understands, or say why not."""
        try:
            move = read_notation(self._game.name, self._game.text_to_move, self.board.state, line)
        except InputError as error:
            # The text of an error may quote the position, and with it a choice that is still hidden.
            reason = "not a legal move" if self._game.simultaneous else str(error)
            self._say(f"{line!r:.60}: {reason}. The command moves lists what is legal.")
            return
        if move in self._legal().values():
            self._push(move)
        else:
            self._say(f"{line!r:.60}: not legal here. The command moves lists what is.")

    def _legal(self) -> dict[str, int]:
        """Return the legal moves by text, sorted by text."""
        texts = {self._game.move_to_text(self.board.state, m): m for m in self.board.legal_moves()}
        return dict(sorted(texts.items()))

    def _moves(self) -> None:
        if self.board.is_over:
            self._say(OVER)
            return
        legal = self._legal()
        entries = list(legal)
        if _is_numbered(legal):
            entries = [f"{number:>3} {text}" for number, text in enumerate(legal, start=1)]
        width = max(map(len, entries), default=0) + 2
        per_line = max(1, shutil.get_terminal_size((_LINE, 24)).columns // width)
        rows = [entries[at : at + per_line] for at in range(0, len(entries), per_line)]
        self._say_grid([[*row, *[""] * (per_line - len(row))] for row in rows])

    def _board(self) -> None:
        self._show_board()

    def _show_board(self) -> None:
        state = self.board.state
        self._say(self._game.draw_text(self._game.hide(state) if self._game.hide is not None else state))

    def _hint(self) -> None:
        if self.board.is_over:
            self._say(OVER)
            return
        self._adviser = self._adviser or self._new_player()
        analysis = self._analysed(self._adviser)
        line = f", then {' '.join(analysis.line[1:4])}" if len(analysis.line) > 1 else ""
        self._say(f"Hint: {analysis.move}{line}  ({self._thought(analysis, 'for you')})")

    def _eval(self) -> None:
        if self.board.is_over:
            self._say(OVER)
            return
        score, parts = evaluation_parts(self._game, self._weights, seen_by_mover(self.board)[0])
        shown = {name: part for name, part in parts.items() if part.elo}
        self._say_grid(
            [
                [name, f"{part.value:.4g}", "x", f"{part.weight:.4g}", "=", f"{part.elo:+z.2f}", "Elo"]
                for name, part in shown.items()
            ]
        )
        self._say(f"Together {score / 100:+z.2f} Elo for you.")

    def _undo(self) -> None:
        """Go back to the person's last decision; in a simultaneous game to the start of that turn."""
        turns = [at for at, (mover, _) in enumerate(self._spoken) if mover == self._side]
        if not turns:
            self._say("There is no move of yours to take back.")
            return
        keep = turns[-1]
        if self._game.simultaneous and self._side == 1:
            keep = max(0, keep - 1)  # the engine's choice is known by now: it chooses again
        while len(self._spoken) > keep:
            self.board.pop()
            self._spoken.pop()
        self._say(f"Back to move {keep + 1}.")

    def _help(self) -> None:
        self._say_grid(list(COMMANDS.items()))
        self._say("Anything else is read as a move: its text, or its number in the list of moves.")

    def _quit(self) -> None:
        self._say("Good-bye.")
        self._is_open = False

    def _say_grid(self, rows: Sequence[Sequence[str]]) -> None:
        for line in grid_lines(rows) if rows else ():
            self._say(line)

    def _thought(self, analysis: Analysis, whom: str) -> str:
        if self._engine.searcher.memory["options"][0][ALGORITHM] == RANDOM and not analysis.score:
            return "drawn at random"
        return f"{self._score(analysis)} {whom}, depth {analysis.depth}, {analysis.nodes:,} positions"

    def _score(self, analysis: Analysis) -> str:
        if analysis.forced is not None:
            how = "a win" if analysis.forced > 0 else "a loss"
            return f"{how} in {counted(abs(analysis.forced), 'ply', 'plies')}"
        if self._engine.searcher.memory["options"][0][OBJECTIVE] == MARGIN:
            return f"{analysis.score:+d} points"
        expected = 1 / (1 + 10 ** (-analysis.score / 40_000))
        return f"{analysis.score / 100:+z.0f} Elo, {expected:.0%}"


def _is_numbered(legal: dict[str, int]) -> bool:
    """Moves are numbered unless their own texts are numbers."""
    return not any(text.isdecimal() for text in legal)
