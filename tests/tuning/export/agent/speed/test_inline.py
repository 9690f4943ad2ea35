"""Functions made at random answer after all passes as they did before."""

import ast
import copy
import random

import pytest

from tunesmith.tuning.export.agent.speed.inline import inlined
from tunesmith.tuning.export.agent.speed.tidy import tidied
from tunesmith.tuning.export.agent.speed.unused import reached, without_unused_parameters

OPERATORS = ("+", "-", "*", "&", "|", "^")


class Maker:
    """Writes functions of whole numbers that call those written before, and store into a list."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.made: list[
            tuple[str, int, bool]
        ] = []  # name, number of arguments, whether it answers with a pair

    def value(self, names: list[str], depth: int = 0) -> str:
        rng, kind = self.rng, self.rng.random()
        if depth > 2 or kind < 0.3:
            return rng.choice([*names, *names, str(rng.randrange(-9, 9)), f"TABLE[{rng.randrange(4)}]"])
        if kind < 0.55 and self.made:
            name, n, is_pair = rng.choice(self.made)
            call = f"{name}({', '.join(self.value(names, depth + 1) for _ in range(n))})"
            return f"{call}[{rng.randrange(2)}]" if is_pair else call
        if kind < 0.65:
            return f"({self.value(names, depth + 1)} if {self.condition(names, depth + 1)} else {rng.choice(names)})"
        if kind < 0.75:
            return f"{rng.choice(['min', 'max'])}({self.value(names, depth + 1)}, {self.value(names, depth + 1)})"
        return f"({self.value(names, depth + 1)} {rng.choice(OPERATORS)} {self.value(names, depth + 1)})"

    def condition(self, names: list[str], depth: int = 0) -> str:
        test = f"{self.value(names, depth + 1)} {self.rng.choice(['<', '==', '>='])} {self.value(names, depth + 1)}"
        return test if self.rng.random() < 0.7 else f"{test} and {self.value(names, depth + 1)} > 0"

    def block(self, names: list[str], indent: str, is_pair: bool, depth: int = 0) -> list[str]:
        rng, lines, names = self.rng, [], list(names)
        for _ in range(rng.randrange(1, 4)):
            kind = rng.random()
            if kind < 0.35:
                target = rng.choice([*names, f"v{len(names)}"])
                lines.append(f"{indent}{target} = {self.value(names)}")
                names += [target] if target not in names else []
            elif kind < 0.45:
                lines.append(f"{indent}LOG.append({self.value(names)} & 255)")
            elif kind < 0.55:
                lines.append(f"{indent}{rng.choice(names)} {rng.choice(OPERATORS)}= {self.value(names)}")
            elif kind < 0.65:
                lines.append(f"{indent}t = ({self.value(names)}, {self.value(names)})")
                lines.append(f"{indent}{rng.choice(names)} = t[0] - t[1]")
            elif kind < 0.75 and depth < 2:
                lines.append(f"{indent}if {self.condition(names)}:")
                lines += self.block(names, indent + "    ", is_pair, depth + 1)
                if rng.random() < 0.5:
                    lines.append(f"{indent}    return {self.answer(names, is_pair)}")
            elif kind < 0.9 and depth < 2:
                lines.append(f"{indent}for i{depth} in range({rng.randrange(1, 4)}):")
                lines.append(
                    f"{indent}    {names[0]} = ({names[0]} + TABLE[i{depth}] * {self.value(names)}) & 65535"
                )
            else:
                lines.append(f"{indent}left{depth} = 3")
                lines.append(f"{indent}while left{depth} > 0 and {self.condition(names)}:")
                lines.append(f"{indent}    left{depth} -= 1")
                lines.append(f"{indent}    {names[-1]} = ({names[-1]} ^ {self.value(names)}) & 65535")
        return lines

    def answer(self, names: list[str], is_pair: bool) -> str:
        return (
            f"({self.value(names)}, {self.value(names)})" if is_pair else f"({self.value(names)}) & 1048575"
        )

    def text(self, n_functions: int = 5) -> str:
        lines = ["LOG = []", "TABLE = [3, 1, -4, 15]"]
        for number in range(n_functions):
            names = ["abc"[at] for at in range(self.rng.randrange(1, 4))]
            is_pair = self.rng.random() < 0.3 and number < n_functions - 1
            lines.append(f"def f{number}({', '.join(names)}):")
            lines += self.block(names, "    ", is_pair)
            lines.append(f"    return {self.answer(names, is_pair)}")
            self.made.append((f"f{number}", len(names), is_pair))
        return "\n".join(lines)


def answers(tree: ast.Module, name: str, n: int) -> list[object]:
    names: dict[str, object] = {}
    exec(compile(ast.fix_missing_locations(copy.deepcopy(tree)), "file.py", "exec"), names)
    rng = random.Random(1)
    found: list[object] = []
    for _ in range(12):
        found.append(names[name](*(rng.randrange(-20, 20) for _ in range(n))))  # type: ignore[operator]
    return [*found, names["LOG"]]


@pytest.mark.parametrize("seed", range(24))
def test_functions_answer_as_before_and_do_the_same_in_the_same_order(seed: int) -> None:
    maker = Maker(seed)
    tree = ast.parse(maker.text())
    name, n, _ = maker.made[-1]
    expected = answers(tree, name, n)
    faster = without_unused_parameters(copy.deepcopy(tree), {name})
    for _ in range(2):
        faster = tidied(inlined(faster, set()))
        assert answers(faster, name, n) == expected
    faster = reached(faster, {name})
    assert answers(ast.parse(ast.unparse(faster)), name, n) == expected
