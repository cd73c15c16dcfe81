"""The reduction of a program to the cone of some of its targets."""

from __future__ import annotations

from collections.abc import Collection

from knaster.base.records import replace
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Place, Program
from knaster.transform.cones.cone import Cone, find_cone
from knaster.transform.cones.guided_run import LostRun, follow_run
from knaster.transform.cones.part import keep_cone
from knaster.transform.reduction import Effect, Reduction


class ConeReduction:
    """A part of a program for some targets, and the branches at which runs of the part got lost in the program."""

    def __init__(self, program: Program, question: Reach, forced: Collection[Place] = ()) -> None:
        self.cone: Cone = find_cone(program, {target.place for target in question.targets}, forced)
        self.forced = frozenset(forced)
        self.part = keep_cone(program, self.cone)
        self.lost: list[Place | None] = []
        targets = {target: target for target in question.targets}

        def back(target: Target, trace: Trace) -> tuple[Target, Trace]:
            try:
                return target, follow_run(program, self.part, trace, target.place)
            except LostRun as lost:
                self.lost.append(lost.branch)
                raise

        self.reduction = Reduction(program, self.part, replace(question), Effect.OVER, back, targets)

    @property
    def weight(self) -> int:
        """How many edges matter."""
        return sum(
            edge.origin is not None and edge.action == edge.origin.action
            for procedure in self.part.procedures
            for edge in procedure.edges
        )
