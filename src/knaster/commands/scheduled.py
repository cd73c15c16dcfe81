"""The arguments that say which threads run and how far is to be looked."""

from __future__ import annotations

import argparse


def add_schedule(parser: argparse._ActionsContainer) -> None:
    """Declare `--switches`, `--rounds` and `--thread`."""
    parser.add_argument(
        "--switches",
        type=int,
        metavar="K",
        help="threads: only runs with at most K context switches (default: it grows)",
    )
    parser.add_argument(
        "--rounds", type=int, metavar="R", help="threads: only runs with at most R rounds, in their order"
    )
    parser.add_argument(
        "--thread",
        action="append",
        metavar="NAME[*N]",
        help="a procedure that runs as a thread, N times, or 'NAME*' for any number; may be repeated",
    )
