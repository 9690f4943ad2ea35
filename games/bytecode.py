"""What a function's code says and which values it asks for, read from its byte code.

Line numbers, file names, comments and docstrings are no part of it."""

import dis
import hashlib
import types
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_LOADS_GLOBAL = frozenset({"LOAD_GLOBAL", "LOAD_NAME"})
_LOADS_CELL = frozenset({"LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"})
_LOADS_ATTRIBUTE = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_KIND_OF_CALL = 0x4 | 0x8 | 0x20 | 0x80 | 0x100 | 0x200  # flags: *args, **kwargs, generators, coroutines


class Use(NamedTuple):
    """A name that code looks up among its globals, or in its closure, and the attributes it reads of it."""

    is_global: bool
    name: str
    attributes: tuple[str, ...]


class Reading(NamedTuple):
    """What one code object and those nested in it say: a digest of the code, the uses and imports, sorted."""

    digest: str
    uses: tuple[Use, ...]
    imports: tuple[str, ...]


@lru_cache(maxsize=4096)
def read(code: types.CodeType) -> Reading:
    """Read the code of a function."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    inner = [read(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    imports = {step.argval for step in steps if step.opname == "IMPORT_NAME"}
    return Reading(
        _digest(code, steps),
        tuple(sorted({*_uses(steps), *(use for part in inner for use in part.uses)})),
        tuple(sorted(imports.union(*(part.imports for part in inner)))),
    )


def _uses(steps: list[dis.Instruction]) -> Iterator[Use]:
    """Yield what is asked for by name, each with the attributes that are read of it at once."""
    for at, step in enumerate(steps):
        if step.opname not in _LOADS_GLOBAL | _LOADS_CELL:
            continue
        end = at + 1
        while end < len(steps) and steps[end].opname in _LOADS_ATTRIBUTE:
            end += 1
        attributes = tuple(following.argval for following in steps[at + 1 : end])
        yield Use(step.opname in _LOADS_GLOBAL, step.argval, attributes)


def _digest(code: types.CodeType, steps: list[dis.Instruction]) -> str:
    n_parameters = code.co_argcount + code.co_kwonlyargcount
    call = (code.co_argcount, code.co_posonlyargcount, code.co_varnames[:n_parameters])
    said = [f"{call} {code.co_flags & _KIND_OF_CALL} {code.co_exceptiontable.hex()}"]
    for step in steps:
        argument = _constant(step.argval) if step.opcode in dis.hasconst else repr(step.argval)
        said.append(f"{step.opname} {argument}")
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def _constant(value: object) -> str:
    if isinstance(value, types.CodeType):
        return read(value).digest
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_constant, value)))}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    return repr(value)
