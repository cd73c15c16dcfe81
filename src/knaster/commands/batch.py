"""Several files in one command: answers in order as soon as they are known, limits for each, one exit code for all."""

from __future__ import annotations

import argparse
import os
import sys

from knaster.commands import flags
from knaster.commands.answer import Checked, check_file, unknown
from knaster.commands.console import Console, ExitCode, worst


class Batch:
    """The files of one command, answered in order; output is written as soon as it is known."""

    def __init__(self, options: argparse.Namespace, console: Console) -> None:
        self.options = options
        self.console = console
        self.several = len(options.files) > 1
        self.apart = self.several and (options.timeout is not None or options.memory is not None)
        self.interrupted = False
        self.codes: list[ExitCode] = []

    def check(self, file: str) -> None:
        """Answer for one file, unless the user has had enough."""
        if self.interrupted:
            self.add(unknown(file, "not checked, because an earlier file was interrupted", self.options))
        elif self.apart:
            self.add(self.in_child(file))
        else:
            self.add(self.here(file))

    def here(self, file: str) -> Checked:
        """Check one file in this process, under a watchdog."""
        from knaster.watchdog import Watchdog

        watchdog = Watchdog(lambda reason: self.abandon(file, reason), self.options.timeout, self.options.memory)
        try:
            with watchdog:
                checked = check_file(file, self.options, self.console)
        except KeyboardInterrupt:
            watchdog.interrupted = True
            checked = unknown(file, "interrupted", self.options)
        self.interrupted = watchdog.interrupted
        return checked

    def in_child(self, file: str) -> Checked:
        """Check one file in a process of its own: memory is counted for each file, and a hard limit ends only one."""
        import subprocess

        command = [sys.executable, "-m", "knaster", "check", *as_arguments(self.options), "--", file]
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8:backslashreplace"}
        try:
            done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", env=environment)
        except KeyboardInterrupt:
            self.interrupted = True
            return unknown(file, "interrupted", self.options)
        if done.returncode < 0:
            return unknown(file, f"its process was ended by signal {-done.returncode}", self.options)
        return Checked(file, ExitCode(done.returncode), done.stdout.rstrip("\n"), done.stderr)

    def add(self, checked: Checked) -> None:
        """Write what became of one file."""
        if checked.errors:
            self.console.complain(checked.errors)
        if self.options.format == "json":
            before = "" if not self.several else ",\n" if self.codes else "["
            self.console.write(before + checked.output + ("" if self.several else "\n"))
        elif not self.several:
            self.console.write(checked.output and checked.output + "\n")
        else:
            whole = self.options.trace in ("full", "calls") and not checked.errors
            self.console.write(f"{checked.output}\n\n" if whole else f"{checked.line}\n")
        self.codes.append(checked.code)

    def finish(self) -> ExitCode:
        """Write the summary; return the exit code."""
        if self.several:
            self.console.write("]\n" if self.options.format == "json" else f"{_summary(self.codes)}\n")
        return worst(self.codes)

    def abandon(self, file: str, reason: str) -> None:
        """Answer for a file that cannot be stopped, and for those after it; end the process."""
        self.add(unknown(file, reason, self.options))
        for rest in self.options.files[len(self.codes) :]:
            self.add(unknown(rest, f"not checked, because {file} was abandoned: {reason}", self.options))
        os._exit(self.finish())


def as_arguments(options: argparse.Namespace) -> list[str]:
    """Return the command-line arguments that mean `options`, without the files."""
    arguments = [f"--target={target}" for target in options.target or ()]
    for name in ("entry", "dialect", "engine", "timeout", "memory", "format", "trace"):
        value = getattr(options, name)
        arguments += [] if value is None else [f"--{name}={value}"]
    arguments += [f"--{name}" for name in ("first", "verbose") if getattr(options, name)]
    if options.certify is not None:
        arguments.append("--certify" if options.certify else "--no-certify")
    return arguments + flags.as_arguments(options)


def _summary(codes: list[ExitCode]) -> str:
    words = (
        (ExitCode.UNREACHABLE, "TRUE"),
        (ExitCode.REACHABLE, "FALSE"),
        (ExitCode.UNDECIDED, "UNKNOWN"),
        (ExitCode.REFUSED, "refused"),
        (ExitCode.USAGE, "not checked"),
        (ExitCode.FAULT, "failed by our own fault"),
    )
    parts = [f"{codes.count(code)} {word}" for code, word in words if code in codes]
    return f"{len(codes)} files: {', '.join(parts)}."
