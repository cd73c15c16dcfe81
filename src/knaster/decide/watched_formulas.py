"""Safety formulas about C programs: decided as reachability of a violation, on the program beside a monitor."""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.records import replace
from knaster.evidence.answers.answer import Answer, Reachable, Result, Unreachable
from knaster.evidence.questions.question import VIOLATION, Question, Reach, Target, Temporal
from knaster.program.kind import Kind
from knaster.program.model import Program
from knaster.transform.reduction import Reduction


def watch_question(program: Program, question: Question) -> Reduction | None:
    """Return a C program with the monitor of a formula; None where the question is none that one can answer."""
    if not isinstance(question, Temporal) or program.kind is not Kind.INTEGERS:
        return None
    from knaster.transform.formula_monitor import why_no_monitor

    if why_no_monitor(program, question):
        return None
    from knaster.transform.formula_product import watch_formula

    return watch_formula(program, question)


def decide_watched(reduction: Reduction, decide: Callable[[Program, Question, Reduction], Result]) -> Result:
    """Return the result about a formula, with one answer: a violation, or that there is none."""
    asked = Reach(tuple(reduction.targets.values()), first=True)
    result = decide(reduction.original, asked, reduction)
    hit = next((each for each in result.answers if isinstance(each[1], Reachable)), None)
    if hit is None:
        others = [answer for _, answer in result.answers]
        weakest: Answer = next((answer for answer in others if not isinstance(answer, Unreachable)), others[0])
        hit = Target(asked.targets[0].name, "", 0, 0, VIOLATION), weakest
    return replace(result, answers=(hit,), question=Reach((hit[0],), first=True), unreached=None)
