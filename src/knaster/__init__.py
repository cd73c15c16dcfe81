"""Knaster: recursive programs, decided by fixed points of procedure summaries.

    >>> import knaster
    >>> result = knaster.check("examples/figure1.bp", targets="R")
    >>> result.verdict
    <Verdict.FALSE: 'FALSE'>

`check` answers, `parse` reads a program, `draw` pictures it.  Names are imported when they are first used, so that
`import knaster` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knaster.pipeline import Result as Result
    from knaster.pipeline import check as check
    from knaster.pipeline import load as parse
    from knaster.program.model import Program as Program
    from knaster.projection import project as project
    from knaster.results.render.notebook import draw as draw
    from knaster.results.verdict import Verdict as Verdict

__version__ = "0.1.0"
__all__ = ["Program", "Result", "Verdict", "check", "draw", "parse", "project"]

_HOMES = {
    "Program": ("knaster.program.model", "Program"),
    "Result": ("knaster.pipeline", "Result"),
    "Verdict": ("knaster.results.verdict", "Verdict"),
    "check": ("knaster.pipeline", "check"),
    "draw": ("knaster.results.render.notebook", "draw"),
    "parse": ("knaster.pipeline", "load"),
    "project": ("knaster.projection", "project"),
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'knaster' has no attribute '{name}'")
    module, attribute = _HOMES[name]
    value = globals()[name] = getattr(import_module(module), attribute)
    return value
