"""What a worker finds out for an editor about one text: what is wrong with it, or what `check` says, line by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster.base.exits import ExitCode
from knaster.base.limits import Limits, OutOfBudget
from knaster.base.named_tuples import NamedTuple
from knaster.jobs.job import fail, give_up
from knaster.jobs.work import Outcome, Work
from knaster.report.formats import Style

if TYPE_CHECKING:
    from knaster.evidence.answers.answer import Result
    from knaster.evidence.answers.ledger import Ledger

CALCULUS = ".mu"
READ, CHECK, PAGE = "read", "check", "page"
_STYLE = Style()


class EditorWork(NamedTuple):
    """A text as it stands in an editor, and what is wanted of it: READ, CHECK or PAGE."""

    file: str
    text: str
    wanted: str
    limits: Limits = Limits()

    def attempt(self) -> EditorAttempt:
        """Begin."""
        from knaster.evidence.answers.ledger import Ledger

        return EditorAttempt(self, Ledger())

    def give_up(self, reason: str) -> Outcome:
        """Return what is said where nothing is known."""
        return give_up(self.file, reason, "json", _STYLE)

    def fail(self, error: Exception) -> Outcome:
        """Return what is said where an error ended it."""
        return fail(self.file, error, "json", _STYLE)

    def carry(self) -> Work:
        """Return itself: it has its text."""
        return self


class EditorAttempt(NamedTuple):
    """Work for an editor that is being done, and what is established."""

    work: EditorWork
    ledger: Ledger

    def do(self, progress: Callable[[str], None] | None) -> Outcome:
        """Return the answer as JSON; where only the reading is wanted, of a text that is well formed, nothing."""
        work = self.work
        try:
            if work.wanted == READ or work.file.endswith(CALCULUS):
                _read(work)
                return Outcome(work.file, ExitCode.DONE, "")
            return _write(work, self._check())
        except OutOfBudget as spent:
            return work.give_up(str(spent))
        except Exception as error:
            return work.fail(error)

    def stop(self, reason: str) -> Outcome:
        """Return what is established."""
        result = self.ledger.result(reason)
        return self.work.give_up(reason) if result is None else _write(self.work, result)

    def _check(self) -> Result:
        from knaster.decide.asked import Asked, Evidence, How, Source
        from knaster.decide.check import check

        source = Source(self.work.text, self.work.file, "default", {})
        return check(
            source,
            Asked.of(None, None),
            How(None, {}),
            self.work.limits,
            Evidence(short_proofs=True),
            None,
            self.ledger,
        )


def _read(work: EditorWork) -> None:
    if work.file.endswith(CALCULUS):
        from knaster.calculus import parse

        parse(work.text, file=work.file)
        return
    from knaster.frontends.languages import load

    load(work.text, file=work.file)


def _write(work: EditorWork, result: Result) -> Outcome:
    from knaster.report.stepper.facts import facts_by_line

    if work.wanted == PAGE:
        from knaster.report.stepper.page import stepped_page

        return Outcome(work.file, ExitCode.DONE, stepped_page(result))
    from knaster.report.json import write_json

    document: dict[str, Any] = json.loads(write_json(result, _STYLE))
    document["facts"] = {str(line): said for line, said in facts_by_line(result).items()}
    return Outcome(work.file, ExitCode.DONE, json.dumps(document))
