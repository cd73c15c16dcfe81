"""Inputs that are never chosen: numbers as terms over the inputs of a run, in the words of the model.

After J. King, Symbolic Execution and Program Testing (CACM 1976).  A `Symbol` stands for a number or a truth value;
what is computed with it is a line of a table, one operator of the model applied to names and constants.  Where a run
has to know more (a branch, the place that a pointer points to) it asks its inputs, and whoever explores runs decides:
for a truth value which way to go, for a number which value to take.

Notation: a *line* is the definition of a name; equal lines have one name, in all runs of an exploration.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.program.expression import (
    NOWHERE,
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Var,
)
from knaster.program.memory import NULL, WILD, Addresses, Chunk, Floating, Snapshot
from knaster.program.types import BOOL, Bool, Int
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.unknown import LateInputs, Unknown

WIDEST = 512  # bits of a number that is computed exactly


class Line(NamedTuple):
    """What a name stands for: an expression over names, None for an input; and its type."""

    value: Expr | None
    type: Int | Bool


class SymbolTable:
    """The lines of all runs of an exploration."""

    def __init__(self) -> None:
        self.lines: dict[str, Line] = {}
        self._names: dict[tuple[Expr, Int | Bool], str] = {}

    def name_input(self, number: int, type: Int | Bool) -> str:
        """Return the name of an input, by its number in the run."""
        kind = f"{'i' if type.signed else 'u'}{type.width}" if isinstance(type, Int) else "b"
        name = f"in{number}:{kind}"
        self.lines[name] = Line(None, type)
        return name

    def name_value(self, value: Expr, type: Int | Bool) -> str:
        """Return the name of a value."""
        key = value, type
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"s{len(self._names)}"
            self.lines[name] = Line(value, type)
        return name


class Symbol(Unknown):
    """A number or a truth value that depends on inputs; `low` and `high` are bounds of a number."""

    __hash__ = None
    __slots__ = ("high", "low", "name", "source", "type")
    symbolic = True

    def __init__(self, source: SymbolicInputs, name: str, type: Int | Bool, low: int, high: int) -> None:
        self.source, self.name, self.type, self.low, self.high = source, name, type, low, high

    @property
    def bounds(self) -> tuple[int, int]:
        """Numbers between which it is."""
        return self.low, self.high

    def force(self) -> int:
        """Choose the value."""
        return self.source.take_value(self)

    def settled(self) -> Any:
        """Return this: its value is not chosen."""
        return self

    def __bool__(self) -> bool:
        truth = self.is_true()
        return truth if isinstance(truth, bool) else self.source.take_way(truth)

    def is_true(self) -> Any:
        """Return that it is different from 0."""
        return self if isinstance(self.type, Bool) else compare_symbols(Comparison.DIFFERENT, self, 0)

    def negation(self) -> Any:
        """Return that it is 0."""
        truth = self.is_true()
        return not truth if isinstance(truth, bool) else truth.made(Not(Var(truth.name)), BOOL, 0, 1)

    def made(self, value: Expr, type: Int | Bool, low: int, high: int) -> Symbol:
        """Return a value that is computed with this one."""
        return Symbol(self.source, self.source.table.name_value(value, type), type, low, high)

    def converted(self, type: Any) -> Any:
        """Return it as a value of an integer type, into which it wraps, or of truth values."""
        if isinstance(type, Bool):
            return self.is_true()
        if isinstance(self.type, Bool):
            return self.made(Convert(Var(self.name), type), type, 0, 1)
        low, high = self.low, self.high
        if type.width is None:
            raise Unclear("an input is made a number without bounds")
        if not (type.low <= low and high <= type.high):
            low, high = type.low, type.high
        return self if self.type == type else self.made(Convert(Var(self.name), type), type, low, high)

    # As Python computes: exact, whatever the types are

    def __add__(self, other: Any) -> Any:
        return exactly(IntegerOperator.ADD, self, other)

    def __radd__(self, other: Any) -> Any:
        return exactly(IntegerOperator.ADD, other, self)

    def __sub__(self, other: Any) -> Any:
        return exactly(IntegerOperator.SUBTRACT, self, other)

    def __rsub__(self, other: Any) -> Any:
        return exactly(IntegerOperator.SUBTRACT, other, self)

    def __mul__(self, other: Any) -> Any:
        return exactly(IntegerOperator.MULTIPLY, self, other)

    def __rmul__(self, other: Any) -> Any:
        return exactly(IntegerOperator.MULTIPLY, other, self)

    def __mod__(self, number: int) -> Any:
        """Return the remainder of a natural number."""
        own = _type_of(min(self.low, 0), max(self.high, number))
        return self.made(Arithmetic(IntegerOperator.REMAINDER, Var(self.name), Const(number), own), own, 0, number - 1)

    def __rshift__(self, count: int) -> Any:
        number = _as_number(self)
        low, high = number.low >> count, number.high >> count
        return number.made(
            Arithmetic(IntegerOperator.RIGHT, Var(number.name), Const(count), number.type), number.type, low, high
        )

    def __and__(self, mask: int) -> Any:
        number = _as_number(self)
        if mask < 0 or number.type.width is None:
            return number.force() & mask
        type = Int(max(number.type.width, mask.bit_length() + 1), number.type.signed)
        wide = number.converted(type)
        return wide.made(Arithmetic(IntegerOperator.AND, Var(wide.name), Const(mask), type), type, 0, mask)

    def __lt__(self, other: Any) -> bool:
        return bool(compare_symbols(Comparison.LESS, self, other))

    def __le__(self, other: Any) -> bool:
        return bool(compare_symbols(Comparison.AT_MOST, self, other))

    def __gt__(self, other: Any) -> bool:
        return bool(compare_symbols(Comparison.GREATER, self, other))

    def __ge__(self, other: Any) -> bool:
        return bool(compare_symbols(Comparison.AT_LEAST, self, other))

    def __eq__(self, other: object) -> bool:
        return bool(compare_symbols(Comparison.EQUAL, self, other))

    def __index__(self) -> int:
        return self.force()

    def __abs__(self) -> Any:
        return self if self >= 0 else 0 - self  # mutant(>=): 0 is 0 - 0


def _as_number(symbol: Symbol) -> Any:
    """Return a truth value as 0 or 1."""
    if isinstance(symbol.type, Bool):
        return symbol.made(Convert(Var(symbol.name), Int(8, False)), Int(8, False), 0, 1)
    return symbol


def raw_of(value: Symbol, width: int) -> Any:
    """Return a value as it stands in memory, in so many bits."""
    return value.converted(Int(width, False))


def operand_of(value: Any) -> Expr:
    """Return a symbol by its name, or a number."""
    return Var(value.name) if isinstance(value, Symbol) else Const(int(value))


def _bounds(value: Any) -> tuple[int, int]:
    return value.bounds if isinstance(value, Symbol) else (int(value), int(value))


def _one_of(one: Any, other: Any) -> Symbol:
    found = one if isinstance(one, Symbol) else other
    assert isinstance(found, Symbol)
    return found


def as_numbers(one: Any, other: Any) -> tuple[Any, Any]:
    """Return two operands as numbers; raise `Unclear` where one was made from a pointer."""
    found = []
    for value in (one, other):
        if isinstance(value, Symbol):
            value = _as_number(value)
        elif isinstance(value, Unknown):
            value = value.force()
        elif not isinstance(value, int):
            raise Unclear("a number that was made from a pointer meets an input")
        found.append(value)
    return found[0], found[1]


def _spread(sign: IntegerOperator, one: Any, other: Any) -> tuple[int, int] | None:
    """Return bounds of a result before it wraps; None where nothing is said."""
    (a, b), (c, d) = _bounds(one), _bounds(other)
    match sign:
        case IntegerOperator.ADD:
            return a + c, b + d
        case IntegerOperator.SUBTRACT:
            return a - d, b - c
        case IntegerOperator.MULTIPLY:
            corners = (a * c, a * d, b * c, b * d)
            return min(corners), max(corners)
        case IntegerOperator.AND if a >= 0 and c >= 0:
            return 0, min(b, d)
        case IntegerOperator.REMAINDER if a >= 0 and c > 0:
            return 0, min(b, d - 1)
        case IntegerOperator.DIVIDE if a >= 0 and c > 0:
            return 0, b
        case IntegerOperator.RIGHT if a >= 0:
            return 0, b
    return None


def calculate(sign: IntegerOperator, one: Any, other: Any, type: Int) -> Symbol:
    """Return what an operator computes in a type, into which it wraps."""
    one, other = as_numbers(one, other)
    if type.width is None or type.low is None or type.high is None:  # mutant(or): all of them or none
        raise Unclear("an input is a number without bounds")
    found = _spread(sign, one, other)
    low, high = found if found is not None and type.low <= found[0] and found[1] <= type.high else (type.low, type.high)
    return _one_of(one, other).made(Arithmetic(sign, operand_of(one), operand_of(other), type), type, low, high)


def exactly(sign: IntegerOperator, one: Any, other: Any) -> Any:
    """Return what an operator computes among all integers."""
    one, other = as_numbers(one, other)
    found = _spread(sign, one, other)
    assert found is not None
    bounds = (*_bounds(one), *_bounds(other), *found)
    return calculate(sign, one, other, _type_of(min(bounds), max(bounds)))


def quotient(value: Symbol, number: int) -> Symbol:
    """Return a number divided by a positive one, towards 0."""
    # mutant(>=): 0 is -0
    low, high = (abs(bound) // number * (1 if bound >= 0 else -1) for bound in value.bounds)
    type = _type_of(min(value.low, 0, -number), max(value.high, 0, number))
    return value.made(Arithmetic(IntegerOperator.DIVIDE, Var(value.name), Const(number), type), type, low, high)


def _type_of(low: int, high: int) -> Int:
    """Return a signed type that has two numbers; its width is a multiple of 32, so that there are few."""
    # mutant(-, >=): a number and its negative have as many bits; one bit more for 0 changes no multiple
    width = 1 + max((low if low >= 0 else -1 - low).bit_length(), (high if high >= 0 else -1 - high).bit_length())
    if width > WIDEST:
        raise Unclear(f"a number has more than {WIDEST} bits")
    return Int(-(-width // 32) * 32)


def shift_exactly(one: Any, other: Any, width: int) -> Any:
    """Return one number shifted to the left by another one below `width`, among all integers."""
    one, other = as_numbers(one, other)
    low, high = _bounds(one)
    type = _type_of(min(low << width, low), max(high << width, high))
    found = _one_of(one, other)
    return found.made(
        Arithmetic(IntegerOperator.LEFT, operand_of(one), operand_of(other), type), type, type.low or 0, type.high or 0
    )


def compare_symbols(sign: Comparison, one: Any, other: Any) -> Any:
    """Return whether a comparison holds: a truth value, or a symbol for one."""
    if isinstance(one, Symbol) and isinstance(other, Symbol) and one.name == other.name:
        return sign in (Comparison.EQUAL, Comparison.AT_MOST, Comparison.AT_LEAST)
    one, other = as_numbers(one, other)
    known = _known(sign, _bounds(one), _bounds(other))
    if known is not None:
        return known
    return _one_of(one, other).made(Compare(sign, operand_of(one), operand_of(other)), BOOL, 0, 1)


def _known(sign: Comparison, one: tuple[int, int], other: tuple[int, int]) -> bool | None:
    """Return what bounds say of a comparison; None where they leave it open."""
    (a, b), (c, d) = one, other
    match sign:
        case Comparison.LESS:
            return True if b < c else False if a >= d else None
        case Comparison.AT_MOST:
            return True if b <= c else False if a > d else None
        case Comparison.GREATER:
            return True if a > d else False if b <= c else None
        case Comparison.AT_LEAST:
            return True if a >= d else False if b < c else None
        case _:
            apart = b < c or d < a
            return None if not apart else sign is Comparison.DIFFERENT


def outside(value: Any, type: Int) -> bool:
    """Tell whether a number is none of a type; decide where both is possible."""
    if type.low is None or type.high is None:  # mutant(or): both or none
        return False
    return bool(value < type.low) or bool(value > type.high)


def is_inside(value: Any, type: Int) -> bool:
    """Tell whether the bounds of a number say that it is one of a type."""
    low, high = _bounds(value)
    return type.low is None or type.high is None or (type.low <= low and high <= type.high)


def either(test: Any, then: Any, otherwise: Any) -> Any:
    """Return one of two unsigned numbers, or numbers of one type, without deciding."""
    if isinstance(test, bool):
        return then if test else otherwise
    then, otherwise = as_numbers(then, otherwise)
    bounds = (*_bounds(then), *_bounds(otherwise))
    if not isinstance(then, Symbol) and not isinstance(otherwise, Symbol) and then == otherwise:
        return then
    type = _type_of(min(bounds), max(bounds))
    value = Conditional(Var(test.name), operand_of(then), operand_of(otherwise))
    return test.made(Convert(value, type), type, min(bounds), max(bounds))


def both(one: Any, other: Any) -> Any:
    """Return that two truth values hold, without deciding."""
    if isinstance(one, bool):
        return other if one else False
    if isinstance(other, bool):
        return one if other else False
    return one.made(Binary(Operator.AND, Var(one.name), Var(other.name)), BOOL, 0, 1)


def one_of(truths: Iterable[Any]) -> Any:
    """Return that one of several truth values holds, without deciding."""
    found: Any = False
    for truth in truths:
        if isinstance(truth, bool) or isinstance(found, bool):
            found = found if truth is False else truth if found is False else True
        else:
            found = found.made(Binary(Operator.OR, Var(found.name), Var(truth.name)), BOOL, 0, 1)
    return found


def join_bytes(found: list[Any]) -> Any:
    """Return the unsigned number that bytes make, the lowest first."""
    type = Int(8 * len(found), False)
    whole: Any = 0
    for index, byte in enumerate(found):
        part = byte.converted(type) if isinstance(byte, Symbol) else byte
        if isinstance(part, Symbol):
            part = calculate(IntegerOperator.LEFT, part, 8 * index, type) if index else part
        else:
            part = int(part) << 8 * index
        if isinstance(part, Symbol) or isinstance(whole, Symbol):
            whole = part if isinstance(whole, int) and whole == 0 else calculate(IntegerOperator.OR, whole, part, type)
        else:
            whole |= part
    return whole


class SymbolicInputs(LateInputs):
    """The inputs of a run as symbols; `order` has the name of each, or a value that was chosen at once."""

    def __init__(self, table: SymbolTable, asked: Collection[str] = ()) -> None:
        super().__init__()
        self.table = table
        self.invented = 0
        self.asked = asked  # kinds of undefined steps after which runs go on, that are decided all the same
        self.wraps: dict[int, None] = {}  # lines where it was not looked whether a signed integer overflows

    def take_way(self, truth: Symbol) -> bool:
        """Decide a truth value."""
        raise NotImplementedError

    def take_value(self, number: Symbol) -> int:
        """Decide which value a number has."""
        raise NotImplementedError

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return an input."""
        match type:
            case Bool():
                return self._input(BOOL, 0, 1)
            case Int() if type.low is not None and type.high is not None:  # mutant(and): both or none
                return self._input(type, type.low, type.high)
            case Addresses():
                number = len(self.order)
                null = Symbol(self, self.table.name_input(number, BOOL), BOOL, 0, 1)
                value = NULL if null else WILD
                self.order.append(("value", value))
                return value
            case Chunk(size):
                return self._add(Snapshot(size, ()))
            case Floating(width):
                from knaster.semantics.memory.symbolic.float_symbols import FloatSymbol

                bits = self._input(Int(width, False), 0, (1 << width) - 1)
                self.order[-1] = "float", (bits.name, type)
                return FloatSymbol(bits, type)
        raise Unclear("an input has no terms")

    def choose_if(self, condition: Symbol, type: Int | Bool) -> Symbol:
        """Return an input that a run reads only where a condition holds; elsewhere its value matters to nobody."""
        found: Symbol = self.choose(type, "", NOWHERE)
        self.order[-1] = "perhaps", (found.name, condition.name)
        return found

    def invent(self, type: Int | Bool) -> Symbol:
        """Return a number that is no input: more values than runs have, so that nothing is made of this run."""
        self.invented += 1
        name = f"{self.table.name_input(len(self.order), type)}'{self.invented}"
        self.table.lines[name] = Line(None, type)
        low, high = (type.low or 0, type.high or 0) if isinstance(type, Int) else (0, 1)
        return Symbol(self, name, type, low, high)

    def _input(self, type: Int | Bool, low: int, high: int) -> Symbol:
        name = self.table.name_input(len(self.order), type)
        self.order.append(("symbol", name))
        return Symbol(self, name, type, low, high)
