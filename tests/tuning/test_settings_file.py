"""Two sets of settings are compared by name."""

from tunesmith.tuning import settings_file


def test_differences_are_listed_as_stored_and_now():
    assert settings_file.differences({"a": 1, "b": "x"}, {"a": 2, "b": "x", "c": None}) == [
        "a: stored 1, now 2",
        "c: stored (absent), now null",
    ]
