"""Several files of one command: each is answered as if it were alone, in processes of their own, in their order.

A command that takes part has `run_one`, which answers for `options.file`, and calls `run_each` for all of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from knaster.base.errors import UsageError
from knaster.base.exits import STATUS, ExitCode, worst
from knaster.base.named_tuples import NamedTuple
from knaster.commands.terminal.executors import add_cluster, add_jobs, executor_of
from knaster.commands.terminal.failure import report
from knaster.commands.terminal.interruption import add_limits, limits_of
from knaster.commands.terminal.recorder import Recorder
from knaster.commands.terminal.source import STDIN, lend, name_of, read
from knaster.jobs.work import Outcome

if TYPE_CHECKING:
    from knaster.base.limits import Limits
    from knaster.commands.terminal.console import Console

_EARLIER = "not done, because an earlier file was interrupted"


def add_files(parser: argparse.ArgumentParser, about: str, travels: bool = True) -> None:
    """Declare the files of a command, its limits for each, and who works for it; a cluster where all of it travels."""
    parser.add_argument("files", nargs="+", metavar="FILE", help=f"{about}; '-' is standard input")
    add_limits(parser, " for each file")
    add_jobs(parser)
    if travels:
        add_cluster(parser)
    else:
        parser.set_defaults(cluster=None)


class CommandWork(NamedTuple):
    """A command with one file, as it is on the command line."""

    command: str
    options: Mapping[str, Any]
    given: str  # the file
    text: str | None  # what is in it; None: whoever does the work reads it
    limits: Limits
    names: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The name of the file in messages."""
        return name_of(self.given)

    @property
    def namespace(self) -> argparse.Namespace:
        """The options, about this file alone."""
        return argparse.Namespace(**{**self.options, "file": self.given, "files": [self.given]})

    def attempt(self) -> CommandAttempt:
        """Begin."""
        return CommandAttempt(self, Recorder(self.names))

    def give_up(self, reason: str) -> Outcome:
        """Return what is said where nothing is known."""
        from knaster.report.document import nothing
        from knaster.report.sentence import unknown_sentence

        options, code, output = self.namespace, ExitCode.UNDECIDED, ""
        if options.format == "json":
            from knaster.commands.terminal.flags import in_force

            output = nothing(self.command, in_force(options), self.file, code, reason) + "\n"
        return Outcome(self.file, code, output, unknown_sentence(self.file, reason))

    def fail(self, error: Exception) -> Outcome:
        """Return what is said where an error ended it."""
        recorder = Recorder(self.names)
        return _outcome(self, report(error, self.namespace, recorder), recorder)

    def carry(self) -> CommandWork:
        """Return the same work with the text of its file."""
        from knaster.jobs.travel import text_that_travels

        text = read(self.given) if self.text is None else self.text
        return self._replace(text=text_that_travels(self.file, text, self.options))


class CommandAttempt(NamedTuple):
    """A command that is being done, and what it has written."""

    work: CommandWork
    recorder: Recorder

    def do(self, progress: Callable[[str], None] | None) -> Outcome:
        """Run the command; an error becomes an outcome."""
        work, options = self.work, self.work.namespace
        if work.text is not None:
            lend(work.given, work.text)
        try:
            code = import_module(f"knaster.commands.{work.command}").run_one(options, self.recorder)
        except Exception as error:
            code = report(error, options, self.recorder)
        return _outcome(work, code, self.recorder)

    def stop(self, reason: str) -> Outcome:
        """Have the command say what it knows."""
        if self.recorder.stopping is None:
            return self.work.give_up(reason)
        return _outcome(self.work, self.recorder.stopping(reason), self.recorder)


def _outcome(work: CommandWork, code: int, recorder: Recorder) -> Outcome:
    return Outcome(work.file, ExitCode(code), recorder.output, recorder.errors)


def run_each(options: argparse.Namespace, console: Console, alone: Mapping[str, object] | None = None) -> int:
    """Answer for every file; return the worst exit code.  `alone` are the options that make sense for one file only."""
    files = options.files
    if files.count(STDIN) > 1:
        raise UsageError("standard input can be read only once, and '-' is given more than once")
    for flag, value in (alone or {}).items():
        if value and (len(files) > 1 or options.cluster is not None):
            raise UsageError(f"{flag} is for one file{' on this machine' * (len(files) == 1)}")
    if len(files) == 1 and options.cluster is None:
        options.file = files[0]
        return int(import_module(f"knaster.commands.{options.command}").run_one(options, console))
    return _Several(options, console).run()


class _Several:
    """The files of one command; what each prints is written when its turn has come."""

    def __init__(self, options: argparse.Namespace, console: Console) -> None:
        self.options = options
        self.console = console
        self.several = len(options.files) > 1
        self.codes: list[ExitCode] = []

    def run(self) -> int:
        works, outcomes = list(self.works()), dict[int, Outcome]()
        executor = executor_of(self.options, len(works))
        progress = self.console.follow(self.options.progress, f"{len(works)} files")
        try:
            for number, outcome in executor.run(enumerate(works), progress.pulse):
                outcomes[number] = outcome
                self.flush(outcomes)
                if progress.listener is not None:
                    progress.listener(f"{len(works) - len(self.codes) - len(outcomes)} left")
        finally:
            progress.close()
            executor.stop()
        for number in range(len(self.codes), len(works)):
            outcomes.setdefault(number, works[number].give_up(_EARLIER))
        self.flush(outcomes)
        return self.finish()

    def works(self) -> Iterator[CommandWork]:
        for file in self.options.files:
            text = read(file) if file == STDIN else None
            options = {**vars(self.options), "jobs": None, "cluster": None}
            yield CommandWork(self.options.command, options, file, text, limits_of(self.options), self.console.names)

    def flush(self, outcomes: dict[int, Outcome]) -> None:
        """Write the outcomes whose turn it is."""
        while (number := len(self.codes)) in outcomes:
            self.write(outcomes.pop(number))

    def write(self, outcome: Outcome) -> None:
        if outcome.errors:
            self.console.complain(outcome.errors)
        if not self.several:
            self.console.write_painted(outcome.output)
        elif self.options.format == "json":
            self.console.write_painted((",\n" if self.codes else "[") + outcome.output.removesuffix("\n"))
        else:
            self.console.write(f"{outcome.file}:\n")
            self.console.write_painted(outcome.output + "\n")
        self.codes.append(outcome.code)

    def finish(self) -> int:
        if self.several and self.options.format == "json":
            self.console.write("]\n")
        elif self.several:
            said = [STATUS[code] for code in self.codes]
            counts = ", ".join(f"{said.count(word)} {word}" for word in dict.fromkeys(STATUS.values()) if word in said)
            self.console.write(f"{len(said)} files: {counts}.\n")
        return worst(self.codes)
