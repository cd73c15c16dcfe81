"""The procedures of a control-flow graph: nodes, weighted edges, calls and exits, and a builder for them.

`icfg.py` tells what a graph of such procedures means.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.merge import Merge, projecting_merge
from knaster.pushdown.semiring import Semiring

W = TypeVar("W")

Node = Hashable


@dataclass(frozen=True, slots=True)
class FlowEdge(Generic[W]):
    """source → target with the weight of the statement at the source."""

    source: Node
    target: Node
    weight: W


@dataclass(frozen=True, slots=True)
class FlowCall(Generic[W]):
    """A call at `source` that goes on at `return_site`; `weight` is the step into the callee."""

    source: Node
    callee: str
    return_site: Node
    weight: W
    merge: Merge[W] | None = None


@dataclass(frozen=True, slots=True)
class FlowExit(Generic[W]):
    """A node at which the procedure returns, with the weight of the step back."""

    node: Node
    weight: W


@dataclass(frozen=True, slots=True)
class FlowProcedure(Generic[W]):
    """A procedure: one entry, any number of exits."""

    name: str
    entry: Node
    exits: tuple[FlowExit[W], ...]
    edges: tuple[FlowEdge[W], ...]
    calls: tuple[FlowCall[W], ...]

    def nodes(self) -> Iterator[Node]:
        """Yield every node once, the entry first, the others in the order of edges, calls and exits."""
        found: dict[Node, None] = {self.entry: None}
        for edge in self.edges:
            found |= {edge.source: None, edge.target: None}
        for call in self.calls:
            found |= {call.source: None, call.return_site: None}
        return iter(found | {leave.node: None for leave in self.exits})


class ProcedureBuilder(Generic[W]):
    """Collects the edges, calls and exits of one procedure."""

    def __init__(self, domain: Semiring[W], name: str, entry: Node) -> None:
        self._domain = domain
        self.name = name
        self.entry = entry
        self._exits: list[FlowExit[W]] = []
        self._edges: list[FlowEdge[W]] = []
        self._calls: list[FlowCall[W]] = []

    def edge(self, source: Node, target: Node, weight: W | None = None) -> None:
        """Add source → target, of weight 1 unless given."""
        self._edges.append(FlowEdge(source, target, self._default(weight)))

    def call(
        self,
        source: Node,
        callee: str,
        return_site: Node,
        weight: W | None = None,
        *,
        project: Callable[[W], W] | None = None,
        merge: Merge[W] | None = None,
    ) -> None:
        """Add a call.  Local variables need `project`, for the merge a · project(weight · b), or their own `merge`."""
        step = self._default(weight)
        if project is not None:
            if merge is not None:
                raise UsageError(f"the call at {source!r} has both a projection and a merge function")
            merge = projecting_merge(self._domain, step, project)
        self._calls.append(FlowCall(source, callee, return_site, step, merge))

    def exit(self, node: Node, weight: W | None = None) -> None:
        """Let the procedure return at `node`, with weight 1 unless given."""
        self._exits.append(FlowExit(node, self._default(weight)))

    def build(self) -> FlowProcedure[W]:
        """Return the procedure."""
        return FlowProcedure(self.name, self.entry, tuple(self._exits), tuple(self._edges), tuple(self._calls))

    def _default(self, weight: W | None) -> W:
        return self._domain.one if weight is None else weight


def graph_problems(procedures: Sequence[FlowProcedure[W]], main: str) -> Iterator[str]:
    """Yield everything that keeps the procedures from being a graph that starts in `main`."""
    names: dict[str, FlowProcedure[W]] = {}
    owner: dict[Node, str] = {}
    for procedure in procedures:
        if procedure.name in names:
            yield f"two procedures are called {procedure.name!r}"
        names[procedure.name] = procedure
        for node in procedure.nodes():
            if owner.setdefault(node, procedure.name) != procedure.name:
                yield f"node {node!r} is in {owner[node]!r} and in {procedure.name!r}"
    if main not in names:
        yield f"there is no procedure {main!r} to start in"
    for procedure in procedures:
        for call in procedure.calls:
            if call.callee not in names:
                yield f"the call at {call.source!r} is to {call.callee!r}, which does not exist"
