"""Calls: of functions of the program, of functions that are known by name, and of functions that nobody defines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.effects import effect_of
from knaster.frontends.c.lower.places import Place, read
from knaster.frontends.c.lower.values import Value, both
from knaster.frontends.c.names.formats import misfits, reads_memory
from knaster.frontends.c.names.library import KNOWN, RANGES, UNREACHABLE_WORD, Meaning, is_input, refusal
from knaster.frontends.c.names.types import (
    Boolean,
    CType,
    Foreign,
    Integer,
    Record,
    Vector,
    Void,
    array_of,
    leaves,
)
from knaster.frontends.c.tree import nodes
from knaster.program.checks import FORMAT, UNREACHABLE
from knaster.program.expression import TRUE, Compare, Comparison, Const, Expr, Var, variables
from knaster.program.model import Assume, Call

if TYPE_CHECKING:
    from knaster.frontends.c.lower.expressions import Expressions

Wanted = Place | Void | None  # where the result goes; Void: nobody wants it; None: into a temporary
Result = Place | Value


class Calls:
    """The calls of one function."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit

    def call(self, node: nodes.Call, wanted: Wanted) -> Steps[Result]:
        """Perform a call; return the place of its result, which is `wanted` where the types agree."""
        span = self.unit.text.token(node)
        nothing = self.unit.values.constant(0)
        name, arguments = node.name, list(node.arguments)
        if name in self.unit.defined:
            done: Result = yield self.call_defined(node, wanted)
            return done
        if (refused := refusal(name, node.ours and not is_input(name))) is not None:
            self.expressions.refuse(refused, span)
            return nothing
        if name in KNOWN:
            done = yield self.call_known(KNOWN[name], node, wanted)
            return done
        done = yield self.call_undefined(name, node.type, arguments, wanted, span)
        return done

    def call_defined(self, node: nodes.Call, wanted: Wanted) -> Steps[Result]:
        """Call a function of the program."""
        name, arguments, span = node.name, node.arguments, self.unit.text.token(node)
        signature = self.unit.functions.signature(name)
        if len(arguments) != len(signature.parameters):
            counts = f"{len(signature.parameters)} arguments, not {len(arguments)}"
            self.expressions.problem(f"'{name}' takes {counts}", span)
            return self.unit.values.constant(0)
        if isinstance(signature.result, Void) and not isinstance(wanted, Void):
            self.expressions.problem(f"'{name}' returns no value", span, "let it return one, or do not use it")
        passed: list[Expr] = []
        later = [effect_of(argument, self.unit.defined) for argument in arguments]
        for number, (argument, type) in enumerate(zip(arguments, signature.parameters, strict=True)):
            found = yield self.argument(argument, type)
            for effect in later[number + 1 :]:
                if any(self.expressions.changes(effect, variables(part)) for part in found):
                    found = self.copies(found, type)
            passed += found
        self.unit.orders.close(node, self.expressions)
        self.unit.calls.setdefault(self.expressions.function, set()).add(name)
        place = self.result_place(name, signature.result, wanted)
        targets: tuple[str | None, ...] = tuple(place_name for _, place_name in place.leaves()) if place else ()
        if place is None:
            targets = (None,) * len(list(leaves(signature.result)))
        self.expressions.graph.emit(Call(name, tuple(passed), targets), self.expressions.span)
        return place if place is not None else self.unit.values.constant(0)

    def argument(self, node: Any, type: CType) -> Steps[list[Expr]]:
        """Return what is passed for one argument: one expression for each variable of the parameter."""
        span = self.unit.text.token(node)
        if isinstance(type, Integer | Boolean):
            value = yield self.expressions.value(node)
            return [self.unit.values.convert(value, type, span).expr]
        if isinstance(type, Record):
            place = yield self.expressions.locating.place(node)
            if place is not None and place.type == type:
                return [read(name, place.indices, span) for _, name in place.leaves()]
            if place is not None:
                self.expressions.problem("a struct is passed where one of another type is expected", span)
        return [part for leaf in leaves(type) for part in [self.unit.objects.zero(leaf)]]

    def copies(self, parts: list[Expr], type: CType) -> list[Expr]:
        """Return copies of what is passed, which later arguments do not change."""
        names = []
        for part, leaf in zip(parts, leaves(type), strict=True):
            name = self.expressions.temporary(array_of(self.unit.values.model(leaf.scalar), leaf.lengths))
            self.expressions.assign(name, part)
            names.append(Var(name))
        return list(names)

    def result_place(self, name: str, type: CType, wanted: Wanted) -> Place | None:
        """Return where the result of a call goes; None where it has none or nobody wants it."""
        if isinstance(wanted, Place) and wanted.type == type and not wanted.indices:
            return wanted
        parts = list(leaves(type))
        if not parts or isinstance(wanted, Void):
            return None
        base = self.expressions.temporary(array_of(self.unit.values.model(parts[0].scalar), parts[0].lengths), name)
        if isinstance(type, Record):
            del self.expressions.locals[base]
            for leaf in parts:
                model = array_of(self.unit.values.model(leaf.scalar), leaf.lengths)
                self.expressions.locals[base + leaf.suffix] = model
        return Place(base, type)

    def call_undefined(self, name: str, type: CType, arguments: list[Any], wanted: Wanted, span: Span) -> Steps[Result]:
        """Call a function that nobody defines: its result is an input."""
        yield self.effects(arguments)
        if not is_input(name) and name not in RANGES:
            self.unit.note_undefined(name, span)
        if not isinstance(type, Foreign | Vector | Record):
            scalar = isinstance(type, Integer | Boolean)
            self.unit.undefined[name] = self.unit.values.model(type) if scalar else None  # type: ignore[arg-type]
        if self.unit.keeps_call(name):
            self.unit.kept.setdefault(name, span)
            self.unit.calls.setdefault(self.expressions.function, set()).add(name)
            self.expressions.graph.emit(Call(name, ()), self.expressions.span)
        if isinstance(type, Foreign) and not isinstance(wanted, Void):
            self.expressions.refuse(type, span)
        if isinstance(type, Vector | Foreign):
            return self.unit.values.constant(0)
        place = self.result_place(name, type, wanted)
        if place is None:
            return self.unit.values.constant(0)
        for leaf, variable in place.leaves():
            self.expressions.choose(leaf.scalar, leaf.lengths, variable, f"{name}()", span)
        if name in RANGES and isinstance(place.type, Integer):
            value = self.expressions.load(place).expr
            least, most = (Const(bound) for bound in RANGES[name])
            bounds = Compare(Comparison.AT_LEAST, value, least), Compare(Comparison.AT_MOST, value, most)
            self.expressions.graph.emit(Assume(both(*bounds)), self.expressions.span)
        return place

    def effects(self, arguments: Sequence[Any]) -> Steps[None]:
        """Evaluate arguments for what they do; a text does nothing."""
        for argument in arguments:
            if not isinstance(argument, nodes.Text):
                yield self.expressions.branches.effect(argument)

    def all_effects(self, node: nodes.Call) -> Steps[None]:
        """Evaluate the arguments of a function that does not return for what they do."""
        yield self.effects(node.arguments)
        self.unit.orders.close(node, self.expressions)

    def call_known(self, meaning: Meaning, node: nodes.Call, wanted: Wanted) -> Steps[Result]:
        """Call a function that is known by name."""
        name, arguments, span = node.name, node.arguments, self.unit.text.token(node)
        expressions, graph, statement = self.expressions, self.expressions.graph, self.expressions.span
        nothing = self.unit.values.constant(0)
        needed = meaning in (Meaning.ASSUME, Meaning.ASSERT, Meaning.SAME, Meaning.ABSOLUTE)
        if needed and not arguments:
            expressions.problem(f"'{name}' needs an argument", span)
            return nothing
        match meaning:
            case Meaning.STOP:
                yield self.all_effects(node)
                if name == UNREACHABLE_WORD:
                    graph.mark_undefined(UNREACHABLE, *node.at)
                graph.stop(statement)
            case Meaning.FAIL:
                yield self.all_effects(node)
                graph.emit(Assume(TRUE), statement, self.failure())
                graph.here = None
            case Meaning.TARGET:
                yield self.all_effects(node)
                self.unit.targets.setdefault(name, statement)
                graph.emit(Call(name, (), ()), statement)
            case Meaning.ASSUME:
                value = yield expressions.value(arguments[0])
                graph.emit(Assume(self.unit.values.truth(value)), statement)
            case Meaning.ASSERT:
                passed = graph.new()
                yield expressions.branches.branch(arguments[0], passed, self.failure())
                graph.place(passed)
            case Meaning.SAME:
                done: Result = yield expressions.value(arguments[0])
                yield self.effects(arguments[1:])
                return done
            case Meaning.ABSOLUTE:
                value = yield expressions.value(arguments[0])
                minus = self.unit.values.unary("-", value, span)
                negative = Compare(Comparison.LESS, self.unit.values.convert(value, minus.type, span).expr, Const(0))
                return self.unit.values.choose(negative, minus, value, span)
            case _:
                if misfits(name, arguments, 4 if self.unit.options.data_model == "ILP32" else 8):
                    graph.mark_undefined(FORMAT, *node.at)
                if reads_memory(name, arguments):
                    expressions.problem(f"what '{name}' reads through a pointer is not read", span)
                    return nothing
                if isinstance(wanted, Void) or not isinstance(node.type, Integer | Boolean):
                    yield self.effects(arguments)
                elif self.unit.options.integers == "machine":  # with memory it is known what is printed
                    expressions.problem(f"the result of '{name}' is not read", span, "leave out '--objects never'")
                else:
                    done = yield self.call_undefined(name, node.type, list(arguments), wanted, span)
                    return done
        return nothing

    def failure(self) -> int:
        """Return a location of its own for an assertion that fails."""
        graph = self.expressions.graph
        graph.failures.append(graph.new())
        return graph.failures[-1]
