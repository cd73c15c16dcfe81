"""Runs through a place: the new program reaches its targets iff the old one does so after the place."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean import parse
from knaster.program.validate import validate
from knaster.transform.through import remember_place

TEXT = """decl g;
void main()
begin
  if (g) then
    A: skip;
  else
    B: skip;
  fi
  C: skip;
  assert(!g);
end
"""
PROGRAM = parse(TEXT, "a.bp")
LABELS = dict(PROGRAM.procedure("main").labels)


def reachable(label: str, question: str) -> bool:
    """Tell whether some run stands at a label and then at a target."""
    targets = resolve_targets(PROGRAM, question)
    made = remember_place(PROGRAM, ("main", LABELS[label]), targets)
    assert validate(made.program) == [] and made.exact
    assert tuple(made.targets.values()) == tuple(targets)
    ((reached, answer),) = knaster.check(made.program, made.question).answers
    if not isinstance(answer, Reachable):
        return False
    assert answer.trace is not None
    target, trace = made.back(reached, answer.trace)
    edges = [step.edge for path in trace.paths for step in path.steps]
    assert target in targets and all(edge in PROGRAM.procedure("main").edges for edge in edges)
    assert any(edge.source == LABELS[label] for edge in edges) or target.location == LABELS[label]
    return True


@pytest.mark.parametrize(
    ("place", "target", "expected"),
    [
        ("A", "C", True),
        ("B", "C", True),
        ("A", "A", True),  # at the same time
        ("C", "A", False),  # only before it
        ("A", "B", False),
        ("A", "asserts", True),
        ("B", "asserts", False),
        ("C", "asserts", True),
    ],
)
def test_the_target_after_the_place(place: str, target: str, expected: bool) -> None:
    assert reachable(place, target) is expected


def test_the_global_has_a_new_name() -> None:
    program = parse(TEXT.replace("decl g;", "decl g, seen;"), "a.bp")
    made = remember_place(program, ("main", LABELS["A"]), ())
    assert made.program.globals == ("g", "seen", "seen_")
