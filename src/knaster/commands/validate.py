"""`knaster validate`: say whether a verification witness of another tool, or of Knaster, is one of a C program."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from knaster.base.errors import UsageError
from knaster.base.exits import ExitCode
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.flags import add_readings, readings
from knaster.commands.terminal.interruption import add_limits, limits_of, run_limited
from knaster.commands.terminal.source import STDIN, name_of, read

if TYPE_CHECKING:
    from knaster.competition.validate import Validated
    from knaster.competition.witness import Witness
    from knaster.report.envelope import Json

EPILOG = f"""\
A violation witness (format 2.0 or 2.1) is confirmed only by a run that follows
it, a correctness witness only where its invariants always hold and the property
does. The data model is that of the witness unless --data-model names one.

{exit_codes("validate")}

examples:
  knaster check program.c --witness witness.yml
  knaster validate program.c witness.yml --timeout 90
"""
_CODES = {"TRUE": ExitCode.DONE, "FALSE": ExitCode.REACHABLE, "UNKNOWN": ExitCode.UNDECIDED}
_WORDS = {"TRUE": "confirmed", "FALSE": "rejected", "UNKNOWN": "undecided"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `validate`."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="PROGRAM", help="a program of C; '-' is standard input")
    parser.add_argument("witness", metavar="WITNESS", help="a witness in YAML")
    parser.add_argument(
        "--strict", action="store_true", help="refuse a witness whose hash or data model is another one"
    )
    parser.add_argument("--format", default="text", choices=("text", "json"), help="for people (default) or programs")
    add_limits(parser)
    add_readings(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Say what becomes of the witness."""
    file = name_of(options.file)
    if options.file == options.witness == STDIN:
        raise UsageError("standard input can be read only once, and '-' is given more than once")

    def stop(reason: str) -> int:
        from knaster.competition.validate import Validated

        return show(None, Validated("UNKNOWN", reason), options, console)

    def work(_: object) -> tuple[Witness, Validated]:
        from hashlib import sha256

        from knaster.competition.validate import Question, validate
        from knaster.competition.witness import read_witness
        from knaster.frontends.text.files import read_bytes

        text, name = read(options.file), name_of(options.witness)
        witness = read_witness(read(options.witness), name)
        reading = readings(options)
        if witness.data_model is not None:
            reading.setdefault("data_model", witness.data_model)
        digest = "" if options.file == STDIN else sha256(read_bytes(options.file)).hexdigest()
        question = Question(text, file, reading, limits_of(options), digest)
        return witness, validate(question, witness, name, options.strict)

    return run_limited(work, lambda found: show(*found, options, console), stop, options, console, file)


def show(witness: Witness | None, found: Validated, options: argparse.Namespace, console: Console) -> int:
    """Write what became of a witness; return the exit code."""
    file, code = name_of(options.file), _CODES[found.verdict]
    if options.format == "json":
        from knaster.commands.terminal.flags import in_force
        from knaster.report.document import document

        body: dict[str, Json] = {"witness": _described(witness, found), "notes": list(found.notes)}
        console.write(document("validate", in_force(options), file, code, found.verdict, found.reason, body) + "\n")
        return code
    from knaster.report.sentence import as_sentence

    console.answer(f"{file}: {_WORDS[found.verdict]}. {as_sentence(found.reason)}\n")
    for note in found.notes:
        console.answer(f"Note: {note}\n")
    return code


def _described(witness: Witness | None, found: Validated) -> Json:
    if witness is None:
        return None
    return {
        "kind": witness.kind,
        "format_version": witness.version,
        "segments": len(witness.segments),
        "invariants": len(witness.invariants),
        "passed": found.passed,
        "failed": found.failed or None,
    }
