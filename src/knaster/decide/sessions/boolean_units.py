"""Units of a Boolean program solved by relations of valuations: which targets are reached, which places matter for one.

The relations are those of the engine `pushdown` (Lal 2009, section 3.5.1).  What passes from unit to unit is a text
(`unit_texts`), and where no target is reached in a unit, it is checked (`unit_certificates`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

from knaster.base.errors import UsageError
from knaster.base.limits import Budget
from knaster.bdd.store import exists
from knaster.bdd.texts import text_to_function
from knaster.decide.sessions.unit_certificates import UnitCertificate
from knaster.decide.sessions.unit_texts import UnitTexts
from knaster.engines.boolean.pushdown.rules import Encoding
from knaster.engines.contract import FIRST_NODES
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import resolve_targets
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
        self._places = names_places(targets)

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
        return json.dumps([self._texts.states_to_text(self._entry, self._encoding.initial), "F"])

    def summarize(self, members: Sequence[str], outside: Mapping[str, str]) -> Mapping[str, str]:
        """Return what each procedure does, and from which states it reaches a target before it returns."""
        component = self._component(members, outside)
        component.summarize()
        inside = {}
        if self._projects:
            backwards = self._backwards(component, outside)
            backwards.summarize()
            inside = {name: self._texts.set_to_text(name, backwards.inside[name]) for name in members}
        done = {name: self._texts.summary_to_text(name, component.summaries[name]) for name in members}
        return {name: json.dumps([done[name], inside.get(name, "F")]) for name in members}

    def enter(
        self, members: Sequence[str], summaries: Mapping[str, str], entered: Mapping[str, Sequence[str]]
    ) -> Inside:
        """Return which targets are reached, and with projections the places that matter."""
        component = self._component(members, summaries)
        domain = self._encoding.domain
        states = {name: self._texts.union(name, [json.loads(text)[0] for text in entered[name]]) for name in entered}
        solution, passed = component.enter(states)
        results: dict[str, Any] = {}
        for name in members:
            targets = self._found.get(name, {})
            reached = [solution.at((name, target.location)) != domain.zero for target in targets]
            results[name] = {
                "targets": [[*row, hit] for row, hit in zip(map(self._row, targets), reached, strict=True)],
                "names": sorted({asked for names in targets.values() for asked in names}),
                "checked": False,
            }
        after: dict[str, BddRelation] = {}
        if self._projects:
            back, after = self._project(component, summaries, entered, solution)
            for name in members:
                results[name]["places"] = sorted({node[1] for node in back if node[0] == name and len(node) == 2})
        texts = {
            name: json.dumps(
                [self._texts.states_to_text(name, weight), self._texts.after_to_text(name, after.get(name))]
            )
            for name, weight in passed.items()
        }
        hit = any(row[-1] for result in results.values() for row in result["targets"])
        if not self._projects and not hit and self._check(component, summaries, states, solution, texts):
            for name in members:
                results[name]["checked"] = True
        return Inside(results, texts)

    def _check(
        self,
        component: Component[BddRelation],
        summaries: Mapping[str, str],
        entered: Mapping[str, BddRelation],
        solution: LeastSolution[Node, BddRelation],
        passed: Mapping[str, str],
    ) -> bool:
        """Let the checker look at a unit and at the texts that pass from it to others; tell whether it could."""
        texts, program, domain = self._texts, self._encoding.program, self._encoding.domain
        certificate = UnitCertificate(self._encoding, list(component.flows), summaries, self._entry)
        forward = component.summarize()
        states = {name: texts.union(name, [json.loads(text)[0]]) for name, text in passed.items()}
        for name, weight in states.items():
            certificate.put_entry(name, weight)
        states |= {name: solution.at(flow.entry) for name, flow in component.flows.items()}
        held = {name: domain.diagonal(domain.transpose(weight)) for name, weight in states.items()}
        for name in component.flows:
            for location in range(program.procedure(name).size):
                certificate.put(name, location, domain.extend(held[name], forward.at((name, location))))
        for name, text in summaries.items():
            summary = texts.text_to_summary(name, json.loads(text)[0])
            begun = domain.extend(held.get(name, domain.zero), summary)
            certificate.put(name, program.procedure(name).exit, begun)
        targets = [target for name in component.flows for target in self._found.get(name, {})]
        return certificate.check(targets, entered, self._budget)

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
                total = domain.combine(total, self._texts.text_to_after(name, json.loads(text)[1]))
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
            name: domain.relation(text_to_function(domain.store, json.loads(text)[1], self._texts.before(name)))
            for name, text in summaries.items()
        }
        targets = [(name, target.location) for name in component.flows for target in self._found.get(name, {})]
        return Backwards(component, domain, targets, inside, own_kept)

    def _component(self, members: Sequence[str], summaries: Mapping[str, str]) -> Component[BddRelation]:
        self._load(members)
        flows = {name: self._flow(self._encoding.program.procedure(name)) for name in members}
        known = {name: self._texts.text_to_summary(name, json.loads(text)[0]) for name, text in summaries.items()}
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
        self._loaded = frozenset(self._around(names, (4 << self._loads) - 2))
        program = self._library.program(self._loaded, self._entry)
        refuse_others(program)
        self._encoding = Encoding(encode(program, nodes=self._nodes), self._budget)
        self._texts = UnitTexts(self._encoding)
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

    def _resolve(self) -> dict[str, dict[Target, list[str]]]:
        """Return the targets in each procedure that was read, with the names that ask for them.

        Each name by itself: one that none of these procedures has must not hide the others.
        """
        found: dict[str, dict[Target, list[str]]] = {}
        for name in [None] if self._targets is None else self._targets:
            try:
                targets = resolve_targets(self._encoding.program, None if name is None else [name])
            except UsageError:  # none of these procedures has it
                continue
            for target in targets:
                found.setdefault(target.procedure, {}).setdefault(target, []).append(name or "")
        return found

    def _row(self, target: Target) -> list[Any]:
        return [target.name, target.location, target.line - self._library.line(target.procedure)]


def names_places(targets: Sequence[str] | None) -> bool:
    """Tell whether a target is asked for by its line."""
    return any(name.rpartition(":")[2].isdigit() for name in targets or ())


def refuse_others(program: Program) -> None:
    """Refuse programs that sessions are not for."""
    if program.kind is not Kind.BOOLEAN or program.is_threaded:
        raise UsageError(f"{program.file}: sessions are for Boolean programs without threads")
