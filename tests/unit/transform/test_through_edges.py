"""Programs that remember edges: the target is reached iff some run takes an edge of each set."""

from __future__ import annotations

import knaster
from knaster.evidence.questions.targets import resolve_targets
from knaster.program.validate import validate
from knaster.semantics.explore import reachable_locations
from knaster.transform.through_edges import remember_edges

TEXT = """decl g;
void main() begin
  if (*) then
    g := T;
  else
    g := F;
  fi
  assert(!g);
end
"""


def can_fail_by(*lines: int) -> bool:
    program = knaster.parse(TEXT)
    edges = program.procedure("main").edges
    sets = [[edge for edge in edges if edge.span.line == line] for line in lines]
    reduction = remember_edges(program, sets, resolve_targets(program, "asserts"))
    assert validate(reduction.program, "main") == []
    asked = next(iter(reduction.targets))
    return asked.place in reachable_locations(reduction.program)


def test_one_edge_of_each_set() -> None:
    assert can_fail_by(4)
    assert not can_fail_by(6)
    assert can_fail_by(3, 4, 8)
    assert not can_fail_by(4, 6)
    assert can_fail_by()
