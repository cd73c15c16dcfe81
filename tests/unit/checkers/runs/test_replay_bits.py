"""The replay on bits says yes only to runs that the replay step by step accepts; of others it says nothing."""

from __future__ import annotations

from random import Random

import pytest

from knaster import check
from knaster.base.errors import InternalError
from knaster.base.records import replace
from knaster.checkers.runs import replay_bits
from knaster.checkers.runs.replay import replay
from knaster.checkers.runs.replay_bits import BitReplay
from knaster.checkers.runs.replay_steps import Paths
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.frontends.boolean import parse
from knaster.program.bit_state import BitScope, BitState
from knaster.program.model import Program

TEXT = """decl g, h;
void main() begin
  decl i, j;
  i, j, g := 0, 0, 0;
  while (!i | !j | !g) do
    i, j := add(i, j);
    if (i & j) then level(g); fi
  od
  ERROR: skip;
end
bool<2> add(a, b) begin decl c; c := a; h := h != b; if (a) then a := 0; b := !b; else a := 1; fi return a, b; end
void level(x) begin decl y, z; y := !x; z := 1; while (!y | z) do y := 1; z := turn(z); od g := y & h | turn(x); end
bool turn(x) begin return !x; end
""".replace("g := y & h | turn(x);", "x := turn(x); g := y & h | x;")


def trace_of(program: Program) -> tuple[Target, Trace]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("knaster.views.summaries.shortest_traces.SEARCHED", 0)
        result = check(program, "ERROR")
    ((target, answer),) = result.answers
    assert isinstance(answer, Reachable) and answer.trace is not None
    return target, answer.trace


def runs_inside(trace: Trace) -> list[Path]:
    found: dict[int, Path] = {}
    todo = list(trace.paths)
    while todo:
        for path in todo.pop().insides:
            if id(path) not in found:
                found[id(path)] = path
                todo.append(path)
    return [path for path in found.values() if isinstance(path.start, BitState)]


@pytest.fixture(scope="module")
def program() -> Program:
    return parse(TEXT)


@pytest.fixture(scope="module")
def runs(program: Program) -> list[Path]:
    found = runs_inside(trace_of(program)[1])
    assert {run.procedure for run in found} == {"add", "level", "turn"}
    return found


def is_accepted(program: Program, path: Path) -> bool:
    """Tell whether the replay step by step accepts a run by itself, calls inside it taken on trust."""
    paths = Paths(program)
    try:
        return paths.check_steps(path, path.steps, folded=True) == paths.procedures[path.procedure].exit
    except InternalError:
        return False


def test_runs_of_the_engine_are_right(program: Program, runs: list[Path]) -> None:
    for run in runs:
        todo: list[Path] = []
        assert BitReplay(program).is_right(run, set(), todo)
        assert {id(inside) for inside in run.insides} == {id(inside) for inside in todo}
        assert is_accepted(program, run)


def damaged(rng: Random, run: Path, runs: list[Path], program: Program) -> Path:
    """Return the run with one thing changed."""
    steps = list(run.steps)
    index = rng.randrange(len(steps))
    step, state = steps[index], steps[index].after
    assert isinstance(state, BitState)
    size = len(state.scope.names)
    edges = next(one for one in program.procedures if one.name == run.procedure).edges
    flipped = state.scope.state(state.bits ^ 1 << rng.randrange(size))
    turned = BitScope(state.scope.names[::-1])
    changes: list[Step] = [
        replace(step, after=flipped),
        replace(step, after=BitState(state.scope, state.bits + (1 << size))),
        replace(step, after=BitState(turned, state.bits)),
        replace(step, after=BitState(BitScope((*state.scope.names, "new")), state.bits)),
        replace(step, after=dict(state)),
        replace(step, edge=rng.choice(edges)),
        replace(step, edge=replace(step.edge, target=step.edge.target + 1)),
        replace(step, inside=rng.choice([None, *runs])),
        replace(step, inputs=(True,)),
    ]
    kind = rng.randrange(len(changes) + 4)
    if kind < len(changes):
        steps[index] = changes[kind]
        return Path(run.procedure, run.start, tuple(steps))
    if kind == len(changes):
        return Path(run.procedure, flipped, run.steps)
    if kind == len(changes) + 1:
        return Path(run.procedure, run.start, tuple(steps[:index] + steps[index + 1 :]))
    if kind == len(changes) + 2:
        return Path(run.procedure, run.start, run.steps, rng.randrange(4))
    return Path(rng.choice(["main", "turn", "level", "add", "nobody"]), run.start, run.steps)


def test_a_damaged_run_is_right_only_where_it_is_accepted_step_by_step(program: Program, runs: list[Path]) -> None:
    refused = 0
    for seed in range(1500):
        rng = Random(seed)
        path = damaged(rng, rng.choice(runs), runs, program)
        if BitReplay(program).is_right(path, set(), []):
            assert is_accepted(program, path), seed
        else:
            refused += 1
    assert refused > 1000


def test_a_damaged_run_inside_a_trace_is_refused(program: Program) -> None:
    target, trace = trace_of(program)
    inner = runs_inside(trace)[0]
    state = inner.steps[0].after
    assert isinstance(state, BitState)
    object.__setattr__(inner.steps[0], "after", state.scope.state(state.bits ^ 1))
    with pytest.raises(InternalError):
        replay(program, trace, target)


def test_what_it_says_nothing_about(program: Program, runs: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    enforcing = parse(TEXT.replace("begin decl c;", "begin decl c; enforce c | !c;"))
    run = next(run for run in runs if run.procedure == "add")
    assert not BitReplay(enforcing).is_right(run, set(), [])
    other = parse(TEXT)
    assert not BitReplay(other).is_right(run, set(), [])  # edges of another program
    monkeypatch.setattr(replay_bits, "Kind", type("Kinds", (), {"BOOLEAN": "none"}))
    assert not BitReplay(program).is_right(run, set(), [])


SMALL = """decl g;
void main() begin skip; end
void branch(x) begin if (x) then skip; else skip; fi end
bool twice(x) begin x := flip(x); return x; end
bool flip(x) begin return !x; end
bool flop(x) begin return !x; end
"""


def hand_made(program: Program, procedure: str, start: int, steps: list[tuple[int, int, Path | None]]) -> Path:
    """Return a run by the numbers of its edges and the bits of its states: the globals, the parameters, the results."""
    scope = BitReplay(program)._steps.scope(procedure)
    edges = next(one for one in program.procedures if one.name == procedure).edges
    taken = tuple(Step(edges[number], scope.state(bits), inside) for number, bits, inside in steps)
    return Path(procedure, scope.state(start), taken)


def both(program: Program, path: Path) -> tuple[bool, bool]:
    return BitReplay(program).is_right(path, set(), []), is_accepted(program, path)


def test_lies_made_by_hand() -> None:
    program, yes, no = parse(SMALL), (True, True), (False, False)
    assert both(program, hand_made(program, "branch", 2, [(0, 2, None), (2, 2, None)])) == yes
    assert both(program, hand_made(program, "branch", 0, [(0, 0, None), (2, 0, None)])) == no  # the condition is false
    right = hand_made(program, "flip", 0, [(0, 4, None)])  # x = 0, result 1
    other = hand_made(program, "flip", 2, [(0, 2, None)])  # x = 1, result 0
    twice = [(1, 6, None)]
    assert both(program, hand_made(program, "twice", 0, [(0, 2, right), *twice])) == yes
    assert both(program, hand_made(program, "twice", 2, [(0, 2, right), *twice])) == no  # entered with x = 0
    assert both(program, hand_made(program, "twice", 1, [(0, 3, right), (1, 7, None)])) == no  # g is 1 outside
    assert both(program, hand_made(program, "twice", 0, [(0, 0, right), (1, 0, None)])) == no  # it returns 1
    assert both(program, hand_made(program, "twice", 2, [(0, 0, other), (1, 0, None)])) == yes
    flop = hand_made(program, "flop", 0, [(0, 4, None)])
    assert both(program, hand_made(program, "twice", 0, [(0, 2, flop), *twice])) == no  # another procedure
    begun = Path(right.procedure, right.start, right.steps, 0)
    assert both(program, hand_made(program, "twice", 0, [(0, 2, begun), *twice])) == no
    assert both(program, hand_made(program, "twice", 0, [(0, 2, None), *twice])) == no
    large = BitState(right.steps[0].after.scope, 4 + 8)  # type: ignore[attr-defined]
    outside = Path("flip", right.start, (replace(right.steps[0], after=large),))
    assert not BitReplay(program).is_right(outside, set(), [])
    assert not BitReplay(program).is_right(hand_made(program, "twice", 0, [(0, 2, outside), *twice]), set(), [])


def test_a_state_gives_exactly_the_variables_of_a_procedure_a_bit() -> None:
    program = parse(SMALL)
    replayed, flip = BitReplay(program), program.procedure("flip")
    names = replayed._steps.scope("flip").names
    assert len(names) == 3
    for wrong in (names[::-1], names[:-1], (*names, "new")):
        assert replayed._bits(flip, BitState(BitScope(wrong), 0)) is None
    scope = BitScope(names)
    assert [replayed._bits(flip, BitState(scope, bits)) for bits in (-1, 0, 7, 8)] == [None, 0, 7, None]
    assert replayed._bits(flip, BitState(BitScope(names[::-1]), 0)) is None  # the right one was seen before
    assert replayed._bits(flip, dict.fromkeys(names, False)) is None
    enforcing = parse(SMALL.replace("flip(x) begin", "flip(x) begin enforce x | !x;"))
    assert BitReplay(enforcing)._bits(enforcing.procedure("flip"), BitState(scope, 0)) is None
    inside = hand_made(program, "flip", 0, [(0, 4, None)])
    plain = Path("flip", dict(inside.start), inside.steps)
    assert both(program, hand_made(program, "twice", 0, [(0, 2, plain), (1, 6, None)])) == (False, True)


def test_locals_may_begin_with_any_value() -> None:
    program = parse("decl g; void main() begin f(); end void f() begin h(); end void h() begin decl y; y := 1; end\n")
    for y in (0, 2):
        inside = hand_made(program, "h", y, [(0, 2, None)])
        assert both(program, hand_made(program, "f", 0, [(0, 0, inside)])) == (True, True)
