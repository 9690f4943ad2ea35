"""Weights in C99 (and C++): an array, an index for each feature and stage, and a function. Link with -lm."""

from tunesmith.tuning.export.constants import LARGEST, Constants
from tunesmith.tuning.export.spelling import capitals, check_name, comment, prefix


def write(made: Constants, name: str | None) -> str:
    """Return the source; `name` is the prefix of all it declares."""
    stem = check_name(name, frozenset()) if name else prefix(made.stem)
    big, small = capitals(stem), stem.lower()
    n = (len(made.stages), len(made.features))
    return "\n".join([
        *comment("//", made.notes(f"{big}_ELO_PER_UNIT")),
        "#include <math.h>",
        "",
        *_enum(f"{big}_N_FEATURES", made.features_at(capitals, f"{big}_FEATURE_")),
        *_enum(f"{big}_N_STAGES", made.stages_at(capitals, f"{big}_STAGE_")),
        f"static const double {big}_ELO_PER_UNIT = {made.elo_per_unit!r};",
        f"static const double {big}_WEIGHTS[{n[0]}][{n[1]}] = {{",
        *made.lines("    {  // %s", "        %s,  // %s", "    },"),
        "};",
        "",
        f"// Score of the {made.side} in 1/100 Elo.",
        f"static int {small}_evaluate(const double features[{n[1]}], const double shares[{n[0]}])",
        "{",
        "    double total = 0.0;",
        f"    for (int s = 0; s < {n[0]}; s++) {{",
        "        if (shares[s] == 0.0) continue;",
        "        double part = 0.0;",
        f"        for (int f = 0; f < {n[1]}; f++) {{",
        "            // volatile: no fused multiply-add, so that every machine finds the same bits",
        f"            volatile double product = {big}_WEIGHTS[s][f] * features[f];",
        "            part += product;",
        "        }",
        "        volatile double product = shares[s] * part;",
        "        total += product;",
        "    }",
        f"    double score = {big}_ELO_PER_UNIT * total * 100.0;",
        f"    if (score > {LARGEST}.0) return {LARGEST};",
        f"    if (score < -{LARGEST}.0) return -{LARGEST};",
        "    return (int)rint(score);  // half to even",
        "}",
        "",
    ])  # fmt: skip


def _enum(last: str, entries: list[tuple[str, int, str]]) -> list[str]:
    lines = [f"    {name} = {at},  // {note}" for name, at, note in entries]
    return ["enum {", *lines, f"    {last} = {len(entries)}", "};"]
