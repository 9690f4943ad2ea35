"""Changes to files: drawn from a seed, and never none at all."""

import json
import random

from tunesmith.experiments.proofs.fuzzing.mutations import TEXT, meant, mutate


def test_mutations_are_drawn_from_the_seed_and_change_something() -> None:
    content = b'{"a": [1, 2.5, true], "name": "x"}\n'
    for seed in range(200):
        one, other = (mutate(random.Random(seed), content, is_text=True) for _ in range(2))
        assert one == other and one[1] != content
    assert {mutate(random.Random(seed), content, True)[0] for seed in range(200)} == {
        one.__name__ for one in TEXT
    }


def test_what_no_reader_can_read_means_nothing() -> None:
    assert meant(json.loads, b'{"a": 1}') == {"a": 1}
    assert meant(json.loads, b"{") is None
