"""The options that limit a command: the same names and the same checks everywhere."""

from __future__ import annotations

import argparse


def add_limits(parser: argparse._ActionsContainer) -> None:
    """Declare `--timeout`, `--memory` and `--progress`."""
    parser.add_argument("--timeout", type=positive_number, metavar="S", help="give up after S seconds")
    parser.add_argument("--memory", type=positive_integer, metavar="MB", help="give up beyond MB megabytes")
    parser.add_argument("--progress", action="store_true", help="say how far it is, on a terminal")


def positive_number(text: str) -> float:
    """Return a number of seconds."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError
    return value


def positive_integer(text: str) -> int:
    """Return a number of megabytes."""
    value = int(text)
    if value <= 0:
        raise ValueError
    return value


positive_number.__name__ = "positive number"  # argparse says: invalid positive number value: 'x'
positive_integer.__name__ = "positive whole number"
