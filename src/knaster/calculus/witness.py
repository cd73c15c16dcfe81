"""Why a formula is true or false: a tree of reasons.

A conjunction is true because all its parts are, a disjunction because one part is, an existential formula because of
values; falsity is the dual.  For a recursive predicate the rounds of its evaluation (section 3 of the paper) are
recomputed and kept: R(x) of round k holds because the body does where R is its value of round k - 1, so that the tree
of a least fixed point is as short as can be and ends.  A claim is explained once: where it comes again, the tree says
so, and stops; so it ends for a greatest fixed point, too.  Plain predicates and given relations are not opened.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from knaster.calculus import formula as core
from knaster.calculus.answers import Reason
from knaster.calculus.dependency import components, is_recursive
from knaster.calculus.describe import call_text, formula_text
from knaster.calculus.fixpoint import Solver
from knaster.calculus.formula import Bit, Formula, Variable, callees
from knaster.calculus.machine import Machine
from knaster.calculus.values import Value, decode
from knaster.descent import Steps, run
from knaster.errors import InternalError
from knaster.symbolic.bdd import Bdd

_MAX_REASONS = 5000
_MAX_TEXT = 160

Assignment = dict[int, tuple[bool, ...]]  # variable -> its bits


@dataclass(frozen=True, slots=True)
class _Frozen:
    """A predicate that stands at its value of some round."""

    name: str
    component: frozenset[str]
    rounds: tuple[Bdd, ...]
    stage: int


_Context = tuple[_Frozen, ...]  # outermost first
_Claim = tuple[str, tuple[tuple[bool, ...], ...], bool, tuple[tuple[str, int], ...]]


def explain(solver: Solver, variables: Sequence[Variable], formula: Formula, value: bool) -> Reason:
    """Return why a closed formula has this value.  Requires: it has."""
    return run(_Explainer(solver, variables).explain(formula, value, {}, ()))


class _Explainer:
    def __init__(self, solver: Solver, variables: Sequence[Variable]) -> None:
        self.solver = solver
        self.variables = variables
        self.store = solver.compiler.planner.store
        self.left = _MAX_REASONS
        self._claims: set[_Claim] = set()
        self._machines: dict[int, tuple[Formula, Machine]] = {}

    def explain(self, formula: Formula, sign: bool, values: Assignment, context: _Context) -> Steps[Reason]:
        """Return why `formula` has the value `sign` where the variables have these values."""
        self.left -= 1
        if self.left < 0:
            return Reason("CUT OFF", "", (), ())
        match formula:
            case core.Not(operand) if not isinstance(operand, core.Exists):
                inner: Reason = yield self.explain(operand, not sign, values, context)
                return inner
            case core.Call():
                called: Reason = yield self._call(formula, sign, values, context)
                return called
        kind, parts, extended = self._parts(formula, sign, values, context)
        children: list[Reason] = []
        for part, value in parts:
            child: Reason = yield self.explain(part, value, extended, context)
            children.append(child)
        return Reason(kind, self._text(formula, sign), self._shown(formula, values), tuple(children))

    def _parts(
        self, formula: Formula, sign: bool, values: Assignment, context: _Context
    ) -> tuple[str, list[tuple[Formula, bool]], Assignment]:
        """Return the kind of a reason, the subformulas that make it, and their variables' values."""
        match formula:
            case core.And(operands) | core.Or(operands):
                all_needed = isinstance(formula, core.And) == sign
                kind = "AND" if all_needed else "OR"
                if all_needed:
                    return kind, [(operand, sign) for operand in operands], values
                chosen = next(each for each in operands if self.holds(each, values, context) == sign)
                return kind, [(chosen, sign)], values
            case core.Equivalent(left, right):
                return "IFF", [(side, self.holds(side, values, context)) for side in (left, right)], values
            case core.Choose(condition, then, otherwise):
                holds = self.holds(condition, values, context)
                return "IF", [(condition, holds), (then if holds else otherwise, sign)], values
            case core.Simplify(_, body, care) if self.holds(care, values, context):
                return "ASSUME", [(care, True), (body, sign)], values
            case core.Exists(variables, body) if sign:
                return "EXISTS", [(body, True)], values | self._choose(variables, body, True, values, context)
            case core.Not(core.Exists(variables, core.Not(body))) if not sign:
                return "EXISTS", [(body, False)], values | self._choose(variables, body, False, values, context)
            case core.Not(core.Exists(variables, body)) if not sign:
                return "EXISTS", [(body, True)], values | self._choose(variables, body, True, values, context)
            case core.Exists() | core.Not():
                return "FORALL", [], values
            case _:
                return "FACT", [], values

    def _call(self, call: core.Call, sign: bool, values: Assignment, context: _Context) -> Steps[Reason]:
        predicate = self.solver.predicates[call.name]
        arguments = tuple(
            tuple(values[e.variable][e.position] if isinstance(e, Bit) else e for e in argument)
            for argument in call.arguments
        )
        shown = tuple(
            (parameter.name, decode(parameter.type, bits))
            for parameter, bits in zip(predicate.parameters, arguments, strict=True)
        )
        text = call_text(predicate, call.arguments, self.variables)
        text = text if sign else f"! {text}"
        if predicate.body is None or not predicate.kind:
            return Reason("FUNDEF", text, shown, ())
        kind = predicate.kind.upper()
        outer = tuple((each.name, each.stage) for each in context if each.name != call.name)
        claim = (call.name, arguments, sign, outer)
        if claim in self._claims:
            return Reason(f"{kind} (see above)", text, shown, ())
        self._claims.add(claim)
        inner = self._unfold(predicate.name, arguments, sign, context)
        if inner is None:
            return Reason(f"{kind} (start)", text, shown, ())
        frame = dict(zip((parameter.number for parameter in predicate.parameters), arguments, strict=True))
        child: Reason = yield self.explain(predicate.body, sign, frame, inner)
        return Reason(kind, text, shown, (child,))

    def _unfold(
        self, name: str, arguments: tuple[tuple[bool, ...], ...], sign: bool, context: _Context
    ) -> _Context | None:
        """Return the context in which the body of a predicate has the value `sign`; None before the first round."""
        names = [frozen.name for frozen in context]
        if name in names:
            index = names.index(name)
            frozen = context[index]
        else:
            component, context = self._component(name, context)
            if not is_recursive(component, self.solver.calls_within(component)):
                return context
            rounds = self.solver.all_rounds(component, name, self._environment(component, context))
            index, frozen = len(context), _Frozen(name, component, rounds, len(rounds) - 1)
        member = self._point(name, arguments)
        has_rank = (self.solver.predicates[name].kind == "mu") == sign
        stage = frozen.stage
        if has_rank:
            stage = next(k for k, value in enumerate(frozen.rounds) if (value & member != self.store.false) == sign)
        elif stage == len(frozen.rounds) - 1:
            stage += 1  # the last value is stable
        if stage == 0:
            return None
        return (*context[:index], _Frozen(name, frozen.component, frozen.rounds, stage - 1))

    def _component(self, name: str, context: _Context) -> tuple[frozenset[str], _Context]:
        """Return the component of a predicate in the system where the frozen ones are given, and what matters of it."""
        rest = self._rest(context)
        if name not in rest:
            return self.solver.component(name), ()
        found = components(rest, self.solver.calls_within(rest))
        return next(frozenset(each) for each in found if name in each), context

    def _rest(self, context: _Context) -> frozenset[str]:
        return context[-1].component - {frozen.name for frozen in context} if context else frozenset()

    def _environment(self, names: Collection[str], context: _Context) -> dict[str, Bdd]:
        """Return values for everything that the predicates `names` or their bodies call."""
        solver = self.solver
        rest = self._rest(context)
        frozen = {each.name: each.rounds[each.stage] for each in context}
        called = [name for each in names for name in (each, *callees_of(solver, each))]
        for name in called:
            if name not in rest and name not in frozen and name not in names:
                solver.value(name)
        environment = {**solver.values, **frozen}
        solver.evaluate_callees([name for name in called if name not in frozen], rest, environment)
        return environment

    def holds(self, formula: Formula, values: Assignment, context: _Context) -> bool:
        """Tell whether a formula is true where the variables have these values."""
        return self._value(formula, context) & self._cube(values) != self.store.false

    def _value(self, formula: Formula, context: _Context) -> Bdd:
        known = self._machines.get(id(formula))
        if known is None:
            known = (formula, self.solver.machine(self.solver.compiler.closed(formula)))
            self._machines[id(formula)] = known
        called = callees(formula)
        frozen = {each.name for each in context}
        for name in called:
            if name not in self._rest(context) and name not in frozen:
                self.solver.value(name)
        environment = {**self.solver.values, **{each.name: each.rounds[each.stage] for each in context}}
        self.solver.evaluate_callees([n for n in called if n not in frozen], self._rest(context), environment)
        return known[1].run(environment)

    def _choose(
        self, variables: tuple[Variable, ...], body: Formula, sign: bool, values: Assignment, context: _Context
    ) -> Assignment:
        """Return values of the variables that give the body the value `sign`."""
        value = self._value(body, context)
        compiler = self.solver.compiler
        valid = self.solver.machine(compiler.valid(variables)).run({})
        found = self.store.pick((value if sign else ~value) & self._cube(values) & valid)
        if found is None:
            raise InternalError("a witness without values")
        levels = compiler.allocation.levels
        return {v.number: tuple(found.get(level, False) for level in levels[v.number]) for v in variables}

    def _cube(self, values: Assignment) -> Bdd:
        levels = self.solver.compiler.allocation.levels
        literals = {
            level: bit for number, bits in values.items() for level, bit in zip(levels[number], bits, strict=True)
        }
        return self.store.assignment(literals)

    def _point(self, name: str, arguments: tuple[tuple[bool, ...], ...]) -> Bdd:
        parameters = self.solver.predicates[name].parameters
        return self._cube({each.number: bits for each, bits in zip(parameters, arguments, strict=True)})

    def _text(self, formula: Formula, sign: bool) -> str:
        text = formula_text(formula, self.variables, self.solver.predicates)
        text = text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 3]}..."
        return text if sign else f"![{text}]"

    def _shown(self, formula: Formula, values: Assignment) -> tuple[tuple[str, Value], ...]:
        used = _variables(formula)
        return tuple(
            (self.variables[number].name, decode(self.variables[number].type, bits))
            for number, bits in values.items()
            if number in used
        )


def callees_of(solver: Solver, name: str) -> list[str]:
    """Return what a predicate calls directly."""
    body = solver.predicates[name].body
    return callees(body) if body is not None else []


def _variables(formula: Formula) -> set[int]:
    found: set[int] = set()
    for part in core.subformulas(formula):
        match part:
            case core.Fixed(bits):
                found.update(bit.variable for bit in bits)
            case core.Same(left, right) | core.Order(_, left, right):
                found.update(bit.variable for bit in (*left, *right))
            case core.Call(_, arguments):
                found.update(e.variable for argument in arguments for e in argument if isinstance(e, Bit))
    return found
