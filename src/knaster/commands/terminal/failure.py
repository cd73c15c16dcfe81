"""What a user is told where a command fails: a message, and JSON where that was asked for."""

from __future__ import annotations

import argparse

from knaster.base.exits import ExitCode
from knaster.commands.terminal.console import Console
from knaster.jobs.failure import explain


def report(error: Exception, options: argparse.Namespace, console: Console) -> ExitCode:
    """Say what went wrong on standard error and, where JSON was asked for, on standard output; return the exit code."""
    code, message = explain(error)
    console.complain(message)
    if getattr(options, "format", "") == "json":
        from knaster.commands.terminal.flags import in_force
        from knaster.commands.terminal.source import name_of
        from knaster.report.document import failure

        file = name_of(getattr(options, "file", ""))
        console.write(failure(options.command, in_force(options), file, code, error, message) + "\n")
    return code
