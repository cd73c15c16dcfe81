"""Symbolic programs: the relations of states that engines on BDDs are given, whoever made them.

`encode` makes one from a Boolean program; an abstraction of a program over other types can stand in its place.  States
are sets over copy NOW, path edges over ENTRY and NOW, relations over NOW and NEXT (`symbolic.layout`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from knaster.bdd.relation import Relation
from knaster.bdd.store import Bdd, Store
from knaster.program.layout.slots import Layout
from knaster.program.model import Edge, Location, Program
from knaster.views.symbolic.frame import Entrance, Frame


class SymbolicProgram(Protocol):
    """A sequential program whose edges are relations."""

    @property
    def program(self) -> Program:
        """The program; its first thread is the one that runs."""

    @property
    def entry(self) -> str:
        """The procedure in which it starts."""

    @property
    def layout(self) -> Layout:
        """Which slot holds which variable."""

    @property
    def store(self) -> Store:
        """Where all functions live."""

    @property
    def frames(self) -> Mapping[str, Frame]:
        """What the sets of states of each procedure speak of."""

    def initial(self) -> Bdd:
        """Return the states (NOW) in which the program starts, as far as they are tracked."""

    def initial_everywhere(self) -> Bdd:
        """Return the states (NOW) in which the program starts, every variable included."""

    def allowed_states(self, frame: Frame) -> Bdd:
        """Return the states (NOW) that the procedure's `enforce` allows."""

    def now_variables(self, procedure: str, location: Location) -> list[int]:
        """Return the BDD variables that a set of states at a location may constrain in copy NOW."""

    def internal(self, frame: Frame, edge: Edge, exact: bool = False) -> Relation:
        """Return the relation of an edge that stays in its procedure; with `exact` over every variable in scope."""

    def entrance(self, frame: Frame, edge: Edge) -> Entrance:
        """Return how control passes from a call into the callee."""

    def argument_relation(self, frame: Frame, edge: Edge) -> Bdd:
        """Return which states (NEXT) of the callee a call enters from which of the caller (NOW), over all variables."""

    def result_relation(self, frame: Frame, edge: Edge) -> Bdd:
        """Return how the targets of a call (NEXT) get the callee's results (ENTRY), over all variables."""

    def echo(self, callee: Frame, entered: Bdd) -> Bdd:
        """Return the path edges at the entry of the callee for valuations that enter it."""

    def summary(self, callee: Frame, exits: Bdd) -> Bdd:
        """Return what a caller may see of path edges at the callee's exit."""

    def lift(self, frame: Frame, edge: Edge, summary: Bdd) -> Relation:
        """Return the summary edges of a call for a set of summaries."""

    def outcomes(self, frame: Frame, edge: Edge, summary: Bdd, after: Mapping[int, bool]) -> Bdd:
        """Return the calls that end in the caller's state `after` (NOW): NOW of the caller, then as in a summary."""

    def outcome_variables(self, frame: Frame, edge: Edge) -> list[int]:
        """Return the variables of a summary that tell how the call ended, as far as this call site looks at them."""
