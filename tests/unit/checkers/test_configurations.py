"""A proof about threads holds, and nothing that is taken away from it goes unnoticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.configurations import check_configurations
from knaster.evidence.answers.answer import Unreachable, Verdict
from knaster.evidence.proofs.configurations import Configurations
from knaster.evidence.questions.question import Target

TEXT = """decl g, h;
init (!g & !h);
void main_1() begin
  decl x;
  g := f(T);
  atomic_begin; h := T; h := F; atomic_end;
  if (h) then ERROR: skip; fi
end
bool f(a) begin return a & !h; end
void main_2() begin
  start_thread k(g);
  assume(g);
end
void k(a) begin
  if (a) then g := *; end_thread; fi
end
"""


def proof_of(**asked: int) -> tuple[Configurations, Target]:
    result = knaster.check(TEXT, "ERROR", engine="states", **asked)  # type: ignore[arg-type]
    target, answer = result.answers[0]
    assert isinstance(answer, Unreachable) and answer.checked
    assert isinstance(answer.proof, Configurations)
    return answer.proof, target


@pytest.mark.parametrize("asked", [{}, {"switches": 1}, {"switches": 2}])
def test_no_configuration_can_be_missing(asked: dict[str, int]) -> None:
    proof, target = proof_of(**asked)
    check_configurations(proof, proof.program, [target], Budget())
    assert (proof.bound is None) == (asked == {})
    for number, layer in enumerate(proof.layers):
        for lane, sets in enumerate(layer):
            for key, states in sets.items():
                chosen = proof.store.pick(states)
                if chosen is None:
                    continue
                rest = states & ~proof.store.assignment(chosen)
                fewer = (*layer[:lane], {**sets, key: rest}, *layer[lane + 1 :])
                wrong = replace(proof, layers=(*proof.layers[:number], fewer, *proof.layers[number + 1 :]))
                with pytest.raises(InternalError, match="does not hold"):
                    check_configurations(wrong, proof.program, [target], Budget())


def test_a_bounded_proof_is_none_for_every_number() -> None:
    proof, target = proof_of(switches=1)
    with pytest.raises(InternalError):
        check_configurations(replace(proof, closed=True), proof.program, [target], Budget())
    with pytest.raises(InternalError, match="does not hold"):
        check_configurations(replace(proof, layers=proof.layers[-1:], closed=True), proof.program, [target], Budget())


def test_a_target_that_is_reached_is_not_excluded() -> None:
    proof, _ = proof_of()
    reached = Target("f", "f", 0, 9)
    with pytest.raises(InternalError, match="does not exclude"):
        check_configurations(proof, proof.program, [reached], Budget())


def test_the_proof_is_of_this_program() -> None:
    proof, target = proof_of()
    with pytest.raises(InternalError, match="another program"):
        check_configurations(proof, replace(proof.program), [target], Budget())


def test_what_no_run_reaches() -> None:
    result = knaster.check(TEXT, "ERROR", engine="states")
    assert result.verdict is Verdict.TRUE
    assert result.unreached is not None and [place[0] for place in result.unreached] == ["main_1"]
