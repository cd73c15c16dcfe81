"""`knaster lsp`: a language server for editors, on standard input and output."""

from __future__ import annotations

import argparse

from knaster.base.exits import ExitCode
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.interruption import positive_number

EPILOG = f"""\
An editor starts it and talks to it, as the extension in editors/vscode does.
What is wrong with a text is shown while it is written; when it is opened or
saved it is checked too: what fails is marked, with the run as related places,
what no run reaches is grey, and hovering over a line shows what was proved
there. It needs pygls: pip install 'knaster[lsp]'

{exit_codes("lsp")}

examples:
  knaster lsp --timeout 10
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `lsp`."""
    parser.epilog = EPILOG
    parser.add_argument(
        "--timeout", type=positive_number, default=5.0, metavar="S", help="seconds for each check (default: 5)"
    )


def run(options: argparse.Namespace, console: Console) -> int:
    """Serve until the editor says that it is enough."""
    from knaster.editor.server import make_server

    server, assistant = make_server(options.timeout)
    try:
        server.start_io()
    finally:
        assistant.stop()
    return ExitCode.DONE
