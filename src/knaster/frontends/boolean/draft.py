"""A procedure between reading and checking: its graph, and the names that can only be resolved later."""

from __future__ import annotations

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, field
from knaster.frontends.boolean.graph import Graph
from knaster.program.expression import TRUE, Expr
from knaster.program.model import Location


class CallSite(NamedTuple):
    """A call or a thread start: its edge, the token of the callee, the number of its arguments and results.

    `results` is None where the statement does not say: a call without `:=`.
    """

    edge: int
    at: int
    arguments: int
    results: int | None


@dataclass(slots=True)
class Draft:
    """A procedure as it was read.  `results` is None where the text does not declare their number."""

    name: str
    at: int
    results: int | None
    parameters: tuple[str, ...] = ()
    locals: tuple[str, ...] = ()
    enforce: Expr = TRUE
    graph: Graph = field(default_factory=Graph)
    labels: list[tuple[str, Location]] = field(default_factory=list)
    jumps: list[tuple[int, int]] = field(default_factory=list)  # an edge and the token of its label
    starts: list[tuple[int, int]] = field(default_factory=list)  # the same for `start_thread goto`
    returns: list[tuple[int, int]] = field(default_factory=list)  # a number of values and the token
    calls: list[CallSite] = field(default_factory=list)
