"""What does a cluster give, and what does it cost? `python -m tunesmith.experiments.cluster`, a quarter of an hour.

- `cost`: What would games, proofs and searches cost on up to 1,000 workers, and what is the first bottleneck?
- `database`: Is a search that commands share in PostgreSQL whole, whoever is killed, whatever goes away?
- `intake`: What does the controller spend on a game, and how many games a second can it take in?
- `relay`: A slow network: what passes is delayed, and counted
- `tables`: The pages of what was measured
- `trouble`: Are games, trials and weights those of one machine, whoever is killed?

`compose.yaml`, `Dockerfile` and `tunesmith.slurm` start clusters; `README.md` says how."""
