"""`knaster crash`: how a stack can have come about."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from knaster.base.exits import ExitCode
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.flags import add_readings, in_force, readings
from knaster.commands.terminal.interruption import add_limits, limits_of, run_limited
from knaster.commands.terminal.nothing import say_unknown
from knaster.commands.terminal.source import STDIN, name_of, source_of

if TYPE_CHECKING:
    from knaster.base.limits import Budget
    from knaster.evidence.answers.crash import CrashPath

EPILOG = f"""\
The stack is a text as gdb ('#0 f () at prog.c:12'), sanitizers or Python print
it, or 'f:12' on a line of its own for each frame, the innermost first. The path
is a run where one is found, and replayed; else a shortest path of the control
flow that passes most of the lines, and the first line of the answer says so.

{exit_codes("crash")}

examples:
  knaster crash program.c --stack gdb.txt
  knaster crash program.c --stack gdb.txt --through 31 --through 40
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `crash`."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", help="a sequential Boolean or C program; '-' is standard input")
    parser.add_argument("--stack", required=True, metavar="STACK", help="a file with a stack trace")
    parser.add_argument(
        "--through", action="append", type=int, metavar="LINE", help="a line that was passed; may be repeated"
    )
    parser.add_argument("--no-replay", action="store_true", help="do not look for a run, only for a path")
    parser.add_argument("--entry", metavar="NAME", help="the procedure to start in (default: main)")
    parser.add_argument("--format", default="text", choices=("text", "json"), help="text is the default")
    parser.add_argument("--dialect", default="default", metavar="NAME", help="see 'knaster check --help'")
    add_readings(parser)
    add_limits(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Print a path that ends with the stack, or that there is none."""

    def work(_: Budget) -> CrashPath:
        from knaster.decide.crash import crash
        from knaster.frontends.text.files import read_text

        return crash(
            source_of(options.file),
            read_text(options.stack),
            options.through or (),
            file=name_of(options.file) if options.file == STDIN else None,
            entry=options.entry,
            dialect=options.dialect,
            replay=not options.no_replay,
            limits=limits_of(options),
            **readings(options),
        )

    def stop(reason: str) -> ExitCode:
        return say_unknown(reason, options, console)

    return run_limited(work, lambda found: show(found, options, console), stop, options, console, name_of(options.file))


def show(found: CrashPath, options: argparse.Namespace, console: Console) -> ExitCode:
    """Write the path; return the exit code."""
    from knaster.report.crash import crash_to_json, crash_to_text

    if options.format == "json":
        console.write(crash_to_json(found, in_force(options)) + "\n")
    else:
        console.write(crash_to_text(found))
    return ExitCode.DONE
