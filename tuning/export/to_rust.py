"""Weights in Rust: a module with an index for each feature and stage, the numbers, and a function."""

from tunesmith.tuning.export.constants import LARGEST, Constants
from tunesmith.tuning.export.spelling import capitals, check_name, comment, reserved, snake

_RESERVED = reserved(
    "abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if "
    "impl in let loop macro match mod move mut override priv pub ref return self Self static struct super trait true "
    "try type typeof unsafe unsized use virtual where while yield std core f64 i32 usize"
)


def write(made: Constants, name: str | None) -> str:
    """Return the source; `name` is the module."""
    title = check_name(name, _RESERVED) if name else snake(f"weights {made.stem}")
    entries = [*made.features_at(capitals, "FEATURE_"), *made.stages_at(capitals, "STAGE_")]
    return "\n".join([
        *comment("//", made.notes()),
        "#[allow(dead_code)]",
        f"pub mod {title} {{",
        *(f"    pub const {i}: usize = {at}; // {note}" for i, at, note in entries),
        f"    pub const N_FEATURES: usize = {len(made.features)};",
        f"    pub const N_STAGES: usize = {len(made.stages)};",
        f"    pub const ELO_PER_UNIT: f64 = {made.elo_per_unit!r};",
        "    pub static WEIGHTS: [[f64; N_FEATURES]; N_STAGES] = [",
        *made.lines("        [ // %s", "            %s, // %s", "        ],"),
        "    ];",
        "",
        f"    /// Score of the {made.side} in 1/100 Elo.",
        "    pub fn evaluate(features: &[f64; N_FEATURES], shares: &[f64; N_STAGES]) -> i32 {",
        "        let mut total = 0.0;",
        "        for (share, row) in shares.iter().zip(WEIGHTS.iter()) {",
        "            if *share == 0.0 {",
        "                continue;",
        "            }",
        "            let mut part = 0.0;",
        "            for (weight, feature) in row.iter().zip(features.iter()) {",
        "                part += weight * feature;",
        "            }",
        "            total += share * part;",
        "        }",
        "        let score: f64 = ELO_PER_UNIT * total * 100.0;",
        f"        let within = score.max(-{LARGEST}.0).min({LARGEST}.0);",
        "        let (low, above) = (within.floor(), within - within.floor());",
        "        let up = above > 0.5 || (above == 0.5 && low % 2.0 != 0.0); // half to even",
        "        low as i32 + up as i32",
        "    }",
        "}",
        "",
    ])  # fmt: skip
