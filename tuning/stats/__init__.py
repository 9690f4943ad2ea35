"""What do counts of results say about strength, and how sure is it? Pure functions.

- `brownian`: Where does Brownian motion from 0, between an absorbing wall below and one above, end, and when?
- `elo`: What do the counts of a match say about strength, and how sure is it?
- `generations`: Which of several generations is the strongest, as far as matches and held-out games tell?
- `likelihood`: How much more likely are these counts under H1 than under H0?
- `ratings`: How strong are several players, from the counts of all their matches?
- `sprt`: Is the first-named player stronger, and may we stop now?
- `words`: How is a figure said, and what may be claimed of it?
- `stopped_test`: How strong is the first-named player, seen from the end of a sequential test?

To add a model of the bounds, edit `likelihood.MODELS`."""
