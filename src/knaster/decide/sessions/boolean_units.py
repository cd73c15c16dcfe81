"""Units of a Boolean program solved by relations of valuations: which targets are reached, which places matter for one.

The relations are those of the engine `pushdown` (Lal 2009, section 3.5.1).  What passes from unit to unit is written
over names that mean the same in each: globals by name, parameters and results by position.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

from knaster.base.errors import UsageError
from knaster.base.limits import Budget
from knaster.bdd.store import exists
from knaster.bdd.texts import function_to_text, text_to_function
from knaster.engines.boolean.pushdown.rules import Encoding
from knaster.engines.contract import FIRST_NODES
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import resolve_targets
from knaster.program.expression import TRUE
from knaster.program.kind import Kind
from knaster.program.model import Procedure, Program
from knaster.pushdown.domains.relations import BddRelation
from knaster.pushdown.flow import FlowCall, FlowEdge, FlowExit, FlowProcedure, Node
from knaster.pushdown.saturation.least import LeastSolution
from knaster.pushdown.units.backwards import Backwards
from knaster.pushdown.units.component import Component
from knaster.pushdown.units.table import Inside, digest_of
from knaster.views.symbolic.encoding import encode


class Library(Protocol):
    """A program as procedures with digests."""

    file: str
    names: Sequence[str]

    @property
    def signatures(self) -> dict[str, str]:
        """What callers depend on."""

    def callees(self, name: str, /) -> Sequence[str]:
        """Return the procedures that a procedure calls, perhaps some more."""

    def line(self, name: str, /) -> int:
        """Return the line from which lines of a procedure are counted."""

    def digest(self, name: str, /) -> str:
        """Return what tells the procedure from others, its neighbours aside."""

    def program(self, names: Collection[str], besides: str, /) -> Program:
        """Return a program that has these procedures, and one more perhaps only by its signature."""


class BooleanUnits:
    """A Boolean program and targets; with `projects` the places on runs to them are told, too."""

    def __init__(
        self,
        library: Library,
        entry: str,
        targets: Sequence[str] | None,
        projects: bool,
        budget: Budget,
        nodes: int = FIRST_NODES,
    ) -> None:
        self._nodes = nodes
        self._library, self._entry, self._targets, self._projects = library, entry, targets, projects
        self._budget = budget
        self.names = (entry, *(name for name in library.names if name != entry))
        self._loaded: frozenset[str] = frozenset()
        self._loads = 0
        self._places = any(name.rpartition(":")[2].isdigit() for name in targets or ())

    def callees(self, name: str) -> Sequence[str]:
        """Return the procedures that a procedure calls, perhaps some more."""
        return self._library.callees(name)

    def digest(self, name: str) -> str:
        """Return what tells the procedure from others: its text and what is asked."""
        line = self._library.line(name) if self._places else 0
        return digest_of([self._library.digest(name), self._targets, self._projects, line])

    def start(self) -> str:
        """Return the states in which the program starts."""
        self._load(() if self._loaded else (self._entry,))
        return json.dumps([self._states_to_text(self._entry, self._encoding.initial), "F"])

    def summarize(self, members: Sequence[str], outside: Mapping[str, str]) -> Mapping[str, str]:
        """Return what each procedure does, and from which states it reaches a target before it returns."""
        component = self._component(members, outside)
        component.summarize()
        inside = {}
        if self._projects:
            backwards = self._backwards(component, outside)
            backwards.summarize()
            inside = {name: self._set_to_text(name, backwards.inside[name]) for name in members}
        done = {name: self._summary_to_text(name, component.summaries[name]) for name in members}
        return {name: json.dumps([done[name], inside.get(name, "F")]) for name in members}

    def enter(
        self, members: Sequence[str], summaries: Mapping[str, str], entered: Mapping[str, Sequence[str]]
    ) -> Inside:
        """Return which targets are reached, and with projections the places that matter."""
        component = self._component(members, summaries)
        domain = self._encoding.domain
        states = {name: self._union(name, [json.loads(text)[0] for text in entered[name]]) for name in entered}
        solution, passed = component.enter(states)
        results: dict[str, Any] = {}
        for name in members:
            targets = self._found.get(name, [])
            reached = [solution.at((name, target.location)) != domain.zero for target in targets]
            results[name] = {
                "targets": [[*row, hit] for row, hit in zip(map(self._row, targets), reached, strict=True)]
            }
        after: dict[str, BddRelation] = {}
        if self._projects:
            back, after = self._project(component, summaries, entered, solution)
            for name in members:
                results[name]["places"] = sorted({node[1] for node in back if node[0] == name and len(node) == 2})
        texts = {
            name: json.dumps([self._states_to_text(name, weight), self._after_to_text(name, after.get(name))])
            for name, weight in passed.items()
        }
        return Inside(results, texts)

    def _project(
        self,
        component: Component[BddRelation],
        summaries: Mapping[str, str],
        entered: Mapping[str, Sequence[str]],
        solution: LeastSolution[Node, BddRelation],
    ) -> tuple[list[Any], dict[str, BddRelation]]:
        domain = self._encoding.domain
        after = {}
        for name, texts in entered.items():
            total = domain.zero
            for text in texts:
                total = domain.combine(total, self._text_to_after(name, json.loads(text)[1]))
            after[name] = total
        held = {
            name: domain.diagonal(domain.transpose(solution.at(flow.entry))) for name, flow in component.flows.items()
        }
        forward = component.summarize()
        return self._backwards(component, summaries).nodes(forward, held, after)

    def _backwards(self, component: Component[BddRelation], summaries: Mapping[str, str]) -> Backwards[BddRelation]:
        encoding, domain = self._encoding, self._encoding.domain
        own = domain.store.cube(domain.after[name] for name in encoding.own)
        same = domain.identity(encoding.own)

        def own_kept(weight: BddRelation) -> BddRelation:
            return domain.relation(exists(weight.function & same, own))

        inside = {
            name: domain.relation(text_to_function(domain.store, json.loads(text)[1], self._before(name)))
            for name, text in summaries.items()
        }
        targets = [(name, target.location) for name in component.flows for target in self._found.get(name, [])]
        return Backwards(component, domain, targets, inside, own_kept)

    def _component(self, members: Sequence[str], summaries: Mapping[str, str]) -> Component[BddRelation]:
        self._load(members)
        flows = {name: self._flow(self._encoding.program.procedure(name)) for name in members}
        known = {name: self._text_to_summary(name, json.loads(text)[0]) for name, text in summaries.items()}
        return Component(self._encoding.domain, flows, known, self._budget.check)

    def _flow(self, procedure: Procedure) -> FlowProcedure[BddRelation]:
        edges: list[FlowEdge[BddRelation]] = []
        calls: list[FlowCall[BddRelation]] = []
        exits: list[FlowExit[BddRelation]] = []
        for rule in self._encoding.rules_of(procedure):
            match rule.push:
                case ():
                    exits.append(FlowExit(rule.symbol, rule.weight))
                case (target,):
                    edges.append(FlowEdge(rule.symbol, target, rule.weight))
                case ((callee, _), back):
                    calls.append(FlowCall(rule.symbol, str(callee), back, rule.weight, rule.merge))
        entry = (procedure.name, procedure.entry)
        return FlowProcedure(procedure.name, entry, tuple(exits), tuple(edges), tuple(calls))

    def _load(self, names: Collection[str]) -> None:
        """Read procedures that are not read yet, and make the relations of all that are."""
        if self._loaded and self._loaded.issuperset(names):
            return
        self._loads += 1
        self._loaded = frozenset(self._around(names, (1 << self._loads) - 2))
        program = self._library.program(self._loaded, self._entry)
        refuse_others(program)
        self._encoding = Encoding(encode(program, nodes=self._nodes), self._budget)
        self._found = self._resolve()

    def _around(self, names: Collection[str], most: int) -> list[str]:
        """Return procedures, and the next ones that call them or that they call, which may have to be solved soon."""
        todo, seen = list(names), set(names)
        for name in todo:
            for each in (*self._callers[name], *self.callees(name)):
                if each not in seen and len(todo) < len(names) + most:
                    seen.add(each)
                    todo.append(each)
        return todo

    @cached_property
    def _callers(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {name: [] for name in self.names}
        for name in self.names:
            for callee in self.callees(name):
                found[callee].append(name)
        return found

    def _resolve(self) -> dict[str, list[Target]]:
        """Return the targets in the procedures that were read."""
        found: dict[str, list[Target]] = {}
        try:
            for target in resolve_targets(self._encoding.program, self._targets):
                found.setdefault(target.procedure, []).append(target)
        except UsageError:  # none of these procedures has it
            pass
        return found

    def _row(self, target: Target) -> list[Any]:
        return [target.name, target.location, target.line - self._library.line(target.procedure)]

    def _before(self, name: str) -> list[int]:
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
        return [*self._before(name), *after]

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

    def _summary_to_text(self, name: str, weight: BddRelation) -> str:
        return self._to_text(weight, self._summary_variables(name))

    def _set_to_text(self, name: str, weight: BddRelation) -> str:
        return self._to_text(weight, self._before(name))

    def _states_to_text(self, name: str, weight: BddRelation) -> str:
        return self._to_text(weight, self._state_variables(name))

    def _after_to_text(self, name: str, weight: BddRelation | None) -> str:
        return "F" if weight is None else self._to_text(weight, self._after_variables(name))

    def _text_to_summary(self, name: str, text: str) -> BddRelation:
        return self._relation(text, self._summary_variables(name))

    def _text_to_after(self, name: str, text: str) -> BddRelation:
        return self._relation(text, self._after_variables(name))

    def _union(self, name: str, texts: Sequence[str]) -> BddRelation:
        domain, total = self._encoding.domain, self._encoding.domain.zero
        for text in texts:
            total = domain.combine(total, self._relation(text, self._state_variables(name)))
        return total

    def _relation(self, text: str, variables: Sequence[int]) -> BddRelation:
        domain = self._encoding.domain
        return domain.relation(text_to_function(domain.store, text, variables))


def refuse_others(program: Program) -> None:
    """Refuse programs that sessions are not for."""
    if program.kind is not Kind.BOOLEAN or program.is_threaded:
        raise UsageError(f"{program.file}: sessions are for Boolean programs without threads")
