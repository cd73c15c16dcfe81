"""Zing models without a heap as Boolean programs: the same asserts fail, and every run is one of the model."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import knaster
from knaster.base.errors import KnasterError
from knaster.evidence.answers.answer import Reachable, Unknown, Verdict
from knaster.frontends.zing import parse
from knaster.program.model import Program
from knaster.transform.flat_models.flatten import why_not_flat
from support import ROOT
from support.generators.zing_flat import random_flat_model

ZING = ROOT / "examples" / "zing"


def failing(program: Program, engine: str, **options: Any) -> list[int]:
    result = knaster.check(program, "asserts", engine=engine, **options)
    found = [(target.line, answer) for target, answer in result.answers if isinstance(answer, Reachable)]
    for line, answer in found:
        assert answer.checked and answer.failure is not None and answer.failure.line == line
    assert not any(isinstance(answer, Unknown) for _, answer in result.answers)
    return sorted(line for line, _ in found)


def test_random_models() -> None:
    compared = hits = 0
    for number in range(10):
        program = parse(random_flat_model(Random(f"flat {number}")))
        if not program.is_threaded:
            continue
        wanted = failing(program, "explicit")
        assert failing(program, "states") == wanted, number
        assert set(failing(program, "lazy", switches=1)) <= set(wanted), number
        compared += 1
        hits += len(wanted)
    assert compared > 5 and hits > 5


def test_threads_that_recurse() -> None:
    whole = knaster.check(ZING / "par-recursion.zing", "asserts", engine="modular")
    assert whole.verdict is Verdict.TRUE and whole.answers[0][1].checked
    answer = knaster.check(ZING / "par-recursion-bad.zing", "asserts", engine="lazy").answers[0][1]
    assert isinstance(answer, Reachable) and answer.checked and answer.failure is not None
    assert answer.failure.line == 14


@pytest.mark.parametrize("trace", [False, True])
def test_what_fails_is_said_without_a_trace(trace: bool) -> None:
    evidence = knaster.Evidence(traces=trace)
    found = knaster.check(ZING / "par-recursion-bad.zing", "asserts", engine="lazy", evidence=evidence)
    answer = found.answers[0][1]
    assert isinstance(answer, Reachable) and answer.failure is not None
    assert (answer.failure.kind, answer.failure.category) == ("assertion", "assertion-failure")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("x = x + 1;", "'Main.x' has many values"),
        ("x = 1 / x;", "perhaps a division by zero"),
        ("C c; c = new C;", "'c' lives in a heap"),
        ("raise E;", "a statement needs a heap"),
        ("x = self;", "an expression needs a heap"),
    ],
)
def test_what_is_no_boolean_program(body: str, why: str) -> None:
    program = parse(f"class C {{ }}; class Main {{ static int x; activate static void main() {{ {body} }} }};\n")
    assert why_not_flat(program) == why


def test_what_is_refused_is_said() -> None:
    with pytest.raises(
        KnasterError, match=r"it checks Boolean programs, and this model is none: 'Main\.inside' has many"
    ):
        knaster.check(ZING / "peterson.zing", "asserts", engine="modular")
    with pytest.raises(KnasterError, match="of Zing models it decides which places are reached"):
        knaster.check(ZING / "par-recursion.zing", engine="modular")
