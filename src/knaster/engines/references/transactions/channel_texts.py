"""Channel texts: from a program, where its text plainly sends and receives, and which statics always name one channel.

A plain send does nothing else with channels; a plain receive is the only branch of its select.  Anything else that
touches a channel looks at it: its length, whether it is empty, its elements.
"""

from __future__ import annotations

from enum import Enum

from knaster.base.named_tuples import NamedTuple
from knaster.engines.references.transactions.lock_texts import Point
from knaster.program.expression import Member, SizeOf, postorder
from knaster.program.model import Edge, Procedure
from knaster.program.objects import ChannelCell, Join, Send
from knaster.views.heap.memory_layout import Layout
from knaster.views.heap.mentions import expressions, stored_variables


class Use(Enum):
    """What a step does with a channel."""

    SEND = "send"
    RECEIVE = "receive"
    LOOK = "look"


class ChannelTexts(NamedTuple):
    """Where channels are plainly used, the classes of channels, and the statics that are never stored to."""

    uses: dict[Point, Use]
    classes: frozenset[int]
    constants: tuple[int, ...]


def find_channels(layout: Layout) -> ChannelTexts:
    """Return how the text of a program uses channels."""
    classes = frozenset(each.number for each in layout.classes if isinstance(each.cell, ChannelCell))
    uses: dict[Point, Use] = {}
    stored: set[str] = set()
    for number, frame in enumerate(layout.procedures):
        for edge in frame.procedure.edges:
            stored.update(stored_variables(edge))
            use = _plain_use(frame.procedure, edge) if classes else None
            if use is not None:
                uses[number, edge.source] = use
    constants = [slot for name, slot in layout.statics.items() if name not in stored and layout.static_shape[slot]]
    return ChannelTexts(uses, classes, tuple(constants))


def _plain_use(procedure: Procedure, edge: Edge) -> Use | None:
    if any(isinstance(node, SizeOf | Member) for expr in expressions(edge) for node in postorder(expr)):
        return None
    match edge.action:
        case Send():
            return Use.SEND
        case Join(waits=(), receives=(_,)) if len(procedure.leaving[edge.source]) == 1:
            return Use.RECEIVE
    return None
