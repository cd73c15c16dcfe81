"""`knaster check`: every file gets an answer; several files get one line each and a summary."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from knaster.commands.console import Console, ExitCode, worst
from knaster.commands.failure import explain
from knaster.errors import SourceError, UnsupportedError

if TYPE_CHECKING:
    from knaster.pipeline import Result

EPILOG = """\
Without --target, every assert and every label ERROR, error or SLIC_ERROR is a
target. A label is reached when control stands before its statement.

exit codes:
  0   every target is unreachable       1   the command line makes no sense
  10  some target is reachable          2   the input was refused
  5   undecided: a limit was reached    6   our own fault; please report it
Of several files the worst counts, in the order 6, 2, 1, 10, 5, 0.

examples:
  knaster check examples/figure1.bp --target R
  knaster check driver.bp --target asserts --trace full
  knaster check *.bp --timeout 60 --format json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `check`."""
    parser.epilog = EPILOG
    parser.add_argument("files", nargs="+", metavar="FILE", help="a Boolean program")
    asked = parser.add_argument_group("the question")
    asked.add_argument(
        "--target",
        action="append",
        metavar="TARGET",
        help="LABEL, FILE:LINE, 'asserts' or 'all-labels'; may be repeated",
    )
    asked.add_argument("--entry", metavar="NAME", help="the procedure to start in (default: main)")
    asked.add_argument(
        "--dialect", default="default", metavar="NAME", help="'boppo': = != => bind weakest (default: tighter than &)"
    )
    asked.add_argument("--first", action="store_true", help="stop at the first target that is found reachable")
    method = parser.add_argument_group("the method")
    method.add_argument("--engine", default="summaries", metavar="NAME", help="how to decide it (default: summaries)")
    method.add_argument(
        "--order", default="auto", metavar="NAME", help="the order of the BDD variables (default: auto)"
    )
    method.add_argument(
        "--layout",
        default="slots",
        choices=("slots", "distinct"),
        help="'slots': procedures share BDD variables (default); 'distinct': each has its own, slower",
    )
    method.add_argument(
        "--certify",
        action=argparse.BooleanOptionalAction,
        help="re-check the proof of 'unreachable' independently (default: for small programs)",
    )
    method.add_argument("--timeout", type=_positive_number, metavar="S", help="give up after S seconds for each file")
    method.add_argument("--memory", type=_positive_integer, metavar="MB", help="give up beyond MB megabytes")
    shown = parser.add_argument_group("the answer")
    shown.add_argument("--format", default="text", choices=("text", "json"), help="for people (default) or programs")
    shown.add_argument(
        "--trace",
        choices=("full", "calls", "none"),
        help="every step, one line for each call that returns, or nothing (default: full where that is short)",
    )
    shown.add_argument("--progress", action="store_true", help="say how far it is, on a terminal")
    shown.add_argument("--verbose", action="store_true", help="add remarks and statistics")


def run(options: argparse.Namespace, console: Console) -> int:
    """Answer for every file; return the worst exit code."""
    batch = _Batch(options, console)
    for file in options.files:
        batch.check(file)
    return batch.finish()


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one file: its exit code, its answer in the format asked for, and a message if there is none."""

    file: str
    code: ExitCode
    output: str
    errors: str = ""

    @property
    def line(self) -> str:
        """The answer in one line of text."""
        if not self.errors:
            return self.output.partition("\n")[0]
        word = {ExitCode.REFUSED: "REFUSED", ExitCode.USAGE: "ERROR", ExitCode.FAULT: "FAULT"}.get(self.code, "UNKNOWN")
        return f"{self.file}: {word}. The reason is on standard error."


class _Batch:
    """The files of one command, answered in order; output is written as soon as it is known."""

    def __init__(self, options: argparse.Namespace, console: Console) -> None:
        self.options = options
        self.console = console
        self.several = len(options.files) > 1
        self.apart = self.several and (options.timeout is not None or options.memory is not None)
        self.interrupted = False
        self.codes: list[ExitCode] = []

    def check(self, file: str) -> None:
        """Answer for one file, unless the user has had enough."""
        if self.interrupted:
            self.add(unknown(file, "not checked, because an earlier file was interrupted", self.options))
        elif self.apart:
            self.add(self.in_child(file))
        else:
            self.add(self.here(file))

    def here(self, file: str) -> Checked:
        """Check one file in this process, under a watchdog."""
        from knaster.watchdog import Watchdog

        watchdog = Watchdog(lambda reason: self.abandon(file, reason), self.options.timeout, self.options.memory)
        try:
            with watchdog:
                checked = check_file(file, self.options, self.console)
        except KeyboardInterrupt:
            watchdog.interrupted = True
            checked = unknown(file, "interrupted", self.options)
        self.interrupted = watchdog.interrupted
        return checked

    def in_child(self, file: str) -> Checked:
        """Check one file in a process of its own: memory is counted for each file, and a hard limit ends only one."""
        import subprocess

        command = [sys.executable, "-m", "knaster", "check", *as_arguments(self.options), "--", file]
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8:backslashreplace"}
        try:
            done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", env=environment)
        except KeyboardInterrupt:
            self.interrupted = True
            return unknown(file, "interrupted", self.options)
        if done.returncode < 0:
            return unknown(file, f"its process was ended by signal {-done.returncode}", self.options)
        return Checked(file, ExitCode(done.returncode), done.stdout.rstrip("\n"), done.stderr)

    def add(self, checked: Checked) -> None:
        """Write what became of one file."""
        if checked.errors:
            self.console.complain(checked.errors)
        if self.options.format == "json":
            before = "" if not self.several else ",\n" if self.codes else "["
            self.console.write(before + checked.output + ("" if self.several else "\n"))
        elif not self.several:
            self.console.write(checked.output and checked.output + "\n")
        else:
            whole = self.options.trace in ("full", "calls") and not checked.errors
            self.console.write(f"{checked.output}\n\n" if whole else f"{checked.line}\n")
        self.codes.append(checked.code)

    def finish(self) -> ExitCode:
        """Write the summary; return the exit code."""
        if self.several:
            self.console.write("]\n" if self.options.format == "json" else f"{_summary(self.codes)}\n")
        return worst(self.codes)

    def abandon(self, file: str, reason: str) -> None:
        """Answer for a file that cannot be stopped, and for those after it; end the process."""
        self.add(unknown(file, reason, self.options))
        for rest in self.options.files[len(self.codes) :]:
            self.add(unknown(rest, f"not checked, because {file} was abandoned: {reason}", self.options))
        os._exit(self.finish())


def check_file(file: str, options: argparse.Namespace, console: Console) -> Checked:
    """Check one file; an error becomes an answer."""
    from knaster.results.render.entries import Form

    form = None if options.trace is None else Form(options.trace)
    try:
        result = _ask(Path(file), options, console)
        code = _CODES[result.verdict.value]
        if options.format == "json":
            from knaster.results.render.json import result_to_json

            return Checked(file, code, result_to_json(result, form))
        from knaster.results.render.text import result_to_text

        return Checked(file, code, "\n".join(result_to_text(result, form, options.verbose)))
    except Exception as error:
        return failed(file, error, options)


def _ask(file: Path, options: argparse.Namespace, console: Console) -> Result:
    from knaster.pipeline import check

    return check(
        file,
        options.target,
        entry=options.entry,
        engine=options.engine,
        dialect=options.dialect,
        traces=options.trace != "none",
        certify=options.certify,
        timeout=options.timeout,
        memory=options.memory,
        order=options.order,
        layout=options.layout,
        first=options.first,
        progress=console.progress if options.progress else None,
    )


def unknown(file: str, reason: str, options: argparse.Namespace) -> Checked:
    """Return the answer for a file of which nothing is known."""
    from knaster.results.render.json import refusal_to_json
    from knaster.results.render.report import unknown_sentence

    if options.format == "json":
        return Checked(file, ExitCode.UNDECIDED, refusal_to_json(file, reason, options.engine))
    return Checked(file, ExitCode.UNDECIDED, unknown_sentence(file, reason))


def failed(file: str, error: Exception, options: argparse.Namespace) -> Checked:
    """Return the answer for a file whose check raised an error."""
    if isinstance(error, UnsupportedError) and not error.file:
        error = UnsupportedError(error.feature, error.span, file)
    code, message = explain(error)
    output = ""
    if options.format == "json":
        from knaster.results.render.json import refusal_to_json

        problems = error.problems if isinstance(error, SourceError) else ()
        reason = f"{len(problems)} errors in the input" if len(problems) > 1 else message.partition("\n")[0]
        output = refusal_to_json(file, reason, options.engine, problems)
    return Checked(file, code, output, message)


def as_arguments(options: argparse.Namespace) -> list[str]:
    """Return the command-line arguments that mean `options`, without the files."""
    arguments = [f"--target={target}" for target in options.target or ()]
    for name in ("entry", "dialect", "engine", "order", "layout", "timeout", "memory", "format", "trace"):
        value = getattr(options, name)
        arguments += [] if value is None else [f"--{name}={value}"]
    arguments += [f"--{name}" for name in ("first", "verbose") if getattr(options, name)]
    if options.certify is not None:
        arguments.append("--certify" if options.certify else "--no-certify")
    return arguments


def _summary(codes: list[ExitCode]) -> str:
    words = (
        (ExitCode.UNREACHABLE, "TRUE"),
        (ExitCode.REACHABLE, "FALSE"),
        (ExitCode.UNDECIDED, "UNKNOWN"),
        (ExitCode.REFUSED, "refused"),
        (ExitCode.USAGE, "not checked"),
        (ExitCode.FAULT, "failed by our own fault"),
    )
    parts = [f"{codes.count(code)} {word}" for code, word in words if code in codes]
    return f"{len(codes)} files: {', '.join(parts)}."


_CODES = {"TRUE": ExitCode.UNREACHABLE, "FALSE": ExitCode.REACHABLE, "UNKNOWN": ExitCode.UNDECIDED}


def _positive_number(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError
    return value


def _positive_integer(text: str) -> int:
    value = int(text)
    if value <= 0:
        raise ValueError
    return value


_positive_number.__name__ = "positive number"  # argparse says: invalid positive number value: 'x'
_positive_integer.__name__ = "positive whole number"
