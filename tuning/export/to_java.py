"""Weights in Java: a class with an index for each feature and stage, the numbers, and a function."""

from tunesmith.games.errors import InputError
from tunesmith.tuning.export.constants import LARGEST, Constants
from tunesmith.tuning.export.spelling import camel, capitals, check_name, comment, reserved

MOST_NUMBERS = 5_000  # what fits in the 64 KiB of bytecode that a class may take to begin

_RESERVED = reserved(
    "abstract assert boolean break byte case catch char class const continue default do double else enum extends "
    "final finally float for goto if implements import instanceof int interface long native new package private "
    "protected public return short static strictfp super switch synchronized this throw throws transient try void "
    "volatile while true false null var record yield sealed permits Math Object String IllegalArgumentException"
)


def write(made: Constants, name: str | None) -> str:
    """Return the source; `name` is the class."""
    numbers = len(made.stages) * len(made.features)
    if numbers > MOST_NUMBERS:
        raise InputError(
            f"--to java: expected at most {MOST_NUMBERS:,} weights, found {numbers:,}; use csv or json"
        )
    title = check_name(name, _RESERVED) if name else f"Weights{camel(made.stem)}"
    n = (len(made.stages), len(made.features))
    return "\n".join([
        *comment("//", made.notes()),
        f"final class {title} {{",
        *(f"    static final int {i} = {at};  // {note}" for i, at, note in made.features_at(capitals, "FEATURE_")),
        *(f"    static final int {i} = {at};  // {note}" for i, at, note in made.stages_at(capitals, "STAGE_")),
        f"    static final double ELO_PER_UNIT = {made.elo_per_unit!r};",
        "    static final double[][] WEIGHTS = {",
        *made.lines("        {  // %s", "            %s,  // %s", "        },"),
        "    };",
        "",
        f"    private {title}() {{}}",
        "",
        f"    // Score of the {made.side} in 1/100 Elo.",
        "    static int evaluate(double[] features, double[] shares) {",
        f"        if (features.length != {n[1]} || shares.length != {n[0]})",
        f'            throw new IllegalArgumentException("expected {n[1]} features and {n[0]} shares");',
        "        double total = 0.0;",
        f"        for (int s = 0; s < {n[0]}; s++) {{",
        "            if (shares[s] == 0.0) continue;",
        "            double part = 0.0;",
        f"            for (int f = 0; f < {n[1]}; f++)",
        "                part += WEIGHTS[s][f] * features[f];",
        "            total += shares[s] * part;",
        "        }",
        "        double score = ELO_PER_UNIT * total * 100.0;",
        "        // rint: half to even",
        f"        return (int) Math.rint(Math.max(-{LARGEST}.0, Math.min({LARGEST}.0, score)));",
        "    }",
        "}",
        "",
    ])  # fmt: skip
