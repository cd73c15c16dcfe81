"""Terms as text of SMT-LIB: a door behind which nobody answers, for files that other people hand to their solvers.

C. Barrett, P. Fontaine and C. Tinelli, The SMT-LIB Standard, version 2.6 (2017).  A term is a node with a sort, so that
whatever is used twice gets a name and is written once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from knaster.base.graphs import postorder
from knaster.base.limits import Budget
from knaster.base.records import dataclass
from knaster.smt.door import Answer, Formula, Sort

_TRUTHS = {"not", "and", "or", "xor", "=>", "=", "bvult", "bvule", "bvslt", "bvsle", "<", "<=", "exists"}
_PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.!")


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """An operator applied to operands; without operands a name or a constant."""

    head: str
    sort: Sort
    operands: tuple[Node, ...] = ()
    free: bool = False  # a variable that may have any value
    bound: tuple[Node, ...] = ()  # the variables of a quantifier


class ScriptDoor:
    """Makes terms as text."""

    name = "text"
    has_integers = True

    def __init__(self, budget: Budget | None = None) -> None:
        self._constants: dict[tuple[str, Sort], Node] = {}

    def variable(self, name: str, sort: Sort) -> Formula:
        """Return a variable that may have any value."""
        return Node(symbol(name), sort, free=True)

    def bound_variable(self, name: str, sort: Sort) -> Formula:
        """Return a variable for `exists`."""
        return Node(symbol(name), sort)

    def truth(self, value: bool) -> Formula:
        """Return true or false."""
        return self._constant("true" if value else "false", "Bool")

    def bits(self, value: int, width: int) -> Formula:
        """Return the bit-vector that is congruent to a number."""
        return self._constant(f"(_ bv{value % (1 << width)} {width})", ("BitVec", width))

    def integer(self, value: int) -> Formula:
        """Return a number."""
        return self._constant(str(value) if value >= 0 else f"(- {-value})", "Int")

    def _constant(self, text: str, sort: Sort) -> Node:
        return self._constants.setdefault((text, sort), Node(text, sort))

    def constant_array(self, sort: Sort, element: Formula) -> Formula:
        """Return an array that has one element everywhere."""
        return Node(f"(as const {sort_to_text(sort)})", sort, (element,))

    def term(self, operator: str, *operands: Formula, indices: Sequence[int] = ()) -> Formula:
        """Return an operator of SMT-LIB applied to operands."""
        head = f"(_ {operator} {' '.join(map(str, indices))})" if indices else operator
        return Node(head, _sort(operator, operands, indices), tuple(operands))

    def exists(self, variables: Sequence[Formula], body: Formula) -> Formula:
        """Return that some values of bound variables satisfy a formula."""
        return Node("exists", "Bool", (body,), bound=tuple(variables))

    def ask(self, formulas: Sequence[Formula], work: int, shown: Sequence[Formula] = ()) -> tuple[Answer, list[bool]]:
        """Return that nobody is asked."""
        return Answer.UNKNOWN, []


def _sort(operator: str, operands: Sequence[Node], indices: Sequence[int]) -> Sort:
    """Return the sort of a term."""
    if operator in _TRUTHS:
        return "Bool"
    first: Any = operands[1 if operator == "ite" else 0].sort
    match operator:
        case "extract":
            return ("BitVec", indices[0] - indices[1] + 1)
        case "sign_extend" | "zero_extend":
            return ("BitVec", first[1] + indices[0])
        case "select":
            first = first[2]
    found: Sort = first
    return found


def symbol(name: str) -> str:
    """Return a name as SMT-LIB spells it, where names that begin with `@` or `.` belong to solvers."""
    name = f"result{name}" if name[0] in "@." else name
    if set(name) <= _PLAIN and not name[0].isdecimal():
        return name
    return "|" + "".join("_" if letter in "|\\" or not letter.isprintable() else letter for letter in name) + "|"


def sort_to_text(sort: Sort) -> str:
    """Return a sort as SMT-LIB spells it."""
    match sort:
        case ("BitVec", width):
            return f"(_ BitVec {width})"
        case ("Array", index, element):
            return f"(Array {sort_to_text(index)} {sort_to_text(element)})"
    return str(sort)


class Printing:
    """Some formulas as text: their variables, names for what is used more than once, and the formulas themselves."""

    def __init__(self, formulas: Iterable[Node]) -> None:
        self.variables: list[Node] = []
        self.named: list[tuple[str, Sort, str]] = []  # each after those that it speaks of
        self._text: dict[Node, str] = {}
        self._inside: list[tuple[str, str]] = []  # names for what is used more than once in a quantifier
        roots = list(formulas)
        nodes = postorder(list(dict.fromkeys(roots)), lambda node: node.operands)
        uses = Counter(part for node in nodes for part in node.operands)
        inside = _inside_quantifiers(nodes)
        for node in nodes:
            text = self._write(node)
            if node.free:
                self.variables.append(node)
            if node.operands and uses[node] > 1:
                name = f"t!{len(self.named) + len(self._inside)}"
                if node in inside:
                    self._inside.append((name, text))
                else:
                    self.named.append((name, node.sort, text))
                text = name
            self._text[node] = text
        self.formulas = [self._text[root] for root in roots]

    def _write(self, node: Node) -> str:
        if not node.operands:
            return node.head
        parts = " ".join(self._text[part] for part in node.operands)
        if node.bound:
            bound = " ".join(f"({one.head} {sort_to_text(one.sort)})" for one in node.bound)
            lets = "".join(f"(let (({name} {text})) " for name, text in self._inside)
            return f"({node.head} ({bound}) {lets}{parts}{')' * len(self._inside)})"
        return f"({node.head} {parts})"


def _inside_quantifiers(nodes: Sequence[Node]) -> set[Node]:
    """Return the nodes that speak of bound variables, which have no name outside."""
    bound = {one for node in nodes for one in node.bound}
    found: set[Node] = set()
    for node in nodes:
        if node in bound or any(part in found for part in node.operands):
            found.add(node)
    return found
