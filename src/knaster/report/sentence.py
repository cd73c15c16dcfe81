"""The answer of a check in sentences: the verdict with its reason in one line, what was checked, how it fails."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from knaster.evidence.answers.answer import (
    DELETED_ENTRY,
    NOT_KEPT,
    Answer,
    Diverges,
    Reachable,
    Statistics,
    Terminates,
    Unknown,
    Unreachable,
    Verdict,
)
from knaster.evidence.questions.question import (
    VIOLATION_AT_END,
    Coverage,
    Question,
    Target,
    Temporal,
    runs_asked,
)
from knaster.evidence.traces.trace import Trace
from knaster.program.checks import NOTHING
from knaster.program.model import Kind, Place, Program
from knaster.semantics.table import semantics_of

if TYPE_CHECKING:
    from knaster.evidence.proofs.table import Proof
    from knaster.evidence.traces.lasso import Lasso


class Report(Protocol):
    """One program, one run of an engine, one answer for each target; `knaster.check` returns one."""

    @property
    def program(self) -> Program:
        """The program that was checked."""

    @property
    def file(self) -> str:
        """Where the program came from."""

    @property
    def question(self) -> Question:
        """What was asked."""

    @property
    def engine(self) -> str:
        """The method that answered."""

    @property
    def options(self) -> Mapping[str, object]:
        """What was in force: the options of the engine, and how the program was read."""

    @property
    def bound(self) -> Coverage | None:
        """How far threads were explored; None for a sequential program."""

    @property
    def answers(self) -> tuple[tuple[Target, Answer], ...]:
        """The targets in the order of the request."""

    @property
    def verdict(self) -> Verdict:
        """The answer for all targets together."""

    @property
    def reason(self) -> str:
        """Why, in a few words."""

    @property
    def proof(self) -> Proof | None:
        """The proof of what is said to be unreachable, or to end."""

    @property
    def unreached(self) -> Sequence[Place] | None:
        """The statements that no run reaches; None where that is not known."""

    @property
    def stats(self) -> Statistics:
        """What the run took."""

    @property
    def notes(self) -> Sequence[str]:
        """Remarks for `--verbose`; for everybody where the language leaves something open."""

    @property
    def mistakes(self) -> Sequence[str]:
        """What engines did wrong that were asked before the one that answered."""


def notes_for_all(report: Report) -> list[str]:
    """Return the notes that are shown to everybody: mistakes, a broken cache, what a language leaves open."""
    told = semantics_of(report.program).remarks is not None or isinstance(report.question, Temporal)
    open_ = report.notes if told else [note for note in report.notes if note.startswith((DELETED_ENTRY, NOT_KEPT))]
    return [*report.mistakes, *open_]


def reachable_traces(report: Report) -> list[tuple[Target, Trace]]:
    """Return the targets that are reachable by a trace that is known."""
    return [(t, a.trace) for t, a in report.answers if isinstance(a, Reachable) and a.trace is not None]


def endless_run(report: Report) -> Lasso | None:
    """Return the run that never ends; None where there is none."""
    return next((a.lasso for _, a in report.answers if isinstance(a, Diverges)), None)


def sentence(report: Report) -> str:
    """Return the verdict in one line."""
    if report.verdict is Verdict.UNKNOWN:
        checks = ", ".join(_checks(report))
        return unknown_sentence(report.file, f"{report.reason} ({checks})" if checks else report.reason)
    checks = ", ".join(_checks(report))
    found = f"{_finding(report)}{_condition_of_runs(report)}"
    return f"{report.file}: {report.verdict.value}. {found}{f' ({checks})' if checks else ''}."


def unknown_sentence(file: str, reason: str) -> str:
    """Return in one line that nothing is known of a file."""
    return f"{file}: {Verdict.UNKNOWN.value}. {as_sentence(reason or 'nothing was established')}"


def _condition_of_runs(report: Report) -> str:
    """Say what the runs that were found need of functions that nobody defines; empty where they need nothing."""
    if not semantics_of(report.program).reads_inputs:
        return ""
    from knaster.evidence.traces.undefined_functions import (
        both_conditions,
        condition_on,
        condition_on_surroundings,
        undefined_inputs,
    )

    lasso = endless_run(report)
    runs = [trace for _, trace in reachable_traces(report)] if lasso is None else [lasso.once]
    needed = [inputs for run in runs if (inputs := undefined_inputs(report.program, run))]
    said = condition_on([one for inputs in needed for one in inputs])
    said = both_conditions(said, condition_on_surroundings(report.program, runs))
    if not said or not needed:
        return said
    if len(needed) == sum(isinstance(answer, Reachable | Diverges) for _, answer in report.answers):
        return said
    return f", {len(needed)} of them{said}"


def _finding(report: Report) -> str:
    answers = report.answers
    if any(isinstance(answer, Diverges | Terminates) for _, answer in answers):
        return _ending(report)
    if len(answers) == 1:
        target, answer = answers[0]
        found = isinstance(answer, Reachable)
        if target.is_violation:
            return _violation(target, found)
        if not target.has_place:
            return (
                describe_failure(report.program, answer) if isinstance(answer, Reachable) else describe_absence(target)
            )
        if target.kind:
            return f"{target.name} can happen" if found else _no_undefined(target) or f"{target.name} cannot happen"
        if target.location in report.program.procedure(target.procedure).failures:
            return f"{_capital(str(target))} {'can' if found else 'cannot'} fail"
        name = str(target) if target.name != f"line {target.line}" else _capital(target.name)
        return f"{name} is {'reachable' if found else 'unreachable'}"
    hits = sum(isinstance(answer, Reachable) for _, answer in answers)
    open_ = sum(isinstance(answer, Unknown) for _, answer in answers)
    missed = sum(isinstance(answer, Unreachable) for _, answer in answers)
    if missed == len(answers):
        hold = any(target.kind for target, _ in answers) and report.program.language == "c"
        return f"All {missed} hold" if hold else f"All {missed} targets are unreachable"
    if report.program.language == "c" and all(_is_failure(report, target) for target, _ in answers):
        failing = f"{hits} fail{'s' if hits == 1 else ''}" if hits else ""
        parts = (f"{missed} of {len(answers)} hold", failing, f"{open_} undecided" if open_ else "")
        return ", ".join(part for part in parts if part)
    rest = f", {open_} undecided" if open_ else ""
    return f"{hits} of {len(answers)} targets {'is' if hits == 1 else 'are'} reachable{rest}"


def _violation(target: Target, found: bool) -> str:
    """Say whether a formula about a C program holds, and where a run violates it."""
    if not found:
        return f"{target.name} holds on every run"
    where = f"where it ends, at line {target.line}" if target.kind == VIOLATION_AT_END else f"at line {target.line}"
    return f"{target.name} does not hold on every run: one violates it {where}"


def _is_failure(report: Report, target: Target) -> bool:
    """Tell whether a target is an assertion that fails, an error, or an undefined step."""
    if not target.has_place or target.kind or target.name in report.program.errors:
        return True
    return target.location in report.program.procedure(target.procedure).failures


def word_for(answer: Answer) -> str:
    """Return what is known of a target: reachable, unreachable (within a bound if there is one), or undecided."""
    match answer:
        case Reachable():
            return "reachable"
        case Unreachable(_, bound):
            return "unreachable" if bound is None else f"unreachable with {bound}"
        case _:
            return "undecided"


def _checks(report: Report) -> Iterator[str]:
    """Yield how the program was read, and what vouches for the answers: traces replayed, proof checked, or why not."""
    if said := reading(report.program):
        yield said
    if report.stats.get("cached"):
        yield "from the cache"
    for _, answer in report.answers:
        if isinstance(answer, Diverges):
            yield f"run replayed{_by(answer)}" if answer.checked else "run not replayed"
        elif isinstance(answer, Terminates):
            why = f": {answer.unchecked}" if answer.unchecked else ""
            yield _proof_checked(answer) if answer.checked else f"proof not checked{why}"
    reached = [answer for _, answer in report.answers if isinstance(answer, Reachable)]
    replayed = [answer for answer in reached if answer.checked]
    why = next((f": {answer.unchecked}" for answer in reached if not answer.checked and answer.unchecked), "")
    if reached and not replayed:
        yield f"{'trace' if len(reached) == 1 else 'traces'} not replayed{why}"
    elif len(replayed) < len(reached):
        yield f"{len(replayed)} of {len(reached)} traces replayed{why}"
    elif reached:
        yield ("trace replayed" if len(reached) == 1 else f"{len(reached)} traces replayed") + _by(*reached)
    missed = [answer for _, answer in report.answers if isinstance(answer, Unreachable)]
    if missed and all(answer.checked for answer in missed):
        yield _proof_checked(*missed)
    elif missed:
        why = next((f": {answer.unchecked}" for answer in missed if answer.unchecked), "")
        yield f"proof not checked{why}"


def _by(*answers: Reachable | Unreachable | Terminates | Diverges) -> str:
    """Return that the kernel has checked the evidence of all of these answers; nothing where it has not."""
    return " by the kernel" if all(answer.kernel for answer in answers) else ""


def _proof_checked(*answers: Unreachable | Terminates) -> str:
    """Return who has checked proofs; what the kernel says of reduced programs alone is not said of programs."""
    if any(answer.kernel_reduced for answer in answers) and all(a.kernel or a.kernel_reduced for a in answers):
        return "proof of the program over integers checked by the kernel; the reduction is trusted"
    return f"proof checked{_by(*answers)}"


def describe_failure(program: Program, answer: Reachable) -> str:
    """Return how a program fails, in a few words."""
    failure = answer.failure
    if failure is None:
        return "The program can fail"
    from knaster.semantics.heap.failure import ASSERTION, MESSAGES

    if failure.kind != ASSERTION:
        return f"{_capital(failure.kind)} at line {failure.line}: {failure.message}"
    said = f' ("{failure.message}")' if failure.message != MESSAGES[ASSERTION] else ""
    return f"Assertion at line {failure.line} can fail{_condition(program, answer)}{said}"


def _condition(program: Program, answer: Reachable) -> str:
    """Return the condition of the assertion with which a trace ends."""
    from knaster.frontends.languages import spelling_of
    from knaster.program.expression import Not
    from knaster.program.model import Assume
    from knaster.report.heap.values import Shown

    steps = answer.trace.paths[-1].steps if answer.trace is not None else ()
    action = steps[-1].edge.action if steps else None
    if not isinstance(action, Assume) or not isinstance(action.condition, Not) or answer.trace is None:
        return ""
    show, procedure = Shown(program), program.procedure(answer.trace.procedure)
    names = {name: show.name(name, procedure) for name in program.globals}
    text = spelling_of(program).expression(action.condition.operand)
    return ": " + re.sub(r"[\w.]+", lambda word: _shorten(word[0], names), text)


def _shorten(word: str, names: Mapping[str, str]) -> str:
    """Return a path of names that begins with a static, without its class where that is clear."""
    first, _, rest = word.partition(".")
    second, dot, others = rest.partition(".")
    short = names.get(f"{first}.{second}")
    return word if short is None else f"{short}{dot}{others}"


def describe_absence(target: Target) -> str:
    """Return that a kind of failure cannot happen, in a few words."""
    return "No run fails" if target.kind == "any" else _no_undefined(target) or f"No run ends in {target.name}"


def _no_undefined(target: Target) -> str:
    """Return what is said of a program without steps of the kinds that are asked for; it may have others."""
    return "No undefined step that was asked about can happen" if target.name == NOTHING else ""


def _ending(report: Report) -> str:
    """Say whether every run ends, or whether a formula holds on every run."""
    answer, formula = report.answers[0][1], None
    if isinstance(report.question, Temporal):
        formula = f"{report.question.name}: {report.question}" if report.question.name else str(report.question)
    run = runs_asked(report.question)
    if not isinstance(answer, Diverges):
        return f"Every {run} ends" if formula is None else f"{formula} holds on every {run}"
    found = f"A {run} never ends" if formula is None else f"{formula} does not hold on every {run}"
    if answer.lasso is None:
        return found
    cycle, one = answer.lasso.cycle, "" if formula is None else "on one "
    if answer.lasso.waits:
        return f"{found}: one comes to a deadlock"
    if answer.lasso.stays:
        return f"{found}: one ends{_how_it_ends(report, answer.lasso)}"
    if answer.lasso.deeper:
        return f"{found}: {one}{cycle.procedure} is entered again and again, one frame deeper each time"
    lines = [step.edge.span.line for step in cycle.paths[0].steps if step.edge.span.line]
    where = f"line {min(lines)} of {cycle.procedure}" if lines else cycle.procedure
    return f"{found}: {one}{where} is passed again and again"


def _how_it_ends(report: Report, lasso: Lasso) -> str:
    """Return in which way a run that has come to its end failed; nothing where it did not."""
    procedure = report.program.procedure(lasso.cycle.procedure)
    if lasso.cycle.location in procedure.failures:
        return " where an assertion fails"
    if report.program.kind is not Kind.REFERENCES:
        return ""
    from knaster.checkers.heap.lasso import fails_at_its_end

    return " where a step fails" if fails_at_its_end(lasso, report.program) else ""


def reading(program: Program) -> str:
    """Return how the text was understood where its language leaves that open; empty where it does not."""
    said = dict(program.reading)
    if "integers" not in said:
        return ""
    more = [f"volatile: {said['volatile']}"] if "volatile" in said else []
    more += [f"argc: {said['argc']}"] if "argc" in said else []
    more += ["malloc may fail"] if "malloc" in said else []
    return ", ".join((f"{said['integers']} integers", said["data_model"], *more))


def as_sentence(text: str) -> str:
    """Return a reason with a capital letter and a full stop."""
    return _capital(text if text.endswith(".") else f"{text}.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
