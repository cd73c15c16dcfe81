"""How a text of C is read for a question about undefined steps, and in which order the ways are tried.

A program over integers in which no step can be undefined is asked for its asserts and errors alone.  Of others, a few
runs on the program with memory come first: they decide most of what has few inputs, and find most of what is wrong.
Then a program over integers with a place for each such step (`program/checks`), which every engine takes and proofs
are about; at last runs to the limit.  What needs memory has only runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from knaster.base.errors import SourceError, UsageError
from knaster.base.limits import Budget, Limits
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import replace
from knaster.decide.asked import Asked, How, Source
from knaster.evidence.questions.properties import REACH, SAFETY, Property, Wording
from knaster.evidence.questions.question import Question
from knaster.program.checks import ORDER, UNORDERED
from knaster.program.expression import Choice
from knaster.program.model import Assign, Kind, Program
from knaster.program.types import Array

if TYPE_CHECKING:
    from knaster.evidence.answers.answer import Result

KINDS = ("division", "shift", "bounds", "overflow")  # of programs over integers
FIRST = 2_000  # the option `runs` of the first runs
_ALWAYS = {"objects": "always"}


class Stage(NamedTuple):
    """A way to read a source, the engine that is asked about what is read, and what it is asked."""

    source: Source
    how: How
    question: Wording


def in_full(source: Source, program: Program, asked: Asked) -> Asked:
    """Return what is asked of C where nobody says what: its targets, and every undefined step.

    A program over integers that somebody else has read has no places for such steps.
    """
    if asked.question is not None or program.language != "c" or source.options.get("checks"):
        return asked
    without = isinstance(source.what, Program) and program.kind is Kind.INTEGERS
    return asked._replace(question=REACH if without else SAFETY)


def stages_of(source: Source, program: Program, notes: tuple[str, ...], asked: Asked, how: How) -> list[Stage]:
    """Return the ways in which a question about undefined steps is tried; none where it is about something else.

    `program` is what was read of the source, with `notes`.
    """
    checks = _checks(program, asked)
    if isinstance(source.what, Program) or not _is_open(source):
        return []
    if checks is None:
        is_free = how == How() and "objects" not in source.options
        if not _asks_by_name(asked.question) or not is_free or not _has_unwritten_arrays(program):
            return []
        first = Stage(_with(source, _ALWAYS), How("search", {"runs": FIRST}), asked.question)
        return [first, Stage(source._replace(before=(program, notes)), how, asked.question)]
    from knaster.evidence.questions.targets import asserts_and_errors
    from knaster.program.checks.step_checks import has_steps, with_checks

    plain = source._replace(before=(program, notes))
    memory, integers = plain, plain
    if program.kind is Kind.INTEGERS:
        memory, integers = _with(source, _ALWAYS), _with(source, {"checks": checks})
        checked = with_checks(program, checks.split(",")) if checks else None
        if checked is not None:
            if asked.question == SAFETY and not has_steps(checked) and any(asserts_and_errors(program)):
                return [Stage(plain, how, REACH)]
            checked = replace(checked, reading=(*program.reading, ("checks", checks)))
            integers = integers._replace(before=(checked, notes))
    ways = _ways(memory, integers, checks, how)
    return [Stage(*way, asked.question) for way in ways]


def _ways(memory: Source, integers: Source, checks: str, how: How) -> list[tuple[Source, How]]:
    if "never" in (memory.options.get("objects"), integers.options.get("objects")):
        return [(integers, how)]
    if not checks or how.engine == "search":
        return [(memory, how)]
    if how.engine is not None or how.options or checks == "leak":  # a program over integers has no heap
        return [(integers, how)]
    return [(memory, How("search", {"runs": FIRST})), (integers, how), (memory, how)]


def _checks(program: Program, asked: Asked) -> str | None:
    """Return the kinds of undefined steps that are asked for and that integers have; None where none is asked for."""
    question = asked.question
    if isinstance(question, Property):
        return question.checks if question.undefined else None
    if program.language != "c":
        return None
    from knaster.evidence.questions.memory_targets import OF_MEMORY

    asked_kinds = {name.partition(":")[0] for name in _names(question)}
    if not asked_kinds & {*KINDS, *OF_MEMORY}:
        return None
    return ",".join(kind for kind in KINDS if kind in asked_kinds)


def _asks_by_name(question: Wording) -> bool:
    """Tell whether targets are asked for that mean the same however the text is read."""
    if question is None or isinstance(question, Question | Property):
        return question == REACH
    return isinstance(question, str) or all(isinstance(name, str) for name in question)


def _has_unwritten_arrays(program: Program) -> bool:
    """Tell whether arrays of a program over integers begin as inputs: with memory an element is one when it is read."""
    if program.kind is not Kind.INTEGERS or dict(program.reading).get("integers") != "machine":
        return False
    return any(
        isinstance(value, Choice) and isinstance(value.type, Array)
        for procedure in program.procedures
        for edge in procedure.edges
        if isinstance(edge.action, Assign)
        for value in edge.action.values
    )


def _is_open(source: Source) -> bool:
    """Tell whether nobody has said how the source is to be read."""
    return source.options.get("objects", "auto") != "always" and not source.options.get("checks")


def _with(source: Source, options: dict[str, Any]) -> Source:
    return source._replace(options={**source.options, **options})


def _names(question: object) -> tuple[str, ...]:
    if isinstance(question, str):
        return (question,)
    return tuple(name for name in question if isinstance(name, str)) if isinstance(question, Iterable) else ()


def _with_proofs(
    result: Result, stage: Stage, budget: Budget, limits: Limits, check: Callable[[Stage, Limits], Result]
) -> Result:
    """Return what runs have found together with what is proved by shapes or numbers for pointers, then by paths."""
    from knaster.decide.mistakes import must_raise
    from knaster.engines.auto.memory_methods import SOME_UNITS, has_heap
    from knaster.engines.contract import BREAKDOWNS
    from knaster.evidence.questions.question import Reach

    if (isinstance(result.question, Reach) and result.question.first) or result.program.is_threaded:
        return result
    for how in (How("shapes") if has_heap(result.program) else How("regions", {"units": SOME_UNITS}), How("paths")):
        if not _is_undecided(result) or budget.overdrawn():
            break
        try:
            others = check(stage._replace(how=how), _rest(limits, budget.seconds_left))
        except BREAKDOWNS:  # what runs have found stands, whatever becomes of the others
            if must_raise():
                raise
        else:
            result = _with_decided(result, others)
    return result


def unanswered(notes: tuple[str, ...], result: Result) -> tuple[str, ...]:
    """Return the remarks about a text that no target of a result is about."""
    if not any(ORDER in target.kind.split(",") for target, _ in result.answers):
        return notes
    return tuple(note for note in notes if not any(said in note for said in UNORDERED))


def _is_undecided(result: Result) -> bool:
    from knaster.evidence.answers.answer import Unknown

    return any(isinstance(answer, Unknown) for _, answer in result.answers)


def _with_decided(result: Result, others: Result) -> Result:
    """Return a result with what others have decided of its open targets."""
    from knaster.evidence.answers.answer import Unknown

    decided = {target: answer for target, answer in others.answers if not isinstance(answer, Unknown)}
    answers = tuple(
        (target, decided.get(target, answer) if isinstance(answer, Unknown) else answer)
        for target, answer in result.answers
    )
    return replace(result, answers=answers, stats={**others.stats, **result.stats})


def _rest(limits: Limits, left: float | None) -> Limits:
    """Return what is left of the limits; messages name the whole."""
    return limits if left is None else replace(limits, seconds=max(0.01, left), whole=limits.whole or limits.seconds)


def recall_stage(stages: list[Stage], recall: Callable[[Stage], Result]) -> Result | None:
    """Return the answer that some stage has kept, where the program is read for it already; None where there is none.

    What was undecided is not kept, so without this the stages before that one would be tried again each time.
    """
    from knaster.decide.proof_cache import NotKept

    for stage in stages[1:]:
        try:
            if stage.source.before is not None:
                return recall(stage)
        except (NotKept, SourceError, UsageError):
            continue
    return None


def check_in_stages(
    stages: list[Stage], budget: Budget, limits: Limits, check: Callable[[Stage, Limits], Result]
) -> Result:
    """Return the first answer that decides the question, else the last one."""
    last: Result | None = None
    for number, stage in enumerate(stages):
        left = budget.seconds_left
        try:
            result = check(stage, _rest(limits, left))
        except (SourceError, UsageError):  # such as threads, of which the first runs are none
            if number + 1 == len(stages) and last is None:
                raise
            continue
        if result.verdict.value != "UNKNOWN" or budget.overdrawn():
            return result if number or len(stages) == 1 else _with_proofs(result, stage, budget, limits, check)
        if number and result.program.kind is Kind.MEMORY:
            return result  # the way over integers was none
        last = result
    assert last is not None
    return last
