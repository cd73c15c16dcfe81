"""The reference model: targets stand where they stood, runs come back, and what has no model is refused."""

from __future__ import annotations

import pytest

import knaster
from knaster.checkers.runs.replay import replay
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.questions.question import Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.languages import load
from knaster.program.model import Kind
from knaster.transform.reference_models.reference_model import reference_model, why_not_referred

TEXT = """decl g, h; init (!g & !h);
void main_1() begin g, h := h, T; X: skip; end
void main_2() begin decl l; assume(h); l := f(l); Y: skip; end
bool f(p) begin if (*) then p := f(!p); fi return p; end
"""


def test_targets_have_their_places() -> None:
    program = load(TEXT)
    reduction = reference_model(program, Reach(resolve_targets(program, "all-labels")))
    assert reduction is not None and reduction.exact and reduction.program.kind is Kind.REFERENCES
    for target, asked in reduction.targets.items():
        labels = dict(reduction.program.procedure(target.procedure).labels)
        assert labels[asked.name] == target.location and target.name == asked.name
    assert reference_model(reduction.program, reduction.question) is None


@pytest.mark.parametrize("engine", ["transactions"])
def test_runs_come_back(engine: str) -> None:
    program = load(TEXT)
    for target, answer in knaster.check(program, "all-labels", engine=engine).answers:
        assert isinstance(answer, Reachable) and answer.trace is not None
        replay(program, answer.trace, target)


def test_a_target_at_the_entry_of_a_thread() -> None:
    text = "decl g; void main_1() begin X: g := *; end void main_2() begin Y: skip; end\n"
    for label in ("X", "Y"):
        ((_, answer),) = knaster.check(text, label, engine="transactions").answers
        assert isinstance(answer, Reachable) and answer.checked


@pytest.mark.parametrize("engine", ["visible", "patterns"])
def test_a_target_at_the_entry_of_a_procedure(engine: str) -> None:
    text = "decl g; void main() begin X: g := *; f(); end void f() begin Y: g := *; if (g) then Z: skip; fi end\n"
    result = knaster.check(text, "all-labels", engine=engine)
    assert all(isinstance(answer, Reachable) and answer.checked for _, answer in result.answers)


def test_why_there_is_none() -> None:
    one, two = "void main_1() begin {} end\n", "void main_2() begin skip; end\n"
    assert why_not_referred(load("decl g; init (g = *); " + one.format("skip;") + two)) == "a free choice in 'init'"
    enforced = "decl g; " + one.format("enforce (g); skip;") + two
    assert "enforce" in (why_not_referred(load(enforced)) or "")
    assert why_not_referred(load("decl g; " + one.format("skip;") + two)) is None
