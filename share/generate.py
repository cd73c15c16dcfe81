"""Writes the completions for bash and zsh and the man page from the parsers of the commands: `make share`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from knaster.commands.table import COMMANDS, MEANINGS
from knaster.commands.terminal.parser import Parser
from knaster.version import VERSION

FOLDER = Path(__file__).parent


def parsers() -> Parser:
    """Return the parser of all commands, with every option declared."""
    parser = Parser(prog="knaster", description="Reachability and fixed points of recursive programs.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands")
    for entry in COMMANDS.values():
        command = commands.add_parser(entry.name, help=entry.about)
        import_module(f"knaster.commands.{entry.name}").configure(command)
        if hasattr(command, "declare_rest"):
            command.declare_rest()
    return parser


def completion(shell: str) -> str:
    """Return the completions for a shell."""
    import shtab

    return str(shtab.complete(parsers(), shell=shell))


def manual() -> str:
    """Return the man page."""
    lines = [
        f'.TH KNASTER 1 "" "knaster {VERSION}" "User Commands"',
        ".SH NAME",
        r"knaster \- reachability and fixed points of recursive programs",
        ".SH SYNOPSIS",
        ".B knaster",
        r"COMMAND [OPTION]... FILE...",
        ".SH COMMANDS",
    ]
    for entry in COMMANDS.values():
        lines += [".TP", rf".B knaster {entry.name}", _escape(f"{entry.about[0].upper()}{entry.about[1:]}.")]
    parser = parsers()
    choices = next(action.choices for action in parser._actions if action.dest == "command")
    assert isinstance(choices, dict)
    for name, command in choices.items():
        lines.append(f".SH OPTIONS OF {name.upper()}")
        for action in command._actions:
            if action.help and action.option_strings:
                metavar = f" {action.metavar}" if isinstance(action.metavar, str) else ""
                flags = ", ".join(action.option_strings)
                lines += [".TP", rf".B {_escape(flags)}{_escape(metavar)}", _escape(action.help.replace("%%", "%"))]
    lines.append(".SH EXIT STATUS")
    for code, meaning in MEANINGS.items():
        lines += [".TP", f".B {int(code)}", _escape(f"{meaning}.")]
    return "\n".join(
        [*lines, ".SH FILES", "knaster.toml, or [tool.knaster] in pyproject.toml: settings of a check.", ""]
    )


def _escape(text: str) -> str:
    escaped = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


def texts() -> dict[str, str]:
    """Return every file by name."""
    return {"knaster.bash": completion("bash"), "_knaster": completion("zsh"), "knaster.1": manual()}


if __name__ == "__main__":
    for name, text in texts().items():
        (FOLDER / name).write_text(text, "utf-8")
        sys.stdout.write(f"{name}: {len(text):,} characters\n")
