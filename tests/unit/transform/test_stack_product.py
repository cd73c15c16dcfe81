"""Programs with a stack: the target is reached iff a run ends with it."""

from __future__ import annotations

import pytest

import knaster
from knaster.program.model import Call
from knaster.program.validate import validate
from knaster.semantics.explore import reachable_locations
from knaster.transform.stack_product import StackFrame, add_stack

TEXT = """decl g;
void main() begin
  g := F;
  f();
  g := T;
  f();
end
void f() begin
  if (g & *) then
    f();
  fi
  skip;
end
"""


@pytest.mark.parametrize(
    ("calls", "expected"),
    [((4,), True), ((6,), True), ((6, 10), True), ((4, 10), False), ((6, 10, 10), True), ((5,), False)],
)
def test_stacks(calls: tuple[int, ...], expected: bool) -> None:
    program = knaster.parse(TEXT)
    frames = []
    for number, line in enumerate(calls):
        own = program.procedure("main" if number == 0 else "f")
        waiting = [id(e) for e in own.edges if isinstance(e.action, Call) and e.span.line == line]
        frames.append(StackFrame(own.name, waiting))
    last = next(edge.source for edge in program.procedure("f").edges if edge.span.line == 12)
    reduction = add_stack(program, [*frames, StackFrame("f")], [("f", last)])
    assert validate(reduction.program, "main") == []
    target = next(iter(reduction.targets))
    assert (target.place in reachable_locations(reduction.program)) is expected
