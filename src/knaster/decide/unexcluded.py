"""Which lapses a proof by invariants does not exclude: the steps at which a run may leave what C defines.

Every lapse becomes a way to a place of its own: from where the step stands, under the condition of the lapse, with its
number in a variable that no program has.  The ways to these places are then asked for as those to targets are when a
proof is checked, all lapses of a way at once: a model names one that is not excluded, and the question is asked again
about the others.  What is not answered within the units is not excluded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.obligations import Claims
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.undefined_steps import Lapse
from knaster.program.expression import Const
from knaster.program.model import Assign, Assume, Edge, Location, Place, Procedure, Program
from knaster.program.types import Int
from knaster.semantics.compiled import loop_heads
from knaster.smt.bits import Bits
from knaster.smt.integers import Integers
from knaster.smt.library import z3
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Formula, Numbers, Unsuitable
from knaster.smt.translate import Translation
from knaster.views.steps.chains import Way, kept_points, make_ways, plain_procedures
from knaster.views.steps.formula import Blocks, cut_points, make_blocks

UNITS = 400_000  # resource units for all questions
EACH = 100_000  # for one
_NUMBER = "\\lapse"
_TYPE = Int(32)


def unexcluded(found: Sequence[Lapse], proof: Invariants, budget: Budget) -> set[Lapse]:
    """Return the lapses that a proof, which has to hold, does not exclude."""
    asked = [lapse for lapse in found if lapse.condition is not None]
    left = set(found)
    for kind in (Integers, Bits):
        session = Session(budget, UNITS)
        try:
            asking = _Asking(kind(session.context), asked, proof, session)
            may = asking.possible()
        except Unsuitable:
            continue
        except OutOfBudget:
            break
        left -= {lapse for number, lapse in enumerate(asked) if number not in may}
        if asking.exact or not left:
            break
        asked = [lapse for lapse in asked if lapse in left]
    return left


class _Asking:
    """The lapses of one program in one arithmetic."""

    def __init__(self, numbers: Numbers, asked: Sequence[Lapse], proof: Invariants, session: Session) -> None:
        self.asked = asked
        self.session = session
        self.numbers = numbers
        self.own: dict[str, list[int]] = {}
        for number, lapse in enumerate(asked):
            self.own.setdefault(lapse.place[0], []).append(number)
        program, self.ends = _watched(proof.program, asked)
        blocks = make_blocks(program, Translation(numbers), cut_points(program, (*self.ends, *proof.at)))
        self.exact = all(block.exact for block in blocks.blocks) and all(call.exact for call in blocks.calls)
        self.claims = Claims(proof, blocks)
        own = _without(blocks, proof.program, self.ends)
        plain = [name for name in plain_procedures(own) if name not in proof.requires]
        kept = _kept(own, proof, plain)
        self.ways = make_ways(blocks, kept, plain, self.ends).failing

    def possible(self) -> set[int]:
        """Return the numbers of the lapses that are not excluded; of those of one line and kind, one is enough."""
        said: set[tuple[int, str]] = set()
        for way in self.ways:
            assert way.failed is not None
            open = [number for number in self.own[way.failed[0]] if self._kind(number) not in said]
            said |= set(map(self._kind, self._asked(way, open)))
        return {number for number in range(len(self.asked)) if self._kind(number) in said}

    def _kind(self, number: int) -> tuple[int, str]:
        return self.asked[number].line, self.asked[number].what

    def _asked(self, way: Way, open: list[int]) -> Iterable[int]:
        """Yield lapses that happen at the end of a way, one of each kind; all where z3 does not answer."""
        solver = self.session.solver()
        solver.add(self.claims.along(way))
        which = way.state[_NUMBER]
        while open:
            solver.push()
            solver.add([z3.Or(*(which.value == self._value(number) for number in open))])
            said = solver.check(units=EACH)
            if said is Answer.UNSATISFIABLE:
                return
            if said is Answer.UNKNOWN:
                yield from open
                return
            number = self.numbers.number(solver.model().eval(which.value, model_completion=True), which)
            yield number
            open = [other for other in open if self._kind(other) != self._kind(number)]
            solver.pop()

    def _value(self, number: int) -> Formula:
        return self.numbers.constant(number, _TYPE).value


def _kept(blocks: Blocks, proof: Invariants, plain: Iterable[str]) -> dict[str, frozenset[Location]]:
    """Return where ways begin: as few places of the proof as possible, for what is known on the way says more."""
    heads = {procedure.name: loop_heads(procedure) for procedure in proof.program.procedures}
    fewest, found = kept_points(blocks, heads, plain), {}
    for name in proof.requires:
        claimed = frozenset(at for owner, at in proof.at if owner == name)
        found[name] = few if (few := fewest.get(name, claimed)) <= claimed else claimed
    return found


def _watched(program: Program, asked: Sequence[Lapse]) -> tuple[Program, tuple[Place, ...]]:
    """Return a program with ways to a place of each procedure where lapses have happened, and those places."""
    more: dict[str, list[Edge]] = {}
    sizes = {procedure.name: procedure.size for procedure in program.procedures}
    for number, lapse in enumerate(asked):
        name, location = lapse.place
        assert lapse.condition is not None
        edges = more.setdefault(name, [])
        middle = sizes[name] + 1 + len(edges)
        edges.append(Edge(location, Assign((_NUMBER,), (Const(number),)), middle))
        edges.append(Edge(middle, Assume(lapse.condition), sizes[name]))
    watched = replace(
        program,
        globals=(*program.globals, _NUMBER),
        types=(*program.types, (_NUMBER, _TYPE)),
        procedures=tuple(_extended(procedure, more.get(procedure.name, [])) for procedure in program.procedures),
    )
    return watched, tuple((name, sizes[name]) for name in more)


def _extended(procedure: Procedure, edges: list[Edge]) -> Procedure:
    return replace(procedure, edges=tuple(sorted((*procedure.edges, *edges), key=lambda edge: edge.source)))


def _without(blocks: Blocks, program: Program, ends: Iterable[Place]) -> Blocks:
    """Return the blocks of the program itself: those procedures are seen through that were so in the check."""
    strange = set(ends)
    own = tuple(block for block in blocks.blocks if (block.procedure, block.target) not in strange)
    return replace(blocks, program=program, blocks=own)
