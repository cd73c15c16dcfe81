"""Programs that ask before each step whether it is undefined."""

from __future__ import annotations

from knaster.frontends.languages import load
from knaster.program.checks import NOTHING
from knaster.program.checks.step_checks import with_checks
from knaster.program.expression import Arithmetic, Choice, Const, IntegerOperator
from knaster.program.kind import Kind
from knaster.program.model import Assign, Assume, Edge, Procedure, Program
from knaster.program.types import Int

TEXT = "int f(void);\nint a[3];\nint main(void) {\n  int x = f();\n  a[x] = 1 / x + 2 / (x - 1);\n  return 0;\n}\n"


def labels(program: Program | None) -> list[str]:
    assert program is not None
    return [label for procedure in program.procedures for label, _ in procedure.labels]


def test_labels_stand_where_steps_are_undefined() -> None:
    program = load(TEXT, file="a.c")
    assert labels(program) == []
    assert labels(with_checks(program, ("division", "bounds"))) == [
        "division:5:10",
        "division:5:18",
        "bounds:5",
        "bounds:5:3",
    ]
    assert labels(load(TEXT, file="a.c", checks="overflow")) == ["overflow:5:23", "overflow:5:10"]


def test_what_is_undefined_before_ends_a_run() -> None:
    text = "int f(void);\nint main(void) {\n  int x = f();\n  return (1 / x) + (x + 1);\n}\n"
    program = load(text, file="a.c", checks="overflow")
    assert labels(program) == ["overflow:4:21", "overflow:4:10"]
    assumptions = [edge for edge in program.procedure("main").edges if isinstance(edge.action, Assume)]
    assert len(assumptions) == 5  # two for each overflow, and that the divisor is not 0


def test_a_program_without_such_steps_has_a_place_that_is_never_reached() -> None:
    assert labels(with_checks(load(TEXT, file="a.c"), ("shift",))) == [NOTHING]


def test_edges_are_those_of_before_and_two_for_each_question() -> None:
    program = load(TEXT, file="a.c")
    checked = with_checks(program, ("bounds",))
    assert checked is not None
    before, after = program.procedure("main").edges, checked.procedure("main").edges
    assert len(after) == len(before) + 4  # two for the index, one for each division before it
    actions = [edge.action for edge in after]
    assert all(edge.action in actions for edge in before)


def test_inputs_inside_of_a_condition_are_refused() -> None:
    value = Arithmetic(IntegerOperator.DIVIDE, Const(1), Choice(Int(8)), Int(8))
    edges = (Edge(0, Assign(("x",), (value,)), 1),)
    main = Procedure("main", (), (), ("x",), 0, 1, edges, types=(("x", Int(8)),))
    assert with_checks(Program((), (main,), kind=Kind.INTEGERS), ("division",)) is None
