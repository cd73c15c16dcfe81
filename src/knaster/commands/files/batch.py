"""Several files in one command: answers in order as soon as they are known, limits for each, one exit code for all."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from knaster.base.errors import UsageError
from knaster.base.exits import ExitCode, worst
from knaster.base.lazy import load_named
from knaster.base.limits import address_space
from knaster.base.records import replace
from knaster.commands.files.questions import CheckQuestion, questions_of
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.flags import engine_values, in_force, readings
from knaster.commands.terminal.interruption import interruption, limits_of, watch
from knaster.commands.terminal.source import name_of, read, text_of
from knaster.evidence.questions.question import BOUNDS
from knaster.jobs.job import Job, do_job, fail, give_up, stop_job
from knaster.jobs.work import Outcome
from knaster.report.formats import FORMATS, Style

if TYPE_CHECKING:
    from knaster.commands.terminal.outputs import Collected
    from knaster.evidence.answers.ledger import Ledger
    from knaster.jobs.worker import Worker
    from knaster.report.ci.baseline import Baseline

_EARLIER = "not checked, because an earlier file was interrupted"


def job_of(question: CheckQuestion, format: str, style: Style, also: tuple[str, ...] = ()) -> Job:
    """Return what is asked of a file, with the format in which its answer is written."""
    from knaster.decide.asked import Asked, Evidence, How

    options, file = question.options, question.file
    asked = {name: getattr(options, name) for name in ("entry", *BOUNDS, "fair", "first")}
    return Job(
        name_of(file),
        text_of(file),
        Asked.of(options.target, options.thread, property=question.property, **asked),
        How(options.engine, engine_values(options)),
        limits_of(options),
        Evidence(
            options.trace != "none",
            True if options.proof is not None else options.certify,
            style.verbose
            or any(FORMATS[each].proofs for each in (format, *also))
            or any(place is not None for place in (options.proof, options.witness, options.cache)),
        ),
        options.dialect,
        readings(options),
        format,
        style,
        options.draw,
        options.proof,
        options.harness,
        options.witness,
        None if question.specification is None else question.specification.text,
        also,
        options.cache,
    )


class Batch:
    """The files of one command, answered in order; output is written as soon as it is known."""

    def __init__(self, options: argparse.Namespace, console: Console) -> None:
        self.options = options
        self.console = console
        self.format = FORMATS[options.format]
        self.documents: list[str] = []  # of formats that are one text of all files
        self.questions = questions_of(options)
        self.several = len(self.questions) > 1
        if self.format.whole and (self.several or not self.format.write):
            self.format = FORMATS["json"]._replace(whole=self.format.whole, several="whole")
        elif self.format.whole:
            self.format = self.format._replace(whole="")
        limited = options.timeout is not None or options.memory is not None
        self.apart = (self.several and limited) or address_space() is not None  # native code may end it
        self.interrupted = False
        self.told: set[str] = set()  # remarks about tasks, which are said once
        self.codes: list[ExitCode] = []
        self.judged: list[ExitCode] = []  # where known findings do not count
        self.baseline = _baseline(options)
        self.met: set[str] = set()  # the targets of all files, as `expected` names them
        self.collected: Collected | None = None
        if options.output or self.baseline is not None:
            from knaster.commands.terminal.outputs import Collected, outputs_of

            outputs = outputs_of(options.output, options.files)
            if self.several and any(not output.format.several for output in outputs):
                raise UsageError("--output svg shows one file")
            self.collected = Collected(outputs, ["json"] if self.baseline is not None else [])
        self._worker: Worker | None = None

    @property
    def also(self) -> tuple[str, ...]:
        """The formats that are wanted besides the one on standard output."""
        return () if self.collected is None else self.collected.formats

    def style_of(self, question: CheckQuestion) -> Style:
        """Return how much of an answer is written."""
        needed = self.format.failure or self.collected is not None
        options = in_force(question.options) if needed else None
        given = self.options.trace, self.options.verbose, self.console.width, options
        return Style(*given, question.remarks, question.expected)

    def check(self, question: CheckQuestion) -> None:
        """Answer one question, unless the user has had enough."""
        name, style = name_of(question.file), self.style_of(question)
        if self.interrupted:
            self.add(give_up(name, _EARLIER, self.format.name, style, self.also), question)
            return
        try:
            if question.error is not None:
                raise question.error
            job = job_of(question, self.format.name, style, self.also)
            if self.options.jobs is not None and not self.several:
                job = _with_cores(job, self.options)
            self.add(self.elsewhere(job) if self.apart else self.here(job), question)
        except Exception as error:
            self.add(fail(name, error, self.format.name, style, self.also), question)
        if self.several:
            from knaster.jobs.memory import tidy_up

            tidy_up(first=len(self.codes) == 1)

    def check_side_by_side(self) -> None:
        """Answer all questions by several processes or machines; answers are written in the order of the files."""
        from knaster.commands.terminal.executors import executor_of

        outcomes: dict[int, Outcome] = {}
        pool = executor_of(self.options, len(self.questions))
        progress = self.console.follow(self.options.progress, f"{len(self.questions)} files")
        try:
            for number, outcome in pool.run(self.jobs_of(outcomes), progress.pulse):
                outcomes[number] = outcome
                self.flush(outcomes)
                if progress.listener is not None:
                    progress.listener(f"{len(self.questions) - len(self.codes) - len(outcomes)} left")
        finally:
            progress.close()
            pool.stop()
        for number, question in enumerate(self.questions):
            if number >= len(self.codes) and number not in outcomes:
                style = self.style_of(question)
                outcomes[number] = give_up(name_of(question.file), _EARLIER, self.format.name, style, self.also)
        self.flush(outcomes)

    def jobs_of(self, outcomes: dict[int, Outcome]) -> Iterator[tuple[int, Job]]:
        """Yield the jobs by number; what cannot be asked is an outcome at once."""
        for number, question in enumerate(self.questions):
            style = self.style_of(question)
            try:
                if question.error is not None:
                    raise question.error
                yield number, job_of(question, self.format.name, style, self.also)
            except Exception as error:
                outcomes[number] = fail(name_of(question.file), error, self.format.name, style, self.also)

    def flush(self, outcomes: dict[int, Outcome]) -> None:
        """Write the outcomes whose turn it is."""
        while (number := len(self.codes)) in outcomes:
            self.add(outcomes.pop(number), self.questions[number])

    def here(self, job: Job) -> Outcome:
        """Do one job in this process, under a watchdog; at Ctrl-C answer what is established."""
        from knaster.evidence.answers.ledger import Ledger

        ledger = Ledger()
        try:
            with watch(self.options, self.console, job.file, lambda why: self.abandon(job, why, ledger)) as line:
                return do_job(job, line.listener, ledger)
        except KeyboardInterrupt as interrupt:
            self.interrupted = True
            return stop_job(job, interruption(interrupt), ledger)

    def elsewhere(self, job: Job) -> Outcome:
        """Do one job in another process: a hard limit ends only that, and memory is counted for each file."""
        if self._worker is None:
            from knaster.jobs.worker import Worker

            self._worker = Worker()
        progress = self.console.follow(self.options.progress, job.file)
        try:
            outcome = self._worker.do(job, progress.listener, progress.pulse)
        finally:
            progress.close()
        self.interrupted = self._worker.interrupted
        return outcome

    def add(self, outcome: Outcome, question: CheckQuestion) -> None:
        """Write what became of one file."""
        for remark in question.remarks if self.several else ():
            if remark not in self.told:
                self.told.add(remark)
                self.console.complain(f"knaster: {remark}")
        if outcome.errors:
            self.console.complain(outcome.errors)
        if self.format.whole:
            self.documents.append(outcome.output)
        elif self.format.several == "array":
            before = "" if not self.several else ",\n" if self.codes else "["
            self.console.write(before + outcome.output + ("" if self.several else "\n"))
        elif not self.several or self.format.several == "each":
            self.console.answer(outcome.output and outcome.output + "\n")
        else:
            whole = self.options.trace in ("full", "calls") and not outcome.errors
            lines = [outcome.line, *(f"  {line}" for line in outcome.notes)]
            self.console.answer(f"{outcome.output}\n\n" if whole else "".join(f"{line}\n" for line in lines))
        if outcome.warnings:
            self.console.complain(outcome.warnings)
        self.codes.append(outcome.code)
        if self.collected is not None:
            self.collected.add(outcome)
        self.judged.append(outcome.code if self.baseline is None else self.judge(outcome))
        if self.format.name == "text" and question.specification is not None:
            self.console.answer("".join(f"{line}\n" for line in _competition_lines(outcome, question)))

    def judge(self, outcome: Outcome) -> ExitCode:
        """Return the exit code of a question where known findings do not count, and say so."""
        from knaster.report.ci.findings import SourceLines, list_cases

        assert self.collected is not None and self.baseline is not None
        cases = list_cases(self.collected.last_document(), SourceLines())
        self.met.update(name for case in cases for name in case.names)
        for name in self.baseline.surprises(cases):
            self.console.complain(f"knaster: {name} is expected to fail, and does not")
        if outcome.code != ExitCode.REACHABLE or self.baseline.new_findings(cases):
            return outcome.code
        self.console.complain(f"knaster: {outcome.file}: its findings are known and do not count")
        return ExitCode.DONE

    def finish(self) -> ExitCode:
        """Write the summary; return the exit code."""
        if self._worker is not None:
            self._worker.stop()
        if self.format.whole:
            import json

            from knaster.report.ci.findings import SourceLines

            write = load_named(self.format.whole)
            self.console.write(write([json.loads(document) for document in self.documents], SourceLines()))
        elif self.several and self.format.several != "each":
            what = "files" if len(self.questions) == len(self.options.files) else "answers"
            if sum(file.endswith((".c", ".i")) for file in self.options.files) > 1:
                what += ", each file a program of its own (--together: one program)"
            self.console.write("]\n" if self.format.several == "array" else f"{_summary(self.codes, what)}\n")
        for complaint in self.collected.write() if self.collected is not None else ():
            self.console.complain(complaint)
        for name in sorted(self.baseline.expected - self.met) if self.baseline is not None else ():
            if not any(name.startswith((f"{file}:", f"{file}/")) for file in self.open_files()):
                self.console.complain(f"knaster: {name} is expected to fail, and there is no such target")
        return worst(self.judged)

    def open_files(self) -> Iterator[str]:
        """Yield the files whose targets may not all be known: refused, or undecided."""
        for question, code in zip(self.questions, self.codes, strict=True):
            if code not in (ExitCode.UNREACHABLE, ExitCode.REACHABLE):
                yield name_of(question.file)

    def abandon(self, job: Job, reason: str, ledger: Ledger) -> int:
        """Answer for a file that cannot be stopped, and for those after it, before the process ends."""
        self.add(stop_job(job, reason, ledger), self.questions[len(self.codes)])
        for rest in self.questions[len(self.codes) :]:
            why = f"not checked, because {job.file} was abandoned: {reason}"
            self.add(give_up(name_of(rest.file), why, self.format.name, self.style_of(rest), self.also), rest)
        return self.finish()


def _with_cores(job: Job, options: argparse.Namespace) -> Job:
    """Return the only job with all the processes that `-j` allows."""
    from knaster.commands.terminal.executors import count_processes

    return job._replace(limits=replace(job.limits, cores=count_processes(options)))


def _baseline(options: argparse.Namespace) -> Baseline | None:
    """Return the findings that are known; None where nobody names any."""
    expected = getattr(options, "expected", None) or ()
    if options.baseline is None and not expected:
        return None
    from knaster.report.ci.baseline import Baseline, read_baseline

    if options.baseline is None:
        return Baseline(expected=frozenset(expected))
    return read_baseline(read(options.baseline), name_of(options.baseline), expected)


def _competition_lines(outcome: Outcome, question: CheckQuestion) -> Iterator[str]:
    """Yield that another verdict was expected, and the verdict as a competition reads it, which comes last."""
    answer = {ExitCode.UNREACHABLE: True, ExitCode.REACHABLE: False}.get(outcome.code)
    if question.expected is not None and answer is not None and answer != question.expected:
        yield f"Expected by the task: {str(question.expected).lower()}."
    assert question.specification is not None
    verdict = {True: "TRUE", False: "FALSE", None: "UNKNOWN"}[answer]
    if outcome.code in (ExitCode.UNREACHABLE, ExitCode.REACHABLE, ExitCode.UNDECIDED):
        yield question.specification.word(verdict, outcome.reached)


def _summary(codes: list[ExitCode], what: str) -> str:
    words = (
        (ExitCode.UNREACHABLE, "TRUE"),
        (ExitCode.REACHABLE, "FALSE"),
        (ExitCode.UNDECIDED, "UNKNOWN"),
        (ExitCode.REFUSED, "refused"),
        (ExitCode.USAGE, "not checked"),
        (ExitCode.FAULT, "failed by a bug in Knaster"),
    )
    parts = [f"{codes.count(code)} {word}" for code, word in words if code in codes]
    return f"{len(codes)} {what}: {', '.join(parts)}."
