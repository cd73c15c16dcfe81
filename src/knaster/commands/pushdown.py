"""`knaster pushdown`: questions about a weighted pushdown system in a file."""

from __future__ import annotations

import argparse

from knaster.commands.console import Console, ExitCode

EPILOG = """\
The file is PDAAAL's JSON (a system with two query automata), WALi's XML, or a
list of rules. A set of configurations is a file or an expression such as
'<p, a .*>': control state p, a on top of the stack, anything below.

With two sets the answer is whether the first reaches the second, with a run;
with one set it is the saturated automaton.

exit codes:
  0   unreachable, or an automaton      1   the command line makes no sense
  10  reachable                         2   the input was refused
  6   our own fault; please report it

examples:
  knaster pushdown network.json --shortest
  knaster pushdown system.xml --post '<p, main>' --ask '<p, error .*>'
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `pushdown`."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", help="a pushdown system")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--post", metavar="SET", help="what these configurations reach")
    way.add_argument("--pre", metavar="SET", help="what reaches these configurations")
    parser.add_argument("--ask", metavar="SET", help="the other end: is any of these among them?")
    parser.add_argument(
        "--shortest", action="store_true", help="a run of smallest weight (1 a rule where none is given)"
    )
    parser.add_argument("--format", default="text", choices=("text", "json"), help="for people (default) or programs")


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the answer."""
    from knaster.pushdown.decide import decide_file
    from knaster.pushdown.formats.outcome import to_json, to_text

    outcome = decide_file(options.file, post=options.post, pre=options.pre, ask=options.ask, shortest=options.shortest)
    console.write(to_json(outcome) if options.format == "json" else to_text(outcome))
    return ExitCode.REACHABLE if outcome.reachable else ExitCode.UNREACHABLE
