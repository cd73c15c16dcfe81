"""`knaster compare`: several engines on the same files, their answers and times beside each other."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from knaster.base.errors import InternalError, UsageError
from knaster.base.exits import STATUS, ExitCode, worst
from knaster.commands.comparison import Comparison, Outcome, body, smallest, usable
from knaster.commands.comparison_table import ComparisonTable
from knaster.commands.files.batch import job_of
from knaster.commands.files.questions import CheckQuestion
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console, wants_colour
from knaster.commands.terminal.executors import add_cluster, add_jobs, executor_of
from knaster.commands.terminal.flags import add_readings, add_schedule, in_force, readings
from knaster.commands.terminal.interruption import add_limits, watch
from knaster.commands.terminal.source import STDIN, name_of, read, source_of
from knaster.engines.table import ENGINES, engine_named
from knaster.evidence.questions.question import BOUNDS, FAIRNESS
from knaster.jobs.failure import explain
from knaster.jobs.job import Job, do_job
from knaster.report.formats import Style

if TYPE_CHECKING:
    from knaster.program.model import Program
    from knaster.report.envelope import Json

DECIDING = [name for name, engine in ENGINES.items() if engine.decides]
PATIENCE = 20.0  # seconds for each engine where nothing bounds the runs of threads that it looks at
SHRINKING = 60.0  # seconds for finding a small program on which engines disagree
EPILOG = f"""\
Each engine answers for itself: no trace is replayed and no proof is checked, so
that a disagreement shows. Where engines disagree you get the smallest program
on which they still do. Without --engines those that can are compared.
Of programs with threads, also the least numbers of switches are compared; with
a bound, engines that explored everything within it have answered; without one,
and without --timeout, each engine has 20 seconds.

{exit_codes("compare")}
Of several files the worst counts, in the order 6, 2, 1, 5, 0.

examples:
  knaster compare examples/*.bp --timeout 10
  knaster compare driver.bp --engines summaries,pushdown --target ERROR
  knaster compare program.c --property termination --timeout 20
  knaster compare threads.bp --switches 3 --thread adder --thread stopper*2
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `compare`."""
    parser.epilog = EPILOG
    parser.add_argument("files", nargs="+", metavar="FILE", help="a program; '-' is standard input")
    parser.add_argument("--engines", metavar="A,B,...", help=f"some of {', '.join(ENGINES)} (default: all that can)")
    parser.add_argument(
        "--target",
        action="append",
        metavar="TARGET",
        help="LABEL, FILE:LINE, 'asserts' or 'all-labels' (default: asserts and error labels)",
    )
    parser.add_argument("--property", default="reach", metavar="PROPERTY", help="as of 'knaster check'")
    parser.add_argument("--fair", default="none", choices=FAIRNESS, help="as of 'knaster check'")
    parser.add_argument("--entry", metavar="NAME", help="the procedure to start in (default: main)")
    add_schedule(parser)
    parser.add_argument("--dialect", default="default", metavar="NAME", help="see 'knaster check --help'")
    parser.add_argument("--format", default="text", choices=("text", "json"), help="for people (default) or programs")
    add_limits(parser, " for each engine and file")
    add_jobs(parser)
    add_cluster(parser)
    add_readings(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Compare the engines on every file; return the worst exit code."""
    engines = list(dict.fromkeys(options.engines.split(","))) if options.engines else list(DECIDING)
    for engine in engines:
        engine_named(engine)
    if len(engines) < 2:
        raise UsageError("name two engines at least, such as --engines summaries,pushdown")
    if options.files.count(STDIN) > 1:
        raise UsageError("standard input can be read only once, and '-' is given more than once")
    comparing = _Comparing(options, console, engines)
    try:
        if options.jobs not in (None, 1) or options.cluster is not None:
            comparing.compare_side_by_side()
        else:
            for file in options.files:
                comparing.compare(file)
    except KeyboardInterrupt:
        console.complain("knaster: interrupted")
        comparing.codes.append(ExitCode.UNDECIDED)
    return comparing.finish()


class _Comparing:
    """The files of one command; a row is written as soon as it is known."""

    def __init__(self, options: argparse.Namespace, console: Console, engines: Sequence[str]) -> None:
        self.options = options
        self.console = console
        self.engines = engines
        self.several = len(options.files) > 1
        self.codes: list[ExitCode] = []
        self.written = 0
        self.table: ComparisonTable | None = None

    def compare(self, file: str) -> None:
        """Compare the engines on one file; an error becomes a row."""
        try:
            text = read(file) if file == STDIN else None
            program, able, unusable = self.load(file, text)
        except Exception as error:
            self.refuse(file, error)
            return
        self.conclude(file, program, tuple(self.ask(program, engine, file, text) for engine in able), unusable)

    def compare_side_by_side(self) -> None:
        """Ask several engines at once, about one file or about several; rows are written in the order of the files."""
        asked: list[_Asked] = []
        executor = executor_of(self.options, len(self.options.files) * len(self.engines))
        progress = self.console.follow(self.options.progress, f"{len(self.options.files)} files")
        written = 0
        try:
            for number, outcome in executor.run(self.jobs(asked), progress.pulse):
                owner = next(one for one in asked if number in one.started)
                engine, started = owner.started[number]
                owner.outcomes[engine] = Outcome.of(engine, outcome.output, time.monotonic() - started)
                if progress.listener is not None:
                    progress.listener(f"{len(self.options.files) - written} left")
                while written < len(asked) and asked[written].done and not executor.interrupted:
                    self.settle(asked[written])
                    written += 1
        finally:
            progress.close()
            executor.stop()
        if executor.interrupted:
            raise KeyboardInterrupt
        for one in asked[written:]:
            self.settle(one)

    def jobs(self, asked: list[_Asked]) -> Iterator[tuple[int, Job]]:
        """Yield a job for each engine and file, by number; `asked` learns of each file when its turn has come."""
        number = 0
        for file in self.options.files:
            one = _Asked(file)
            asked.append(one)
            try:
                text = read(file) if file == STDIN else None
                one.program, one.able, one.unusable = self.load(file, text)
            except Exception as error:
                one.error = error
                continue
            for engine in one.able:
                one.started[number] = engine, time.monotonic()
                yield number, self.job_for(one.program, engine, file, text)
                number += 1

    def settle(self, one: _Asked) -> None:
        """Write what became of one file."""
        if one.program is None:
            self.refuse(one.file, one.error or InternalError("nobody read it"))
        else:
            self.conclude(one.file, one.program, tuple(one.outcomes[engine] for engine in one.able), one.unusable)

    def refuse(self, file: str, error: Exception) -> None:
        """Write that a file cannot be compared."""
        code, message = explain(error)
        self.console.complain(message)
        self.codes.append(code)
        self.write(name_of(file), [], {}, failure=(code, error, message))

    def conclude(self, file: str, program: Program, outcomes: tuple[Outcome, ...], unusable: dict[str, str]) -> None:
        """Write what the engines say of one file."""
        name = name_of(file)
        compared = Comparison(name, outcomes, unusable, named=self.options.engines is not None)
        self.codes.append(compared.code)
        if self.options.format == "text":
            self.write(name, outcomes, unusable)
        small = self.make_smaller(program, compared) if compared.disagreements else None
        self.explain(compared, small)

    def load(self, file: str, text: str | None) -> tuple[Program, list[str], dict[str, str]]:
        """Return the program, the engines that handle it, and why others do not."""
        from knaster.decide.asked import Asked
        from knaster.decide.crew import set_up, start_at
        from knaster.frontends.languages import load

        source, named = (source_of(file), None) if text is None else (text, name_of(file))
        program = load(source, self.options.dialect, file=named, **readings(self.options))
        program = program if self.options.thread else start_at(program, self.options.entry)
        asked = {name: getattr(self.options, name) for name in (*BOUNDS, "property", "fair")}
        running, _, question = set_up(program, Asked.of(self.options.target, self.options.thread, **asked))
        return program, *usable(self.engines, running, question)

    def ask(self, program: Program, engine: str, file: str, text: str | None) -> Outcome:
        """Return what `knaster check` says with an engine, in another process where there is a hard limit."""
        job, started = self.job_for(program, engine, file, text), time.monotonic()
        if _time_limit(self.options, program) is not None or self.options.memory is not None:
            from knaster.jobs.worker import Worker

            worker = Worker()
            try:
                outcome = worker.do(job)
            finally:
                worker.stop()
            if worker.interrupted:
                raise KeyboardInterrupt
        else:
            with watch(self.options, self.console, f"{job.file}, {engine}", self.abandon) as progress:
                outcome = do_job(job, progress.listener)
        return Outcome.of(engine, outcome.output, time.monotonic() - started)

    def job_for(self, program: Program, engine: str, file: str, text: str | None) -> Job:
        """Return what `knaster check` does with an engine."""
        options = _as_check(self.options, engine)
        options.timeout = _time_limit(self.options, program)
        question = CheckQuestion(name_of(file), options.property, options)
        job = job_of(question, "json", Style("none", options=in_force(options)))._replace(text=text)
        return job._replace(how=job.how._replace(others=False))  # each engine answers for itself

    def abandon(self, reason: str) -> int:
        """Say that the comparison ended in the middle, because an engine could not be stopped."""
        self.console.complain(f"knaster: {reason}")
        self.codes.append(ExitCode.UNDECIDED)
        return self.finish()

    def make_smaller(self, program: Program, compared: Comparison) -> Program | None:
        """Return a small program on which the engines disagree as they do on a file."""
        until = time.monotonic() + SHRINKING
        patient = argparse.Namespace(**{**vars(self.options), "timeout": None})  # the limit is that of each engine
        with watch(patient, self.console, f"{compared.file}, smaller", self.abandon) as progress:

            def more() -> bool:
                if progress.listener is not None:
                    progress.listener(f"{until - time.monotonic():6.1f} s left for finding a smaller program")
                return time.monotonic() < until

            return smallest(program, compared.disagreements[0], self.options, more)

    def explain(self, compared: Comparison, small: Program | None) -> None:
        """Write what is to be said about one file below its row, or the file's document."""
        from knaster.frontends.languages import spelling_of

        text = None if small is None else spelling_of(small).to_text(small)
        if self.options.format == "json":
            self.write(compared.file, compared.outcomes, compared.unusable, body(compared, text))
            return
        for engine, why in compared.unusable.items() if compared.named else ():
            self.console.complain(f"knaster: {compared.file}: the engine '{engine}' cannot be used: {why}")
        if len(compared.outcomes) < 2:
            self.console.complain(f"knaster: {compared.file}: there are not two engines that can be compared")
        for outcome in compared.outcomes:
            if outcome.status not in ("answered", "undecided"):
                self.console.complain(f"knaster: {compared.file}: {outcome.engine}: {outcome.reason}")
        for found in compared.disagreements:
            self.console.write(f"\n{compared.file}: {found}.\n")
        if text is not None:
            self.console.write(f"The smallest program found on which they disagree; please report it:\n\n{text}\n")
        elif compared.disagreements:
            self.console.write("They agree when they are asked again.\n")

    def write(
        self,
        file: str,
        outcomes: Sequence[Outcome],
        unusable: Mapping[str, str],
        content: Mapping[str, Json] | None = None,
        failure: tuple[ExitCode, Exception, str] | None = None,
    ) -> None:
        """Write the row of one file, or its document."""
        if self.options.format == "text":
            from knaster.commands.terminal.colour import paint_words

            table, header = self.table_for(outcomes, failure is not None)
            lines = [*header, *table.row(file, outcomes, failure)]
            text = "".join(f"{line}\n" for line in lines)
            text = self.console.show(text)
            self.console.write_painted(paint_words(text) if wants_colour(sys.stdout) else text)
        else:
            before = "" if not self.several else ",\n" if self.written else "["
            self.console.write(before + self.document(file, content, failure) + ("" if self.several else "\n"))
        self.written += 1

    def table_for(self, outcomes: Sequence[Outcome], failed: bool) -> tuple[ComparisonTable, list[str]]:
        """Return a table for these outcomes, a new one where the last does not fit, and the header of a new one."""
        named = self.options.engines is not None
        engines = self.engines if named or not outcomes else [outcome.engine for outcome in outcomes]
        if self.table is not None and (failed or list(self.table.engines) == list(engines)):
            return self.table, []
        self.table = ComparisonTable([name_of(file) for file in self.options.files], engines, self.console.width)
        return self.table, self.table.header()

    def document(
        self, file: str, content: Mapping[str, Json] | None, failure: tuple[ExitCode, Exception, str] | None
    ) -> str:
        """Return the JSON of one file."""
        from knaster.report.document import failure as failure_document
        from knaster.report.envelope import envelope, to_line

        if failure is not None:
            return failure_document("compare", in_force(self.options), file, *failure)
        assert content is not None
        code, found = self.codes[-1], content["disagreements"]
        verdict = "FALSE" if found else "TRUE" if code == ExitCode.DONE else "UNKNOWN"
        status = "answered" if found or code == ExitCode.DONE else "undecided"
        reason = "the engines disagree" if found else "the engines agree" if code == ExitCode.DONE else STATUS[code]
        return to_line(envelope("compare", file, status, verdict, reason, in_force(self.options), content))

    def finish(self) -> ExitCode:
        """Write the end; return the exit code."""
        code = worst(self.codes)
        if self.options.format == "json":
            self.console.write("]\n" if self.several and self.written else "")
        elif code == ExitCode.DONE:
            self.console.write(f"\nThe engines agree on {'all files' if self.several else 'the file'}.\n")
        return code


class _Asked:
    """A file about which engines are asked at once, and what they have said so far."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.program: Program | None = None
        self.error: Exception | None = None
        self.able: list[str] = []
        self.unusable: dict[str, str] = {}
        self.started: dict[int, tuple[str, float]] = {}
        self.outcomes: dict[str, Outcome] = {}

    @property
    def done(self) -> bool:
        """Whether every engine has answered, or there is nothing to ask."""
        return self.error is not None or (self.program is not None and len(self.outcomes) == len(self.able))


def _time_limit(options: argparse.Namespace, program: Program) -> float | None:
    """Return the seconds for each engine: those asked for, or some where one bound of threads comes after the other."""
    bounded = any(getattr(options, name) is not None for name in BOUNDS)
    if bounded or options.timeout is not None or not (program.is_threaded or options.thread):
        return options.timeout  # type: ignore[no-any-return]
    return PATIENCE


def _as_check(options: argparse.Namespace, engine: str) -> argparse.Namespace:
    """Return the options of a `knaster check` that only answers."""
    from knaster.commands import check
    from knaster.commands.terminal.parser import Parser

    parser = Parser()
    check.configure(parser)
    arguments = ["-", f"--engine={engine}", "--format=json", "--trace=none", "--no-certify"]
    found = parser.parse_args(arguments)
    for name, value in vars(options).items():
        if hasattr(found, name) and name not in ("files", "format"):
            setattr(found, name, value)
    found.command = "check"
    return found
