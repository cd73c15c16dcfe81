"""Text to Program: names of procedures, threads, what statics and fields begin with, and models that are none."""

from __future__ import annotations

import pytest

from knaster.base.errors import UsageError
from knaster.frontends.zing.programs import parse
from knaster.program.expression import Const, New
from knaster.program.objects import ClassCell
from knaster.program.types import Int
from support.zing_text import messages


def test_a_method_is_named_by_itself_where_that_is_clear() -> None:
    program = parse(
        "class A { void go() { } void run() { } };class B { activate static void start() { } void run() { } };"
    )
    assert [procedure.name for procedure in program.procedures] == ["go", "A.run", "start", "B.run"]
    assert program.threads == ("start",)
    assert [procedure.parameters for procedure in program.procedures] == [("this",), ("this",), (), ("this",)]


def test_statics_are_globals_and_begin_with_their_values() -> None:
    program = parse("class A { static bool b; static int n = 7; int f = 3; activate static void m() { } };")
    assert program.globals == ("A.b", "A.n") and program.types == (("A.n", Int(32)),)
    assert program.objects is not None and program.objects.statics == (("A.n", Const(7)),)
    (cell,) = program.objects.cells
    assert isinstance(cell, ClassCell) and cell.initial == (("f", Const(3)),)


def test_results_come_before_out_parameters() -> None:
    program = parse("class A { static int get(out bool b) { b = true; return 5; } activate static void m() { } };")
    get = program.procedure("get")
    assert len(get.results) == 2 and get.parameters == () and "b" in get.locals


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", ["no method is marked 'activate', so nothing runs"]),
        ("class A { static void m() { } };", ["no method is marked 'activate', so nothing runs"]),
        ("class A { static void m(int n, int n) { } };", ["there is already a parameter 'n'"]),
        ("class A { activate static void m() { goto L; } };", ["there is no label 'L' in this method"]),
        ("class A { int n = true; activate static void m() { } };", ["'n' is int, this is bool"]),
        ("class A { int n = 1 2; activate static void m() { } };", ["expected ';', found '2'"]),
        ("class A { A a = new A; activate static void m() { } };", ["a new 'A' needs another new 'A', without end"]),
        (
            "class A { B b = new B; activate static void m() { } }; class B { A a = new A; };",
            ["a new 'A' needs another new 'A', without end"],
        ),
    ],
)
def test_no_models(text: str, problems: list[str]) -> None:
    assert messages(text) == problems


def test_one_that_makes_another_is_a_model() -> None:
    program = parse("class A { B b = new B; activate static void m() { } }; class B { };")
    assert program.objects is not None
    cell = program.objects.cells[0]
    assert isinstance(cell, ClassCell) and isinstance(cell.initial[0][1], New)


def test_there_are_no_dialects() -> None:
    with pytest.raises(UsageError, match="a Zing model has no dialect 'old'"):
        parse("", dialect="old")
