"""What do counts of results say about strength, and how sure is it? Pure functions.

- `elo`: What do the counts of a match say about strength, and how sure is it?
- `likelihood`: How much more likely are these counts under H1 than under H0?
- `ratings`: How strong are several players, from the counts of all their matches?
- `sprt`: Is the first-named player stronger, and may we stop now?
- `stopped_test`: How strong is the first-named player, seen from the end of a sequential test?

To add a model of the bounds, edit `likelihood.MODELS`."""
