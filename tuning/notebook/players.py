"""Weights by name, and what they say of a position."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.player import Part, evaluation_parts
from tunesmith.engine.weights import Weights, require_game
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.notebook.boards import load_game
from tunesmith.tuning.pipeline.table_weights import is_table_weights
from tunesmith.tuning.play.player import NamedPlayer, named_weights, read_player
from tunesmith.tuning.report.html import el

if TYPE_CHECKING:
    import pandas as pd


class Evaluation(float):
    """The static evaluation of a position, in Elo, as its mover sees it: a number that knows what it is made of.

    Attributes
    ----------
    mover
        Who sees it so: 0 the first player, 1 the second.
    parts
        What each feature adds: its value, its weight (mixed over the stages), and their product in Elo.
    """

    mover: int
    parts: dict[str, Part]

    @staticmethod
    def of(elo: float, mover: int, parts: dict[str, Part]) -> Evaluation:
        """Return an evaluation with its parts."""
        made = Evaluation(elo)
        made.mover, made.parts = mover, parts
        return made

    def table(self) -> pd.DataFrame:
        """Return the parts as a frame: index `feature`; columns `value`, `weight` and `elo`, in Elo for the mover."""
        from tunesmith.tuning.notebook.frames import parts_frame

        return parts_frame(self.parts)

    def __repr__(self) -> str:
        return f"{float(self):+z.2f} Elo for the {('first', 'second')[self.mover]} player, who is to move"

    def _repr_html_(self) -> str:
        shown = self.table()
        largest = shown[shown["elo"] != 0].sort_values("elo", key=abs, ascending=False)
        return el("p", repr(self)) + str(largest.to_html(float_format="{:.2f}".format))


@dataclass(frozen=True, eq=False, repr=False)
class LoadedWeights(Weights):
    """Weights with the name that they were asked for by; what they weigh is in `values` and in `table()`."""

    name: str = ""

    @staticmethod
    def of(weights: Weights, name: str) -> LoadedWeights:
        """Return weights under a name."""
        return LoadedWeights(**_fields(weights), name=name)

    def evaluate(self, board: Board) -> Evaluation:
        """Return the static evaluation of a position in Elo, as its mover sees it; nothing is searched.

        Raises
        ------
        InputError
            The position is of another game or variant, or the game is over.
        """
        require_game(self, board.game, self.name)
        if board.is_over:
            raise InputError(f"position {board.text!r}: the game is over ({board.reason})")
        score, parts = evaluation_parts(board.game, self, board.state)
        return Evaluation.of(score / 100, board.mover, parts)

    def table(self) -> pd.DataFrame:
        """Return the weights as a frame: index `feature`, a column for each stage, in Elo per unit of the feature."""
        from tunesmith.tuning.notebook.frames import stages_frame

        return stages_frame(self)

    def __repr__(self) -> str:
        n_used = sum(any(row[name] for row in self.values.values()) for name in self.features)
        proof = self.proof[-1].get("sentence") if self.proof else None
        told = f"<weights {self.name} of {self.game}: {n_used} of {len(self.features)} features, {self.digest[:12]}>"
        return f"{told}\n{proof}" if proof else told

    def _repr_html_(self) -> str:
        return el("p", repr(self)) + str(self.table().to_html(float_format="{:.2f}".format))


def load_weights(name: str | os.PathLike[str], game: str | Game | None = None) -> LoadedWeights:
    """Return weights by name or file, checked against their game.

    Parameters
    ----------
    name
        `kalah/tuned`, `tuned` with a game, or a file.
    game
        A game, or what `load_game` takes; by default the one that the name or the file says.

    Raises
    ------
    InputError
        No such weights, another game or variant, or a damaged file.
    """
    text = os.fspath(name)
    if os.path.isfile(text) and is_table_weights(Path(text)):
        raise InputError(
            f"{text}: these weights were fitted to a table and belong to no game: `tunesmith predict {text} TABLE` "
            f"scores positions with them, `tunesmith weights export {text}` writes them for an agent"
        )
    if game is None:
        loaded, found = named_weights(text, None)
        load_game(loaded)
    else:
        loaded = load_game(game)
        found = weight_files.load(name, loaded)
    return LoadedWeights.of(found, text.rpartition("/")[2] if not os.path.isfile(text) else text)


def player_of(player: str | os.PathLike[str] | Weights, game: Game, limit: str) -> NamedPlayer:
    """Return a player of a match: weights as they are, or as the commands read it (`NAME@key=value`).

    A worker needs no more of weights than `engine.weights` has, so they are given to it as such.
    """
    if not isinstance(player, Weights):
        return read_player(os.fspath(player), game, limit)
    name = player.name if isinstance(player, LoadedWeights) else player.digest[:12]
    return NamedPlayer(name, name, Weights(**_fields(player)), limit, None)


def _fields(weights: Weights) -> dict[str, Any]:
    return {field.name: getattr(weights, field.name) for field in fields(Weights)}
