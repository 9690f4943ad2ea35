"""The only place that names numba and its options.

`compile_function` and `compile_part` return a compiled function, or the function itself where numba is absent
or switched off (`TUNESMITH_NUMBA=0` or `NUMBA_DISABLE_JIT=1`): every caller works either way.
The disk cache lives in `TUNESMITH_CACHE`, else `NUMBA_CACHE_DIR`, else the user's cache folder. A folder that
cannot be written costs the cache (one warning), a damaged file costs a compilation, never an answer.
Of processes that start at once, one compiles a function, and the others wait and load it.

No fastmath: evaluations and fits must give the same bits everywhere. Bounds checks (`NUMBA_BOUNDSCHECK=1`)
are not part of numba's cache key, so they get a cache folder of their own.

Long because nothing else names numba."""

import contextlib
import functools
import hashlib
import importlib
import logging
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import IO, Any, TypeVar

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

logger = logging.getLogger("tunesmith.engine")

F = TypeVar("F", bound=Callable[..., Any])


def _import_numba() -> Any:
    if os.environ.get("TUNESMITH_NUMBA", "1") == "0" or os.environ.get("NUMBA_DISABLE_JIT", "0") == "1":
        return None
    try:
        found = importlib.import_module("numba")
    except ImportError:
        return None
    # numba imports SciPy's BLAS to see whether it is there, a tenth of a command's start: we depend on SciPy, so it is.
    # Code that uses it (`@`, `np.dot`) imports it when it is compiled.
    blas = "scipy.linalg.cython_blas"
    assumed = sys.modules.setdefault(blas, ModuleType(blas))
    importlib.import_module("numba.np.arraymath")
    if assumed.__spec__ is None:
        del sys.modules[blas]
    return found


numba = _import_numba()
COMPILED = numba is not None
BOUNDSCHECK = os.environ.get("NUMBA_BOUNDSCHECK", "0") == "1"
PATIENCE = 120.0  # seconds to wait for another process that compiles the same

# nogil: worker threads play side by side. numpy's error model: no division checks in kernels.
OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": False,
    "boundscheck": BOUNDSCHECK,
}


def version() -> str:
    """Return what compiled code depends on besides its own source, for the names of cache entries.

    That includes this file: its options, and the code that it writes for `times`, `plus` and `clock`.
    """
    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return f"numba-{numba.__version__} {own}" if COMPILED else "python"


def wanted_folder() -> Path:
    """Return the cache folder that is asked for, there or not."""
    named = os.environ.get("TUNESMITH_CACHE") or os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base) / "tunesmith" if base else Path.home() / ".cache" / "tunesmith"


def _usable_folder() -> Path | None:
    """Return the cache folder, made and proven writable, or None."""
    try:
        folder = wanted_folder() / ("checked" if BOUNDSCHECK else "compiled")
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError) as error:  # RuntimeError: no home folder
        logger.warning("no folder for compiled code (%s): compiling anew in every process", error)
        return None


if COMPILED:  # `bind` says so in words of the game
    warnings.filterwarnings("ignore", "Cannot cache compiled function", numba.core.errors.NumbaWarning)
CACHE = _usable_folder() if COMPILED else None
if CACHE is not None:
    numba.config.CACHE_DIR = str(CACHE)


def compile_function(function: Callable[..., Any], cache: bool = False) -> Any:
    """Return `function` compiled on its first call, from the disk cache if `cache` and one is usable."""
    if not COMPILED:
        return function
    if not cache or CACHE is None:
        return numba.njit(**OPTIONS)(function)
    compiled = numba.njit(cache=True, **OPTIONS)(function)
    return _Guarded(compiled, function)


def compile_part(function: Callable[..., Any]) -> Any:
    """Return `function` compiled for the use of compiled functions only: plain Python must not call it."""
    if not COMPILED:
        return function
    inline = "always" if getattr(function, "is_inlined", False) else "never"
    part = numba.njit(
        **OPTIONS, inline=inline, no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=_PartCompiler
    )
    return part(function)


def inlined(function: F) -> F:
    """Mark a template that is to become part of its caller before compilation.

    That pays for a small one, or one with many arguments that is called at every node, if there is one place
    of call. A large one is copied again at every level of nesting, which takes longer than compiling it.
    """
    function.is_inlined = True  # type: ignore[attr-defined]
    return function


def _wait_for(file: IO[bytes]) -> None:
    """Take the lock of a file, or give up after `PATIENCE` seconds."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                return
            time.sleep(0.05)
        else:
            return


class _Guarded:
    """A cached compiled function that survives a damaged cache: files removed, compiled anew.

    Only the look-up is guarded, by compiling for the argument types before the first call;
    an error of the compiled code itself passes through untouched."""

    def __init__(self, compiled: Any, function: Callable[..., Any]) -> None:
        self._compiled = compiled
        self.py_func = function
        self._seen: set[Any] = set()

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        if not self._seen:
            self.prepare(*arguments)
        return self._compiled(*arguments)

    def prepare(self, *arguments: Any) -> None:
        """Load or compile for the types of `arguments` without calling."""
        signature = tuple(numba.typeof(argument) for argument in arguments)
        try:
            with self._alone():
                self._compiled.compile(signature)
        except (numba.core.errors.NumbaError, MemoryError):
            raise
        except Exception as error:
            # Whatever a cut or foreign cache file does to the loader (EOFError, UnpicklingError, an LLVM
            # parsing error, OSError when the disk is full): the code itself compiled before.
            logger.warning("compiled code unreadable or not writable (%r): compiling anew", error)
            self._discard()
            self._compiled = numba.njit(**OPTIONS)(self.py_func)
            self._compiled.compile(signature)
        self._seen.add(signature)

    @property
    def is_stored(self) -> bool:
        """Whether a file holds the compiled code, as far as its name tells."""
        folder = Path(self._compiled.stats.cache_path)
        return any(folder.glob(f"*{self.py_func.__qualname__}-*.nbc"))

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one process at a time compile what no file holds yet: the others find it when their turn comes.

        A system without file locks, or one that takes too long to come free (of a process that was suspended),
        costs a compilation more.
        """
        folder, name = Path(self._compiled.stats.cache_path), self.py_func.__qualname__
        if fcntl is None or self.is_stored:
            yield
            return
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError):
                file = stack.enter_context((folder / f"{name}.lock").open("wb"))
                stack.callback(fcntl.flock, file, fcntl.LOCK_UN)  # a forked child may keep the file open
                _wait_for(file)
            yield

    def _discard(self) -> None:
        stem = f"{self.py_func.__qualname__}-"
        for path in CACHE.rglob("*.nb[ic]") if CACHE else ():
            if stem in path.name:
                path.unlink(missing_ok=True)


def prepare(function: Any, *arguments: Any) -> None:
    """Compile a function made by `compile_function` for the types of `arguments`, or load it, without calling."""
    if isinstance(function, _Guarded):
        function.prepare(*arguments)
    elif COMPILED:
        function.compile(tuple(numba.typeof(argument) for argument in arguments))


def takes_long(function: Any) -> bool:
    """Whether the first call of a function made by `compile_function` has to compile it: no file holds its code."""
    return COMPILED and not (isinstance(function, _Guarded) and function.is_stored)


def return_types(compiled: Any, arguments: tuple[Any, ...]) -> list[str]:
    """Compile for the types of `arguments`; return the type of each value returned, in numba's words."""
    signature = tuple(numba.typeof(argument) for argument in arguments)
    if isinstance(compiled, _Guarded):
        compiled.prepare(*arguments)
        compiled = compiled._compiled
    compiled.compile(signature)
    returned = compiled.overloads[signature].signature.return_type
    kinds = returned.types if isinstance(returned, numba.types.BaseTuple) else (returned,)
    return [str(numba.types.unliteral(kind)) for kind in kinds]


def clear_cache() -> None:
    """Remove all compiled code from the disk."""
    if CACHE is not None:
        shutil.rmtree(CACHE, ignore_errors=True)
        CACHE.mkdir(parents=True, exist_ok=True)


def clock() -> float:
    """Return a wall clock in seconds, never going back; usable inside compiled code."""
    return time.perf_counter()


# numba tells LLVM that signed sums and products never overflow; whatever masks the result afterwards may then
# be optimised away, and a hash turns negative. Arithmetic that is meant to wrap goes through unsigned words.

_LOW63 = 0x7FFF_FFFF_FFFF_FFFF
_MONOTONIC = 6 if sys.platform == "darwin" else 1


def times(a: int, b: int) -> int:
    """Return the low 63 bits of a product."""
    return (a * b) & _LOW63


def plus(a: int, b: int) -> int:
    """Return the low 63 bits of a sum."""
    return (a + b) & _LOW63


def prefetch(table: Any, row: int) -> None:
    """Ask the memory for a row of an array that will be looked at soon; nothing else."""


prefetch.known_by_identity = True  # type: ignore[attr-defined]
clock.known_by_identity = True  # type: ignore[attr-defined]
times.known_by_identity = True  # type: ignore[attr-defined]
plus.known_by_identity = True  # type: ignore[attr-defined]


def _lower(function: Callable[..., Any], result: str, *arguments: str) -> Callable[[F], F]:
    """Decorate what writes LLVM code for calls of `function`: no function is compiled for it."""

    def register(write: F) -> F:
        kinds = [getattr(numba.types, name) for name in arguments]

        @functools.wraps(function)  # its parameters' names
        def typer(*found: Any) -> Any:
            return numba.core.typing.signature(getattr(numba.types, result), *kinds)

        numba.extending.type_callable(function)(lambda context: typer)
        numba.extending.lower_builtin(function, *kinds)(write)
        return write

    return register


# numba counts the references to an array or list at each new name for it, with an instruction that locks the memory: up
# to a third of a search. A part that neither makes nor hands out nor keeps one works in those of its callers, who hold
# them as long as it runs.
_VIEWS = frozenset({"getitem", "static_getitem", "getattr", "cast", "phi", "getiter"})

if COMPILED:
    _types, _ir, _typed_passes = numba.core.types, numba.core.ir, numba.core.typed_passes
    _Counted = importlib.import_module("numba.core.runtime.context").NRTContext

    def _write_nothing(*_: Any) -> None:
        """Count no reference."""

    def _refuse(*_: Any, **__: Any) -> Any:
        raise numba.core.errors.NumbaError("who makes an array or list has to count its references")

    _makers = [name for name in dir(_Counted) if name.startswith(("meminfo_alloc", "meminfo_new"))]
    _other_code = dict.fromkeys(_makers, _refuse) | dict.fromkeys(("incref", "decref"), _write_nothing)
    _Uncounted = type("_Uncounted", (_Counted,), _other_code)

    def _only_borrows(state: Any) -> bool:
        """Whether the typed code of a part does nothing with arrays and lists but look into those it is given."""
        models = state.targetctx.data_model_manager

        def is_counted(kind: Any) -> bool:
            return bool(models[kind].contains_nrt_meminfo())

        def is_plain(kind: Any) -> bool:
            is_list = isinstance(kind, _types.List) and not is_counted(kind.dtype)
            return is_list or isinstance(kind, (_types.Array, _types.ArrayIterator, _types.ListIter))

        if is_counted(state.return_type) or state.func_ir.is_generator:
            return False
        for block in state.func_ir.blocks.values():
            for line in block.find_insts(_ir.Assign):
                kind, value = state.typemap[line.target.name], line.value
                is_view = not isinstance(value, _ir.Expr) or value.op in _VIEWS
                if is_counted(kind) and not (is_view and is_plain(kind)):
                    return False
        return True

    @numba.core.compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
    class _PartLowering(_typed_passes.NativeLowering):  # type: ignore[misc,name-defined]
        """Write LLVM code, without counts of references where none are needed."""

        _name = "part_lowering"

        def run_pass(self, state: Any) -> bool:
            if _only_borrows(state):
                counting = state.targetctx
                state.targetctx = counting.subtarget(cached_internal_func={})
                state.targetctx.nrt = _Uncounted(state.targetctx, True)
                try:
                    return bool(super().run_pass(state))
                except numba.core.errors.NumbaError:
                    state.targetctx = counting
            return bool(super().run_pass(state))

    class _PartCompiler(numba.core.compiler.CompilerBase):  # type: ignore[misc,name-defined]
        """Compiles as numba does, but for `_PartLowering`."""

        def define_pipelines(self) -> list[Any]:
            """Return numba's passes with one exchanged."""
            passes = numba.core.compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
            own = {_typed_passes.NativeLowering: _PartLowering}
            passes.passes = [(own.get(each, each), words) for each, words in passes.passes]
            passes.finalize()
            return [passes]

    importlib.import_module("numba.extending")
    ir = importlib.import_module("llvmlite.ir")

    @_lower(times, "int64", "int64", "int64")
    def _times(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.and_(builder.mul(*arguments), ir.IntType(64)(_LOW63))

    @_lower(plus, "int64", "int64", "int64")
    def _plus(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.and_(builder.add(*arguments), ir.IntType(64)(_LOW63))

    def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
        """Call a function of the C library."""
        kind = ir.FunctionType(result, [argument.type for argument in arguments])
        return builder.call(numba.core.cgutils.get_or_insert_function(builder.module, kind, name), arguments)

    def _type_prefetch(context: Any) -> Any:
        return lambda table, row: numba.core.typing.signature(numba.types.none, table, numba.types.int64)

    def _prefetch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table = context.make_array(signature.args[0])(context, builder, arguments[0])
        stride = numba.core.cgutils.unpack_tuple(builder, table.strides)[0]
        byte = ir.IntType(8).as_pointer()
        place = builder.gep(builder.bitcast(table.data, byte), [builder.mul(arguments[1], stride)])
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        call = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        builder.call(call, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    numba.extending.type_callable(prefetch)(_type_prefetch)
    numba.extending.lower_builtin(prefetch, numba.types.Array, numba.types.int64)(_prefetch)

    @_lower(clock, "float64")
    def _clock(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        double = ir.DoubleType()
        if sys.platform == "win32":
            # Windows' clock() is wall time in milliseconds since the process started.
            ticks = _call(builder, "clock", ir.IntType(32))
            return builder.fmul(builder.sitofp(ticks, double), double(1e-3))
        spec = numba.core.cgutils.alloca_once(builder, ir.LiteralStructType([ir.IntType(64)] * 2))
        _call(builder, "clock_gettime", ir.IntType(32), ir.IntType(32)(_MONOTONIC), spec)
        now = builder.load(spec)
        seconds, nanoseconds = (builder.sitofp(builder.extract_value(now, at), double) for at in (0, 1))
        return builder.fadd(seconds, builder.fmul(nanoseconds, double(1e-9)))
