"""Edges on values: a run that the interpreter accepts comes out again, and one that it does not blocks at its edge."""

from __future__ import annotations

from random import Random

import knaster
from knaster.checkers.runs.replay import replay
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.execute import Blocked, Inputs, entry_state, execute
from knaster.evidence.traces.trace import Trace
from knaster.frontends.languages import load
from knaster.program.expression import Choice, postorder
from knaster.program.model import Call, Edge, Program, expressions
from knaster.program.state import State
from knaster.program.types import Bool, default
from support.generators.c_programs import random_program, text

SUM = """
int twice(int n) { int r = n + n; return r; }
int main() {
  int x = __VERIFIER_nondet_int();
  if (x > 3) { x = twice(x); }
  if (x == 10) reach_error();
  return 0;
}
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
"""


def start_of(program: Program) -> State:
    main = program.procedure(program.threads[0])
    return {name: default(type) for name, type in program.types_in(main).items()}


def expanded(trace: Trace) -> tuple[list[Edge], list[Inputs]]:
    """Return the edges of a run in the order of execution, with their inputs."""
    edges: list[Edge] = []
    inputs: list[Inputs] = []
    stack = [iter(path.steps) for path in reversed(trace.paths)]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
            continue
        edges.append(step.edge)
        inputs.append(step.inputs)
        if step.inside is not None:
            stack.append(iter(step.inside.steps))
    return edges, inputs


def test_the_edges_of_a_trace_make_the_same_trace() -> None:
    result = knaster.check(SUM, file="sum.c")
    trace = result.trace
    assert trace is not None and result.program is not None
    edges, inputs = expanded(trace)
    paths = execute(result.program, "main", trace.paths[0].start, edges, inputs.__getitem__)
    assert not isinstance(paths, Blocked)
    again = Trace.sequential(paths, trace.location)
    assert [(v.depth, dict(v.state), v.edge) for v in again] == [(v.depth, dict(v.state), v.edge) for v in trace]
    assert again.length == trace.length


def test_another_input_blocks_at_the_edge_that_it_does_not_pass() -> None:
    result = knaster.check(SUM, file="sum.c")
    assert result.trace is not None and result.program is not None
    edges, inputs = expanded(result.trace)
    other = [tuple(4 for _ in given) for given in inputs]
    blocked = execute(result.program, "main", result.trace.paths[0].start, edges, other.__getitem__)
    assert isinstance(blocked, Blocked) and blocked.edge is edges[blocked.position] and blocked.position > 0
    left_over = execute(result.program, "main", result.trace.paths[0].start, edges, lambda position: (1, 2))
    assert left_over == Blocked(edges[0], 0)


def test_a_callee_begins_with_the_globals_the_arguments_and_defaults() -> None:
    program = load(SUM, file="sum.c")
    calls = [edge.action for edge in program.procedure("main").edges if isinstance(edge.action, Call)]
    call = next(call for call in calls if call.procedure == "twice")
    caller = {name: 7 for name in program.scope(program.procedure("main"))}
    start = entry_state(program, call, caller)
    assert start is not None
    assert start[program.procedure("twice").parameters[0]] == 7
    assert all(start[name] == 0 for name in program.procedure("twice").locals)
    assert entry_state(program, call, caller, (1,)) is None


def test_random_runs_of_random_programs_replay() -> None:
    longest = 0
    for seed in range(25):
        rng, program = Random(seed), load(text(random_program(seed)), file="random.c")
        edges, inputs = walk(rng, program, 60)
        paths = execute(program, "main", start_of(program), edges, inputs.__getitem__)
        assert not isinstance(paths, Blocked)
        last = paths[-1]
        location = last.steps[-1].edge.target if last.steps else program.procedure(last.procedure).entry
        trace = Trace.sequential(paths, location)
        replay(program, trace, Target("here", trace.procedure, location, 1))
        assert trace.expanded_length == len(edges)
        longest = max(longest, len(edges))
    assert longest > 20


def walk(rng: Random, program: Program, most: int) -> tuple[list[Edge], list[Inputs]]:
    """Return edges that can be taken one after the other from the start, with random inputs."""
    edges: list[Edge] = []
    inputs: list[Inputs] = []
    while len(edges) < most:
        paths = execute(program, "main", start_of(program), edges, inputs.__getitem__)
        assert not isinstance(paths, Blocked)
        top = paths[-1]
        procedure = program.procedure(top.procedure)
        location = top.steps[-1].edge.target if top.steps else procedure.entry
        for edge in sorted((e for e in procedure.edges if e.source == location), key=lambda _: rng.random()):
            given = tuple(
                rng.random() < 0.5 if isinstance(node.type, Bool) else rng.randint(-3, 12)
                for expr in expressions(edge.action)
                for node in postorder(expr)
                if isinstance(node, Choice)
            )
            further = [*inputs, given]
            found = execute(program, "main", start_of(program), [*edges, edge], further.__getitem__)
            if not isinstance(found, Blocked):
                edges.append(edge)
                inputs.append(given)
                break
        else:
            break
    return edges, inputs
