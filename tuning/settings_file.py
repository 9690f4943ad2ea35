"""How does a TOML file become checked settings, and how are two sets of settings compared?

A preset (`[preset.NAME]`) and `key=value` changes override keys before anything is checked. Wrong input is one line:
file with line number, field, what was expected, what was found."""

import copy
import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from tunesmith.engine.options import SearchOptions
from tunesmith.games.errors import InputError
from tunesmith.games.texts import parse, shown

_UNION_MEMBER = re.compile(
    r"^(float|int|str|constrained-float|literal\[.*)$"
)  # pydantic names the branch it tried

Model = TypeVar("Model", bound=BaseModel)

Flat = dict[str, Any]  # settings by their dotted names


def load_as(model: type[Model], path: Path, preset: str | None = None, changes: Iterable[str] = ()) -> Model:
    """Return the settings of a TOML file, checked against `model`; its name is the file's if it has none."""
    text = _read(path)
    try:
        data = parse(lambda: tomllib.loads(text))
    except ValueError as error:
        raise InputError(f"{path}: expected TOML: {error}") from None
    presets = data.pop("preset", {})
    if not isinstance(presets, dict) or not all(isinstance(table, dict) for table in presets.values()):
        raise InputError(f"{path}: preset: expected tables [preset.NAME], found {shown(presets)}")
    if preset is not None:
        if preset not in presets:
            known = ", ".join(sorted(presets)) or "none"
            raise InputError(f"{path}: preset {preset!r}: expected one of {known}")
        _merge(data, presets[preset])
        data["name"] = f"{data.get('name', path.stem)}-{preset}"
    data.setdefault("name", path.stem)
    of_file, parsed = copy.deepcopy(data), [_change(change) for change in changes]
    for change in parsed:
        _merge(data, change)
    for settings in (data, of_file):
        openings = settings.get("openings")
        if isinstance(openings, dict) and isinstance(openings.get("file"), str) and openings["file"]:
            openings["file"] = str((path.parent / openings["file"]).resolve())
    try:
        return model.model_validate(data)
    except ValidationError as error:
        if parsed and _is_valid(model, of_file):  # the file is not to blame
            raise InputError(_first_error(model, error, "--set", "", None)) from None
        raise InputError(_first_error(model, error, path, text, preset)) from None


def _is_valid(model: type[BaseModel], data: Mapping[str, Any]) -> bool:
    try:
        model.model_validate(data)
    except ValidationError:
        return False
    return True


def checked(model: type[Model], values: Mapping[str, Any], where: str) -> Model:
    """Return settings that a caller gives by name; `where` begins the message if one is wrong."""
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        raise InputError(_first_error(model, error, where, "", None)) from None


def changed(settings: Model, section: str, changes: Iterable[str]) -> Model:
    """Return a section of settings after `key=value` changes; a key may also be written `section.key`."""
    data = settings.model_dump()
    for change in changes:
        made = _change(change)
        _merge(data, made[section] if set(made) == {section} else made)
    return checked(type(settings), data, "--set")


def differences(stored: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return a line `key: stored X, now Y` for each setting that differs."""
    names = sorted({*stored, *now})
    absent = "(absent)"
    return [
        f"{name}: stored {_show(stored.get(name, absent))}, now {_show(now.get(name, absent))}"
        for name in names
        if stored.get(name, absent) != now.get(name, absent)
    ]


def flatten(settings: Mapping[str, Any]) -> Flat:
    """Return nested settings by their dotted names."""
    return dict(_flatten(settings, ""))


def _flatten(value: Any, prefix: str) -> Iterable[tuple[str, Any]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _flatten(inner, f"{prefix}.{key}" if prefix else key)
    else:
        yield prefix, value


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such study file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> None:
    for key, value in over.items():
        if isinstance(value, Mapping) and isinstance(base.get(key), dict):
            _merge(base[key], value)
        else:
            base[key] = dict(value) if isinstance(value, Mapping) else value


def _change(text: str) -> Mapping[str, Any]:
    key, equals, value = text.partition("=")
    if not equals or not re.fullmatch(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*", key.strip()):
        raise InputError(f"--set: expected key=value such as play.pairs=100, found {text!r}")
    try:
        parsed = parse(lambda: tomllib.loads(f"value = {value}"))["value"]
    except tomllib.TOMLDecodeError:
        parsed = value.strip()  # a bare word is a string
    except ValueError as error:
        raise InputError(f"--set {key.strip()}: {error}") from None
    nested: Any = parsed
    for part in reversed(key.strip().split(".")):
        nested = {part: nested}
    return dict(nested)


def _first_error(
    model: type[BaseModel], error: ValidationError, path: Path | str, text: str, preset: str | None
) -> str:
    problems = error.errors(include_url=False)
    first = problems[0]
    keys = tuple(part for part in map(str, first["loc"]) if not _UNION_MEMBER.match(part))
    line = _line_of(text, keys, preset)
    where = f"{path}:{line}" if line else str(path)
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{where}: {'.'.join(keys)}: {_explain(model, first, keys)}{more}"


def _explain(model: type[BaseModel], problem: Any, keys: tuple[str, ...]) -> str:
    if problem["type"] == "extra_forbidden":
        if keys == ("tune",):
            return "unknown section: settings found by playing stand in [search]"
        if keys[:-1] == ("search",) and keys[-1] in SearchOptions.__dataclass_fields__:
            return "unknown key: how the players look ahead stands in [options]"
        near = difflib.get_close_matches(keys[-1], _known(model, keys[:-1]), n=1)
        return f"unknown key{f'; did you mean {near[0]!r}?' if near else ''}"
    if problem["type"] == "missing":
        return "missing"
    if problem["type"] in ("model_type", "model_attributes_type"):
        return f"expected a table of {', '.join(_known(model, keys))}, found {shown(problem['input'])}"
    message: str = problem["msg"].removeprefix("Value error, ")
    if ", found " in message:
        return message
    return f"{message[0].lower()}{message[1:]}, found {problem['input']!r:.100}"


def _known(root: type[BaseModel], section: tuple[str, ...]) -> list[str]:
    model: Any = root
    for name in section:
        if name.isdigit():  # a place in a list of tables
            continue
        found = model.model_fields[name].annotation if name in model.model_fields else None
        parts = (found, *get_args(found))
        tables = [part for part in parts if isinstance(part, type) and issubclass(part, BaseModel)]
        if not tables:
            return []
        model = tables[0]
    return list(model.model_fields)


def _line_of(text: str, keys: tuple[str, ...], preset: str | None) -> int | None:
    """Return the line that sets `keys`, in the preset's tables if it is there, else in the study's."""
    lines = _lines_by_key(text)
    wanted = [keys, keys[:-1]]
    if preset is not None:
        wanted = [("preset", preset, *keys), *wanted]
    return next((lines[key] for key in wanted if key in lines), None)


def _lines_by_key(text: str) -> dict[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    section: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[+\s*([A-Za-z0-9_.\-]+)\s*\]+", line):
            section = tuple(header.group(1).split("."))
            found.setdefault(section, number)
        elif key := re.match(r"\s*([A-Za-z0-9_.\-]+)\s*=", line):
            found.setdefault((*section, *key.group(1).split(".")), number)
    return found


def _show(value: Any) -> str:
    return value if value == "(absent)" else json.dumps(value)
