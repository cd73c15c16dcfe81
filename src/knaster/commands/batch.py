"""Several files in one command: answers in order as soon as they are known, limits for each, one exit code for all."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from knaster.base.errors import UsageError
from knaster.base.exits import ExitCode, worst
from knaster.base.lazy import load_named
from knaster.base.limits import address_space
from knaster.commands.console import Console
from knaster.commands.flags import engine_values, in_force, readings
from knaster.commands.interruption import interruption, limits_of, watch
from knaster.commands.source import STDIN, name_of, read
from knaster.evidence.questions.question import BOUNDS
from knaster.jobs.job import Job, Outcome, do_job, fail, give_up, stop_job
from knaster.report.formats import FORMATS, Style

if TYPE_CHECKING:
    from knaster.evidence.answers.ledger import Ledger
    from knaster.jobs.worker import Worker

_EARLIER = "not checked, because an earlier file was interrupted"


def job_of(options: argparse.Namespace, file: str, format: str, style: Style, property: str) -> Job:
    """Return what the options of `check` ask of a file, with the format in which its answer is written."""
    from knaster.decide.asked import Asked, Evidence, How

    asked = {name: getattr(options, name) for name in ("entry", *BOUNDS, "fair", "first")}
    return Job(
        name_of(file),
        read(file) if file == STDIN else None,
        Asked.of(options.target, options.thread, property=property, **asked),
        How(options.engine, engine_values(options)),
        limits_of(options),
        Evidence(options.trace != "none", True if options.proof is not None else options.certify),
        options.dialect,
        readings(options),
        format,
        style,
        options.draw,
        options.proof,
        options.harness,
    )


def properties_of(text: str) -> list[str]:
    """Return what `--property` names: one property, or each formula of a file."""
    if not text.startswith("@"):
        return [text]
    from knaster.automata.formula_files import read_formulas

    file = text[1:]
    if not file or file == STDIN:
        raise UsageError("--property @FILE takes a file of formulas; there is no name behind '@'")
    return [one.property for one in read_formulas(read(file), name_of(file))]


class Batch:
    """The files of one command, answered in order; output is written as soon as it is known."""

    def __init__(self, options: argparse.Namespace, console: Console) -> None:
        self.options = options
        self.console = console
        self.format = FORMATS[options.format]
        self.documents: list[str] = []  # of formats that are one text of all files
        if self.format.whole:
            self.format = FORMATS["json"]._replace(whole=self.format.whole, several="whole")
        self.style = Style(
            options.trace, options.verbose, console.width, in_force(options) if self.format.failure else None
        )
        self.properties = properties_of(options.property)
        self.several = len(options.files) * len(self.properties) > 1
        limited = options.timeout is not None or options.memory is not None
        self.apart = (self.several and limited) or address_space() is not None  # native code may end it
        self.interrupted = False
        self.codes: list[ExitCode] = []
        self._worker: Worker | None = None

    def check(self, file: str, property: str) -> None:
        """Answer one question about one file, unless the user has had enough."""
        name = name_of(file)
        if self.interrupted:
            self.add(give_up(name, _EARLIER, self.format.name, self.style))
            return
        try:
            job = job_of(self.options, file, self.format.name, self.style, property)
            self.add(self.elsewhere(job) if self.apart else self.here(job))
        except Exception as error:
            self.add(fail(name, error, self.format.name, self.style))
        if self.several:
            from knaster.jobs.memory import tidy_up

            tidy_up(first=len(self.codes) == 1)

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

    def add(self, outcome: Outcome) -> None:
        """Write what became of one file."""
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
            what = "files" if len(self.properties) == 1 else "answers"
            self.console.write("]\n" if self.format.several == "array" else f"{_summary(self.codes, what)}\n")
        return worst(self.codes)

    def abandon(self, job: Job, reason: str, ledger: Ledger) -> int:
        """Answer for a file that cannot be stopped, and for those after it, before the process ends."""
        self.add(stop_job(job, reason, ledger))
        asked = [file for file in self.options.files for _ in self.properties]
        for rest in asked[len(self.codes) :]:
            why = f"not checked, because {job.file} was abandoned: {reason}"
            self.add(give_up(name_of(rest), why, self.format.name, self.style))
        return self.finish()


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
