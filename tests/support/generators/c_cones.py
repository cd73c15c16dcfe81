"""Random texts of C with several assertions over few variables and truth values as inputs: all runs can be known.

Parts of them are independent, others meet: filters (`abort`), early returns, loops that may not end, helpers that
several functions call, assertions on the way to others.
"""

from __future__ import annotations

import random

_HEAD = "extern _Bool __VERIFIER_nondet_bool(void);\nextern void abort(void);\nvoid assert(int);\n"


def random_cones(seed: int) -> str:
    """Return a program."""
    return _Maker(random.Random(f"cones {seed}")).text()


class _Maker:
    def __init__(self, choose: random.Random) -> None:
        self.choose = choose
        self.shared = [f"g{i}" for i in range(choose.randint(2, 4))]

    def text(self) -> str:
        globals = "".join(f"unsigned char {name} = {self.choose.randint(0, 2)};\n" for name in self.shared)
        count = self.choose.randint(1, 3)
        functions = "".join(self.function(f"f{i}", i) for i in range(count))
        body = self.block(["x", "y"], count, 4)
        return f"{_HEAD}{globals}{functions}int main(void)\n{{\n    int x = 0, y = 1;\n{body}    return 0;\n}}\n"

    def function(self, name: str, callees: int) -> str:
        body = self.block(["p", "q"], callees, 3)
        return f"int {name}(int p)\n{{\n    int q = 0;\n{body}    return {self.value(['p', 'q'])};\n}}\n"

    def block(self, own: list[str], callees: int, length: int, depth: int = 1) -> str:
        return "".join(self.statement(own, callees, depth) for _ in range(self.choose.randint(1, length)))

    def statement(self, own: list[str], callees: int, depth: int) -> str:
        space = "    " * depth
        name = self.choose.choice([*self.shared, *own])
        match self.choose.randint(0, 11):
            case 0 | 1 | 2:
                return f"{space}{name} = {self.value(own)};\n"
            case 3:
                return f"{space}{name} = __VERIFIER_nondet_bool();\n"
            case 4 | 5 if depth < 3:
                then, other = (self.block(own, callees, 2, depth + 1) for _ in range(2))
                return f"{space}if ({self.test(own)}) {{\n{then}{space}}} else {{\n{other}{space}}}\n"
            case 6:
                return f"{space}if ({self.test(own)})\n{space}    abort();\n"
            case 7 if depth < 3:
                inner = self.block(own, callees, 2, depth + 1)
                return (
                    f"{space}while ({name} < {self.choose.randint(1, 3)}) {{\n{inner}{space}    {name}++;\n{space}}}\n"
                )
            case 8 if callees:
                callee = self.choose.randrange(callees)
                return f"{space}{name} = f{callee}({self.value(own)});\n"
            case 9 if self.choose.random() < 0.3:
                return f"{space}if ({self.test(own)})\n{space}    return 0;\n"
        return f"{space}assert({self.test(own)});\n"

    def value(self, own: list[str]) -> str:
        names = [*self.shared, *own]
        one, two = self.choose.choice(names), self.choose.choice(names)
        small = str(self.choose.randint(0, 3))
        return self.choose.choice([small, one, f"({one} + 1) % 4", f"({one} + {two}) % 3", f"{one} ? {two} : {small}"])

    def test(self, own: list[str]) -> str:
        names = [*self.shared, *own]
        one, two = self.choose.choice(names), self.choose.choice(names)
        small = self.choose.randint(0, 3)
        return self.choose.choice([f"{one} == {small}", f"{one} != {small}", f"{one} < {small + 1}", f"{one} <= {two}"])
