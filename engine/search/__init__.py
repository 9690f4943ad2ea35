"""How does a player look ahead? Templates, bound to a game by `engine.compile`.

- `alphabeta`: Negamax alpha-beta with a stack of its own (no recursion in compiled code)
- `deepening`: Iterative deepening under a limit of depth, nodes or time: from a position to a move
- `dispatch`: Which search a player's options ask for, and how compiled code gets to it
- `double_oracle`: Zero-sum matrix games of which few cells are ever looked at: the double oracle (McMahan and
  others 2003)
- `elo`: Scores and expected results, each made of the other by the Elo formula
- `endings`: When a game is over: the state's own word, repetition, the limit of plies, in the game's order
- `exact`: Does the value of a position reach a bound? A search to the end of the game, for the solver alone
- `matrix`: Zero-sum matrix games: the mixed choices that neither side can improve on, and their value
- `mcts`: Monte Carlo tree search: UCT (Kocsis and Szepesvari 2006) with evaluation or playouts at the leaves
- `ordering`: Which move to try first: the table's, then the game's hints, killers, and the history heuristic,
  or the evaluations of what the moves lead to
- `quiesce`: What does a position come to if only noisy moves are played?
- `selective`: Which moves are worth a search?
- `simultaneous`: Simultaneous choices at the root: from a position to a choice drawn from an equilibrium of the
  turn's matrix
- `solve`: The exact value of a position, by search to the end of the game
- `time_control`: How long may a move take? The clocks of `time` and `game-time`
- `transposition`: The transposition table: buckets of two entries of four int64 words
- `turn_tree`: Turns in which both sides choose at once, as a tree of matrix games: what is a position between turns
  worth?
- `values`: What positions are worth to the search: the evaluation of a leaf, the value of a finished game

To add an algorithm, write its template here, enter it in `dispatch`, and give it a word in `options`."""
