"""Validates witnesses: a violation is confirmed by a run that follows it, invariants by a proof that they always hold.

The witness is written into the program (`sequence`, `invariant_set`), and `decide` answers about the program that
results: its runs are replayed and its proofs checked as those of any other.  What is not checked of a witness makes the
answer UNKNOWN, never a guess.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import KnasterError, UnsupportedError, UsageError
from knaster.base.limits import Limits, clock
from knaster.base.named_tuples import NamedTuple
from knaster.competition.descents import descent_of
from knaster.competition.invariant_set import BROKEN, again_labels, instrument_invariants
from knaster.competition.properties import Specification, read_specification
from knaster.competition.sequence import (
    HURRY,
    LAP,
    PASSED,
    SEGMENT,
    VIOLATION,
    Instrumented,
    NotValidated,
    instrument_sequence,
)
from knaster.competition.thread_ids import threads_fit
from knaster.competition.tokens import TokenText
from knaster.competition.witness import TRANSITIONS, Witness, WitnessInvariant
from knaster.decide.asked import Asked, Source
from knaster.decide.check import check
from knaster.evidence.answers.answer import Reachable, Result, Unreachable, Verdict
from knaster.evidence.traces.trace import Trace
from knaster.program.memory import AddressOf, Store
from knaster.program.model import Assign
from knaster.report.sentence import endless_run, reachable_traces

_ROUNDS = (1.0, 4.0)  # seconds for each transition invariant, before those that are left get all that is left
_TRIES = 64  # segments of which it is asked how far a run comes


class Validated(NamedTuple):
    """What became of a witness: TRUE where it is confirmed, FALSE where it is rejected, and why."""

    verdict: str
    reason: str
    passed: int | None = None  # segments that some run passes
    failed: str = ""  # the waypoint that no run passes
    notes: tuple[str, ...] = ()


class Question(NamedTuple):
    """A program with how it is read, and how long an answer may take."""

    text: str
    file: str
    reading: Mapping[str, Any]
    limits: Limits
    digest: str = ""  # SHA-256 of the file, where it is one

    def ask(self, text: str, targets: Sequence[str] | None, specification: Specification) -> Result:
        """Return the answer about a text that takes the place of the program."""
        source = Source(text, self.file, "default", self.reading)
        property = "reach" if targets else specification.asks
        return check(source, Asked.of(targets, property=property, entry=specification.entry), limits=self.limits)

    def after(self, started: float, most: float | None = None) -> Question:
        """Return the same question with the time that is left since a moment, but at most so many seconds."""
        seconds, whole = self.limits.seconds, self.limits.whole or self.limits.seconds
        left = most if seconds is None else max(0.1, seconds - (clock() - started))
        left = left if left is None or most is None else min(left, most)
        return self._replace(limits=Limits(left, self.limits.megabytes, whole=whole))


def validate(question: Question, witness: Witness, witness_file: str, strict: bool = False) -> Validated:
    """Validate a witness; raise `KnasterError` where it is none of this program."""
    notes = _compare_metadata(question, witness, witness_file, strict)
    specification = read_specification(witness.specification, f"{witness_file}: specification")
    work = _violation if witness.kind == "violation_sequence" else _correctness
    try:
        found = work(question, witness, specification)
    except NotValidated as open_:
        found = Validated("UNKNOWN", str(open_))
    return found._replace(notes=(*notes, *found.notes))


def _compare_metadata(question: Question, witness: Witness, file: str, strict: bool) -> list[str]:
    """Return remarks about a program that is not quite that of the witness; raise where it is another one."""
    digest = hashlib.sha256(question.text.encode()).hexdigest()
    is_same = digest in witness.hashes or question.digest in witness.hashes
    names = {os.path.basename(name) for name in witness.files}
    places = [point.place for one in witness.segments for point in (*one.avoids, one.last)]
    places += [one.place for one in witness.invariants] + [one.place for one in witness.contracts]
    if not is_same and os.path.basename(question.file) not in names:
        raise KnasterError(f"{file}: this is a witness of {', '.join(sorted(names))}, not of {question.file}")
    lines = question.text.removesuffix("\n").count("\n") + 1
    for place in places:
        if place.line > lines:
            raise KnasterError(f"{file}: it names line {place.line}, and {question.file} has {lines} lines")
        if os.path.basename(place.file) not in {*names, os.path.basename(question.file)}:
            raise KnasterError(f"{file}: it names a place in {place.file}, which is no file of its task")
    remarks = [] if is_same else ["the hash of the program is another one than the witness says"]
    model = question.reading.get("data_model")
    if witness.data_model is not None and model is not None and model != witness.data_model:
        remarks.append(f"the witness is for {witness.data_model}, and the program is read as {model}")
    if strict and remarks:
        raise KnasterError(f"{file}: {remarks[0]}")
    return remarks


def _violation(question: Question, witness: Witness, specification: Specification) -> Validated:
    started, is_endless = clock(), witness.first_cycle is not None
    if is_endless != (specification.asks == "termination"):
        raise KnasterError(
            f"the witness {'has a' if is_endless else 'has no'} cycle, and its property is {specification.formula}"
        )
    made = instrument_sequence(witness, question.text, question.file, specification)
    if specification.undefined:
        return _undefined_step(question, witness, specification, made)
    targets = None if is_endless else [VIOLATION]
    result = _answer(question, made.text, targets, specification)
    if result.verdict is Verdict.FALSE:
        if is_endless and not _laps(result):
            return _hurried(question.after(started), witness, specification)
        if _names_threads(witness) and not _threads_fit(witness, question, result):
            return Validated("UNKNOWN", "the run that was found passes its segments in other threads")
        return Validated("TRUE", "a run follows it", len(witness.segments))
    if result.verdict is Verdict.UNKNOWN:
        return Validated("UNKNOWN", result.reason)
    return _explain_rejection(question, witness, specification)


def _hurried(question: Question, witness: Witness, specification: Specification) -> Validated:
    """Confirm by a run for ever that soon passes each segment, where one was found that does not pass the cycle."""
    text = instrument_sequence(witness, question.text, question.file, specification, hurry=HURRY).text
    result = _answer(question, text, None, specification)
    if result.verdict is Verdict.FALSE and _laps(result):
        return Validated("TRUE", "a run follows it", len(witness.segments))
    return Validated("UNKNOWN", "a run that never ends was found, and it does not pass the cycle of the witness")


def _names_threads(witness: Witness) -> bool:
    return any(point.thread is not None for one in witness.segments for point in (*one.avoids, one.last))


def _threads_fit(witness: Witness, question: Question, result: Result) -> bool:
    """Tell whether the run to the violation passes each segment in the thread that it names; avoids name none."""
    traces = reachable_traces(result)
    if not traces or any(point.thread is not None for one in witness.segments for point in one.avoids):
        return False
    return threads_fit(witness, TokenText(question.text), traces[0][1])


def _answer(question: Question, text: str, targets: Sequence[str] | None, specification: Specification) -> Result:
    """Return the answer about a program with a witness; what is refused of it alone is not validated."""
    try:
        return question.ask(text, targets, specification)
    except (UsageError, UnsupportedError):
        raise
    except KnasterError as error:
        from knaster.frontends.languages import load

        load(question.text, file=question.file, **question.reading)  # whatever is wrong with the program itself
        said = re.sub(r"\s+", " ", str(error))[:200]
        raise NotValidated(f"the program with the witness is refused: {said}") from error


def _laps(result: Result) -> bool:
    """Tell whether the cycle of a run that never ends passes all segments of the cycle of a witness."""
    lasso = endless_run(result)
    if lasso is None:
        return False
    paths = list(lasso.cycle.paths)
    while paths:
        for step in paths.pop().steps:
            if _notes_lap(step.edge.action):
                return True
            paths += [step.inside] if step.inside is not None else []
    return False


def _notes_lap(action: Any) -> bool:
    """Tell whether an action says that the cycle of a witness was passed."""
    if isinstance(action, Store):
        return action.address == AddressOf(LAP)
    return isinstance(action, Assign) and LAP in action.targets


def _undefined_step(
    question: Question, witness: Witness, specification: Specification, made: Instrumented
) -> Validated:
    """Confirm by a run whose undefined step stands in the target, in the last segment; reject where there is none."""
    if specification.asks in ("race", "leak"):
        raise NotValidated(f"where {specification.formula} is violated is not checked")
    result = _answer(question, made.text, specification.targets, specification)
    inside = [
        answer
        for target, answer in result.answers
        if target.line and made.first <= (target.line, target.column or made.first[1]) <= made.last
    ]
    last = len(witness.segments) - 1
    for answer in inside:
        if isinstance(answer, Reachable) and answer.trace is not None:
            due = _segment_at_end(answer.trace)
            if due == last or (due is None and not last):
                return Validated("TRUE", "a run follows it", len(witness.segments))
    if all(isinstance(answer, Unreachable) for answer in inside):
        return _explain_rejection(question, witness, specification)
    found = any(isinstance(answer, Reachable) for answer in inside)
    return Validated("UNKNOWN", "the run that was found does not follow it" if found else result.reason)


def _segment_at_end(trace: Trace) -> int | None:
    """Return which segment is due where a run ends; None where nothing says it."""
    from knaster.evidence.traces.memory_moves import moves_of

    due = None
    for path in trace.paths:
        for step, _ in moves_of(path):
            if step is not None and SEGMENT in step.after:
                due = step.after[SEGMENT]
    return due if isinstance(due, int) else None


def _explain_rejection(question: Question, witness: Witness, specification: Specification) -> Validated:
    """Return how far runs come."""
    text = instrument_sequence(witness, question.text, question.file, specification, labelled=True).text
    numbers = range(min(len(witness.segments), _TRIES) - (0 if witness.first_cycle is not None else 1))
    passed: int | None = 0
    if numbers:
        answers = question.ask(text, [f"{PASSED}{number}" for number in numbers], specification).answers
        reached = [isinstance(answer, Reachable) for _, answer in answers]
        passed = next((number for number, each in enumerate(reached) if not each), len(reached))
    assert passed is not None
    if passed >= len(witness.segments):
        return Validated("FALSE", "no run passes its cycle for ever", passed)
    failed = witness.segments[passed].last
    return Validated("FALSE", f"no run passes segment {passed + 1} ({failed})", passed, str(failed))


def _claims(
    question: Question, witness: Witness, property: Sequence[str], specification: Specification
) -> Validated | None:
    """Return why invariants, contracts and a property do not hold together, or are undecided; None where they hold."""
    claims = [(one.value, one.place) for one in witness.invariants]
    claims += [(f"contract {one.requires} / {one.ensures}", one.place) for one in witness.contracts]
    targets = [*(f"{BROKEN}{number}" for number in range(len(claims))), *property]
    if not targets:
        return None
    text = instrument_invariants(witness, question.text, question.file)
    result = _answer(question, text, targets, specification)
    for target, answer in result.answers:
        if isinstance(answer, Reachable):
            if target.name.startswith(BROKEN):
                claim, place = claims[int(target.name.removeprefix(BROKEN))]
                return Validated("FALSE", f"the invariant {claim} at line {place.line} does not hold")
            return Validated("FALSE", f"{target.name} can be reached")
    return None if result.verdict is Verdict.TRUE else Validated("UNKNOWN", result.reason)


def _relations(
    question: Question,
    started: float,
    witness: Witness,
    related: Sequence[WitnessInvariant],
    specification: Specification,
) -> Validated | None:
    """Return why a transition invariant does not hold, or is undecided; None where all of them hold.

    Each is asked alone, and of steps alone where they suffice; at first for a short time, since one way may take much
    longer than the other.  The claims of `witness` are known to hold.
    """
    ways = [(one, by_steps) for one in related for by_steps in ((True, False) if descent_of(one.value) else (False,))]
    for seconds in (*_ROUNDS, None) if len(ways) > 1 else (None,):
        for one, by_steps in list(ways):
            if (one, by_steps) not in ways or (by_steps and seconds is None):
                continue
            alone = witness._replace(invariants=(one, *witness.invariants))
            text = instrument_invariants(alone, question.text, question.file, by_steps)
            targets = [f"{BROKEN}0", *(again_labels(alone) if by_steps else ())]
            result = _answer(question.after(started, seconds), text, targets, specification)
            if any(isinstance(answer, Reachable) and target.name == f"{BROKEN}0" for target, answer in result.answers):
                return Validated("FALSE", f"the invariant {one.value} at line {one.place.line} does not hold")
            if result.verdict is Verdict.TRUE:
                ways = [way for way in ways if way[0] is not one]
            elif seconds is None:
                return Validated("UNKNOWN", result.reason)
    return None


def _correctness(question: Question, witness: Witness, specification: Specification) -> Validated:
    """Confirm where all claims hold and so does the property; what relates visits is asked claim by claim."""
    started = clock()
    property = [] if specification.undefined else specification.targets or []
    plain = witness._replace(invariants=tuple(one for one in witness.invariants if one.type not in TRANSITIONS))
    related = [one for one in witness.invariants if one.type in TRANSITIONS]
    found = _claims(question, plain, property, specification)
    found = found or _relations(question, started, plain, related, specification)
    if found is not None:
        return found
    if not property:
        ends = question.after(started).ask(question.text, specification.targets, specification)
        if ends.verdict is not Verdict.TRUE:
            return Validated("FALSE" if ends.verdict is Verdict.FALSE else "UNKNOWN", ends.reason)
    if witness.left_out:
        raise NotValidated(f"entries of type {', '.join(sorted(set(witness.left_out)))} are not checked")
    return Validated("TRUE", "its invariants always hold, and so does the property")
