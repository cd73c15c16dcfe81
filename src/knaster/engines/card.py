"""The card of an engine: what `--help`, flags, the choice of a method and docs/papers.md know about it.

An engine is a folder `engines/FLOOR/NAME`; its `__init__` has the card and is the guide to its files.  Cards are read
by every command, so nothing heavy is imported here or there: what an engine runs is named, and imported when it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster.base.lazy import load_named
from knaster.base.named_tuples import NamedTuple
from knaster.base.options import Options, option
from knaster.engines.requirements import NO_CONDITIONS, NO_SCHEDULES, Requirement, first_failure

if TYPE_CHECKING:
    from knaster.engines.contract import Findings, Task
    from knaster.evidence.questions.question import Question
    from knaster.program.model import Program
    from knaster.transform.reduction import Reduction


class Card(NamedTuple):
    """An engine: a function from a task to findings, what it requires, and its options."""

    name: str
    about: str  # for `--help`
    requires: tuple[Requirement, ...]  # looked at in this order
    run: str | Callable[[Task], Findings]  # "module:function", imported when it runs
    options: type[Options] = Options
    paper: str = ""  # whose method it is; `paper.md` beside the card says which part of it is in which file
    missing: tuple[str, ...] = ()  # what of the paper is not implemented
    reduce: str | Callable[[Program, Question], Reduction | None] | None = None  # to a program that `run` works on
    conditions: bool = False  # it decides targets that hold only where a condition on the state does
    decides: bool = True  # else it only proves, and says nothing where it cannot
    schedules: bool = False  # of threads: it counts delays and preemptions, too
    grows: bool = False  # of threads: finds the least number by itself; else it is asked for one bound after the other

    def why_not(self, program: Program, question: Question) -> str | None:
        """Return the sentence of the first requirement that fails; None where the engine can be used."""
        requires = self.requires if self.conditions else (*self.requires, NO_CONDITIONS)
        requires = requires if self.schedules else (NO_SCHEDULES, *requires)
        return first_failure(requires, program, question)

    def find(self, task: Task) -> Findings:
        """Run the engine."""
        findings: Findings = _function(self.run)(task)
        return findings

    def reduction(self, program: Program, question: Question) -> Reduction | None:
        """Return what the engine is run on in the place of a program; None where that is the program itself."""
        if self.reduce is None:
            return None
        reduction: Reduction | None = _function(self.reduce)(program, question)
        return reduction


def _function(named: str | Callable[..., Any]) -> Callable[..., Any]:
    if not isinstance(named, str):
        return named
    function: Callable[..., Any] = load_named(named)
    return function


class SymbolicOptions(Options):
    """The choices of every engine that works on the relations of a program as BDDs."""

    order: str = option("auto", "the order of the BDD variables", ("auto", "declaration"))
    layout: str = option(
        "slots", "'slots': procedures share BDD variables; 'distinct': each has its own, slower", ("slots", "distinct")
    )

    def encoding(self) -> dict[str, Any]:
        """Return the keyword arguments of `encode` that these choices stand for."""
        return {"order": self.order, "layout": self.layout}
