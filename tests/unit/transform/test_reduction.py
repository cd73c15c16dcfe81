"""Reductions: what each does to the answer, and traces without the steps that were added."""

from __future__ import annotations

from dataclasses import replace

from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.frontends.boolean import parse
from knaster.program.model import Edge, Program
from knaster.transform.reduction import Effect, Reduction, remove_added_steps

ORIGINAL = parse("decl g;\nvoid main() begin g := 1; R: skip; end\n")


def _with_an_added_step() -> Program:
    """Return the program with a variable and a step before its first one."""
    (main,) = ORIGINAL.procedures
    moved = [replace(edge, source=edge.source + 1, target=edge.target + 1, origin=edge) for edge in main.edges]
    added = Edge(0, moved[-1].action, 1, moved[0].span)
    changed = replace(main, exit=main.exit + 1, edges=(added, *moved), labels=())
    return replace(ORIGINAL, globals=(*ORIGINAL.globals, "seen"), procedures=(changed,))


def test_steps_and_variables_that_were_added_vanish() -> None:
    reduced = _with_an_added_step()
    edges = reduced.procedures[0].edges
    steps = (Step(edges[0], {"g": False, "seen": True}), Step(edges[1], {"g": True, "seen": True}))
    trace = Trace.sequential((Path("main", {"g": False, "seen": False}, steps),), 2)
    back = remove_added_steps(trace, ORIGINAL, reduced, Target("R", "main", 1, 2))
    (path,) = back.paths
    assert path.start == {"g": False} and back.location == 1
    assert [(step.edge, step.after) for step in path.steps] == [(ORIGINAL.procedures[0].edges[0], {"g": True})]


def test_effects() -> None:
    for effect in Effect:
        made = Reduction(ORIGINAL, ORIGINAL, Reach(()), effect, lambda target, trace: (target, trace), {})
        flags = (made.exact, made.under, made.over)
        assert flags == tuple(effect is each for each in (Effect.EXACT, Effect.UNDER, Effect.OVER))
