"""Games by name, and positions to play on."""

from tunesmith.engine import board as engine
from tunesmith.games import registry
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.play.openings.file import split_moves
from tunesmith.tuning.play.sandbox.admission import admit


def load_game(spec: str | Game) -> Game:
    """Return a game by name, variant or file: `kalah`, `kalah:ponds=6,seeds=4`, `path/to/game.py`.

    A game of one's own is looked at once before it is played, in a process of its own, as the commands do.

    Raises
    ------
    InputError
        Unknown game, file or variant.
    GameError
        The file fails, or the game breaks its contract.
    """
    game = spec if isinstance(spec, Game) else registry.load(str(spec))
    admit(game)
    return game


def spec_of(game: str | Game) -> str:
    """Return what loads a game again, in a worker too; refuse one that was made in memory."""
    if not isinstance(game, Game):
        return str(game)
    spec = registry.spec_of(game)
    if spec is None:
        raise InputError(
            f"game {game.name!r}: expected a name, a file, or what load_game has returned: "
            "workers load the game again, and cannot load one that was made in memory"
        )
    return spec


class Board(engine.Board):
    """One game in progress; a notebook shows it as a picture, a shell as text. Moves are in the game's notation.

    Parameters
    ----------
    game
        A game, or what `load_game` takes.
    text
        Text form of the position to start from (default: the start position).
    moves
        Moves to play from there, separated by blanks.

    Raises
    ------
    InputError
        The text is no position of the game, or a move is not legal.
    """

    def __init__(self, game: Game | str, text: str | None = None, moves: str = "") -> None:
        super().__init__(load_game(game), text)
        if moves:
            self.push(moves)

    def push(self, text: str) -> None:
        """Play a move, or several separated by blanks: all of them, or none if one is not legal."""
        before = len(self.moves)
        try:
            for move in split_moves(self, text) or [text]:
                super().push(move)
        except InputError:
            while len(self.moves) > before:
                self.pop()
            raise
