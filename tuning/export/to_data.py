"""Weights as data: JSON with everything that is known of them, CSV with one weight a row.

In both, score = scale (Elo per unit) x sum of stage share x weight x feature over the stages with a share."""

import csv
import io
import json

from tunesmith.tuning.export.constants import LARGEST, Constants

FORMAT, VERSION = "tunesmith-export", 1
COLUMNS = ("stage", "feature", "weight", "scale", "digest", "study", "proof")


def write_json(made: Constants, name: str | None) -> str:
    """Return a JSON object in ASCII; features stand in the order in which an agent gives them."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "name": name or made.stem,
        "score": "scale x sum of stage share x weight x feature over the stages with a share, in Elo, for "
        f"the {made.side}; as an integer of "
        f"1/100 Elo rounded half to even and within +/-{LARGEST}",
        "features": list(made.features),
        "meanings": dict(zip(made.features, made.meanings, strict=True)),
        "stages": list(made.stages),
        "scale": made.elo_per_unit,
        "weights": {
            stage: dict(zip(made.features, row, strict=True))
            for stage, row in zip(made.stages, made.rows, strict=True)
        },
        **made.facts,
    }
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def write_csv(made: Constants, name: str | None) -> str:
    """Return a table with a header; what holds for all weights is repeated in each row."""
    out = io.StringIO()
    has_return = "\r" in "".join((*made.stages, *made.features, *made.origin.values(), *made.proof))
    writer = csv.writer(
        out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC if has_return else csv.QUOTE_MINIMAL
    )  # minimal quoting leaves a lone return bare
    writer.writerow(COLUMNS)
    rest = (
        made.elo_per_unit,
        made.origin.get("digest", ""),
        made.origin.get("study", ""),
        " ".join(made.proof),
    )
    for stage, row in zip(made.stages, made.rows, strict=True):
        writer.writerows(
            (stage, feature, value, *rest) for feature, value in zip(made.features, row, strict=True)
        )
    return out.getvalue().encode("utf-8", "replace").decode("utf-8")
