"""An error projection: the statements that some execution from the start to a target stands before.

Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin, 2009),
chapter 5; with witness and values it is *annotated* (section 5.3).
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.records import dataclass, replace
from knaster.evidence.questions.question import Bound, Target
from knaster.evidence.renderers import render
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Edge, Place, Program


@dataclass(frozen=True, slots=True)
class Values:
    """The values with which executions to a target pass a place, as partial valuations that exclude each other."""

    valuations: tuple[Mapping[str, bool], ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Node:
    """A statement in the projection; witness and values where they were asked for."""

    place: Place
    line: int
    witness: Trace | None = None
    values: Values | None = None

    @property
    def procedure(self) -> str:
        """The procedure that the statement is in."""
        return self.place[0]


@dataclass(frozen=True, slots=True)
class SwitchPoint:
    """A statement before which some execution to a target switches to another thread; whether each one must."""

    place: Place
    line: int
    must: bool


@dataclass(frozen=True, slots=True)
class Cause:
    """An edge that executions to a target take and executions that end well never do; whether each failing one does."""

    edge: Edge
    procedure: str
    always: bool


@dataclass(frozen=True, slots=True, eq=False)
class Causes:
    """What tells failing executions from those that end well.

    `together` is a smallest set of edges of one failing execution that no execution which ends well takes all of; None
    where one that ends well takes all of them, or where that is not known.
    """

    edges: tuple[Cause, ...]
    together: tuple[Cause, ...] | None
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """The statements on executions to a target; none where it is unreachable.

    With a `bound` only executions within it count.  Of the statements in `undecided` it is not known.
    """

    program: Program
    targets: tuple[Target, ...]
    nodes: tuple[Node, ...]
    note: str = ""  # why some statements have no witness although one was asked for, or are undecided
    bound: Bound | None = None
    undecided: tuple[Place, ...] = ()
    switches: tuple[SwitchPoint, ...] = ()
    causes: Causes | None = None
    slice: tuple[int, ...] | None = None  # the lines of it that the targets depend on, where somebody asks

    def with_witnesses(self, witnesses: Mapping[Place, Trace], note: str) -> Projection:
        """Return the projection with the witnesses that were found, and why there are no others."""
        nodes = tuple(replace(node, witness=witnesses.get(node.place)) for node in self.nodes)
        return replace(self, nodes=nodes, note=note)

    def __repr__(self) -> str:
        lines, outside = len(self.lines), len(self.outside)
        goal = self.name if len(self.targets) == 1 else f"{len(self.targets)} targets"
        return f"<Projection {self.program.file}: {lines} of {lines + outside} lines can matter for {goal}>"

    def to_text(self) -> str:
        """Return the projection as `knaster project` prints it."""
        return str(render("text of a projection", self))

    def to_json(self) -> str:
        """Return the projection as `knaster project --format json` prints it."""
        return str(render("JSON of a projection", self))

    def _repr_html_(self) -> str:
        return str(render("page of a projection", self))

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines of the statements, in order."""
        return tuple(sorted({node.line for node in self.nodes}))

    @property
    def outside(self) -> tuple[int, ...]:
        """The lines of all other statements, in order."""
        edges = (edge for procedure in self.program.procedures for edge in procedure.edges)
        return tuple(sorted({edge.span.line for edge in edges} - set(self.lines) - set(self.open_lines)))

    @property
    def open_lines(self) -> tuple[int, ...]:
        """The lines of statements of which it is not known, and of no others that matter, in order."""
        edges = ((own.name, edge) for own in self.program.procedures for edge in own.edges)
        undecided = set(self.undecided)
        lines = {edge.span.line for name, edge in edges if (name, edge.source) in undecided}
        return tuple(sorted(lines - set(self.lines)))

    @property
    def name(self) -> str:
        """What it is a projection for."""
        return ", ".join(target.name for target in self.targets)
