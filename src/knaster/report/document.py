"""The JSON of a command: the envelope that all share, filled in from the options in force and the exit code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.errors import DisagreementError, Problem, SourceError, Span, UnsupportedError
from knaster.base.exits import STATUS, ExitCode
from knaster.report.envelope import Json, envelope, problems_to_json, to_line

NOWHERE = Span(0, 0, 0)  # the place of an error that is about no line
Options = Mapping[str, object] | None


def document(
    command: str,
    options: Options,
    file: str,
    code: ExitCode,
    verdict: str | None,
    reason: str,
    body: Mapping[str, Json],
    errors: Sequence[Json] = (),
) -> str:
    """Return what a command says of a file as one line of JSON."""
    return to_line(envelope(command, file, STATUS[code], verdict, reason, options or {}, body, errors))


def nothing(command: str, options: Options, file: str, code: ExitCode, reason: str, errors: Sequence[Json] = ()) -> str:
    """Return that a command found nothing out about a file, and why."""
    body: Mapping[str, Json] = {}
    if command in ("check", "property"):
        from knaster.report.json import nothing_known

        body = nothing_known(str((options or {}).get("engine") or ""))
    elif command == "solve":
        body = {"exit_code": int(code), **({"problems": errors} if errors else {})}
    verdict = "unknown" if command == "pushdown" else "UNKNOWN"
    return document(command, options, file, code, verdict, reason, body, errors)


def failure(command: str, options: Options, file: str, code: ExitCode, error: Exception, message: str) -> str:
    """Return that a command failed on a file; `message` is what people are told."""
    found = problems(error, message) if code != ExitCode.UNDECIDED else []
    reason = f"{len(found)} errors in the input" if len(found) > 1 else _first_line(message)
    if isinstance(error, DisagreementError):
        from knaster.report.json import evidence_to_json

        body = evidence_to_json(str((options or {}).get("engine") or ""), *error.evidence)
        return document(command, options, file, code, "UNKNOWN", reason, body, found)
    return nothing(command, options, file, code, reason, found)


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
