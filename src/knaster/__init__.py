"""Knaster: recursive programs, decided by fixed points of procedure summaries.

    >>> import knaster
    >>> result = knaster.check("examples/figure1.bp", targets="R")
    >>> result.verdict
    <Verdict.FALSE: 'FALSE'>

`check` answers, `parse` reads a program, `draw` pictures it.  Names are imported when they are first used, so that
`import knaster` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.lazy import names_of

if TYPE_CHECKING:
    from knaster.pipeline import Result as Result
    from knaster.pipeline import check as check
    from knaster.pipeline import load as parse
    from knaster.program.model import Program as Program
    from knaster.projection import project as project
    from knaster.results.render.notebook import draw as draw
    from knaster.results.verdict import Verdict as Verdict

__version__ = "0.1.0"

_HOMES = {
    "Program": "knaster.program.model",
    "Result": "knaster.pipeline",
    "Verdict": "knaster.results.verdict",
    "check": "knaster.pipeline",
    "draw": "knaster.results.render.notebook",
    "parse": "knaster.pipeline:load",
    "project": "knaster.projection",
}
__all__ = ["Program", "Result", "Verdict", "check", "draw", "parse", "project"]

__getattr__, __dir__ = names_of(__name__, _HOMES)
