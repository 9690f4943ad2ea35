"""What does each section of a study's page say?

- `dataset`: What do the positions that teach the weights look like?
- `fit`: How well do the new weights predict results, on games the fit saw and on games it did not?
- `fit_limits`: What would more games bring, where is the fit wrong, and what can a weighted sum not say?
- `game`: A whole game of the new weights, to page through inside the report
- `methods`: What would a student write under "Method", with every setting, seed, version and digest filled
  in?
- `proof`: Is it proved?
- `search`: What did the search by playing find?
- `selfplay`: From which games did the fit learn, and on which positions do old and new weights disagree most?
- `sources`: From what do the games come: which weights played each generation, and which openings a file
  held?
- `verdict`: What is the answer, in one screen?
- `weights`: Which weights moved, how far, and how sure is each?"""
