"""Obligations as terms of SMT-LIB, in one arithmetic in whole: bit-vectors, or integers of the solver.

Every integer is a term with bounds that its value never leaves (R. E. Moore, Interval Analysis, 1966).  As bit-vectors
a term is wide enough for every value between its bounds, with a sign, so that operators are those of mathematics until
the text says that a result wraps.  As integers it wraps where its bounds do not exclude that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knaster_check.c.nodes import FAR, Node, limits
from knaster_check.program import BOOL, Type, Value

Bound = int | None  # None: there is none
_INDEX = 64  # bits of an index
_MOST = 4096  # bits of a number
_LONGEST = 1024  # elements of arrays that are compared
_LOGIC = {"&": "and", "|": "or", "^": "xor", "=": "=", "=>": "=>"}


class Unsuitable(Exception):
    """An arithmetic has no term for something."""


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """An operator of SMT-LIB applied to terms; `fact` is something that is true of a variable or an element."""

    head: str
    sort: str
    parts: tuple[Term, ...] = ()
    low: Bound = None
    high: Bound = None
    fact: tuple[Term, ...] = ()
    free: bool = False  # a name that has to be declared
    bound: tuple[Term, ...] = ()  # the names of a quantifier


def truth(head: str, *parts: Term) -> Term:
    """Return a term that is true or false."""
    return Term(head, "Bool", parts)


class Bits:
    """Integers as bit-vectors with a sign."""

    def sort(self, type: Type) -> str:
        """Return the sort of variables and elements of a type."""
        match type:
            case ("bool",):
                return "Bool"
            case ("int", int(width), _):
                return f"(_ BitVec {width})"
            case ("array", element, _):
                return f"(Array (_ BitVec {_INDEX}) {self.sort(element)})"
        raise Unsuitable(f"{type[0]} without a width is no bit-vector")

    def load(self, term: Term, type: Type) -> Term:
        """Return a variable or an element as a value."""
        if type[0] != "int":
            return term
        low, high = limits(type[1], type[2])
        if type[2]:
            return Term(term.head, term.sort, term.parts, low, high, free=term.free)
        return Term("(_ zero_extend 1)", _bits(type[1] + 1), (term,), low, high)

    def keep(self, term: Term, type: Type) -> Term:
        """Return a value of a type as an element."""
        return self._resize(term, type[1]) if type[0] == "int" else term

    def number(self, value: int) -> Term:
        """Return a constant."""
        return self._literal(value, _width(value, value))

    def _literal(self, value: int, width: int) -> Term:
        return Term(f"(_ bv{value % (1 << width)} {width})", _bits(width), (), value, value)

    def index(self, term: Term) -> Term:
        """Return an index of an array that is in range."""
        return self._resize(term, _INDEX)

    def wrap(self, term: Term, type: Type) -> Term:
        """Return the value of a type that is congruent to a number."""
        _, width, signed = type
        if fits(term, type):
            return term
        low, high = limits(width, signed)
        cut = self._resize(term, width)
        return Term(cut.head, cut.sort, cut.parts, low, high) if signed else self.load(cut, type)

    def compute(self, operator: str, left: Term, right: Term, type: Type) -> Term:
        """Return the result of an operator; 0 where it is undefined."""
        low, high = bounds(operator, left, right)
        if operator in ("<<", ">>"):
            return self._shift(operator, left, right, type)
        if operator in _CONGRUENT and type[1] is not None and not fits_bounds(low, high, type):
            parts = self._resize(left, type[1]), self._resize(right, type[1])
            found = Term(_CONGRUENT[operator], _bits(type[1]), parts, *limits(type[1], True))
            return found if type[2] else self.load(found, type)
        width = self._enough(left, right, low, high)
        parts = self._resize(left, width), self._resize(right, width)
        found = Term(_CONGRUENT.get(operator) or _QUOTIENTS[operator], _bits(width), parts, low, high)
        if operator in _QUOTIENTS:
            zero = self._literal(0, width)
            found = Term("ite", found.sort, (truth("=", parts[1], zero), zero, found), low, high)
        return self.wrap(found, type)

    def _shift(self, operator: str, left: Term, right: Term, type: Type) -> Term:
        far = FAR if type[1] is None else type[1]
        inside = truth("and", self.compare(">=", right, self.number(0)), self.compare("<", right, self.number(far)))
        low, high = bounds(operator, left, right)
        if operator == ">>":
            width = max(_width_of(left), far.bit_length() + 1)
            found = Term("bvashr", _bits(width), (self._resize(left, width), self._resize(right, width)), low, high)
        elif type[1] is not None:
            width = type[1]
            found = Term("bvshl", _bits(width), (self._resize(left, width), self._resize(right, width)))
            found = Term(found.head, found.sort, found.parts, *limits(width, True))
        else:
            if right.low is None or right.low != right.high or not 0 <= right.low < far:
                raise Unsuitable("a number without a width is shifted by any distance")
            width = self._enough(left, left, low, high)
            distance = self._literal(right.low, width)
            found = Term("bvshl", _bits(width), (self._resize(left, width), distance), low, high)
        found = Term(
            "ite", found.sort, (inside, found, self._literal(0, width)), _lower(found.low, 0), _upper(found.high, 0)
        )
        return self.wrap(found, type) if operator == ">>" or type[1] is None or type[2] else self.load(found, type)

    def compare(self, operator: str, left: Term, right: Term) -> Term:
        """Return a comparison of two numbers."""
        width = max(_width_of(left), _width_of(right))
        one, other = self._resize(left, width), self._resize(right, width)
        if operator in ("==", "!="):
            same = truth("=", one, other)
            return same if operator == "==" else truth("not", same)
        return truth({"<": "bvslt", "<=": "bvsle", ">": "bvsgt", ">=": "bvsge"}[operator], one, other)

    def choose(self, condition: Term, one: Term, other: Term) -> Term:
        """Return one of two numbers."""
        width = max(_width_of(one), _width_of(other))
        parts = condition, self._resize(one, width), self._resize(other, width)
        return Term("ite", _bits(width), parts, _lower(one.low, other.low), _upper(one.high, other.high))

    def _resize(self, term: Term, width: int) -> Term:
        more = width - _width_of(term)
        if more == 0:
            return term
        if more < 0:
            return Term(f"(_ extract {width - 1} 0)", _bits(width), (term,))
        return Term(f"(_ sign_extend {more})", _bits(width), (term,), term.low, term.high)

    def _enough(self, left: Term, right: Term, low: Bound, high: Bound) -> int:
        """Return a width that has both operands and the result."""
        if low is None or high is None:
            raise Unsuitable("a number may be any integer")
        width = max(_width(low, high), _width_of(left), _width_of(right))
        if width > _MOST:
            raise Unsuitable("a number is too wide")
        return width


_CONGRUENT = {"+": "bvadd", "-": "bvsub", "*": "bvmul", "&": "bvand", "|": "bvor", "^": "bvxor"}
_QUOTIENTS = {"/": "bvsdiv", "%": "bvsrem"}


class Integers:
    """Integers as integers of the solver."""

    def sort(self, type: Type) -> str:
        """Return the sort of variables and elements of a type."""
        if type[0] == "array":
            return f"(Array Int {self.sort(type[1])})"
        return "Bool" if type == BOOL else "Int"

    def load(self, term: Term, type: Type) -> Term:
        """Return a variable or an element as a value; it is a fact that it has its type."""
        if type[0] != "int" or type[1] is None:
            return term
        low, high = limits(type[1], type[2])
        assert low is not None and high is not None
        fact = truth("<=", self.number(low), term), truth("<=", term, self.number(high))
        return Term(term.head, term.sort, term.parts, low, high, fact, term.free)

    def keep(self, term: Term, type: Type) -> Term:
        """Return a value of a type as an element."""
        return term

    def number(self, value: int) -> Term:
        """Return a constant."""
        return Term(str(value) if value >= 0 else f"(- {-value})", "Int", (), value, value)

    def index(self, term: Term) -> Term:
        """Return an index of an array that is in range."""
        return term

    def wrap(self, term: Term, type: Type) -> Term:
        """Return the value of a type that is congruent to a number: once around, or by a remainder."""
        _, width, signed = type
        low, high = limits(width, signed)
        if low is None or high is None or fits(term, type):
            return term
        size, value = 1 << width, term
        if term.low is None or term.high is None or term.low < low - size or term.high > high + size:
            around = self._term("mod", self._term("-", term, self.number(low)), self.number(size))
            return self._term("+", around, self.number(low), low=low, high=high)
        if term.low < low:
            more = self._term("+", value, self.number(size))
            value = self._term("ite", truth("<", value, self.number(low)), more, value)
        if term.high > high:
            less = self._term("-", value, self.number(size))
            value = self._term("ite", truth("<", self.number(high), value), less, value)
        return Term(value.head, value.sort, value.parts, low, high)

    def compute(self, operator: str, left: Term, right: Term, type: Type) -> Term:
        """Return the result of an operator; 0 where it is undefined."""
        low, high = bounds(operator, left, right)
        far = FAR if type[1] is None else type[1]
        if operator == "&" and left.low is not None and left.low == left.high:
            left, right = right, left
        by = right.low if right.low is not None and right.low == right.high else None
        match operator:
            case "+" | "-" | "*":
                found = self._term(operator, left, right)
            case "/" | "%":
                found = self._divide(operator, left, right)
            case "<<" | ">>" if by is not None and not 0 <= by < far:
                found, low, high = self.number(0), 0, 0
            case "<<" | ">>" if by is not None:
                found = self._term("*" if operator == "<<" else "div", left, self.number(1 << by))
            case "&" if by is not None and by >= 0 and by & by + 1 == 0:
                found, low, high = self._term("mod", left, self.number(by + 1)), 0, by
            case _:
                raise Unsuitable("integers have no bits")
        return self.wrap(Term(found.head, found.sort, found.parts, low, high), type)

    def _divide(self, operator: str, left: Term, right: Term) -> Term:
        """Return a quotient that is truncated towards 0, or its remainder; SMT-LIB rounds down for divisors from 1."""
        zero = self.number(0)

        def size(term: Term) -> Term:
            return self._term("ite", truth("<", term, zero), self._term("-", zero, term), term)

        quotient = self._term("div", size(left), size(right))
        unlike = truth("xor", truth("<", left, zero), truth("<", right, zero))
        found = self._term("ite", unlike, self._term("-", zero, quotient), quotient)
        if operator == "%":
            found = self._term("-", left, self._term("*", right, found))
        return self._term("ite", truth("=", right, zero), zero, found)

    def compare(self, operator: str, left: Term, right: Term) -> Term:
        """Return a comparison of two numbers."""
        same = truth("=", left, right)
        return same if operator == "==" else truth("not", same) if operator == "!=" else truth(operator, left, right)

    def choose(self, condition: Term, one: Term, other: Term) -> Term:
        """Return one of two numbers."""
        return self._term(
            "ite", condition, one, other, low=_lower(one.low, other.low), high=_upper(one.high, other.high)
        )

    def _term(self, head: str, *parts: Term, low: Bound = None, high: Bound = None) -> Term:
        return Term(head, "Int", parts, low, high)


Arithmetic = Bits | Integers


class Translation:
    """Nodes as terms of one arithmetic, each translated once."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic = arithmetic
        self.known: dict[Node, Term] = {}

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
        raise Unsuitable(f"'{node.head[0]}' is nothing for a solver")

    def _same(self, type: Type, left: Term, right: Term) -> Term:
        """Return that two truth values or arrays are the same; of arrays, element by element."""
        if type == BOOL:
            return truth("=", left, right)
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
        """Return an element of an array; 0 or false outside."""
        use, (_, element, length) = self.arithmetic, type
        found = use.load(Term("select", use.sort(element), (array, use.index(index))), element)
        inside = self._inside(index, length)
        if element[0] == "array":
            raise Unsuitable("arrays of arrays are not read")
        if element == BOOL:
            return truth("and", inside, found)
        return use.choose(inside, found, use.number(0))

    def _constant(self, value: Value, type: Type) -> Term:
        """Return a constant array; outside it is 0, as everywhere."""
        use, (_, element, _) = self.arithmetic, type
        if element[0] == "array":
            raise Unsuitable("arrays of arrays are no constants")
        sort = use.sort(type)
        zero = truth("false") if element == BOOL else use.keep(use.number(0), element)
        found = Term(f"(as const {sort})", sort, (zero,))
        for position, part in enumerate(value):
            if part:
                kept = truth("true") if element == BOOL else use.keep(use.number(part), element)
                found = Term("store", sort, (found, use.index(use.number(position)), kept))
        return found


def conjunction(parts: Sequence[Term]) -> Term:
    """Return that all of some terms hold."""
    return parts[0] if len(parts) == 1 else truth("and", *parts)


def _named(term: Term) -> Term:
    """Return the name below a value: that of an unsigned number is one bit wider."""
    return term if term.free else term.parts[0]


def bounds(operator: str, left: Term, right: Term) -> tuple[Bound, Bound]:
    """Return bounds of the mathematical result of an operator."""
    a, b, c, d = left.low, left.high, right.low, right.high
    if operator in ("+", "-"):
        c, d = (c, d) if operator == "+" else (None if d is None else -d, None if c is None else -c)
        return None if a is None or c is None else a + c, None if b is None or d is None else b + d
    if a is None or b is None:
        return None, None
    size = max(abs(a), abs(b))
    match operator:
        case "/":
            return (0, size) if a >= 0 and c is not None and c >= 0 else (-size, size)
        case "%":
            size = min(size, max(abs(c), abs(d), 1) - 1) if c is not None and d is not None else size
            return (0 if a >= 0 else -size), (0 if b <= 0 else size)
        case ">>":
            return min(a, 0), max(b, 0)
        case _ if c is None or d is None:
            return None, None
        case "*":
            corners = a * c, a * d, b * c, b * d
            return min(corners), max(corners)
        case "<<":
            return (min(a << d, 0), max(b << d, 0)) if 0 <= c <= d < FAR else (None, None)
    most = (1 << max(number.bit_length() for number in (a, b, c, d))) - 1  # no more bits than both have
    return (0 if min(a, c) >= 0 else -most - 1), most


def fits(term: Term, type: Type) -> bool:
    """Tell whether every value between the bounds of a term is one of an integer type."""
    return fits_bounds(term.low, term.high, type)


def fits_bounds(low: Bound, high: Bound, type: Type) -> bool:
    """Tell whether every value between two bounds is one of an integer type."""
    least, most = limits(type[1], type[2])
    if least is None or most is None:
        return True
    return low is not None and high is not None and least <= low and high <= most


def _lower(one: Bound, other: Bound) -> Bound:
    return None if one is None or other is None else min(one, other)


def _upper(one: Bound, other: Bound) -> Bound:
    return None if one is None or other is None else max(one, other)


def _width(low: int, high: int) -> int:
    """Return how many bits two numbers and what is between them need, with a sign."""
    return 1 + max((number if number >= 0 else -1 - number).bit_length() for number in (low, high))


def _width_of(term: Term) -> int:
    return int(term.sort.removeprefix("(_ BitVec ").removesuffix(")"))


def _bits(width: int) -> str:
    return f"(_ BitVec {width})"
