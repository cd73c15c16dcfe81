"""`knaster facts`: what always holds at each line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from knaster.base.exits import ExitCode
from knaster.commands.files.each import add_files, run_each
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.flags import add_readings, in_force, readings
from knaster.commands.terminal.interruption import limits_of, run_limited
from knaster.commands.terminal.nothing import say_unknown
from knaster.commands.terminal.source import name_of, name_of_text, source_of

if TYPE_CHECKING:
    from knaster.base.limits import Budget
    from knaster.evidence.answers.facts import Facts

EPILOG = f"""\
A fact before a line holds whenever control stands there, whatever called the
procedure: equations between variables, modulo 2^32 where int has 32 bits (that
is exactly C's wrap-around), without a modulus with --integers mathematical,
modulo 2 in Boolean programs. Equations alone hold on all paths of the control
flow; intervals look at conditions, and with 'all' tell the others what they
know. Of C with pointers there are aliases: 'p == &a' always, '*p ~ a' perhaps.

{exit_codes("facts")}

examples:
  knaster facts program.c
  knaster facts program.c --at 12 --domain affine
  knaster facts driver.bp --format json
  knaster facts program.c --format html > page.html
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `facts`."""
    parser.epilog = EPILOG
    add_files(parser, "a sequential Boolean or C program")
    parser.add_argument(
        "--domain",
        default="all",
        choices=("affine", "constants", "intervals", "aliases", "all"),
        help="equations between variables, constants, bounds, aliases of pointers, or all that fit (default)",
    )
    parser.add_argument("--at", action="append", type=int, metavar="LINE", help="only this line; may be repeated")
    parser.add_argument(
        "--watch",
        action="store_true",
        help="tell again whenever FILE changes, and solve only what changed",
    )
    parser.add_argument(
        "--since",
        metavar="SESSION",
        help="solve only what changed since the session in this file, which is written anew (affine, constants)",
    )
    parser.add_argument("--entry", metavar="NAME", help="the procedure to start in (default: main)")
    parser.add_argument("--annotate", metavar="OUT", help="write a copy of a C program with the facts as ACSL")
    parser.add_argument("--format", default="text", choices=("text", "json", "html"), help="text is the default")
    parser.add_argument("--dialect", default="default", metavar="NAME", help="see 'knaster check --help'")
    add_readings(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Answer for every file."""
    if options.watch:
        from knaster.commands.terminal.watch_file import watch_facts

        return watch_facts(options, console)
    return run_each(
        options,
        console,
        {"--annotate": options.annotate, "--since": options.since, "--format html": options.format == "html"},
    )


def run_one(options: argparse.Namespace, console: Console) -> int:
    """Print the facts."""
    from knaster.base.outputs import refuse_inputs

    refuse_inputs("--annotate", options.annotate, [options.file])

    def work(budget: Budget) -> Facts:
        if options.since is not None:
            from knaster.commands.terminal.sessions import facts_of_session

            return facts_of_session(options)
        from knaster.decide.facts import facts

        return facts(
            source_of(options.file),
            options.domain,
            at=options.at or (),
            file=name_of_text(options.file),
            entry=options.entry,
            dialect=options.dialect,
            limits=limits_of(options),
            progress=budget.progress,
            **readings(options),
        )

    def stop(reason: str) -> ExitCode:
        return say_unknown(reason, options, console)

    return run_limited(work, lambda found: show(found, options, console), stop, options, console, name_of(options.file))


def show(found: Facts, options: argparse.Namespace, console: Console) -> ExitCode:
    """Write the facts; return the exit code."""
    from knaster.report.facts import annotate_source, facts_to_json, facts_to_text

    if options.annotate is not None:
        from knaster.base.outputs import write_file

        write_file(options.annotate, annotate_source(found))
    if options.format == "json":
        console.write(facts_to_json(found, in_force(options)) + "\n")
    elif options.format == "html":
        from knaster.report.stepper.facts_page import facts_page

        console.write(facts_page(found))
    else:
        console.write(facts_to_text(found))
    return ExitCode.DONE
