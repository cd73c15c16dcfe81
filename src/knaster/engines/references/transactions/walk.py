"""Walks inside a transaction: from a node of a root to the next node, to the end of the root, or of the transaction.

Once a transaction has committed, it goes on only by steps that are BOTH or LEFT and surely end: it is cut before an
assume, a select, an atomic region, a call that may recurse, and before a step that fails; and behind a jump backwards.
A select may wait, so it is cut before one, too, unless all steps so far were BOTH: then a thread that waits there might
as well not have begun.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass
from knaster.engines.references.transactions.channel_texts import Use
from knaster.engines.references.transactions.derivation import Decisions, Node, Root
from knaster.engines.references.transactions.discipline import Locks
from knaster.engines.references.transactions.movers import Mover, Movers, Phase, next_phase
from knaster.program.expression import TRUE
from knaster.program.model import Assume, Program
from knaster.semantics.heap.failure import ASSERTION, Fails
from knaster.semantics.heap.handlers import handler
from knaster.views.heap.canonical_states import Frame
from knaster.views.heap.compiler import Code, Compiler, Kind
from knaster.views.heap.memory_layout import Layout, Number
from knaster.views.heap.reductions.watched_memory import WatchedMemory

Before = tuple[Sequence[Number], Sequence[Any], Sequence[Frame]]


@dataclass(slots=True)
class Path:
    """A way from a node: where it stands, what it has done."""

    node: Node
    location: int
    inside: bool
    local: list[Number]
    memory: WatchedMemory
    phase: Phase
    mine: Locks
    steps: int
    decisions: Decisions = ()
    kept: bool = True  # nobody else could run since the node

    @property
    def root(self) -> Root:
        """The root on whose way it is."""
        return self.node.root

    @property
    def is_committed(self) -> bool:
        """Tell whether other threads can run here, and might have seen what the transaction did."""
        return self.phase is Phase.AFTER and not self.inside


@dataclass(frozen=True, slots=True)
class Listeners:
    """Who hears of what a walk meets."""

    meet: Callable[[Path], None]
    fail: Callable[[Path, str], None]
    keep: Callable[[Path], None]
    cut: Callable[[Path], None]
    leave: Callable[[Path, tuple[Number, ...], str | None], None]


LONGEST = 2_000  # steps between two places at which somebody hears of a way; a channel may grow in each


class Walks:
    """The walks of one program."""

    def __init__(self, layout: Layout, movers: Movers, listeners: Listeners) -> None:
        self.layout = layout
        self.compiler = Compiler(layout, tracked=True)
        self.movers = movers
        self.hear = listeners
        self.failures = [frozenset(procedure.failures) for procedure in layout.program.procedures]
        self.assumes = _assumes(layout.program)

    def code(self, procedure: int, location: int) -> Code:
        """Return the code of a location."""
        return self.compiler.codes[procedure][location] or self.compiler.code(procedure, location)

    def path(self, node: Node) -> Path:
        """Return a way that begins at a node."""
        memory = WatchedMemory(self.layout, node.shot)
        return Path(node, node.location, node.inside, list(node.local), memory, node.phase, node.mine, node.steps)

    def go(self, path: Path) -> None:
        """Follow a way up to where somebody hears of it."""
        root = path.root
        procedure = root.key.frame[0]
        for _ in range(LONGEST):
            self.hear.meet(path)
            if path.location in self.failures[procedure]:
                self.hear.fail(path, ASSERTION)
                return
            code = self.code(procedure, path.location)
            if code.kind in (Kind.CALL, Kind.CHOOSE, Kind.SELECT):
                self.hear.keep(path)
                return
            if path.is_committed and (
                code.keeps or code.kind in (Kind.RAISE, Kind.START) or (procedure, path.location) in self.assumes
            ):
                self.hear.cut(path)
                return
            if not self._step(path, code):
                return
        raise OutOfBudget(f"a transaction goes on for more than {LONGEST:,} steps")

    def _step(self, path: Path, code: Code) -> bool:
        """Take one step without alternatives; tell whether the way goes on."""
        procedure, thread = path.root.key.frame[0], path.root.key.thread
        before, local = self.before(path), list(path.local)
        results: tuple[Number, ...] = ()
        next_ = -1
        try:
            match code.kind:
                case Kind.STEP:
                    next_ = code.run(path.memory, path.local, thread)
                case Kind.RETURN:
                    results = code.run(path.memory, path.local, thread)
                case Kind.RAISE:
                    target = handler(self.layout.procedures[procedure].procedure, path.location, code.exception)
                    next_ = -1 if target is None else target
                case Kind.START:
                    arguments = code.run(path.memory, path.local, thread)
                    path.memory.started.append(self.first_frame(code.procedure, arguments, False))
                    next_ = code.next
        except Fails as fails:
            self.fail(path, fails.kind, before, local)
            return False
        mover = self.mover(path, before, code)
        fails_next = next_ in self.failures[procedure]
        if path.is_committed and (
            mover in (Mover.NONE, Mover.RIGHT) or fails_next or (code.kind is Kind.RETURN and path.root.key.public)
        ):
            self.hear.cut(self.rewind(path, before, local))
            if not fails_next:
                return False
        path.phase, path.mine, path.steps = next_phase(path.phase, mover), self.mine(path), path.steps + 1
        if code.kind is Kind.RETURN:
            self.hear.leave(path, results, None)
        elif next_ >= 0:
            return self.arrive(path, next_, code.keeps and code.kind is not Kind.RAISE)
        elif code.kind is Kind.RAISE:
            self.hear.leave(path, (), code.exception)
        return False

    def arrive(self, path: Path, next_: int, keeps: bool) -> bool:
        """Let a way stand at a location; tell whether it goes on from there."""
        backwards = next_ <= path.location
        path.location, path.inside = next_, keeps or path.root.key.frame[2]
        path.kept = path.kept and path.inside
        if not backwards:
            return True
        self.hear.meet(path)
        (self.hear.cut if path.is_committed else self.hear.keep)(path)
        return False

    def before(self, path: Path) -> Before:
        """Return what the memory is before a step."""
        memory = path.memory
        memory.touched = []
        return list(memory.statics), list(memory.heap), list(memory.started)

    def rewind(self, path: Path, before: Before, local: Sequence[Number]) -> Path:
        """Return a way as it was before a step."""
        memory = WatchedMemory(self.layout, path.node.shot)
        memory.statics, memory.heap, memory.started = list(before[0]), list(before[1]), list(before[2])
        place = path.location, path.inside, list(local), memory
        return Path(path.node, *place, path.phase, path.mine, path.steps, path.decisions)

    def fail(self, path: Path, kind: str, before: Before, local: Sequence[Number]) -> None:
        """Note that a step fails; others may run before it, where the transaction has committed."""
        self.mover(path, before, None)
        self.hear.fail(path, kind)
        if path.is_committed:
            self.hear.cut(self.rewind(path, before, local))

    def mover(self, path: Path, before: Before, code: Code | None) -> Mover:
        """Return how the step that was just taken commutes; None stands for a step that fails."""
        key = path.root.key
        point, discipline = (key.frame[0], path.location), self.movers.discipline
        use = discipline.channels.uses.get(point, Use.LOOK)
        use = Use.LOOK if path.inside and use is Use.RECEIVE else use  # it fails there where there is no message
        touched, cell = path.memory.touched, discipline.texts.cell_at(point, before[0])
        if cell is not None:  # of a lock in a cell the step touches nothing else there
            touched = [touch for touch in touched if touch[0] != cell]
        found = self.movers.of(touched, before, key.others, path.mine, key.old, key.thread, use)
        if code is None:
            return found
        if code.kind is Kind.START or point in self.assumes:
            return Mover.NONE
        if point in discipline.texts.tests or point in discipline.texts.takes:
            return max(found, Mover.RIGHT)
        lock = discipline.texts.releases.get(point)
        if lock is None:
            return found
        if lock not in path.mine:
            discipline.drop(lock)
        return max(found, Mover.LEFT)

    def mine(self, path: Path) -> Locks:
        """Return the locks that a thread holds after the step at a location."""
        point, texts = (path.root.key.frame[0], path.location), self.movers.discipline.texts
        if point in texts.takes:
            return path.mine | {texts.takes[point]}
        if point in texts.releases:
            return path.mine - {texts.releases[point]}
        return path.mine

    def first_frame(self, procedure: int, arguments: Sequence[Number], base: bool) -> Frame:
        """Return the frame with which a procedure begins."""
        known = self.layout.procedures[procedure]
        return procedure, known.procedure.entry, base, (*arguments, *known.defaults[len(arguments) :])


def _assumes(program: Program) -> frozenset[tuple[int, int]]:
    """Return the places of assumes, which remove the run for all threads where they fail."""
    return frozenset(
        (number, location)
        for number, procedure in enumerate(program.procedures)
        for location, edges in procedure.leaving.items()
        if len(edges) == 1 and isinstance(edges[0].action, Assume) and edges[0].action.condition != TRUE
    )
