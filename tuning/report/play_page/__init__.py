"""How does a person play against the engine in a browser?

- `app`: What may be asked of the page, and what is answered?
- `game`: One game between a person and the engine: orders go in, and what is to be seen comes out
- `view`: What does the page show of a position?

The page itself is `report/assets/play.js` and `play.css`; who may ask for it at all: `report.server`."""
