"""How a record becomes a file, and a file a record.

`Run.read(path)` gives a checked record or one line of error (file, field, what was expected, what was found);
nothing is repaired, nothing is filled in, unknown fields are refused. `record.write(path)` writes the same fields;
`record.content()` is what stands in the file, for commands that print it. Numbers that are not finite are null."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from tunesmith.games.errors import InputError, StudyError
from tunesmith.tuning.files import finite, read_json, write_json
from tunesmith.tuning.stats.elo import estimate


def _or_none(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


Value = bool | int | float | str
Setting = dict[str, Value]  # of a search: a value for each parameter, by name
Options = dict[str, Value | None]  # of a player's search, by name
Finite = Annotated[float | None, BeforeValidator(_or_none)]  # None for what JSON cannot hold


class Document(BaseModel):
    """A record with fixed fields: strict types, nothing unknown, never changed once made."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        frozen=True, extra="forbid", strict=True, populate_by_name=True
    )

    @classmethod
    def find(cls, path: Path) -> Self | None:
        """Return the document of a file, None where there is none.

        Raises
        ------
        StudyError
            The file is damaged or holds something else: the first field that is wrong.
        """
        stored = read_json(path)
        return None if stored is None else cls.of(stored, path)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the document of a file that must be there; see `find`."""
        found = cls.find(path)
        if found is None:
            raise StudyError(f"{path}: expected a file, found none")
        return found

    @classmethod
    def of(cls, stored: Any, path: Path | str) -> Self:
        """Return the document that parsed JSON holds; `path`, or a place in it, is named if it is none."""
        try:
            # Through text: only there do strict types take a list for a tuple.
            found = cls.model_validate_json(json.dumps(stored))
        except ValidationError as error:
            raise StudyError(f"{path}: {_in_words(error.errors()[0])}") from None
        if (wrong := found.wrong_figure()) is not None:
            raise StudyError(f"{path}: {wrong}; without this file the command that wrote it makes it again")
        return found

    def wrong_figure(self) -> str | None:
        """Return which figure, here or in a document within, is not that of the counts beside it; None if all are."""
        if (wrong := self._wrong_here()) is not None:
            return wrong
        for name in type(self).model_fields:
            value = getattr(self, name)
            for inner in value if isinstance(value, list) else (value,):
                if isinstance(inner, Document) and (wrong := inner.wrong_figure()) is not None:
                    return f"{name}.{wrong}"
        return None

    def _wrong_here(self) -> str | None:
        """Do as `wrong_figure` without the documents within: score and Elo beside counts of pairs are theirs."""
        counts, within = getattr(self, "counts", None), getattr(self, "estimate", None)
        figures = {f"estimate.{name}": getattr(within, name, None) for name in ("score", "elo")}
        figures |= {name: getattr(self, name, None) for name in ("score", "elo")}
        told = {name: figure for name, figure in figures.items() if isinstance(figure, float)}
        return wrong_estimate(counts, told) if isinstance(counts, list) and told else None

    def content(self) -> dict[str, Any]:
        """Return what stands in the file: the fields that were given, as JSON has them."""
        content: dict[str, Any] = finite(self.model_dump(mode="json", exclude_unset=True, by_alias=True))
        return content

    def write(self, path: Path) -> None:
        """Write the document whole or not at all; its folder is made if it is not there."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, self.content())


def wrong_estimate(counts: list[int], figures: Mapping[str, float]) -> str | None:
    """Return which of some figures (`score`, `elo`, or these of a field) is not that of the counts, None if all are."""
    try:
        now = estimate(counts)
    except InputError as error:
        return f"counts: {error}"
    for name, stored in figures.items():
        right = getattr(now, name.rpartition(".")[2])
        if not math.isclose(stored, right, rel_tol=1e-6, abs_tol=1e-6):
            return f"{name}: expected {right:g}, by the counts {counts}, found {stored:g}"
    return None


def _in_words(error: Mapping[str, Any]) -> str:
    where = ".".join(map(str, error["loc"])) or "the document"
    match error["type"]:
        case "missing":
            return f"{where}: expected this field, found none"
        case "extra_forbidden" | "unexpected_keyword_argument":
            return f"{where}: expected no field of this name, found {error['input']!r:.60}"
    message = error["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    return f"{where}: expected {message}, found {error['input']!r:.60}"
