"""One file, one answer: an error, too, becomes something that can be printed."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from knaster.commands.console import Console, ExitCode
from knaster.commands.failure import explain
from knaster.commands.flags import given
from knaster.errors import SourceError, UnsupportedError

if TYPE_CHECKING:
    from knaster.results.answer import Result

_CODES = {"TRUE": ExitCode.UNREACHABLE, "FALSE": ExitCode.REACHABLE, "UNKNOWN": ExitCode.UNDECIDED}


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
    from knaster.conclude import Evidence
    from knaster.limits import Limits
    from knaster.pipeline import check

    return check(
        file,
        options.target,
        engine=options.engine,
        limits=Limits(options.timeout, options.memory),
        evidence=Evidence(options.trace != "none", options.certify),
        first=options.first,
        entry=options.entry,
        dialect=options.dialect,
        progress=console.progress if options.progress else None,
        **given(options),
    )


def unknown(file: str, reason: str, options: argparse.Namespace) -> Checked:
    """Return the answer for a file of which nothing is known."""
    from knaster.results.render.json import refusal_to_json
    from knaster.results.render.report import unknown_sentence

    if options.format == "json":
        return Checked(file, ExitCode.UNDECIDED, refusal_to_json(file, reason, options.engine or ""))
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
        output = refusal_to_json(file, reason, options.engine or "", problems)
    return Checked(file, code, output, message)
