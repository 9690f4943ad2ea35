"""Questions that spare a call."""

import ast

from tunesmith.tuning.export.agent.speed.guards import guarded

FILE = """
def grown(board, steps):
    if board == 0:
        return 0
    for _ in range(steps):
        board |= board << 1
    return board

def noted(board, out):
    if board == 0:
        return 0
    out.append(board)
    return 1

def both(own, opp, out):
    noted(own, out)
    return grown(own, 1) | grown(opp, 2) | grown(own & opp, 3)
"""


def test_what_is_answered_at_once_is_answered_where_it_is_called() -> None:
    text = ast.unparse(guarded(ast.parse(FILE)))
    assert "(0 if own == 0 else grown(own, 1)) | (0 if opp == 0 else grown(opp, 2))" in text
    assert "| grown(own & opp, 3)" in text  # asking would compute that twice
    assert "\n    noted(own, out)" in text  # it does more than answer
    old: dict[str, object] = {}
    new: dict[str, object] = {}
    exec(FILE, old)
    exec(text, new)
    for own in range(4):
        for opp in range(4):
            assert new["both"](own, opp, []) == old["both"](own, opp, [])  # type: ignore[operator]
