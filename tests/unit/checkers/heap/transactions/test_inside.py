"""Transactions that end inside of calls: results, exceptions and waits go back through frames, as in every state."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.heap.transactions.inside import is_public
from knaster.checkers.heap.transactions.transaction_table import check_transaction_table
from knaster.evidence.proofs.heap.transaction_table import TransactionTable
from knaster.evidence.questions.question import Target
from knaster.frontends.zing import parse
from knaster.program.model import Call
from knaster.semantics.heap.failure import ASSERTION
from knaster.semantics.heap.interpreter import Machine

LOCK = "atomic { select { wait(!m) -> m = true; } }"
TWO = "activate static void one() { work(); } activate static void two() { work(); }"
RAISING = (
    f"static void low() {{ {LOCK} x = x + 1; m = false; y = x; raise Bad; }} static void mid() {{ low(); y = 7; }}"
)
MODELS = {  # the members of a class, and what is to be said
    "a result of a call that others interrupt": (
        f"static int f() {{ x = 1; y = 1; return x + y; }} static void work() {{ int l = f(); assert(l == 2); }} {TWO}",
        "TRUE",
    ),
    "a result that others change": (
        f"static int f() {{ x = x + 1; y = 1; return x; }} static void work() {{ int l = f(); assert(l == 1); }} {TWO}",
        "FALSE",
    ),
    "a result that goes to a static": (
        f"static int f() {{ x = 1; y = 2; return 3; }} static void work() {{ z = f(); assert(z == 3); }} {TWO}",
        "TRUE",
    ),
    "a result that goes to a static of others": (
        f"static int f(int a) {{ x = 1; y = 2; return a; }} static void work() {{ z = f(x); assert(z == 0); }} {TWO}",
        "FALSE",
    ),
    "calls in calls": (
        "static int g() { x = 1; y = x; return y; } static int f() { int l = g(); y = l; return l + 1; }"
        f"static void work() {{ z = f(); assert(z == 2); }} {TWO}",
        "TRUE",
    ),
    "an exception that a lower frame handles": (
        f"{RAISING} static void work() {{ try {{ mid(); }} with {{ Bad -> z = 1; }} assert(z == 1 && y != 7); }} {TWO}",
        "TRUE",
    ),
    "an exception that skips what follows": (
        f"{RAISING} static void work() {{ try {{ mid(); }} with {{ Bad -> z = 1; }} assert(y == 7); }} {TWO}",
        "FALSE",
    ),
    "an exception that nobody handles": (
        f"{RAISING} static void work() {{ try {{ mid(); }} with {{ Other -> z = 1; }} }} {TWO}",
        "FALSE",
    ),
    "an exception inside of one transaction": (
        f"static void low() {{ raise Bad; }} static void work() {{ {LOCK} try {{ low(); x = 9; }}"
        f" with {{ Bad -> x = 1; }} assert(x == 1); m = false; }} {TWO}",
        "TRUE",
    ),
    "a lock that is taken in a call": (
        f"static void take() {{ {LOCK} }} static void work() {{ take(); x = x + 1; assert(x < 3); m = false; }} {TWO}",
        "TRUE",
    ),
    "a lock that is taken twice": (
        f"static void take() {{ {LOCK} }} static void work() {{ take(); take(); m = false; }} {TWO}",
        "FALSE",
    ),
    "a wait in a call that may be the end": (
        "static void idle() { select end { wait(x == 9) -> ; } } static void work() { y = 1; idle(); }" + TWO,
        "TRUE",
    ),
    "a new cell of a callee": (
        "static Main make() { Main c = new Main; c.own = 4; x = 1; y = 1; return c; }"
        f" static void work() {{ Main c = make(); assert(c.own == 4); }} {TWO}",
        "TRUE",
    ),
}


def text(name: str) -> str:
    return f"class Main {{ int own; static int x; static int y; static int z; static bool m; {MODELS[name][0]} }};\n"


@pytest.mark.parametrize("name", MODELS)
def test_every_state_says_the_same(name: str) -> None:
    for engine in ("explicit", "transactions"):
        result = knaster.check(text(name), file="a.zing", engine=engine)
        assert result.verdict.value == MODELS[name][1], engine


@pytest.mark.parametrize("name", [name for name, (_, said) in MODELS.items() if said == "TRUE"])
def test_no_row_can_be_left_out(name: str) -> None:
    table = knaster.check(text(name), file="a.zing", engine="transactions").proof
    assert isinstance(table, TransactionTable)
    targets = [Target("assertion", "", 0, 0, ASSERTION)]
    check_transaction_table(table, table.program, targets, Budget())
    rows, held = table.rows, table.held
    for number in range(len(rows)):
        fewer = replace(table, rows=rows[:number] + rows[number + 1 :], held=held[:number] + held[number + 1 :])
        with pytest.raises(InternalError, match="does not hold"):
            check_transaction_table(fewer, table.program, targets, Budget())


@pytest.mark.parametrize(
    ("statement", "public"),
    [
        ("f();", False),
        ("l = f();", False),
        ("x = f();", True),
        ("c.own = f();", True),
        ("p = f();", False),
        ("s.a = f();", False),
    ],
)
def test_where_a_result_goes(statement: str, public: bool) -> None:
    program = parse(
        f"struct Pair {{ int a; }}; class Main {{ int own; static int x; static int f() {{ return 1; }}"
        f" static void work(int p) {{ int l; Pair s; Main c = new Main; {statement} }}"
        " activate static void main() { work(1); } };\n"
    )
    (procedure,) = [each for each in program.procedures if "work" in each.name]
    (call,) = [edge.action for edge in procedure.edges if isinstance(edge.action, Call)]
    assert is_public(Machine(program), procedure.name, call) is public
