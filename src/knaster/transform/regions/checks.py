"""What the reduced program asks before a step: when the step is undefined, and what becomes of the run then.

A run that comes to an undefined step ends there; where a target asks for the step, it ends at the target.  After an
overflow or a pointer that leaves its object it goes on, too.  `UNCLEAR` is a place of its own: there the reduced
program does not know what the program does, so a proof has to exclude it.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import LAPSES, is_asked, site_kinds
from knaster.program.algebra import conjunction
from knaster.program.expression import FALSE, Expr
from knaster.semantics.memory.sites import Sites

UNCLEAR = "unclear"


class Check(NamedTuple):
    """A condition under which a step is undefined; `native` where the reduced program cannot take it then anyway."""

    kind: str
    span: Span
    condition: Expr
    native: bool = False


class AskedSteps:
    """Which undefined steps somebody asks for."""

    def __init__(self, sites: Sites, targets: Sequence[Target]) -> None:
        self.sites = sites
        self.targets = [target for target in targets if not target.has_place]
        self.kinds = {kind for target in self.targets for kind in target.kind.split(",")}
        self.listed = site_kinds(self.targets)

    def names_of(self, check: Check) -> list[Target | str]:
        """Return the targets that a check leads to, or that nobody knows."""
        if check.kind == UNCLEAR:
            return [UNCLEAR]
        found: list[Target | str] = [target for target in self.targets if is_asked(target, check.kind, check.span)]
        if not found and check.kind in self.listed and not self.sites.is_listed(check.kind, check.span):
            return [UNCLEAR]
        return found


def goes_on(kind: str) -> bool:
    """Tell whether a run goes on after an undefined step."""
    return kind in LAPSES


class Checks:
    """The checks of one step while it is translated, in the order in which C evaluates."""

    def __init__(self) -> None:
        self.list: list[Check] = []

    def add(self, kind: str, span: Span, condition: Expr, under: Expr, native: bool = False) -> None:
        """Ask whether a condition holds, where the step comes to that."""
        whole = conjunction((under, condition))
        if whole != FALSE:
            self.list.append(Check(kind, span, whole, native))
