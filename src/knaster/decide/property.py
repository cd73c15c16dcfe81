"""`knaster property`: whether a monitor comes to an error on some run of a program (Lal 2009, section 2.4.3).

The program is decided together with the monitor (`transform.monitor_product`); a run that violates the property comes
back as one of the program itself, and is replayed there; a proof is one of both together.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from knaster.automata.monitor import Event, Monitor, Move
from knaster.automata.monitor_files import read_monitor
from knaster.base.errors import Problem, SourceError, UnsupportedError, UsageError
from knaster.base.hints import did_you_mean
from knaster.base.limits import Budget, Limits
from knaster.base.records import replace
from knaster.decide.asked import NONE, Evidence, How, Source
from knaster.decide.check import run_engine
from knaster.decide.choose import Method, choose
from knaster.decide.crew import start_at
from knaster.decide.several import decide_several, is_several
from knaster.engines.table import make_options
from knaster.evidence.answers.answer import Answer, Reachable, Result, Unreachable
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.questions.question import Question, Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.frontends.languages import language_of
from knaster.frontends.text.files import read_text
from knaster.program.kind import Kind
from knaster.program.model import Call, Program
from knaster.transform.monitor_product import add_monitor, events_at, moves_of
from knaster.transform.reduction import Reduction

MOST_STEPS = 100_000  # of a run that are looked at for moves of the monitor


def check_property(
    source: str | os.PathLike[str] | Program,
    monitor: Monitor,
    *,
    file: str | None = None,
    engine: str | None = None,
    entry: str | None = None,
    dialect: str = "default",
    limits: Limits = Limits(),  # noqa: B008  # frozen
    evidence: Evidence = Evidence(),  # noqa: B008
    progress: Callable[[str], None] | None = None,
    reading: Mapping[str, Any] = NONE,
    ledger: Ledger | None = None,
) -> Result:
    """Return whether a monitor comes to an error on some run of a sequential Boolean or C program.

    The claim is that it does not.  `reading` are options of the language.
    """
    if engine is not None:
        make_options(engine, {})
    budget, ledger = Budget.of(limits, progress), ledger or Ledger()
    read, remarks = _read(source, monitor, file, dialect, reading)
    program = start_at(read, entry)
    _refuse_others(program)
    notes = (*remarks, *_unmatched(program, monitor))
    reduction = add_monitor(program, monitor)
    if not reduction.targets:
        raise UsageError(f"{program.file}: no statement takes '{monitor.file}' to an error, whatever the run")
    asked = Reach(tuple(reduction.targets.values()), first=True)
    method = choose(reduction.program, reduction.question, How(engine))

    def decide(method: Method, budget: Budget, program: Program, question: Question) -> Result:
        return run_engine(method, program, question, budget, evidence, ledger, reduction=_about(reduction, question))

    if is_several(program, asked):
        result = decide_several(program, asked, method, budget, decide, ledger)
    else:
        result = decide(method, budget, program, asked)
    return _in_short(replace(result, notes=(*notes, *result.notes)), monitor)


def _read(
    source: str | os.PathLike[str] | Program,
    monitor: Monitor,
    file: str | None,
    dialect: str,
    reading: Mapping[str, Any],
) -> tuple[Program, tuple[str, ...]]:
    """Return the program, in C with the calls that the monitor speaks of as steps although nobody defines them."""
    if isinstance(source, Program):
        return source, ()
    if file is None:
        named = not isinstance(source, str) or "\n" not in source
        file, source = (os.fspath(source), read_text(source)) if named else ("<text>", source)
    if language_of(file, str(source)).name == "c":
        names = tuple(event.pattern for event in monitor.events() if event.kind in ("call", "return"))
        reading = {**reading, "keep_call": (*reading.get("keep_call", ()), *names)}
    return Source(source, file, dialect, reading).read()


def _refuse_others(program: Program) -> None:
    if program.kind is Kind.REFERENCES:
        raise UnsupportedError(
            "a monitor watches Boolean programs and C, and this model has references", file=program.file
        )
    if program.is_threaded:
        raise UnsupportedError("a monitor watches sequential programs, and this one has threads", file=program.file)


def _about(reduction: Reduction, question: Question) -> Reduction:
    """Return a reduction with those targets alone that a question has."""
    assert isinstance(question, Reach)
    wanted = set(question.targets)
    targets = {made: asked for made, asked in reduction.targets.items() if asked in wanted}
    return replace(reduction, question=Reach(tuple(targets), first=question.first), targets=targets)


def _unmatched(program: Program, monitor: Monitor) -> Iterator[str]:
    """Yield a remark for each event that no statement is; refuse one that looks like a misspelt name."""
    events = events_at(program, monitor)
    seen = {event for own in program.procedures for edge in own.edges for event in events(own, edge)}
    problems: list[Problem] = []
    said: set[Event] = set()
    for move in monitor.moves:
        if move.event in seen | said:
            continue
        said.add(move.event)
        hint = _hint(program, monitor, move)
        if hint or move.event.pattern.isdigit():
            problems.append(Problem(f"{_no_statement(move.event)} of {program.file}", move.span, hint))
        else:
            yield f"{monitor.file}:{move.span.line}: {_no_statement(move.event)}"
    if problems:
        raise SourceError(monitor.file, monitor.source, problems)


def _no_statement(event: Event) -> str:
    if event.kind == "line" and event.pattern.isdigit():
        return f"no statement begins on line {event.pattern}"
    words = {"call": "calls", "return": "returns from", "line": "is on a line", "label": "has the label"}
    return f"no statement {words[event.kind]} '{event.pattern}'"


def _hint(program: Program, monitor: Monitor, move: Move) -> str:
    """Return which name may be meant: one of the program that the monitor does not speak of anyway."""
    spoken = {event.pattern for event in monitor.events()}
    if move.event.has_star or move.event.kind == "line":
        return ""
    defined = {own.name for own in program.procedures}
    called = {
        edge.action.procedure for own in program.procedures for edge in own.edges if isinstance(edge.action, Call)
    }
    labels = {label for own in program.procedures for label, _ in own.labels}
    names = labels if move.event.kind == "label" else defined | called | {name for name, _ in program.undefined}
    return "" if move.event.pattern in names else did_you_mean(move.event.pattern, names - spoken)


def _in_short(result: Result, monitor: Monitor) -> Result:
    """Return the result with one answer for the property: a violation where there is one, else what holds for all."""
    name = os.path.basename(monitor.file)
    hit = next(((target, answer) for target, answer in result.answers if isinstance(answer, Reachable)), None)
    if hit is not None:
        target = replace(hit[0], name=f"{hit[0].name} of {name}")
        answer: Answer = hit[1]
        moves = tuple(_tell_moves(result.program, monitor, hit[0], hit[1].trace))
        result = replace(result, notes=(*result.notes, *moves))
    else:
        target = Target(f"an error of {name}", "", 0, 0)
        answer = _weakest([answer for _, answer in result.answers])
    return replace(result, answers=((target, answer),), question=Reach((target,), first=True), unreached=None)


def _weakest(answers: list[Answer]) -> Answer:
    return next((answer for answer in answers if not isinstance(answer, Unreachable)), answers[0])


def _tell_moves(program: Program, monitor: Monitor, target: Target, trace: Trace | None) -> Iterator[str]:
    """Yield one line that tells how the monitor came to its error."""
    if trace is None or trace.expanded_length > MOST_STEPS:
        return
    moves = list(moves_of(program, monitor, trace, MOST_STEPS))
    told = [f"{state} -> {then} at line {edge.span.line}" for edge, state, then in moves]
    before = moves[-1][2] if moves else monitor.start
    yield "automaton: " + "; ".join([*told[-8:], f"{before} -> {target.name} at line {target.line}"])


def read_automaton(file: str) -> Monitor:
    """Return the monitor in a file."""
    return read_monitor(read_text(file), file)
