"""The concrete meaning of a program: what one step can do to one state.

T. Ball and S. K. Rajamani, Bebop: A Symbolic Model Checker for Boolean Programs (SPIN 2000), section 2.4, Table 1; here
with results, constraints, `enforce` and free choice in every expression.  There are two views of each kind of step: one
*enumerates* every outcome, for exploring small programs; one *checks* a given outcome, in time linear in the scope, for
replaying traces of large ones.

    internal edge    successors       allows
    call             entry_states     allows_entry
    return           state_after_return (there is at most one outcome)
    start            initial_states   is_initial

A step into a state that violates the `enforce` of its procedure does not exist: neither an internal step, nor an entry,
nor a return into the caller.  A result that is assigned to a global wins over what the callee did to that global.

Outcomes are enumerated in a fixed order, false before true and the first variable slowest.

Over other types than Boolean a step is told its `inputs`, the values of its choices in order, and has one outcome at
most (`program.evaluate`); a step whose outcome is undefined does not exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from knaster.base.errors import InternalError, UnsupportedError
from knaster.program.expression import TRUE, Binary, Choice, Conditional, Const, Expr, Not, Operator, Var, postorder
from knaster.program.model import Assign, Assume, Call, Edge, Procedure, Program, Return, word_of
from knaster.program.state import NOTHING, NoInput, State, Undefined
from knaster.program.types import BOOL, Value

if TYPE_CHECKING:
    from knaster.program.evaluate import evaluate
    from knaster.semantics.formulas import Formula, Formulas
else:

    def evaluate(*arguments):
        """Return the value of an expression over any types, which only such programs load."""
        from knaster.program.evaluate import evaluate as value

        return value(*arguments)


Outcomes = tuple[bool, bool]  # can be false, can be true
Inputs = tuple[Value, ...]
OFTEN = 8  # a formula that is evaluated more often is compiled
REMEMBERED = 20_000  # formulas of which the number of evaluations is remembered
_IS_FALSE, _IS_TRUE, _IS_ANYTHING = (True, False), (False, True), (True, True)


class _Formula:
    """A formula that was evaluated, how often, and the function that it was compiled to."""

    __slots__ = ("count", "expr", "function")

    def __init__(self, expr: Expr) -> None:
        self.expr = expr  # held, so that nothing else takes its identity
        self.count = 0
        self.function: Formula | None = None

    def count_up(self) -> None:
        self.count += 1  # mutant: only when it is compiled
        if self.count == OFTEN:  # mutant: the same
            from knaster.semantics.formulas import compile_formula  # small programs do without

            self.function = compile_formula(self.expr)


class _Formulas:
    """Several formulas that were evaluated together, how often, and the function that they were compiled to."""

    __slots__ = ("count", "expressions", "function")

    def __init__(self, expressions: Sequence[Expr]) -> None:
        self.expressions = expressions
        self.count = 0
        self.function: Formulas | None = None

    def count_up(self) -> None:
        self.count += 1  # mutant: only when it is compiled
        if self.count == OFTEN:  # mutant: the same
            from knaster.semantics.formulas import compile_formulas

            self.function = compile_formulas(self.expressions)


_formulas: dict[int, _Formula] = {}
_tuples: dict[int, _Formulas] = {}


def values(expr: Expr, state: State, after: State = NOTHING) -> Outcomes:
    """Return whether `expr` can be false and whether it can be true; primed variables are looked up in `after`.

    Exact, because no two operands share a `Choice`.  Requires: a Boolean formula, or one without choice.
    """
    if isinstance(expr, Var):
        return _IS_TRUE if (after if expr.primed else state)[expr.name] else _IS_FALSE
    if isinstance(expr, Not) and isinstance(operand := expr.operand, Var):
        return _IS_FALSE if (after if operand.primed else state)[operand.name] else _IS_TRUE
    if isinstance(expr, Choice) and expr.type == BOOL:  # mutant(==): the walk says the same
        return _IS_ANYTHING
    formula = _formulas.get(id(expr))
    if formula is None:
        if len(_formulas) >= REMEMBERED:  # mutant: only what is remembered
            _formulas.clear()
        formula = _formulas[id(expr)] = _Formula(expr)
    elif formula.function is not None:
        return _IS_TRUE if formula.function(state, after) else _IS_FALSE
    formula.count_up()
    return _walk(expr, state, after)


def _walk(expr: Expr, state: State, after: State) -> Outcomes:
    """Return the outcomes of an expression node by node."""
    stack: list[Outcomes] = []
    for node in postorder(expr):
        match node:
            case Const(constant):
                value = bool(constant)
                stack.append((not value, value))
            case Var(name, primed):
                value = bool((after if primed else state)[name])
                stack.append((not value, value))
            case Choice(type) if type == BOOL:
                stack.append((True, True))
            case Not():
                can_be_false, can_be_true = stack.pop()
                stack.append((can_be_true, can_be_false))
            case Binary(operator):
                right, left = stack.pop(), stack.pop()
                stack.append(_combine(operator, left, right))
            case Conditional():
                otherwise, then, condition = stack.pop(), stack.pop(), stack.pop()
                stack.append(_choose(condition, then, otherwise))
            case _:
                return _settle(expr, state, after)
    return stack.pop()


def _settle(expr: Expr, state: State, after: State) -> Outcomes:
    """Return the only outcome of an expression over other types; none where it is undefined."""
    try:
        value = bool(evaluate(expr, state, iter(()), after))
    except (Undefined, NoInput):
        return False, False
    return not value, value


def only_values(expressions: Sequence[Expr], state: State) -> tuple[bool, ...] | None:
    """Return the values of formulas; None where one may have several, or where they were asked for seldom."""
    formulas = _tuples.get(id(expressions))
    if formulas is None:
        if len(_tuples) >= REMEMBERED:  # mutant: only what is remembered
            _tuples.clear()
        formulas = _tuples[id(expressions)] = _Formulas(expressions)
    if formulas.function is None:
        formulas.count_up()
        return None
    return formulas.function(state)


def can_hold(expr: Expr, state: State, after: State = NOTHING) -> bool:
    """Tell whether `expr` can be true."""
    return expr is TRUE or values(expr, state, after)[1]


def valuations(names: Sequence[str]) -> Iterator[dict[str, bool]]:
    """Yield every valuation of `names`."""
    for bits in product((False, True), repeat=len(names)):
        yield dict(zip(names, bits, strict=True))


def successors(procedure: Procedure, edge: Edge, state: State) -> Iterator[State]:
    """Yield every state in which an internal edge of `procedure` can end when it starts in `state`."""
    action = _internal(procedure, edge)
    if isinstance(action, Assume):
        if can_hold(action.condition, state) and can_hold(procedure.enforce, state):  # others may have changed globals
            yield state
        return
    for written in _writings(action.targets, action.values, state):
        after = {**state, **written}
        if can_hold(action.constraint, state, after) and can_hold(procedure.enforce, after):
            yield after


def successor(procedure: Procedure, edge: Edge, state: State, inputs: Inputs) -> State | None:
    """Return the state in which an internal edge ends when its choices have these values; None where it has no end.

    All inputs must be used.
    """
    action, rest = _internal(procedure, edge), iter(inputs)
    try:
        if isinstance(action, Assume):
            after, passes = state, bool(evaluate(action.condition, state, rest))
        else:
            written = [evaluate(value, state, rest) for value in action.values]
            after = {**state, **dict(zip(action.targets, written, strict=True))}
            passes = bool(evaluate(action.constraint, state, rest, after))
        passes = passes and bool(evaluate(procedure.enforce, after, rest))
    except (Undefined, NoInput):
        return None
    return after if passes and not tuple(rest) else None


def allows(procedure: Procedure, edge: Edge, before: State, after: State, inputs: Inputs = ()) -> bool:
    """Tell whether an internal edge of `procedure` can lead from `before` to `after`; with `inputs`, by these."""
    if inputs:
        return successor(procedure, edge, before, inputs) == after
    action = _internal(procedure, edge)
    if isinstance(action, Assume):
        return after == before and can_hold(action.condition, before) and can_hold(procedure.enforce, before)
    written = {target: after[target] for target in action.targets}
    return (
        {**before, **written} == dict(after)
        and _can_write(action.targets, action.values, before, after)
        and can_hold(action.constraint, before, after)
        and can_hold(procedure.enforce, after)
    )


def entry_states(program: Program, callee: Procedure, call: Call, caller_state: State) -> Iterator[State]:
    """Yield every state in which `callee` can begin when it is called in `caller_state`."""
    shared = {name: caller_state[name] for name in program.globals}
    for parameters in _writings(callee.parameters, call.arguments, caller_state):
        for arbitrary in valuations(callee.locals + callee.results):
            state = {**shared, **parameters, **arbitrary}
            if can_hold(callee.enforce, state):
                yield state


def allows_entry(
    program: Program, callee: Procedure, call: Call, caller_state: State, start: State, inputs: Inputs = ()
) -> bool:
    """Tell whether `callee` can begin in `start` when it is called in `caller_state`; with `inputs`, by these."""
    if any(start[name] != caller_state[name] for name in program.globals) or not can_hold(callee.enforce, start):
        return False
    if not inputs:
        return _can_write(callee.parameters, call.arguments, caller_state, start)
    rest = iter(inputs)
    try:
        passed = [evaluate(argument, caller_state, rest) for argument in call.arguments]
    except (Undefined, NoInput):
        return False
    return passed == [start[name] for name in callee.parameters] and not tuple(rest)


def state_after_return(
    program: Program, caller: Procedure, callee: Procedure, call: Call, caller_state: State, end: State
) -> State | None:
    """Return the caller's state after a call made in `caller_state` whose callee stopped at its exit in `end`.

    None where that state violates the caller's `enforce`.
    """
    after = dict(caller_state)
    for name in program.globals:
        after[name] = end[name]
    for target, result in call.results(callee):
        after[target] = end[result]
    return after if can_hold(caller.enforce, after) else None


def initial_states(program: Program, entry: Procedure) -> Iterator[State]:
    """Yield every state in which the program can start at the entry of `entry`."""
    for state in valuations(program.scope(entry)):
        if is_initial(program, entry, state):
            yield state


def is_initial(program: Program, entry: Procedure, state: State) -> bool:
    """Tell whether the program can start at the entry of `entry` in `state`."""
    return can_hold(program.init, state) and can_hold(entry.enforce, state)


def _internal(procedure: Procedure, edge: Edge) -> Assume | Assign:
    """Return the action of an internal edge, a return as the assignment to the results that it is."""
    match edge.action:
        case Assume() | Assign():
            return edge.action
        case Return(expressions):
            return Assign(procedure.results, expressions)
        case Call():
            raise InternalError("a call was taken for an internal edge")
        case action:
            raise UnsupportedError(f"'{word_of(action)}' in a run of a sequential program", edge.span)


def _combine(operator: Operator, left: Outcomes, right: Outcomes) -> Outcomes:
    left_false, left_true = left
    right_false, right_true = right
    same = (left_false and right_false) or (left_true and right_true)
    different = (left_false and right_true) or (left_true and right_false)
    match operator:
        case Operator.AND:
            return left_false or right_false, left_true and right_true
        case Operator.OR:
            return left_false and right_false, left_true or right_true
        case Operator.XOR:
            return same, different
        case Operator.EQUAL:
            return different, same
        case Operator.IMPLIES:
            return left_true and right_false, left_false or right_true


def _choose(condition: Outcomes, then: Outcomes, otherwise: Outcomes) -> Outcomes:
    not_taken, taken = condition
    return (taken and then[0]) or (not_taken and otherwise[0]), (taken and then[1]) or (not_taken and otherwise[1])


def _writings(targets: Sequence[str], expressions: Sequence[Expr], state: State) -> Iterator[dict[str, bool]]:
    """Yield every way to give each target a value of its expression."""
    choices = []
    for expression in expressions:
        can_be_false, can_be_true = values(expression, state)
        choices.append([False] * can_be_false + [True] * can_be_true)
    for chosen in product(*choices):
        yield dict(zip(targets, chosen, strict=True))


def _can_write(targets: Sequence[str], expressions: Sequence[Expr], before: State, after: State) -> bool:
    written = tuple([after[target] for target in targets])
    values = only_values(expressions, before) if all(type(value) is bool for value in written) else None
    if values is not None:
        return values == written
    return all(_can_be(value, before, after[target]) for target, value in zip(targets, expressions, strict=True))


def _can_be(expression: Expr, state: State, wanted: Value) -> bool:
    """Tell whether an expression can have a value."""
    if isinstance(wanted, bool):
        return values(expression, state)[wanted]
    if isinstance(expression, Choice):
        return True
    try:
        return evaluate(expression, state, iter(())) == wanted
    except (Undefined, NoInput):
        return False
