"""Runnable study definitions, one per question, and what they showed.

- `chess_table`: Makes a table of chess positions for `tunesmith fit`: material and piece-square tables,
  results of the mover
- `clop_problems`: Artificial tuning problems, by which samplers are compared without playing
- `figures`: The figures of README and guides: each is written by a command that is named below it, and known by
  the code that was measured
- `five_games`: Table and picture of the five games in the README, from the proofs in the tuned files and the
  answer to `tuned`
- `labels`: Which labels and weights of positions predict games that no fit saw best?
- `moves_to_go`: How long the shipped games last: self-play of their tuned weights, written to all of their
  weight files
- `price`: What does it cost to prove 5 Elo, or 20, in each game?
- `quick_presets`: What does the quick preset of a study take, by stage, and what does it gain?
- `shrinkage`: Which way to hold weights predicts games that no fit saw best, and does it play better?
- `sizes`: How large is what `pip install tunesmith` brings, and each extra?
- `bench/`: How fast is it, beside other people's programs?
- `cluster/`: What does a cluster give, what does it cost, and how is one started?
- `large/`: What do a table that does not fit in memory and a study of a million games take: time, memory, disk?
- `pictures/`: What do the results look like? The pictures of the page of experiments
- `proofs/`: Long calculations that back a claim, each run by itself: make proofs
- `questions/`: The parts of which questions are made: their terms, and how each is played or measured
- `sparring/`: Does the program win that carries the weights? Games against programs that others published

Study files (`kalah.toml` and others) are run by `tunesmith run`; what came of them is in `results/`, pages for
readers are in `guides/` and `tutorials/`."""
