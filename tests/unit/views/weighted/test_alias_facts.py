"""Aliases of C programs: the thesis' analysis on its example, memory, calls through pointers, and what is refused."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UnsupportedError, UsageError
from knaster.evidence.answers.facts import CALLERS, Alias
from knaster.views.weighted.alias_facts import AliasFacts

HEAD = "#include <stdlib.h>\n#include <string.h>\nint u, v, *g;\n"


def told(text: str) -> dict[int, set[str]]:
    """Return what is told of each line, `=` where it is always so and `~` where it may be."""
    facts = knaster.facts(text, "aliases", file="p.c")
    return {row.line: {shown(each) for each in row.equations or () if isinstance(each, Alias)} for row in facts.lines}


def shown(fact: Alias) -> str:
    return f"{fact.left}{'=' if fact.always else '~'}{fact.right}"


def at_end(body: str, before: str = "") -> set[str]:
    """Return what is told of the end of a main function with this body."""
    text = f"{HEAD}{before}\nint main(void) {{ {body}\n  return 0;\n}}\n"
    return told(text)[text.count("\n") - 1]


def test_the_example_of_the_specification() -> None:
    """X10: a callee keeps its parameter or not; the caller's own variables come back into sight."""
    text = (
        "int u, v, *g;\nvoid set(int *f) {\n  if (u) g = f;\n  else g = &v;\n  return;\n}\n"
        "int main(void) {\n  int a, c, *p, *q, *r;\n  p = &a;\n  q = p;\n  r = &c;\n  set(p);\n  p = &u;\n"
        "  return 0;\n}\n"
    )
    lines = told(text)
    assert lines[10] == {"g=0", "p=&a"}
    assert lines[5] == {"g~&v", f"g~{CALLERS}", f"f~{CALLERS}", "f~g"}
    assert lines[13] == {"g~&a", "g~&v", "p=&a", "q=&a", "r=&c"}
    assert lines[14] == {"g~&a", "g~&v", "p=&u", "q=&a", "r=&c"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int *p = malloc(4), *q = p, *r = malloc(4);", {"p~&malloc@5", "q=p", "r~&malloc@5"}),
        ("int a[4], *p = a + 1, *q = a; q = q + 0;", {"p~&a", "q=&a"}),
        ("int *p, *q; p = 0; q = p;", {"p=0", "q=0"}),
        ("int a, *p = &a, **s = &p; *s = &u; int *q = *s;", {"p~&u", "p~&a", "s=&p", "q~&u", "q~&a", "p~q"}),
        ("int *p = u ? &u : &v;", {"p~&u", "p~&v"}),
        ("int *p; { int c; p = &c; }", set()),
        ("int *p = &u, *q; memcpy(&q, &p, sizeof p);", {"p~&u", "q~&u", "q~p"}),
        ("struct s { int *f; } s; s.f = &u; int *p = s.f;", {"p~&u"}),
    ],
)
def test_statements(body: str, expected: set[str]) -> None:
    assert at_end(body) - {"g=0"} == expected


def test_calls_through_pointers_reach_every_function_that_may_be_meant() -> None:
    before = "void a(void) { g = &u; } void b(void) { g = &v; } void c(void) { g = 0; }"
    assert at_end("void (*f)(void) = u ? a : b; f(); f = c;", before) == {"g~&u", "g~&v", "f=&c"}


def test_what_a_callee_reads_from_memory_may_be_what_its_caller_has() -> None:
    before = "int *h, **s = &h; void f(void) { g = *s; }"
    assert at_end("int *p = malloc(4); h = p; f();", before) >= {"g~&malloc@5", "p~&malloc@5", "p~g"}


def test_arguments_after_the_named_ones() -> None:
    before = "#include <stdarg.h>\nint *f(int n, ...) { va_list l; va_start(l, n); return va_arg(l, int *); }"
    assert at_end("int *p = f(1, &u);", before) >= {"p~&u"}


def test_summaries() -> None:
    text = "int *g, v;\nint *f(int *p) { g = &v; return p; }\nint main(void) { int a; return *f(&a); }\n"
    [row] = knaster.facts(text, file="p.c").summaries
    assert row.equations == (Alias("\\result", "\\old(p)", True), Alias("g", "&v", True))


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match=r"aliases are of pointers, and p\.c has none"):
        AliasFacts(knaster.parse("int main(void) { return 0; }\n", file="p.c"))
    many = "".join(f"int a{n}, *p{n} = &a{n}; " for n in range(80))
    with pytest.raises(UnsupportedError, match="between 150 pointers and objects at most"):
        AliasFacts(knaster.parse(f"int main(void) {{ {many} return 0; }}\n", file="p.c"))
