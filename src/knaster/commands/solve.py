"""`knaster solve`: evaluate a file of the fixed-point calculus."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from knaster.base.errors import KnasterError, SourceError
from knaster.base.exits import ExitCode
from knaster.base.records import dataclass, field
from knaster.commands.files.each import add_files, run_each
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.interruption import run_limited
from knaster.commands.terminal.source import name_of, read

if TYPE_CHECKING:
    from knaster.base.limits import Budget
    from knaster.calculus import Session
    from knaster.calculus.answers.outcomes import Outcome

EPILOG = f"""\
The language is muCKE's, with its traps mended; docs/calculus.md teaches it in
ten minutes. Every query of the file is answered in order, and so are #size,
#ons, #print and #wit. When a limit is reached, or at Ctrl-C, you keep the
answers that were found until then.

{exit_codes("solve")}

examples:
  knaster solve reach.mu --stats
  knaster solve reach.mu --plot sizes.svg
  knaster solve *.mu -j 4 --timeout 60
  knaster show program.bp --as relations > all.mu
  cat my_algorithm.mu >> all.mu; knaster solve all.mu
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `solve`."""
    parser.epilog = EPILOG
    add_files(parser, "a file of the calculus")
    parser.add_argument("--format", default="text", choices=("text", "json", "html"), help="text is the default")
    parser.add_argument("--stats", action="store_true", help="add rounds, sizes and times")
    parser.add_argument("--plot", metavar="FILE.svg", help="draw the size of each relation in each round")
    parser.add_argument(
        "--strategy",
        default="frontier",
        choices=("frontier", "together", "plain"),
        help="'frontier' (default): what is new, where that is sound; 'together': all of a system at once; "
        "'plain': the paper's Evaluate, word for word",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    """Answer for every file."""
    return run_each(options, console, {"--plot": options.plot, "--format html": options.format == "html"})


def run_one(options: argparse.Namespace, console: Console) -> int:
    """Print the answers; where time or memory runs out, or at Ctrl-C, those that there are."""
    if options.plot is not None:
        from knaster.base.outputs import refuse_inputs

        refuse_inputs("--plot", options.plot, [options.file])
    work = _Work(options, console, name_of(options.file))
    try:
        return run_limited(work.answer, work.finish, work.stop, options, console, work.name)
    except SourceError as error:
        return work.refuse(error)


@dataclass(slots=True)
class _Work:
    """One file and its answers so far; as text, each is written as soon as it is known."""

    options: argparse.Namespace
    console: Console
    name: str
    started: float = field(default_factory=time.monotonic)
    session: Session | None = None
    answers: list[Outcome] = field(default_factory=list)

    def answer(self, budget: Budget) -> str:
        """Answer everything; return why some of it could not be answered."""
        from knaster.calculus import Session, parse
        from knaster.calculus.answers.outcomes import Unanswered
        from knaster.calculus.answers.render import warning_text

        options = self.options
        system = parse(read(options.file), file=self.name)
        record = options.stats or options.plot is not None or options.format == "html"
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
        from knaster.calculus.answers.render import answer_text

        self.answers.append(answer)
        self._write(answer_text(answer))

    def _write(self, text: str) -> None:
        if self.options.format == "text" and text:
            self.console.write(text + "\n")

    def stop(self, reason: str) -> ExitCode:
        """Write what is left to say where the session may still be at work."""
        return self.finish(reason, idle=False)

    def finish(self, reason: str, idle: bool = True) -> ExitCode:
        """Write what is left to say; `idle` tells whether the session may be asked about its work."""
        from knaster.calculus.answers.outcomes import Undefined
        from knaster.calculus.answers.render import list_unanswered, statistics_text

        session, code = self.session, ExitCode.UNDECIDED if reason else ExitCode.DONE
        if session is None:
            if self.options.format == "json":
                from knaster.commands.terminal.flags import in_force
                from knaster.report.document import nothing

                self.console.write(nothing("solve", in_force(self.options), self.name, code, reason) + "\n")
            self.console.complain(f"{self.name}: UNKNOWN. {reason[0].upper()}{reason[1:]}.")
            return code
        for answer in list_unanswered(session.system, len(self.answers), reason) if reason else ():
            self._add(answer)
        if not reason and any(isinstance(answer, Undefined) for answer in self.answers):
            code = ExitCode.REFUSED
        if self.options.stats and idle:
            self._write(statistics_text(session, time.monotonic() - self.started))
        if reason:
            self._write(f"*** {reason}")
        if self.options.format == "json":
            self._document(session, code, reason, None, idle)
        if self.options.format == "html":
            self._page(session, reason)
        self._plot(session)
        return code

    def refuse(self, error: SourceError) -> ExitCode:
        """Say what is wrong with the input, beside the answers there are."""
        from knaster.commands.terminal.failure import report

        if self.session is None or self.options.format != "json":
            return report(error, self.options, self.console)
        self.console.complain(str(error))
        self._document(self.session, ExitCode.REFUSED, str(error), error, idle=False)
        return ExitCode.REFUSED

    def _document(self, session: Session, code: ExitCode, reason: str, error: SourceError | None, idle: bool) -> None:
        from knaster.calculus.answers.outcomes import Undefined
        from knaster.calculus.answers.render import answers_json, statistics_json
        from knaster.commands.terminal.flags import in_force
        from knaster.report.document import document
        from knaster.report.envelope import problems_to_json

        body = answers_json(self.name, session.system, self.answers, code, reason)
        if self.options.stats and idle:
            body |= statistics_json(session, time.monotonic() - self.started)
        errors = problems_to_json(error.problems) if error is not None else []
        body |= {"problems": errors} if errors else {}
        unstable = [answer.reason for answer in self.answers if isinstance(answer, Undefined)]
        reason = reason or next(iter(unstable), "") or "every query is answered"
        verdict = "UNKNOWN" if code != ExitCode.DONE else "TRUE" if all(body["queries"]) else "FALSE"
        del body["file"]
        body.pop("reason", None)
        self.console.write(
            document("solve", in_force(self.options), self.name, code, verdict, reason, body, errors) + "\n"
        )

    def _page(self, session: Session, reason: str) -> None:
        from html import escape

        from knaster.calculus.answers.picture import solution_to_html
        from knaster.calculus.answers.solution import Solution
        from knaster.report.stepper.page import whole

        said = f"<p>{escape(reason)}</p>" if reason else ""
        header = f"<header><h1>{escape(self.name)}</h1>{said}</header>"
        shown = solution_to_html(Solution(session, tuple(self.answers)))
        self.console.write(
            whole(
                self.name,
                f'{header}<main><div class="scroll around" tabindex="0" role="region" '
                f'aria-label="answers">{shown}</div></main>',
            )
        )

    def _plot(self, session: Session) -> None:
        from knaster.base.outputs import write_file
        from knaster.calculus.answers.plot import plot

        file = self.options.plot
        if file is None:
            return
        try:
            write_file(file, plot(session.sizes, f"{Path(self.name).name}: size of each relation"))
        except KnasterError as error:
            self.console.complain(f"knaster: {error}")
