"""The check of all runs: the set has the start and every step, no target is among them, and some runs end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.all_runs import _equalities, _Walk, check_all_runs, check_ending, lapses_among, visited_places
from knaster.evidence.proofs.all_runs import AllRuns
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.undefined_steps import Lapses
from knaster.frontends.languages import load
from knaster.program.evaluate import evaluate
from knaster.program.expression import (
    TRUE,
    Binary,
    Choice,
    Compare,
    Comparison,
    Const,
    Not,
    Operator,
    Var,
    postorder,
    variables,
)
from knaster.program.model import Assign, Assume, Call, Edge, Program, expressions
from knaster.program.state import State, Undefined
from knaster.program.types import BOOL, Bool, Value
from knaster.semantics.sequential import state_after_return, successor
from support.kinds_of_proofs import result_with


def proof() -> AllRuns:
    found = result_with("all_runs").proof
    assert isinstance(found, AllRuns)
    return found


def test_what_was_proved_holds() -> None:
    given = proof()
    check_all_runs(given, given.program, (), Budget())
    check_ending(given, given.program, Budget())
    places = visited_places(given)
    assert places == {("main", location) for location in range(given.program.procedure("main").size)}


def test_a_target_among_the_runs() -> None:
    given = proof()
    target = Target("exit", "main", given.program.procedure("main").exit, 1)
    with pytest.raises(InternalError, match="is a target"):
        check_all_runs(given, given.program, [target], Budget())


@pytest.mark.parametrize(("index", "problem"), [(0, "a call of 'main'"), (-1, "leaves out a state")])
def test_a_state_that_is_missing(index: int, problem: str) -> None:
    given = proof()
    fewer = [state for number, state in enumerate(given.states) if number != index % len(given.states)]
    with pytest.raises(InternalError, match=problem):
        check_ending(replace(given, states=tuple(fewer)), given.program, Budget())


def test_a_run_that_comes_back_does_not_end() -> None:
    other = result_with("lasso").program
    states = (("main", (), 0, (0, 0)), *(("main", (), 1, (x, 0)) for x in (0, 1, 5)), ("main", (), 4, (0, 0)))
    with pytest.raises(InternalError, match="comes back"):
        check_ending(AllRuns(other, states), other, Budget())


def test_another_program() -> None:
    with pytest.raises(InternalError, match="another program"):
        check_all_runs(proof(), result_with("lasso").program, (), Budget())


CALLS = """
extern _Bool coin(void); int g;
int half(int a) { int t = a / 2; g = g + 1; return t; }
int main(void) {
  int x = 6; _Bool b = coin(), c = coin(); int unread = coin() + coin();
  if (b) x = half(x);
  if (c) x = half(x / (x - 6));
  if (x < 0) g = 9;
  return x;
}
"""
BYTES = """
extern signed char byte(void); int g;
int main(void) { signed char k = byte(); if (k == -128) g = 1; if (k == 127) g = 2; if (g > 2) g = 3; return 0; }
"""


def inputs_of(edge: Edge) -> Iterator[tuple[int, ...]]:
    nodes = (node for expr in expressions(edge.action) for node in postorder(expr))
    types = [node.type for node in nodes if isinstance(node, Choice)]
    return product(*((False, True) if isinstance(type, Bool) else range(-128, 128) for type in types))


def every_state(program: Program) -> AllRuns:
    """Return all states of all runs, by stepping until nothing is new."""
    main = program.procedure("main")
    first: State = {"g": 0} | {name: False if isinstance(t, Bool) else 0 for name, t in program.types_in(main).items()}
    found: dict[tuple[str, tuple[Value, ...], int, tuple[Value, ...]], State] = {}
    todo: list[tuple[str, tuple[Value, ...], int, State]] = [("main", (0,), main.entry, first)]
    exits: dict[tuple[str, tuple[Value, ...]], list[State]] = {}
    while todo:
        name, given, location, state = todo.pop()
        procedure = program.procedure(name)
        key = (name, given, location, tuple(state[each] for each in program.scope(procedure)))
        if key in found:
            continue
        found[key] = state
        if location == procedure.exit and state not in exits.setdefault((name, given), []):
            exits[name, given].append(state)
            todo += [(n, g, at, found.pop((n, g, at, v))) for n, g, at, v in list(found) if n == "main" and n != name]
        for edge in procedure.leaving.get(location, ()):
            if not isinstance(edge.action, Call):
                after = [successor(procedure, edge, state, inputs) for inputs in inputs_of(edge)]
                todo += [(name, given, edge.target, each) for each in after if each is not None]
                continue
            callee = program.procedure(edge.action.procedure)
            try:
                passed = tuple(evaluate(argument, state, iter(())) for argument in edge.action.arguments)
            except Undefined:
                continue
            start: State = dict(zip(("g", *callee.parameters), (state["g"], *passed), strict=True))
            own: State = {**dict.fromkeys(program.scope(callee), 0), **start}
            todo.append((callee.name, (state["g"], *passed), callee.entry, own))
            for end in exits.get((callee.name, (state["g"], *passed)), ()):
                back = state_after_return(program, procedure, callee, edge.action, state, end)
                if back is not None:
                    todo.append((name, given, edge.target, back))
    return AllRuns(program, tuple(found))


def essential(proof: AllRuns) -> AllRuns:
    """Return the states that a proof has to have: where calls begin, at calls, and at exits."""

    def is_needed(name: str, location: int) -> bool:
        procedure = proof.program.procedure(name)
        calls = any(isinstance(edge.action, Call) for edge in procedure.leaving.get(location, ()))
        return calls or location in (procedure.entry, procedure.exit)

    return replace(proof, states=tuple(state for state in proof.states if is_needed(state[0], state[2])))


@pytest.fixture(scope="module")
def everything() -> AllRuns:
    pytest.importorskip("clang")
    return essential(every_state(load(CALLS, file="p.c")))


def reaches(proof: AllRuns, name: str, location: int) -> bool:
    try:
        check_all_runs(proof, proof.program, [Target("here", name, location, 1)], Budget())
    except InternalError as refusal:
        assert "is a target" in str(refusal)
        return True
    return False


@pytest.mark.parametrize("text", [CALLS, BYTES])
def test_calls_and_inputs_are_walked(text: str) -> None:
    pytest.importorskip("clang")
    program = load(text, file="p.c")
    whole = every_state(program)
    stepped = {(name, location) for name, _, location, _ in whole.states}
    check_ending(whole, program, Budget())
    everything = essential(whole)
    check_ending(everything, program, Budget())
    assert visited_places(everything) == stepped
    for procedure in program.procedures:
        for location in range(procedure.size):
            assert reaches(everything, procedure.name, location) == ((procedure.name, location) in stepped)


def test_no_state_at_a_call_or_an_exit_can_be_left_out(everything: AllRuns) -> None:
    program = everything.program
    groups: dict[tuple[str, tuple[Value, ...], int, tuple[Value, ...]], list[int]] = {}
    walk = _Walk(everything, (), Budget())
    for number, (name, given, location, values) in enumerate(everything.states):
        state = dict(zip(program.scope(program.procedure(name)), values, strict=True))
        groups.setdefault(walk.key(name, given, location, state), []).append(number)
    refused = 0
    for (name, _, location, _), numbers in groups.items():
        procedure = program.procedure(name)
        calls = any(isinstance(edge.action, Call) for edge in procedure.leaving.get(location, ()))
        if not calls and location not in (procedure.entry, procedure.exit):
            continue
        if location == procedure.exit and name == "main":
            continue  # of those there are many
        fewer = [state for number, state in enumerate(everything.states) if number not in numbers]
        with pytest.raises(InternalError, match=r"the proof (does not have a call|leaves out a state)"):
            check_all_runs(AllRuns(program, tuple(fewer)), program, (), Budget())
        refused += 1
    assert refused > 8


def test_a_program_that_can_start_in_several_ways(everything: AllRuns) -> None:
    program = everything.program
    main = program.procedure("main")
    moved = replace(main, parameters=main.locals[:1], locals=main.locals[1:])
    others = [
        replace(program, threads=("main", "main")),
        replace(program, init=TRUE),
        replace(program, procedures=tuple(moved if own is main else own for own in program.procedures)),
    ]
    for other in others:
        with pytest.raises(InternalError, match="can start in several ways"):
            check_all_runs(AllRuns(other, ()), other, (), Budget())


@pytest.mark.parametrize(
    "body", ["int x; int y; if (y > 2) g = 1; return 0;", "int x, y, z; if (z > x) g = 1; return 0;"]
)
def test_a_variable_without_a_value(body: str) -> None:
    pytest.importorskip("clang")
    program = load(f"int g; int main(void) {{ {body} }}", file="p.c")
    main = program.procedure("main")
    edges = tuple(
        replace(e, action=Assume(TRUE)) if next(inputs_of(e)) else e for e in main.edges
    )  # not even any value
    program = replace(program, procedures=(replace(main, edges=edges),))
    with pytest.raises(InternalError, match="'main' reads a variable that has no value yet"):
        check_all_runs(AllRuns(program, ()), program, (), Budget())


def test_an_input_with_too_many_values() -> None:
    pytest.importorskip("clang")
    program = load(
        "extern short read(void); int g; int main(void) { short s = read(); if (s > 3) g = 1; return g; }", file="p.c"
    )
    size = len(program.scope(program.procedure("main")))
    with pytest.raises(InternalError, match="too many values"):
        check_all_runs(AllRuns(program, (("main", (0,), 0, (0,) * size),)), program, (), Budget())


WIDE = "extern int in(void); int main(void) { int unread = in(); return 0; }\n"


def test_one_input_is_enough_for_a_variable_that_nobody_reads() -> None:
    """All values of an integer would be too many."""
    result = knaster.check(WIDE, file="a.c", property="termination", engine="search")
    assert isinstance(result.proof, AllRuns)
    check_ending(result.proof, result.program, Budget())


@pytest.mark.parametrize(
    ("action", "count"),
    [
        (Assign(("x",), (Choice(BOOL),)), 1),
        (Assign(("x",), (Not(Choice(BOOL)),)), 2),
        (Assign(("x", "y"), (Choice(BOOL), Choice(BOOL))), 4),
        (Assume(Choice(BOOL)), 2),
    ],
)
def test_inputs_of_an_edge(action: Assign | Assume, count: int) -> None:
    """One value is enough for an input that goes to one variable as it is, if nobody reads that afterwards."""
    result = knaster.check(WIDE, file="a.c", property="termination", engine="search")
    assert isinstance(result.proof, AllRuns)
    walk = _Walk(result.proof, (), Budget())
    main = result.program.procedure("main")
    walk.scopes["main"] = ("x", "y")
    walk.live["main"] = (0,) * main.size
    edge = replace(main.edges[0], action=action)
    assert len(list(walk.inputs("main", edge))) == count


def test_values_at_the_start() -> None:
    parts = [Compare(Comparison.EQUAL, Var(name), Const(value)) for value, name in enumerate("abc")]
    init = Binary(Operator.AND, Binary(Operator.AND, parts[0], parts[1]), parts[2])
    assert dict(_equalities(init)) == {"a": 0, "b": 1, "c": 2}


LAPSES = """extern _Bool coin(void); int g;
int main(void) {
  int x = 5; _Bool b = coin();
  g = 1 / x;
  if (b) g = 1 / (x - 5);
  x = 2147483647;
  if (g > 9) x = x + 1;
  return g;
}
"""


def test_lapses_that_happen() -> None:
    result = knaster.check(LAPSES, file="a.c", property="termination", engine="search")
    assert isinstance(result.proof, AllRuns)
    lapses = Lapses(result.program)
    seen, unsure = lapses_among(result.proof, lapses, Budget())
    assert {lapse.line for lapse in seen} == {5}
    assert len(lapses.all()) > len(seen) and not unsure & seen
    again = _Walk(result.proof, (), Budget(), lapses)
    again.run()
    for lapse in lapses.all():
        (name, location), scope = lapse.place, again.scopes[lapse.place[0]]
        live = {each for bit, each in enumerate(scope) if again.live[name][location] >> bit & 1}
        assert again.tells(lapse) == (lapse.condition is not None and variables(lapse.condition) <= live)
    assert not again.tells(replace(lapses.all()[0], condition=None))
    dead = Compare(Comparison.EQUAL, Var("b"), TRUE)
    last = max(result.program.procedure("main").leaving)
    assert not again.tells(replace(lapses.all()[0], place=("main", last), condition=dead))
    assert again.tells(replace(lapses.all()[0], place=("main", last), condition=TRUE))
