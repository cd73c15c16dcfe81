"""`knaster cache`: how large the folder of proofs and runs is that `check --cache` keeps, and how to empty it."""

from __future__ import annotations

import argparse

from knaster.base.exits import ExitCode
from knaster.base.file_store import FileStore, default_folder
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console

EPILOG = f"""\
{exit_codes("cache")}

examples:
  knaster check src/*.bp --cache
  knaster cache info
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `cache`."""
    parser.epilog = EPILOG
    parser.add_argument("what", choices=("info", "clear"), help="say how large it is, or delete all of it")
    parser.add_argument("--cache", metavar="DIR", help="the folder (default: $KNASTER_CACHE, or that of the user)")


def run(options: argparse.Namespace, console: Console) -> int:
    """Say what is there, or that it was deleted."""
    store = FileStore(options.cache or default_folder())
    if options.what == "clear":
        console.answer(f"{store.folder}: {_count(store.clear())} deleted.\n")
        return ExitCode.DONE
    count, size = store.size()
    console.answer(f"{store.folder}: {_count(count)}, {size / 1e6:.1f} MB of at most {store.largest / 1e6:.0f} MB.\n")
    return ExitCode.DONE


def _count(answers: int) -> str:
    return "1 answer" if answers == 1 else f"{answers:,} answers"
