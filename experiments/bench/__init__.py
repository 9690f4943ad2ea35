"""How fast is it, beside other people's programs? `make bench`, or `python -m tunesmith.experiments.bench`.

Every figure is a ratio measured in one run: both sides do the same work in turns, and before the first of them
is timed both must give the same answer (the same legal moves and results, the same number of leaves, the same
value, the same loss), else the run ends with an error. A reference that is not installed is named as that.

- `against`: Speed beside another commit of this repository, in one run
- `agents`: Positions a second of written-out agents beside those that another commit writes
- `duel`: What comes of the speed?
- `learning`: Speed of the fit beside scikit-learn
- `machine`: On what, and with what, was it measured?
- `race`: Two sides do the same work in turns: how many times as fast is ours?
- `rules`: Speed of the rules: random games to the end, and move sequences of a given length
- `searches`: Speed of the searches: alpha-beta to a fixed depth, and simulations of Monte Carlo search with
  random playouts
- `spiel`: Our games beside open_spiel's: the same position and the same move in both
- `table`: The table of a run, in Markdown whose columns are aligned, so that a terminal shows it as well"""
