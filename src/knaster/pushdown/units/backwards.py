"""Which nodes of a unit lie on runs to targets: relations followed backwards, given what happens after each return.

Lal (2009), chapter 5, unit by unit.  Three relations on valuations, all of them weights of a domain of relations:

    U(P)   from the entry of P a target is reached before P returns       (entry → anything)
    X(P)   P returns to some caller that reaches a target afterwards      (at the return → at the entry)
    B(n)   from n a target is reached, in P or after P has returned       (at n → at the entry of P)

A node is in the projection iff some valuation e at the entry, with which P is entered, leads to the node by R(n) and
back by B(n): the diagonal of E · R(n) · B(n) is not empty.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Generic, Protocol, TypeVar

from knaster.pushdown.flow import FlowCall, Node
from knaster.pushdown.saturation.least import LeastSolution
from knaster.pushdown.units.component import LIMIT, Component

W = TypeVar("W")


class RelationalDomain(Protocol[W]):
    """What is asked of the domain of relations."""

    def everything(self) -> W:
        """Return the relation that holds between any two valuations."""
        ...

    def transpose(self, weight: W, /) -> W:
        """Return the relation with its sides exchanged."""
        ...

    def diagonal(self, weight: W, /) -> W:
        """Return the part of the relation that is in the identity."""
        ...


class Backwards(Generic[W]):
    """The relations of one unit; `own_kept` returns (call → return) pairs in which the caller's locals are the same."""

    def __init__(
        self,
        component: Component[W],
        relations: RelationalDomain[W],
        targets: Collection[Node],
        inside: Mapping[str, W],
        own_kept: Callable[[W], W],
    ) -> None:
        self._component, self._relations, self._own_kept = component, relations, own_kept
        self._targets = targets
        self.inside: dict[str, W] = {**dict.fromkeys(component.flows, component.domain.zero), **inside}
        self._into: dict[Node, list[tuple[Node, W]]] = {}
        for node, edges in component.edges.items():
            for target, weight in edges:
                self._into.setdefault(target, []).append((node, weight))
        for node, calls in component.calls.items():
            for call in calls:
                self._into.setdefault(call.return_site, []).append((node, component.jump(call)))

    def summarize(self) -> None:
        """Compute U of every procedure of the unit."""
        component = self._component
        while True:
            solution = self._solve({})
            reaching = {
                name: component.domain.extend(solution.at(flow.entry), self._relations.everything())
                for name, flow in component.flows.items()
            }
            if all(self.inside[name] == weight for name, weight in reaching.items()):
                return
            self.inside |= reaching

    def nodes(
        self, forward: LeastSolution[Node, W], entered: Mapping[str, W], after: Mapping[str, W]
    ) -> tuple[list[Node], dict[str, W]]:
        """Return the nodes of the projection, and X of every procedure that is called from the unit.

        `forward` has R, `entered` the identity on the valuations with which each procedure is entered, `after` the X
        that callers outside give to the procedures of the unit.
        """
        component, domain = self._component, self._component.domain
        known = {name: after.get(name, domain.zero) for name in component.flows}
        while True:
            solution = self._solve(known)
            passed = self._returns(forward, entered, solution)
            grown = {name: domain.combine(x, passed.get(name, domain.zero)) for name, x in known.items()}
            if grown == known:
                break
            known = grown
        owner = {node: name for name, flow in component.flows.items() for node in flow.nodes()}
        found = []
        for v, node in enumerate(forward.name):
            there = domain.extend(entered.get(owner[node], domain.zero), forward.value[v])
            if self._relations.diagonal(domain.extend(there, solution.at(node))) != domain.zero:
                found.append(node)
        return found, {name: x for name, x in passed.items() if name not in component.flows}

    def _solve(self, after: Mapping[str, W]) -> LeastSolution[Node, W]:
        """Return B, where X of the unit's procedures is `after`."""
        component, domain = self._component, self._component.domain
        solution: LeastSolution[Node, W] = LeastSolution(domain, limit=LIMIT)
        for node in self._targets:
            solution.add(node, self._relations.everything())
        for node, leaves in component.exits.items():
            for name, leave in leaves:
                solution.add(node, domain.extend(leave.weight, after.get(name, domain.zero)))
        for node, calls in component.calls.items():
            for call in calls:
                solution.add(node, domain.extend(call.weight, self.inside[call.callee]))
        for v in solution.changes():
            for source, weight in self._into.get(solution.name[v], ()):
                solution.add(source, domain.extend(weight, solution.value[v]))
        return solution

    def _returns(
        self, forward: LeastSolution[Node, W], entered: Mapping[str, W], back: LeastSolution[Node, W]
    ) -> dict[str, W]:
        """Return X of every callee, as the calls of this unit have it."""
        domain, found = self._component.domain, dict[str, W]()
        for name, flow in self._component.flows.items():
            if name in entered:
                for call in flow.calls:
                    share = self._return(entered[name], forward.at(call.source), call, back.at(call.return_site))
                    found[call.callee] = domain.combine(found.get(call.callee, domain.zero), share)
        return {name: x for name, x in found.items() if x != domain.zero}

    def _return(self, entered: W, forward: W, call: FlowCall[W], back: W) -> W:
        """Return the pairs (at the return, at the entry of the callee) of one call after which a target is reached."""
        domain, transpose = self._component.domain, self._relations.transpose
        around = transpose(domain.extend(back, domain.extend(entered, forward)))  # before the call → after it
        return domain.extend(transpose(self._own_kept(around)), call.weight)
