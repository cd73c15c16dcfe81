"""`knaster solve`: evaluate a file of the fixed-point calculus."""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from knaster.commands.console import Console, ExitCode
from knaster.commands.limit_flags import add_limits
from knaster.errors import SourceError, UsageError

if TYPE_CHECKING:
    from knaster.calculus import Session
    from knaster.calculus.outcomes import Outcome

EPILOG = """\
The language is muCKE's, with its traps mended; docs/calculus.md teaches it in
ten minutes. Every query of the file is answered in order, and so are #size,
#ons, #print and #wit. When a limit is reached, or at Ctrl-C, you keep the
answers that were found until then.

exit codes:
  0   all queries are answered          1   the command line makes no sense
  5   undecided: a limit was reached    2   the input was refused, or a query
  6   our own fault; please report it       never becomes stable

examples:
  knaster solve reach.mu --stats
  knaster solve reach.mu --plot sizes.svg
  knaster show program.bp --as relations > all.mu
  cat my_algorithm.mu >> all.mu; knaster solve all.mu
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `solve`."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", help="a file of the calculus")
    parser.add_argument("--format", default="text", choices=("text", "json"), help="for people (default) or programs")
    parser.add_argument("--stats", action="store_true", help="add rounds, sizes and times")
    parser.add_argument("--plot", metavar="FILE.svg", help="draw the size of each relation in each round")
    parser.add_argument(
        "--strategy",
        default="frontier",
        choices=("frontier", "together", "plain"),
        help="'frontier' (default): what is new, where that is sound; 'together': all of a system at once; "
        "'plain': the paper's Evaluate, word for word",
    )
    add_limits(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the answers; where time or memory runs out, or at Ctrl-C, those that there are."""
    from knaster.watchdog import Watchdog

    work = _Work(options, console)
    try:
        with Watchdog(lambda reason: os._exit(work.finish(reason, idle=False)), options.timeout, options.memory):
            reason = work.answer()
    except KeyboardInterrupt:
        reason = "interrupted"
    except SourceError as error:
        return work.refuse(error)
    return work.finish(reason)


@dataclass(slots=True)
class _Work:
    """One file and its answers so far; as text, each is written as soon as it is known."""

    options: argparse.Namespace
    console: Console
    started: float = field(default_factory=time.monotonic)
    session: Session | None = None
    answers: list[Outcome] = field(default_factory=list)

    def answer(self) -> str:
        """Answer everything; return why some of it could not be answered."""
        from knaster.calculus import Session, parse
        from knaster.calculus.outcomes import Unanswered
        from knaster.calculus.render import warning_text
        from knaster.limits import Budget

        options, console = self.options, self.console
        budget = Budget(options.timeout, options.memory, console.progress if options.progress else None, self.started)
        system = parse(Path(options.file).read_text(encoding="utf-8", errors="replace"), file=options.file)
        record = options.stats or options.plot is not None
        self.session = session = Session(
            system, strategy=options.strategy, tick=budget.check, record=record, tell=budget.tell
        )
        for source, problem in system.warnings:
            self._write(warning_text(source, problem))
        for answer in session.answers():
            if isinstance(answer, Unanswered):
                return answer.reason
            self._add(answer)
        return ""

    def _add(self, answer: Outcome) -> None:
        from knaster.calculus.render import answer_text

        self.answers.append(answer)
        self._write(answer_text(answer))

    def _write(self, text: str) -> None:
        if self.options.format == "text" and text:
            self.console.write(text + "\n")

    def finish(self, reason: str, idle: bool = True) -> ExitCode:
        """Write what is left to say; `idle` tells whether the session may be asked about its work."""
        from knaster.calculus.outcomes import Undefined
        from knaster.calculus.render import answers_json, statistics_json, statistics_text, unanswered

        session, seconds = self.session, time.monotonic() - self.started
        if session is None:
            self.console.complain(f"{self.options.file}: UNKNOWN. {reason[0].upper()}{reason[1:]}.")
            return ExitCode.UNDECIDED
        for answer in unanswered(session.system, len(self.answers), reason) if reason else ():
            self._add(answer)
        code = ExitCode.UNREACHABLE
        if reason:
            code = ExitCode.UNDECIDED
        elif any(isinstance(answer, Undefined) for answer in self.answers):
            code = ExitCode.REFUSED
        self._plot(session)
        if self.options.stats and idle:
            self._write(statistics_text(session, seconds))
        if reason:
            self._write(f"*** {reason}")
        if self.options.format == "json":
            data = answers_json(self.options.file, session.system, self.answers, code, reason)
            if self.options.stats and idle:
                data |= statistics_json(session, seconds)
            self.console.write(json.dumps(data, indent=2) + "\n")
        return code

    def _plot(self, session: Session) -> None:
        from knaster.calculus.plot import plot

        file = self.options.plot
        if file is None:
            return
        try:
            title = f"{Path(self.options.file).name}: size of each relation"
            Path(file).write_text(plot(session.sizes, title), "utf-8")
        except OSError as error:
            raise UsageError(f"cannot write '{file}': {error.strerror}") from None

    def refuse(self, error: SourceError) -> ExitCode:
        """Say what is wrong with the input, beside the answers there are."""
        from knaster.calculus.render import answers_json, problem_json

        self.console.complain(str(error))
        if self.options.format == "json":
            data: dict[str, object] = {"file": error.file, "exit_code": int(ExitCode.REFUSED)}
            if self.session is not None:
                system = self.session.system
                data = answers_json(self.options.file, system, self.answers, ExitCode.REFUSED, str(error))
            data["problems"] = [problem_json(problem) for problem in error.problems]
            self.console.write(json.dumps(data, indent=2) + "\n")
        return ExitCode.REFUSED
