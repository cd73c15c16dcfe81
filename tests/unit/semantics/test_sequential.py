from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings

from knaster.base.errors import InternalError, UnsupportedError
from knaster.frontends.boolean import parse
from knaster.program.expression import (
    CHOICE,
    FALSE,
    TRUE,
    Binary,
    Choice,
    Conditional,
    Const,
    Expr,
    Not,
    Operator,
    Var,
    postorder,
)
from knaster.program.model import Assign, Assume, Call, Concurrent, Edge, Program, Return, ThreadOperation
from knaster.program.state import State
from knaster.semantics.sequential import (
    allows,
    allows_entry,
    entry_states,
    initial_states,
    is_initial,
    state_after_return,
    successor,
    successors,
    valuations,
    values,
)
from support.building import SKIP, assign, procedure, program, variables
from support.generators.boolean_programs import SMALL, TINY, Expressions, programs

X, Y, G = variables("x y g")
BOTH = (True, True)


def evaluate(expr: Expr, state: State, bits: Iterator[bool]) -> bool:
    """Evaluate with the given outcomes of the choices, in the order of the text, as a textbook would."""
    match expr:
        case Const(value):
            return bool(value)
        case Var(name, _):
            return bool(state[name])
        case Choice():
            return next(bits)
        case Not(operand):
            return not evaluate(operand, state, bits)
        case Binary(operator, left, right):
            first, second = evaluate(left, state, bits), evaluate(right, state, bits)
            table = {
                Operator.AND: first and second,
                Operator.OR: first or second,
                Operator.XOR: first != second,
                Operator.EQUAL: first == second,
                Operator.IMPLIES: not first or second,
            }
            return table[operator]
        case Conditional(condition, then, otherwise):
            test, first, second = (evaluate(part, state, bits) for part in (condition, then, otherwise))
            return first if test else second
        case _:
            raise AssertionError(expr)


def test_values_agree_with_every_outcome_of_every_choice() -> None:
    rng = Random(1)
    for _ in range(300):
        expr = Expressions(rng, SMALL, ("x", "y")).expression(4)
        choices = sum(isinstance(node, Choice) for node in postorder(expr))
        for state in valuations(("x", "y")):
            seen = {evaluate(expr, state, iter(bits)) for bits in product((False, True), repeat=choices)}
            assert values(expr, state) == (False in seen, True in seen)


def test_two_choices_are_independent_and_a_condition_chooses_once() -> None:
    assert values(Binary(Operator.EQUAL, CHOICE, CHOICE), {}) == BOTH
    assert values(Conditional(CHOICE, TRUE, TRUE), {}) == (False, True)
    assert values(Conditional(CHOICE, TRUE, FALSE), {}) == BOTH
    assert values(Binary(Operator.AND, CHOICE, FALSE), {}) == (True, False)


def test_primed_variables_are_new_values() -> None:
    changed = Binary(Operator.XOR, X, Var("x", primed=True))
    assert values(changed, {"x": False}, {"x": True}) == (False, True)
    assert values(changed, {"x": True}, {"x": True}) == (True, False)


def test_an_expression_of_100_000_levels() -> None:
    expr: Expr = X
    for _ in range(100_000):
        expr = Not(expr)
    assert values(expr, {"x": True}) == (False, True)


def after(action: Assign | Assume | Return, state: State, local: str = "x y", results: int = 0) -> list[State]:
    target = 1
    owner = procedure("main", [SKIP], local=local, results=results)
    return [dict(end) for end in successors(owner, Edge(0, action, target), state)]


def test_assume_passes_where_it_can_be_true() -> None:
    state = {"x": True, "y": False}
    assert after(Assume(X), state) == [state]
    assert after(Assume(Y), state) == []
    assert after(Assume(CHOICE), state) == [state]


def test_assignment_is_simultaneous() -> None:
    swap = Assign(("x", "y"), (Y, X))
    assert after(swap, {"x": True, "y": False}) == [{"x": False, "y": True}]


def test_assignment_of_choices_enumerates_in_order() -> None:
    free = Assign(("x", "y"), (CHOICE, CHOICE))
    ends = [(end["x"], end["y"]) for end in after(free, {"x": True, "y": True})]
    assert ends == [(False, False), (False, True), (True, False), (True, True)]


def test_constraint_sees_old_and_new_values() -> None:
    keep = Binary(Operator.EQUAL, X, Var("x", primed=True))
    assert after(Assign(("x",), (CHOICE,), keep), {"x": True, "y": False}) == [{"x": True, "y": False}]


def test_constraint_on_an_unassigned_variable_sees_its_old_value() -> None:
    state = {"x": False, "y": True}
    assert after(Assign(("x",), (TRUE,), Var("y", primed=True)), state) == [{"x": True, "y": True}]
    assert after(Assign(("x",), (TRUE,), Not(Var("y", primed=True))), state) == []


def test_return_sets_the_results_only() -> None:
    state = {"x": True, "y": False, "@0": False, "@1": False}
    assert after(Return((X, Y)), state, results=2) == [{"x": True, "y": False, "@0": True, "@1": False}]


def test_a_call_is_no_internal_edge() -> None:
    owner = procedure("main", [SKIP])
    with pytest.raises(InternalError):
        list(successors(owner, Edge(0, Call("f", ()), 1), {}))


def test_thread_statements_are_refused() -> None:
    owner = procedure("main", [SKIP])
    edge = Edge(0, Concurrent(ThreadOperation.WAIT), 1)
    with pytest.raises(UnsupportedError, match="wait"):
        list(successors(owner, edge, {}))
    with pytest.raises(UnsupportedError, match="wait"):
        allows(owner, edge, {}, {})


CALLEE = procedure("f", [SKIP], parameters="p q", local="z", results=1, enforce=Not(Var("p")))
CALLER = procedure("main", [SKIP], local="x y", enforce=Not(Binary(Operator.AND, Var("x"), Var("g"))))
PAIR = program("g", CALLER, CALLEE)


def test_entry_shares_globals_binds_parameters_and_leaves_the_rest_open() -> None:
    starts = list(entry_states(PAIR, CALLEE, Call("f", (X, CHOICE)), {"g": True, "x": False, "y": True}))
    assert all(start["g"] and not start["p"] for start in starts)
    assert len({tuple(start.items()) for start in starts}) == len(starts) == 2 * 2 * 2  # q, z, the result


def test_entry_into_a_forbidden_state_does_not_exist() -> None:
    state = {"g": True, "x": True, "y": True}
    assert list(entry_states(PAIR, CALLEE, Call("f", (X, Y)), state)) == []
    start = {"g": True, "p": True, "q": True, "z": False, "@0": False}
    assert not allows_entry(PAIR, CALLEE, Call("f", (X, Y)), state, start)


def test_return_takes_the_globals_and_the_results() -> None:
    before = {"g": False, "x": False, "y": False}
    end = {"g": True, "p": False, "q": False, "z": True, "@0": True}

    def back(*targets: str | None) -> State | None:
        return state_after_return(PAIR, CALLER, CALLEE, Call("f", (X, Y), targets), before, end)

    assert back("y") == {"g": True, "x": False, "y": True}
    assert back(None) == back() == {"g": True, "x": False, "y": False}
    assert back("x") is None  # x and g together are forbidden in the caller


def test_a_result_wins_over_what_the_callee_did_to_the_global() -> None:
    before = {"g": False, "x": False, "y": False}
    end = {"g": True, "p": False, "q": False, "z": True, "@0": False}
    assert state_after_return(PAIR, CALLER, CALLEE, Call("f", (X, Y), ("g",)), before, end) == before


def test_an_internal_step_into_a_forbidden_state_does_not_exist() -> None:
    edge = Edge(0, assign("x", TRUE), 1)
    forbidden = {"g": True, "x": True, "y": False}
    assert list(successors(CALLER, edge, {**forbidden, "x": False})) == []
    assert not allows(CALLER, edge, {**forbidden, "x": False}, forbidden)


def test_the_start_obeys_init_and_enforce() -> None:
    constrained = program("g", CALLER, CALLEE, init=G)
    starts = [dict(state) for state in initial_states(constrained, CALLER)]
    assert starts == [{"g": True, "x": False, "y": False}, {"g": True, "x": False, "y": True}]
    assert not is_initial(constrained, CALLER, {"g": False, "x": False, "y": False})


def test_checking_does_not_enumerate() -> None:
    names = [f"v{index}" for index in range(70)]
    wide = procedure("main", [SKIP], local=" ".join(names))
    havoc = Edge(0, Assign(tuple(names), (CHOICE,) * 70), 1)
    low, high = dict.fromkeys(names, False), dict.fromkeys(names, True)
    assert allows(wide, havoc, low, high)
    assert not allows(wide, Edge(0, SKIP, 1), low, high)
    assert not allows(wide, Edge(0, Assign(("v0",), (CHOICE,)), 1), low, high)
    assert allows_entry(program("", wide), wide, Call("main", ()), {}, high)


@settings(max_examples=60, deadline=None)
@given(programs(TINY))
def test_checking_agrees_with_enumerating(sample: Program) -> None:
    for owner in sample.procedures:
        states = [state for state in valuations(sample.scope(owner)) if values(owner.enforce, state)[1]]
        for edge in owner.edges:
            for before in states:
                if isinstance(edge.action, Call):
                    callee = sample.procedure(edge.action.procedure)
                    starts = [dict(start) for start in entry_states(sample, callee, edge.action, before)]
                    for start in valuations(sample.scope(callee)):
                        assert allows_entry(sample, callee, edge.action, before, start) == (start in starts)
                else:
                    ends = [dict(end) for end in successors(owner, edge, before)]
                    assert len({tuple(end.items()) for end in ends}) == len(ends)
                    for end in valuations(sample.scope(owner)):
                        assert allows(owner, edge, before, end) == (end in ends)


@pytest.mark.parametrize(
    ("statement", "inputs", "after"),
    [
        ("x := *;", (True,), {"g": False, "x": True}),
        ("x := *;", (False,), {"g": False, "x": False}),
        ("x := *;", (True, True), None),  # one too many
        ("x, g := *, !*;", (True,), None),  # one too few
        ("x, g := *, !*;", (True, False), {"g": True, "x": True}),
        ("x := * constrain 'x;", (True,), {"g": False, "x": True}),
        ("x := * constrain 'x;", (False,), None),
        ("assume(*);", (True,), {"g": False, "x": False}),
        ("assume(*);", (False,), None),
        ("enforce !x; x := *;", (True,), None),
        ("enforce !x; x := *;", (False,), {"g": False, "x": False}),
    ],
)
def test_a_step_by_inputs(statement: str, inputs: tuple[bool, ...], after: dict[str, bool] | None) -> None:
    (main,) = parse(f"decl g; void main() begin decl x; {statement} end", "a.bp").procedures
    edge, before = main.leaving[main.entry][0], {"g": False, "x": False}
    assert successor(main, edge, before, inputs) == after
    for g, x in product((False, True), repeat=2):
        assert allows(main, edge, before, {"g": g, "x": x}, inputs) is ({"g": g, "x": x} == after)


def test_an_entry_by_inputs() -> None:
    made = parse("decl g; void main() begin f(*, g); end void f(a, b) begin skip; end", "a.bp")
    main, f = made.procedures
    call = main.edges[0].action
    assert isinstance(call, Call)
    for inputs, a, b, allowed in (
        ((True,), True, False, True),
        ((False,), True, False, False),
        ((True,), True, True, False),
        ((True, True), True, False, False),  # one too many
        ((), True, False, True),  # any will do
        ((), True, True, False),
    ):
        start = {"g": False, "a": a, "b": b}
        assert allows_entry(made, f, call, {"g": False}, start, inputs) is allowed
    two = replace(call, arguments=(Choice(), Choice()))
    assert not allows_entry(made, f, two, {"g": False}, {"g": False, "a": True, "b": True}, (True,))  # one too few
