"""Random expressions of C with effects in operands: variables, arrays of three elements, members, pointers.

An expression is a tuple whose first part says what it is; `to_text` writes it, `support.oracles.unsequenced` knows when
its operands clash.
"""

from __future__ import annotations

import random
from typing import Any

Node = tuple[Any, ...]
SIZE = 3  # elements of an array
_PLAIN = ("i", "j", "a", "b", "s.x", "s.y")
_POINTERS = ("*p", "*q", "t->x", "t->y", "p[]", "p++", "t->d", "s.d")


class Expressions:
    """Makes expressions; with `memory` some places are those of pointers."""

    def __init__(self, seed: int, memory: bool) -> None:
        self.random = random.Random(seed)
        self.memory = memory

    def any(self, depth: int) -> Node:
        """Return an expression."""
        choose = self.random.choice
        kind = choose(["place", "number"] if not depth else _KINDS)
        match kind:
            case "number":
                return ("number", self.random.randrange(SIZE))
            case "place":
                return ("read", self.place(depth))
            case "step":
                return ("step", choose(["++", "--"]), choose([True, False]), self.place(depth))
            case "assign":
                return ("assign", choose(["=", "+=", "="]), self.place(depth), self.any(depth - 1))
            case "choice":
                return ("choice", self.any(depth - 1), self.any(depth - 1), self.any(depth - 1))
            case "not":
                return ("not", self.any(depth - 1))
        return (kind, self.any(depth - 1), self.any(depth - 1))

    def whole(self) -> Node:
        """Return an expression in which something happens."""
        while True:
            found = self.any(3)
            if any(part in str(found) for part in ("step", "assign")):
                return found

    def place(self, depth: int) -> Node:
        """Return a place."""
        names = (*_PLAIN, *_POINTERS) if self.memory else _PLAIN
        name = self.random.choice(names)
        if name in ("a", "b", "p[]", "t->d", "s.d"):
            return ("element", name.removesuffix("[]"), self.index(depth))
        return ("name", name)

    def index(self, depth: int) -> Node:
        """Return an index, which is inside of an array where nothing is changed."""
        if self.random.random() < 0.6:
            return ("read", ("name", self.random.choice("ij")))
        if depth and self.random.random() < 0.6:
            return ("&", self.any(depth - 1), ("number", 1))
        return ("number", self.random.randrange(SIZE))


_KINDS = ["place", "place", "number", "step", "step", "assign", "assign", "+", "+", "&&", ",", "choice", "call", "not"]
_BEFORE = """struct s { int x, y; int d[3]; };
static int f(int m, int n) { return m < n ? 1 : 0; }
"""


def to_text(node: Node) -> str:
    """Return an expression as C."""
    match node:
        case ("number", number):
            return str(number)
        case ("name", "p++"):
            return "*p++"
        case ("name", name):
            return str(name)
        case ("element", name, index):
            return f"{name}[{to_text(index)}]"
        case ("read", place):
            return to_text(place)
        case ("step", sign, after, place):
            return f"({to_text(place)}){sign}" if after else f"{sign}({to_text(place)})"
        case ("assign", sign, place, value):
            return f"({to_text(place)} {sign} {to_text(value)})"
        case ("choice", test, then, other):
            return f"({to_text(test)} ? {to_text(then)} : {to_text(other)})"
        case ("not", operand):
            return f"!({to_text(operand)})"
        case ("call", one, other):
            return f"f({to_text(one)}, {to_text(other)})"
        case (sign, left, right):
            return f"({to_text(left)} {sign} {to_text(right)})"
    raise AssertionError(node)


def program(expressions: list[Node], state: dict[str, Any], memory: bool) -> str:
    """Return a program that evaluates some expressions, one after the other, from a state."""
    arrays = "".join(f"int {name}[3] = {{{', '.join(map(str, state[name]))}}}; " for name in "ab")
    start = f"int i = {state['i']}, j = {state['j']}; {arrays}struct s s; s.x = 1; s.y = 2; "
    if memory:
        start += "s.d[0] = 0; s.d[1] = 1; s.d[2] = 2; struct s r = s; "
        start += f"int *p = &{state['p']}, *q = &{state['q']}; struct s *t = &{state['t']}; "
    lines = "".join(f"{to_text(node)};\n" for node in expressions)
    before = _BEFORE if memory else _BEFORE.replace(" int d[3];", "")
    return f"{before}int main(void) {{ {start}\n{lines}return 0; }}\n"


def random_state(seed: int) -> dict[str, Any]:
    """Return what the variables of a program are at its start."""
    chosen = random.Random(seed)
    places = ["a[0]", "a[1]", "b[0]", "b[2]", "i", "s.x", "r.y", "s.d[1]"]
    return {
        "i": chosen.randrange(SIZE),
        "j": chosen.randrange(SIZE),
        "a": [chosen.randrange(SIZE) for _ in range(SIZE)],
        "b": [chosen.randrange(SIZE) for _ in range(SIZE)],
        "p": chosen.choice(places),
        "q": chosen.choice(places),
        "t": chosen.choice(["s", "r"]),
    }
