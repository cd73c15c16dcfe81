"""Makes summaries that know what they depend on (Qadeer and Rajamani, MSR-TR-2005-08, 2005, section 6, figures 4 to 9).

A summary is a pattern, all that any path from the entry has read before it was written, and all effects.  A call uses
the summary of any root whose pattern it matches, whatever else its memory holds.

Differences from the figures, each of which loses failures as printed or does not end: a caller goes on from its own
node, with what it wrote before; what a callee has read is read by its caller, effect or no effect; a path that does not
return reads, too; reads of new cells do not count; writing the old value is a write; the key of a path edge holds what
was written; null matches null only, and two cells never match one; callers are scheduled again only where something is
new, and match again when a pattern grows; roots are found by a trie, not by scanning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from knaster.engines.contract import Findings, Task
from knaster.engines.references.fixpoint import by_effects
from knaster.engines.references.searches import Names
from knaster.evidence.questions.question import Target
from knaster.semantics.heap.failure import Fails
from knaster.views.heap.canonical_states import Naming
from knaster.views.heap.compiler import Code, Kind
from knaster.views.heap.derivation import Effect, Node, Root
from knaster.views.heap.overlay import Entry, Location, Overlay
from knaster.views.heap.pattern_trie import FORMAL, Patterns
from knaster.views.heap.summary_tables import Decisions, Tables
from knaster.views.heap.walker import Stop


def patterns(task: Task) -> Findings:
    """Decide every target by path edges and effects over patterns."""
    return by_effects(task, _Search)


class _Search:
    """The fixed point."""

    def __init__(self, tables: Tables[Target]) -> None:
        self.tables = tables
        self.layout = tables.layout
        self.pending: list[tuple[Node, Effect, Names]] = []  # effects that are to happen at calls
        self.patterns = Patterns(tables.layout)

    def run(self, tick: Callable[[], None]) -> None:
        """Work until nothing is new."""
        procedure, entry = self.tables.start()
        self.begin(procedure, False, entry, (), None)
        while self.tables.todo or self.pending:
            tick()
            if self.pending:
                self.use(*self.pending.pop())
            else:
                self.work(self.tables.todo.pop())

    def read(self) -> Mapping[int, Collection[Location]]:
        """Return the pattern of each root."""
        return {number: pattern.read for number, pattern in self.patterns.patterns.items()}

    def begin(
        self, procedure: int, base: bool, entry: Entry, formals: tuple[object, ...], creator: Node | None
    ) -> Root:
        """Begin a new root."""
        root = Root(len(self.tables.roots), procedure, base, entry, formals, frozenset(), creator)
        self.patterns.begin(root)
        self.tables.first(root)
        return root

    def work(self, node: Node) -> None:
        """Extend one path edge."""
        code = self.tables.walker.code(node.root.procedure, node.location)
        if code.kind in (Kind.CHOOSE, Kind.SELECT):
            looked = self.tables.branches(
                node, code, lambda stop, memory, taken: self.arrive(node, stop, memory, taken)
            )
            self.note(node.root, looked)
        elif code.kind is Kind.CALL:
            self.call(node, code)
        else:
            memory = self.tables.overlay(node)
            stop = Stop(node.location, node.inside, list(node.local))
            self.arrive(node, self.tables.go_on(node, stop, memory, ()), memory, ())

    def arrive(self, node: Node, stop: Stop | None, memory: Overlay, decisions: Decisions) -> None:
        """Note what a path has read, then keep where it stands, or its effect."""
        self.note(node.root, memory)
        if stop is None:
            return
        if stop.location < 0:
            self.pop(node, stop, memory, decisions)
            return
        self.tables.keep(node, stop, memory, decisions)

    def note(self, root: Root, memory: Overlay) -> bool:
        """Let the pattern of a root grow by what was read; then its callers match again.  Tell whether it grew."""
        grown = [location for location in memory.read if self.patterns.grow(root, location)]
        memory.read = []
        if grown:
            self.tables.todo += dict.fromkeys(caller for caller, _ in root.callers)
            root.callers = []
        return bool(grown)

    def pop(self, node: Node, stop: Stop, memory: Overlay, decisions: Decisions) -> None:
        """Add an effect, and let it happen at the calls that match."""
        effect = self.tables.effect(node, stop, memory, decisions)
        if effect is not None:
            self.pending += [(caller, effect, names) for caller, names in node.root.callers]

    def call(self, node: Node, code: Code) -> None:
        """Find a root that a call matches, or begin one; what that has read is read here, and its effects happen."""
        memory, local = self.tables.overlay(node), list(node.local)
        try:
            callee, arguments = code.run(memory, local, 1)
        except Fails as fails:
            self.note(node.root, memory)
            self.tables.fail(node, fails.kind)
            return
        self.note(node.root, memory)
        base = code.keeps or node.root.base
        while True:
            found = self.patterns.match(callee, base, arguments, memory)
            if found is None:
                self.show(node, memory, callee, base, arguments)
                continue
            root, names = found
            for location in list(self.patterns.patterns[root.number].read):
                self.touch(memory, location, names)
            if not self.note(node.root, memory) or root is not node.root:
                break
        named = Names(names, len(root.entry.cells), callee)
        root.callers.append((node, named))
        self.pending += [(node, effect, named) for effect in root.effects.values()]

    def show(self, node: Node, memory: Overlay, callee: int, base: bool, arguments: tuple[object, ...]) -> None:
        """Begin a root with all that a callee can see."""
        naming = Naming(self.layout, memory, 0)
        statics = naming.values(memory.statics(), self.layout.static_shapes)
        formals = naming.values(arguments, self.layout.procedures[callee].parameters)
        self.begin(callee, base, Entry(statics, naming.cells()), formals, node)

    def touch(self, memory: Overlay, location: Location, names: dict[int, int]) -> None:
        """Read a location of a callee's pattern in the memory of its caller."""
        address, slot = location
        if address == FORMAL:
            return
        if address:
            memory.field(names[address], slot)
        else:
            memory.static(slot)

    def use(self, node: Node, effect: Effect, names: Names) -> None:
        """Let an effect happen at a call that matches."""
        code = self.tables.walker.code(node.root.procedure, node.location)
        memory = self.tables.overlay(node)
        try:
            stop = self.tables.come_back(node, code, effect, memory, names)
        except Fails as fails:
            self.note(node.root, memory)
            self.tables.fail(node, fails.kind, (effect,))
            return
        if stop is not None and stop.location >= 0:
            stop = self.tables.go_on(node, stop, memory, (effect,))
        self.arrive(node, stop, memory, (effect,))
