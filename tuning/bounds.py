"""How much may be asked for at most? One answer for study files, the command line and libraries.

More pairs than this need no measurement and more memory than a machine has: they are a slip of the hand."""

MOST_PAIRS = 10_000_000
