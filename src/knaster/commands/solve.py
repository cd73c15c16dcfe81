"""`knaster solve`: evaluate a file of the fixed-point calculus."""

from __future__ import annotations

import argparse
from pathlib import Path

from knaster.commands.console import Console

EPILOG = """\
The language is muCKE's, with its traps mended; docs/calculus.md teaches it in
ten minutes. Every query of the file is answered in order, and so are #size,
#ons, #print and #wit.

exit codes:
  0   all queries are answered          1   the command line makes no sense
  5   undecided: a limit was reached    2   the input was refused, or a query
  6   our own fault; please report it       never becomes stable

examples:
  knaster solve reach.mu --stats
  knaster solve reach.mu --plot sizes.svg
  knaster show program.bp --as relations > all.mu
  cat my_algorithm.mu >> all.mu; knaster solve all.mu
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `solve`."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", help="a file of the calculus")
    parser.add_argument("--format", default="text", choices=("text", "json"), help="for people (default) or programs")
    parser.add_argument("--stats", action="store_true", help="add rounds, sizes and times")
    parser.add_argument("--plot", metavar="FILE.svg", help="draw the size of each relation in each round")
    parser.add_argument(
        "--strategy",
        default="frontier",
        choices=("frontier", "together", "plain"),
        help="'frontier' (default): what is new, where that is sound; 'together': all of a system at once; "
        "'plain': the paper's Evaluate, word for word",
    )
    parser.add_argument("--timeout", type=float, metavar="S", help="give up after S seconds")


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the answers."""
    from knaster.calculus.command import run as answer

    text, code = answer(
        Path(options.file),
        format=options.format,
        stats=options.stats,
        plot=options.plot,
        strategy=options.strategy,
        timeout=options.timeout,
    )
    console.write(text if text.endswith("\n") or not text else text + "\n")
    return code
