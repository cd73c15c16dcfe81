"""One unit of a control-flow graph: the summaries of procedures that call each other, then the weights at their nodes.

Lal (PhD thesis, University of Wisconsin, 2009), sections 2.1.3 and 4.2.3: the weight of a procedure, from its entry to
its return, depends on those that it calls and on nothing else; the weight at a node depends on the weights with which
its procedure is entered.  Merge functions must have path extension, so a call that returns is one weight, g(1, b).

Notation: b the summary of a callee; a jump is a call that returns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from knaster.base.graphs import postorder
from knaster.pushdown.flow import FlowCall, FlowExit, FlowProcedure, Node
from knaster.pushdown.saturation.least import LeastSolution
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.tick import Tick

W = TypeVar("W")
LIMIT = 1 << 62  # changes of one weight: a program's domains have no infinite chains, only long ones


class Component(Generic[W]):
    """Procedures that call each other, and the summaries of all that they call besides, or of themselves, too."""

    def __init__(
        self,
        domain: Semiring[W],
        flows: Mapping[str, FlowProcedure[W]],
        summaries: Mapping[str, W],
        tick: Tick | None = None,
    ) -> None:
        self.domain, self.flows, self._tick = domain, flows, tick
        self.summaries: dict[str, W] = {**dict.fromkeys(flows, domain.zero), **summaries}
        self.edges: dict[Node, list[tuple[Node, W]]] = {}
        self.calls: dict[Node, list[FlowCall[W]]] = {}
        self.exits: dict[Node, list[tuple[str, FlowExit[W]]]] = {}
        self._sites: dict[str, list[FlowCall[W]]] = {name: [] for name in self.summaries}
        self._jumps: dict[int, tuple[W, W]] = {}
        for name, flow in flows.items():
            for edge in flow.edges:
                self.edges.setdefault(edge.source, []).append((edge.target, edge.weight))
            for call in flow.calls:
                self.calls.setdefault(call.source, []).append(call)
                self._sites[call.callee].append(call)
            for leave in flow.exits:
                self.exits.setdefault(leave.node, []).append((name, leave))
        order = postorder([flow.entry for flow in flows.values()], self.successors)
        self._rank = {node: -number for number, node in enumerate(order)}

    def successors(self, node: Node) -> list[Node]:
        """Return the nodes that control may come to from a node, in the same procedure."""
        after = [target for target, _ in self.edges.get(node, ())]
        return after + [call.return_site for call in self.calls.get(node, ())]

    def jump(self, call: FlowCall[W]) -> W:
        """Return the weight of a call with all that the callee is known to do; 0 where it does not return."""
        summary = self.summaries[call.callee]
        if summary == self.domain.zero:
            return summary
        kept = self._jumps.get(id(call))
        if kept is None or kept[0] is not summary:
            one, extend = self.domain.one, self.domain.extend
            made = call.merge(one, summary) if call.merge is not None else extend(call.weight, summary)
            kept = self._jumps[id(call)] = (summary, made)
        return kept[1]

    def summarize(self) -> LeastSolution[Node, W]:
        """Compute the summaries of the procedures; return the weight from the entry of its procedure to each node."""
        solution = self._solution()
        for flow in self.flows.values():
            solution.add(flow.entry, self.domain.one)
        self._flow(solution, self._leave)
        return solution

    def enter(self, entered: Mapping[str, W]) -> tuple[LeastSolution[Node, W], dict[str, W]]:
        """Return the weights at nodes where procedures are entered with these, and with which ones others are.

        Requires: the summaries are computed.
        """
        passed: dict[str, W] = {}
        solution = self._solution()
        for name, weight in entered.items():
            solution.add(self.flows[name].entry, weight)

        def call(solution: LeastSolution[Node, W], node: Node, weight: W) -> None:
            for site in self.calls.get(node, ()):
                into = self.domain.extend(weight, site.weight)
                if site.callee in self.flows:
                    solution.add(self.flows[site.callee].entry, into)
                elif into != self.domain.zero:
                    before = passed.get(site.callee, self.domain.zero)
                    passed[site.callee] = self.domain.combine(before, into)

        self._flow(solution, call)
        return solution, passed

    def _solution(self) -> LeastSolution[Node, W]:
        rank = self._rank
        return LeastSolution(self.domain, priority=lambda node: rank[node], limit=LIMIT, tick=self._tick)

    def _flow(self, solution: LeastSolution[Node, W], then: Callable[[LeastSolution[Node, W], Node, W], None]) -> None:
        extend = self.domain.extend
        for v in solution.changes():
            node, weight = solution.name[v], solution.value[v]
            for target, step in self.edges.get(node, ()):
                solution.add(target, extend(weight, step))
            for call in self.calls.get(node, ()):
                solution.add(call.return_site, extend(weight, self.jump(call)))
            then(solution, node, weight)

    def _leave(self, solution: LeastSolution[Node, W], node: Node, weight: W) -> None:
        """Take what leaves a procedure into its summary, and a summary that grew to the calls that were reached."""
        for name, leave in self.exits.get(node, ()):
            known = self.summaries[name]
            summary = self.domain.combine(known, self.domain.extend(weight, leave.weight))
            if summary != known:
                self.summaries[name] = summary
                for site in self._sites[name]:
                    before = solution.at(site.source)
                    solution.add(site.return_site, self.domain.extend(before, self.jump(site)))
