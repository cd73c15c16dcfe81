"""Why a formula is true or false: a tree of reasons.

A conjunction is true because all its parts are, a disjunction because one part is, an existential formula because of
values; falsity is the dual.  For a recursive predicate the rounds of its evaluation (section 3 of the paper) are
recomputed and kept: R(x) of round k holds because the body does where R is its value of round k - 1, so that the tree
of a least fixed point is as short as can be and ends.  Below R, the predicates that are recursive with it are explained
in the system where R stands at that value.  A claim is explained once: where it comes again, the tree says so, and
stops; so it ends for a greatest fixed point, too.  Plain predicates and given relations are not opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from knaster.base.errors import InternalError
from knaster.base.records import dataclass
from knaster.base.trampoline import Steps, run
from knaster.bdd.store import Bdd
from knaster.calculus.answers.describe import call_text, formula_text
from knaster.calculus.answers.outcomes import Reason
from knaster.calculus.fixpoints.fixpoint import Solver
from knaster.calculus.fixpoints.machine import Machine
from knaster.calculus.language import formula as core
from knaster.calculus.language.dependency import components, is_recursive
from knaster.calculus.language.formula import Bit, Formula, Variable, callees
from knaster.calculus.language.values import Value, decode

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
_Stages = tuple[tuple[str, int], ...]
_Claim = tuple[str, tuple[tuple[bool, ...], ...], bool, _Stages]


def explain(solver: Solver, variables: Sequence[Variable], formula: Formula, value: bool) -> Reason:
    """Return why a closed formula has this value.  Requires: it has."""
    return run(_Explainer(solver, variables).explain(formula, value, {}, ()))


class _Explainer:
    def __init__(self, solver: Solver, variables: Sequence[Variable]) -> None:
        self.solver = solver
        self.variables = variables
        self.store = solver.store
        self.left = _MAX_REASONS
        self._claims: set[_Claim] = set()
        self._machines: dict[int, tuple[Formula, Machine]] = {}
        self._texts: dict[int, str] = {}  # of formulas that the system keeps alive
        self._rounds: dict[tuple[str, _Stages], tuple[Bdd, ...]] = {}

    def explain(self, formula: Formula, sign: bool, values: Assignment, context: _Context) -> Steps[Reason]:
        """Return why `formula` has the value `sign` where the variables have these values."""
        self.left -= 1
        self.solver.tick()
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
        return Reason(kind, self._text(formula, sign), self._show(formula, values), tuple(children))

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
        inner = self._unfold(predicate.name, arguments, sign, context)
        if inner is None:
            return Reason(f"{kind} (start)", text, shown, ())
        claim = (call.name, arguments, sign, _stages(inner))
        if claim in self._claims:
            return Reason(f"{kind} (see above)", text, shown, ())
        self._claims.add(claim)
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
            context = context[: _depth(name, context)]
            component = self._component(name, context)
            if not is_recursive(component, self.solver.calls_within(component)):
                return context
            rounds = self._all_rounds(name, component, context)
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

    def _all_rounds(self, name: str, component: frozenset[str], context: _Context) -> tuple[Bdd, ...]:
        rounds = self._rounds.get((name, _stages(context)))
        if rounds is None:
            called = [other for each in component for other in callees_of(self.solver, each) if other not in component]
            rounds = self.solver.all_rounds(component, name, self._environment(called, context))
            self._rounds[name, _stages(context)] = rounds
        return rounds

    def _component(self, name: str, context: _Context) -> frozenset[str]:
        """Return the component of a predicate in the system where those of `context` are given."""
        if not context:
            return self.solver.component(name)
        rest = _rest(context)
        found = components(rest, self.solver.calls_within(rest))
        return next(frozenset(each) for each in found if name in each)

    def _environment(self, called: Iterable[str], context: _Context) -> dict[str, Bdd]:
        """Return values for the predicates `called`, each in the system where those of `context` are given."""
        solver = self.solver
        frozen = {each.name: each.rounds[each.stage] for each in context}
        levels: list[list[str]] = [[] for _ in range(len(context) + 1)]  # what is needed, by depth
        todo = [name for name in dict.fromkeys(called) if name not in frozen]
        seen = set(todo)
        while todo:
            name = todo.pop()
            depth = _depth(name, context)
            levels[depth].append(name)
            if depth:
                fresh = [other for other in callees_of(solver, name) if other not in frozen and other not in seen]
                seen.update(fresh)
                todo.extend(fresh)
        for name in levels[0]:
            solver.value(name)
        environment = {**solver.values, **frozen}
        for depth in range(1, len(context) + 1):
            solver.evaluate_callees(levels[depth], _rest(context[:depth]), environment)
        return environment

    def holds(self, formula: Formula, values: Assignment, context: _Context) -> bool:
        """Tell whether a formula is true where the variables have these values."""
        return self._value(formula, context) & self._cube(values) != self.store.false

    def _value(self, formula: Formula, context: _Context) -> Bdd:
        known = self._machines.get(id(formula))
        if known is None:
            known = (formula, self.solver.machine(self.solver.compiler.compile_closed(formula)))
            self._machines[id(formula)] = known
        return known[1].run(self._environment(callees(formula), context))

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
        text = self._texts.get(id(formula))
        if text is None:
            text = formula_text(formula, self.variables, self.solver.predicates)
            text = text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 3]}..."
            self._texts[id(formula)] = text
        return text if sign else f"![{text}]"

    def _show(self, formula: Formula, values: Assignment) -> tuple[tuple[str, Value], ...]:
        used = _variables(formula)
        return tuple(
            (self.variables[number].name, decode(self.variables[number].type, bits))
            for number, bits in values.items()
            if number in used
        )


def _stages(context: _Context) -> _Stages:
    return tuple((frozen.name, frozen.stage) for frozen in context)


def _depth(name: str, context: _Context) -> int:
    """Return how many frozen predicates, from the outermost, the value of another predicate depends on."""
    return next((depth for depth in range(len(context), 0, -1) if name in context[depth - 1].component), 0)


def _rest(context: _Context) -> frozenset[str]:
    """Return the predicates that are mutually recursive with the innermost frozen one and not frozen themselves."""
    return context[-1].component - {frozen.name for frozen in context}


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
