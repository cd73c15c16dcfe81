"""Tables of effects of a table of models exclude just those failures that the oracle does not find."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.heap.effect_arcs import Arc, Arcs
from knaster.checkers.heap.effect_table import check_effect_table
from knaster.evidence.proofs.heap.effect_table import EffectTable
from knaster.evidence.questions.question import Target
from knaster.frontends.zing import parse
from knaster.program.model import Program
from knaster.semantics.heap.explore import explore
from knaster.semantics.heap.failure import KINDS
from support.zing_text import model

X = "static int x; static int y; "
NEVER = "static void never() {\n x = 9; } "
LOW = "static void low() { if (x == 0) { raise Bad; } } static void mid() { low(); x = 7; }"
MODELS = {  # statements, and members
    "an assertion": ("x = 1; assert(x == 2);", ""),
    "no failure": ("x = 1; f(); assert(x == 2);", "static void f() { x = x + 1; }"),
    "a result that fails": ("x = f();", "static int f() { C c; c = null; return c.f; }"),
    "a place for a result that fails": ("C c; c = null; c.f = f();", "static int f() { return 1; }"),
    "an argument that fails": ("C c; c = null; f(c.f);", "static void f(int a) { }"),
    "a wait where it may end": ("select end { wait(x == 1) -> ; }", ""),
    "a wait where it may not": ("select { wait(x == 1) -> ; }", ""),
    "a wait in a call": ("f();", "static void f() { x = 1; select { wait(x == 0) -> ; } }"),
    "a wait in a region": ("atomic { x = 1; select end { wait(x == 0) -> ; } }", ""),
    "a condition that fails": ("C c; c = null; select end { wait(c.f == 1) -> ; }", ""),
    "nothing to choose": ("Z z; z = new Z; x = choose(z);", ""),
    "an exception": ("raise Bad;", ""),
    "an exception of a callee": ("mid();", LOW),
    "an exception that is handled": ("try { raise Bad; } with { Bad -> x = 1; } assert(x == 1);", ""),
    "an exception of a callee that is handled": ("try { mid(); } with { Bad -> x = 1; } assert(x == 1);", LOW),
    "an exception that is handled between": ("f();", LOW + "static void f() { try { mid(); } with { Bad -> ; } }"),
    "an exception that is not raised": ("x = 1; mid(); assert(x == 7);", LOW),
    "a false assume": ("assume(x == 1); assert(false);", ""),
    "main calls itself": ("if (x == 0) { x = 1; main(); }", ""),
    "main calls itself as it was called": ("bool b; b = choose(bool); if (b) { main(); }", ""),
    "a step behind a call that fails": ("atomic { f(); c = null; c.f = 1; }", "static C c; static void f() { x = 1; }"),
    "a loop of regions that end with a call": ("while (true) { atomic { f(); } }", "static void f() { x = 1 - x; }"),
    "a loop of regions and calls": (
        "int k; while (true) { atomic { k = f(); } k = 2; }",
        "static int f() { return 1; }",
    ),
    "a region that ends behind a call": (
        "int k; while (true) { atomic { k = f(); k = 2; } k = 3; }",
        "static int f() { return 1; }",
    ),
    "a region that ends": ("atomic { while (x < 2) { x = x + 1; } }", ""),
    "a region that never ends": ("atomic { while (true) { x = 1 - x; } }", ""),
    "a region that never ends, with a call": (
        "atomic { while (true) { f(); } }",
        "static void f() { if (x == 0) { x = 1; } else { x = 0; } }",
    ),
    "a loop with a call outside of regions": ("while (true) { f(); }", "static void f() { x = 1 - x; y = x; }"),
    "a loop with a region and a call": ("while (true) { atomic { f(); y = 1; } }", "static void f() { x = 1 - x; }"),
    "a region that chooses": ("atomic { bool b; while (true) { b = choose(bool); } }", ""),
    "a region that chooses in a call": (
        "atomic { while (true) { f(); } }",
        "static void f() { bool b; b = choose(bool); }",
    ),
    "recursion in a region": ("atomic { f(); }", "static void f() { f(); }"),
    "recursion outside of regions": ("f();", "static void f() { f(); }"),
    "recursion in a region that ends": ("atomic { f(); }", "static void f() { if (x < 2) { x = x + 1; f(); } }"),
    "an exception around a region for ever": (
        "atomic { while (true) { try { f(); } with { Bad -> x = 2; } } }",
        "static void f() { x = 1; raise Bad; }",
    ),
    "a choice in a callee": (
        "x = 5; y = f();",
        "static int f() { bool b; b = choose(bool); x = 1; if (b) { return 1; } return 2; }",
    ),
    "a region in a callee": ("while (true) { f(); }", "static void f() { atomic { x = 1 - x; y = x; } }"),
}


def table_of(name: str) -> EffectTable:
    """Return all that can happen in a model, failures or not: a line is excluded to which nothing leads."""
    body, members = MODELS[name]
    text = model(body, X + members + NEVER)
    found = knaster.check(text, f"m.zing:{text.count(chr(10))}", file="m.zing", engine="patterns").proof
    assert isinstance(found, EffectTable)
    return found


def check(table: EffectTable, *kinds: str) -> None:
    check_effect_table(table, table.program, [Target(kind, "", 0, 0, kind) for kind in kinds], Budget())


@pytest.mark.parametrize("name", MODELS)
def test_what_is_excluded_does_not_happen(name: str) -> None:
    table = table_of(name)
    found = {failure.kind for failure in explore(table.program, depth=5).failures}
    check(table, *(kind for kind in KINDS if kind not in found))
    for kind in found:
        with pytest.raises(InternalError, match="does not exclude"):
            check(table, kind)


def refuses(table: EffectTable, program: Program, reason: str) -> None:
    with pytest.raises(InternalError, match=reason):
        check_effect_table(table, program, (), Budget())


def test_a_table_begins_where_the_program_does() -> None:
    table = table_of("no failure")
    check_effect_table(table, table.program, (), Budget())
    refuses(replace(table, roots=()), table.program, "not about this program")
    main, callee = table.roots
    refuses(replace(table, roots=(callee, main)), table.program, "the start is not in it")
    body, members = MODELS["no failure"]
    other = parse(model(body, X.replace("int x", "int x = 1") + members + NEVER), "m.zing")
    check_effect_table(table, other, (), Budget())  # what is written first is not read
    two = parse(model(body, X + members + NEVER + "activate static void second() { x = 3; }"), "m.zing")
    refuses(table, two, "not about this program")
    body, members = MODELS["a region that ends"]
    other = parse(model(body, X.replace("int x", "int x = 1") + members + NEVER), "m.zing")
    refuses(table_of("a region that ends"), other, "the start is not in it")


def test_arcs_say_how_many_steps_and_which_alternative() -> None:
    table, arcs = table_of("a choice in a callee"), Arcs()
    check_effect_table(table, table.program, (), Budget(), arcs)
    assert arcs.leaving == {(0, 0): [Arc((0, 1), steps=1)]} and arcs.calls == {(0, 1): 1}
    choose = [(arc.alternative, arc.effect, arc.steps) for arc in arcs.ends[1, 0]]
    assert choose == [(0, None, 4), (1, None, 4)]  # the choice, a store, a condition, a return
    assert [(arc.alternative, arc.effect, arc.steps) for arc in arcs.ends[0, 1]] == [(None, 0, 2), (None, 1, 2)]
