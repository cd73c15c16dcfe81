"""What an obligation speaks of: a graph of operators over names, made from formulas of a program and of a proof.

There is one graph, whatever the solver and its arithmetic.  An operator has a value everywhere: 0 (false; an array as
it was) where docs/kernel.md calls it undefined, so that a formula means the same to everybody; `build` also returns
where the formula is defined, and a step of a program is there only where its formulas are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from knaster_check.formula import operands
from knaster_check.program import BOOL, Formula, Type, Value
from knaster_check.program import Node as Head
from knaster_check.refused import Refused, Unsupported, expect

INTEGER: Type = ("int",)  # the type of a node that is some integer, of whatever width
FAR = 4096  # shifts of unbounded integers go less far


class Node:
    """An operator as in formulas; or ("name", text, type), any value of a type; or ("exists", names).  None changes.

    A type is BOOL, INTEGER, that of an array or of a floating-point number; ("value",) of a constant array whose type
    is not known yet.  `real` is the floating-point number whose bits a node is, once somebody has asked (`real_terms`).
    """

    __slots__ = ("head", "operands", "real", "type")

    def __init__(self, head: Head, type: Type, operands: tuple[Node, ...] = ()) -> None:
        self.head = head
        self.type = type
        self.operands = operands
        self.real: Node | None = None


Scope = Mapping[str, Node]
TRUE = Node(("truth", True), BOOL)
FALSE = Node(("truth", False), BOOL)
ZERO = Node(("number", 0), INTEGER)


class Names:
    """Names that are given once."""

    def __init__(self) -> None:
        self.count = 0

    def fresh(self, word: str, type: Type) -> Node:
        """Return a new name, which may have any value of a type."""
        # mutant: any numbers that differ will do
        self.count += 1
        text = "".join("_" if letter in "|\\" or not letter.isprintable() else letter for letter in word)
        return Node(("name", f"n{self.count}.{text}", type), general(type))

    def fresh_state(self, types: Mapping[str, Type]) -> dict[str, Node]:
        """Return any state."""
        return {name: self.fresh(name, type) for name, type in types.items()}


def general(type: Type) -> Type:
    """Return the type of the nodes that have values of a type."""
    if type[0] not in ("bool", "int", "array"):
        raise Unsupported(f"no solver is asked about {type[0]}")
    return INTEGER if type[0] == "int" else type


def build(
    formula: Formula, scope: Scope, inputs: Sequence[Node] = (), after: Scope | None = None
) -> tuple[Node, list[Node]]:
    """Return the value of a formula over a scope, and the conditions under which it is defined.

    Its choices are the `inputs`, in their order; `after` are the values after an assignment.
    """
    nodes: list[Node] = []
    defined: list[Node] = []
    left = list(inputs)
    for head, positions in operands(formula):
        parts = tuple(nodes[position] for position in positions)
        match head[0]:
            case "truth":
                nodes.append(TRUE if head[1] else FALSE)
            case "number":
                nodes.append(Node(head, INTEGER))
            case "value":
                nodes.append(constant(head[1]))
            case "variable" | "next":
                known = scope if head[0] == "variable" else after or {}
                expect(head[1] in known, f"a formula speaks of '{head[1]}', which is not known there")
                nodes.append(known[head[1]])
            case "choice":
                expect(bool(left), "a formula of a proof has a choice")
                nodes.append(left.pop(0))
            case "real_term":
                from knaster_check.c.real_terms import real_node  # only programs with such numbers pay for them

                nodes.append(real_node(head, parts))
            case _:
                nodes.append(apply(head, *parts))
                defined += _conditions(head, nodes[-1].operands)
    return nodes[-1], defined


def choices(formulas: Iterable[Formula]) -> list[Type]:
    """Return the types of the choices in some formulas, in their order."""
    return [head[1] for formula in formulas for head in formula if head[0] == "choice"]


def apply(head: Head, *parts: Node) -> Node:
    """Return an operator applied to operands; refuse operands of other types than it has."""
    match head:
        case ("not",) | ("logic", _):
            return Node(head, BOOL, tuple(_of(part, BOOL) for part in parts))
        case ("if",):
            then, otherwise = _alike(parts[1], parts[2])
            return Node(head, then.type, (_of(parts[0], BOOL), then, otherwise))
        case ("arithmetic", _, _):
            return Node(head, INTEGER, tuple(_of(part, INTEGER) for part in parts))
        case ("compare", operator):
            left, right = _alike(*parts)
            expect(left.type == INTEGER or operator in ("==", "!="), "what is no number has no order")
            return Node(head, BOOL, (left, right))
        case ("convert", type):
            expect(parts[0].type in (BOOL, INTEGER), "an array is converted")
            return Node(head, general(type), parts)
        case ("element",):
            return Node(head, general(_array(parts[0])[1]), (parts[0], _of(parts[1], INTEGER)))
        case ("updated",):
            element = general(_array(parts[0])[1])
            return Node(head, parts[0].type, (parts[0], _of(parts[1], INTEGER), typed(parts[2], element)))
        case ("real_of_bits" | "real_of_integer", width):
            return Node(head, ("floating", width), (_of(parts[0], INTEGER),))
        case ("real_of_real", width):
            return Node(head, ("floating", width), (_real(parts[0]),))
        case ("bits_of_real", width):
            return Node(head, INTEGER, (_of(parts[0], ("floating", width)),))
        case ("real_arithmetic" | "real_function", _, width):
            return Node(head, ("floating", width), tuple(_of(part, ("floating", width)) for part in parts))
        case ("real_compare", _):
            return Node(head, BOOL, (_real(parts[0]), _of(parts[1], parts[0].type)))
        case ("real_test", _):
            return Node(head, BOOL, (_real(parts[0]),))
        case ("integer_of_real", _):
            return Node(head, INTEGER, (_real(parts[0]),))
    raise Unsupported(f"no solver is asked about '{head[0]}'")


def _real(node: Node) -> Node:
    expect(node.type[0] == "floating", "an operator of floating-point numbers has another operand")
    return node


def _conditions(head: Head, parts: Sequence[Node]) -> list[Node]:
    """Return where an operator is defined."""
    match head:
        case ("arithmetic", "/" | "%", _):
            return [apply(("compare", "!="), parts[1], ZERO)]
        case ("arithmetic", "<<" | ">>", (_, width, _)):
            return between(parts[1], FAR if width is None else width)
        case ("element",) | ("updated",):
            return between(parts[1], _array(parts[0])[2])
    return []


def between(node: Node, end: int) -> list[Node]:
    """Return that a number is one of 0 to end - 1."""
    return [
        apply(("compare", ">="), node, ZERO),
        apply(("compare", "<"), node, Node(("number", end), INTEGER)),
    ]


def typed(node: Node, type: Type) -> Node:
    """Return a node that has a type; a constant array gets it."""
    if node.head[0] == "value" and type[0] == "array" and _belongs(node.head[1], type):
        return Node(node.head, type)
    return _of(node, type)


def _alike(one: Node, other: Node) -> tuple[Node, Node]:
    if one.type[0] == "value":
        return typed(one, other.type), other
    return one, typed(other, one.type)


def _of(node: Node, type: Type) -> Node:
    expect(node.type == type, "an operator has an operand of another type")
    return node


def _array(node: Node) -> Type:
    expect(node.type[0] == "array", "what has an index is no array")
    return node.type


def constant(value: Value) -> Node:
    """Return a constant."""
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, int):
        return Node(("number", value), INTEGER)
    if isinstance(value, tuple):
        return Node(("value", value), ("value",))
    raise Refused("a constant is no value of a program over integers")


def _belongs(value: Value, type: Type) -> bool:
    """Tell whether a constant is a value of a type."""
    match type:
        case ("bool",):
            return isinstance(value, bool)
        case ("int", width, signed):
            low, high = limits(width, signed)
            return type_of(value) is int and (low is None or high is None or low <= value <= high)
        case ("array", element, length):
            return isinstance(value, tuple) and len(value) == length and all(_belongs(part, element) for part in value)
    return False


def type_of(value: Value) -> object:
    """Return the class of a value: a truth value is no number."""
    return value.__class__


def limits(width: int | None, signed: bool) -> tuple[int | None, int | None]:
    """Return the smallest and the largest integer of a type; None where there is none."""
    if width is None:
        return None, None
    return (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)


def all_of(parts: Iterable[Node]) -> Node:
    """Return that all conditions hold."""
    found = TRUE
    for part in parts:
        found = part if found is TRUE else found if part is TRUE else apply(("logic", "&"), found, part)
    return found


def any_of(parts: Iterable[Node]) -> Node:
    """Return that some condition holds."""
    found = FALSE
    for part in parts:
        found = part if found is FALSE else apply(("logic", "|"), found, part)
    return found


def negate(node: Node) -> Node:
    """Return that a condition does not hold."""
    return apply(("not",), node)
