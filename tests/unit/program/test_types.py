"""Typed values and expressions: ranges, wrapping, C's arithmetic, and steps that are told their inputs."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from knaster.base.errors import InternalError
from knaster.checkers.runs.replay import replay
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Path, Segment, Step, Trace
from knaster.program.evaluate import evaluate
from knaster.program.expression import (
    TRUE,
    Arithmetic,
    Choice,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Updated,
    Var,
    is_boolean,
    postorder,
)
from knaster.program.model import Assign, Assume, Call, Edge, Kind, Procedure, Program, Return
from knaster.program.state import NoInput, Undefined
from knaster.program.types import BOOL, INTEGER, Array, Int, Pointer, Reference, Type, Value, belongs
from knaster.semantics.sequential import allows, allows_entry, can_hold, successor

INT, BYTE = Int(32), Int(8, signed=False)
X, Y = Var("x"), Var("y")


@pytest.mark.parametrize(("width", "signed"), [(8, True), (8, False), (32, True), (1, False)])
def test_wrapping_gives_the_congruent_value_in_range(width: int, signed: bool) -> None:
    type = Int(width, signed)
    low, high = type.low, type.high
    assert low is not None and high is not None and high - low + 1 == 1 << width
    for value in [low - 1, low, -1, 0, 1, high, high + 1, 3 * high + 7]:
        wrapped = type.wrap(value)
        assert low <= wrapped <= high and (wrapped - value) % (1 << width) == 0
        assert type.holds(value) == (low <= value <= high)


def test_all_integers_have_no_range() -> None:
    assert INTEGER.low is INTEGER.high is None and INTEGER.wrap(1 << 90) == 1 << 90


@pytest.mark.parametrize(
    ("value", "type", "expected"),
    [
        (True, BOOL, True),
        (1, BOOL, False),
        (True, INT, False),
        (255, BYTE, True),
        (256, BYTE, False),
        ((1, 2), Array(BYTE, 2), True),
        ((1, 2, 3), Array(BYTE, 2), False),
        ((1, True), Array(BYTE, 2), False),
        (None, Pointer("Foo"), True),
        (Reference("Foo", 1), Pointer("Foo"), True),
        (Reference("Bar", 1), Pointer("Foo"), False),
        (Reference("Foo", 1), Array(INT, 2), False),
    ],
)
def test_values_belong_to_their_types(value: Value, type: Type, expected: bool) -> None:
    assert belongs(value, type) is expected


def value(expr: Expr, *inputs: Value, **state: Value) -> Value:
    return evaluate(expr, state, iter(inputs))


def calculate(operator: IntegerOperator, left: int, right: int, type: Int = INT) -> Value:
    return value(Arithmetic(operator, Const(left), Const(right), type))


def test_arithmetic_is_that_of_c() -> None:
    assert calculate(IntegerOperator.DIVIDE, -7, 2) == -3 and calculate(IntegerOperator.REMAINDER, -7, 2) == -1
    assert calculate(IntegerOperator.DIVIDE, 7, -2) == -3 and calculate(IntegerOperator.REMAINDER, 7, -2) == 1
    assert calculate(IntegerOperator.ADD, 2**31 - 1, 1) == -(2**31)
    assert calculate(IntegerOperator.SUBTRACT, 0, 1, BYTE) == 255
    assert calculate(IntegerOperator.RIGHT, -8, 1) == -4 and calculate(IntegerOperator.LEFT, 1, 31) == -(2**31)
    assert calculate(IntegerOperator.MULTIPLY, 2**40, 2**40, INTEGER) == 2**80


PYTHON: dict[IntegerOperator, Callable[[int, int], int]] = {
    IntegerOperator.ADD: lambda a, b: a + b,
    IntegerOperator.SUBTRACT: lambda a, b: a - b,
    IntegerOperator.MULTIPLY: lambda a, b: a * b,
    IntegerOperator.AND: lambda a, b: a & b,
    IntegerOperator.OR: lambda a, b: a | b,
    IntegerOperator.XOR: lambda a, b: a ^ b,
}


def test_machine_arithmetic_is_congruent_to_that_of_integers() -> None:
    rng = Random(1)
    for _ in range(300):
        operator, left, right = rng.choice(list(PYTHON)), rng.randint(-128, 127), rng.randint(-128, 127)
        result = calculate(operator, left, right, Int(8))
        assert isinstance(result, int) and -128 <= result <= 127
        assert (result - PYTHON[operator](left, right)) % 256 == 0


@pytest.mark.parametrize(
    "expr",
    [
        Arithmetic(IntegerOperator.DIVIDE, Const(1), Const(0), INT),
        Arithmetic(IntegerOperator.REMAINDER, Const(1), Const(0), INT),
        Arithmetic(IntegerOperator.LEFT, Const(1), Const(32), INT),
        Arithmetic(IntegerOperator.RIGHT, Const(1), Const(-1), INT),
        Element(Const((1, 2)), Const(2)),
        Updated(Const((1, 2)), Const(-1), Const(0)),
    ],
)
def test_what_c_leaves_undefined_has_no_value(expr: Expr) -> None:
    with pytest.raises(Undefined):
        value(expr)
    assert not can_hold(Compare(Comparison.EQUAL, expr, expr), {})


def test_arrays_are_values() -> None:
    changed = Updated(Var("a"), Const(1), Const(9))
    assert value(changed, a=(1, 2, 3)) == (1, 9, 3)
    assert value(Element(changed, Const(1)), a=(1, 2, 3)) == 9
    assert value(Convert(Const(300), BYTE)) == 44 and value(Convert(Const(-1), BOOL)) is True


def test_each_choice_takes_the_next_input() -> None:
    both = Arithmetic(IntegerOperator.SUBTRACT, Choice(INT), Choice(INT), INT)
    assert value(both, 7, 5) == 2
    with pytest.raises(NoInput):
        value(both, 7)
    with pytest.raises(NoInput):
        value(Choice(BYTE), 256)
    assert value(Conditional(Choice(), Const(1), Const(2)), False) == 2


def test_a_truth_value_is_no_array() -> None:
    with pytest.raises(InternalError):
        value(Element(TRUE, Const(0)))


def test_every_operand_is_visited_before_its_operator() -> None:
    expr = Updated(Var("a"), Element(Var("b"), X), Convert(Y, BYTE))
    order = list(postorder(expr))
    assert [node.name for node in order if isinstance(node, Var)] == ["a", "b", "x", "y"] and order[-1] is expr
    assert not is_boolean(expr) and is_boolean(Conditional(X, Y, TRUE)) and not is_boolean(Choice(INT))


GROW = Edge(0, Assign(("x",), (Arithmetic(IntegerOperator.ADD, X, Choice(INT), INT),)), 1)
CALLING = Edge(1, Call("f", (Arithmetic(IntegerOperator.MULTIPLY, X, Choice(INT), INT),), ("x",)), 2)
MAIN = Procedure("main", (), (), ("x",), 0, 3, (GROW, CALLING, Edge(2, Return(()), 3)), types=(("x", INT),))
BACK = Edge(0, Return((Y,)), 1)
INNER = Procedure("f", ("y",), ("@0",), (), 0, 1, (BACK,), types=(("y", INT), ("@0", INT)))
SAMPLE = Program((), (MAIN, INNER), kind=Kind.INTEGERS)


def test_a_step_with_inputs_has_one_outcome() -> None:
    assert successor(MAIN, GROW, {"x": 1}, (5,)) == {"x": 6}
    assert successor(MAIN, GROW, {"x": 1}, ()) is None and successor(MAIN, GROW, {"x": 1}, (5, 5)) is None
    assert allows(MAIN, GROW, {"x": 1}, {"x": 6}, (5,)) and not allows(MAIN, GROW, {"x": 1}, {"x": 7}, (5,))
    assert not allows(MAIN, GROW, {"x": 1}, {"x": 6})  # which input was it?
    blocked = Edge(0, Assume(Compare(Comparison.LESS, X, Choice(INT))), 1)
    assert successor(MAIN, blocked, {"x": 1}, (1,)) is None and successor(MAIN, blocked, {"x": 1}, (2,)) == {"x": 1}
    call = CALLING.action
    assert isinstance(call, Call)
    assert allows_entry(SAMPLE, INNER, call, {"x": 3}, {"y": 12, "@0": 0}, (4,))
    assert not allows_entry(SAMPLE, INNER, call, {"x": 3}, {"y": 13, "@0": 0}, (4,))


def run(first: int, second: int, passed: int) -> Trace:
    inside = Path("f", {"y": passed, "@0": 0}, (Step(BACK, {"y": passed, "@0": passed}),))
    steps = (Step(GROW, {"x": first}, None, (first,)), Step(CALLING, {"x": passed}, inside, (second,)))
    return Trace.sequential((Path("main", {"x": 0}, steps),), 2)


def test_a_run_over_integers_replays_with_its_inputs() -> None:
    target = Target("end", "main", 2, 3)
    replay(SAMPLE, run(3, 4, 12), target)
    for wrong in (run(3, 4, 13), run(2**31, 4, 12)):
        with pytest.raises(InternalError):
            replay(SAMPLE, wrong, target)


def test_a_trace_is_iterated_in_the_order_of_execution_up_to_a_limit() -> None:
    trace = run(3, 4, 12)
    assert [(v.procedure, v.depth, dict(v.state)) for v in trace] == [
        ("main", 0, {"x": 0}),
        ("main", 0, {"x": 3}),
        ("f", 1, {"y": 12, "@0": 0}),
    ]
    assert len(list(trace.visits(2))) == 2


def test_depths_of_threads_are_kept_apart() -> None:
    outer = Path("main", {"x": 0}, (Step(CALLING, {"x": 0}),))
    inner = Path("f", {"y": 0, "@0": 0}, (Step(BACK, {"y": 0, "@0": 0}),))
    other = Path("main", {"x": 5}, (Step(GROW, {"x": 6}, None, (1,)),))
    resumed = Path("f", {"y": 0, "@0": 0}, (), begin=1)
    back = Path("main", {"x": 0}, (Step(MAIN.edges[2], {"x": 0}),), begin=2)
    trace = Trace((Segment(1, (outer, inner)), Segment(2, (other,)), Segment(1, (resumed, back))), 3)
    assert [(v.thread, v.depth) for v in trace] == [(1, 0), (1, 1), (2, 0), (1, 0)]
