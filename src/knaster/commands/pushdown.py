"""`knaster pushdown`: questions about a weighted pushdown system in a file."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from knaster.base.errors import UsageError
from knaster.base.exits import ExitCode
from knaster.commands.files.each import add_files, run_each
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.interruption import run_limited
from knaster.commands.terminal.source import name_of, read
from knaster.frontends.text.files import read_text

if TYPE_CHECKING:
    from knaster.base.limits import Budget
    from knaster.pushdown.decide import Outcome
    from knaster.pushdown.switching.visible_states import VisibleStates

EPILOG = f"""\
The file is PDAAAL's JSON (a system with two query automata), WALi's XML, or a
list of rules. A set of configurations is a file or an expression such as
'<p, a .*>': control state p, a on top of the stack, anything below.

With two sets the answer is whether the first reaches the second, with a run;
with one set it is the saturated automaton.

A file of cuba (.pds) holds several systems that share control states. The
answer is which visible states they reach, such as 0|2,6 (a control state and
the topmost symbol of each), and after how many switches nothing is new; with
--spec whether one is reachable. FILE.init and FILE.spec are read if there.

{exit_codes("pushdown")}

examples:
  knaster pushdown network.json --shortest
  knaster pushdown networks/*.json -j 4
  knaster pushdown system.xml --post '<p, main>' --ask '<p, error .*>'
  knaster pushdown threads.pds --init '0|1,4' --spec '3|2,-'
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `pushdown`."""
    parser.epilog = EPILOG
    add_files(parser, "a pushdown system")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--post", metavar="SET", help="what these configurations reach")
    way.add_argument("--pre", metavar="SET", help="what reaches these configurations")
    parser.add_argument("--ask", metavar="SET", help="the other end: is any of these among them?")
    parser.add_argument(
        "--shortest", action="store_true", help="a run of smallest weight (1 a rule where none is given)"
    )
    parser.add_argument("--init", metavar="STATE", help="of a .pds file: where it starts (default: least numbers)")
    parser.add_argument("--spec", metavar="STATE", help="of a .pds file: is this visible state reachable?")
    parser.add_argument("--format", default="text", choices=("text", "json"), help="for people (default) or programs")


def run(options: argparse.Namespace, console: Console) -> int:
    """Answer for every file."""
    if options.cluster is not None:
        refuse_companions(options)
    return run_each(options, console)


def refuse_companions(options: argparse.Namespace) -> None:
    """Raise `UsageError` where a question is in a file of its own, which does not travel to a cluster."""
    for flag in ("post", "pre", "ask"):
        given = getattr(options, flag)
        if given is not None and os.path.exists(given):
            raise UsageError(f"--{flag} {given}: a file does not travel to a cluster; write the set as an expression")
    for file in options.files:
        for kind in ("init", "spec"):
            beside = f"{file.removesuffix('.pds')}.{kind}"
            if file.endswith(".pds") and getattr(options, kind) is None and os.path.exists(beside):
                raise UsageError(f"{beside}: does not travel to a cluster; write --{kind} STATE")


def run_one(options: argparse.Namespace, console: Console) -> int:
    """Print the answer; where a limit is reached, or at Ctrl-C, that there is none."""
    name = name_of(options.file)

    def work(budget: Budget) -> Outcome | VisibleStates:
        from knaster.pushdown.decide import decide_file
        from knaster.pushdown.formats.cuba import looks_concurrent

        text = read(options.file)
        budget.tell("saturating")
        if looks_concurrent(name, text):
            return find_visible(options, name, text, budget)
        if options.init is not None or options.spec is not None:
            raise UsageError(f"{name}: --init and --spec are for files of several systems (.pds)")
        return decide_file(
            name,
            post=options.post,
            pre=options.pre,
            ask=options.ask,
            shortest=options.shortest,
            tick=budget.check,
            text=text,
        )

    def stop(reason: str) -> ExitCode:
        if options.format == "json":
            from knaster.commands.terminal.flags import in_force
            from knaster.report.document import nothing

            console.write(nothing("pushdown", in_force(options), name, ExitCode.UNDECIDED, reason) + "\n")
        else:
            console.write(f"unknown: {reason}\n")
        return ExitCode.UNDECIDED

    return run_limited(work, lambda outcome: show(outcome, options, console), stop, options, console, name)


def find_visible(options: argparse.Namespace, name: str, text: str, budget: Budget) -> VisibleStates:
    """Return what the systems of a file of cuba reach."""
    from knaster.pushdown.formats.cuba import read_concurrent, read_visible
    from knaster.pushdown.switching.visible_states import find_visible_states

    if options.post or options.pre or options.ask or options.shortest:
        raise UsageError(f"{name}: of several systems (.pds) ask with --init and --spec")
    system = read_concurrent(text, name)
    states = {}
    for kind, given in (("init", options.init), ("spec", options.spec)):
        beside = f"{name.removesuffix('.pds')}.{kind}"
        if given is None and name.endswith(".pds") and os.path.exists(beside):
            states[kind] = read_visible(read_text(beside), beside, system)
        elif given is not None:
            states[kind] = read_visible(given, f"--{kind}", system)
    return find_visible_states(system, states.get("init", system.first), states.get("spec"), budget.check)


def show(outcome: Outcome | VisibleStates, options: argparse.Namespace, console: Console) -> ExitCode:
    """Write what was found; return the exit code that says whether it is reachable."""
    from knaster.pushdown.switching.visible_states import VisibleStates

    if isinstance(outcome, VisibleStates):
        return show_visible(outcome, options, console)
    from knaster.pushdown.formats.outcome import content, to_text

    code = ExitCode.REACHABLE if outcome.reachable else ExitCode.UNREACHABLE
    if options.format != "json":
        console.write(to_text(outcome))
        return code
    from knaster.commands.terminal.flags import in_force
    from knaster.report.document import document

    body = content(outcome)
    file, verdict = body.pop("file"), body.pop("verdict", None)
    console.write(document("pushdown", in_force(options), file, code, verdict, verdict or "saturated", body) + "\n")
    return code


def show_visible(found: VisibleStates, options: argparse.Namespace, console: Console) -> ExitCode:
    """Write which visible states were found; return the exit code."""
    from knaster.pushdown.formats.visible_outcome import content, to_text

    code = ExitCode.REACHABLE if found.reached else ExitCode.UNREACHABLE if found.closed else ExitCode.UNDECIDED
    if options.format != "json":
        console.write(to_text(found))
        return code
    from knaster.commands.terminal.flags import in_force
    from knaster.report.document import document

    verdict = "reachable" if found.reached else "unreachable" if found.closed and found.wanted is not None else None
    reason = found.reason or verdict or "closed"
    console.write(
        document("pushdown", in_force(options), name_of(options.file), code, verdict, reason, content(found)) + "\n"
    )
    return code
