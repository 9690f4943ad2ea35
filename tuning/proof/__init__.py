"""Is it stronger, and may it call itself `tuned`?

- `contest`: Are the new weights stronger?
- `lineage`: How did a study come from its baseline to its candidate?
- `promotion`: When may weights call themselves a game's `tuned` ones, and how is that taken back?
- `reason`: Why was nothing shown?
- `verdict`: What the verification runs say together, in one sentence: stronger, weaker, or not shown

To add a condition of being called `tuned`, edit `promotion`; to add a word of the verdict, `verdict`."""

from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from tunesmith.tuning.proof.contest import Contest, decide, measure
    from tunesmith.tuning.proof.promotion import promote, proof_of, rollback
    from tunesmith.tuning.proof.verdict import conclude

__all__ = ["Contest", "conclude", "decide", "measure", "promote", "proof_of", "rollback"]
__getattr__, __dir__ = offered(__name__, __file__)
