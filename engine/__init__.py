"""Play, for any game: compiled search, whole games and pairs, weight files, boards for people.

`Board` is imported when it is first used: who only reads a limit or a weight file needs no compiler.

- `board`: A game in progress, the way a person or a referee uses it: moves are texts, history is kept
- `evaluation`: The evaluation: scale x sum of stage share x weight x feature, in float64, seen from the mover;
  which features are computed at all
- `files`: Text files, written whole or not at all
- `limits`: What ends a search: depth, nodes, simulations, seconds a move or a game (the clock itself runs in
  `search/time_control`)
- `match`: Whole games and pairs, compiled from start to end: Python costs nothing per move
- `options`: Every switch and number of the search, its default, and what it promises
- `perft`: Perft: the number of move sequences of a given length, the standard test of a move generator
- `player`: A player: weights, options and a limit, asked for moves one position at a time
- `searcher`: What one player brings to compiled code: weights, options, limits and working memory, as one
  record
- `source`: Which code plays? Digests of the code of a game and of the engine, which every folder of games
  pins
- `weights`: Weight files: JSON, loaded by name and never by position, one definition for reading and writing
- `book/`: An opening book: for positions that good play often comes to, the move that a long search prefers
- `check/`: Does a game keep its contract (`games.game`)?
- `compile/`: How do a template and a game become one compiled function?
- `search/`: How does a player look ahead?

To add a search option, give it a line in `options.SearchOptions`: weight files, study files and `--options`
know it from there. To add a kind of limit, edit `limits` and, for its clock, `search/time_control`."""

from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from tunesmith.engine.board import Board

__all__ = ["Board"]
__getattr__, __dir__ = offered(__name__, __file__)
