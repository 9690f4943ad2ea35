"""Rules, features and notation of board games, as plain functions that an engine can compile.

`game` is the contract, `registry` finds games by spec.

- `bits`: Arithmetic on words that games share: hashes of positions
- `bytecode`: What a function's code says and which values it asks for, read from its byte code
- `clone`: Copies of plain functions with other values for their global names
- `digest`: What does a function depend on, by value?
- `errors`: The error tree
- `game`: The record of a game, and the contract between a game and everything that plays it
- `lazy`: How does a package offer names without importing the modules that hold them before they are needed?
- `registry`: Games by spec: `kalah`, `kalah:ponds=6,seeds=4`, `path/to/game.py`, `module:ATTR`
- `texts`: What the readers of texts and variants share: how a wrong value is shown, what counts as a whole
  number
- `user_file`: How is the file of a user's game run? With the modules that lie beside it, under names of their own

Every game's folder has the same files, with the same
functions under the same headings, in the order of the contract:
- `__init__`: the rules in words, the variants, `GAME`;
- `board`: the layout, tables, and sets of squares (cells, points, hexes, seeds) as words;
- `rules`: the words of a state; play, search (what is quiet, what to try first), margins, repetition;
- `symmetry`: images of a position, and the players exchanged (`swap_sides`);
- `features`: what is counted, and the stages (Fanorona's threats: `tactics`);
- `notation`: states and moves as texts;
- `drawing`: a position in characters and as SVG.
To add a feature, give it a line in `features.MEANINGS` (or `meanings`) and write its number in `features`."""

from tunesmith.games.game import ONGOING, Game
from tunesmith.games.registry import load, names

__all__ = ["ONGOING", "Game", "load", "names"]
