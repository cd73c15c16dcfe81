"""How many threads a program can start, and which procedures they can be in."""

from __future__ import annotations

import pytest

from knaster.frontends.boolean import parse
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
