"""Weights as constants that a person can paste into an agent written in some language.

A language is a function `write(constants, name) -> source`; every source holds the numbers bit for bit, an index
for each feature, where the numbers come from and whether they are proven, and the evaluation itself, which gives
the engine's integer for the same features and stage shares.

- `constants`: What is written in every language: names, numbers, origin and proof of weights or a table's fit
- `languages`: In which languages can weights be written, and by which file each?
- `spelling`: Identifiers, comments and texts that other languages accept
- `to_c`, `to_data` (JSON and CSV), `to_haskell`, `to_java`, `to_javascript`, `to_python`, `to_rust`: a language each
- `agent/`: A whole agent in one file

To add a language, write `to_LANGUAGE.write` and enter it in `languages.LANGUAGES`: the command's help and its
errors list what stands there."""

from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from tunesmith.tuning.export.agent.write import write_agent
    from tunesmith.tuning.export.constants import Constants, of_table, of_weights
    from tunesmith.tuning.export.languages import LANGUAGES, source

__all__ = ["LANGUAGES", "Constants", "of_table", "of_weights", "source", "write_agent"]
__getattr__, __dir__ = offered(__name__, __file__)
