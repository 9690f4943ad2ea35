"""Weights in Haskell: a module with an index for each feature and stage, the numbers, and a function."""

from tunesmith.games.errors import InputError
from tunesmith.tuning.export.constants import LARGEST, Constants
from tunesmith.tuning.export.spelling import camel, check_name, comment


def write(made: Constants, name: str | None) -> str:
    """Return the source; `name` is the module, which a file of that name holds."""
    title = check_name(name, frozenset({"Main", "Prelude"})) if name else f"Weights{camel(made.stem)}"
    if not title[0].isupper():
        raise InputError(f"--name: a module of Haskell begins with a capital letter, found {name!r}")
    n = (len(made.stages), len(made.features))
    entries = [*made.features_at(camel, "feature"), *made.stages_at(camel, "stage")]
    return "\n".join([
        *comment("--", made.notes("eloPerUnit")),
        f"module {title} where",
        "",
        *(line for i, at, note in entries for line in (f"{i} :: Int", f"{i} = {at} -- {note}")),
        "",
        "eloPerUnit :: Double",
        f"eloPerUnit = {made.elo_per_unit!r}",
        "",
        "weights :: [[Double]]",
        "weights =",
        *(
            line
            for s, (stage, row) in enumerate(made.table())
            for line in (
                f"  {',' if s else '['} -- {stage}",
                *(f"    {',' if f else '['} {number} -- {note}" for f, (number, note) in enumerate(row)),
                "    ]",
            )
        ),
        "  ]",
        "",
        f"-- Score of the {made.side} in 1/100 Elo.",
        "evaluate :: [Double] -> [Double] -> Int",
        "evaluate features shares",
        f"  | length features /= {n[1]} || length shares /= {n[0]} =",
        f'      error "expected {n[1]} features and {n[0]} shares"',
        "  | otherwise = round (within (eloPerUnit * total * 100)) -- half to even",
        "  where",
        "    total = sumUp [share * part row | (share, row) <- zip shares weights, share /= 0]",
        "    part row = sumUp (zipWith (*) row features)",
        "    sumUp = foldl (+) 0 :: [Double] -> Double",
        f"    within score = max (-{LARGEST}) (min {LARGEST} score)",
        "",
    ])  # fmt: skip
