"""The parts of which questions are made: their terms, and how each is played or measured."""
