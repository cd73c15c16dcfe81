"""`knaster project`: which lines can matter for an error."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from knaster.commands.console import Console, ExitCode

if TYPE_CHECKING:
    from knaster.results.projection import Projection

EPILOG = """\
A line is in the projection when some execution from the start to the target
stands before its statement. All other lines cannot matter for this error. With
--annotate each statement also gets the values with which it lies on such an
execution, and a witness: an execution through it, replayed. When a limit is
reached, or at Ctrl-C, you get the witnesses that were found until then.

exit codes:
  0   the target is unreachable         1   the command line makes no sense
  10  the target is reachable           2   the input was refused
  5   undecided: a limit was reached    6   our own fault; please report it

examples:
  knaster project driver.bp --target ERROR
  knaster project driver.bp --target ERROR --annotate --format html > page.html
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `project`."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", help="a Boolean program")
    parser.add_argument(
        "--target",
        action="append",
        metavar="TARGET",
        help="LABEL, FILE:LINE or 'asserts' (default: asserts and error labels)",
    )
    parser.add_argument("--annotate", action="store_true", help="add values and a witness to each statement")
    parser.add_argument("--format", default="text", choices=("text", "html", "json"), help="text is the default")
    parser.add_argument("--entry", metavar="NAME", help="the procedure to start in (default: main)")
    parser.add_argument("--dialect", default="default", metavar="NAME", help="see 'knaster check --help'")
    parser.add_argument("--timeout", type=float, metavar="S", help="give up after S seconds")
    parser.add_argument("--memory", type=int, metavar="MB", help="give up beyond MB megabytes")
    parser.add_argument("--progress", action="store_true", help="say how far it is, on a terminal")


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the projection; where time or memory runs out, or at Ctrl-C, as much of it as there is."""
    from knaster.watchdog import Watchdog

    known: list[Projection] = []  # one at most: what there is so far

    def stopped(reason: str) -> ExitCode:
        if known:
            return show(replace(known[0], note=reason), options, console)
        console.complain(f"{options.file}: UNKNOWN. {reason[0].upper()}{reason[1:]}.")
        return ExitCode.UNDECIDED

    try:
        with Watchdog(lambda reason: os._exit(stopped(reason)), options.timeout, options.memory):
            found = compute(options, console, known)
    except KeyboardInterrupt:
        return stopped("interrupted")
    return stopped(found) if isinstance(found, str) else show(found, options, console)


def compute(options: argparse.Namespace, console: Console, known: list[Projection]) -> Projection | str:
    """Return the projection, or why there is none; `known` holds what there is of it meanwhile."""
    from knaster.limits import Limits, OutOfBudget
    from knaster.projection import project

    def keep(found: Projection) -> None:
        known[:] = [found]

    try:
        return project(
            Path(options.file),
            options.target,
            annotate=options.annotate,
            entry=options.entry,
            dialect=options.dialect,
            limits=Limits(options.timeout, options.memory),
            progress=console.progress if options.progress else None,
            partial=keep,
        )
    except OutOfBudget as spent:
        return str(spent)


def show(found: Projection, options: argparse.Namespace, console: Console) -> ExitCode:
    """Write a projection; return the exit code that says whether the target is reachable."""
    from knaster.results.render import projection as render

    match options.format:
        case "json":
            console.write(render.projection_to_json(found) + "\n")
        case "html":
            console.write(render.projection_to_html(found))
        case _:
            console.write(render.projection_to_text(found, colour=sys.stdout.isatty()))
    return ExitCode.REACHABLE if found.nodes else ExitCode.UNREACHABLE
