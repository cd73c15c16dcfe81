"""Summaries inside transactions: roots, nodes, effects and cuts, up to where nothing is new.

A call that returns inside the transaction is known by its effects; a cut inside a call makes the frames of its callers
explicit.  Either happens wherever somebody waits for the root.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from knaster.base.graphs import components
from knaster.base.limits import OutOfBudget
from knaster.base.memory_count import Room
from knaster.engines.references.transactions.derivation import (
    Block,
    Context,
    Cut,
    Decisions,
    Effect,
    Node,
    Root,
    RootKey,
    Site,
    chooses,
)
from knaster.engines.references.transactions.movers import Mover, Movers, Phase, next_phase
from knaster.engines.references.transactions.renaming import come_back, rename_frames, settle, show
from knaster.engines.references.transactions.walk import Listeners, Path, Walks
from knaster.program.model import Call, Program
from knaster.semantics.heap.failure import BLOCKED, EMPTY, ENDLESS, Fails
from knaster.semantics.heap.handlers import handler
from knaster.views.heap.compiler import Code, Kind
from knaster.views.heap.memory_layout import Number

ROOM = 30_000_000  # numbers that roots, nodes, effects and cuts hold in all, about half a gigabyte
SLICE = 500  # ends of calls and nodes that are worked on before another state is begun


class Summaries:
    """All roots; threads that wait for one hear of its ends (`ended`) and of where it waits (`waits`)."""

    def __init__(
        self,
        movers: Movers,
        limits: tuple[int, int],
        meet: Callable[[Path], None],
        hear: Callable[[str, Any], None],
        ended: Callable[[Context, Effect | Cut], None],
        waits: Callable[[Context, bool, Block], None],
    ) -> None:
        self.layout = movers.layout
        self.edges, self.calls = limits
        self.meet, self.hear, self.ended, self.waits = meet, hear, ended, waits
        self.walks = Walks(self.layout, movers, Listeners(meet, self.fail, self.keep, self.cut, self.leave))
        self.roots: dict[RootKey, Root] = {}
        self.todo: deque[Node] = deque()
        self.pending: deque[tuple[Site | Context, Effect | Cut]] = deque()
        self.follows: dict[Node, list[Node]] = {}  # inside atomic regions, without alternatives
        self.recursive = _recursive(self.layout.program)
        self.path_edges = 0
        self.room = Room(ROOM)

    @property
    def is_done(self) -> bool:
        """Whether nothing is new."""
        return not self.todo and not self.pending

    def run(self, tick: Callable[[], None]) -> None:
        """Work for a while, or until nothing is new: a recursion that never ends keeps nobody waiting."""
        for _ in range(SLICE):
            if self.is_done:
                return
            tick()
            if self.pending:
                self.use(*self.pending.popleft())
            if self.todo:
                self.work(self.todo.popleft())

    def root(self, key: RootKey, creator: Any) -> Root:
        """Return a root; begin it where it is new."""
        root = self.roots.get(key)
        if root is None:
            if len(self.roots) >= self.calls:
                raise OutOfBudget(f"there are more than {self.calls:,} different calls")
            self.room.take(key.shot.size)
            root = self.roots[key] = Root(len(self.roots), key, creator)
            node = Node(root, key.frame[1], key.inside, key.frame[3], key.shot, key.phase, key.mine, None, (), 0)
            root.seen[self.key_of(node)] = node
            self.todo.append(node)
            self.path_edges += 1
            self.meet(self.walks.path(node))
        return root

    def wait(self, root: Root, waiter: Any) -> None:
        """Let somebody wait for what a root does."""
        root.waiters.append(waiter)
        self.pending += [(waiter, effect) for effect in root.effects.values()]
        self.pending += [(waiter, cut) for cut in root.cuts.values()]
        for may_end, block in list(root.blocks.items()):
            self.pass_block(waiter, may_end, block)

    def key_of(self, node: Node) -> Any:
        """Return the same for all nodes of a root that nobody can tell apart."""
        chosen = node.root.key.frame[2] and node.chooses
        return node.location, node.inside, node.local, node.shot, node.phase, node.mine, chosen

    # What walks meet

    def fail(self, path: Path, kind: str) -> None:
        """Note a failure on a way."""
        self.hear(kind, path)

    def keep(self, path: Path) -> None:
        """Add where a way stands, if it is new."""
        root, key = path.root, path.root.key
        frame = key.frame[0], path.location, key.frame[2], tuple(path.local)
        shot, (frame,), _ = settle(self.layout, path.memory, root.kept, [frame], (), frame[0])
        node = Node(
            root,
            path.location,
            path.inside,
            frame[3],
            shot,
            path.phase,
            path.mine,
            path.node,
            path.decisions,
            path.steps,
        )
        known = root.seen.setdefault(self.key_of(node), node)
        if path.kept and not chooses(path.decisions):
            self.follows.setdefault(path.node, []).append(known)
        if known is not node:
            return
        if len(root.seen) > self.edges:
            raise OutOfBudget(f"one call has more than {self.edges:,} path edges")
        self.room.take(shot.size)
        self.path_edges += 1
        self.todo.append(node)

    def cut(self, path: Path) -> None:
        """End the transaction where a way stands."""
        key = path.root.key
        frame = key.frame[0], path.location, key.frame[2], tuple(path.local)
        self.add_cut(path, [frame], None, path.steps)

    def add_cut(self, path: Path, frames: list[Any], inner: Cut | None, steps: int) -> None:
        """Add a cut of a root, if it is new."""
        root = path.root
        shot, settled, _ = settle(self.layout, path.memory, root.kept, frames, (), 0)
        found = settled, shot, path.mine
        if found in root.cuts:
            return
        if len(root.cuts) >= self.edges:
            raise OutOfBudget(f"transactions end inside one call in more than {self.edges:,} ways")
        self.room.take(shot.size + sum([20 + len(frame[3]) for frame in settled]))
        cut = root.cuts[found] = Cut(settled, shot, path.mine, path.node, path.decisions, inner, steps)
        self.pending += [(waiter, cut) for waiter in root.waiters]

    def leave(self, path: Path, results: tuple[Number, ...], exception: str | None) -> None:
        """Add what a call has done, if it is new."""
        root = path.root
        shot, _, values = settle(self.layout, path.memory, root.kept, (), results, root.key.frame[0])
        chosen = root.key.frame[2] and (path.node.chooses or chooses(path.decisions))
        found = values, exception, shot, path.phase, path.mine, chosen
        if found in root.effects:
            return
        if len(root.effects) >= self.edges:
            raise OutOfBudget(f"one call has more than {self.edges:,} effects")
        effect = Effect(values, exception, shot, path.phase, path.mine, path.node, path.decisions, path.steps)
        self.room.take(shot.size)
        root.effects[found] = effect
        self.pending += [(waiter, effect) for waiter in root.waiters]

    # Nodes

    def work(self, node: Node) -> None:
        """Go on from a node."""
        code = self.walks.code(node.root.key.frame[0], node.location)
        if code.kind is Kind.CALL:
            self.call(node, code)
        elif code.kind in (Kind.CHOOSE, Kind.SELECT):
            self.choose(node, code)
        else:
            self.walks.go(self.walks.path(node))

    def choose(self, node: Node, code: Code) -> None:
        """Take every alternative of a choice."""
        path, waits = self.walks.path(node), code.kind is Kind.SELECT
        if (waits and not node.inside and node.phase is not Phase.CLEAN) or (path.is_committed and code.keeps):
            self.cut(path)
            return
        before, thread = self.walks.before(path), node.root.key.thread
        try:
            found = code.run(path.memory, path.local, thread)
            if not found and (node.inside or not waits):
                raise Fails(BLOCKED if waits else EMPTY)
        except Fails as fails:
            self.walks.fail(path, fails.kind, before, node.local)
            return
        looked = path.memory.touched
        if not found:
            self.walks.mover(path, before, None)
            self.block(node, code.may_end, Block(node, None, node.steps))
        for number, value in enumerate(found):
            self.take(node, code, looked, value, (number,) if len(found) > 1 else ())

    def take(self, node: Node, code: Code, looked: list[Any], value: Any, decisions: Decisions) -> None:
        """Take one alternative of a choice."""
        path = self.walks.path(node)
        path.decisions = decisions
        before = self.walks.before(path)
        path.memory.touched = list(looked)
        try:
            next_ = code.take(path.memory, path.local, node.root.key.thread, value)
        except Fails as fails:
            self.walks.fail(path, fails.kind, before, node.local)
            return
        mover = self.walks.mover(path, before, code)
        if path.is_committed and mover in (Mover.NONE, Mover.RIGHT):
            self.cut(self.walks.rewind(self.walks.path(node), before, node.local))
            return
        path.phase, path.mine, path.steps = next_phase(path.phase, mover), self.walks.mine(path), path.steps + 1
        if self.walks.arrive(path, code.next if next_ is None else next_, code.keeps):
            self.walks.go(path)

    def call(self, node: Node, code: Code) -> None:
        """Begin a call, or cut before it."""
        path, key = self.walks.path(node), node.root.key
        before = self.walks.before(path)
        try:
            callee, arguments = code.run(path.memory, path.local, key.thread)
        except Fails as fails:
            self.walks.fail(path, fails.kind, before, node.local)
            return
        mover = self.walks.mover(path, before, code)
        if path.is_committed and (code.keeps or callee in self.recursive or mover is Mover.NONE):
            self.cut(self.walks.path(node))
            return
        base = code.keeps or key.frame[2]
        shot, formals, names = show(self.layout, path.memory, key.old, callee, arguments)
        frame = self.walks.first_frame(callee, formals, base)
        begun = key._replace(
            frame=frame,
            inside=base,
            public=not code.takes_local,
            phase=next_phase(node.phase, mover),
            mine=node.mine,
            shot=shot,
        )
        root = self.root(begun, node)
        if base:
            self.follows.setdefault(node, []).append(next(iter(root.seen.values())))
        self.wait(root, Site(node, names))

    # What a root does happens where it is waited for

    def use(self, waiter: Site | Context, end: Effect | Cut) -> None:
        """Let an effect or a cut happen."""
        if not isinstance(waiter, Site):
            self.ended(waiter, end)
        elif isinstance(end, Cut):
            self.cut_call(waiter, end)
        else:
            self.end_call(waiter, end)

    def cut_call(self, site: Site, cut: Cut) -> None:
        """End the transaction inside a call: the frame of the caller is explicit from there."""
        node, old = site.node, site.node.root.key.old
        kept = old + len(site.names)
        memory, naming = come_back(self.layout, cut.shot, kept, site.names, old, node.shot)
        path = self.walks.path(node)
        path.memory, path.mine = memory, cut.mine
        procedure, _, base, _ = node.root.key.frame
        frames = [(procedure, node.location, base, node.local), *rename_frames(self.layout, naming, cut.frames)]
        self.add_cut(path, frames, cut, node.steps + 1 + cut.steps)

    def end_call(self, site: Site, effect: Effect) -> None:
        """Go on behind a call."""
        node, old = site.node, site.node.root.key.old
        key, code = node.root.key, self.walks.code(node.root.key.frame[0], node.location)
        memory, naming = come_back(self.layout, effect.shot, old + len(site.names), site.names, old, node.shot)
        path = self.walks.path(node)
        path.memory, path.phase, path.mine = memory, effect.phase, effect.mine
        path.steps, path.decisions = node.steps + 1 + effect.steps, (effect,)
        path.inside = path.kept = code.keeps or key.frame[2]
        if effect.exception is not None:
            target = handler(self.layout.procedures[key.frame[0]].procedure, node.location, effect.exception)
            if target is None:
                self.leave(path, (), effect.exception)
            elif self.walks.arrive(path, target, code.keeps):
                self.walks.go(path)
            return
        callee = effect.parent.root.key.frame[0]
        results = naming.values(effect.results, self.layout.procedures[callee].results)
        if self.take_results(path, code, results) and self.walks.arrive(path, code.next, code.keeps):
            self.walks.go(path)

    def take_results(self, path: Path, code: Code, results: tuple[Number, ...]) -> bool:
        """Give the results of a call to its caller; tell whether that succeeds."""
        before = self.walks.before(path)
        try:
            code.take(path.memory, path.local, path.root.key.thread, results)
        except Fails as fails:
            self.walks.mover(path, before, None)
            self.hear(fails.kind, path)
            return False
        path.phase = next_phase(path.phase, self.walks.mover(path, before, code))
        return True

    def block(self, node: Node, may_end: bool, block: Block) -> None:
        """Note that a thread may wait in a root."""
        root = node.root
        if root.key.phase is Phase.CLEAN and may_end not in root.blocks:
            root.blocks[may_end] = block
            for waiter in root.waiters:
                self.pass_block(waiter, may_end, block)

    def pass_block(self, waiter: Site | Context, may_end: bool, block: Block) -> None:
        """Note that a thread may wait in a call of its."""
        if isinstance(waiter, Site):
            self.block(waiter.node, may_end, Block(waiter.node, block, waiter.node.steps + 1 + block.steps))
        else:
            self.waits(waiter, may_end, block)

    def find_endless(self) -> None:
        """Look for atomic regions that never end: circles of nodes without alternatives."""
        for group in components(list(self.follows), lambda node: self.follows.get(node, ())):
            if len(group) > 1 or group[0] in self.follows.get(group[0], ()):
                self.hear(ENDLESS, group[0])


def _recursive(program: Program) -> dict[int, int]:
    """Return the procedures that may call themselves, each with the number of those that call each other."""
    numbers = {procedure.name: number for number, procedure in enumerate(program.procedures)}
    callees: list[set[int]] = [set() for _ in numbers]
    for number, procedure in enumerate(program.procedures):
        for edge in procedure.edges:
            if isinstance(edge.action, Call):
                names = [target for _, target in edge.action.dispatch] or [edge.action.procedure]
                callees[number].update(numbers[name] for name in names)
    found: dict[int, int] = {}
    for group in components(range(len(callees)), lambda number: callees[number]):
        if len(group) > 1 or group[0] in callees[group[0]]:
            found |= dict.fromkeys(group, group[0])
    return found
