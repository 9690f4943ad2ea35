"""How does an agent play without Tunesmith? A folder of plain Python for Python 3.6, with the moves of the engine.

- `alphabeta`: Alpha-beta as plain Python searches fastest: by recursion, with local names for what the engine
  keeps in frames
- `arrays_to_lists`: Arrays as lists, and conditions decided beforehand: what makes the engine's code fast as
  plain Python
- `build`: From a game, its weights and a limit to the one file of code that an agent is
- `comparison`: Does an agent's code do what it was made from?
- `first_moves`: An agent's first moves drawn by a seed: many different games from one start
- `flatten`: One Python file made of some functions and classes and all that they reach
- `literal`: Values written as Python: numbers, texts, containers, arrays, patterns; and what has to be
  imported
- `plain_numpy`: What plain Python does in the place of numpy, of younger Pythons, and of loops that it has a
  faster word for
- `player`: An agent's memory and its way to a move
- `python36`: Today's Python written so that Python 3.6 reads it, statement by statement
- `readme`: The words of an agent's folder: the first line of its files, and its README
- `referee`: `Player` for the referees of two courses: Expendibots (2020) and RoPaSci 360 (2021)
- `resolve`: What the global names of a function stand for, and the source of functions
- `slots`: The names that an agent's code leaves free, and that writing an agent fills in: the texts of the
  game, the search
- `speed/`: How does a written-out agent compute the same with less?
- `stdio`: An agent on standard input and output, one line a question and one line an answer
- `ugi`: An agent in UGI, the Universal Game Interface of kz04px/cutegames
- `write`: The folder of an agent: its code, its weights, what makes it a package or a program, and a README

To add a referee, write it in `referee` and name it in `write`."""
