"""`knaster project`: which lines can matter for an error."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from knaster.commands.console import Console, ExitCode

EPILOG = """\
A line is in the projection when some execution from the start to the target
stands before its statement. All other lines cannot matter for this error. With
--annotate each statement also gets the values with which it lies on such an
execution, and a witness: an execution through it, replayed.

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
    """Print the projection."""
    from knaster.projection import project
    from knaster.results.render import projection as render
    from knaster.results.verdict import OutOfBudget

    try:
        found = project(
            Path(options.file),
            options.target,
            annotate=options.annotate,
            entry=options.entry,
            dialect=options.dialect,
            timeout=options.timeout,
            memory=options.memory,
            progress=console.progress if options.progress else None,
        )
    except OutOfBudget as spent:
        console.complain(f"{options.file}: UNKNOWN. {str(spent).capitalize()}.")
        return ExitCode.UNDECIDED
    match options.format:
        case "json":
            console.write(render.projection_to_json(found) + "\n")
        case "html":
            console.write(render.projection_to_html(found))
        case _:
            console.write(render.projection_to_text(found, colour=sys.stdout.isatty()))
    return ExitCode.REACHABLE if found.nodes else ExitCode.UNREACHABLE
