"""The check of all paths of a program with memory: the kernel goes through them itself, with inputs as terms.

The file says which values are possible at each decision, for people and for Knaster's own checker; the kernel believes
none of it.  It runs the program on some inputs and keeps the conditions under which a run goes that way (`symbols`);
then it asks a solver for inputs that no run has covered, until it says that there are none.  Every step of every run is
taken on numbers: none stands at a target or comes to an undefined step that is asked for, and all of them end.  Inputs
that a solver finds are run, so its word counts only where it finds none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from knaster_check.c.nodes import Node, all_of, negate
from knaster_check.c.solvers import Solvers
from knaster_check.memory.inputs import MOST
from knaster_check.memory.machine import Machine
from knaster_check.memory.open_reals import RealInputs
from knaster_check.memory.runs import Runs, no_judgement_where_it_stumbles
from knaster_check.memory.symbols import Nodes
from knaster_check.program import Program, Target
from knaster_check.refused import Unsupported, expect
from knaster_check.table import Verdict
from knaster_check.work import STEP, Tick

STEPS = 1_000_000  # of all runs
PATHS = 1_000
CONDITIONS = 60_000  # that solvers are handed

Conditions = tuple[Node, ...]


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run reaches a target, or without targets that every run ends."""
    expect(program.kind == "memory" and len(program.threads) == 1, "the program has no memory, or threads")
    paths = Paths(program, targets, tick)
    with no_judgement_where_it_stumbles():
        paths.walk()
    answered = {"paths": paths.count, "steps": paths.steps, **paths.answered}
    return Verdict("unreachable" if targets else "ends", targets, None, answered)


@dataclass(slots=True)
class Region:
    """Inputs that satisfy all conditions of `inside`; of these, what each of `covered` holds for is looked after."""

    inside: Conditions
    covered: list[Conditions] = field(default_factory=list)


class Paths(Runs):
    """All paths of a program, one after the other."""

    def __init__(self, program: Program, targets: tuple[Target, ...], tick: Tick) -> None:
        super().__init__(program, targets, tick)
        self.nodes = Nodes()
        self.kinds = {kind for asked in self.asked for kind in asked.kinds}
        self._solvers: Solvers | None = None
        self._handed = 0

    @property
    def answered(self) -> Mapping[str, int]:
        """The questions that solvers have answered."""
        return self._solvers.answered if self._solvers is not None else {}

    def walk(self) -> None:
        """Go through all paths."""
        todo = [Region((), [self._trail({})])]
        while todo:
            region = todo[-1]
            bits = self._uncovered(region)
            if bits is None:
                todo.pop()
                continue
            trail = self._trail(bits)
            here = len(region.inside)
            rest = trail[here:]
            shared = max(_shared(rest, other) for other in region.covered)
            passed = any(rest[: len(other)] == other for other in region.covered)
            if trail[:here] != region.inside or passed or shared == len(rest):
                raise Unsupported("the inputs that a solver found go another way")
            region.covered.append(rest[: shared + 1])
            todo.append(Region(trail[: here + shared + 1], [rest[shared + 1 :]]))

    def _trail(self, bits: Mapping[str, int]) -> Conditions:
        """Run the program; return the conditions under which it runs so."""
        self.count += 1
        if self.count > PATHS:  # mutant(>): one path more or less
            raise Unsupported(f"there are more than {PATHS:,} paths")
        inputs = RealInputs(self.nodes, bits, self.kinds)
        self.run(inputs)
        return tuple(inputs.trail)

    def _uncovered(self, region: Region) -> Mapping[str, int] | None:
        """Return inputs of a region that nothing covers; None where there are none."""
        if () in region.covered:
            return None
        if len(region.covered) > MOST:  # mutant(>): one value more or less
            raise Unsupported(f"an input has more than {MOST:,} values that make a difference")
        length = len(region.inside) + sum(map(len, region.covered))  # mutant: how much work it is said to be
        self._handed += length
        if self._handed > CONDITIONS:  # mutant(>): one condition more or less
            raise Unsupported(f"paths have more than {CONDITIONS:,} conditions")
        self.tick(STEP * length)  # mutant: how much work it is said to be
        if self._solvers is None:
            self._solvers = Solvers(self.tick)
        others = [negate(all_of(conditions)) for conditions in region.covered]
        return self._solvers.find(all_of([*self.nodes.facts, *region.inside, *others]))

    def look(self, machine: Machine) -> None:
        """Refuse where a run stands at a target; say nothing where runs are long."""
        super().look(machine)
        if self.steps > STEPS:  # mutant(>): one step more or less
            raise Unsupported(f"runs have more than {STEPS:,} steps")


def _shared(one: Sequence[Node], other: Sequence[Node]) -> int:
    """Return how many conditions two sequences begin with alike."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left is not right:
            break
        count += 1
    return count
