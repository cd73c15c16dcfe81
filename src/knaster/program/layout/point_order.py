"""An order of the control points of a thread in which loops go back: reverse postorder, calls inlined.

In whatever order, a thread that moves for ever goes to an earlier point, or stays at one, again and again.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.graphs import postorder
from knaster.program.layout.lanes import ENDED, UNBEGUN, UNUSED, Lane, Point
from knaster.program.model import Call, Program


def point_order(program: Program, lane: Lane) -> Mapping[Point, int]:
    """Return the number of each point, smaller than those of its successors except along the back edges of loops."""
    procedures = {procedure.name: procedure for procedure in program.procedures}

    def successors(point: Point) -> list[Point]:
        if point in (UNUSED, ENDED):
            return []
        here = procedures[point.procedure]
        if point.location == UNBEGUN:
            return [point._replace(location=here.entry)]
        if point.location == here.exit and point.calls:
            name, number = point.calls[-1]
            return [Point(point.calls[:-1], name, procedures[name].edges[number].target)]
        found = []
        for number, edge in enumerate(here.edges):
            if edge.source == point.location:
                after = point._replace(location=edge.target)
                if isinstance(edge.action, Call):
                    callee = procedures[edge.action.procedure]
                    after = Point((*point.calls, (here.name, number)), callee.name, callee.entry)
                found.append(after)
        return [after for after in found if after in lane.codes]

    order = postorder(lane.points, successors)
    return {point: place for place, point in enumerate(reversed(order))}
