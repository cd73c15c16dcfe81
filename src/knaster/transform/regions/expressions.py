"""Expressions of a program with memory over the variables of the reduced program, and what to ask before them.

Operands that C evaluates only under a condition must not stop a run where it does not hold: their divisors, distances
of shifts and indices are harmless numbers there.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import Any

from knaster.base.errors import Span
from knaster.base.records import replace
from knaster.program.algebra import conjunction, disjunction, negation
from knaster.program.checks.conditions import own_faults
from knaster.program.checks.static_types import range_of, type_of
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Var,
)
from knaster.program.memory import (
    NULL_PAGE,
    Address,
    Addresses,
    AddressOf,
    Distance,
    Floating,
    FloatOperation,
    Load,
    Moved,
    bytes_of,
)
from knaster.program.types import Bool, Int
from knaster.semantics.memory.evaluate import misfit
from knaster.semantics.memory.failure import ALIGNMENT, BOUNDS, NULL, OVERFLOW, POINTER, WILD
from knaster.semantics.memory.failure import DEAD as DEAD_KIND
from knaster.transform.regions.checks import UNCLEAR, AskedSteps, Checks
from knaster.transform.regions.floating_numbers import (
    arithmetic,
    compare_numbers,
    constant_bits,
    convert_number,
    floating_type,
    kept_as,
)
from knaster.transform.regions.pointer_sets import DEAD, FUNCTION, OBJECT, Base
from knaster.transform.regions.pointer_sets import NULL as NULL_BASE
from knaster.transform.regions.pointer_sets import WILD as WILD_BASE
from knaster.transform.regions.points_to import constant
from knaster.transform.regions.refusal import Refused
from knaster.transform.regions.slots import INDEX, PartOfObject, Slot, Slots
from knaster.transform.regions.terms import (
    FAR,
    UNMOVED,
    ZERO,
    Term,
    add,
    choose,
    equal,
    fits,
    minus,
    move,
    outside,
    plus_number,
    times,
)
from knaster.transform.regions.windows import Offsets

_EQUALITIES = (Comparison.EQUAL, Comparison.DIFFERENT)
_DIVISIONS = (IntegerOperator.DIVIDE, IntegerOperator.REMAINDER)
_SHIFTS = (IntegerOperator.LEFT, IntegerOperator.RIGHT)


class Translation:
    """How the expressions of one procedure are translated; `checks` are those of the step that is translated."""

    def __init__(self, slots: Slots, procedure: str, types: Mapping[str, Any], asked: AskedSteps) -> None:
        self.slots = slots
        self.points = slots.points
        self.procedure = procedure
        self.before = slots.points.types[procedure]  # types of the program with memory
        self.types = types  # of the reduced program
        self.asked = asked
        self.checks = Checks()
        self.span = Span(0, 0)

    # Numbers

    def number(self, expr: Any, type: Any, under: Expr = TRUE) -> Expr:
        """Return a value of a type: a number, a truth value, or the bits of a floating-point number."""
        if not isinstance(type, Floating):
            return self.value(expr, under)
        match expr:
            case Const(value):
                return constant_bits(value, type, self.span)
            case Conditional(condition, then, otherwise):
                test = self.value(condition, under)
                one = self.number(then, type, conjunction((under, test)))
                return Conditional(test, one, self.number(otherwise, type, conjunction((under, negation(test)))))
        if floating_type(expr, self.before) != type:
            raise Refused("a number has another type than its place", self.span)
        return self.value(expr, under)

    def value(self, expr: Any, under: Expr = TRUE) -> Expr:
        """Return a number or a truth value."""
        match expr:
            case Const(Address()):
                raise Refused("a pointer is used as a number", self.span)
            case Const(float()):
                raise Refused("a floating-point number is used as something else", self.span)
            case Choice(Floating() as type, span, origin):
                return Choice(kept_as(type), span, origin)
            case Const() | Choice():
                return expr
            case FloatOperation(sign, left, right, type):
                return arithmetic(sign, self.number(left, type, under), self.number(right, type, under), type)
            case Var(name):
                own = self.slots.registers[self.procedure, name].value
                if not own:
                    raise Refused("a pointer is used as a number", self.span)
                return Var(own)
            case Not(operand):
                return negation(self.value(operand, under))
            case Binary(Operator.AND | Operator.OR as sign, left, right):
                first = self.value(left, under)
                taken = first if sign is Operator.AND else negation(first)
                second = self.value(right, conjunction((under, taken)))
                return Binary(sign, first, second)
            case Conditional(condition, then, otherwise):
                test = self.value(condition, under)
                one = self.value(then, conjunction((under, test)))
                return Conditional(test, one, self.value(otherwise, conjunction((under, negation(test)))))
            case Arithmetic():
                return self._arithmetic(expr, under)
            case Convert(operand, Bool()) if self.points.is_pointer(operand, self.procedure):
                return negation(self._is_null(self.pointer(operand, under), under))
            case Convert(operand, type) if (
                isinstance(type, Floating) or floating_type(operand, self.before) is not None
            ):
                return convert_number(self, expr, under)
            case Convert(operand, type):
                return Convert(self.value(operand, under), type, expr.span)
            case Compare(sign, left, right):
                if self.points.is_pointer(left, self.procedure) or self.points.is_pointer(right, self.procedure):
                    return self._compare_pointers(sign, left, right, under)
                if floating_type(left, self.before) or floating_type(right, self.before):
                    return compare_numbers(self, sign, left, right, under)
                return Compare(sign, self.value(left, under), self.value(right, under))
            case Distance(left, right, scale, width, span):
                return self._distance(left, right, scale, Int(width), span, under)
            case Load(address, type, span, _, packed):
                place = self.pointer(address, under)
                self.check_alignment(place, type, span, packed, under)
                self.check_use(place, bytes_of(type), span, under)
                return self._read_number(place, type, span, under)
        raise Refused(f"{expr.__class__.__name__.lower()} is not made variables", self.span)

    def _arithmetic(self, node: Arithmetic, under: Expr) -> Expr:
        left, right = self.value(node.left, under), self.value(node.right, under)
        whole = Arithmetic(node.operator, left, right, node.type, node.span)
        span = node.span if node.span.line else self.span
        for kind, condition in own_faults(whole, self.types):
            if kind != OVERFLOW or OVERFLOW in self.asked.kinds:
                self.checks.add(kind, span, condition, under, native=under == TRUE and kind != OVERFLOW)
        if under == TRUE or node.operator not in (*_DIVISIONS, *_SHIFTS) or isinstance(right, Const):
            return whole
        harmless = Const(1 if node.operator in _DIVISIONS else 0)
        return Arithmetic(node.operator, left, Conditional(under, right, harmless), node.type, node.span)

    # Pointers

    def pointer(self, expr: Any, under: Expr = TRUE) -> Term:
        """Return a pointer."""
        match expr:
            case Var(name):
                return self.read_pointer(self.slots.registers[self.procedure, name])
            case AddressOf(name):
                base = self.points.resolve(self.procedure, name)
                base = self.points.windows.at(base, 0)[0]
                return Term(frozenset((base,)), Const(self.slots.number(base)))
            case Const(Address(0, 0)) | Const(0):
                return Term(frozenset((NULL_BASE,)), Const(self.slots.number(NULL_BASE)))
            case Convert(operand, Addresses()):
                return self.pointer(operand, under)
            case Moved(address, index, scale, span, part):
                return self._move(address, index, scale, span, part, under)
            case Load(address, type, span, _, packed):
                place = self.pointer(address, under)
                self.check_alignment(place, type, span, packed, under)
                self.check_use(place, bytes_of(type), span, under)
                return self._read_pointer_at(place, under)
            case Conditional(condition, then, otherwise):
                test = self.value(condition, under)
                one = self.numbered(self.pointer(then, conjunction((under, test))))
                other = self.numbered(self.pointer(otherwise, conjunction((under, negation(test)))))
                return choose(test, one, other)
        raise Refused("a pointer is made of something else", self.span)

    def read_pointer(self, slot: Slot, index: Expr | None = None) -> Term:
        """Return the pointer in a slot, or in one of its elements."""

        def read(name: str) -> Expr:
            return Var(name) if index is None else Element(Var(name), index)

        pointers = slot.pointers
        if slot.base:
            base = read(slot.base)
        else:
            base = Const(self.slots.number(next(iter(pointers.bases)))) if pointers.bases else ZERO
        own = read(slot.index) if slot.index else ZERO
        return Term(pointers.bases, base, pointers.residue, pointers.stride, own, FAR if slot.index else 0)

    def _move(self, address: Any, index: Any, scale: int, span: Span, part: bool, under: Expr) -> Term:
        term = self.pointer(address, under)
        number = self.value(index, under)
        kind = type_of(number, self.types)
        if not isinstance(number, Const) and not fits(kind):
            raise Refused("a pointer is moved by a number of more than 64 bits", span)
        after = self._into_windows(term, number, kind == INDEX, scale, part)
        if not part and POINTER in self.asked.kinds:
            far = [self._leaves(after, base, under) for base in sorted(after.bases) if base.kind == OBJECT]
            here = disjunction(far) if not _is_zero(number, scale) else FALSE
            if not isinstance(number, Const):
                here = conjunction((Compare(Comparison.DIFFERENT, number, Const(0)), here))
            self.checks.add(POINTER, span, here, under)
        return after

    def _into_windows(self, term: Term, number: Expr, is_index: bool, scale: int, part: bool) -> Term:
        """Return a moved pointer: its bases may be other windows afterwards, each with offsets of its own."""
        windows, steps = self.points.windows, constant(number)
        after = move(term, number, range_of(number, self.types), scale, is_index)
        ways: dict[tuple[int, int], list[tuple[Base, Base]]] = {}
        for base in sorted(term.bases):
            if base.kind == OBJECT:
                places = windows.move(Offsets(base, term.residue, term.stride), steps, scale, part)
                ways.setdefault((places.residue, places.stride), []).append((base, places.base))
        found: Term | None = None
        others = term.bases - {base for pairs in ways.values() for base, _ in pairs}
        for (residue, stride), pairs in sorted(ways.items(), reverse=True):
            reached = frozenset(base for _, base in pairs)
            if all(before == base for before, base in pairs):
                one = replace(after, bases=reached | others)
            else:
                codes = tuple((base, self._code(term, before)) for before, base in pairs)
                one = replace(after, bases=reached | others, codes=codes)
                if term.stride == 0 and stride == 0:
                    one = replace(one, residue=residue)
            if len(ways) == 1:
                return one if len(reached) == len(pairs) else self.numbered(one)
            one = self.numbered(one)
            here = disjunction([self.is_base(term, base) for base, _ in pairs])
            found = one if found is None else choose(here, one, found)
        return found if found is not None else after

    def _code(self, term: Term, base: Base) -> int:
        return dict(term.codes).get(base, self.slots.number(base))

    def numbered(self, term: Term) -> Term:
        """Return a pointer whose base is the number of its base."""
        moved = [(base, code) for base, code in term.codes if base in term.bases]
        changes = {self.slots.number(base) - code for base, code in moved}
        others = [base for base in term.bases if base not in dict(moved)]
        if changes <= {0}:
            number = term.base
        elif not others and len(changes) == 1:
            number = plus_number(term.base, changes.pop())
        else:
            number = term.base
            for base, code in moved:
                own = Const(self.slots.number(base))
                number = Conditional(equal(term.base, Const(code)), own, number)
        return replace(term, base=number, codes=())

    def _leaves(self, term: Term, base: Base, under: Expr) -> Expr:
        return conjunction((self.is_base(term, base), self._beyond(term, base, 0)))

    def _beyond(self, term: Term, base: Base, size: int) -> Expr:
        """Return that bytes at a pointer are not inside an object, of which the base may be a window."""
        start = self.points.windows.start(base)
        return _outside(term, -start, self.points.sizes[base.root] - start - size)

    def _beside(self, term: Term, base: Base, size: int) -> Expr:
        """Return that bytes at a pointer are not inside a window, or an object that is not split."""
        return _outside(term, 0, self.points.sizes[base] - size)

    def is_base(self, term: Term, base: Base) -> Expr:
        """Return that a pointer has a base."""
        if base not in term.bases:
            return FALSE
        return equal(term.base, Const(self._code(term, base))) if len(term.bases) > 1 else TRUE

    def check_use(self, place: Term, size: int, span: Span, under: Expr, whole: bool = False) -> None:
        """Ask whether bytes may be used, and, where they are not those of a `whole` object, are inside one window."""
        null = self.is_base(place, NULL_BASE)
        if place.shift is None:
            self.checks.add(UNCLEAR, span, null, under)
        else:
            near = place.shift.between(1 - NULL_PAGE, NULL_PAGE - 1)
            self.checks.add(NULL, span, conjunction((null, near)), under)
            self.checks.add(WILD, span, conjunction((null, negation(near))), under)
        self.checks.add(WILD, span, self.is_base(place, WILD_BASE), under)
        for base in sorted(place.bases):
            if base.kind == FUNCTION:
                self.checks.add(WILD, span, self.is_base(place, base), under)
        self.checks.add(DEAD_KIND, span, self.is_base(place, DEAD), under)
        objects = [base for base in sorted(place.bases) if base.kind == OBJECT]
        beyond = disjunction(
            [conjunction((self.is_base(place, base), self._beyond(place, base, size))) for base in objects]
        )
        self.checks.add(BOUNDS, span, beyond, under, native=under == TRUE and self._is_array(place))
        for base in objects:
            if base.root in self.points.windows.of and not whole:
                beside = conjunction((self.is_base(place, base), self._beside(place, base, size)))
                if self._beyond(place, base, size) != TRUE:
                    self.checks.add(UNCLEAR, span, beside, under)

    def _is_array(self, place: Term) -> bool:
        """Tell whether a pointer points into one array: an index out of range has no value there."""
        if len(place.bases) != 1 or isinstance(place.index, Const):
            return False
        part = self.slots.part(next(iter(place.bases)), place.residue)
        return part is not None and part.stride != 0

    def check_alignment(self, place: Term, type: Any, span: Span, packed: bool, under: Expr) -> None:
        """Refuse an access that may stand where its type does not fit."""
        mask = misfit(type, packed)
        if ALIGNMENT in self.asked.kinds and place.has_objects and mask:
            size = min(bytes_of(type), self.points.pointer_size)
            if place.residue % size or place.stride % size:
                raise Refused("memory may be used at an address that does not fit its type", span)

    def targets(self, place: Term, size: int) -> list[tuple[Base, PartOfObject, Expr]]:
        """Return the parts that a pointer may stand at, each with the index into it."""
        found = []
        for base in sorted(place.bases):
            if base.kind != OBJECT or self._beside(place, base, size) == TRUE:
                continue
            part = self.slots.part(base, place.residue)
            if part is not None:
                found.append((base, part, self._element(place, part)))
            elif self._first(place, base) <= self.points.sizes[base] - size:  # else it is never inside
                raise Refused(f"nothing stands for a part of '{base.name}'", self.span)
        return found

    def _first(self, place: Term, base: Base) -> int:
        """Return the first offset that is not negative at which a pointer may stand."""
        stride = gcd(place.stride, self.points.strides.get(base, 0))
        return place.residue % stride if stride else place.residue

    def _element(self, place: Term, part: PartOfObject) -> Expr:
        if part.stride == 0:
            return ZERO
        start = (place.residue - part.residue) // part.stride
        index = add(times(place.index, place.stride // part.stride), start)
        while isinstance(index, Convert) and isinstance(type_of(index.operand, self.types), Int):
            if range_of(index, self.types) != range_of(index.operand, self.types):
                break
            index = index.operand  # an index is a number, whatever its type
        return index

    def safe_element(self, place: Term, base: Base, part: PartOfObject, index: Expr, size: int, under: Expr) -> Expr:
        """Return an index that is inside the array, whatever the pointer is, and right where it is that base."""
        if part.stride == 0 or isinstance(index, Const):
            return index
        if under == TRUE and len(place.bases) == 1:
            return index
        inside = conjunction((under, self.is_base(place, base), negation(self._beside(place, base, size))))
        return index if inside == TRUE else Conditional(inside, index, ZERO)

    def _read_number(self, place: Term, type: Any, span: Span, under: Expr) -> Expr:
        found: Expr | None = None
        for base, part, index in reversed(self.targets(place, bytes_of(type))):
            safe = self.safe_element(place, base, part, index, bytes_of(type), under)
            own = Var(part.slot.value)
            read: Expr = own if part.stride == 0 else Element(own, safe, span)
            if part.slot.type != type:
                read = Convert(read, type)
            found = read if found is None else Conditional(self.is_base(place, base), read, found)
        if found is None:  # it is never there
            return FALSE if isinstance(type, Bool) else ZERO
        return found

    def _read_pointer_at(self, place: Term, under: Expr) -> Term:
        found: Term | None = None
        size = self.points.pointer_size
        for base, part, index in reversed(self.targets(place, size)):
            safe = self.safe_element(place, base, part, index, size, under)
            read = self.read_pointer(part.slot, None if part.stride == 0 else safe)
            found = read if found is None else choose(self.is_base(place, base), read, found)
        return found if found is not None else Term(frozenset((NULL_BASE,)), ZERO)

    # Comparisons

    def settle(self, term: Term, under: Expr) -> Term:
        """Return a pointer that is kept or compared; ask that it is one whose offset is known."""
        term = self.numbered(term)
        for condition in term.clipped:
            self.checks.add(UNCLEAR, self.span, condition, under)
        if NULL_BASE in term.bases and term.shift != UNMOVED:
            moved = TRUE if term.shift is None else negation(term.shift.between(0, 0))
            self.checks.add(UNCLEAR, self.span, conjunction((self.is_base(term, NULL_BASE), moved)), under)
        return term

    def _is_null(self, term: Term, under: Expr) -> Expr:
        return self.is_base(self.settle(term, under), NULL_BASE)

    def _compare_pointers(self, sign: Comparison, left: Any, right: Any, under: Expr) -> Expr:
        one, other = self.settle(self.pointer(left, under), under), self.settle(self.pointer(right, under), under)
        null = frozenset((NULL_BASE,))
        if sign in _EQUALITIES and null in (one.bases, other.bases):
            same = self.is_base(other if one.bases == null else one, NULL_BASE)
            return same if sign is Comparison.EQUAL else negation(same)
        for term in (one, other):
            for base in (WILD_BASE, DEAD):
                self.checks.add(UNCLEAR, self.span, self.is_base(term, base), under)
        self._check_windows(one, other, sign in _EQUALITIES, self.span, under)
        joint = choose(Const(True), one, other)
        (first, _), (second, _) = one.aligned_to(*joint_of(joint)), other.aligned_to(*joint_of(joint))
        bases = equal(one.base, other.base)
        if sign in _EQUALITIES:
            special = Compare(Comparison.LESS, one.base, Const(self.slots.first_object))
            offsets = equal(first, second)
            if offsets != TRUE and any(base.kind != OBJECT for base in one.bases):
                offsets = disjunction((special, offsets))
            same = conjunction((bases, offsets))
            return same if sign is Comparison.EQUAL else negation(same)
        self._check_one_object(one, other, bases, self.span, under)
        return Compare(sign, first, second)

    def _check_windows(self, one: Term, other: Term, equality: bool, span: Span, under: Expr) -> None:
        """Ask that two pointers do not point into different members of one object, where that matters."""
        start = self.points.windows.start
        for first in sorted(one.bases):
            for second in sorted(other.bases):
                if first == second or first.root != second.root or first.kind != OBJECT:
                    continue
                known = one.stride == 0 and other.stride == 0
                if equality and known and start(first) + one.residue != start(second) + other.residue:
                    continue
                both = conjunction((self.is_base(one, first), self.is_base(other, second)))
                self.checks.add(UNCLEAR, span, both, under)

    def _check_one_object(self, one: Term, other: Term, bases: Expr, span: Span, under: Expr) -> None:
        apart = negation(bases)
        self.checks.add(POINTER, span, apart, under)
        self.checks.add(UNCLEAR, span, apart, under)
        for base in sorted(one.bases):
            if base.kind != OBJECT:
                self.checks.add(UNCLEAR, span, self.is_base(one, base), under)

    def _distance(self, left: Any, right: Any, scale: int, type: Int, span: Span, under: Expr) -> Expr:
        one, other = self.settle(self.pointer(left, under), under), self.settle(self.pointer(right, under), under)
        self._check_windows(one, other, False, span, under)
        joint = choose(Const(True), one, other)
        residue, stride = joint_of(joint)
        (first, _), (second, _) = one.aligned_to(residue, stride), other.aligned_to(residue, stride)
        self._check_one_object(one, other, equal(one.base, other.base), span, under)
        if stride == 0:
            return ZERO
        if type != INDEX:
            raise Refused("a difference of pointers has not 64 bits", span)
        if stride % max(1, scale) == 0:
            return times(minus(first, second), stride // max(1, scale))
        whole = times(minus(first, second), stride)
        return Arithmetic(IntegerOperator.DIVIDE, whole, Const(scale), INDEX)


def _outside(term: Term, low: int, high: int) -> Expr:
    """Return that the offset of a pointer is not between bounds."""
    if term.stride == 0:
        return Const(not low <= term.residue <= high)
    first = -((term.residue - low) // term.stride)
    return outside(term.index, first, (high - term.residue) // term.stride, term.reach)


def joint_of(term: Term) -> tuple[int, int]:
    """Return the residue and the stride of a pointer."""
    return term.residue, term.stride


def _is_zero(number: Expr, scale: int) -> bool:
    return isinstance(number, Const) and (number.value == 0 or scale == 0)
