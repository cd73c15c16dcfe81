"""`knaster project`: which lines can matter for an error."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from knaster.base.exits import ExitCode
from knaster.base.records import replace
from knaster.commands.files.each import add_files, run_each
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console, wants_colour
from knaster.commands.terminal.flags import add_readings, readings
from knaster.commands.terminal.interruption import limits_of, run_limited
from knaster.commands.terminal.nothing import say_unknown
from knaster.commands.terminal.source import name_of, name_of_text, source_of

if TYPE_CHECKING:
    from knaster.base.limits import Budget
    from knaster.evidence.answers.projection import Projection

EPILOG = f"""\
A line is in the projection when some execution from the start to the target
stands before its statement. All other lines cannot matter for this error. With
--annotate each statement also gets the values with which it lies on such an
execution, and a witness: an execution through it, replayed. When a limit is
reached, or at Ctrl-C, you get the witnesses that were found until then. Of
programs with threads it is about runs with at most K switches, and tells where
these switch. '?' marks lines of which it is not known.

{exit_codes("project")}

examples:
  knaster project driver.bp --target ERROR
  knaster project driver.bp --target ERROR --annotate --format html > page.html
  knaster project program.c --causes
  knaster project examples/threads/started.bp --switches 2
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `project`."""
    parser.epilog = EPILOG
    add_files(parser, "a program")
    parser.add_argument(
        "--target",
        action="append",
        metavar="TARGET",
        help="LABEL, FILE:LINE or 'asserts' (default: asserts and error labels)",
    )
    parser.add_argument("--annotate", action="store_true", help="add values and a witness to each statement")
    parser.add_argument("--causes", action="store_true", help="also say what only failing runs do, ranked")
    parser.add_argument("--slice", action="store_true", help="also mark ('>>') what the target depends on")
    parser.add_argument(
        "--since",
        metavar="SESSION",
        help="Boolean programs: solve only what changed since the session in this file, which is written anew",
    )
    parser.add_argument("--format", default="text", choices=("text", "html", "json"), help="text is the default")
    parser.add_argument("--switches", type=int, metavar="K", help="threads: only runs with at most K switches")
    parser.add_argument(
        "--thread", action="append", metavar="NAME[*N]", help="a procedure that runs as a thread; may be repeated"
    )
    parser.add_argument("--entry", metavar="NAME", help="the procedure to start in (default: main)")
    parser.add_argument("--dialect", default="default", metavar="NAME", help="see 'knaster check --help'")
    add_readings(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Answer for every file."""
    return run_each(options, console, {"--format html": options.format == "html", "--since": options.since})


def run_one(options: argparse.Namespace, console: Console) -> int:
    """Print the projection; where time or memory runs out, or at Ctrl-C, as much of it as there is."""
    known: list[Projection] = []  # one at most: what there is so far

    def work(budget: Budget) -> Projection:
        return compute(options, budget, known)

    def stop(reason: str) -> ExitCode:
        if known:
            return show(replace(known[0], note=reason), options, console)
        return say_unknown(reason, options, console)

    return run_limited(work, lambda found: show(found, options, console), stop, options, console, name_of(options.file))


def compute(options: argparse.Namespace, budget: Budget, known: list[Projection]) -> Projection:
    """Return the projection; `known` holds what there is of it meanwhile."""
    if options.since is not None:
        from knaster.commands.terminal.sessions import projection_of_session

        return projection_of_session(options, budget)
    from knaster.decide.project import project

    def keep(found: Projection) -> None:
        known[:] = [found]

    return project(
        source_of(options.file),
        options.target,
        file=name_of_text(options.file),
        annotate=options.annotate,
        causes=options.causes,
        slice=options.slice,
        entry=options.entry,
        switches=options.switches,
        threads=options.thread,
        dialect=options.dialect,
        limits=limits_of(options),
        progress=budget.progress,
        partial=keep,
        **readings(options),
    )


def show(found: Projection, options: argparse.Namespace, console: Console) -> ExitCode:
    """Write a projection, with the witnesses that there are; return the exit code."""
    from knaster.report import projection as render

    match options.format:
        case "json":
            from knaster.commands.terminal.flags import in_force

            console.write(render.projection_to_json(found, in_force(options)) + "\n")
        case "html":
            from knaster.report.stepper.projection_page import projection_to_html

            console.write(projection_to_html(found))
        case _:
            console.write_painted(render.projection_to_text(found, colour=wants_colour(sys.stdout)))
            if getattr(options, "said", ""):
                console.write(f"\nSession: {options.said}.\n")
    return ExitCode.DONE
