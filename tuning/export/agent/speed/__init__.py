"""How does a written-out agent compute the same with less? One pass a module, each over any game's code.

- `bits`: Loops over the bits of a word, and what plain Python has a faster word for
- `branches`: Statements and expressions that become others
- `guards`: Calls that a question about the arguments spares: what a function answers at once is answered where
  it is called
- `inline`: Small functions as part of their callers
- `intervals`: Between which numbers does the value of an expression lie? Known from how it is computed, or not known
- `items`: Items taken together: a stretch of a table, the bytes of a word
- `memo`: Answers that are asked for again and again: a table of answers where counts say that it pays
- `nodes`: The nodes of a syntax tree, which every pass goes through again and again
- `parts`: Local tuples and lists that are only parts
- `purity`: What the functions of a file do besides answering
- `quicken`: All passes over an agent's code, in their order
- `repeated`: What is computed twice: the second time the name of the first
- `settled`: Names that hold a known number where they are read: the number in their place
- `small_numbers`: What is a value the sum of? Of what small numbers say, each by itself, in any way
- `sums`: A weighted sum over small numbers: one table for each of them
- `tidy`: What is known before the game begins
- `unused`: Parameters that a function does not use, and functions that nobody calls
- `weighing`: The weighted sum written out

The passes work on the syntax tree of the finished file, where every name is final. To add one, write it as a function
from tree to tree, and name it in `quickened`."""

from tunesmith.tuning.export.agent.speed.quicken import quickened

__all__ = ["quickened"]
