"""Which positions teach, from played games or from somebody's table?

- `dataset`: Which positions of which games teach the weights, and with what label?
- `describe`: Which positions would a study, or a folder of games, teach from, and what do they look like?
- `facts`: What do the positions that a fit sees look like: how many, from which games, how balanced, what do
  they show?
- `imported`: Games that somebody already has, as a folder of games: move lists in the game's notation, with
  results
- `merge`: Which rows are one position, and what becomes of their labels, weights and groups?
- `moves_to_go`: How many moves are still to come?
- `quiet`: Is a position calm, and if not, what does it come to?
- `score_scales`: What is one Elo of a player's scores worth in the results of its games?
- `source`: Which games does a folder hold? Of all a few numbers each, of some whole pairs everything, read in
  turn
- `table/`: What do somebody's own positions teach, and which lines of the file had to be left out?

To add a figure about positions, edit `facts` and show it in `report/sections/dataset`; to add a format of
tables, see `table/`."""

from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from tunesmith.tuning.data.dataset import Dataset, build_rows
    from tunesmith.tuning.data.facts import dataset_facts
    from tunesmith.tuning.data.table import read_table
    from tunesmith.tuning.data.table.gather import Table
    from tunesmith.tuning.data.table.layout import TableOptions

__all__ = ["Dataset", "Table", "TableOptions", "build_rows", "dataset_facts", "read_table"]
__getattr__, __dir__ = offered(__name__, __file__)
