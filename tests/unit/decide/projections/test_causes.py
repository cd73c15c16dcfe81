"""Causes: single edges first, else a smallest set of them."""

from __future__ import annotations

import knaster

HEAD = "decl a, b;\nvoid main() begin\n  a, b := F, F;\n"
ONE = HEAD + "  if (*) then\n    a := T;\n  fi\n  if (*) then b := T; fi\n  assert(!a);\nend\n"
TWO = HEAD + "  if (*) then\n    a := T;\n  fi\n  if (*) then\n    b := T;\n  fi\n  assert(!(a & b));\nend\n"
ORDER = "decl a;\nvoid main() begin\n  f(F);\n  f(T);\n  assert(!a);\nend\nvoid f(x) begin\n  a := x;\nend\n"
C = """extern int f(void);
void reach_error(void);
int main(void) {
  int n = f();
  if (n > 5)
    n = 0;
  if (n == 0)
    reach_error();
}
"""


def test_one_edge() -> None:
    causes = knaster.project(ONE, causes=True).causes
    assert causes is not None
    assert {(cause.edge.span.line, cause.always) for cause in causes.edges} == {(4, True), (5, True)}


def test_two_edges_together() -> None:
    found = knaster.project(TWO, causes=True)
    causes = found.causes
    assert causes is not None and causes.together is not None
    assert not causes.edges
    first, second = sorted(cause.edge.span.line for cause in causes.together)
    assert first in (4, 5) and second in (7, 8)
    assert "takes all of these" in found.to_text()


def test_nothing_ends_well() -> None:
    causes = knaster.project(ORDER, causes=True).causes
    assert causes is not None
    assert "no run ends well" in causes.note


def test_c() -> None:
    causes = knaster.project(C, file="p.c", causes=True).causes
    assert causes is not None
    assert {cause.edge.span.line for cause in causes.edges} >= {7}
    assert all(cause.edge.span.line in (5, 6, 7, 8) for cause in causes.edges)
