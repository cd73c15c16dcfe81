"""How many threads a program can start, and which procedures they can be in."""

from __future__ import annotations

import pytest

from knaster.frontends.boolean import parse
from knaster.frontends.zing import parse as parse_model
from knaster.program.threads import most_started, reachable_procedures, recursive_procedure, why_no_standstill

HEAD = "decl g;\n"
REST = "void f() begin g := 1; end\nvoid never() begin never(); end\n"


@pytest.mark.parametrize(
    ("body", "most"),
    [
        ("skip;", 0),
        ("start_thread goto L; L: f();", 1),
        ("if (*) then start_thread goto L; fi start_thread goto L; L: skip;", 2),
        ("while (*) do start_thread goto L; od L: skip;", None),
        ("while (*) do skip; od start_thread goto L; L: skip;", 1),
    ],
)
def test_most_started(body: str, most: int | None) -> None:
    program = parse(f"{HEAD}void main() begin {body} end\n{REST}")
    assert most_started(program) == most
    assert (why_no_standstill(program) is None) == (most is not None)


def test_recursion_counts_where_a_thread_can_be() -> None:
    program = parse(f"{HEAD}void main() begin f(); end\n{REST}")
    assert reachable_procedures(program) == ["main", "f"] and recursive_procedure(program) is None
    program = parse(f"{HEAD}void main() begin never(); end\n{REST}")
    assert recursive_procedure(program) == "never" and "'never' calls itself" in (why_no_standstill(program) or "")


def test_a_call_through_an_interface_leads_to_every_method() -> None:
    text = """interface I { void go(); };
class A : I { void go() { async Main.other(); async Main.other(); } };
class B : I { void go() { Main.other(); } };
class Main { static I i; activate static void main() { i = new A; i.go(); } static void other() { } };
"""
    program = parse_model(text, "m.zing")
    assert {"A.go", "B.go", "other"} <= {name.removeprefix("Main.") for name in reachable_procedures(program)}
    assert most_started(program) == 2 and recursive_procedure(program) is None
    again = parse_model(text.replace("Main.other();", "this.go();", 3).replace("async this.go()", "async Main.other()"))
    assert recursive_procedure(again) is not None
