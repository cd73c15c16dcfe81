"""One file, one answer: an error, too, becomes something that can be printed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from knaster.base.errors import KnasterError, UnsupportedError, UsageError
from knaster.base.limits import Explored
from knaster.commands.console import WIDTH
from knaster.commands.exits import ExitCode
from knaster.commands.failure import explain
from knaster.commands.flags import given, in_force, readings
from knaster.commands.limited import limits_of
from knaster.commands.source import name_of, read

if TYPE_CHECKING:
    from knaster.evidence.answers.answer import Result

_CODES = {"TRUE": ExitCode.UNREACHABLE, "FALSE": ExitCode.REACHABLE, "UNKNOWN": ExitCode.UNDECIDED}
_WORDS = {ExitCode.REFUSED: "REFUSED", ExitCode.USAGE: "ERROR", ExitCode.FAULT: "FAULT"}


@dataclass(frozen=True, slots=True)
class Input:
    """What is to be checked: the name of a file, and the text where it is not to be read from that file."""

    file: str
    text: str | None = None

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return name_of(self.file)


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
        return f"{self.file}: {_WORDS.get(self.code, 'UNKNOWN')}. The reason is on standard error."


def check_input(
    source: Input, options: argparse.Namespace, progress: Callable[[str], None] | None = None, width: int = WIDTH
) -> Checked:
    """Check one file; an error becomes an answer."""
    from knaster.report.entries import Form

    form = None if options.trace is None else Form(options.trace)
    try:
        result = _ask(source, options, progress)
        code = _CODES[result.verdict.value]
        saved = _save(result, options.proof)
        if options.harness is not None:
            _write_harness(options.harness, result)
        if options.draw is not None:
            return Checked(source.name, code, _picture(options.draw, result, options.format))
        if options.format == "json":
            from knaster.report.json import result_to_json

            noted = replace(result, notes=(*result.notes, *saved))
            return Checked(source.name, code, result_to_json(noted, form, in_force(options)))
        if options.format == "html":
            from knaster.report.notebook import whole_page

            return Checked(source.name, code, whole_page(result, form).rstrip("\n"))
        if options.format == "svg":
            from knaster.report.notebook import draw

            return Checked(source.name, code, draw(result).to_svg().rstrip("\n"))
        from knaster.report.text import result_to_text

        return Checked(source.name, code, "\n".join((*result_to_text(result, form, options.verbose, width), *saved)))
    except Exception as error:
        return failed(source.name, error, options)


def _picture(step: str, result: Result, form: str) -> str:
    """Return the heap at a step of the first trace, as SVG or for Graphviz."""
    from knaster.program.model import Kind

    if result.program.kind is not Kind.REFERENCES:
        raise UsageError(f"{result.file}: there is no heap to draw; 'knaster show --as svg' draws the program")
    if result.trace is None:
        raise UsageError(f"{result.file}: there is no trace, so there is no step to draw")
    if step != "last" and not step.isdecimal():
        raise UsageError(f"'{step}' is no step; give its number, or 'last'")
    from knaster.report.heap.drawing import heap_to_dot, heap_to_svg
    from knaster.report.heap.picture import picture

    drawn = picture(result.program, result.trace, None if step == "last" else int(step))
    return (heap_to_dot(drawn) if form == "dot" else heap_to_svg(drawn)).rstrip("\n")


def _write_harness(file: str, result: Result) -> None:
    """Write the inputs of the run that was found as functions of C; nothing where no run was found."""
    if result.program.language != "c":
        raise UsageError("--harness is for programs of C")
    from knaster.report.harness import harness
    from knaster.report.sentence import endless_run

    lasso = endless_run(result)
    run = result.trace if lasso is None else lasso.once
    if run is None:
        return
    try:
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(harness(result.program, run))
    except OSError as error:
        raise KnasterError(f"{file}: cannot be written: {error.strerror}") from None


def _ask(source: Input, options: argparse.Namespace, progress: Callable[[str], None] | None) -> Result:
    from knaster.decide.asked import Asked, How, Source
    from knaster.decide.check import check
    from knaster.decide.conclude import Evidence

    text = read(source.file) if source.text is None else source.text
    schedule = {"switches": options.switches, "rounds": options.rounds}
    return check(
        Source(text, source.name, options.dialect, readings(options)),
        Asked.of(
            options.target, options.thread, options.entry, **schedule, property=options.property, first=options.first
        ),
        How(options.engine, given(options)),
        limits_of(options),
        Evidence(options.trace != "none", True if options.proof is not None else options.certify),
        progress,
    )


def _save(result: Result, file: str | None) -> tuple[str, ...]:
    """Save the proof of a result where that is wanted; return a sentence about it."""
    if file is None:
        return ()
    from knaster.checkers.files import proof_to_text

    try:
        text = proof_to_text(result)
    except UsageError as none:
        return (f"No proof was saved: {str(none).removeprefix(f'{result.file}: ')}.",)
    with open(file, "w", encoding="ascii") as stream:
        stream.write(text)
    return (f"The proof was saved in {file}.",)


def unknown(file: str, reason: str, options: argparse.Namespace, explored: Explored | None = None) -> Checked:
    """Return the answer for a file of which nothing is known, but perhaps how far its threads were explored."""
    if explored is not None and explored.number is not None:
        from knaster.evidence.questions.question import Bound

        reason = f"all runs with {Bound(explored.kind, explored.number)} were explored; {reason}"
    if options.format == "json":
        from knaster.commands.document import nothing

        return Checked(file, ExitCode.UNDECIDED, nothing(options, file, ExitCode.UNDECIDED, reason, (), explored))
    from knaster.report.sentence import unknown_sentence

    said = unknown_sentence(file, reason)
    if options.format == "svg":
        return Checked(file, ExitCode.UNDECIDED, "", said)  # there is nothing to draw
    if options.format == "html":
        from html import escape

        from knaster.report.page import page

        return Checked(file, ExitCode.UNDECIDED, page(file, f"<p>{escape(said)}</p>").rstrip("\n"))
    return Checked(file, ExitCode.UNDECIDED, said)


def failed(file: str, error: Exception, options: argparse.Namespace) -> Checked:
    """Return the answer for a file whose check raised an error."""
    if isinstance(error, UnsupportedError) and not error.file:
        error = UnsupportedError(error.feature, error.span, file)
    code, message = explain(error)
    output = ""
    if options.format == "json":
        from knaster.commands.document import failure

        output = failure(options, file, code, error, message)
    return Checked(file, code, output, message)
