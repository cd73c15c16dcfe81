"""Steps that nobody notices, statement by statement: they read and write variables of their own frame alone."""

from __future__ import annotations

import pytest

import knaster
from knaster.checkers.heap.private_steps import PrivateSteps
from knaster.program.model import Call, Edge, Return
from knaster.semantics.heap.configuration import Frame
from knaster.semantics.heap.interpreter import Machine

TEXT = """struct Pair {{ int a; int b; }};
class C {{ C f; int v; }};
array Many[] int;
class Main {{ static int s; static C g;
activate static void main() {{ int x; int y; bool b; C c; Pair p; Many m; {} }}
static int work(int a) {{ return a; }}
static int other(int a) {{ return s; }}
static void still(int a) {{ return; }} }};
"""


def first_edges(statement: str) -> tuple[PrivateSteps, Machine, list[Edge]]:
    machine = Machine(knaster.parse(TEXT.format(statement), file="a.zing"))
    return PrivateSteps(machine), machine, list(machine.procedures["main"].leaving[machine.procedures["main"].entry])


def is_private(statement: str, base: bool = False) -> bool:
    steps, machine, _ = first_edges(statement)
    return steps.has_next([Frame("main", machine.procedures["main"].entry, base, {})])


@pytest.mark.parametrize(
    ("statement", "private"),
    [
        ("x = y;", True),
        ("x = y + 1;", True),
        ("x = s;", False),
        ("s = x;", False),
        ("p.a = x;", True),
        ("c.v = x;", False),
        ("x = c.v;", False),
        ("c = g;", False),
        ("c = new C;", True),
        ("x = m[1];", False),
        ("x = sizeof(m);", False),
        ("if (b) { x = 1; }", True),
        ("if (x > y) { x = 1; }", True),
        ("if (s > y) { x = 1; }", False),
        ("if (c == null) { x = 1; }", True),
        ("if (g == null) { x = 1; }", False),
        ("while (true) { x = 1; }", True),
        ("assume(b); x = 1;", False),  # it may wait
        ("assert(b); x = 1;", False),  # it may fail
        ("assert(x > y); x = 1;", False),
        ("x = work(y);", True),
        ("x = work(s);", False),
        ("s = work(y);", True),  # the call itself; its return is not
        ("still(x);", True),
        ("still(s);", False),
        ("b = choose(bool);", False),
        ("async still(x);", False),
        ("atomic { x = y; y = x; }", False),
    ],
)
def test_statements(statement: str, private: bool) -> None:
    assert is_private(statement) is private
    assert not is_private(statement, base=True)  # the caller is inside an atomic region


@pytest.mark.parametrize(
    ("statement", "callee", "private"),
    [
        ("x = work(y);", "work", True),
        ("p.a = work(y);", "work", True),
        ("s = work(y);", "work", False),
        ("c.v = work(y);", "work", False),
        ("work(y);", "work", True),
        ("still(y);", "still", True),
        ("x = other(y);", "other", False),
    ],
)
def test_returns(statement: str, callee: str, private: bool) -> None:
    steps, machine, edges = first_edges(statement)
    (call,) = (edge for edge in edges if isinstance(edge.action, Call))
    caller = Frame("main", call.source, False, {})
    caller.calling = call
    at = next(edge.source for edge in machine.procedures[callee].edges if isinstance(edge.action, Return))
    assert steps.has_next([caller, Frame(callee, at, False, {})]) is private
    assert steps.has_next([Frame(callee, at, False, {})]) is (callee != "other")  # the first frame of a thread


def test_where_nothing_leaves_there_is_no_step() -> None:
    steps, _, _ = first_edges("x = 1;")
    assert not steps._is_private("main", [])


@pytest.mark.parametrize(
    ("statement", "asks"),
    [
        ("x = self;", True),
        ("x = y;", False),
        ("if (self > x) { x = 1; }", True),
        ("if (y > x) { x = 1; }", False),
        ("x = work(self);", True),
        ("x = work(y);", False),
        ("work(y);", False),
        ("m[self] = work(y);", True),
        ("b = choose(bool);", False),
    ],
)
def test_steps_that_ask_the_number_of_their_thread(statement: str, asks: bool) -> None:
    steps, machine, _ = first_edges(statement)
    frame = Frame("main", machine.procedures["main"].entry, False, {})
    assert [steps.asks_its_number(frame) for _ in range(2)] == [asks, asks]  # the second time it is known
