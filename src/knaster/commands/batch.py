"""Several files in one command: answers in order as soon as they are known, limits for each, one exit code for all."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from knaster.base.limits import EXPLORED
from knaster.commands.console import Console
from knaster.commands.exits import ExitCode, worst
from knaster.commands.limited import interruption, watched
from knaster.commands.source import STDIN, name_of, read
from knaster.commands.tidy import tidy_up
from knaster.jobs.job import Checked, Input, check_input, failed, unknown

if TYPE_CHECKING:
    from knaster.jobs.worker import Worker

_EARLIER = "not checked, because an earlier file was interrupted"


class Batch:
    """The files of one command, answered in order; output is written as soon as it is known."""

    def __init__(self, options: argparse.Namespace, console: Console) -> None:
        self.options = options
        self.console = console
        self.several = len(options.files) > 1
        self.apart = self.several and (options.timeout is not None or options.memory is not None)
        self.interrupted = False
        self.codes: list[ExitCode] = []
        self._worker: Worker | None = None

    def check(self, file: str) -> None:
        """Answer for one file, unless the user has had enough."""
        if self.interrupted:
            self.add(unknown(name_of(file), _EARLIER, self.options))
            return
        try:
            source = Input(file, read(file) if file == STDIN else None)
            self.add(self.elsewhere(source) if self.apart else self.here(source))
        except KeyboardInterrupt as interrupt:
            self.interrupted = True
            self.add(unknown(name_of(file), interruption(interrupt), self.options, EXPLORED))
        except Exception as error:
            self.add(failed(name_of(file), error, self.options))
        if self.several:
            tidy_up(first=len(self.codes) == 1)

    def here(self, source: Input) -> Checked:
        """Check one file in this process, under a watchdog."""
        with watched(self.options, self.console, source.name, lambda reason: self.abandon(source.name, reason)) as line:
            return check_input(source, self.options, line.listener, self.console.width)

    def elsewhere(self, source: Input) -> Checked:
        """Check one file in another process: a hard limit ends only that, and memory is counted for each file."""
        if self._worker is None:
            from knaster.jobs.worker import Worker

            self._worker = Worker(self.options, self.console.width)
        return self._worker.check(source)

    def add(self, checked: Checked) -> None:
        """Write what became of one file."""
        if checked.errors:
            self.console.complain(checked.errors)
        if self.options.format == "json":
            before = "" if not self.several else ",\n" if self.codes else "["
            self.console.write(before + checked.output + ("" if self.several else "\n"))
        elif not self.several:
            self.console.answer(checked.output and checked.output + "\n")
        else:
            whole = self.options.trace in ("full", "calls") and not checked.errors
            self.console.answer(f"{checked.output}\n\n" if whole else f"{checked.line}\n")
        self.codes.append(checked.code)

    def finish(self) -> ExitCode:
        """Write the summary; return the exit code."""
        if self._worker is not None:
            self._worker.stop()
        if self.several:
            self.console.write("]\n" if self.options.format == "json" else f"{_summary(self.codes)}\n")
        return worst(self.codes)

    def abandon(self, name: str, reason: str) -> int:
        """Answer for a file that cannot be stopped, and for those after it, before the process ends."""
        self.add(unknown(name, reason, self.options, EXPLORED))
        for rest in self.options.files[len(self.codes) :]:
            self.add(unknown(name_of(rest), f"not checked, because {name} was abandoned: {reason}", self.options))
        return self.finish()


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
