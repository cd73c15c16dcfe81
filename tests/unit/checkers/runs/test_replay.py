from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from knaster.base.errors import InternalError
from knaster.checkers.runs.replay import replay
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.program.expression import CHOICE, Not, Var
from knaster.program.model import Call, Edge, Program, Return
from support.building import SKIP, If, Labelled, assign, procedure, program, variables
from support.generators.boolean_programs import random_program
from support.oracles.random_runs import random_trace, target_of

G, X, P = variables("g x p")
INNER = procedure("f", [assign("g", P), Return((Not(P),))], parameters="p", results=1, enforce=Var("g"))
MAIN = procedure("main", [Call("f", (X,), ("x",)), Labelled("L", Call("f", (G,), (None,))), SKIP], local="x")
SAMPLE = program("g", MAIN, INNER, init=G)
FIRST, SECOND, LAST = MAIN.edges

START = {"g": True, "x": True}
INSIDE = Path(
    "f",
    {"g": True, "p": True, "@0": True},
    (
        Step(INNER.edges[0], {"g": True, "p": True, "@0": True}),
        Step(INNER.edges[1], {"g": True, "p": True, "@0": False}),
    ),
)
AFTER = {"g": True, "x": False}
RETURNED = Path("main", START, (Step(FIRST, AFTER, INSIDE),))
ENTERED = (
    Path("main", START, (Step(FIRST, AFTER, INSIDE), Step(SECOND, AFTER))),
    Path("f", {"g": True, "p": True, "@0": True}, INSIDE.steps[:1]),
)
AT_LABEL = Target("L", "main", 1, 2)
INSIDE_F = Target("f", "f", 1, 2)


def refused(trace: Trace, message: str, target: Target = AT_LABEL, sample: Program = SAMPLE) -> None:
    with pytest.raises(InternalError, match=message):
        replay(sample, trace, target)


def one(path: Path, location: int = 1) -> Trace:
    return Trace.sequential((path,), location)


def test_a_call_that_returns() -> None:
    replay(SAMPLE, one(RETURNED), AT_LABEL)


def test_a_call_that_is_entered() -> None:
    replay(SAMPLE, Trace.sequential(ENTERED, 1), INSIDE_F)


def test_a_target_is_reached_where_its_condition_can_be_true() -> None:
    replay(SAMPLE, one(RETURNED), replace(AT_LABEL, condition=Not(X)))
    replay(SAMPLE, one(RETURNED), replace(AT_LABEL, condition=CHOICE))
    replay(SAMPLE, Trace.sequential(ENTERED, 1), replace(INSIDE_F, condition=P))
    refused(one(RETURNED), "the condition of 'L' does not hold", replace(AT_LABEL, condition=X))
    refused(Trace.sequential(ENTERED, 1), "the condition of 'f' does not hold", replace(INSIDE_F, condition=Not(P)))


def test_the_empty_run() -> None:
    replay(SAMPLE, one(Path("main", START, ()), 0), Target("start", "main", 0, 1))


def test_a_trace_without_paths() -> None:
    refused(Trace.sequential((), 0), "no path")


def test_the_wrong_entry() -> None:
    refused(one(INSIDE), "starts in 'f'")


def test_an_unknown_procedure() -> None:
    missing = Path("nowhere", {}, ())
    refused(one(Path("main", START, (Step(FIRST, AFTER, missing),))), "'nowhere' is entered")
    with pytest.raises(InternalError, match="no procedure 'nowhere'"):
        replay(replace(SAMPLE, threads=("nowhere",)), one(missing), AT_LABEL)


def test_no_initial_state() -> None:
    refused(one(Path("main", {"g": False, "x": True}, ())), "no initial state")


@pytest.mark.parametrize("state", [{"g": True}, {"g": True, "x": True, "y": True}])
def test_a_state_outside_the_scope(state: dict[str, bool]) -> None:
    refused(one(Path("main", state, ())), "misses or invents")
    refused(one(Path("main", START, (Step(FIRST, state, INSIDE),))), "misses or invents")
    wrong_start = Path("f", state, INSIDE.steps)
    refused(one(Path("main", START, (Step(FIRST, AFTER, wrong_start),))), "misses or invents")
    wrong_end = Path("f", INSIDE.start, (INSIDE.steps[0], Step(INNER.edges[1], state)))
    refused(one(Path("main", START, (Step(FIRST, AFTER, wrong_end),))), "misses or invents")


def test_an_edge_that_starts_elsewhere() -> None:
    refused(one(Path("main", START, (Step(LAST, START),)), 3), "control stands at 0")


def test_an_edge_of_another_procedure() -> None:
    refused(one(Path("main", START, (Step(INNER.edges[0], START),))), "no such edge")
    refused(one(Path("main", START, (Step(Edge(0, SKIP, 1), START),))), "no such edge")


def test_an_equal_edge_will_do() -> None:
    replay(SAMPLE, one(Path("main", START, (Step(replace(FIRST), AFTER, INSIDE),))), AT_LABEL)


def test_a_step_that_is_not_allowed() -> None:
    wrong = Path("f", INSIDE.start, (Step(INNER.edges[0], {"g": False, "p": True, "@0": True}), INSIDE.steps[1]))
    refused(one(Path("main", START, (Step(FIRST, AFTER, wrong),))), "step 1 in 'f': .* does not lead to")


def test_a_path_inside_something_that_is_no_call() -> None:
    steps = (INSIDE.steps[0], replace(INSIDE.steps[1], inside=INSIDE))
    refused(one(Path("main", START, (Step(FIRST, AFTER, Path("f", INSIDE.start, steps)),))), "no call has a path")


def test_a_call_without_a_path_inside() -> None:
    refused(one(Path("main", START, (Step(FIRST, AFTER),))), "has no path inside")


def test_a_call_of_something_else() -> None:
    refused(one(Path("main", START, (Step(FIRST, AFTER, RETURNED),))), "'f' is called, 'main' is entered")


def test_arguments_that_do_not_arrive() -> None:
    wrong = Path("f", {"g": True, "p": False, "@0": True}, INSIDE.steps)
    refused(one(Path("main", START, (Step(FIRST, AFTER, wrong),))), "does not call 'f' in g=1 p=0")


def test_a_global_that_does_not_arrive() -> None:
    relaxed = program("g", MAIN, replace(INNER, enforce=Not(Var("g"))), init=G)
    wrong = Path("f", {"g": False, "p": True, "@0": True}, INSIDE.steps)
    refused(one(Path("main", START, (Step(FIRST, AFTER, wrong),))), "does not call 'f'", sample=relaxed)


def test_an_entry_that_enforce_forbids() -> None:
    forbidding = program("g", MAIN, replace(INNER, enforce=Not(Var("p"))), init=G)
    refused(one(RETURNED), "does not call 'f'", sample=forbidding)


def test_a_call_that_returns_too_early() -> None:
    early = Path("f", INSIDE.start, INSIDE.steps[:1])
    refused(one(Path("main", START, (Step(FIRST, START, early),))), "from location 1, not from its exit")


def test_a_return_into_the_wrong_state() -> None:
    refused(one(Path("main", START, (Step(FIRST, START, INSIDE),))), "returns into g=1 x=0, the trace says g=1 x=1")


def test_a_return_that_enforce_forbids() -> None:
    forbidding = program("g", replace(MAIN, enforce=X), INNER, init=G)
    refused(one(RETURNED), "returns into no state", sample=forbidding)


def test_the_wrong_end() -> None:
    refused(one(RETURNED, location=2), "ends at location 1 of 'main' and says 2")
    refused(one(RETURNED), "the target 'other' is location 2", Target("other", "main", 2, 3))
    refused(one(RETURNED), "the target 'other' is location 1 of 'f'", Target("other", "f", 1, 3))


def test_a_path_that_ends_without_entering_the_next() -> None:
    refused(Trace.sequential((Path("main", START, ()), ENTERED[1]), 1), "ends without a call", INSIDE_F)
    refused(Trace.sequential((RETURNED, ENTERED[1]), 1), "ends without a call or a return", INSIDE_F)
    skip = Path("main", START, (Step(LAST, START),))
    refused(Trace.sequential((skip, ENTERED[1]), 1), "control stands at 0", INSIDE_F)


def test_an_entered_call_that_changes_its_caller() -> None:
    changing = Path("main", START, (*ENTERED[0].steps[:1], Step(SECOND, START)))
    refused(Trace.sequential((changing, ENTERED[1]), 1), "changes its caller", INSIDE_F)


def test_an_entered_call_that_stands_elsewhere() -> None:
    early = Path("main", START, (Step(SECOND, START),))
    refused(Trace.sequential((early, ENTERED[1]), 1), "control stands at 0", INSIDE_F)
    invented = Path("main", START, (Step(Edge(0, SECOND.action, 1), START),))
    refused(Trace.sequential((invented, ENTERED[1]), 1), "no such edge", INSIDE_F)


def test_the_wrong_procedure_is_entered() -> None:
    refused(Trace.sequential((ENTERED[0], RETURNED), 1), "'f' is called, 'main' is entered")


def test_a_suspended_path_is_checked_too() -> None:
    wrong = Path("main", START, (Step(FIRST, START, INSIDE), Step(SECOND, START)))
    refused(Trace.sequential((wrong, ENTERED[1]), 1), "returns into", INSIDE_F)


def test_random_runs_replay_and_a_flipped_bit_does_not() -> None:
    flipped = refusals = 0
    for seed in range(200):
        rng = Random(seed)
        sample = random_program(rng)
        trace = random_trace(rng, sample)
        if trace is None:
            continue
        replay(sample, trace, target_of(trace))
        path = trace.paths[-1]
        if not path.steps or not path.end:
            continue
        index, name = rng.randrange(len(path.steps)), rng.choice(sorted(path.end))
        step = path.steps[index]
        wrong = replace(step, after={**step.after, name: not step.after[name]})
        changed = Path(path.procedure, path.start, (*path.steps[:index], wrong, *path.steps[index + 1 :]))
        flipped += 1
        try:
            replay(sample, Trace.sequential((*trace.paths[:-1], changed), trace.location), target_of(trace))
        except InternalError:
            refusals += 1
    assert flipped > 100
    assert refusals > 0.9 * flipped  # a value chosen freely and overwritten next may be flipped


def test_a_shared_path_is_checked_once() -> None:
    """2^800 steps: every level calls the next twice."""
    depth = 800
    leaf = procedure("f0", [SKIP])
    levels = [procedure(f"f{index + 1}", [Call(f"f{index}", ()), Call(f"f{index}", ())]) for index in range(depth)]
    main = procedure("main", [Call(f"f{depth}", ()), Labelled("L", SKIP)])
    inside = Path("f0", {}, (Step(leaf.edges[0], {}),))
    for level in levels:
        inside = Path(level.name, {}, tuple(Step(edge, {}, inside) for edge in level.edges))
    trace = one(Path("main", {}, (Step(main.edges[0], {}, inside),)))
    assert trace.expanded_length > 2**depth
    replay(program("", main, *levels, leaf), trace, AT_LABEL)


def test_recursion_100_000_deep() -> None:
    down = procedure("f", [If(Var("p"), [Call("f", (Var("q"), Var("p")))])], parameters="p q")
    main = procedure("main", [Call("f", (X, X)), Labelled("L", SKIP)], local="x")
    state = {"p": True, "q": True}
    bottom = {"p": False, "q": True}
    # The innermost call needs p = 0: it is wrong, and replay has to get down there to see it.
    inside = Path("f", bottom, (Step(down.edges[1], bottom),))
    for _ in range(100_000):
        inside = Path("f", state, (Step(down.edges[0], state), Step(down.edges[2], state, inside)))
    trace = one(Path("main", {"x": True}, (Step(main.edges[0], {"x": True}, inside),)))
    refused(trace, "does not call 'f' in p=0", sample=program("", main, down))
