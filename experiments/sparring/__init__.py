"""Does the program win that carries the weights? Games against programs that others published.

    python -m tunesmith.experiments.sparring referee FOLDER --packages NAME ... --work SCRATCH
    python -m tunesmith.experiments.sparring ugi GAME "COMMAND" --work SCRATCH
    python -m tunesmith.experiments.sparring absent GAME NAME "WHY"

Each command adds its opponents to `experiments/results/sparring.json`; its page is written anew. `FOLDER` holds the
package `referee` of a course and packages with a `Player`; it is copied for each game, so that what a program writes
in one game does not enter another. The folder `adapters` has programs in Java that do not speak UGI made to speak it,
and how to build them.

- `course`: One game under a course's referee, and what its words say of it
- `engines`: Games of our engine against another program that speaks UGI
- `opponent`: What the games against one opponent amount to: points, faults, time"""
