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

from knaster.lazy import names_of
from knaster.version import VERSION

if TYPE_CHECKING:
    from knaster.conclude import Evidence as Evidence
    from knaster.engines.table import ENGINES as ENGINES
    from knaster.limits import Limits as Limits
    from knaster.pipeline import check as check
    from knaster.pipeline import load as parse
    from knaster.program.model import Program as Program
    from knaster.projecting import project as project
    from knaster.results.answer import Diverges as Diverges
    from knaster.results.answer import Reachable as Reachable
    from knaster.results.answer import Result as Result
    from knaster.results.answer import Terminates as Terminates
    from knaster.results.answer import Unknown as Unknown
    from knaster.results.answer import Unreachable as Unreachable
    from knaster.results.answer import Verdict as Verdict
    from knaster.results.question import Bound as Bound
    from knaster.results.question import Reach as Reach
    from knaster.results.question import Termination as Termination
    from knaster.results.render.notebook import draw as draw


__version__ = VERSION

_HOMES = {
    "Bound": "knaster.results.question",
    "Diverges": "knaster.results.answer",
    "ENGINES": "knaster.engines.table",
    "Evidence": "knaster.conclude",
    "Limits": "knaster.limits",
    "Program": "knaster.program.model",
    "Reach": "knaster.results.question",
    "Reachable": "knaster.results.answer",
    "Result": "knaster.results.answer",
    "Terminates": "knaster.results.answer",
    "Termination": "knaster.results.question",
    "Unknown": "knaster.results.answer",
    "Unreachable": "knaster.results.answer",
    "Verdict": "knaster.results.answer",
    "check": "knaster.pipeline",
    "draw": "knaster.results.render.notebook",
    "parse": "knaster.pipeline:load",
    "project": "knaster.projecting",
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
    "draw",
    "parse",
    "project",
]

__getattr__, __dir__ = names_of(__name__, _HOMES)
