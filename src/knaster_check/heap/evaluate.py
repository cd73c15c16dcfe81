"""The value of an expression in a memory, and what a store does to it.

Operands are evaluated left to right; `if` evaluates only the operand that it takes.  A number that does not fit into
the type of its operator is a failure; bits that are shifted out are not, and a distance is taken modulo the width.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knaster_check.formula import operands
from knaster_check.heap.memory import Fails, Frame, Memory, default, known
from knaster_check.program import Cell, Formula, Node, Reference, Value
from knaster_check.refused import Unsupported, expect

Tree = tuple[Node, tuple[Any, ...]]
Apply = Callable[[Memory, str, Sequence[Value]], Value]
_LOGIC: dict[str, Callable[[bool, bool], bool]] = {
    "&": lambda left, right: left and right,
    "|": lambda left, right: left or right,
    "^": lambda left, right: left is not right,
}
_ORDER: dict[str, Callable[[int, int], bool]] = {
    **{"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
}
_NUMBERS: dict[str, Callable[[int, int], int]] = {
    **{"+": operator.add, "-": operator.sub, "*": operator.mul},
    **{"&": operator.and_, "|": operator.or_, "^": operator.xor},
}
_LONGEST = 1_000_000  # elements of an array
_trees: dict[int, tuple[Formula, Tree]] = {}


def tree_of(formula: Formula) -> Tree:
    """Return a formula as a tree; each is made once."""
    found = _trees.get(id(formula))
    if found is None or found[0] is not formula:  # mutant(is not): what is kept keeps its formula, and so its id
        trees: list[Tree] = []
        for node, positions in operands(formula):
            trees.append((node, tuple(trees[position] for position in positions)))
        if len(_trees) > 100_000:  # mutant: how many are kept changes no answer
            _trees.clear()
        found = _trees[id(formula)] = formula, trees[-1]
    return found[1]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Evaluates in one frame of one memory."""

    cells: Mapping[str, Cell]
    memory: Memory
    frame: Frame | None
    thread: int
    apply: Apply

    def value(self, formula: Formula) -> Value:
        """Return the value of a formula; raise `Fails` where it has none."""
        return self._value(tree_of(formula))

    def _value(self, tree: Tree) -> Value:
        node, parts = tree
        if node[0] == "if":
            return self._value(parts[1] if self._value(parts[0]) else parts[2])
        return self._compute(node, [self._value(part) for part in parts])

    def _compute(self, node: Node, given: list[Value]) -> Value:
        match node:
            case ("truth" | "number" | "value", value):
                return value
            case ("variable", name):
                return known(self._variables(name)[name])
            case ("self",):
                return self.thread
            case ("not",):
                return not given[0]
            case ("logic", operator):
                return _LOGIC[operator](given[0], given[1])
            case ("compare", "==" | "!=" as operator):
                return (type(given[0]) is type(given[1]) and given[0] == given[1]) is (operator == "==")
            case ("compare", operator):
                return _ORDER[operator](given[0], given[1])
            case ("arithmetic", operator, type_):
                return number(operator, given[0], given[1], type_)
            case ("part", index):
                return given[0][index]
            case ("field", index, _):
                return known(self.memory.cell(given[0])[index])
            case ("index",):
                return known(self.memory.cell(given[0])[self._position(*given)])
            case ("size",):
                return len(self.memory.cell(given[0]))
            case ("member",):
                return given[0] in [known(slot) for slot in self.memory.cell(given[1])]
            case ("new", name, _):
                return self._make(name, given[0] if given else None)
            case ("apply", name, _):
                return self.apply(self.memory, name, given)
        raise Unsupported(f"'{node[0]}' in a program with references")

    def _variables(self, name: str) -> dict[str, Value]:
        return self.frame.values if self.frame is not None and name in self.frame.values else self.memory.statics

    def _position(self, array: Value, index: Value) -> int:
        if not 0 <= index < len(self.memory.cell(array)):
            raise Fails("index-out-of-range")
        return int(index)

    def _make(self, name: str, length: Value) -> Reference:
        """Add a cell; fields begin with their initial values, in the order of the text."""
        cell, memory = self.cells[name], self.memory
        memory.made += 1
        reference = Reference(name, memory.made)
        slots: tuple[Value, ...] = tuple(default(type) for _, type in cell.fields)
        if cell.form == "array":
            size = length if cell.length is None else cell.length
            if size < 0:
                raise Fails("overflow")
            if size > _LONGEST:
                raise Unsupported(f"an array of {size} elements")
            assert cell.element is not None
            slots = (default(cell.element),) * size
        memory.heap[reference] = slots
        names = [field for field, _ in cell.fields]
        for field, formula in cell.initial:
            self._put(reference, names.index(field), self.value(formula))
        return reference

    def _put(self, reference: Value, index: int, value: Value) -> None:
        slots = self.memory.cell(reference)
        self.memory.heap[reference] = (*slots[:index], value, *slots[index + 1 :])

    def store(self, places: Sequence[Formula], value: Formula) -> None:
        """Assign a value to places: the operands of the places first, then the value, then the stores."""
        located = [self._locate(place) for place in places]
        result = self.value(value)
        for place in reversed(located):
            self._write(*place, result)

    def assign(self, place: Formula, value: Value) -> None:
        """Give a place a value."""
        self._write(*self._locate(place), value)

    def _locate(self, place: Formula) -> tuple[Node, list[Value], list[int]]:
        """Return the variable, field or element that a place is in, the values of its operands, and the way to it."""
        tree, path = tree_of(place), list[int]()
        while tree[0][0] == "part":
            path.insert(0, tree[0][1])
            (tree,) = tree[1]
        expect(tree[0][0] in ("variable", "field", "index"), f"'{tree[0][0]}' is no place")
        return tree[0], [self._value(part) for part in tree[1]], path

    def _write(self, node: Node, given: list[Value], path: list[int], value: Value) -> None:
        if node[0] == "variable":
            variables = self._variables(node[1])
            variables[node[1]] = replaced(variables[node[1]], path, value)
            return
        index = node[1] if node[0] == "field" else self._position(given[0], given[1])
        self._put(given[0], index, replaced(self.memory.cell(given[0])[index], path, value))


def replaced(whole: Value, path: Sequence[int], value: Value) -> Value:
    """Return a struct with the part at the end of a path replaced."""
    if not path:
        return value
    first, inner = path[0], known(whole)
    return (*inner[:first], replaced(inner[first], path[1:], value), *inner[first + 1 :])


def number(operator: str, left: int, right: int, type: Any) -> int:
    """Return the result of an operator in a type; raise `Fails` where it does not fit."""
    width: int = type[1]
    signed: bool = type[2]
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    if operator == ">>":
        return left >> (right & width - 1)
    if operator == "<<":
        moved = (left << (right & width - 1)) & (1 << width) - 1
        return moved - (1 << width) if moved > high else moved
    if operator in ("/", "%"):
        if right == 0:
            raise Fails("division-by-zero")
        # mutant(<): a quotient of 0 has no sign, and no divisor is 0
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        result = quotient if operator == "/" else left - right * quotient
    else:
        result = _NUMBERS[operator](left, right)
    if not low <= result <= high:
        raise Fails("overflow")
    return result
