"""Termination and formulas of recursive programs by hand: verdicts, replayed lassos, checked proofs."""

from __future__ import annotations

import pytest

import knaster
from benchmarks.template import template
from knaster.base.limits import Budget
from knaster.engines.boolean import SummariesOptions
from knaster.engines.boolean.ranks.engine import ranks
from knaster.engines.contract import Task
from knaster.evidence.answers.answer import Diverges, Result
from support.temporal_programs import questions

WALK = (
    "void main() begin M: while (1) do walk(); od end void walk() begin U: skip; while (*) do walk(); od D: skip; end"
)


def ask(text: str, property: str, **options: object) -> Result:
    return knaster.check(text + "\n", property=property, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "text", "asked", "true"), questions())
def test_by_hand(name: str, text: str, asked: str, true: bool) -> None:
    result = ask(text, asked)
    assert result.verdict.value == ("TRUE" if true else "FALSE"), name
    assert all(answer.checked for _, answer in result.answers)


def test_the_lasso_says_how_the_stack_grows() -> None:
    result = ask(WALK, "(G F U) -> G F D")
    (_, answer), text = result.answers[0], result.to_text()
    assert isinstance(answer, Diverges) and answer.lasso is not None and answer.lasso.deeper
    assert "the stack grows by one 'walk' each time" in text and "-- the cycle ---" in text and "[U]" in text


def test_the_stem_is_a_shortest_one() -> None:
    loops = "decl a; void main() begin skip; skip; if (*) then skip; skip; skip; fi L: while (1) do M: skip; od end"
    answer = ask(loops, "F G !M").answers[0][1]
    assert isinstance(answer, Diverges) and answer.lasso is not None
    assert answer.lasso.stem.length == 3 and answer.lasso.cycle.length == 2


def test_a_counter_needs_many_rounds_and_a_limit_ends_them() -> None:
    bits = [f"b{bit}" for bit in range(6)]
    carries = ["1", *(" & ".join(bits[:bit]) for bit in range(1, 6))]
    flips = ", ".join(f"{bit} != ({carry})" for bit, carry in zip(bits, carries, strict=True))
    every, loop = ", ".join(bits), f"while (!({' & '.join(bits)})) do"
    text = f"decl {every}; void main() begin {loop} {every} := {flips}; od end"
    result = ask(text, "termination")
    assert result.verdict.value == "TRUE" and result.stats["rounds"] == 2**6
    limited = ranks(Task(result.program, result.question, Budget(seconds=0.0), SummariesOptions()))
    assert limited.ends is None and limited.unknown is not None and limited.unknown.late


def test_rounds_do_not_grow_with_the_length_of_a_program() -> None:
    rounds = {
        ask(f"void main() begin {'skip; ' * n} L: skip; end", "G (L -> F ended)").stats["rounds"] for n in (3, 60)
    }
    assert len(rounds) == 1


def test_rounds_and_visits_grow_as_the_program_does() -> None:
    """T(N) of Bebop: as many rounds for every N, and work in proportion."""
    spent = {n: ask(template(n, reachable=False), "termination").stats for n in (10, 40)}
    assert spent[10]["rounds"] == spent[40]["rounds"] == 8
    assert 3 < spent[40]["heads"] / spent[10]["heads"] < 4.2  # type: ignore[operator]
