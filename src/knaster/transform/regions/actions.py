"""The steps of one procedure over variables: for each edge its checks, what it does, and what ends with it.

An object that ends leaves pointers that cannot be used: variables that still point to it get the base `DEAD`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster.base.errors import Span
from knaster.base.records import replace
from knaster.evidence.questions.question import Target
from knaster.program.algebra import conjunction, negation
from knaster.program.expression import (
    TRUE,
    Choice,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    Updated,
    Var,
    has_choice,
)
from knaster.program.floating_point import computes_floats
from knaster.program.memory import Addresses, Begin, Library, Snapshot, Store, bytes_of
from knaster.program.model import Assign, Assume, Call, Edge, Location, Procedure, Return
from knaster.program.types import BOOL, Array, default
from knaster.semantics.memory.failure import READ_ONLY
from knaster.transform.regions.checks import UNCLEAR, AskedSteps, Check, Checks, goes_on
from knaster.transform.regions.expressions import Translation
from knaster.transform.regions.floating_numbers import call_function, kept_as
from knaster.transform.regions.pointer_sets import DEAD, NULL, OBJECT, WILD, Base, PointerSet
from knaster.transform.regions.refusal import Refused
from knaster.transform.regions.scopes import expressions_of
from knaster.transform.regions.slots import PartOfObject, Slot, Slots
from knaster.transform.regions.snapshots import known_bytes, store_bytes
from knaster.transform.regions.terms import FAR, ZERO, Term, equal, outside

Pairs = list[tuple[str, Expr]]  # variables, and what they become


class Steps:
    """The edges of one procedure of the reduced program while they are made."""

    def __init__(self, slots: Slots, procedure: Procedure, types: Mapping[str, Any], asked: AskedSteps) -> None:
        self.slots = slots
        self.points = slots.points
        self.procedure = procedure
        self.asked = asked
        self.translation = Translation(slots, procedure.name, types, asked)
        self.edges: list[Edge] = []
        self.free = procedure.size
        self.ends: dict[Target | str, Location] = {}  # where checks lead to
        self.unset = slots.points.scopes[procedure.name].unset

    def make(self) -> None:
        """Make all edges."""
        for location, leaving in self.procedure.leaving.items():
            if len(leaving) > 1:
                self._branch(location, leaving)
            else:
                self._single(leaving[0])

    # One place

    def _branch(self, location: Location, leaving: tuple[Edge, ...]) -> None:
        """Translate the conditions of a place: what is wrong with one is asked before any is taken."""
        if not all(isinstance(edge.action, Assume) for edge in leaving):
            raise Refused("a place has several steps", leaving[0].span)
        self._begin(leaving[0])
        conditions = self._conditions([edge.action.condition for edge in leaving if isinstance(edge.action, Assume)])
        if any(has_choice(condition) for condition in conditions):
            raise Refused("a branch depends on an input of its own", leaving[0].span)
        here = self._ask(location, leaving[0].span)
        for edge, condition in zip(leaving, conditions, strict=True):
            self._finish(edge, [(Assume(condition), edge)], here)

    def _conditions(self, written: list[Any]) -> list[Expr]:
        """Return conditions of which one holds: each is evaluated where none before it holds, the last one never.

        What is written may leave a gap between floating-point numbers: `x < 1` and `x >= 1` fail where x is none.
        """
        found: list[Expr] = []
        for number, condition in enumerate(written):
            checks, self.translation.checks = self.translation.checks, Checks()
            plain = self.translation.value(condition)
            fails, self.translation.checks = bool(self.translation.checks.list) or computes_floats(plain), checks
            before = conjunction([negation(condition) for condition in found])
            if number == len(written) - 1:
                found.append(before if fails else plain)
            elif fails:
                found.append(conjunction((before, self.translation.value(condition, before))))
            else:
                found.append(plain)
        return found

    def _single(self, edge: Edge) -> None:
        self._begin(edge)
        if any(has_choice(expr) for expr in expressions_of(edge.action)):
            _expect_plain_choice(edge)
        match edge.action:
            case Assume(condition):
                action: Any = Assume(self.translation.value(condition))
            case Assign((target,), (value,)):
                action = _assignment(self._set_register(self.procedure.name, target, value))
            case Store(_, Const(Snapshot() as content)):
                action = _assignment(self._store_constant(edge.action, content))
            case Store():
                action = _assignment(self._store(edge.action))
            case Begin(name):
                action = _assignment(self._begin_object(Base(OBJECT, self.procedure.name, name)))
            case Return(values):
                action = Return(self._results(values))
            case Library(name, arguments, target) if (found := self._function(name, arguments)) is not None:
                own = None if target is None else self.slots.registers[self.procedure.name, target].value
                action = _assignment([] if own is None else [(own, found)])
            case Call():
                self._call(edge, edge.action)
                return
            case _:
                raise Refused(f"{type(edge.action).__name__.lower()} is not made variables", edge.span)
        here = self._ask(edge.source, edge.span)
        if isinstance(action, Return):
            self._leave(edge, action, here)
        else:
            self._finish(edge, [(action, edge)], here)

    def _begin(self, edge: Edge) -> None:
        self.translation.checks = Checks()
        self.translation.span = edge.span

    def _ask(self, location: Location, span: Span) -> Location:
        """Make the edges that ask whether a step is undefined; return where the step itself begins."""
        here = location
        checks = self.translation.checks.list
        needed = [number for number, check in enumerate(checks) if self._matters(check)]
        for check in checks[: needed[-1] + 1 if needed else 0]:
            if has_choice(check.condition):
                raise Refused("a step that may be undefined depends on an input of its own", span)
            for name in self.asked.names_of(check):
                self.edges.append(Edge(here, Assume(check.condition), self._end(name), span))
            if not goes_on(check.kind):
                onward = self._new()
                self.edges.append(Edge(here, Assume(negation(check.condition)), onward, span))
                here = onward
        return here

    def _matters(self, check: Check) -> bool:
        return not check.native or bool(self.asked.names_of(check))

    def _end(self, name: Target | str) -> Location:
        if name not in self.ends:
            self.ends[name] = self._new()
        return self.ends[name]

    def _new(self) -> Location:
        self.free += 1
        return self.free - 1

    def _finish(self, edge: Edge, actions: list[tuple[Any, Edge | None]], here: Location) -> None:
        """Make the edges of a step, and of what ends with it, up to its target."""
        actions = [*actions, *((action, None) for action in self._endings(edge))]
        for number, (action, origin) in enumerate(actions):
            after = edge.target if number == len(actions) - 1 else self._new()
            self.edges.append(Edge(here, action, after, edge.span, origin))
            here = after

    def _endings(self, edge: Edge) -> list[Any]:
        """Return what follows a step: pointers to dead objects, and variables that are unset again."""
        pairs = self._kill(edge)
        again = [name for name in edge.forgets if name in self.unset]
        for name in again:
            pairs += self.choices(self.slots.registers[self.procedure.name, name])
        return _assignments(pairs)

    def choices(self, slot: Slot) -> Pairs:
        """Return any value for a register."""
        if slot.value:
            return [(slot.value, Choice(kept_as(slot.type), self.translation.span, slot.value))]
        return [(slot.base, _unset_base(slot.pointers, self.slots))] if slot.base else []

    # Actions

    def _function(self, name: str, arguments: tuple[Any, ...]) -> Expr | None:
        """Return what a function of math.h says; None where it is none of those that are operators."""
        assert self.points.program.memory is not None
        has_errno = any(declared.name == "errno" for declared in self.points.program.memory.objects)
        return call_function(self.translation, name, arguments, has_errno)

    def _set_register(self, owner: str, target: str, value: Any) -> Pairs:
        slot = self.slots.registers[owner, target]
        if slot.value:
            return [(slot.value, self.translation.number(value, slot.type))]
        return self.fit(slot, self._pointer(value))

    def _pointer(self, value: Any) -> Term:
        if isinstance(value, Choice):
            raise Refused("a pointer is an input", self.translation.span)
        return self.translation.settle(self.translation.pointer(value), TRUE)

    def fit(self, slot: Slot, term: Term) -> Pairs:
        """Return what the variables of a slot become where it takes a pointer; ask that it is not too far away."""
        found: Pairs = []
        if slot.base:
            found.append((slot.base, term.base))
        if slot.index:
            index, reach = term.aligned_to(slot.pointers.residue, slot.pointers.stride)
            if not term.has_objects:
                index, reach = ZERO, 0
            if reach > FAR:
                self.translation.checks.add(UNCLEAR, self.translation.span, outside(index, -FAR, FAR, reach), TRUE)
            found.append((slot.index, index))
        return found

    def _results(self, values: tuple[Any, ...]) -> tuple[Expr, ...]:
        found: list[Expr] = []
        if not values and self.procedure.results:
            return self._no_results()
        for name, value in zip(self.procedure.results, values, strict=False):
            found += [expr for _, expr in self._set_register(self.procedure.name, name, value)]
        return tuple(found)

    def _no_results(self) -> tuple[Expr, ...]:
        """Return anything for the results of a function that ends without a value: nobody may ask for it."""
        name = self.procedure.name
        actions = (edge.action for other in self.points.procedures for edge in other.edges)
        calls = [action for action in actions if isinstance(action, Call) and action.procedure == name]
        if any(target is not None for call in calls for target in call.targets):
            raise Refused(f"'{name}' may return no value", self.translation.span)
        slots = [self.slots.registers[name, result] for result in self.procedure.results]
        return tuple(Const(default(type)) for slot in slots for _, type in slot.variables)

    def _leave(self, edge: Edge, action: Return, here: Location) -> None:
        """Make a return: the objects of the activation end, and what it returns may point to them."""
        dying = self.points.dying(self.procedure, edge)
        values = list(action.values)
        slots = [self.slots.registers[self.procedure.name, name] for name in self.procedure.results]
        names = [name for slot in slots for name, _ in slot.variables]
        for slot in slots:
            if slot.base:
                position = names.index(slot.base)
                for base in dying:
                    values[position] = self._dead(values[position], base, slot.pointers)
        for assign in _assignments(self._kill(edge)):
            after = self._new()
            self.edges.append(Edge(here, assign, after, edge.span))
            here = after
        self.edges.append(Edge(here, Return(tuple(values)), edge.target, edge.span, edge))

    def _dead(self, value: Expr, base: Base, pointers: PointerSet) -> Expr:
        if base not in pointers.bases:
            return value
        same = equal(value, Const(self.slots.number(base)))
        return Conditional(same, Const(self.slots.number(DEAD)), value)

    def _kill(self, edge: Edge) -> Pairs:
        """Return what pointers become whose objects end with an edge; those that it returns are not among them."""
        found: dict[str, Expr] = {}
        for base in self.points.dying(self.procedure, edge):
            for _, name in self.points.registers_left(self.procedure, edge, base):
                if not isinstance(edge.action, Return):
                    slot = self.slots.registers[self.procedure.name, name]
                    found[slot.base] = self._dead(found.get(slot.base, Var(slot.base)), base, slot.pointers)
            for holder, key in self.points.cells_left(self.procedure, edge, base):
                part = self.slots.parts.get((holder, key))
                elsewhere = holder in self.slots.local and holder.owner != self.procedure.name
                if part is not None and not elsewhere:  # only its own procedure writes it, and that waits
                    self._kill_part(found, part, base)
        return list(found.items())

    def _kill_part(self, found: dict[str, Expr], part: PartOfObject, base: Base) -> None:
        name = part.slot.base
        before = found.get(name, Var(name))
        if part.stride == 0:
            found[name] = self._dead(before, base, part.slot.pointers)
            return
        for number in range(part.length):
            element = self._dead(Element(Var(name), Const(number)), base, part.slot.pointers)
            before = Updated(before, Const(number), element)
        found[name] = before

    def _begin_object(self, base: Base) -> Pairs:
        found: Pairs = []
        for part, _ in self.slots.parts_of(base):
            found += self._initial(part, base in self.points.zeroed)
        return found

    def _initial(self, part: PartOfObject, zeroed: bool) -> Pairs:
        slot, found = part.slot, []
        for name, type in slot.variables:
            whole = Array(type, part.length) if part.length > 1 else type
            value: Expr = Const(default(whole)) if zeroed else Choice(whole, self.translation.span, name)
            if name == slot.base and not zeroed:
                value = _unset_base(slot.pointers, self.slots)
                if part.length > 1:
                    value = Const(default(whole))
                    for number in range(part.length):
                        value = Updated(value, Const(number), _unset_base(slot.pointers, self.slots))
            found.append((name, Const(default(whole)) if name == slot.index else value))
        return found

    def _store(self, store: Store) -> Pairs:
        translation, span, type = self.translation, self.translation.span, store.type
        place = translation.pointer(store.address)
        translation.check_alignment(place, type, span, store.packed, TRUE)
        pointer = self._pointer(store.value) if isinstance(type, Addresses) else None
        number = translation.number(store.value, type) if pointer is None else ZERO
        translation.check_use(place, bytes_of(type), span, TRUE)
        if not store.initial:
            for base in sorted(place.bases & self.points.read_only):
                translation.checks.add(READ_ONLY, span, translation.is_base(place, base), TRUE)
        found: dict[str, Expr] = {}
        for base, part, index in translation.targets(place, bytes_of(type)):
            if has_choice(number) and (len(place.bases) > 1 or has_choice(index)):
                raise Refused("an input is stored through a pointer", span)
            new = self.fit(part.slot, pointer) if pointer is not None else [(part.slot.value, number)]
            if pointer is None and part.slot.type != type:
                new = [(part.slot.value, Convert(number, part.slot.type))]
            self._write(found, new, place, base, part, index, bytes_of(type))
        return list(found.items())

    def _store_constant(self, store: Store, content: Snapshot) -> Pairs:
        place = self.translation.pointer(store.address)
        (base,) = place.bases
        self.translation.check_use(place, content.size, self.translation.span, TRUE, whole=True)
        if not store.initial and base in self.points.read_only:
            self.translation.checks.add(READ_ONLY, self.translation.span, TRUE, TRUE)
        start = self.points.windows.start(base) + place.residue
        return store_bytes(self.slots, base.root, start, known_bytes(content))

    def _write(
        self, found: dict[str, Expr], new: Pairs, place: Term, base: Base, part: PartOfObject, index: Expr, size: int
    ) -> None:
        here = self.translation.is_base(place, base)
        safe = self.translation.safe_element(place, base, part, index, size, TRUE)
        for name, value in new:
            after = value if part.stride == 0 else Updated(Var(name), safe, value, self.translation.span)
            found[name] = after if here == TRUE else Conditional(here, after, Var(name))

    def _call(self, edge: Edge, call: Call) -> None:
        """Make a call: what the edge forgets ends before the callee runs, after the arguments are evaluated."""
        dying = set(self.points.dying(self.procedure, edge))
        arguments: list[Expr] = []
        callee = self.points.names[call.procedure]
        for parameter, argument in zip(callee.parameters, call.arguments, strict=True):
            slot = self.slots.registers[call.procedure, parameter]
            if dying and not slot.value and dying & self._pointer(argument).bases:
                raise Refused("a pointer is passed to an object that has ended", edge.span)
            arguments += [expr for _, expr in self._set_register(call.procedure, parameter, argument)]
        here = self._ask(edge.source, edge.span)
        for assign in _assignments(self._kill(edge)):
            after = self._new()
            self.edges.append(Edge(here, assign, after, edge.span))
            here = after
        targets, taken = self._targets(call, callee)
        again: Pairs = []
        for name in edge.forgets:
            if name in self.unset:
                again += self.choices(self.slots.registers[self.procedure.name, name])
        after = self._new() if taken or again else edge.target
        self.edges.append(Edge(here, Call(call.procedure, tuple(arguments), tuple(targets)), after, edge.span, edge))
        rest = [*_assignments(taken), *_assignments(again)]
        for number, assign in enumerate(rest):
            here, after = after, edge.target if number == len(rest) - 1 else self._new()
            self.edges.append(Edge(here, assign, after, edge.span))

    def _targets(self, call: Call, callee: Procedure) -> tuple[list[str | None], Pairs]:
        """Return the variables that take results, and what is to be done afterwards to fit pointers to theirs."""
        targets: list[str | None] = []
        pairs: Pairs = []
        for target, result in zip(call.targets, callee.results, strict=False):
            slot = self.slots.registers[call.procedure, result]
            if target is None or slot.value:
                own = self.slots.registers[self.procedure.name, target].value if target is not None else None
                targets += [own] if slot.value else [None] * len(slot.variables)
                continue
            own_slot = self.slots.registers[self.procedure.name, target]
            passing = replace(slot, base=self._passing(slot.base), index=self._passing(slot.index))
            targets += [name for name, _ in passing.variables]
            saved = self.translation.checks
            self.translation.checks = Checks()
            pairs += self.fit(own_slot, self.translation.read_pointer(passing))
            if self.translation.checks.list:
                raise Refused("a pointer that is returned may be far away", self.translation.span)
            self.translation.checks = saved
        for target in call.targets[len(callee.results) :]:
            if target is not None:
                raise Refused(f"'{callee.name}' returns nothing", self.translation.span)
        return targets, pairs

    def _passing(self, name: str) -> str:
        return f"{name} of {self.procedure.name}" if name else ""


def _unset_base(pointers: PointerSet, slots: Slots) -> Expr:
    """Return the base of a pointer that nobody has set: null, or one that cannot be used."""
    assert NULL in pointers.bases and WILD in pointers.bases
    return Conditional(Choice(BOOL), Const(slots.number(NULL)), Const(slots.number(WILD)))


def _assignment(pairs: Pairs) -> Any:
    if not pairs:
        return Assume(TRUE)
    return Assign(tuple(name for name, _ in pairs), tuple(value for _, value in pairs))


def _assignments(pairs: Pairs) -> list[Any]:
    return [_assignment(pairs)] if pairs else []


def _expect_plain_choice(edge: Edge) -> None:
    """Refuse an input inside of an expression: whoever asks about the expression would ask for another input."""
    exprs = expressions_of(edge.action)
    for expr in exprs:
        inner = expr
        while isinstance(inner, Convert):
            inner = inner.operand
        if has_choice(expr) and not isinstance(inner, Choice):
            raise Refused("an input is part of an expression", edge.span)
