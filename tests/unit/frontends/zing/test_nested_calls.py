"""Calls inside expressions: each is a step before the statement, from left to right, behind a test where need be."""

from __future__ import annotations

from random import Random

import pytest

import knaster
from knaster.frontends.zing.nested_calls import calls
from knaster.program.expression import TRUE, Apply, Not
from knaster.semantics.heap.explore import explore
from support.zing_text import read, steps

MEMBERS = """static int n; int f;
static int one() { return 1; } static int add(int a, int b) { n = n + 1; return a + b; } Main twin() { return this; }
static bool yes() { n = n + 10; return true; } static bool no() { n = n + 100; return false; }"""


def test_an_expression_with_a_call() -> None:
    assert calls(Not(Apply("m", ()))) and not calls(Not(TRUE))


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int i; i = one();", ["0-1 i = one()"]),
        ("int i; i = one() + 1;", ["0-1 '1 = one()", "1-2 i = '1 + 1"]),
        ("int i; i = n + one();", ["0-1 '1 = Main.n", "1-2 '2 = one()", "2-3 i = '1 + '2"]),
        ("int i; i = i + one();", ["0-1 '1 = one()", "1-2 i = i + '1"]),
        ("add(one(), one());", ["0-1 '1 = one()", "1-2 '2 = one()", "2-3 add('1, '2)"]),
        ("assert(yes());", ["0-1 '1 = yes()", "1-2 assume('1)", "1-4 assume(!'1)"]),
        ("Main m; m.twin().f = 1;", ["0-1 '1 = twin(m)", "1-2 '1.f = 1"]),
        ("I x; int k; k = -x.get(4);", ["0-1 '1 = I.get(x, 4)", "1-2 k = 0 - '1"]),
        ("async add(1, one());", ["0-1 '1 = one()", "1-2 async add(1, '1)"]),
        ('trace("{0} {1}", "a", one());', ["0-1 '1 = one()", "1-2 trace('a {0}')"]),
    ],
)
def test_a_call_is_a_step_before(body: str, found: list[str]) -> None:
    assert steps(body, MEMBERS)[: len(found)] == found


def test_the_right_side_of_a_connective_is_behind_a_test() -> None:
    assert steps("bool b; b = b && yes();", MEMBERS)[:7] == [
        *("0-1 assume(b)", "0-3 assume(!b)"),
        *("1-2 '2 = yes()", "2-4 '1 = '2", "3-4 '1 = false"),
        *("4-5 b = '1", "5-6 return"),
    ]


def test_a_loop_calls_again() -> None:
    assert steps("while (yes()) ;", MEMBERS)[:4] == ["0-1 '1 = yes()", "1-2 assume('1)", "1-3 assume(!'1)", "2-0 ;"]


def test_what_calls_leave_is_forgotten() -> None:
    edges = read("int i; i = n + one(); i = 2;", MEMBERS).procedure("main").edges
    assert [edge.forgets for edge in edges[:3]] == [(), (), ("'1", "'2")]


@pytest.mark.parametrize(
    "body",
    [
        "int i; i = n + add(1, 1) + n; assert(i == 3);",  # the first n is 0, the second 1
        "bool b; b = no() && yes(); assert(!b && n == 100);",
        "bool b; b = yes() || no(); assert(b && n == 10);",
        "int i; while (add(i, 0) < 3) i = i + 1; assert(n == 4);",
        "A a; int s; a = new A[2]; a[add(0, 1)] = add(2, 3) + 1; assert(a[1] == 6);",
        "int s; foreach (int x in made()) s = s + x; assert(s == 5 && n == 1);",
        "int i; i = add(add(1, 2), add(3, add(4, 5))); assert(i == 15 && n == 4);",
    ],
)
def test_what_calls_do(body: str) -> None:
    members = MEMBERS + " static A made() { A a = new A[2]; a[0] = 2; a[1] = 3; n = n + 1; return a; }"
    result = knaster.check(read(body, members))
    assert result.verdict is knaster.Verdict.TRUE, result.reason


class _Writer:
    """Writes a random expression, and what it is worth where `n` begins with 0, from left to right."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.n = rng, 0

    def number(self, depth: int) -> tuple[str, int]:
        kind = self.rng.choice(("n", "3", "add", "sum", "less")) if depth else "n"
        if kind == "n":
            return "n", self.n
        if kind == "3":
            return "3", 3
        if kind == "add":
            (left, a), (right, b) = self.number(depth - 1), self.number(depth - 1)
            self.n += 1
            return f"add({left}, {right})", a + b
        if kind == "sum":
            (left, a), (right, b) = self.number(depth - 1), self.number(depth - 1)
            return f"({left} - {right})", a - b
        text, value = self.truth(depth - 1)
        return f"count({text})", int(value)

    def truth(self, depth: int) -> tuple[str, bool]:
        if not depth or self.rng.random() < 0.4:
            (left, a), (right, b) = self.number(depth), self.number(depth)
            return f"({left} < {right})", a < b
        text, value = self.truth(depth - 1)
        connective, n = self.rng.choice(("&&", "||")), self.n
        other, second = self.truth(depth - 1)
        if value != (connective == "&&"):  # the right side is not evaluated
            self.n, second = n, value
        return f"({text} {connective} {other})", second


def test_random_expressions_are_evaluated_from_left_to_right() -> None:
    rng, members = Random(7), MEMBERS + " static int count(bool b) { int k; if (b) k = 1; return k; }"
    for _ in range(120):
        writer = _Writer(rng)
        text, value = writer.number(4)
        body = f"int i; i = {text}; assert(i == {value}); assert(n == {writer.n});"
        program = read(body, members)
        assert explore(program).failures == set(), body
        assert knaster.check(program).verdict is knaster.Verdict.TRUE, body
