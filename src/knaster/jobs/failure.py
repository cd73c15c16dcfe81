"""An error as an exit code and a message for people."""

from __future__ import annotations

import os

from knaster.base.errors import DisagreementError, KnasterError, SourceError, UnsupportedError, UsageError
from knaster.base.exits import ExitCode
from knaster.base.limits import address_space, ulimit_advice
from knaster.version import VERSION


def explain(error: Exception) -> tuple[ExitCode, str]:
    """Return the exit code of an error and a message for standard error; with KNASTER_DEBUG set, raise our faults."""
    match error:
        case SourceError():
            return ExitCode.REFUSED, str(error)
        case UnsupportedError():
            return ExitCode.REFUSED, f"{error}\n  This is legal, but Knaster cannot decide it yet."
        case UsageError():
            return ExitCode.USAGE, f"knaster: {error}"
        case DisagreementError(evidence=(program, _, trace)) if trace is not None:
            from knaster.report.text import trace_to_text

            return ExitCode.REFUSED, "\n".join([f"knaster: {error}:", "", *trace_to_text(program, trace)])
        case KnasterError():
            return ExitCode.REFUSED, f"knaster: {error}"
        case OSError():
            name = f"{error.filename}: " if error.filename else ""
            return ExitCode.REFUSED, f"knaster: {name}{error.strerror or error}"
        case MemoryError():
            return ExitCode.UNDECIDED, "knaster: out of memory"
        case SystemError() | ImportError() if address_space() is not None:  # what Python says where it gets none
            return ExitCode.REFUSED, f"knaster: there is not enough address space{ulimit_advice()}"
    if os.environ.get("KNASTER_DEBUG"):
        raise error
    return ExitCode.FAULT, (
        f"knaster: internal error: {type(error).__name__}: {error}\n"
        f"This is a bug in Knaster {VERSION}, not in your program. CONTRIBUTING.md says how to report it;\n"
        "KNASTER_DEBUG=1 in the environment shows where it happened."
    )
