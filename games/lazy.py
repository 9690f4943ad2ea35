"""How does a package offer names of its modules without importing any of them before they are needed?"""

import ast
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


@cache
def offered(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package: what its block `if TYPE_CHECKING:` imports is offered.

    A type checker reads that block, and so does this, at the first name that is asked for: each name is listed
    once, and nothing is imported before.

    Parameters
    ----------
    package, file
        The package's `__name__` and `__file__`.
    """

    @cache
    def homes() -> dict[str, tuple[str, str]]:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
        blocks = (
            node
            for node in tree.body
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        )
        imports = (node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom))
        return {
            name.asname or name.name: (str(node.module), name.name) for node in imports for name in node.names
        }

    def get(name: str) -> Any:
        if name.startswith("__") or name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, attribute = homes()[name]
        return getattr(import_module(module), attribute)

    return get, lambda: sorted(homes())
