"""Forced runs are those that the search by rings finds."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from knaster.base.limits import Budget, Limits
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.frontends.boolean.programs import parse
from knaster.program.model import Program
from knaster.views.summaries.forced_runs import ForcedRuns
from knaster.views.summaries.path_edges import Summaries
from knaster.views.summaries.shortest_traces import find_traces
from knaster.views.symbolic.encoding import encode
from support.generators.boolean_programs import SMALL, random_program

DECIDED = replace(SMALL, choice=0.01, constrained=0.0, enforced=0.0, locals=(0, 0))
COUNTDOWN = """
void main() begin decl e; e := even(1, 1, 0); if (!e) then ERROR: skip; fi end
bool even(a, b, c) begin
  decl r;
  if (!a & !b & !c) then return 1; fi
  r := odd(!a, a = b, (a | b) = c);
  return r;
end
bool odd(a, b, c) begin
  decl r;
  if (!a & !b & !c) then return 0; fi
  r := even(!a, a = b, (a | b) = c);
  return r;
end
"""


def reachable_traces(program: Program) -> dict[Target, Trace]:
    """Return a trace to every third place that some run reaches."""
    symbolic, budget = encode(program), Budget.of(Limits(), None)
    summaries = Summaries(symbolic, budget)
    summaries.demand(symbolic.entry, symbolic.initial())
    summaries.run()
    places = sorted(summaries.visited_places())[::3]
    return find_traces(symbolic, summaries, [Target(f"{p}-{q}", p, q, 1) for p, q in places], budget)


@pytest.mark.parametrize("programs", [40, pytest.param(1500, marks=pytest.mark.slow)])
def test_forced_runs_change_no_trace(monkeypatch: pytest.MonkeyPatch, programs: int) -> None:
    monkeypatch.setattr("knaster.views.summaries.shortest_traces.SEARCHED", 0)
    rng = Random(5)
    asked: list[bool] = []
    find = ForcedRuns.find

    def count(self: ForcedRuns, name: str, inputs: dict[str, bool]) -> object:
        run = find(self, name, inputs)
        asked.append(run is not None)
        return run

    for _ in range(programs):
        program = random_program(rng, DECIDED)
        monkeypatch.setattr(ForcedRuns, "find", lambda *_: None)
        searched = reachable_traces(program)
        monkeypatch.setattr(ForcedRuns, "find", count)
        for target, trace in reachable_traces(program).items():
            assert list(trace) == list(searched[target]), target
    assert sum(asked) > 5 and not all(asked)


def test_a_procedure_that_chooses_has_no_forced_run() -> None:
    program = parse("void main() begin f(); g(); end void f() begin g(); end void g() begin if (*) then skip; fi end")
    runs = ForcedRuns(encode(program), Budget.of(Limits(), None))
    assert runs.find("g", {}) is None and runs.find("f", {}) is None


def test_equal_entries_share_their_run() -> None:
    program = parse(COUNTDOWN)
    runs = ForcedRuns(encode(program), Budget.of(Limits(), None))
    run = runs.find("even", {"a": True, "b": True, "c": False})
    assert run is not None and run is runs.find("even", {"a": True, "b": True, "c": False})
    assert run.insides == [runs.find("odd", {"a": False, "b": True, "c": False})]
