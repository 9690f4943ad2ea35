"""When must a file be doubted as a whole, and which option helps?

A line that cannot be used costs that line. Some faults are of the file: results on another scale, or commas in
numbers, where the lines that remain would say something else than the file does. Those are refused at once; and a file
of which too much is bad is refused with the option that helps. More bad lines (`--max-bad`) are never advised where
their results are what is wrong: they would be one kind of result.
"""

from pathlib import Path

from tunesmith.games.errors import InputError
from tunesmith.games.texts import counted
from tunesmith.tuning.data.table.columns import FIRSTS, MOVERS, ODD_RESULT, OUTSIDE, Account
from tunesmith.tuning.data.table.layout import Layout, StatedBy, TableOptions
from tunesmith.tuning.fit.rows import Floats

_TEXT = 0.5  # share of lines in which a column holds no number: from there on it is text
_MOVER_NAMES = ("stm", "side", "turn", "side_to_move", "to_move")  # other people's spellings of `mover`
_VIEWS: dict[StatedBy, str] = {
    "option": "--perspective white",
    "column": "the name result_white for their column",
    "file": "a line '# perspective: white' in the file",
}


def refuse_misread(path: Path, account: Account, layout: Layout) -> None:
    """Refuse a file whose other lines would be misread."""
    if account.comma is not None:
        line, column, word = account.comma
        skips = f"; --ignore {column} skips it, if it is text" if column in layout.features else ""
        raise InputError(
            f"{path}:{line}: {column} {word!r}: a comma in a number; expected a decimal point and no thousands "
            f"separator (pandas: decimal='.'; a spreadsheet: the format of another country){skips}"
        )
    odd = account.reasons.get(OUTSIDE)
    if odd is None or layout.signed is not None:
        return
    where = f"{path}:{odd.lines[0]}: {odd.example}"
    if account.is_negative:
        raise InputError(
            f"{where}: expected results from 0 (loss) to 1 (win): say --signed if they are -1 (loss), 0 (draw) and 1 "
            "(win), or --unsigned if 0 is a loss and such rows have no result"
        )
    raise InputError(
        f"{where}: expected results from 0 (loss) to 1 (win), a draw 0.5: divide them by the largest, or say "
        "--unsigned if such rows have no result"
    )


def refuse_unsigned(path: Path, layout: Layout, labels: Floats) -> None:
    """Refuse results that are said to be -1, 0, 1 and are not: a loss would be read as a draw."""
    if layout.signed and layout.needs_results and len(labels) and not (labels < 0.5).any():
        raise InputError(
            f"{path}: results: said to be -1, 0 and 1, but none is below 0: leave out --signed (or '# results: "
            "signed') if 0 is a loss"
        )


def refuse_ruins(path: Path, account: Account, layout: Layout, options: TableOptions) -> None:
    """Refuse a file of which so much is bad that the rest must be doubted, and say what helps."""
    n = account.kept + account.left_out
    if account.kept and account.left_out <= options.max_bad * n:
        return
    why = "; ".join([*account.sentences()[:3], *_advice(account, layout, options, n)]) or "there are no rows"
    raise InputError(f"{path}: {account.left_out:,} of {counted(n, 'row')} cannot be used: {why}")


def _advice(account: Account, layout: Layout, options: TableOptions, n: int) -> list[str]:
    said, reasons = [], account.reasons
    if FIRSTS in reasons and layout.stated_by is not None:
        said.append(
            f"results like 1-0 are White's, not the mover's: {_VIEWS[layout.stated_by]} says so (features are then "
            "seen from White, too, unless a column 'mover' says who moves)"
        )
    if OUTSIDE in reasons:
        said.append("results are read as numbers from 0 (loss) to 1 (win); --signed reads -1, 0, 1")
    if ODD_RESULT in reasons:
        said.append("results may be numbers from 0 to 1, 1/2, win, draw, loss, or of White 1-0, 0-1, 1/2-1/2")
    shares = {name: count / n for name, count in account.no_numbers.items() if count > options.max_bad * n}
    if shares:
        named = " ".join(f"--ignore {name}" for name in shares)
        said.append(f"{named} skips the column{'s' * (len(shares) > 1)}")
    sides = [name for name in shares if name.lower() in _MOVER_NAMES] if "mover" not in layout.special else []
    said += [
        f"if {name} says who moves, rename it 'mover' (its words: {', '.join(MOVERS)})" for name in sides
    ]
    is_text = any(share > _TEXT for share in shares.values())
    if account.kept and not is_text and not {FIRSTS, ODD_RESULT, OUTSIDE} & set(reasons):
        said.append(f"--max-bad {account.left_out / n + 0.005:.2f} goes on all the same")
    return said
