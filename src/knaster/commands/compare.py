"""`knaster compare`: several engines on the same files, their answers and times beside each other."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from knaster.base.errors import UsageError
from knaster.base.exits import STATUS, ExitCode, worst
from knaster.commands.batch import job_of
from knaster.commands.comparison import Comparison, Outcome, body, smallest, usable
from knaster.commands.questions import CheckQuestion
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console, wants_colour
from knaster.commands.terminal.flags import add_readings, add_schedule, in_force, readings
from knaster.commands.terminal.interruption import add_limits, watch
from knaster.commands.terminal.source import STDIN, name_of, read, source_of
from knaster.engines.table import ENGINES, engine_named
from knaster.evidence.questions.question import BOUNDS, FAIRNESS
from knaster.jobs.failure import explain
from knaster.jobs.job import do_job
from knaster.report.formats import Style

if TYPE_CHECKING:
    from knaster.program.model import Program
    from knaster.report.envelope import Json

DECIDING = [name for name, engine in ENGINES.items() if engine.decides]
SHRINKING = 60.0  # seconds for finding a small program on which engines disagree
NARROWEST = 12  # columns of the name of a file
EPILOG = f"""\
Each engine answers for itself: no trace is replayed and no proof is checked, so
that a disagreement shows. Where engines disagree you get the smallest program
on which they still do. Without --engines those that can are compared.
Of programs with threads, also the least numbers of switches are compared; with
a bound, engines that explored everything within it have answered.

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
        self.table: _Table | None = None

    def compare(self, file: str) -> None:
        """Compare the engines on one file; an error becomes a row."""
        name = name_of(file)
        try:
            text = read(file) if file == STDIN else None
            program, able, unusable = self.load(file, text)
        except Exception as error:
            code, message = explain(error)
            self.console.complain(message)
            self.codes.append(code)
            self.write(name, [], {}, failure=(code, error, message))
            return
        outcomes = tuple(self.ask(engine, file, text) for engine in able)
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

    def ask(self, engine: str, file: str, text: str | None) -> Outcome:
        """Return what `knaster check` says with an engine, in another process where there is a hard limit."""
        options, started = _as_check(self.options, engine), time.monotonic()
        style = Style("none", options=in_force(options))
        question = CheckQuestion(name_of(file), options.property, options)
        job = job_of(question, "json", style)._replace(text=text)
        job = job._replace(how=job.how._replace(others=False))  # each engine answers for itself
        if self.options.timeout is not None or self.options.memory is not None:
            from knaster.jobs.worker import Worker

            worker = Worker()
            try:
                outcome = worker.do(job)
            finally:
                worker.stop()
            if worker.interrupted:
                raise KeyboardInterrupt
        else:
            with watch(options, self.console, f"{job.file}, {engine}", self.abandon) as progress:
                outcome = do_job(job, progress.listener)
        return Outcome.of(engine, outcome.output, time.monotonic() - started)

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

    def table_for(self, outcomes: Sequence[Outcome], failed: bool) -> tuple[_Table, list[str]]:
        """Return a table for these outcomes, a new one where the last does not fit, and the header of a new one."""
        named = self.options.engines is not None
        engines = self.engines if named or not outcomes else [outcome.engine for outcome in outcomes]
        if self.table is not None and (failed or list(self.table.engines) == list(engines)):
            return self.table, []
        self.table = _Table([name_of(file) for file in self.options.files], engines, self.console.width)
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


class _Table:
    """Files and engines: a line for each file, or one for each answer where that is too wide."""

    def __init__(self, files: Sequence[str], engines: Sequence[str], width: int) -> None:
        self.engines = engines
        self.columns = [max(len(engine), len("UNKNOWN 12.34 s")) for engine in engines]
        taken = sum(column + 2 for column in self.columns)
        longest = max(map(len, files))
        self.wide = width - taken >= min(longest, NARROWEST)
        self.left = max(NARROWEST, min(longest, width - taken)) if self.wide else longest

    def header(self) -> list[str]:
        if not self.wide:
            return []
        cells = (f"{engine:<{column}}" for engine, column in zip(self.engines, self.columns, strict=True))
        return ["  ".join([f"{'file':<{self.left}}", *cells]).rstrip()]

    def row(self, file: str, outcomes: Sequence[Outcome], failure: tuple[ExitCode, Exception, str] | None) -> list[str]:
        said = {outcome.engine: _cell(outcome) for outcome in outcomes}
        if failure is not None:
            said = {self.engines[0]: STATUS[failure[0]].upper()}
        if not self.wide:
            longest = max(map(len, self.engines))
            return [f"{file}:", *(f"  {engine:<{longest}}  {cell}" for engine, cell in said.items())]
        name = file if len(file) <= self.left else "..." + file[3 - self.left :]
        pairs = zip(self.engines, self.columns, strict=True)
        cells = (f"{said.get(engine, '' if failure else '-'):<{column}}" for engine, column in pairs)
        return ["  ".join([f"{name:<{self.left}}", *cells]).rstrip()]


def _cell(outcome: Outcome) -> str:
    if outcome.seconds is None:
        return outcome.word
    return f"{outcome.word:<7} {outcome.seconds:{'5.2f' if outcome.seconds < 99 else '5.0f'}} s"


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
