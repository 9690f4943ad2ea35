"""Does our engine, as a program, keep to clocks that other programs hold?

- `cutegames`: Does a runner that we did not write play a whole match of our engine?
- `ugi_games`: Does our engine keep to a clock that other programs hold, on a busy machine?"""
