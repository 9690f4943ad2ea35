"""The sizes of what is installed: each package once, extras beyond the plain installation."""

import pytest

from tunesmith.experiments import sizes
from tunesmith.experiments.sizes import Row, cells

REQUIRES = {
    "tunesmith": {"": {"compiler", "arrays"}, "board": {"pictures"}, "cloud": {"far-away"}},
    "compiler": {"": {"arrays", "backend"}},
    "pictures": {"": {"arrays", "fonts"}},
}
SIZES = {"compiler": 30e6, "backend": 170e6, "arrays": 70e6, "pictures": 60e6, "fonts": 5e6}


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> list[Row]:
    """What would be installed if there were such packages."""

    class Package:
        class metadata:
            @staticmethod
            def get_all(name: str) -> list[str]:
                return ["dev", "cloud", "board"]

    monkeypatch.setattr(sizes, "found", lambda name: Package())
    monkeypatch.setattr(sizes, "size", lambda name: int(SIZES[name]) if name in SIZES else None)
    monkeypatch.setattr(
        sizes, "asked",
        lambda name, extras=(): set().union(*(REQUIRES.get(name, {}).get(one, set()) for one in ("", *extras))),
    )  # fmt: skip
    monkeypatch.setattr(sizes, "PURPOSE", {"compiler": "compiles"})
    return list(sizes.rows())


def test_each_package_counts_once_and_the_plain_installation_is_their_sum(made_up: list[Row]) -> None:
    assert made_up[:3] == [
        Row("backend", "compiler", 170_000_000),
        Row("arrays", "arrays, compiler", 70_000_000),
        Row("compiler", "compiles", 30_000_000),
    ]
    assert made_up[4].what == "**plain installation**" and made_up[4].size == 270_000_000


def test_an_extra_counts_what_it_brings_beyond(made_up: list[Row]) -> None:
    assert made_up[5:] == [
        Row("pictures", "`tunesmith[board]`", 65_000_000), Row("far-away", "`tunesmith[cloud]`", None)
    ]  # fmt: skip
    assert cells(made_up[6])[-1] == "not installed here" and cells(made_up[5])[-1] == "65"


def test_real_packages_are_measured_and_each_has_a_purpose() -> None:
    direct = sizes.asked("tunesmith")
    assert {"numpy", "pandas"} <= direct == set(sizes.PURPOSE)
    assert "chess" in sizes.asked("tunesmith", ["chess"]) - direct
    assert (sizes.size("numpy") or 0) > 10_000_000 and sizes.size("no-such-package") is None
