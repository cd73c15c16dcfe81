"""Summary tables: the roots and path edges of both methods of summaries, their worklist and goals, and runs to them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar

from knaster.base.graphs import components
from knaster.program.model import Place, Program
from knaster.semantics.heap.decisions import Run, Turn
from knaster.semantics.heap.failure import ENDLESS, UNHANDLED, Fails
from knaster.semantics.heap.goals import Goals
from knaster.views.heap.compiler import Code
from knaster.views.heap.derivation import Effect, Node, Root, alternatives, chooses
from knaster.views.heap.overlay import Cell, Entry, Overlay, Written, apply_effect
from knaster.views.heap.stepper import Stepper
from knaster.views.heap.walker import Stop, Walker

T = TypeVar("T")
Decisions = tuple[int | Effect, ...]


MOST_HELD = 10_000_000  # places and cells, about a gigabyte


class Done(Exception):
    """Everything that was asked for is found."""


class Tables(Generic[T]):
    """Roots and path edges; `hits` says by which path each target was first reached."""

    def __init__(
        self,
        program: Program,
        targets: Iterable[tuple[T, Place, str]],
        enough: int,
        most: int,
        calls: int = 100_000,
        changes: int = 100_000,
    ) -> None:
        self.program = program
        self.walker = Walker(program)
        self.layout = self.walker.layout
        self.goals: Goals[T] = Goals(self.layout.procedure_numbers, targets)
        self.enough = enough  # so many targets end the search
        self.most = most  # path edges of one root
        self.calls = calls  # roots
        self.changes = changes  # of one path edge
        self.roots: list[Root] = []
        self.path_edges = 0
        self.held = 0  # places and cells that are remembered
        self.todo: list[Node] = []
        self.follows: dict[Node, list[Node]] = {}  # inside atomic regions, without alternatives
        self.hits: dict[T, tuple[Node, Decisions]] = {}

    def start(self) -> tuple[int, Entry]:
        """Return the procedure in which the program starts, and what it sees: statics and their cells."""
        memory, _ = Stepper(self.program).start()
        return self.layout.procedure_numbers[self.program.threads[0]], Entry(
            tuple(memory.statics), tuple(memory.heap[1:])
        )

    def size(self) -> str:
        """Say how far the search has come."""
        depths: list[int] = []
        largest = 0
        for root in self.roots:  # each after the one that calls it first
            depths.append(1 if root.creator is None else depths[root.creator.root.number] + 1)
            known: list[Node | Effect] = [*root.seen.values(), *root.effects.values()]
            made = max((len(each.new_cells) for each in known), default=0)
            largest = max(largest, len(root.entry.cells) + made)
        deepest = max(depths, default=0)
        seen = f"{len(self.roots)} calls and {self.path_edges} path edges seen"
        return f"{seen}, deepest stack {deepest}, largest heap {largest}"

    def overlay(self, node: Node) -> Overlay:
        """Return the memory at a node."""
        return Overlay(self.layout, node.root.entry, node.written, node.new_cells)

    def hit(self, targets: Iterable[T], node: Node, decisions: Decisions) -> None:
        """Note that targets are reached by a path."""
        for target in targets:
            self.hits.setdefault(target, (node, decisions))
        if len(self.hits) >= self.enough:
            raise Done

    def run_to(self, target: T) -> Run:
        """Return the decisions of a run that reaches a target."""
        return (Turn(1, None, alternatives(*self.hits[target])),)

    def go_on(self, node: Node, stop: Stop, memory: Overlay, decisions: Decisions) -> Stop | None:
        """Walk on from where a path stands; note what it meets."""
        places, kinds = self.goals.places, self.goals.kinds

        def meet(procedure: int, location: int) -> None:
            if found := places[procedure].get(location):
                self.hit(found, node, decisions)

        def fail(kind: str) -> None:
            self.hit(kinds.get(kind, ()), node, decisions)

        return self.walker.walk(node.root.procedure, node.root.base, stop, memory, meet, fail)

    def fail(self, node: Node, kind: str, decisions: Decisions = ()) -> None:
        """Note a failure."""
        self.hit(self.goals.kinds.get(kind, ()), node, decisions)

    def keep(self, parent: Node, stop: Stop, memory: Overlay, decisions: Decisions) -> Node | None:
        """Add the end of a path edge; return it where it is new."""
        root = parent.root
        frame = self.layout.procedures[root.procedure]
        local, written, cells = memory.rename_cells(stop.local, frame.shapes)
        key: Hashable = (stop.location, stop.inside, local, written, cells)
        known = root.seen.get(key)
        if known is not None:
            self.follow(parent, stop, decisions, known)
            return None
        self.hold(_measure(written, cells))
        if len(root.seen) >= self.most:
            raise TooMany(f"one call has more than {self.most:,} path edges")
        chosen = parent.chooses or chooses(decisions)
        node = Node(root, stop.location, stop.inside, local, written, cells, parent, decisions, chosen)
        root.seen[key] = node
        self.follow(parent, stop, decisions, node)
        self.path_edges += 1
        self.todo.append(node)
        return node

    def hold(self, size: int) -> None:
        """Count what is remembered of a path or an effect: written places and new cells."""
        if size > self.changes:
            raise TooMany(f"one call has changed more than {self.changes:,} places")
        self.held += size
        if self.held > MOST_HELD:
            raise TooMany(f"the calls have changed more than {MOST_HELD:,} places in all")

    def effect(self, node: Node, stop: Stop, memory: Overlay, decisions: Decisions) -> Effect | None:
        """Add what a call does that returns or raises; return it where it is new."""
        root = node.root
        shapes = self.layout.procedures[root.procedure].results if stop.exception is None else ()
        results, written, cells = memory.rename_cells(stop.results, shapes)
        key = results, written, cells, stop.exception
        self.ends_unhandled(root, node, stop, decisions)
        if key in root.effects:
            return None
        self.hold(_measure(written, cells))
        if len(root.effects) >= self.most:
            raise TooMany(f"one call has more than {self.most:,} effects")
        effect = root.effects[key] = Effect(written, cells, results, stop.exception, node, decisions)
        return effect

    def follow(self, parent: Node, stop: Stop, decisions: Decisions, node: Node) -> None:
        """Note a path inside an atomic region that has no alternatives."""
        if stop.kept and not chooses(decisions):
            self.follows.setdefault(parent, []).append(node)

    def find_endless(self) -> None:
        """Look for an atomic region that never ends, among all that was found: a circle of paths, or of calls."""
        if ENDLESS not in self.goals.kinds:
            return
        for root in self.roots:
            if root.base:
                first = next(iter(root.seen.values()))
                for node, _ in root.callers:
                    self.follows.setdefault(node, []).append(first)
        for group in components(list(self.follows), lambda node: self.follows.get(node, ())):
            if len(group) > 1 or group[0] in self.follows.get(group[0], ()):
                self.fail(group[0], ENDLESS)

    def first(self, root: Root) -> None:
        """Begin the paths of a new root."""
        if len(self.roots) >= self.calls:
            raise TooMany(f"there are more than {self.calls:,} different calls")
        self.roots.append(root)
        defaults = self.layout.procedures[root.procedure].defaults
        local = (*root.formals, *defaults[len(root.formals) :])
        entry = self.layout.procedures[root.procedure].procedure.entry
        node = Node(root, entry, root.base, local, (), (), None, ())
        root.seen[(entry, root.base, local, (), ())] = node
        self.path_edges += 1
        self.todo.append(node)
        if found := self.goals.places[root.procedure].get(entry):
            self.hit(found, node, ())

    def branches(self, node: Node, code: Code, finish: Callable[[Stop | None, Overlay, Decisions], None]) -> Overlay:
        """Take every alternative of a choice; return the memory that was read to find them."""
        looked = self.overlay(node)
        local = list(node.local)
        try:
            found = self.walker.choices(code, looked, local, node.inside)
        except Fails as fails:
            self.fail(node, fails.kind)
            return looked
        for number, value in enumerate(found):
            memory, decisions = self.overlay(node), (number,) if len(found) > 1 else ()
            memory.read += looked.read
            values = list(node.local)
            try:
                next_ = code.take(memory, values, 1, value)
            except Fails as fails:
                finish(None, memory, decisions)
                self.fail(node, fails.kind, decisions)
                continue
            inside = code.keeps or node.root.base
            stop = Stop(code.next if next_ is None else next_, inside, values, kept=inside)
            finish(self.go_on(node, stop, memory, decisions), memory, decisions)
        return looked

    def come_back(self, node: Node, code: Code, effect: Effect, memory: Overlay, names: Any) -> Stop | None:
        """Let an effect happen at a call; return where the path then stands, None where the exception goes on."""
        callee_cells = names.kept
        naming = apply_effect(memory, effect.written, effect.new_cells, names.map, callee_cells)
        local = list(node.local)
        if effect.exception is not None:
            target = self.walker.find_handler(node.root.procedure, node.location, effect.exception)
            inside = code.keeps or node.root.base
            if target is None:
                return Stop(-1, inside, local, exception=effect.exception)
            return Stop(target, inside, local, kept=inside)
        results = naming.values(effect.results, self.layout.procedures[names.procedure].results)
        code.take(memory, local, 1, results)
        inside = code.keeps or node.root.base
        return Stop(code.next, inside, local, kept=inside)

    def ends_unhandled(self, root: Root, node: Node, stop: Stop, decisions: Decisions) -> None:
        """Note an exception that leaves the first procedure of the program."""
        if stop.exception is not None and root.creator is None:
            self.fail(node, UNHANDLED, decisions)


class TooMany(Exception):
    """There are more roots, or one root has more path edges, than there may be."""


def _measure(written: Written, cells: tuple[Cell, ...]) -> int:
    """Return how much is remembered: written places and new cells, and what channels and sets among them hold."""
    queues = [value for _, value in written if isinstance(value, tuple)]
    queues += [cell[1] for cell in cells if len(cell) == 2 and isinstance(cell[1], tuple)]
    return len(written) + len(cells) + sum(map(len, queues))
