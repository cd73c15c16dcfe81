"""Knaster: recursive programs, decided by fixed points of procedure summaries.

    >>> import knaster
    >>> result = knaster.check("examples/figure1.bp", "R")
    >>> result.verdict
    <Verdict.FALSE: 'FALSE'>

`check` answers, `parse` reads a program, `draw` pictures it.  Names are imported when they are first used, so that
`import knaster` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.base.lazy import names_of
from knaster.version import VERSION

if TYPE_CHECKING:
    from knaster.api import check as check
    from knaster.api import parse as parse
    from knaster.base.limits import Limits as Limits
    from knaster.decide.asked import Evidence as Evidence
    from knaster.decide.crash import crash as crash
    from knaster.decide.facts import facts as facts
    from knaster.decide.project import project as project
    from knaster.engines.table import ENGINES as ENGINES
    from knaster.evidence.answers.answer import Diverges as Diverges
    from knaster.evidence.answers.answer import Reachable as Reachable
    from knaster.evidence.answers.answer import Result as Result
    from knaster.evidence.answers.answer import Terminates as Terminates
    from knaster.evidence.answers.answer import Unknown as Unknown
    from knaster.evidence.answers.answer import Unreachable as Unreachable
    from knaster.evidence.answers.answer import Verdict as Verdict
    from knaster.evidence.questions.question import Bound as Bound
    from knaster.evidence.questions.question import Reach as Reach
    from knaster.evidence.questions.question import Termination as Termination
    from knaster.program.model import Program as Program
    from knaster.report.notebook import draw as draw


__version__ = VERSION

_HOMES = {
    "Bound": "knaster.evidence.questions.question",
    "Diverges": "knaster.evidence.answers.answer",
    "ENGINES": "knaster.engines.table",
    "Evidence": "knaster.decide.asked",
    "Limits": "knaster.base.limits",
    "Program": "knaster.program.model",
    "Reach": "knaster.evidence.questions.question",
    "Reachable": "knaster.evidence.answers.answer",
    "Result": "knaster.evidence.answers.answer",
    "Terminates": "knaster.evidence.answers.answer",
    "Termination": "knaster.evidence.questions.question",
    "Unknown": "knaster.evidence.answers.answer",
    "Unreachable": "knaster.evidence.answers.answer",
    "Verdict": "knaster.evidence.answers.answer",
    "check": "knaster.api",
    "draw": "knaster.report.notebook",
    "crash": "knaster.decide.crash",
    "facts": "knaster.decide.facts",
    "parse": "knaster.api",
    "project": "knaster.decide.project",
}
__all__ = [
    "ENGINES",
    "Bound",
    "Diverges",
    "Evidence",
    "Limits",
    "Program",
    "Reach",
    "Reachable",
    "Result",
    "Terminates",
    "Termination",
    "Unknown",
    "Unreachable",
    "Verdict",
    "check",
    "crash",
    "draw",
    "facts",
    "parse",
    "project",
]

__getattr__, __dir__ = names_of(__name__, _HOMES)
