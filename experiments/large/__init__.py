"""What do a table that does not fit in memory and a study of a million games take: time, memory, disk?

    python -m tunesmith.experiments.large table --rows 50000000 --columns 60
    python -m tunesmith.experiments.large table --rows 1000000 --columns 800 --nonzeros 60 --threads 2
    python -m tunesmith.experiments.large games --pairs 500000

Each command measures one case and adds it to `experiments/results/large-data.json`; its page is written anew.

- `games`: What does a study of many games take: to play, to look at, to describe, to go on with?
- `process`: How much time and memory does a command take, with all processes that it starts?
- `tables`: How much memory and time does `tunesmith fit` take for a table that does not fit in memory?"""
