"""How fast is it, beside other people's programs? `make bench`, or `python -m tunesmith.experiments.bench`.

Every figure is a ratio measured in one run: both sides do the same work in turns, and before the first of them
is timed both must give the same answer (the same legal moves and results, the same number of leaves, the same
value, the same loss), else the run ends with an error. A reference that is not installed is named as that."""
