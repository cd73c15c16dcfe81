"""The JSON of a command: the envelope that all share, filled in from its options and its exit code."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from knaster.base.errors import DisagreementError, Problem, SourceError, Span, UnsupportedError
from knaster.base.limits import Explored
from knaster.commands.exits import STATUS, ExitCode
from knaster.commands.flags import in_force
from knaster.report.envelope import Json, envelope, problems_to_json, to_line

NOWHERE = Span(0, 0, 0)  # the place of an error that is about no line


def document(
    options: argparse.Namespace,
    file: str,
    code: ExitCode,
    verdict: str | None,
    reason: str,
    body: Mapping[str, Json],
    errors: Sequence[Json] = (),
) -> str:
    """Return what a command says of a file as one line of JSON."""
    return to_line(envelope(options.command, file, STATUS[code], verdict, reason, in_force(options), body, errors))


def nothing(
    options: argparse.Namespace,
    file: str,
    code: ExitCode,
    reason: str,
    errors: Sequence[Json] = (),
    explored: Explored | None = None,
) -> str:
    """Return that a command found nothing out about a file, and why; and how far its threads were explored."""
    body: Mapping[str, Json] = {}
    if options.command == "check":
        from knaster.report.json import nothing_known

        body = nothing_known(options.engine or "")
        if explored is not None and explored.number is not None:
            asked = options.switches if explored.kind == "switches" else options.rounds
            body = {**body, "bound": {"kind": explored.kind, "asked": asked, "covered": explored.number}}
    elif options.command == "solve":
        body = {"exit_code": int(code), **({"problems": errors} if errors else {})}
    return document(
        options, file, code, "unknown" if options.command == "pushdown" else "UNKNOWN", reason, body, errors
    )


def failure(options: argparse.Namespace, file: str, code: ExitCode, error: Exception, message: str) -> str:
    """Return that a command failed on a file; `message` is what people are told."""
    found = problems(error, message) if code != ExitCode.UNDECIDED else []
    reason = f"{len(found)} errors in the input" if len(found) > 1 else _first_line(message)
    if isinstance(error, DisagreementError):
        from knaster.report.json import evidence_to_json

        body = evidence_to_json(options.engine or "", *error.evidence)
        return document(options, file, code, "UNKNOWN", reason, body, found)
    return nothing(options, file, code, reason, found)


def problems(error: Exception, message: str) -> list[Json]:
    """Return what is wrong, each with its place; line 0 where it has none."""
    match error:
        case SourceError():
            return problems_to_json(error.problems)
        case UnsupportedError(feature=feature, span=span):
            return problems_to_json([Problem(feature, span or NOWHERE)])
    return problems_to_json([Problem(_first_line(message), NOWHERE)])


def _first_line(message: str) -> str:
    return message.partition("\n")[0].removeprefix("knaster: ").removesuffix(":")
