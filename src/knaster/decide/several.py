"""Decides several targets of one program over integers: all together, and then one by one those that were left.

Together they cost little where all of them are easy, and one that is hard hides the others.  So a share of the time and
of the units is spent on all; what is left is shared by the targets that are still open, and what is decided is kept.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.limits import Budget
from knaster.base.options import Options
from knaster.base.records import fields, replace
from knaster.decide.choose import Method
from knaster.evidence.answers.answer import Answer, Result, Unknown
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.questions.question import Question, Reach, Target
from knaster.program.model import Kind, Program

TOGETHER = 3  # all targets together get one part in so many, those that are left the others
Deciding = Callable[[Method, Budget, Program, Question], Result]


def is_several(program: Program, question: Question) -> bool:
    """Tell whether targets are to be decided that may be hard each in its own way."""
    several = isinstance(question, Reach) and len(question.targets) > 1 and not question.first
    return several and program.kind is Kind.INTEGERS and not program.is_threaded


def decide_several(
    program: Program, question: Question, method: Method, budget: Budget, decide: Deciding, ledger: Ledger
) -> Result:
    """Return an answer for every target, as far as time and units go."""
    assert isinstance(question, Reach)
    share = replace(method.options, **share_of_units(method.options, 1, TOGETHER))
    first = decide(method._replace(options=share), part_of_time(budget, TOGETHER), program, question)
    answers: dict[Target, Answer] = dict(first.answers)
    left = [target for target in question.targets if isinstance(answers[target], Unknown)]
    ledger.settle(answers)
    if not left or budget.overdrawn():
        return first
    own = replace(method.options, **share_of_units(method.options, TOGETHER - 1, TOGETHER * len(left)))
    last = first
    for number, target in enumerate(left):
        part = part_of_time(budget, len(left) - number)
        last = decide(method._replace(options=own), part, program, Reach((target,), first=True))
        answers |= dict(last.answers)
        ledger.settle(answers)
        if budget.overdrawn():
            break
    return replace(
        first,
        answers=tuple((target, answers[target]) for target in question.targets),
        stats={**first.stats, **last.stats},
        notes=tuple(dict.fromkeys((*first.notes, *last.notes))),
        unreached=None,
    )


def part_of_time(budget: Budget, parts: int) -> Budget:
    """Return one of so many parts of the time that is left, all of it where there is one part or no limit."""
    left = budget.seconds_left
    return budget if left is None or parts <= 1 else budget.part(left / parts)


def share_of_units(options: Options, share: int, whole: int) -> dict[str, int]:
    """Return a share of the units that the options allow; nothing where they allow none."""
    if not any(field.name == "units" for field in fields(type(options))):
        return {}
    return {"units": max(1, getattr(options, "units") * share // whole)}  # noqa: B009
