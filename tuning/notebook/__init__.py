"""How do games, matches and studies look to somebody who works in Python: a script, a shell, a notebook?

What the package `tunesmith` offers is made here, of the same parts as the commands. Objects show themselves (text,
HTML, SVG), tables are frames of pandas, paths and names may be texts. Nothing is printed but progress.

- `boards`: Games by name, and positions to play on
- `frames`: Which columns do games, positions, weights, matches and trials have, of which type, unit and view?
- `matches`: A match of two players, from a line of Python
- `progress`: Who hears how a run goes on that was started from Python?
- `players`: Weights by name, and what they say of a position
- `studies`: What does a study's folder hold, as objects and frames? And how is one run from Python?

To add a frame, write its columns in `frames` and a method in `studies.StudyResults`."""
