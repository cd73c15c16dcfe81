"""Summarizes what a call sees and what it changes (Qadeer and Rajamani, MSR-TR-2005-08, 2005, sections 4 and 5).

[R]      a root is a procedure, its formals, and all that can be reached from them and from the statics
[STEP]   a path edge is kept up to the names of the cells that are new since the entry
[PUSH]   a call waits at the root of what it shows to its callee
[POP]    an effect is what was written, the new cells that hang on it, and what is returned; locals are dead
[USE]    every effect of a root happens at every call that waits there

Differences: entry cells keep their names for the life of a root (with canonical names for the exit, as printed, "do
nothing" and "swap g1 and g2" look alike); new cells are kept where they hang on a written cell, reachable or not.  The
entry cells that somebody outside holds belong to the root (cutpoints: Rinetzky, Bauer, Reps, Sagiv and Wilhelm, POPL
2005); what is written to a cell that nobody can reach is dropped, or Theorem 3 would not hold.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.engines.contract import Findings, Task
from knaster.engines.references.fixpoint import by_effects
from knaster.engines.references.searches import Names
from knaster.evidence.questions.question import Target
from knaster.semantics.heap.failure import Fails
from knaster.views.heap.canonical_states import Naming
from knaster.views.heap.compiler import Code, Kind
from knaster.views.heap.derivation import Effect, Node, Root
from knaster.views.heap.overlay import Entry, Overlay, references, references_in
from knaster.views.heap.summary_tables import Decisions, Tables
from knaster.views.heap.walker import Stop


def visible(task: Task) -> Findings:
    """Decide every target by path edges and effects over visible states."""
    return by_effects(task, _Visible)


class _Visible:
    """The fixed point."""

    def __init__(self, tables: Tables[Target]) -> None:
        self.tables = tables
        self.layout = tables.layout
        self.pending: list[tuple[Node, Effect, Names]] = []  # effects that are to happen at calls
        self.roots: dict[object, Root] = {}

    def run(self, tick: Callable[[], None]) -> None:
        """Work until nothing is new."""
        procedure, entry = self.tables.start()
        naming = Naming(self.layout, (None, *entry.cells), 0)
        statics = naming.values(entry.statics, self.layout.static_shapes)
        self.root((procedure, False, statics, (), naming.cells(), frozenset()), None)
        while self.tables.todo or self.pending:
            tick()
            if self.pending:
                self.use(*self.pending.pop())
            else:
                self.work(self.tables.todo.pop())

    def read(self) -> None:
        """Everything that a call sees belongs to its root."""

    def root(self, key: tuple[object, ...], creator: Node | None) -> Root:
        """Return the root of a call; begin it where it is new [R]."""
        found = self.roots.get(key)
        if found is None:
            procedure, base, statics, formals, cells, held = key
            found = Root(len(self.roots), procedure, base, Entry(statics, cells), formals, held, creator)  # type: ignore[arg-type]
            self.roots[key] = found
            self.tables.first(found)
        return found

    def work(self, node: Node) -> None:
        """Extend one path edge."""
        code = self.tables.walker.code(node.root.procedure, node.location)
        if code.kind in (Kind.CHOOSE, Kind.SELECT):
            self.tables.branches(node, code, lambda stop, memory, taken: self.arrive(node, stop, memory, taken))
        elif code.kind is Kind.CALL:
            self.call(node, code)
        else:
            memory = self.tables.overlay(node)
            stop = Stop(node.location, node.inside, list(node.local))
            self.arrive(node, self.tables.go_on(node, stop, memory, ()), memory, ())

    def arrive(self, node: Node, stop: Stop | None, memory: Overlay, decisions: Decisions) -> None:
        """Keep where a path stands [STEP], or its effect."""
        if stop is None:
            return
        if stop.location < 0:
            self.pop(node, stop, memory, decisions)
            return
        frame = self.layout.procedures[node.root.procedure]
        self.drop(node.root, memory, [a for slot, shape in frame.shapes for a in references(stop.local[slot], shape)])
        self.tables.keep(node, stop, memory, decisions)

    def drop(self, root: Root, memory: Overlay, local: list[int]) -> None:
        """Forget what is written to the value at entry, and what is written to cells that nobody can reach."""
        entry, written = root.entry, memory.written
        for address, slot in list(written):
            old = entry.statics[slot] if not address else entry.cells[address - 1][slot]
            if written[address, slot] == old:
                del written[address, slot]
        changed = {address for address, _ in written if address}
        if not changed - root.held:
            return
        reached = self.reachable(memory, [*local, *root.held, *self.from_statics(memory)])
        for address, slot in list(written):
            if address and address not in reached:
                del written[address, slot]

    def from_statics(self, memory: Overlay) -> list[int]:
        statics = memory.statics()
        return [address for slot, shape in self.layout.static_shapes for address in references(statics[slot], shape)]

    def reachable(self, memory: Overlay, start: list[int]) -> set[int]:
        """Return the cells that can be reached from some."""
        found = set(start)
        todo = list(found)
        while todo:
            for address in references_in(self.layout, memory[todo.pop()]):
                if address not in found:
                    found.add(address)
                    todo.append(address)
        return found

    def pop(self, node: Node, stop: Stop, memory: Overlay, decisions: Decisions) -> None:
        """Add an effect, and let it happen where it is waited for [POP, USE]."""
        root = node.root
        shapes = self.layout.procedures[root.procedure].results if stop.exception is None else ()
        self.drop(root, memory, [a for slot, shape in shapes for a in references(stop.results[slot], shape)])
        effect = self.tables.effect(node, stop, memory, decisions)
        if effect is not None:
            self.pending += [(caller, effect, names) for caller, names in root.callers]

    def call(self, node: Node, code: Code) -> None:
        """Show the callee what it can see [PUSH]; what it does happens here, too [USE]."""
        memory, local = self.tables.overlay(node), list(node.local)
        try:
            callee, arguments = code.run(memory, local, 1)
        except Fails as fails:
            self.tables.fail(node, fails.kind)
            return
        naming = Naming(self.layout, memory, 0)
        statics = naming.values(memory.statics(), self.layout.static_shapes)
        formals = naming.values(arguments, self.layout.procedures[callee].parameters)
        cells = naming.cells()
        held = self.cells_held_outside(node, memory, naming)
        root = self.root((callee, code.keeps or node.root.base, statics, formals, cells, held), node)
        names = Names({new: old for old, new in naming.names.items()}, len(cells), callee)
        root.callers.append((node, names))
        self.pending += [(node, effect, names) for effect in root.effects.values()]

    def cells_held_outside(self, node: Node, memory: Overlay, naming: Naming) -> frozenset[int]:
        """Return the cells of a callee's entry that are held by locals, by cells it does not see, or further up."""
        frame = self.layout.procedures[node.root.procedure]
        todo = [a for slot, shape in frame.shapes for a in references(node.local[slot], shape)]
        todo += node.root.held
        seen = set(todo)
        found: set[int] = set()
        while todo:
            address = todo.pop()
            if address in naming.names:
                found.add(naming.names[address])
                continue
            for other in references_in(self.layout, memory[address]):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return frozenset(found)

    def use(self, node: Node, effect: Effect, names: Names) -> None:
        """Let an effect happen at a call that waits for it [USE]."""
        code = self.tables.walker.code(node.root.procedure, node.location)
        memory = self.tables.overlay(node)
        try:
            stop = self.tables.come_back(node, code, effect, memory, names)
        except Fails as fails:
            self.tables.fail(node, fails.kind, (effect,))
            return
        if stop is not None and stop.location >= 0:
            stop = self.tables.go_on(node, stop, memory, (effect,))
        self.arrive(node, stop, memory, (effect,))
