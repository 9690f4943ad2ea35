"""Is it stronger, and may it call itself `tuned`?

- `contest`: Are the new weights stronger?
- `lineage`: How did a study come from its baseline to its candidate?
- `promotion`: When may weights call themselves a game's `tuned` ones, and how is that taken back?
- `verdict`: What the verification runs say together, in one sentence: stronger, weaker, or not shown

To add a condition of being called `tuned`, edit `promotion`; to add a word of the verdict, `verdict`."""
