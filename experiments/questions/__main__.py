"""Answer questions: `python -m tunesmith.experiments.questions NAME`."""

import sys

from tunesmith.experiments.questions.ask import main

sys.exit(main())
