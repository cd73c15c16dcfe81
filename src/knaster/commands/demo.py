"""`knaster demo`: Figure 1 of the Bebop paper, a question about it and the answer; the examples, for whoever asks."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from knaster.base.errors import KnasterError
from knaster.base.exits import ExitCode
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console

FIRST = "figure1.bp"
TARGET = "R"
DEMOS = {  # of each language: a command about an example
    "threads": (
        "check",
        "threads/driver.bp",
        "--thread",
        "main_adder",
        "--thread",
        "main_stopper*2",
        "--trace",
        "calls",
    ),
    "zing": ("check", "zing/philosophers-deadlock.zing", "--trace", "calls"),
    "c": ("check", "c/ack.c"),
    "calculus": ("solve", "calculus/game.mu"),
    "pushdown": ("pushdown", "pushdown/hand-over.pds"),
}
EPILOG = f"""\
{exit_codes("demo")}

examples:
  knaster demo
  knaster demo zing
  knaster demo --save examples
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `demo`."""
    parser.epilog = EPILOG
    parser.add_argument(
        "language", nargs="?", default="boolean", choices=("boolean", *DEMOS), help="of the example (default: boolean)"
    )
    parser.add_argument("--save", metavar="FOLDER", help="write the examples to a new folder instead")


def run(options: argparse.Namespace, console: Console) -> int:
    """Show a program, a question about it and the answer; or save the examples."""
    home = examples()
    if options.save is not None:
        return save(home, Path(options.save), console)
    if options.language in DEMOS:
        return show(home, DEMOS[options.language], console)
    from knaster.decide.asked import Asked, Source
    from knaster.decide.check import check
    from knaster.report.text import result_to_text

    file = home / FIRST
    text = file.read_text("utf-8")
    console.write(f"The program {FIRST} calls itself; can it reach the label {TARGET}?\n\n")
    for number, line in enumerate(text.rstrip("\n").split("\n"), start=1):
        console.write(f"{number:2}  {line}\n")
    console.write(f"\n$ knaster check {FIRST} --target {TARGET}\n")
    result = check(Source(text, FIRST), Asked(TARGET))
    console.answer("\n".join(result_to_text(result, width=console.width)) + "\n")
    console.write(
        f"\nFALSE: the claim that {TARGET} is unreachable is false. A line is a statement about to"
        "\nbe executed, indented by the depth of the call stack; on the right are the"
        "\nvalues before it. The trace was replayed before you saw it. Where a claim is"
        "\nTRUE, its proof is checked.\n"
        "\nNext: 'knaster demo threads' (zing, c, calculus, pushdown) shows another"
        "\nlanguage, 'knaster demo --save examples' writes the examples to a folder,"
        "\n'knaster check --help' says what else there is.\n"
    )
    return ExitCode.DONE


def show(home: Path, arguments: Sequence[str], console: Console) -> int:
    """Show an example and what a command says of it."""
    import shlex
    from contextlib import chdir
    from importlib import import_module

    from knaster.commands.terminal.parser import Parser

    name, file, *_ = arguments
    for number, line in enumerate((home / file).read_text("utf-8").rstrip("\n").split("\n"), start=1):
        console.write(f"{number:2}  {line}\n")
    console.write(f"\n$ knaster {shlex.join(arguments)}\n")
    command, parser = import_module(f"knaster.commands.{name}"), Parser(prog=f"knaster {name}")
    command.configure(parser)
    options = parser.parse_args(arguments[1:])
    options.command = name
    with chdir(home):
        code = int(command.run(options, console))
    return ExitCode.DONE if code == ExitCode.REACHABLE else code


def examples() -> Path:
    """Return where the examples are: in the package, or beside it in a working copy."""
    package = Path(__file__).parents[1]
    for place in (package / "examples", package.parents[1] / "examples"):
        if (place / FIRST).is_file():
            return place
    raise KnasterError("the examples are not installed")


def save(home: Path, folder: Path, console: Console) -> ExitCode:
    """Write the examples to a folder that is not there yet."""
    import shutil

    if folder.exists():
        raise KnasterError(f"{folder}: is there already; name a folder that is not")
    try:
        shutil.copytree(home, folder, ignore=shutil.ignore_patterns("__pycache__"))
    except OSError as error:
        raise KnasterError(f"{folder}: cannot be written: {error.strerror or error}") from None
    console.write(f"The examples are in {folder}. Try: knaster check {folder}{os.sep}{FIRST} --target {TARGET}\n")
    return ExitCode.DONE
