"""How do a template and a game become one compiled function?

- `arith`: Integer arithmetic that gives the same bits compiled (int64, wrapping) and as plain Python
  (unbounded)
- `bind`: Templates made into searches of one game: `bind(template, game)`
- `jit`: The only place that names numba and its options
- `slots`: The names that engine templates leave free, and that `bind` fills with a game's functions and facts

To add a function that games may offer, name it in `games.game.Game` and in `slots`."""
