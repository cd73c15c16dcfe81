"""Value sets: from a model without a heap, a finite set of values for each variable, whatever the run.

A set has the default, the value at the start, and what is assigned anywhere, computed from the sets of what it is
computed from, until nothing is new.  Refused, by name and line: what lives in a heap, and numbers without an end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from knaster.base.errors import UnsupportedError
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Compare,
    Conditional,
    Const,
    Expr,
    Not,
    Var,
    postorder,
)
from knaster.program.model import Assume, Call, Concurrent, Edge, Procedure, Program, Return
from knaster.program.objects import Choose, Join, Print, Store
from knaster.program.types import Bool, Enumeration, Int, default
from knaster.semantics.heap.evaluate import number
from knaster.semantics.heap.failure import Fails

MOST = 16  # values of one variable
Name = tuple[str, str]  # a procedure ("" of statics) and a variable
Plain = bool | int
_EXPRESSIONS = (Arithmetic, Binary, Compare, Conditional, Const, Not, Var)
_CONDITIONS = (Binary, Compare, Not)


class ValueSets:
    """The values of the variables of one model."""

    def __init__(self, program: Program, start: dict[str, Plain]) -> None:
        self.program = program
        self.sets: dict[Name, set[Plain]] = {("", name): {value} for name, value in start.items()}
        for procedure in program.procedures:
            types = program.types_in(procedure)
            for name in (*procedure.parameters, *procedure.locals, *procedure.results):
                _expect(isinstance(types[name], Bool | Int | Enumeration), f"'{name}' lives in a heap", procedure)
                self.sets[procedure.name, name] = {default(types[name])}  # type: ignore[arg-type]
        self._grow()

    def of(self, procedure: str, name: str) -> list[Plain]:
        """Return the values of a variable, in order."""
        return sorted(self.sets[self.key(procedure, name)])

    def key(self, procedure: str, name: str) -> Name:
        """Return whose variable a name stands for in a procedure."""
        return (procedure, name) if (procedure, name) in self.sets else ("", name)

    def values(self, procedure: str, expr: Expr, edge: Edge) -> set[Plain]:
        """Return the values that an expression can have."""
        stack: list[set[Plain]] = []
        for node in postorder(expr):
            match node:
                case Const(bool() | int() as value):
                    stack.append({value})
                case Var(name):
                    stack.append(set(self.sets[self.key(procedure, name)]))
                case Conditional():
                    otherwise, then, _ = stack.pop(), stack.pop(), stack.pop()
                    stack.append(then | otherwise)
                case Arithmetic(operator):
                    right, left = stack.pop(), stack.pop()
                    try:
                        stack.append({number(operator, a, b) for a, b in product(left, right)})
                    except Fails as fails:
                        raise _refusal(f"perhaps {fails}", edge, self.program) from None
                case _:
                    _expect(isinstance(node, _CONDITIONS), "an expression needs a heap", edge, self.program)
                    del stack[len(stack) - (1 if isinstance(node, Not) else 2) :]
                    stack.append({False, True})
            _expect(len(stack[-1]) <= MOST**2, "too many values", edge, self.program)
        return stack.pop()

    def _grow(self) -> None:
        changed = True
        while changed:
            changed = False
            for procedure in self.program.procedures:
                _expect(not procedure.handlers, "it handles exceptions", procedure)
                for edge in procedure.edges:
                    for name, values in self._stores(procedure, edge):
                        before = len(self.sets[name])
                        self.sets[name] |= values
                        _expect(len(self.sets[name]) <= MOST, f"'{name[1]}' has many values", edge, self.program)
                        changed = changed or len(self.sets[name]) > before

    def _stores(self, procedure: Procedure, edge: Edge) -> Iterator[tuple[Name, set[Plain]]]:
        """Yield what an edge can assign."""
        own = procedure.name
        match edge.action:
            case Assume(condition):
                self.values(own, condition, edge)
            case Print():
                pass
            case Store(places, value):
                for place in places:
                    yield self._place(own, place, edge), self.values(own, value, edge)
            case Choose(place, values, None) if values is not None:
                yield self._place(own, place, edge), set(values)
            case Join(waits, ()):
                for wait in waits:
                    self.values(own, wait, edge)
            case Return(given):
                for name, value in zip(procedure.results, given, strict=True):
                    yield (own, name), self.values(own, value, edge)
            case Call(callee, arguments, _, places, ()):
                target = self.program.procedure(callee)
                yield from self._pass(own, target, arguments, edge)
                for taken, result in zip(places, target.results, strict=False):
                    if taken is not None:
                        yield self._place(own, taken, edge), set(self.sets[callee, result])
            case Concurrent(_, None, str() as callee, arguments):
                yield from self._pass(own, self.program.procedure(callee), arguments, edge)
            case _:
                _expect(False, "a statement needs a heap", edge, self.program)

    def _pass(
        self, own: str, callee: Procedure, arguments: Iterable[Expr], edge: Edge
    ) -> Iterator[tuple[Name, set[Plain]]]:
        for name, argument in zip(callee.parameters, arguments, strict=True):
            yield (callee.name, name), self.values(own, argument, edge)

    def _place(self, procedure: str, place: Expr, edge: Edge) -> Name:
        _expect(isinstance(place, Var), "a place in a heap", edge, self.program)
        assert isinstance(place, Var)
        return self.key(procedure, place.name)


def _refusal(why: str, what: Edge | Procedure, program: Program | None) -> UnsupportedError:
    return UnsupportedError(f"as a Boolean program: {why}", what.span, program.file if program is not None else "")


def _expect(condition: bool, why: str, what: Edge | Procedure, program: Program | None = None) -> None:
    if not condition:
        raise _refusal(why, what, program)
