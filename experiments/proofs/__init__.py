"""Long calculations that back a claim, each run by itself: make proofs.

- `capped_tests`: How do sequential tests with a limit of pairs end, and is it as foretold?
- `clocks/`: Does our engine, as a program, keep to clocks that other programs hold?
- `false_prizes`: How often does a complete tuning call weights stronger that cannot be?
- `few_pairs`: Do intervals hold the truth, and are claims of equal players rare, from the first pair on?
- `fit_speed`: How fast is the fit of large tables, against other people's solvers on the same matrix in the
  same run?
- `fuzz`: Does anything damaged get through?
- `generations`: Is the choice among a study's generations at least as good as the rules that it replaced?
- `house`: Is the house in order?
- `interval_coverage`: Do 95 % intervals hold the truth 95 times in a hundred?
- `fuzzing/`: What is damaged by `fuzz`, and how?
- `kills`: Does a command that is killed again and again leave what an undisturbed one leaves?
- `later_generations`: What should a generation after the first be fitted to, and what should hold it: which games,
  and which prior?
- `learning_curves`: What do the defaults of a study gain by games played, and what is each of them worth?
- `mutation`: Which formulas of statistics and fit could be wrong without a test that says so?
- `noise_game`: A game in which no weights are better than others: its features are noise, and so is its
  result
- `recovery`: Does the fit find a teacher's weights on real positions, and do its intervals hold what they
  promise?
- `same_numbers`: Are games, weights and verdicts still the numbers that were recorded?
- `search_intervals`: Do the intervals of a search hold the truth, and does it say "better" of nothing?
- `search_regret`: What does a search of the product lose, with which sampler and trials of which length?
- `solved_boards`: Does the solver find the values that other programs have computed?
- `sprt_errors`: Does the sequential test keep its error rates, and do its lengths come out as foretold?
- `time_limits`: Do searches keep to their time, and do they use it?
- `workers`: What does a second worker bring?

To add a proof, write a module with `main(arguments) -> exit code`: `make proofs` runs every one."""
