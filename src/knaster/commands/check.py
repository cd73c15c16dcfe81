"""`knaster check`: every file gets an answer; several files get one line each and a summary."""

from __future__ import annotations

import argparse

from knaster.commands.batch import Batch
from knaster.commands.console import Console
from knaster.commands.flags import add_flags
from knaster.engines.table import ENGINES

EPILOG = """\
Without --target, every assert and every label ERROR, error or SLIC_ERROR is a
target. A label is reached when control stands before its statement.

exit codes:
  0   every target is unreachable       1   the command line makes no sense
  10  some target is reachable          2   the input was refused
  5   undecided: a limit was reached    6   our own fault; please report it
Of several files the worst counts, in the order 6, 2, 1, 10, 5, 0.

examples:
  knaster check examples/figure1.bp --target R
  knaster check driver.bp --target asserts --trace full
  knaster check *.bp --timeout 60 --format json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `check`."""
    parser.epilog = EPILOG
    parser.add_argument("files", nargs="+", metavar="FILE", help="a Boolean program")
    asked = parser.add_argument_group("the question")
    asked.add_argument(
        "--target",
        action="append",
        metavar="TARGET",
        help="LABEL, FILE:LINE, 'asserts' or 'all-labels'; may be repeated",
    )
    asked.add_argument("--entry", metavar="NAME", help="the procedure to start in (default: main)")
    asked.add_argument(
        "--dialect", default="default", metavar="NAME", help="'boppo': = != => bind weakest (default: tighter than &)"
    )
    asked.add_argument("--first", action="store_true", help="stop at the first target that is found reachable")
    method = parser.add_argument_group("the method")
    names = ", ".join(f"'{name}': {engine.about}" for name, engine in ENGINES.items())
    method.add_argument("--engine", metavar="NAME", help=f"{names} (default: the first that can)")
    add_flags(method)
    method.add_argument(
        "--certify",
        action=argparse.BooleanOptionalAction,
        help="re-check the proof of 'unreachable' independently (default: for small programs)",
    )
    method.add_argument("--timeout", type=_positive_number, metavar="S", help="give up after S seconds for each file")
    method.add_argument("--memory", type=_positive_integer, metavar="MB", help="give up beyond MB megabytes")
    shown = parser.add_argument_group("the answer")
    shown.add_argument("--format", default="text", choices=("text", "json"), help="for people (default) or programs")
    shown.add_argument(
        "--trace",
        choices=("full", "calls", "none"),
        help="every step, one line for each call that returns, or nothing (default: full where that is short)",
    )
    shown.add_argument("--progress", action="store_true", help="say how far it is, on a terminal")
    shown.add_argument("--verbose", action="store_true", help="add remarks and statistics")


def run(options: argparse.Namespace, console: Console) -> int:
    """Answer for every file; return the worst exit code."""
    batch = Batch(options, console)
    for file in options.files:
        batch.check(file)
    return batch.finish()


def _positive_number(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError
    return value


def _positive_integer(text: str) -> int:
    value = int(text)
    if value <= 0:
        raise ValueError
    return value


_positive_number.__name__ = "positive number"  # argparse says: invalid positive number value: 'x'
_positive_integer.__name__ = "positive whole number"
