"""The command line: which command, what to do when it fails, and the exit code; nothing else.

Only the module of the command that was asked for is imported, and it imports the engines when it runs, so that
`knaster --help` and a small check feel instant.
"""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
from collections.abc import Collection, Sequence
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from knaster.base.exits import ExitCode
from knaster.commands.table import COMMANDS, MEANINGS
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.parser import Parser
from knaster.version import VERSION

DESCRIPTION = "Reachability in recursive programs: summaries, traces, checked proofs."
_CODES = "\n".join(f"  {int(code):<3} {meaning}" for code, meaning in MEANINGS.items())
EPILOG = f"""\
exit codes of all commands:
{_CODES}

Try 'knaster check --help', or first of all:
  knaster demo
"""


class Version(argparse.Action):
    """Prints the version."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print the version and end."""
        assert isinstance(parser, Parser)
        parser.say(f"knaster {VERSION}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    if arguments is None:  # a process of our own: what a run makes has no cycles, and looking for them takes a fifth
        gc.disable()
        _fill_closed_streams()
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: what is known is said
    given = sys.argv[1:] if arguments is None else arguments
    console = Console(tuple(argument for argument in given if "\n" in argument))
    options = argparse.Namespace()
    try:
        options, command = parse(given)
        code = int(command.run(options, console))
        silent = console.lost and code == ExitCode.DONE and not COMMANDS[options.command].answers
        return ExitCode.REFUSED if silent else code
    except KeyboardInterrupt:
        console.complain("knaster: interrupted")
        return ExitCode.UNDECIDED
    except Exception as error:
        from knaster.commands.terminal.failure import report

        return report(error, options, console)


def _fill_closed_streams() -> None:
    """Open what the caller has closed, so that no file of ours becomes standard output; a closed input stays `None`."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)  # takes the lowest number, which is that of the stream
            if name != "stdin":
                setattr(sys, name, os.fdopen(nowhere, "w", encoding="utf-8"))


def parse(arguments: Sequence[str]) -> tuple[argparse.Namespace, ModuleType]:
    """Return the options and the module of the command that they ask for."""
    layout = partial(argparse.RawDescriptionHelpFormatter, width=Console().width - 2)  # else it imports shutil
    parser = Parser(prog="knaster", description=DESCRIPTION, epilog=EPILOG, formatter_class=layout, allow_abbrev=False)
    parser.add_argument(
        "--version", action=Version, nargs=0, default=argparse.SUPPRESS, help="print the version and end"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands")
    first = arguments[0] if arguments else ""
    for entry in (COMMANDS[first],) if first in COMMANDS else COMMANDS.values():  # all, where somebody may read of all
        about = entry.about[0].upper() + entry.about[1:] + "."
        command = commands.add_parser(
            entry.name, help=entry.about, description=about, formatter_class=layout, allow_abbrev=False
        )
        if entry.name in arguments:
            import_module(f"knaster.commands.{entry.name}").configure(command)
    wanted = next((argument for argument in arguments if not argument.startswith("-")), None)
    if wanted is not None and wanted not in COMMANDS:
        parser.error(
            f"there is no command '{wanted}'; {_hint(wanted, COMMANDS) or 'choose one of ' + ', '.join(COMMANDS)}"
        )
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        command = commands.choices[options.command]
        flag = unknown[0].partition("=")[0]
        if not flag.startswith("-"):
            command.error(f"unexpected argument '{unknown[0]}'")
        hint = _hint(flag, command._option_string_actions)
        command.error(f"unknown option '{flag}'{'; ' * bool(hint)}{hint}")
    return options, import_module(f"knaster.commands.{options.command}")


def _hint(name: str, known: Collection[str]) -> str:
    from knaster.base.hints import did_you_mean

    return did_you_mean(name, known)
