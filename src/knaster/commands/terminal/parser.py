"""Our argument parser: wrong usage ends with our exit code, and `--help` is short where `--help-all` has the rest.

What a command declares for later is not even declared where no argument asks for it: the options of all engines take
longer to declare than a small program to check.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NoReturn

from knaster.base.exits import ExitCode
from knaster.base.visible import make_line
from knaster.commands.terminal.console import Console


def _leave_as_it_is(message: str | None) -> str | None:
    """Return a message of `argparse`, which also "translates" descriptions that are not there."""
    return message


setattr(argparse, "_", _leave_as_it_is)  # noqa: B010  # English; looking for translations takes longer than parsing


class Parser(argparse.ArgumentParser):
    """An argument parser whose `--help` leaves out what is `further`, and whose `--help-all` does not."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._further_groups: list[object] = []
        self._further_actions: list[argparse.Action] = []
        self._later: list[Callable[[], object]] = []
        super().__init__(*arguments, **options)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line and how to learn more."""
        Console().complain(f"{self.prog}: {make_line(message)}\nTry '{self.prog} --help'.")
        self.exit(ExitCode.USAGE)

    def say(self, text: str) -> NoReturn:
        """Write a text to standard output and end; where it cannot be written, the code says so."""
        console = Console()
        console.write_painted(text)
        self.exit(ExitCode.REFUSED if console.lost else ExitCode.DONE)

    def print_help(self, file: Any = None) -> None:
        """Print the short help and end."""
        if file is None:
            self.say(self.format_help())
        super().print_help(file)

    def add_help_all(self, about: str) -> None:
        """Declare `--help-all`."""
        self.add_argument("--help-all", action=_HelpAll, nargs=0, default=argparse.SUPPRESS, help=about)

    def declare_further(self, declare: Callable[[], object]) -> None:
        """Leave the options and groups that `declare` adds out of `--help`."""
        groups, actions = list(self._action_groups), list(self._actions)
        declare()
        self._further_groups += [group for group in self._action_groups if group not in groups]
        self._further_actions += [action for action in self._actions if action not in actions]

    def declare_later(self, declare: Callable[[], object]) -> None:
        """Leave what `declare` adds out of `--help`, and undeclared where no argument can mean it."""
        self._later.append(declare)

    def declare_rest(self) -> None:
        """Declare what was left for later."""
        while self._later:
            self.declare_further(self._later.pop(0))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return the options and what is none of them; declare the rest first if some flag is not known yet."""
        flags = {argument.partition("=")[0] for argument in args or () if argument.startswith("-")}
        if self._later and flags - self._option_string_actions.keys():
            self.declare_rest()
        return super().parse_known_args(args, namespace)

    def format_help(self) -> str:
        """Return the short help."""
        groups, texts = self._action_groups, [action.help for action in self._further_actions]
        self._action_groups = [group for group in groups if group not in self._further_groups]
        for action in self._further_actions:
            action.help = argparse.SUPPRESS
        try:
            return super().format_help()
        finally:
            self._action_groups = groups
            for action, text in zip(self._further_actions, texts, strict=True):
                action.help = text

    def format_help_all(self) -> str:
        """Return the help with everything in it."""
        self.declare_rest()
        return super().format_help()


class _HelpAll(argparse.Action):
    """Prints the whole help."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        assert isinstance(parser, Parser)
        parser.say(parser.format_help_all())
