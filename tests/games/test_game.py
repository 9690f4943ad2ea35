"""Five games, one skeleton: the same files, and in each the functions of the contract under the same headings."""

from importlib import import_module
from inspect import getsourcelines
from pathlib import Path

import pytest

from tunesmith import games
from tunesmith.games.game import functions_of

FILES = ("board", "drawing", "features", "notation", "rules", "symmetry")
HEADINGS = {
    "Play": ("rules", ("initial", "legal_moves", "apply_move", "mover", "outcome", "end_reason")),
    "Search": ("rules", ("is_quiet", "noisy_moves", "move_hint", "pass_turn")),
    "Margins": ("rules", ("final_margin", "settled_margin", "open_margin", "open_state")),
    "Counters and repetition": ("rules", ("history_key", "plies", "strip_counters", "hide")),
    "Images": ("symmetry", ("symmetries", "symmetric_move")),
    "Players exchanged": ("symmetry", ("swap_sides", "swap_move")),
    "Features": ("features", ("features",)),
    "Stages": ("features", ("stages",)),
    "States": ("notation", ("state_to_text", "finished_text", "text_to_state")),
    "Moves": ("notation", ("move_to_text", "text_to_move")),
    "Text": ("drawing", ("draw_text",)),
    "Picture": ("drawing", ("draw_svg", "squares")),
}


@pytest.mark.parametrize("name", games.names())
def test_a_game_has_the_same_files(name: str) -> None:
    folder = Path(import_module(f"tunesmith.games.{name}").__file__ or "").parent
    found = sorted(path.stem for path in folder.glob("[a-z]*.py"))
    assert found == sorted([*FILES, "captures", "tactics"] if name == "fanorona" else FILES)


@pytest.mark.parametrize("name", games.names())
def test_the_functions_of_the_contract_stand_in_order_under_their_headings(name: str) -> None:
    where: dict[str, list[tuple[int, str]]] = {}
    for file in FILES:
        module = import_module(f"tunesmith.games.{name}.{file}")
        lines = Path(module.__file__ or "").read_text().splitlines()
        headings = [(i, line[2:].partition(".")[0]) for i, line in enumerate(lines, 1) if line[:2] == "# "]
        for function in functions_of(module).values():
            start = getsourcelines(function)[1]
            above = [text for i, text in headings if i < start and text in HEADINGS]
            assert above, f"{file}.{function.__name__} stands under no heading"
            assert HEADINGS[above[-1]][0] == file
            where.setdefault(above[-1], []).append((start, function.__name__))
    for heading, placed in where.items():
        names = [function for _, function in sorted(placed)]
        assert names == [function for function in HEADINGS[heading][1] if function in names]
    assert {function for placed in where.values() for _, function in placed} >= set(
        games.load(name).functions()
    )
