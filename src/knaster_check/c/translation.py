"""Obligations as terms of SMT-LIB, in one arithmetic in whole: bit-vectors, or integers of the solver."""

from __future__ import annotations

from collections.abc import Sequence

from knaster_check.c.bits import Bits
from knaster_check.c.integers import Integers
from knaster_check.c.nodes import Node
from knaster_check.c.reals import REALS, real_term
from knaster_check.c.terms import Term, Unsuitable, conjunction, fits, truth
from knaster_check.program import BOOL, Type, Value

Arithmetic = Bits | Integers
_LONGEST = 1024  # elements of arrays that are compared
_LOGIC = {"&": "and", "|": "or", "^": "xor", "=": "=", "=>": "=>"}


class Translation:
    """Nodes as terms of one arithmetic, each translated once."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic = arithmetic
        self.known: dict[Node, Term] = {}
        self.has_reals = False  # whether something of them is a floating-point number

    def term(self, root: Node) -> Term:
        """Return a node as a term; raise `Unsuitable` where the arithmetic has none."""
        stack = [root]
        while stack:
            node = stack[-1]
            todo = [part for part in node.operands if part not in self.known]
            if todo:
                stack += todo
                continue
            stack.pop()
            if node not in self.known:
                self.known[node] = self._apply(node, [self.known[part] for part in node.operands])
        return self.known[root]

    def _apply(self, node: Node, parts: Sequence[Term]) -> Term:
        use = self.arithmetic
        match node.head:
            case ("name", name, type):
                return use.load(Term(f"|{name}|", use.sort(type), free=True), type)
            case ("exists", names):
                found = [self.known[name] for name in names]
                ranges = [fact for name in found for fact in name.fact]
                bound = tuple(Term(one.head, one.sort) for one in map(_named, found))
                return Term("exists", "Bool", (conjunction([*ranges, parts[0]]),), bound=bound)
            case ("truth", value):
                return truth("true" if value else "false")
            case ("number", value):
                return use.number(value)
            case ("value", value):
                return self._constant(value, node.type)
            case ("not",):
                return truth("not", *parts)
            case ("logic", operator):
                return truth(_LOGIC[operator], *parts)
            case ("if",):
                if node.type == ("int",):
                    return use.choose(*parts)
                return Term("ite", parts[1].sort, tuple(parts))
            case ("arithmetic", operator, type):
                return use.compute(operator, parts[0], parts[1], type)
            case ("compare", operator) if node.operands[0].type == ("int",):
                return use.compare(operator, *parts)
            case ("compare", operator):
                same = self._same(node.operands[0].type, parts[0], parts[1])
                return same if operator == "==" else truth("not", same)
            case ("convert", type):
                return self._convert(parts[0], node.operands[0].type, type)
            case ("fits", type):
                if not fits(parts[0], type):
                    raise Unsuitable("a value may be none of its variable's type")
                return parts[0]
            case ("element",):
                return self._element(node.operands[0].type, *parts)
            case ("updated",):
                array, index, value = parts
                changed = Term("store", array.sort, (array, use.index(index), use.keep(value, node.type[1])))
                return Term("ite", array.sort, (self._inside(index, node.type[2]), changed, array))
        if node.head[0] in REALS and isinstance(use, Bits):
            self.has_reals = True
            return real_term(node, parts, use)
        raise Unsuitable(f"'{node.head[0]}' is nothing for a solver")

    def _same(self, type: Type, left: Term, right: Term) -> Term:
        """Return that two truth values or arrays are the same; of arrays, element by element."""
        if type == BOOL:
            return truth("=", left, right)
        # mutant(>): one element more or less
        if type[2] > _LONGEST:
            raise Unsuitable("long arrays are compared")
        places = [self.arithmetic.index(self.arithmetic.number(position)) for position in range(type[2])]
        sort = self.arithmetic.sort(type[1])
        pairs = [(Term("select", sort, (left, place)), Term("select", sort, (right, place))) for place in places]
        if type[1][0] == "array":
            return conjunction([truth("true"), *(self._same(type[1], *pair) for pair in pairs)])
        return conjunction([truth("true"), *(truth("=", *pair) for pair in pairs)])

    def _convert(self, term: Term, source: Type, type: Type) -> Term:
        use = self.arithmetic
        if type == BOOL:
            return term if source == BOOL else use.compare("!=", term, use.number(0))
        return use.wrap(use.choose(term, use.number(1), use.number(0)) if source == BOOL else term, type)

    def _inside(self, index: Term, length: int) -> Term:
        use = self.arithmetic
        return truth("and", use.compare(">=", index, use.number(0)), use.compare("<", index, use.number(length)))

    def _element(self, type: Type, array: Term, index: Term) -> Term:
        """Return an element of an array; 0 or false outside, also where it is an array."""
        use, (_, element, length) = self.arithmetic, type
        found = use.load(Term("select", use.sort(element), (array, use.index(index))), element)
        inside = self._inside(index, length)
        if element[0] != "int":
            return Term("ite", found.sort, (inside, found, self._zero(element)))
        return use.choose(inside, found, use.number(0))

    def _zero(self, type: Type) -> Term:
        """Return the element of a type that is 0 or false everywhere."""
        if type[0] != "array":
            return truth("false") if type == BOOL else self.arithmetic.keep(self.arithmetic.number(0), type)
        sort = self.arithmetic.sort(type)
        return Term(f"(as const {sort})", sort, (self._zero(type[1]),))

    def _constant(self, value: Value, type: Type) -> Term:
        """Return a constant array; outside it is 0, as everywhere."""
        use, (_, element, _) = self.arithmetic, type
        found = self._zero(type)
        for position, part in enumerate(value):
            if element[0] == "array":
                kept = self._constant(part, element)
            else:
                kept = truth("true" if part else "false") if element == BOOL else use.keep(use.number(part), element)
            if part:
                found = Term("store", found.sort, (found, use.index(use.number(position)), kept))
        return found


def _named(term: Term) -> Term:
    """Return the name below a value: that of an unsigned number is one bit wider."""
    return term if term.free else term.parts[0]
