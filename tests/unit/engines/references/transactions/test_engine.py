"""Transactions: threads that recurse are decided, with traces and tables, and the rest is UNKNOWN with a reason."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import KnasterError
from knaster.evidence.answers.answer import Reachable, Result, Verdict
from knaster.evidence.proofs.heap.transaction_table import TransactionTable
from support import ROOT

EXAMPLES = ROOT / "examples" / "zing"
LOCK = "atomic { select { wait(!m) -> m = true; } }"


def check(text: str, **options: object) -> Result:
    return knaster.check(text + "\n", engine="transactions", **options)  # type: ignore[arg-type]


def par_recursion(written: int, again: str = "s = choose(bool); foo(s);") -> str:
    return f"""class Main {{
      static int g; static bool m;
      activate static void main() {{ async Run(); async Run(); }}
      static void Run() {{ bool q; q = choose(bool); foo(q); {LOCK} assert(g == 1); m = false; }}
      static void foo(bool r) {{
        bool s;
        if (!r) {{ {again} }} else {{ {LOCK} g = {written}; m = false; }}
      }}
    }};"""


@pytest.mark.parametrize("again", ["s = choose(bool); foo(s);", "foo(r);"])
def test_threads_that_recurse(again: str) -> None:
    result = check(par_recursion(1, again))
    assert result.verdict is Verdict.TRUE and result.answers[0][1].checked
    assert isinstance(result.proof, TransactionTable) and int(result.stats["states"]) <= 25
    answer = check(par_recursion(2, again)).answers[0][1]
    assert isinstance(answer, Reachable) and answer.checked and answer.failure is not None
    assert answer.failure.kind == "assertion"


def in_cell(text: str) -> str:
    """Return a model whose lock is in a cell."""
    text = text.replace("(!m)", "(!m.held)").replace("m = true", "m.held = true").replace("m = false", "m.held = false")
    return "class Mutex { bool held; int k; };\n" + text.replace("static bool m;", "static Mutex m = new Mutex;")


def test_a_lock_in_a_cell() -> None:
    result = check(in_cell(par_recursion(1)))
    assert result.verdict is Verdict.TRUE and result.answers[0][1].checked and int(result.stats["states"]) <= 25
    answer = check(in_cell(par_recursion(2))).answers[0][1]
    assert isinstance(answer, Reachable) and answer.checked
    data = in_cell(par_recursion(1)).replace("g = 1;", "m.k = 1; g = 1;").replace("(g == 1)", "(g == 1 && m.k < 2)")
    result = check(data)
    assert result.verdict is Verdict.TRUE and int(result.stats["breaks"]) == 0
    assert isinstance(result.proof, TransactionTable) and result.proof.locks == ("Main.m.held",)
    free = data.replace("m.k = 1; g = 1;", "g = 1;").replace("foo(q);", "m.k = 1; foo(q);")
    assert int(check(free, states=200).stats["breaks"]) >= 1


def test_a_lock_that_another_thread_releases() -> None:
    text = f"""class Main {{
      static int g; static bool m;
      activate static void one() {{ {LOCK} g = 1; assert(g == 1); m = false; }}
      activate static void two() {{ m = false; {LOCK} g = 2; m = false; }}
    }};"""
    result = check(text)
    assert result.verdict is Verdict.FALSE and int(result.stats["breaks"]) >= 1


def test_a_lock_that_is_held_at_the_end() -> None:
    text = f"""class Main {{
      static bool m;
      activate static void one() {{ {LOCK} }}
      activate static void two() {{ {LOCK} }}
    }};"""
    answer = check(text).answers[0][1]
    assert isinstance(answer, Reachable) and answer.failure is not None and answer.failure.kind == "deadlock"


def test_a_lock_that_is_taken_twice() -> None:
    text = f"class Main {{ static bool m; activate static void one() {{ {LOCK} {LOCK} m = false; }} }};"
    answer = check(text).answers[0][1]
    assert isinstance(answer, Reachable) and answer.failure is not None and answer.failure.kind == "deadlock"


def test_locks_in_opposite_orders() -> None:
    other = LOCK.replace("(!m)", "(!n)").replace("m = t", "n = t")
    text = f"""class Main {{
      static bool m; static bool n;
      activate static void one() {{ {LOCK} {other} n = false; m = false; }}
      activate static void two() {{ {other} {LOCK} m = false; n = false; }}
    }};"""
    answer = check(text).answers[0][1]
    assert isinstance(answer, Reachable) and answer.failure is not None and answer.failure.kind == "deadlock"


def test_recursion_in_which_transactions_end_is_unknown() -> None:
    text = """class Main { static int g;
      activate static void one() { foo(); }
      activate static void two() { foo(); }
      static void foo() { bool b; g = 1 - g; b = choose(bool); if (b) { foo(); } } };"""
    result = check(text, states=50)
    assert result.verdict is Verdict.UNKNOWN
    assert "the limit of 50 states between transactions was reached" in result.reason


def test_a_place_is_reached() -> None:
    text = par_recursion(1).replace("g = 1;", "g = 1; here: ;")
    answer = check(text, question="here").answers[0][1]
    assert isinstance(answer, Reachable) and answer.checked


def test_threads_that_are_started_inside_a_region_with_cells() -> None:
    result = knaster.check(EXAMPLES / "philosophers.zing", engine="transactions")
    assert result.verdict is Verdict.TRUE and result.answers[0][1].checked
    answer = knaster.check(EXAMPLES / "philosophers-deadlock.zing", engine="transactions").answers[0][1]
    assert isinstance(answer, Reachable) and answer.checked


def test_switches_are_not_counted() -> None:
    with pytest.raises(KnasterError, match="it does not count switches"):
        check(par_recursion(1), switches=2)
