"""All passes over an agent's code, in their order."""

import ast

from tunesmith.tuning.export.agent.speed.bits import counted
from tunesmith.tuning.export.agent.speed.guards import guarded
from tunesmith.tuning.export.agent.speed.inline import SPREAD, inlined
from tunesmith.tuning.export.agent.speed.items import items
from tunesmith.tuning.export.agent.speed.memo import Searches, memoised
from tunesmith.tuning.export.agent.speed.purity import all_names
from tunesmith.tuning.export.agent.speed.repeated import without_repetitions
from tunesmith.tuning.export.agent.speed.sums import summed
from tunesmith.tuning.export.agent.speed.tidy import tidied, unchanged_lists
from tunesmith.tuning.export.agent.speed.unused import reached, without_unused_parameters
from tunesmith.tuning.export.agent.speed.weighing import Weighing, written_out


def quickened(text: str, kept: set[str], weighing: Weighing, searches: Searches) -> str:
    """Return a file that gives the same answers faster.

    Parameters
    ----------
    text
        An agent's code.
    kept
        The functions that others call too: they keep name and parameters.
    weighing
        What the evaluation is made of.
    searches
        See `memo.memoised`.
    """
    tree = ast.parse(text)
    tree = counted(tree)
    tree = written_out(tree, weighing)
    tree = without_unused_parameters(tree, kept)
    tree = memoised(tree, searches)
    for _ in range(2):
        tree = tidied(inlined(tree, {"evaluate"}, SPREAD))
    tree = guarded(tree)
    tree = tidied(without_repetitions(tree, unchanged_lists(tree)))
    tree = without_unused_parameters(tree, kept)
    if weighing.has_lists:  # words are Python's own
        tree = summed(tree, weighing)
    tree = reached(tree, kept)
    tree = memoised(tree, searches)  # now that it is known what is left to compute
    if weighing.has_lists:
        tree = items(tree, unchanged_lists(tree), all_names(tree))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
