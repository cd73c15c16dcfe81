"""What passes from unit to unit of a Boolean program, as texts: summaries, states at entries, pairs after returns.

They are written over names that mean the same in each unit: globals by name, parameters and results by position.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.bdd.store import exists
from knaster.bdd.texts import function_to_text, text_to_function
from knaster.engines.boolean.pushdown.rules import Encoding
from knaster.program.expression import TRUE
from knaster.pushdown.domains.relations import BddRelation


class UnitTexts:
    """The texts of relations of one encoding."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding

    def before(self, name: str) -> list[int]:
        """Return the variables of the values with which a procedure is entered."""
        domain = self._encoding.domain
        return [domain.before[each] for each in (*self._encoding.globals, *self._parameters(name))]

    def _parameters(self, name: str) -> list[str]:
        """Return what a callee is entered with: its parameters, and its locals where `enforce` reads them."""
        own, named = self._encoding.program.procedure(name), self._encoding.variables(name)
        return [named[each] for each in (*own.parameters, *(own.locals if own.enforce != TRUE else ()))]

    def _results(self, name: str) -> list[str]:
        return self._encoding.results[: len(self._encoding.program.procedure(name).results)]

    def _summary_variables(self, name: str) -> list[int]:
        after = [self._encoding.domain.after[each] for each in (*self._encoding.globals, *self._results(name))]
        return [*self.before(name), *after]

    def _state_variables(self, name: str) -> list[int]:
        domain = self._encoding.domain
        return [domain.after[each] for each in (*self._encoding.globals, *self._parameters(name))]

    def _after_variables(self, name: str) -> list[int]:
        domain = self._encoding.domain
        before = [domain.before[each] for each in (*self._encoding.globals, *self._results(name))]
        return [*before, *self._state_variables(name)]

    def _to_text(self, weight: BddRelation, variables: Sequence[int]) -> str:
        store, domain = self._encoding.domain.store, self._encoding.domain
        others = {*domain.before.values(), *domain.after.values()}.difference(variables)
        return function_to_text(store, exists(weight.function, store.cube(others)), variables)

    def summary_to_text(self, name: str, weight: BddRelation) -> str:
        """Return the text of a summary."""
        return self._to_text(weight, self._summary_variables(name))

    def set_to_text(self, name: str, weight: BddRelation) -> str:
        """Return the text of states at the entry of a procedure, as values before."""
        return self._to_text(weight, self.before(name))

    def states_to_text(self, name: str, weight: BddRelation) -> str:
        """Return the text of states with which a procedure is entered."""
        return self._to_text(weight, self._state_variables(name))

    def after_to_text(self, name: str, weight: BddRelation | None) -> str:
        """Return the text of pairs (at a return, at the entry); none where there is nothing."""
        return "F" if weight is None else self._to_text(weight, self._after_variables(name))

    def text_to_summary(self, name: str, text: str) -> BddRelation:
        """Return the summary of a text."""
        return self._relation(text, self._summary_variables(name))

    def text_to_after(self, name: str, text: str) -> BddRelation:
        """Return the pairs of a text."""
        return self._relation(text, self._after_variables(name))

    def union(self, name: str, texts: Sequence[str]) -> BddRelation:
        """Return the states of several texts together."""
        domain, total = self._encoding.domain, self._encoding.domain.zero
        for text in texts:
            total = domain.combine(total, self._relation(text, self._state_variables(name)))
        return total

    def _relation(self, text: str, variables: Sequence[int]) -> BddRelation:
        domain = self._encoding.domain
        return domain.relation(text_to_function(domain.store, text, variables))
