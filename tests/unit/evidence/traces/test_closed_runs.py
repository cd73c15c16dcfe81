"""Calls that stay closed: a long trace says the same of three lines as a look into all of its runs."""

from __future__ import annotations

from random import Random

from knaster.evidence.traces.closed_runs import ClosedRuns
from knaster.evidence.traces.relevance import Relevance
from knaster.evidence.traces.trace import has_more_steps
from knaster.frontends.boolean.programs import parse
from support.generators.boolean_programs import SMALL, random_program
from support.oracles.random_runs import random_trace

PROGRAM = """
decl g, h;
void main() begin
  decl x, y;
  g, y := 1, 0;
  x := f(y);
  if (x) then ERROR: skip; fi
end
bool f(p) begin
  decl q;
  q := p | g;
  h := *;
  return q;
end
"""


def test_a_closed_call_needs_what_its_run_reads_and_no_more() -> None:
    program = parse(PROGRAM)
    rng = Random(1)
    trace = next(
        trace
        for trace in iter(lambda: random_trace(rng, program), None)
        if any(step.inside is not None and step.edge.target for path in trace.paths for step in path.steps)
    )
    run = next(step.inside for path in trace.paths for step in path.steps if step.inside is not None)
    runs = ClosedRuns(program)
    result = program.procedures[1].results[0]
    closed, start = runs.close(run, {result})
    assert start == {"g", "p"}
    assert runs.known_at_end(run, closed, {"g", "p"}) >= {"g", result}
    assert "h" not in runs.known_at_end(run, closed, {"g", "p"})  # chosen, and nobody needs it
    wanted, start = runs.close(run, {"h"})
    assert not start and "h" in runs.known_at_end(run, wanted, ())


def test_closed_runs_need_at_least_what_a_look_inside_says() -> None:
    rng = Random(4)
    for _ in range(100):
        program = random_program(rng, SMALL)
        trace = random_trace(rng, program)
        if trace is None:
            continue
        exact, closed = Relevance(program, trace), Relevance(program, trace, is_closed=True)
        assert exact.demands[-1].start <= closed.demands[-1].start


def test_steps_are_counted_once_for_each_run_and_no_further_than_asked() -> None:
    program = parse(PROGRAM)
    rng = Random(2)
    trace = random_trace(rng, program)
    assert trace is not None
    assert has_more_steps(trace, trace.expanded_length - 1)
    assert not has_more_steps(trace, trace.expanded_length)
