from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from knaster.base.errors import Span, UnsupportedError
from knaster.frontends.boolean import parse
from knaster.frontends.boolean.notation import action_to_text, expression_to_text
from knaster.frontends.boolean.printer import to_text
from knaster.program.expression import CHOICE, FALSE, TRUE, Binary, Conditional, Expr, Not, Operator, Var
from knaster.program.model import (
    Action,
    Assign,
    Assume,
    Call,
    Concurrent,
    Edge,
    Location,
    Procedure,
    Program,
    Return,
    ThreadOperation,
)
from knaster.program.validate import validate
from knaster.semantics.explore import reachable_locations
from support.generators.boolean_programs import TINY, random_program

A, B, C = Var("a"), Var("b"), Var("c")
SKIP = Assume(TRUE)
FIGURE_1 = """decl g;

void main() begin
  decl h;
  h := !g;
  A(g, h);
  skip;
  A(g, h);
  skip;
  if (g) then
    R: skip;
  else
    skip;
  fi
end

void A(a1, a2) begin
  if (a1) then
    A(a2, a1);
    skip;
  else
    g := a2;
  fi
end
"""


def test_the_canonical_text_is_a_fixed_point() -> None:
    assert to_text(parse(FIGURE_1)) == FIGURE_1


@pytest.mark.parametrize(
    "body",
    [
        ["if (x) then", "fi"],
        ["if (x) then", "else", "  skip;", "fi"],
        ["if (x) then", "  y := T;", "elsif (y) then", "  y := F;", "fi"],
        ["if (x) then", "  y := T;", "else", "  L: if (y) then", "    y := F;", "  fi", "fi", "goto L;"],
        ["if (x) then", "  y := T;", "else", "  if (y) then", "    y := F;", "  fi", "  skip;", "fi"],
        ["while (*) do", "od"],
        ["while (x) do", "  while (y) do", "    y := x;", "  od", "od"],
        ["while (x) do", "  if (y) then", "    y := T;", "  else", "    x := F;", "  fi", "od"],
        ["L: if (x) then", "  goto L;", "fi", "x := T;"],
        ["L: M: goto L, N;", "N: x := y;", "return;", "assert(x);"],
        ["ERROR: A: skip;", "ERROR: x := T;", "goto A;"],
        ["x, y := y, x constrain 'x = y;", "_ := F constrain 'y;"],
        ["start_thread goto L;", "atomic_begin;", "L: end_thread;"],
        ["if (x ? y : x) then", "  assert(x => y);", "fi"],
    ],
)
def test_canonical_bodies(body: list[str]) -> None:
    text = "\n".join(["decl x, y;", "", "void main() begin", *("  " + line for line in body), "end"]) + "\n"
    assert to_text(parse(text)) == text


def test_a_whole_program() -> None:
    text = """decl a, b;
init(a & !b);

bool<2> f(x) begin
  decl y;
  enforce x | y;
  return x, !y;
end

bool g() begin
  return *;
end

void main() begin
  _, a := f(b);
  f(a);
  b := g();
  call wait();
end

void wait() begin
end
"""
    assert to_text(parse(text)) == text


def test_long_declarations_are_broken() -> None:
    names = [f"variable{index}" for index in range(30)]
    text = to_text(Program(tuple(names), ()))
    assert max(map(len, text.splitlines())) < 120
    assert parse(text).globals == tuple(names)


def test_an_empty_program_is_an_empty_text() -> None:
    assert to_text(Program((), ())) == ""


def both(operator: Operator, left: Expr, right: Expr) -> Expr:
    return Binary(operator, left, right)


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (TRUE, "T"),
        (FALSE, "F"),
        (CHOICE, "*"),
        (Var("x", True), "'x"),
        (Not(Not(A)), "!!a"),
        (Not(both(Operator.AND, A, B)), "!(a & b)"),
        (both(Operator.AND, both(Operator.AND, A, B), C), "a & b & c"),
        (both(Operator.AND, A, both(Operator.AND, B, C)), "a & (b & c)"),
        (both(Operator.OR, both(Operator.AND, A, B), C), "a & b | c"),
        (both(Operator.AND, both(Operator.OR, A, B), C), "(a | b) & c"),
        (both(Operator.IMPLIES, A, both(Operator.IMPLIES, B, C)), "a => b => c"),
        (both(Operator.IMPLIES, both(Operator.IMPLIES, A, B), C), "(a => b) => c"),
        (both(Operator.EQUAL, both(Operator.EQUAL, A, B), C), "a = b = c"),
        (both(Operator.EQUAL, A, both(Operator.XOR, B, C)), "a = (b ^ c)"),
        (both(Operator.XOR, A, both(Operator.EQUAL, B, C)), "a ^ b = c"),
        (Conditional(A, B, C), "a ? b : c"),
        (Conditional(A, B, Conditional(A, B, C)), "a ? b : a ? b : c"),
        (Conditional(Conditional(A, B, C), Conditional(A, B, C), C), "(a ? b : c) ? (a ? b : c) : c"),
        (Not(Conditional(A, B, C)), "!(a ? b : c)"),
    ],
)
def test_expressions(expr: Expr, text: str) -> None:
    assert expression_to_text(expr) == text


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (SKIP, "skip"),
        (Assume(A), "assume(a)"),
        (Assign(("a", "b"), (B, A)), "a, b := b, a"),
        (Assign(("a",), (CHOICE,), Var("a", True)), "a := * constrain 'a"),
        (Assign((), ()), "_ := F"),
        (Call("f", (A, B)), "f(a, b)"),
        (Call("f", (), (None, None)), "f()"),
        (Call("f", (), (None, "a")), "_, a := f()"),
        (Call("print", (A,)), "call print(a)"),
        (Return(()), "return"),
        (Return((A, B)), "return a, b"),
        (Concurrent(ThreadOperation.START, procedure="f"), "start_thread f()"),
        (Concurrent(ThreadOperation.START, location=3), "start_thread goto 3"),
        (Concurrent(ThreadOperation.WAIT), "wait"),
    ],
)
def test_actions(action: Action, text: str) -> None:
    assert action_to_text(action) == text


def main(
    edges: list[tuple[Location, Action, Location]],
    exit: Location,
    labels: tuple[tuple[str, Location], ...] = (),
    failures: int = 0,
    entry: Location = 0,
) -> Program:
    graph = tuple(Edge(source, action, target) for source, action, target in edges)
    failing = tuple(range(exit + 1, exit + 1 + failures))
    return Program(("a", "b", "c"), (Procedure("main", (), (), (), entry, exit, graph, labels, failing),))


@pytest.mark.parametrize(
    "program",
    [
        main([(0, Assign(("a",), (TRUE,)), 0)], 1),
        main([(0, SKIP, 2), (1, Assume(A), 0), (2, Assume(B), 1)], 3, (("L0", 2), ("L", 2))),
        main([(0, Assume(A), 1), (0, Assume(B), 1)], 1),
        main([(0, Assign(("b",), (A,)), 2)], 1, failures=1),
        main([(0, SKIP, 2)], 1, failures=1),
        main([(0, Assume(Not(A)), 3), (0, Assume(A), 1), (1, SKIP, 2)], 2, (("end_", 2),), failures=1),
        main([(1, Assume(A), 0)], 2, (("dead", 0),), entry=1),
        main([(0, Assume(A), 2), (0, Assume(Not(A)), 2), (1, SKIP, 2)], 2),
        main([(0, Concurrent(ThreadOperation.START, location=1), 1), (1, Return(()), 2)], 2),
    ],
)
def test_a_graph_that_no_text_gives_is_written_flat(program: Program) -> None:
    assert validate(program) == []
    read = parse(to_text(program))
    assert validate(read) == []
    assert {label for label, _ in program.procedures[0].labels} <= {label for label, _ in read.procedures[0].labels}
    assert to_text(parse(to_text(read))) == to_text(read)
    if not any(isinstance(edge.action, Concurrent) for edge in program.procedures[0].edges):
        assert failing(read) == failing(program)


def shuffled(procedure: Procedure, rng: Random) -> Procedure:
    """Return the same procedure with its locations in another order."""
    order = list(range(procedure.exit))
    rng.shuffle(order)
    place = [*order, *range(procedure.exit, procedure.size)]
    edges = [replace(edge, source=place[edge.source], target=place[edge.target]) for edge in procedure.edges]
    return replace(
        procedure,
        entry=place[procedure.entry],
        edges=tuple(sorted(edges, key=lambda edge: edge.source)),
        labels=tuple((label, place[location]) for label, location in procedure.labels),
    )


def reachable_labels(program: Program) -> set[str]:
    places = reachable_locations(program)
    return {
        label
        for procedure in program.procedures
        for label, location in procedure.labels
        if (procedure.name, location) in places
    }


def failing(program: Program) -> bool:
    failures = {(procedure.name, location) for procedure in program.procedures for location in procedure.failures}
    return bool(failures & reachable_locations(program))


def test_the_flat_text_is_equivalent() -> None:
    for seed in range(60):
        rng = Random(seed)
        program = random_program(rng, TINY)
        mixed = replace(program, procedures=tuple(shuffled(procedure, rng) for procedure in program.procedures))
        assert validate(mixed) == []
        read = parse(to_text(mixed))
        assert validate(read) == []
        wanted = reachable_labels(program)
        assert reachable_labels(mixed) == wanted
        assert {label for label in reachable_labels(read) if not label.startswith("L")} == wanted
        assert failing(read) == failing(program)


def test_spans_do_not_matter() -> None:
    program = parse(FIGURE_1)
    first = program.procedures[0]
    moved = replace(first, edges=tuple(replace(edge, span=Span(9, 9)) for edge in first.edges))
    assert to_text(replace(program, procedures=(moved, *program.procedures[1:]))) == FIGURE_1


def test_names_of_another_language_stand_in_braces() -> None:
    program = Program(
        ("if", "main::x", "}a{"),
        (
            Procedure(
                "operator ()",
                (),
                (),
                ("T",),
                0,
                2,
                (
                    Edge(0, Assign(("T",), (Var("main::x"),), Var("T", True)), 1),
                    Edge(1, Call("operator ()", ()), 2),
                ),
                (("two words", 1), ("7", 1)),
            ),
        ),
        ("operator ()",),
    )
    assert to_text(program).splitlines() == [
        "decl {if}, {main::x}, {)a(};",
        "",
        "void {operator ()}() begin",
        "  decl {T};",
        "  {T} := {main::x} constrain '{T};",
        "  {two words}: 7: {operator ()}();",
        "end",
    ]
    assert to_text(parse(to_text(program))) == to_text(program)


@pytest.mark.parametrize("names", [("if", "{if}"), ("a}", "a)")])
def test_names_that_would_be_written_the_same_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(UnsupportedError, match="look the same"):
        to_text(Program(names, (Procedure("main", (), (), (), 0, 0, ()),)))
