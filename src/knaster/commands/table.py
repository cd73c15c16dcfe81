"""The commands, one record for each: a command called `name` is `commands/NAME.py` with `configure` and `run`."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.exits import ExitCode
from knaster.base.named_tuples import NamedTuple

MEANINGS = {
    ExitCode.DONE: "done",
    ExitCode.REACHABLE: "reachable",
    ExitCode.UNDECIDED: "undecided: a limit was reached, or Ctrl-C",
    ExitCode.USAGE: "the command line makes no sense",
    ExitCode.REFUSED: "the input was refused",
    ExitCode.FAULT: "a bug in Knaster; CONTRIBUTING.md says how to report it",
}
"""What each exit code means wherever a command does not say it more exactly."""


class Command(NamedTuple):
    """A command: what it does, in a line for `--help`, and what an exit code means where it is more exact."""

    name: str
    about: str
    codes: Mapping[ExitCode, str]
    asks: bool = False  # its code says whether something is reachable
    answers: bool = False  # its code alone is an answer, though nobody can read the rest


_LIST = (
    Command("demo", "see what it does, on an example", {ExitCode.DONE: "shown"}),
    Command(
        "check",
        "decide whether targets of a program can be reached",
        {
            ExitCode.UNREACHABLE: "TRUE: every target is unreachable, or every run ends",
            ExitCode.REACHABLE: "FALSE: some target is reachable, or a run never ends",
            ExitCode.UNDECIDED: "UNKNOWN: a limit was reached, or Ctrl-C",
        },
        asks=True,
        answers=True,
    ),
    Command(
        "certify",
        "check a saved proof again, without an engine",
        {
            ExitCode.DONE: "the proof holds",
            ExitCode.REFUSED: "the proof does not hold, or is of another program",
            ExitCode.UNDECIDED: "the proof holds within a bound only; a limit was reached, or Ctrl-C",
        },
        answers=True,
    ),
    Command(
        "validate",
        "confirm or reject a verification witness of a C program",
        {
            ExitCode.DONE: "the witness is confirmed",
            ExitCode.REACHABLE: "the witness is rejected",
            ExitCode.UNDECIDED: "neither; a limit was reached, or Ctrl-C",
            ExitCode.REFUSED: "it is no witness of this program",
        },
        asks=True,
        answers=True,
    ),
    Command(
        "compare",
        "run several engines and compare their answers and times",
        {
            ExitCode.DONE: "the engines agree",
            ExitCode.FAULT: "the engines disagree: a bug; CONTRIBUTING.md says how to report it",
        },
        answers=True,
    ),
    Command(
        "cache",
        "say how large the cache of proofs is, or clear it",
        {ExitCode.DONE: "done"},
    ),
    Command("lsp", "serve editors by the Language Server Protocol", {ExitCode.DONE: "the editor has ended it"}),
    Command("schema", "print the JSON schema of what the commands print", {ExitCode.DONE: "printed"}),
    Command("show", "print a program: canonical text, control-flow graph, picture", {ExitCode.DONE: "shown"}),
    Command(
        "facts",
        "tell what always holds at each line, and what each procedure does",
        {ExitCode.DONE: "the facts are known"},
    ),
    Command(
        "property",
        "decide whether an automaton over the statements comes to an error",
        {
            ExitCode.UNREACHABLE: "TRUE: the property holds on every run",
            ExitCode.REACHABLE: "FALSE: some run violates it",
            ExitCode.UNDECIDED: "UNKNOWN: a limit was reached, or Ctrl-C",
        },
        asks=True,
        answers=True,
    ),
    Command(
        "crash",
        "find a path that ends with the stack of a crash",
        {ExitCode.DONE: "a path of the control flow was found, or there is none"},
    ),
    Command(
        "project",
        "show which lines of a program can matter for an error",
        {ExitCode.DONE: "the projection is known"},
    ),
    Command(
        "solve",
        "evaluate a file of the fixed-point calculus",
        {
            ExitCode.DONE: "every query is answered",
            ExitCode.REFUSED: "the input was refused, or a query never becomes stable",
        },
    ),
    Command(
        "pushdown",
        "saturate a weighted pushdown system: reachable, how short, by which run",
        {ExitCode.DONE: "unreachable, or an automaton"},
        asks=True,
        answers=True,
    ),
)
COMMANDS = {command.name: command for command in _LIST}
"""Every command, in the order of `--help`."""


def exit_codes(command: str) -> str:
    """Return the exit codes of a command as lines for its `--help`."""
    record = COMMANDS[command]
    meanings = {**MEANINGS, **record.codes}
    shown = [code for code in meanings if code != ExitCode.REACHABLE or record.asks]
    rows = [f"  {int(code):<3} {meanings[code]}" for code in shown]
    return "\n".join(["exit codes:", *rows])
