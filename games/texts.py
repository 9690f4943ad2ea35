"""What the readers of texts and variants share: how a wrong value is shown, what counts as a whole number."""

from typing import Any


def shown(value: Any) -> str:
    """Return `value` as Python writes it, cut after 80 characters."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."


def is_whole(value: Any) -> bool:
    """Tell whether `value` is an int and no bool."""
    return isinstance(value, int) and not isinstance(value, bool)
