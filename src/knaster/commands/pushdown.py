"""`knaster pushdown`: questions about a weighted pushdown system in a file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from knaster.base.exits import ExitCode
from knaster.commands.console import Console
from knaster.commands.interruption import add_limits, run_limited
from knaster.commands.source import name_of, read
from knaster.commands.table import exit_codes

if TYPE_CHECKING:
    from knaster.base.limits import Budget
    from knaster.pushdown.decide import Outcome

EPILOG = f"""\
The file is PDAAAL's JSON (a system with two query automata), WALi's XML, or a
list of rules. A set of configurations is a file or an expression such as
'<p, a .*>': control state p, a on top of the stack, anything below.

With two sets the answer is whether the first reaches the second, with a run;
with one set it is the saturated automaton.

{exit_codes("pushdown")}

examples:
  knaster pushdown network.json --shortest
  knaster pushdown system.xml --post '<p, main>' --ask '<p, error .*>'
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `pushdown`."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", help="a pushdown system; '-' is standard input")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--post", metavar="SET", help="what these configurations reach")
    way.add_argument("--pre", metavar="SET", help="what reaches these configurations")
    parser.add_argument("--ask", metavar="SET", help="the other end: is any of these among them?")
    parser.add_argument(
        "--shortest", action="store_true", help="a run of smallest weight (1 a rule where none is given)"
    )
    parser.add_argument("--format", default="text", choices=("text", "json"), help="for people (default) or programs")
    add_limits(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the answer; where a limit is reached, or at Ctrl-C, that there is none."""
    name = name_of(options.file)

    def work(budget: Budget) -> Outcome:
        from knaster.pushdown.decide import decide_file

        budget.tell("saturating")
        return decide_file(
            name,
            post=options.post,
            pre=options.pre,
            ask=options.ask,
            shortest=options.shortest,
            tick=budget.check,
            text=read(options.file),
        )

    def stop(reason: str) -> ExitCode:
        if options.format == "json":
            from knaster.commands.flags import in_force
            from knaster.report.document import nothing

            console.write(nothing("pushdown", in_force(options), name, ExitCode.UNDECIDED, reason) + "\n")
        else:
            console.write(f"unknown: {reason}\n")
        return ExitCode.UNDECIDED

    return run_limited(work, lambda outcome: show(outcome, options, console), stop, options, console, name)


def show(outcome: Outcome, options: argparse.Namespace, console: Console) -> ExitCode:
    """Write what was found; return the exit code that says whether it is reachable."""
    from knaster.pushdown.formats.outcome import content, to_text

    code = ExitCode.REACHABLE if outcome.reachable else ExitCode.UNREACHABLE
    if options.format != "json":
        console.write(to_text(outcome))
        return code
    from knaster.commands.flags import in_force
    from knaster.report.document import document

    body = content(outcome)
    file, verdict = body.pop("file"), body.pop("verdict", None)
    console.write(document("pushdown", in_force(options), file, code, verdict, verdict or "saturated", body) + "\n")
    return code
