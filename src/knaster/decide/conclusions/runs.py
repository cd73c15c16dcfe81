"""The answers about targets that an engine reached: each trace is replayed, and lifted back through a reduction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.base.records import replace
from knaster.decide.conclusions.case import Case
from knaster.engines.contract import Mistake
from knaster.evidence.answers.answer import Answer, Reachable, Unknown
from knaster.program.model import Kind

if TYPE_CHECKING:
    from knaster.checkers.runs.replay_steps import SharedSteps
    from knaster.evidence.questions.question import Target
    from knaster.evidence.traces.trace import Trace


def answers_by_runs(case: Case, targets: Sequence[Target]) -> dict[Target, Answer]:
    """Return each target with a trace that was replayed, as far as traces are wanted; else how the program fails."""
    why = "only one was asked for" if case.evidence.traces else "none was asked for"
    answers: dict[Target, Answer] = {
        target: Unknown(case.late) if case.late else _answer_without_trace(case, target, why) for target in targets
    }
    program = case.task.program if case.reduction is None else case.reduction.original
    says_what_fails = program.kind is Kind.REFERENCES and not case.late  # only a replay says how it fails
    if not targets or not (case.evidence.traces or says_what_fails or _is_abstract(case)):
        return answers
    wanted = targets[:1] if case.task.first else targets
    try:
        traces = _traces(case, wanted)
    except OutOfBudget as spent:
        case.notes.append(f"no trace: {spent}")
        return answers if case.late else {target: _answer_without_trace(case, target, str(spent)) for target in targets}
    shared = _shared_steps(case) if len(wanted) > 1 else None  # mutant: what is shared saves time
    for target in wanted:
        if target not in traces:
            raise InternalError(f"'{target.name}' is said to be reachable, but there is no trace to it")
        try:
            answer = _replay_trace(case, target, traces[target], shared)
        except InternalError as error:
            raise Mistake(case.findings.finders.get(target, case.findings.method), error) from error
        if not case.evidence.traces and isinstance(answer, Reachable):
            answer = replace(answer, trace=None)
        answers[target] = answer
    return answers


def _is_abstract(case: Case) -> bool:
    """Tell whether a run may be none of the program that was asked about; only a replay says whether it is one."""
    return case.reduction is not None and case.reduction.over


def _answer_without_trace(case: Case, target: Target, why: str) -> Answer:
    """Return that a target is reachable, without a trace; of an abstraction that says nothing."""
    if _is_abstract(case):
        return Unknown(f"a run of the abstraction that was not replayed: {why}")
    return Reachable(None, unchecked=why, least=case.findings.least.get(target))


def _traces(case: Case, targets: Sequence[Target]) -> Mapping[Target, Trace]:
    if case.findings.traces is not None:
        return case.findings.traces(targets)
    if case.task.program.is_threaded:
        raise OutOfBudget("this method gives none")
    derived = case.derive()
    wrong = [target for target in targets if target not in derived.reached]
    if derived.unknown is not None and wrong:
        raise derived.unknown.error()
    if wrong:
        case.refute(wrong[0], "reachable")
    assert derived.traces is not None
    return derived.traces(targets)


def _shared_steps(case: Case) -> SharedSteps:
    from knaster.checkers.runs.replay_steps import SharedSteps

    return SharedSteps(case.task.program)


def _replay_trace(case: Case, target: Target, trace: Trace, shared: SharedSteps | None) -> Answer:
    from knaster.checkers.runs.replay import replay

    failure, reduction = replay(case.task.program, trace, target, shared), case.reduction
    if reduction is None:
        return replace(_answer_with_cost(case, target, trace), failure=failure)
    try:
        asked, run = reduction.back(target, trace)
        if asked != reduction.targets.get(target):
            raise InternalError(f"the way back leads from '{target.name}' to '{asked.name}', another target")
        failure = replay(reduction.original, run, asked)
    except InternalError:
        if _is_abstract(case):
            return Unknown("a run of the abstraction is none of the program")
        raise
    return replace(_answer_with_cost(case, target, run), failure=failure)


def _answer_with_cost(case: Case, target: Target, run: Trace) -> Reachable:
    """Return that a target is reachable by a run that was replayed, with the least number if that is known."""
    least = case.findings.least.get(target)
    if least is not None:
        bound = case.task.bound
        kind = bound.kind if bound is not None else "switches"
        cost = {"rounds": run.rounds, "switches": run.switches}.get(kind, least)  # others need the states on the way
        if cost != least:
            raise InternalError(f"'{target.name}' is said to need {least}, but its trace needs {cost}")
    return Reachable(run, checked=True, least=least)
