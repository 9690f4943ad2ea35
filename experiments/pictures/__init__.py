"""What do the results look like? The pictures of `experiments/README.md`, drawn from the files in `results`.

- `album`: Which pictures does the page show, and what does it say below each?
- `boards`: A board a game: where do tuned and hand-made weights differ most, and who was right?
- `frame`: SVG that stands alone, on light and dark, on a phone and a screen
- `gains`: What is gained by games, by nodes, and by each part of an evaluation?
- `league`: Who scores how much against whom?

`python -m tunesmith.experiments.figures` draws all of them; the boards' positions are found by `boards` itself."""
