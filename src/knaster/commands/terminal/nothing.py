"""What a command says where a limit or Ctrl-C came before there was anything to tell."""

from __future__ import annotations

import argparse

from knaster.base.exits import ExitCode
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.source import name_of


def say_unknown(reason: str, options: argparse.Namespace, console: Console) -> ExitCode:
    """Say on standard error, and in JSON where that was asked for, that nothing is known; return the exit code."""
    file, code = name_of(options.file), ExitCode.UNDECIDED
    if options.format == "json":
        from knaster.commands.terminal.flags import in_force
        from knaster.report.document import nothing

        console.write(nothing(options.command, in_force(options), file, code, reason) + "\n")
    console.complain(f"{file}: UNKNOWN. {reason[0].upper()}{reason[1:]}.")
    return code
