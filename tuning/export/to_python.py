"""Weights in plain Python (3.6 and later, nothing imported): tuples, an index for each name, a function."""

from tunesmith.tuning.export.constants import LARGEST, Constants
from tunesmith.tuning.export.spelling import capitals, check_name, comment, prefix


def write(made: Constants, name: str | None) -> str:
    """Return the source; `name` is the prefix of all it defines."""
    stem = check_name(name, frozenset()) if name else prefix(made.stem)
    big, small = stem.upper(), stem.lower()
    n = (len(made.stages), len(made.features))
    entries = [*made.features_at(capitals, f"{big}_FEATURE_"), *made.stages_at(capitals, f"{big}_STAGE_")]
    return "\n".join([
        "# Constants for an agent.",  # Python looks for an encoding in the first two lines: they are ours
        "#",
        *comment("#", made.notes(f"{big}_ELO_PER_UNIT")),
        f"{big}_FEATURES = (",
        *(f"    {feature!a}," for feature in made.features),
        ")",
        f"{big}_STAGES = (",
        *(f"    {stage!a}," for stage in made.stages),
        ")",
        *(f"{i} = {at}  # {note}" for i, at, note in entries),
        f"{big}_ELO_PER_UNIT = {made.elo_per_unit!r}",
        f"{big}_WEIGHTS = (",
        *made.lines("    (  # %s", "        %s,  # %s", "    ),"),
        ")",
        "",
        "",
        f"def {small}_evaluate(features, shares):",
        f'    """Return the score of the {made.side} in 1/100 Elo."""',
        f"    if len(features) != {n[1]} or len(shares) != {n[0]}:",
        f'        raise ValueError("expected {n[1]} features and {n[0]} shares")',
        "    total = 0.0",
        f"    for share, row in zip(shares, {big}_WEIGHTS):",
        "        if share == 0.0:",
        "            continue",
        "        part = 0.0",
        "        for weight, feature in zip(row, features):",
        "            part += weight * feature",
        "        total += share * part",
        f"    score = float({big}_ELO_PER_UNIT * total * 100.0)",
        f"    return int(round(max(-{LARGEST}.0, min({LARGEST}.0, score))))  # half to even",
        "",
    ])  # fmt: skip
