"""Weights in JavaScript: one frozen object; for a browser's script, and for `require`."""

from tunesmith.tuning.export.constants import LARGEST, Constants
from tunesmith.tuning.export.spelling import camel, capitals, check_name, comment, quoted, reserved

_RESERVED = reserved(
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends "
    "false finally for function if implements import in instanceof interface let new null package private protected "
    "public return static super switch this throw true try typeof var void while with yield undefined NaN Infinity "
    "Math Object RangeError module exports require"
)


def write(made: Constants, name: str | None) -> str:
    """Return the source; `name` is the object."""
    title = check_name(name, _RESERVED) if name else f"weights{camel(made.stem)}"
    n = (len(made.stages), len(made.features))
    entries = [*made.features_at(capitals, "FEATURE_"), *made.stages_at(capitals, "STAGE_")]
    return "\n".join([
        *comment("//", made.notes()),
        f"const {title} = (function () {{",
        '  "use strict";',
        f"  const ELO_PER_UNIT = {made.elo_per_unit!r};",
        "  const WEIGHTS = [",
        *made.lines("    [  // %s", "      %s,  // %s", "    ],"),
        "  ];",
        f"  // Score of the {made.side} in 1/100 Elo.",
        "  function evaluate(features, shares) {",
        f"    if (features.length !== {n[1]} || shares.length !== {n[0]})",
        f'      throw new RangeError("expected {n[1]} features and {n[0]} shares");',
        "    let total = 0;",
        f"    for (let s = 0; s < {n[0]}; s++) {{",
        "      if (shares[s] === 0) continue;",
        "      let part = 0;",
        f"      for (let f = 0; f < {n[1]}; f++) part += WEIGHTS[s][f] * features[f];",
        "      total += shares[s] * part;",
        "    }",
        "    const score = ELO_PER_UNIT * total * 100;",
        f"    const within = Math.max(-{LARGEST}, Math.min({LARGEST}, score));",
        "    const low = Math.floor(within), above = within - low;",
        "    const up = above > 0.5 || (above === 0.5 && low % 2 !== 0);  // half to even",
        "    return low + (up ? 1 : 0);",
        "  }",
        "  return Object.freeze({",
        *(f"    {i}: {at},  // {note}" for i, at, note in entries),
        "    FEATURES: [",
        *(f"      {quoted(feature)}," for feature in made.features),
        "    ],",
        f"    STAGES: [{', '.join(map(quoted, made.stages))}],",
        "    ELO_PER_UNIT, WEIGHTS, evaluate,",
        "  });",
        "})();",
        f'if (typeof module !== "undefined") module.exports = {title};',
        "",
    ])  # fmt: skip
