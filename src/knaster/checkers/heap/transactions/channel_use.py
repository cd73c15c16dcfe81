"""Channel use: who sends to a channel, receives from it or looks at it, and whether only one thread does.

To send to a channel to which nobody else sends, and at which nobody else looks, commutes to the left: whoever receives
gets an earlier message.  To receive from one from which nobody else receives commutes to the right.  A table says of
which channels that is not so; what is seen of all others must not contradict it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum
from typing import Any

from knaster.base.errors import InternalError
from knaster.checkers.heap.edge_parts import changed_variables, expressions_of
from knaster.checkers.heap.transactions.lock_use import Place
from knaster.program.expression import Member, SizeOf, postorder
from knaster.program.model import Edge, Program
from knaster.program.objects import ChannelCell, Join, Send
from knaster.program.types import Reference


class Act(Enum):
    """What a step does with the channels that it touches."""

    SEND = "send"
    RECEIVE = "receive"
    LOOK = "look"


class ChannelUse:
    """What was done with channels, by which threads."""

    def __init__(self, program: Program, crowded: Collection[str]) -> None:
        assert program.objects is not None
        self.crowded = frozenset(crowded)
        self.kinds = frozenset(cell.name for cell in program.objects.cells if isinstance(cell, ChannelCell))
        edges = [edge for procedure in program.procedures for edge in procedure.edges]
        changing = {name for edge in edges for name in changed_variables(edge)}
        self.fixed = tuple(name for name in program.globals if name not in changing)
        self.acts = _plain_acts(program)
        self.users: dict[tuple[Act, str], set[int]] = {}

    def act_at(self, place: Place, inside: bool) -> Act:
        """Return what the step at a place does; to receive inside a region shows that there is a message."""
        act = self.acts.get(place, Act.LOOK)
        return Act.LOOK if inside and act is Act.RECEIVE else act

    def is_alone(self, cell: Reference, statics: Mapping[str, Any], act: Act, thread: int) -> bool:
        """Note what a thread does with a cell that is a channel or none; tell whether only this thread does it."""
        if cell.target not in self.kinds:
            return False
        values = dict(statics.items())  # unnoted
        channel = next((name for name in self.fixed if values[name] == cell), f"class {cell.target}")
        self.users.setdefault((act, channel), set()).add(thread)
        for each in (Act.SEND, Act.RECEIVE):
            known = self.users.get((each, channel), set()) | self.users.get((Act.LOOK, channel), set())
            if len(known) > 1 and f"{each.value} {channel}" not in self.crowded:
                raise InternalError(
                    f"the table of transactions does not hold: several threads {each.value} with '{channel}'"
                )
        return act is not Act.LOOK and f"{act.value} {channel}" not in self.crowded


def _plain_acts(program: Program) -> dict[Place, Act]:
    """Return where the text sends, or receives in a select without other branches, and does nothing else."""
    found: dict[Place, Act] = {}
    for procedure in program.procedures:
        for edge in procedure.edges:
            nodes = (node for expr in expressions_of(edge) for node in postorder(expr))
            if any(isinstance(node, SizeOf | Member) for node in nodes):
                continue
            if isinstance(edge.action, Send):
                found[procedure.name, edge.source] = Act.SEND
            elif len(procedure.leaving[edge.source]) == 1 and _only_receives(edge):
                found[procedure.name, edge.source] = Act.RECEIVE
    return found


def _only_receives(edge: Edge) -> bool:
    return isinstance(edge.action, Join) and not edge.action.waits and len(edge.action.receives) == 1
