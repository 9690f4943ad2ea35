"""Python computes what the engine does."""

import ast

from tests.support import exported


def test_python_agrees(tmp_path):
    answers = []
    for at, (made, source) in enumerate(zip(exported.cases(), exported.sources("python"), strict=True)):
        space: dict = {}
        file = tmp_path / f"w{at}.py"
        file.write_bytes(source.encode("ascii"))
        exec(compile(file.read_bytes(), str(file), "exec"), space)
        ast.parse(source, feature_version=(3, 6))
        assert space[f"W{at}_FEATURES"] == made.table.features
        for values, shares in zip(made.features, made.shares, strict=True):
            answers.append(space[f"w{at}_evaluate"](values.tolist(), shares.tolist()))
    assert answers == exported.expected()
    assert all(type(answer) is int for answer in answers)
