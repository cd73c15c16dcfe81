"""`knaster property`: whether a finite-state property holds on every run."""

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
    from knaster.evidence.answers.answer import Result

EPILOG = f"""\
The automaton is a text with a line for each move:
  start Unlocked
  error Twice, Held
  Unlocked -> Locked : call acquire
  Locked -> Unlocked : call release
  Locked -> Twice : call acquire
  Locked -> Held : return main
An event is 'call NAME', 'return NAME', 'label NAME', 'line NUMBER' or
'line "TEXT"'; '*' is any text in it, and any state before '->'. The automaton
moves before the statement; the first move that fits counts, and where none does
it stays. FALSE: some run takes it to an error, and a trace shows how.

{exit_codes("property")}

examples:
  knaster property examples/lock.bp --automaton examples/properties/lock.aut
  knaster property program.c --automaton file.aut --trace calls
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `property`."""
    parser.epilog = EPILOG
    add_files(parser, "a sequential Boolean or C program", travels=False)
    parser.add_argument("--automaton", required=True, metavar="A", help="a file with the property")
    parser.add_argument("--entry", metavar="NAME", help="the procedure to start in (default: main)")
    parser.add_argument("--engine", metavar="NAME", help="one method (default: the first that can)")
    parser.add_argument("--format", default="text", choices=("text", "json"), help="text is the default")
    parser.add_argument("--trace", choices=("full", "calls", "none"), help="how much of the trace is shown")
    parser.add_argument("--verbose", action="store_true", help="add remarks and statistics")
    parser.add_argument(
        "--certify", action=argparse.BooleanOptionalAction, help="check the proof of TRUE (default: of small programs)"
    )
    parser.add_argument("--dialect", default="default", metavar="NAME", help="see 'knaster check --help'")
    add_readings(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Answer for every file."""
    return run_each(options, console)


def run_one(options: argparse.Namespace, console: Console) -> int:
    """Print whether the property holds."""

    def work(budget: Budget) -> Result:
        from knaster.decide.asked import Evidence
        from knaster.decide.property import check_property, read_automaton

        return check_property(
            source_of(options.file),
            read_automaton(options.automaton),
            file=name_of_text(options.file),
            engine=options.engine,
            entry=options.entry,
            dialect=options.dialect,
            limits=limits_of(options),
            evidence=Evidence(options.trace != "none", options.certify),
            progress=budget.progress,
            reading=readings(options),
        )

    def stop(reason: str) -> ExitCode:
        return say_unknown(reason, options, console)

    return run_limited(work, lambda found: show(found, options, console), stop, options, console, name_of(options.file))


def show(found: Result, options: argparse.Namespace, console: Console) -> ExitCode:
    """Write the answer; return the exit code."""
    from knaster.evidence.answers.answer import Verdict

    if options.format == "json":
        from knaster.report.entries import Form
        from knaster.report.json import result_to_json

        form = None if options.trace is None else Form(options.trace)
        console.write(result_to_json(found, form, in_force(options), further={"command": "property"}) + "\n")
    else:
        from knaster.report.formats import Style
        from knaster.report.text import write_text

        remarks = _remarks(found, console.width) if options.trace != "none" else ()
        console.write(write_text(found, Style(options.trace, options.verbose, console.width, remarks=remarks)) + "\n")
    codes = {Verdict.TRUE: ExitCode.UNREACHABLE, Verdict.FALSE: ExitCode.REACHABLE}
    return codes.get(found.verdict, ExitCode.UNDECIDED)


def _remarks(found: Result, width: int) -> tuple[str, ...]:
    """Return how the automaton came to its error, where the answer does not show its notes anyway."""
    from textwrap import fill

    from knaster.report.sentence import notes_for_all

    shown = notes_for_all(found)
    return tuple("\n" + fill(f"{note[0].upper()}{note[1:]}.", width) for note in found.notes if note not in shown)
