"""Interprocedural control-flow graphs: weights on edges, calls and returns; a weight at every node, by call context.

Lal (PhD thesis, University of Wisconsin, 2009), sections 2.1.3 (join over all valid paths) and 2.3.1 (encoding as a
pushdown system), with the merge functions of section 3.1 for local variables.  The encoding has one control state p:

    edge n → m                 <p, n> -> <p, m>
    call at n, return to r     <p, n> -> <p, e r>     e the entry of the callee
    exit x                     <p, x> -> <p, ε>

A *context* is the stack below a node: the return sites of the unfinished calls, the latest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.automaton import Automaton, Middle
from knaster.pushdown.flow import FlowProcedure, Node, ProcedureBuilder, graph_problems
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.least import LeastSolution
from knaster.pushdown.saturation.query import weight_at, weight_in
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.solve import Engine, post_star
from knaster.pushdown.system import Configuration, PushdownSystem, Rule

W = TypeVar("W")

Context = tuple[Node, ...]

CONTROL = "p"
FINAL = "final"


class GraphBuilder(Generic[W]):
    """Collects procedures: `main = builder.procedure("main", "e", "x")`, then `builder.build("main")`."""

    def __init__(self, domain: Semiring[W]) -> None:
        self.domain = domain
        self._procedures: list[ProcedureBuilder[W]] = []

    def procedure(self, name: str, entry: Node, *exits: Node) -> ProcedureBuilder[W]:
        """Start a procedure; the exits return with weight 1."""
        builder = ProcedureBuilder(self.domain, name, entry)
        for node in exits:
            builder.exit(node)
        self._procedures.append(builder)
        return builder

    def build(self, main: str) -> FlowGraph[W]:
        """Return the graph that starts in `main`; raise `UsageError` with everything that is wrong with it."""
        return FlowGraph.of(self.domain, (procedure.build() for procedure in self._procedures), main)


@dataclass(frozen=True)
class FlowGraph(Generic[W]):
    """An interprocedural control-flow graph; make one with `FlowGraph.of` or a `GraphBuilder`."""

    domain: Semiring[W]
    procedures: dict[str, FlowProcedure[W]]
    main: FlowProcedure[W]

    @classmethod
    def of(cls, domain: Semiring[W], procedures: Iterable[FlowProcedure[W]], main: str) -> FlowGraph[W]:
        """Return the graph of some procedures; raise `UsageError` with everything that is wrong with it."""
        listed = list(procedures)
        problems = list(graph_problems(listed, main))
        if problems:
            raise UsageError("this is no control-flow graph: " + "; ".join(problems))
        named = {procedure.name: procedure for procedure in listed}
        return cls(domain, named, named[main])

    @cached_property
    def procedure_of(self) -> dict[Node, FlowProcedure[W]]:
        """The procedure of every node, in the order of procedures and nodes."""
        return {node: procedure for procedure in self.procedures.values() for node in procedure.nodes()}

    @cached_property
    def callers(self) -> dict[str, tuple[Node, ...]]:
        """For every procedure the return sites of its calls."""
        found: dict[str, dict[Node, None]] = {name: {} for name in self.procedures}
        for procedure in self.procedures.values():
            for call in procedure.calls:
                found[call.callee][call.return_site] = None
        return {name: tuple(sites) for name, sites in found.items()}

    @cached_property
    def system(self) -> PushdownSystem[W]:
        """The extended weighted pushdown system of the graph."""
        rules = [rule for procedure in self.procedures.values() for rule in self.rules_of(procedure)]
        return PushdownSystem.of(self.domain, rules)

    def rules_of(self, procedure: FlowProcedure[W]) -> list[Rule[W]]:
        """Return the rules of one procedure."""
        rules = [Rule(CONTROL, e.source, CONTROL, (e.target,), e.weight) for e in procedure.edges]
        for call in procedure.calls:
            push = (self.procedures[call.callee].entry, call.return_site)
            rules.append(Rule(CONTROL, call.source, CONTROL, push, call.weight, call.merge))
        return rules + [Rule(CONTROL, leave.node, CONTROL, (), leave.weight) for leave in procedure.exits]

    def jovp(self, start: W | None = None, *, engine: Engine = "plain") -> FlowSolution[W]:
        """Return the join over all valid paths from the entry of main to every node, `start` (else 1) before them.

        The engine "fast" computes the weight of a node when it is asked for.
        """
        first = self.domain.one if start is None else start
        automaton = Automaton.of([(CONTROL, self.main.entry, FINAL, first)], [FINAL], [CONTROL])
        return FlowSolution(self, post_star(self.system, automaton, engine=engine))

    def jop(self, start: W | None = None) -> dict[Node, W]:
        """Return the join over *all* paths, returns to the wrong caller included: what ignoring contexts costs.

        Raises `UsageError` for calls with merge functions, which a path without matching returns cannot apply.
        """
        domain = self.domain
        arrows: dict[Node, list[tuple[Node, W]]] = {node: [] for node in self.procedure_of}
        for procedure in self.procedures.values():
            for edge in procedure.edges:
                arrows[edge.source].append((edge.target, edge.weight))
            for call in procedure.calls:
                if call.merge is not None:
                    raise UsageError(
                        f"the call at {call.source!r} has a merge function: only valid paths have a weight"
                    )
                callee = self.procedures[call.callee]
                arrows[call.source].append((callee.entry, call.weight))
                for leave in callee.exits:
                    arrows[leave.node].append((call.return_site, leave.weight))
        solution: LeastSolution[Node, W] = LeastSolution(domain)
        solution.add(self.main.entry, domain.one if start is None else start)
        for v in solution.changes():
            for target, weight in arrows[solution.name[v]]:
                solution.add(target, domain.extend(solution.value[v], weight))
        return {node: solution.at(node) for node in arrows}


@dataclass(frozen=True)
class FlowSolution(Generic[W]):
    """What is true at every node of a graph, as a weight from the start of main to the node."""

    graph: FlowGraph[W]
    answer: Answer[W]

    def at(self, node: Node, context: Sequence[Node] | None = None) -> W:
        """Return the weight at `node`: in any context, or in those that start with `context`.  0 means unreachable."""
        self._require((node, *(context or ())))
        return weight_at(self.answer, node, *(context or ()))

    def exactly(self, node: Node, context: Sequence[Node]) -> W:
        """Return the weight at `node` with exactly the stack `context` below it."""
        self._require((node, *context))
        return self.answer.weight_of(Configuration(CONTROL, (node, *context)))

    def within(self, stacks: Automaton[W]) -> W:
        """Return the combined weight of a regular set of configurations of the control state `CONTROL`."""
        return weight_in(self.answer, stacks)

    def everywhere(self) -> dict[Node, W]:
        """Return the weight at every node."""
        return {node: self.at(node) for node in self.graph.procedure_of}

    def by_context(self, node: Node, depth: int = 1) -> dict[Context, W]:
        """Return the weight at `node` for each context of `depth` return sites, and for each complete shorter one.

        Contexts in which the node is not reached are left out.
        """
        zero, found = self.graph.domain.zero, {}
        layer: list[Context] = [()]
        for length in range(depth + 1):
            for context in layer:
                weight = self.at(node, context) if length == depth else self.exactly(node, context)
                if weight != zero:
                    found[context] = weight
            layer = [(*c, r) for c in layer for r in self.graph.callers[self._procedure(*c[-1:] or (node,)).name]]
        return found

    def summary(self, procedure: str) -> W:
        """Return the effect of a called procedure, from entry to return; 0 if it is not called or never returns."""
        if procedure not in self.graph.procedures:
            raise UsageError(f"there is no procedure {procedure!r}")
        entry = self.graph.procedures[procedure].entry
        t = self._returning.get(Middle(CONTROL, entry))
        if (
            t is None or self.at(entry) == self.graph.domain.zero
        ):  # a session may still know what it did when it was called
            return self.graph.domain.zero
        return self.answer.weight[t]

    @cached_property
    def _returning(self) -> dict[object, int]:
        """The transition on the empty word that leads to each state."""
        answer, control = self.answer, self.answer.control(CONTROL)
        returns = answer.leaving.get((control, answer.empty), ()) if control is not None else ()
        return {answer.state_name(answer.target[t]): t for t in reversed(returns)}

    def _procedure(self, node: Node) -> FlowProcedure[W]:
        self._require((node,))
        return self.graph.procedure_of[node]

    def _require(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node not in self.graph.procedure_of:
                raise UsageError(f"there is no node {node!r}")
