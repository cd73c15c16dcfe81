"""Concrete runs of C programs, tabulated: which values a variable has at a label, and how many calls and nodes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.frontends.c import parse
from knaster.program.expression import TRUE, Arithmetic, Const, IntegerOperator, Var
from knaster.program.kind import Kind
from knaster.program.model import Assign, Call, Edge, Procedure, Program, Return
from knaster.program.types import Int, Value
from knaster.semantics import tabulation
from knaster.semantics.tabulation import Tabulation

READ = "extern int read(void); extern _Bool flip(void); int kept;\n"
USED = "L: if (x == 77) return 1; "  # only what decides where a run goes tells nodes apart


def tabulate(text: str, limit: int = 2000) -> Tabulation:
    program = parse(
        READ
        + text.replace("L: return x + y;", USED + "if (y == 77) return 2; return 0;").replace(
            "L: return x;", USED + "return 0;"
        ),
        "a.c",
    )
    places = [(own.name, at) for own in program.procedures for label, at in own.labels if label == "L"]
    found = Tabulation(program, places, lambda: None)
    found.explore(limit)
    return found


def values(text: str, *names: str) -> set[tuple[Value, ...]]:
    """Return the values of variables at the label L."""
    found = tabulate(text)
    return {tuple(node.values[node.call.code.scope.index(name)] for name in names) for node in found.found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int main(void) { int x = 2, y = 3; x = x + y; y = x * 2; L: return x + y; }", {(5, 10)}),
        ("int main(void) { int x = 0, y = 5; while (x < 3) { x++; y = y + x; } L: return x + y; }", {(3, 11)}),
        ("int main(void) { int x = 0, y = 0; while (x < 3) { L: x++; } return x + y; }", {(0, 0), (1, 0), (2, 0)}),
        ("int main(void) { int x = 0, y = 0; if (flip()) x = 1; if (flip()) y = 2; L: return x + y; }",
         {(0, 0), (1, 0), (0, 2), (1, 2)}),
        ("int f(int a, int b) { return a - b; } int main(void) { int x = f(7, 2), y = f(x, 9); L: return x + y; }",
         {(5, -4)}),
        ("int g; void f(int a) { g = g + a; } int main(void) { int x, y = 1; f(3); f(4); x = g; L: return x + y; }",
         {(7, 1)}),
        ("int f(int n) { return n ? n + f(n - 1) : 0; } int main(void) { int x = f(4), y = f(2); L: return x + y; }",
         {(10, 3)}),
        ("int f(void) { if (flip()) return 1; return 2; } int main(void) { int x = f(), y = f(); L: return x + y; }",
         {(1, 1), (1, 2), (2, 1), (2, 2)}),
        ("int main(void) { int x = 1, y = 0; x = x / y; L: return x + y; }", set()),  # the run has no next step
        ("int h(int a) { return a; } int main(void) { int x = 1, y = 0; x = h(x / y); L: return x + y; }", set()),
        ("int main(void) { int x = 1, y = 0; if (x / y > 0) x = 3; L: return x + y; }", set()),
        ("int main(void) { int a[2] = {4, 5}, x = 1, y; a[x] = 7; y = a[0]; x = a[x]; L: return x + y; }", {(7, 4)}),
    ],
)  # fmt: skip
def test_what_is_reached(text: str, expected: set[tuple[Value, ...]]) -> None:
    assert values(text, "x", "y") == expected


def test_a_call_with_the_same_arguments_is_run_once() -> None:
    text = "int g; int f(int a) { return a; } int main(void) { f(1); f(1); f(2); g = 1; f(2); return 0; }"
    calls = sorted(arguments for name, arguments in tabulate(text).calls if name == "f")
    assert calls == [(0, 0, 1), (0, 0, 2), (0, 1, 2)]


def test_what_is_dead_does_not_tell_nodes_apart() -> None:
    text = "int main(void) { int x = 0; if (flip()) x = 1; if (flip()) x = 2; x = 0; L: return x; }"
    assert len(tabulate(text).found) == 1
    assert len(tabulate(text.replace("x = 0; L", "x = x; L")).found) == 3
    assert len(tabulate(text.replace("int main(void) { int x", "int x; int main(void) { x")).found) == 1


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("int main(void) { int x = 1; L: return x; }", True),
        ("int main(void) { _Bool x = flip(); L: return x; }", True),
        ("int main(void) { int x = read(); L: return x; }", False),
        ("int main(void) { int x = read(); x = 0; L: return x; }", True),  # nobody uses the input
        ("int g; int main(void) { g = read(); L: return 0; }", False),
        ("int main(int x) { L: return x; }", False),
    ],
)
def test_where_all_inputs_were_tried_it_is_complete(text: str, complete: bool) -> None:
    assert tabulate(text).complete is complete


def test_nodes_are_limited() -> None:
    program = parse(READ + "int main(void) { unsigned x = 0; while (1) { x++; if (x == 77) return 1; } }", "a.c")
    found = Tabulation(program, (), lambda: None)
    assert not found.explore(10) and len(found.nodes) == 10
    assert Tabulation(parse("int main(void) { return 0; }", "a.c"), (), lambda: None).explore(10)


def test_numbers_do_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "int main(void) { int x = 1; while (x < 1000) { x = x * 2; } L: return x; }"
    assert tabulate(text).complete
    monkeypatch.setattr(tabulation, "LARGEST", 5)
    found = tabulate(text)
    assert not found.complete and not found.found
    monkeypatch.setattr(tabulation, "LARGEST", 11)
    assert tabulate(text).complete


def test_ways_between_nodes() -> None:
    found = tabulate("int f(int a) { return a + 1; } int main(void) { int x = f(4); L: return x; }")
    (target,) = found.found
    before, through = target.before, target.through
    assert before is not None and through is not None and through.call.code.procedure.name == "f"
    assert [(way.enters, way.through is None) for way in before.successors] == [(True, True), (False, False)]
    assert before.successors[0].target is through.call.entry and before.successors[1].target is target
    assert through.call.waiting == [before] and through.call.exits == [through] and through.call.caller is before
    assert found.start is not None and found.start.caller is None and target.call is found.start


def test_the_simplest_inputs_come_first() -> None:
    found = tabulate("int main(void) { int x = read(); if (x > 5) { L: return x; } return 0; }")
    costs = [node.cost for node in found.nodes.values()]
    assert costs == sorted(costs) or min(costs) == 0.0
    assert all(node.cost >= node.before.cost for node in found.nodes.values() if node.before is not None)


def test_how_some_calls_end_is_told() -> None:
    program = parse(
        READ + "int f(int a) { while (1) { } return a; } int main(void) { int x = f(4); L: return x; }", "a.c"
    )
    places = [("main", at) for label, at in program.procedure("main").labels if label == "L"]
    scope = program.scope(program.procedure("f"))

    def ended(arguments: tuple[Value, ...]) -> tuple[Value, ...] | None:
        state = dict.fromkeys(scope, 0) | dict(zip(scope, arguments, strict=False))
        return tuple(9 if name in program.procedure("f").results else state[name] for name in scope)

    for told, reached in ((ended, 1), (lambda arguments: None, 0)):
        found = Tabulation(program, places, lambda: None, {"f": told})
        assert found.explore(100) and len(found.found) == reached


def test_each_argument_of_the_start_is_tried() -> None:
    program = parse(READ + "int f(int x, int y, int z) { return x + y > z; } int main(void) { return 0; }", "a.c")
    found = Tabulation(replace(program, threads=("f",)), (), lambda: None)
    starts = {arguments for name, arguments in found.calls if name == "f"}
    assert {len(arguments) for arguments in starts} == {4} and (0, 0, 0, 0) in starts
    assert all(any(arguments[at] for arguments in starts) for at in (1, 2, 3))
    assert all(sum(map(bool, arguments)) <= 1 for arguments in starts)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("int main(void) { int x = 1; x = x + 1; x = x * 2; L: return x; }", 3),  # the start, L and the end
        ("int main(void) { int x = 1; if (x > 0) x = 5; else x = 7; x = x + 1; L: return x; }", 3),
        ("int main(void) { int x = read(); x = 0; L: return x; }", 3),  # a dead input is one of its values
        ("int main(void) { int x = 0; while (x < 3) x = x + 1; L: return x; }", 7),
    ],
)
def test_runs_meet_at_few_places(text: str, count: int) -> None:
    found = tabulate(text)
    assert len(found.nodes) == count and len(found.found) == 1 and found.complete


def test_globals_that_have_a_value_have_no_other() -> None:
    text = "int g = 5, h = 6; int main(void) { int x = g, y = h; L: return x + y; }"
    assert values(text, "x", "y") == {(5, 6)} and tabulate(text).complete


def test_several_calls_at_one_place() -> None:
    """A call that returns goes on where it was made: with its procedure, and with its arguments."""
    word = Int(32)

    def adding(name: str, number: int) -> Procedure:
        total = Arithmetic(IntegerOperator.ADD, Var("a"), Const(number), word)
        types = (("a", word), ("r", word))
        return Procedure(name, ("a",), ("r",), (), 0, 1, (Edge(0, Return((total,)), 1),), types=types)

    calls = (("f", 1, "x"), ("f", 2, "y"), ("g", 1, "x"))
    edges = [Edge(0, Call(name, (Const(given),), (to,)), at) for at, (name, given, to) in enumerate(calls, 1)]
    edges += [Edge(at, Assign((), ()), 4) for at in (1, 2, 3)]
    main = Procedure("main", (), (), ("x", "y"), 0, 4, tuple(edges), types=(("x", word), ("y", word)))
    program = Program((), (main, adding("f", 10), adding("g", 20)), ("main",), TRUE, kind=Kind.INTEGERS)
    found = Tabulation(program, [("main", at) for at in (1, 2, 3)], lambda: None)
    assert found.explore(100)
    assert all(node.call.code.scope == ("x", "y") for node in found.found)
    reached = {(node.location, *node.values) for node in found.found}
    assert reached == {(1, 11, 0), (2, 0, 12), (3, 21, 0)}
