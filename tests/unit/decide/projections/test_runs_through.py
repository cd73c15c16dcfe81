"""Runs through edges: replayed where there are some, and together all that there are."""

from __future__ import annotations

import knaster
from knaster.base.limits import Budget
from knaster.decide.projections.runs_through import cover, edges_on, run_through
from knaster.evidence.questions.targets import resolve_targets

TEXT = """decl g;
void main() begin
  if (*) then g := T; else g := F; fi
  f();
end
void f() begin
  if (*) then assert(!g); else skip; fi
end
"""


def test_runs() -> None:
    program = knaster.parse(TEXT)
    targets = resolve_targets(program, "asserts")
    edges = [edge for own in program.procedures for edge in own.edges]
    runs = list(cover(program, targets, edges, Budget()))
    taken = {id(edge) for _, run in runs for edge in edges_on(run)}
    alone = {id(edge) for edge in edges if run_through(program, targets, [[edge]], Budget()) is not None}
    assert taken == alone
    assert 0 < len(alone) < len(edges)
