from __future__ import annotations

from random import Random

import pytest

from knaster.program.expression import CHOICE, FALSE, TRUE, Not, Var
from knaster.program.model import Assume, Call, Edge, Location, Place, Procedure, Program, Return
from knaster.program.state import State
from knaster.semantics.explore import (
    TooManyStates,
    explore,
    reachable_locations,
    shortest_hierarchical,
    shortest_lengths,
)
from knaster.semantics.sequential import entry_states, initial_states, state_after_return, successors
from support.building import (
    SKIP,
    Assert,
    Goto,
    If,
    Labelled,
    While,
    assign,
    bebop_figure_1,
    procedure,
    program,
    variables,
)
from support.generators.boolean_programs import TINY, random_program
from support.oracles.random_runs import random_trace

Frame = tuple[str, Location, tuple[tuple[str, bool], ...]]
X, Y, G = variables("x y g")


def place(sample: Program, label: str) -> Place:
    for owner in sample.procedures:
        for name, location in owner.labels:
            if name == label:
                return owner.name, location
    raise KeyError(label)


def test_bebop_figure_1() -> None:
    sample = bebop_figure_1()
    assert place(sample, "R") in reachable_locations(sample)
    assert shortest_hierarchical(sample, [place(sample, "R")]) == 6
    assert ("main", 7) not in reachable_locations(sample)  # the other branch: A never returns with g = 0


def test_bebop_figure_1_needs_g_at_the_start() -> None:
    sample = bebop_figure_1()
    assert place(sample, "R") not in reachable_locations(Program(sample.globals, sample.procedures, init=Not(G)))


def test_summaries_of_a_swap() -> None:
    flip = procedure("flip", [Return((Not(Var("p")),))], parameters="p", results=1)
    main = procedure("main", [Call("flip", (X,), ("y",)), If(Y, [Labelled("L", SKIP)])], local="x y")
    found = explore(program("", main, flip))
    calls = {context: ends for (name, context), ends in found.summaries.items() if name == "flip"}
    ends = {context: {valuation[1] for valuation in valuations} for context, valuations in calls.items()}
    assert ends == {(False,): {True}, (True,): {False}}


def test_what_follows_a_call_that_never_returns_is_unreachable() -> None:
    stuck = procedure("f", [While(TRUE, [SKIP])])
    main = procedure("main", [Call("f", ()), Labelled("L", SKIP)])
    sample = program("", main, stuck)
    assert reachable_locations(sample) == {("main", 0), ("f", 0), ("f", 1)}


def test_a_call_that_is_entered_costs_one_step_and_so_does_one_that_returns() -> None:
    callee = procedure("f", [SKIP, SKIP, SKIP, Labelled("inside", SKIP)])
    main = procedure("main", [SKIP, Call("f", ()), Labelled("behind", SKIP)])
    sample = program("", main, callee)
    lengths = shortest_lengths(sample)
    assert lengths[place(sample, "inside")] == 1 + 1 + 3
    assert lengths[place(sample, "behind")] == 1 + 1
    assert lengths["main", 0] == 0


def test_failures_and_multiple_goto_targets() -> None:
    main = procedure("main", [Goto(["a", "b"]), Labelled("a", Assert(FALSE)), SKIP, Labelled("b", SKIP)])
    found = reachable_locations(program("", main))
    assert found == {("main", 0), ("main", 1), ("main", 3), ("main", 4), ("main", 5)}


def test_another_entry() -> None:
    main = procedure("main", [SKIP])
    other = procedure("other", [If(Var("p"), [Labelled("L", SKIP)])], parameters="p")
    assert ("other", 1) in reachable_locations(program("", main, other), entry="other")


def test_too_many_states() -> None:
    names = " ".join(f"v{index}" for index in range(8))
    with pytest.raises(TooManyStates):
        explore(program("", procedure("main", [SKIP], local=names)), limit=100)


def test_recursion_without_an_end_terminates() -> None:
    loop = procedure("f", [assign("g", Not(G)), If(CHOICE, [Call("f", ())]), Labelled("L", SKIP)])
    sample = program("g", procedure("main", [Call("f", ()), Assume(G), Labelled("M", SKIP)]), loop)
    assert place(sample, "M") in reachable_locations(sample)


def freeze(state: State) -> tuple[tuple[str, bool], ...]:
    return tuple((name, bool(value)) for name, value in state.items())


def stack_steps(sample: Program, stack: tuple[Frame, ...]) -> list[tuple[Frame, ...]]:
    """Return every stack that one step makes of `stack`; no summaries, no contexts."""
    below, (name, location, valuation) = stack[:-1], stack[-1]
    owner, state = sample.procedure(name), dict(valuation)
    found: list[tuple[Frame, ...]] = []
    for edge in owner.edges:
        if edge.source != location:
            continue
        if isinstance(edge.action, Call):
            callee = sample.procedure(edge.action.procedure)
            for start in entry_states(sample, callee, edge.action, state):
                found.append((*stack, (callee.name, callee.entry, freeze(start))))
        else:
            found += [(*below, (name, edge.target, freeze(end))) for end in successors(owner, edge, state)]
    if below and location == owner.exit:
        found += returns(sample, below, owner, state)
    return found


def returns(sample: Program, below: tuple[Frame, ...], callee: Procedure, end: State) -> list[tuple[Frame, ...]]:
    name, location, valuation = below[-1]
    caller = sample.procedure(name)
    calls: list[tuple[Edge, Call]] = [
        (edge, edge.action) for edge in caller.edges if edge.source == location and isinstance(edge.action, Call)
    ]
    [(edge, call)] = calls  # a call is the only edge of its location
    back = state_after_return(sample, caller, callee, call, dict(valuation), end)
    return [] if back is None else [(*below[:-1], (name, edge.target, freeze(back)))]


def test_agrees_with_running_on_real_stacks() -> None:
    complete = 0
    for seed in range(150):
        sample = random_program(Random(seed), TINY)
        main = sample.procedure("main")
        todo: list[tuple[Frame, ...]] = [
            (("main", main.entry, freeze(state)),) for state in initial_states(sample, main)
        ]
        seen = set(todo)
        cut = False
        while todo:
            for after in stack_steps(sample, todo.pop()):
                if len(after) > 3:
                    cut = True
                elif after not in seen:
                    seen.add(after)
                    todo.append(after)
        places = {(stack[-1][0], stack[-1][1]) for stack in seen}
        found = reachable_locations(sample)
        assert places <= found
        if not cut:
            complete += 1
            assert places == found
    assert complete > 50


def test_no_random_run_is_shorter_than_the_shortest() -> None:
    equal = 0
    for seed in range(60):
        sample = random_program(Random(seed), TINY)
        lengths = shortest_lengths(sample)
        assert lengths.keys() == reachable_locations(sample)
        rng = Random(seed)
        for _ in range(30):
            trace = random_trace(rng, sample)
            if trace is not None:
                shortest = lengths[trace.paths[-1].procedure, trace.location]
                assert shortest <= trace.length
                equal += shortest == trace.length
    assert equal > 300


def test_contexts_are_globals_and_parameters() -> None:
    sample = program(
        "g h",
        procedure("f", [Labelled("F", SKIP)], "a b", "l"),
        procedure("main", [Call("f", (TRUE, FALSE), ()), Labelled("A", SKIP)]),
    )
    found = explore(sample)
    assert {len(context) for name, context in found.summaries if name == "f"} == {4}
    assert {context[2:] for name, context in found.summaries if name == "f"} == {(True, False)}
    count = len(found.path_edges)
    assert len(explore(sample, limit=count).path_edges) == count
    with pytest.raises(TooManyStates):
        explore(sample, limit=count - 1)
