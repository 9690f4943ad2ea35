"""Agents that play without Tunesmith: a folder of plain Python for Python 3.6, with the engine's moves.

`writing` makes the folder; `build` says what the code is made of, `flatten` copies it into one file, `lists`
and `syntax` rewrite it, `trial` compares it with the game. `thinker`, `referee` and `lines` are what is copied into
agents besides the engine and the game; `quick` stands there for numpy."""
