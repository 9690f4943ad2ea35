"""The table of a run, in Markdown whose columns are aligned, so that a terminal shows it as well."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tunesmith.experiments.bench.race import Row

HEADER = ("what", "ours", "reference", "ratio (range of the rounds)")
FALL = 0.1  # share of the committed ratio by which another is worse, not by chance


def lines(rows: Sequence[Row]) -> list[str]:
    """Return the table's lines."""
    cells = [
        HEADER,
        *((row.what, _measured(row.ours, row.unit), _reference(row), _ratio(row)) for row in rows),
    ]
    widths = [max(len(line[at]) for line in cells) for at in range(len(HEADER))]
    texts = ["| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in cells]
    return [texts[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *texts[1:]]


def warned(line: str, ratio: float | None, committed: float | None) -> str:
    """Return a line of a table: in red, with the committed ratio, if its own is worse than that by `FALL`.

    What is no terminal, perhaps a page, gets the line alone; the warning goes to standard error.
    """
    if ratio is None or committed is None or ratio >= (1 - FALL) * committed:
        return line
    warning = f"{line} worse than the committed {number(committed)}"
    if sys.stdout.isatty():
        return f"\x1b[31m{warning}\x1b[0m"
    print(warning, file=sys.stderr)
    return line


def _reference(row: Row) -> str:
    return row.by if row.reference is None else f"{_measured(row.reference, row.unit)}, {row.by}"


def _ratio(row: Row) -> str:
    if row.ratio is None:
        return ""
    if row.low is None or row.high is None:
        return number(row.ratio)
    return f"{number(row.ratio)} ({number(row.low)} to {number(row.high)})"


def _measured(value: float, unit: str) -> str:
    return f"{number(value)} {unit}"


def number(value: float) -> str:
    """Return three digits that count."""
    rounded = float(f"{value:.3g}")
    if rounded >= 1e6:
        return f"{rounded / 1e6:,.10g} million"
    if rounded >= 1000:
        return f"{rounded:,.0f}"
    return f"{rounded:g}" if rounded >= 1e-4 or rounded == 0 else f"{rounded:.10f}".rstrip("0")


def caption(run: Mapping[str, Any]) -> str:
    """Return the sentence that says on what a run was measured, and with what."""
    machine = run["machine"]
    load = "" if machine["load"] is None else f", load {machine['load'][0]:g} at the start"
    known = [
        f"{name} {found}" for name, found in machine["versions"].items() if found and name != "tunesmith"
    ]
    where = f"{machine['cores']} cores of {machine['cpu']}{load}"
    return f"{where}; {', '.join([machine['python'], *known])}; {run['date'][:10]}."


def page(
    run: Mapping[str, Any],
    rows: Sequence[Row],
    committed: Mapping[tuple[Any, ...], float | None] | None = None,
) -> str:
    """Return the table and its caption; rows are `warned` of committed ratios, by `what` and `by`."""
    header, rule, *table = lines(rows)
    before = committed or {}
    shown = [
        warned(line, row.ratio, before.get((row.what, row.by))) for line, row in zip(table, rows, strict=True)
    ]
    return "\n".join([header, rule, *shown, "", caption(run), *measured_later(run)]) + "\n"


def measured_later(run: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is to be said of parts that were measured anew after the run, if there are any."""
    if (later := run.get("later")) is not None:
        parts, machine = " ".join(later["parts"]), later["machine"]
        yield (
            f"Measured later: `python -m tunesmith.experiments.bench --only {parts}` (commit {machine['commit']}), "
            f"load {machine['load'][0]:.2f} at the start, {later['date'][:10]}."
        )
