"""Inputs of a trace: which values the run reads, where, and not those that nobody needs."""

from __future__ import annotations

import knaster
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.traces.inputs import Input, list_inputs

TEXT = """int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int twice(void) { return 2 * __VERIFIER_nondet_int(); }
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = twice();
  if (a == 7 && b == 4) reach_error();
  return 0;
}
"""


def found(limit: int = 100) -> list[Input]:
    result = knaster.check(TEXT, file="a.c", engine="search")
    ((_, answer),) = result.answers
    assert isinstance(answer, Reachable) and answer.trace is not None
    return list_inputs(result.program, answer.trace, limit)


def test_in_the_order_of_execution() -> None:
    assert [(one.line, one.procedure, one.name, one.value) for one in found()] == [
        (5, "main", "__VERIFIER_nondet_int()", 7),
        (3, "twice", "__VERIFIER_nondet_int()", 2),
    ]


def test_not_more_than_are_wanted() -> None:
    assert [one.value for one in found(1)] == [7]
