"""Compiled expressions mean what `evaluate` means, and every cycle passes a loop head."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from knaster.frontends.c import parse
from knaster.program.evaluate import evaluate
from knaster.program.expression import (
    NOWHERE,
    TRUE,
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Updated,
    Var,
)
from knaster.program.model import Assign, Assume, Call, Edge, Return
from knaster.program.state import Undefined
from knaster.program.types import BOOL, INTEGER, Array, Int
from knaster.semantics import python_code
from knaster.semantics.python_code import (
    Enter,
    NotCompiled,
    Read,
    Write,
    compile_program,
    default,
    function,
    loop_heads,
)

X, Y, A = Var("x"), Var("y"), Var("a")
INDEX = {"x": 0, "y": 1, "a": 2}
NUMBERS = (-9, -1, 0, 1, 3, 127, 128, 255)
TYPES = (Int(8), Int(8, signed=False), INTEGER)


def outcome(what: Any) -> object:
    """Return a value with its class, or what is undefined."""
    try:
        value = what()
    except Undefined as undefined:
        return undefined.what
    return type(value), value


def agree(expr: Expr, x: Any, y: Any, a: Any = (5, 6, 7)) -> None:
    names = dict(zip(INDEX, (x, y, a), strict=True))
    compiled = function(expr, INDEX)
    assert outcome(lambda: compiled([x, y, a])) == outcome(lambda: evaluate(expr, names, iter(()))), (expr, x, y)


@pytest.mark.parametrize("operator", IntegerOperator)
@pytest.mark.parametrize("kind", TYPES)
def test_arithmetic(operator: IntegerOperator, kind: Int) -> None:
    values = [value for value in NUMBERS if kind.holds(value)]
    for x, y in product(values, values):
        if kind.width is not None or operator not in (IntegerOperator.LEFT, IntegerOperator.RIGHT) or 0 <= y < 9:
            agree(Arithmetic(operator, X, Y, kind), x, y)


@pytest.mark.parametrize("kind", [*TYPES, BOOL, Int(3), Int(1, signed=False)])
def test_conversions(kind: Any) -> None:
    for x in NUMBERS:
        agree(Convert(X, kind), x, 0)
    agree(Convert(X, kind), True, 0)


@pytest.mark.parametrize("operator", Operator)
def test_connectives(operator: Operator) -> None:
    for x, y in product((False, True), repeat=2):
        agree(Binary(operator, X, Y), x, y)
        agree(Not(Binary(operator, Not(X), Y)), x, y)
        agree(Conditional(X, Y, Binary(operator, X, Y)), x, y)


@pytest.mark.parametrize("comparison", Comparison)
def test_comparisons(comparison: Comparison) -> None:
    for x, y in product((-1, 0, 1, 1 << 70, -(1 << 70)), repeat=2):
        agree(Compare(comparison, X, Y), x, y)
        agree(Compare(comparison, Const(x), Const(y)), 0, 0)
        agree(Compare(comparison, Arithmetic(IntegerOperator.ADD, Const(x), Y, INTEGER), X), x, y)


def test_arrays() -> None:
    for x in (-1, 0, 2, 3):
        agree(Element(A, X), x, 0)
        agree(Element(Updated(A, X, Y), X), x, 9)
        agree(Updated(A, X, Y), x, 9)
        agree(Element(Updated(A, Const(1), Y), X), x, 9)
    agree(Const((1, 2)), 0, 0)


@pytest.mark.parametrize("levels", [38, 39, 40, 41, 45])
def test_deep_expressions_are_left_to_the_evaluator(levels: int) -> None:
    wraps: list[Expr] = [X, X, X, X, Y]
    for _ in range(levels):
        wraps[0] = Arithmetic(IntegerOperator.ADD, wraps[0], Const(1), INTEGER)
        wraps[1] = Conditional(Compare(Comparison.EQUAL, X, Y), Y, wraps[1])
        wraps[2] = Not(wraps[2])
        wraps[3] = Convert(wraps[3], Int(8))
        wraps[4] = Arithmetic(IntegerOperator.DIVIDE, Const(1 << 60), wraps[4], INTEGER)
    for expr in wraps:
        agree(expr, 3, 4)
        depth = python_code._source(expr, INDEX)
        assert (depth is None) or levels <= python_code.DEEPEST


def test_a_value_of_every_type() -> None:
    assert (default(BOOL), default(INTEGER), default(Array(Int(8), 3))) == (False, 0, (0, 0, 0))
    assert default(Array(Array(BOOL, 1), 2)) == ((False,), (False,))


PROGRAM = """int g; extern int read(void);
int f(int a, int b) { g = a; return b; }
int main(void) { int x = read(), y; y = f(x, 2); f(1, y); if (y > g) y = g; return y; }
"""


def test_moves_of_edges() -> None:
    codes = compile_program(parse(PROGRAM, "a.c"))
    main, f = codes["main"], codes["f"]
    moves = [move for moves in main.moves for move in moves]
    kinds = {
        kind: [move for move in moves if isinstance(move, kind)] for kind in (python_code.Test, Write, Read, Enter)
    }
    assert main.globals == 1 and main.scope[0] == "g" and f.scope[:3] == ("g", "a", "b")
    assert "x" in [main.scope[read.index] for read in kinds[Read] if isinstance(read, Read)]
    first, second = kinds[Enter]
    assert isinstance(first, Enter) and isinstance(second, Enter)
    state = [0] * len(main.scope)
    state[main.scope.index("x")] = 7
    assert first.callee == "f" and first.arguments(list(state)) == (7, 2) and first.targets != (None,)
    assert second.arguments(list(state)) == (1, 0)
    sources = [move.edge.source for moves in main.moves for move in moves]
    assert all(move.edge.source == at for at, moves in enumerate(main.moves) for move in moves) and len(sources) > 5
    tests = [move.holds(list(state)) for move in kinds[python_code.Test] if isinstance(move, python_code.Test)]
    assert sorted(map(bool, tests)) == [False, True]


def test_an_input_inside_of_an_expression_is_not_compiled() -> None:
    program = parse(PROGRAM, "a.c")
    main = program.procedure("main")
    edge = next(edge for edge in main.edges if isinstance(edge.action, Assume))
    edges = tuple(replace(each, action=Assume(Choice())) if each is edge else each for each in main.edges)
    changed = tuple(replace(each, edges=edges) if each is main else each for each in program.procedures)
    with pytest.raises(NotCompiled, match="inputs stand inside"):
        compile_program(replace(program, procedures=changed))


def graph(*pairs: tuple[int, int], entry: int = 0) -> Any:
    return SimpleNamespace(entry=entry, edges=[Edge(one, Assume(Const(True)), other, NOWHERE) for one, other in pairs])


@pytest.mark.parametrize(
    ("pairs", "heads"),
    [
        ([(0, 1), (1, 2)], set()),
        ([(0, 1), (1, 0)], {0}),
        ([(0, 0)], {0}),
        ([(0, 1), (1, 2), (2, 1), (1, 3)], {1}),
        ([(0, 1), (0, 2), (1, 3), (2, 3)], set()),  # two ways to one place are no cycle
        ([(0, 1), (1, 2), (2, 3), (3, 2), (3, 1)], {1, 2}),
        ([(0, 1), (5, 6), (6, 5)], {5}),  # of places that are not reached, too
        ([(5, 0), (0, 5)], {0}),
    ],
)
def test_loop_heads(pairs: list[tuple[int, int]], heads: set[int]) -> None:
    assert loop_heads(graph(*pairs)) == heads


def test_several_variables_are_written_at_once() -> None:
    state: list[Any] = [1, 2, ()]
    python_code._make_writer(("x", "y"), (Y, X), INDEX)(state)
    assert state == [2, 1, ()]
    deep: Expr = X
    for _ in range(60):
        deep = Arithmetic(IntegerOperator.ADD, deep, Const(1), INTEGER)
    python_code._make_writer(("y",), (deep,), INDEX)(state)
    assert state == [2, 62, ()]


@pytest.mark.parametrize(
    "action",
    [
        Assign(("x",), (Arithmetic(IntegerOperator.ADD, Choice(INTEGER), Const(1), INTEGER),), TRUE),
        Assign(("x",), (Const(1),), Compare(Comparison.EQUAL, X, Const(1))),
        Assign(("x",), (Choice(INTEGER),), Compare(Comparison.EQUAL, X, Const(1))),
        Return((Arithmetic(IntegerOperator.ADD, Choice(INTEGER), Const(1), INTEGER),)),
        Call("f", (Choice(INTEGER), Const(1)), (None,)),
    ],
)
def test_what_is_not_compiled(action: Any) -> None:
    own: Any = SimpleNamespace(results=("x",))
    with pytest.raises(NotCompiled):
        python_code._move(own, Edge(0, action, 1), INDEX)
