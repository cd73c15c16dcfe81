"""One file, one question, one answer: a `Job` is a plain record that any process can do, its `Outcome` a text.

An error, too, becomes something that can be printed; and where a job has to be stopped, its ledger says what was
established until then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.errors import KnasterError, UnsupportedError, UsageError
from knaster.base.exits import ExitCode
from knaster.base.lazy import load_named
from knaster.base.limits import OutOfBudget
from knaster.base.named_tuples import NamedTuple
from knaster.frontends.text.files import read_bytes, read_text
from knaster.jobs.work import Outcome
from knaster.report.formats import FORMATS, Style

if TYPE_CHECKING:
    from knaster.base.limits import Limits
    from knaster.decide.asked import Asked, Evidence, How
    from knaster.evidence.answers.answer import Result
    from knaster.evidence.answers.ledger import Ledger

_CODES = {"TRUE": ExitCode.UNREACHABLE, "FALSE": ExitCode.REACHABLE, "UNKNOWN": ExitCode.UNDECIDED}


class Job(NamedTuple):
    """A file, what is asked of it and how, and how the answer is to be written; names, texts and numbers only."""

    file: str  # its name in messages
    text: str | None  # what is in it; None: whoever does the job reads it
    asked: Asked
    how: How
    limits: Limits
    evidence: Evidence
    dialect: str = "default"
    reading: Mapping[str, Any] | None = None  # options of the language
    format: str = "text"
    style: Style = Style()
    draw: str | None = None  # a step of the trace: the heap there is the answer
    proof: str | None = None  # files to write
    harness: str | None = None
    witness: str | None = None
    specification: str | None = None  # the property as a competition states it, for the witness
    also: tuple[str, ...] = ()  # further formats in which the answer is wanted
    cache: str | None = None  # a folder of evidence that was found before

    def attempt(self) -> CheckAttempt:
        """Begin."""
        from knaster.evidence.answers.ledger import Ledger

        return CheckAttempt(self, Ledger())

    def give_up(self, reason: str) -> Outcome:
        """Return what is said where nothing is known."""
        return give_up(self.file, reason, self.format, self.style, self.also)

    def fail(self, error: Exception) -> Outcome:
        """Return what is said where an error ended it."""
        return fail(self.file, error, self.format, self.style, self.also)

    def carry(self) -> Job:
        """Return the same job with the text of its file; raise `KnasterError` where more files would have to travel."""
        from knaster.jobs.travel import text_that_travels

        text = self.text if self.text is not None else read_text(self.file)
        return self._replace(text=text_that_travels(self.file, text, self.reading or {}))


class CheckAttempt(NamedTuple):
    """A job that is being done, and what is established of it."""

    job: Job
    ledger: Ledger

    def do(self, progress: Callable[[str], None] | None) -> Outcome:
        """Answer for the file; an error becomes an answer."""
        return do_job(self.job, progress, self.ledger)

    def stop(self, reason: str) -> Outcome:
        """Answer what was established until now."""
        return stop_job(self.job, reason, self.ledger)


def do_job(job: Job, progress: Callable[[str], None] | None = None, ledger: Ledger | None = None) -> Outcome:
    """Answer for a file; an error becomes an answer."""
    try:
        result = _ask(job, progress, ledger)
        warnings = ""
        if job.proof is not None or job.harness is not None or job.witness is not None:
            job, warnings = _save(job, result)
        if job.draw is not None:
            drawn = _draw_heap(result, job.draw, job.format)
            return Outcome(job.file, _CODES[result.verdict.value], drawn, warnings=warnings)
        return _write(job, result, warnings)
    except OutOfBudget as spent:  # before there was a program to speak of
        return give_up(job.file, str(spent), job.format, job.style, job.also)
    except Exception as error:
        return fail(job.file, error, job.format, job.style, job.also)


def stop_job(job: Job, reason: str, ledger: Ledger) -> Outcome:
    """Answer for a file whose check had to be stopped: what was established until then."""
    result = ledger.result(reason)
    if result is None or job.draw is not None or not FORMATS[job.format].nothing:
        return give_up(job.file, reason, job.format, job.style, job.also)
    return _write(job, result)


def give_up(file: str, reason: str, format: str, style: Style, also: tuple[str, ...] = ()) -> Outcome:
    """Answer for a file of which nothing is known."""
    others = tuple(_nothing(file, reason, other, style) for other in also)
    if FORMATS[format].nothing:
        return Outcome(file, ExitCode.UNDECIDED, _nothing(file, reason, format, style), also=others)
    from knaster.report.sentence import unknown_sentence

    said = unknown_sentence(file, reason)  # there is nothing to draw
    return Outcome(file, ExitCode.UNDECIDED, "", said, also=others)


def _nothing(file: str, reason: str, format: str, style: Style) -> str:
    return str(load_named(FORMATS[format].nothing)(file, reason, style)) if FORMATS[format].nothing else ""


def fail(file: str, error: Exception, format: str, style: Style, also: tuple[str, ...] = ()) -> Outcome:
    """Answer for a file whose check raised an error."""
    if isinstance(error, UnsupportedError) and not error.file:
        error = UnsupportedError(error.feature, error.span, file)
    from knaster.bdd.address_space import NoRoom
    from knaster.jobs.failure import explain

    if isinstance(error, NoRoom):
        error = NoRoom(f"{file}: {error}")
    code, message = explain(error)

    def written(format: str) -> str:
        write = FORMATS[format].failure
        return str(load_named(write)(file, code, error, message, style)) if write else ""

    return Outcome(file, code, written(format), message, also=tuple(map(written, also)))


def _write(job: Job, result: Result, warnings: str = "") -> Outcome:
    notes = FORMATS[job.format].notes
    noted = tuple(load_named(notes)(result, job.style)) if notes else ()
    own, *others = (load_named(FORMATS[format].write)(result, job.style) for format in (job.format, *job.also))
    reached = _reached_kinds(result) if job.specification is not None else ()
    return Outcome(job.file, _CODES[result.verdict.value], own, "", noted, warnings, tuple(others), reached)


def _reached_kinds(result: Result) -> tuple[str, ...]:
    """Return what goes wrong at the targets that were reached."""
    from knaster.evidence.answers.answer import Reachable

    return tuple(dict.fromkeys(target.kind for target, answer in result.answers if isinstance(answer, Reachable)))


def _ask(job: Job, progress: Callable[[str], None] | None, ledger: Ledger | None) -> Result:
    from knaster.decide.asked import Source
    from knaster.decide.check import check

    text = job.text
    if text is None:
        text = read_text(job.file)
    source = Source(text, job.file, job.dialect, job.reading or {})
    cache = None
    if job.cache is not None:
        from knaster.decide.proof_cache import ProofCache

        cache = ProofCache(job.cache)
    return check(source, job.asked, job.how, job.limits, job.evidence, progress, ledger, cache)


def _save(job: Job, result: Result) -> tuple[Job, str]:
    """Write the files that were asked for; return the job with a remark about them, and why some are not there.

    The answer is given whatever becomes of them.
    """
    warnings: list[str] = []
    remarks = list(job.style.remarks)
    if job.proof is not None:
        try:
            remarks.append(_save_proof(result, job.proof))
        except KnasterError as error:
            warnings.append(f"knaster: {error}")
    if job.witness is not None:
        try:
            remarks.append(_save_witness(result, job.witness, job))
        except KnasterError as error:
            warnings.append(f"knaster: {error}")
    if job.harness is not None:
        if result.program.language != "c":
            raise UsageError("--harness is for programs of C")
        try:
            _write_harness(result, job.harness)
        except KnasterError as error:
            warnings.append(f"knaster: {error}")
    return job._replace(style=job.style._replace(remarks=tuple(remarks))), "\n".join(warnings)


def _save_proof(result: Result, file: str) -> str:
    """Save the proof of a result; return a sentence about it."""
    from knaster.checkers.files import proof_to_text

    try:
        if file.endswith((".smt2", ".chc")):
            from knaster.base.limits import Budget
            from knaster.report.scripts.files import script_of

            text = script_of(result, file, Budget())
        else:
            text = proof_to_text(result)
    except UsageError as none:
        return f"No proof was saved: {str(none).removeprefix(f'{result.file}: ')}."
    from knaster.base.outputs import write_file

    write_file(file, text)
    return f"The proof was saved in {file}."


def _save_witness(result: Result, file: str, job: Job) -> str:
    """Save a witness of a result; return a sentence about it."""
    from knaster.competition.properties import read_specification
    from knaster.competition.writer import write_witness

    try:
        wanted = None if job.specification is None else read_specification(job.specification, file)
        text = write_witness(result, wanted, read_bytes(job.file) if job.text is None else job.text.encode())
    except UsageError as none:
        return f"No witness was written: {none}."
    from knaster.base.outputs import write_file

    write_file(file, text)
    return f"The witness was written to {file}."


def _write_harness(result: Result, file: str) -> None:
    """Write the inputs of the run that was found as functions of C; nothing where no run was found."""
    from knaster.base.outputs import write_file
    from knaster.report.harness import harness
    from knaster.report.sentence import endless_run

    lasso = endless_run(result)
    run = result.trace if lasso is None else lasso.once
    if run is not None and result.program.memory is not None and result.program.is_threaded:
        from knaster.evidence.answers.answer import Reachable
        from knaster.report.memory.schedule_harness import schedule_harness

        target = next(target for target, answer in result.answers if isinstance(answer, Reachable) and answer.trace)
        write_file(file, schedule_harness(result.program, run, target))
    elif run is not None:
        write_file(file, harness(result.program, run))


def _draw_heap(result: Result, step: str, format: str) -> str:
    """Return the heap at a step of the first trace, as SVG or for Graphviz."""
    from knaster.program.model import Kind

    memory = result.program.kind is Kind.MEMORY and not result.program.is_threaded
    if result.program.kind is not Kind.REFERENCES and not memory:
        raise UsageError(f"{result.file}: there is no heap to draw; 'knaster show --as svg' draws the program")
    if result.trace is None:
        raise UsageError(f"{result.file}: there is no trace, so there is no step to draw")
    if step != "last" and not step.isdecimal():
        raise UsageError(f"'{step}' is no step; give its number, or 'last'")
    if memory:
        from knaster.report.memory.picture import picture
    else:
        from knaster.report.heap.picture import picture

    heap = picture(result.program, result.trace, None if step == "last" else int(step))
    picture_to_text: Callable[..., str] = load_named(FORMATS[format].picture)
    return picture_to_text(heap).rstrip("\n")
