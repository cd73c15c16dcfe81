"""`knaster schema`: the JSON schema of what every command prints with `--format json`."""

from __future__ import annotations

import argparse

from knaster.base.exits import ExitCode
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console

EPILOG = f"""\
{exit_codes("schema")}

examples:
  knaster schema > knaster.schema.json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare no arguments of `schema`."""
    parser.epilog = EPILOG


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the schema."""
    from importlib.resources import files

    console.write(files("knaster.report").joinpath("schema.json").read_text("utf-8"))
    return ExitCode.DONE
