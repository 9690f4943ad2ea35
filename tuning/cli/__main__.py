"""`python -P -m tunesmith.tuning.cli`: the command where no script is installed."""

from tunesmith.tuning.cli import main

main()
