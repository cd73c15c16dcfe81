"""Facts of a program that is edited again and again: the same as of a fresh run, but only what changed is solved.

Lal (2009), section 4.2.3.  Equations and constants are kept in sessions; intervals look at conditions of all callers
and are not kept, so the domains stand side by side here and do not advise each other.
"""

from __future__ import annotations

from knaster.base.limits import Budget, Limits
from knaster.decide.facts import facts_of
from knaster.evidence.answers.facts import Facts
from knaster.program.model import Program
from knaster.views.weighted.program_facts import AffineFacts, ConstantFacts

KEPT = ("affine", "constants")


class FactsSession:
    """What is known of a program as it is now."""

    def __init__(self, program: Program, domains: tuple[str, ...] = KEPT) -> None:
        self.domains = domains
        self.known = self._solve(program)
        self.program = program

    def _solve(self, program: Program) -> list[AffineFacts | ConstantFacts]:
        made: list[AffineFacts | ConstantFacts] = []
        for name in self.domains:
            made.append((AffineFacts if name == "affine" else ConstantFacts)(program, editable=True))
        return made

    def edit(self, program: Program) -> str:
        """Take the edited program; return in a sentence what was solved again."""
        for one in self.known:
            why = one.edit(program)
            if why:
                self.known, self.program = self._solve(program), program
                return f"solved from scratch: {why}"
        self.program = program
        sessions = [one.session for one in self.known if one.session is not None]
        return str(sessions[0].explain()) if sessions else ""

    def facts(self, limits: Limits = Limits()) -> Facts:  # noqa: B008  # frozen
        """Return what holds before each line, and what each procedure does."""
        return facts_of(self.program, self.domains, self.known, (), Budget.of(limits))
