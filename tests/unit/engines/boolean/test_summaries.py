"""Bebop's algorithm: figure 1, only reachable contexts, one question or all of them, budgets, restarts."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.limits import Budget
from knaster.decide import node_tables
from knaster.decide.asked import Evidence
from knaster.evidence.answers.answer import Reachable, Unknown, Unreachable, Verdict
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Program
from knaster.views.summaries.path_edges import Summaries
from knaster.views.symbolic.encoding import encode

FIGURE_1 = """decl g;

main()
begin
    decl h;
    h := !g;
    A(g,h);
    skip;
    A(g,h);
    skip;
    if (g) then
        R: skip;
    else
        skip;
    fi
end

A(a1,a2)
begin
    if (a1) then
        A(a2,a1);
        skip;
    else
        g := a2;
    fi
end
"""

TWO_CONTEXTS = """decl g;
void main() begin
  f(0);
  if (*) then f(0); fi
  E: skip;
end
void f(x) begin
  if (x) then L: skip; fi
end
"""


def saturated(text: str) -> Summaries:
    program = knaster.parse(text)
    symbolic = encode(program, nodes=1 << 14)
    engine = Summaries(symbolic, Budget())
    engine.demand("main", symbolic.initial())
    engine.run()
    return engine


def test_figure_1_is_reachable_in_seventeen_lines() -> None:
    result = knaster.check(FIGURE_1, "R")
    assert result.verdict is Verdict.FALSE
    assert result.trace is not None
    assert result.trace.length == 6  # the calls jumped over
    assert result.trace.expanded_length == 16  # with the target itself: the paper's 17 lines
    assert result.trace.paths[0].start["g"] is True


def test_a_procedure_is_explored_only_for_the_contexts_that_reach_it() -> None:
    engine = saturated(TWO_CONTEXTS)
    frame = engine.symbolic.frames["f"]
    assert "x" in frame.rigid  # never written: one copy serves as entry value and as value now
    x = engine.symbolic.store.var(variable(frame.slots["x"], Copy.NOW))
    assert engine.path_edges("f", frame.procedure.entry) == ~x
    label = dict(frame.procedure.labels)["L"]
    assert engine.path_edges("f", label) == engine.symbolic.store.false


def test_all_labels_are_answered_in_one_run() -> None:
    result = knaster.check(TWO_CONTEXTS, "all-labels", evidence=Evidence(proofs=True))
    answers = {target.name: type(answer) for target, answer in result.answers}
    assert answers == {"E": Reachable, "L": Unreachable}


def test_one_question_stops_early_and_the_other_targets_stay_unknown() -> None:
    text = "void main() begin A: skip; B: skip; C: skip; end\n"
    everything = knaster.check(text, "all-labels")
    first = knaster.check(text, "all-labels", first=True)
    assert [type(answer) for _, answer in everything.answers] == [Reachable] * 3
    assert [type(answer) for _, answer in first.answers] == [Reachable, Unknown, Unknown]
    assert first.stats["visits"] < everything.stats["visits"]  # type: ignore[operator]


def test_the_summaries_of_a_time_are_those_found_before_it() -> None:
    engine = saturated(FIGURE_1)
    store = engine.symbolic.store
    assert engine.summary("A", 0) == store.false
    assert engine.summary("A", engine.births + 1) == engine.summary("A")
    times = range(engine.births + 2)
    assert all(engine.summary("A", t) & ~engine.summary("A", t + 1) == store.false for t in times)
    born = engine.birth("A", engine.summary("A"))
    assert engine.summary("A", born) == store.false != engine.summary("A", born + 1)


def test_a_spent_budget_is_unknown_and_says_why() -> None:
    many = "decl " + ", ".join(f"x{i}" for i in range(12)) + ";\nvoid main() begin\n"
    many += (
        "".join(f"x{i % 12} := x{(i + 1) % 12} ^ x{(i * 7) % 12};\n" for i in range(200))
        + "E: assume(F); L: skip; end\n"
    )
    late = knaster.check(many, "L", limits=knaster.Limits(seconds=0))
    assert late.verdict is Verdict.UNKNOWN
    assert "time limit" in late.reason


def test_a_node_table_that_is_too_small_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = 8
    names = [f"{side}{i}" for side in "xy" for i in range(pairs)]
    guard = " & ".join(f"(x{i} = y{i})" for i in range(pairs))
    text = f"decl {', '.join(names)};\nvoid main() begin assume({guard}); L: skip; end\n"
    monkeypatch.setattr(node_tables, "FIRST_NODES", 256)
    result = knaster.check(text, "L", order="declaration")
    assert result.verdict is Verdict.FALSE
    assert result.stats["restarts"] > 0  # type: ignore[operator]
    refused = knaster.check(text, "L", order="declaration", limits=knaster.Limits(megabytes=0))
    assert refused.verdict is Verdict.UNKNOWN
    assert "fit" in refused.reason


def test_a_thread_statement_is_refused_by_name() -> None:
    with pytest.raises(knaster.base.errors.UsageError, match=r"start_thread.*use states or "):
        knaster.check("decl g;\nvoid main() begin start_thread goto L; L: skip; end\n", "L", engine="summaries")


def test_a_program_built_in_python_is_validated() -> None:
    with pytest.raises(knaster.base.errors.SourceError, match="main"):
        knaster.check(Program((), ()))
