"""The search of states between transactions: from every state every thread runs one transaction.

`summaries` has what happens inside; where a transaction ends, the frames of its thread are explicit, and there is the
next state.  A thread that waits after steps that are all BOTH is taken to stand where its transaction began; where
all threads are finished or can wait so, there is a deadlock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knaster.engines.references.transactions.boundary_states import BoundaryStates, Origin
from knaster.engines.references.transactions.derivation import Block, Context, Cut, Effect, RootKey
from knaster.engines.references.transactions.discipline import Discipline, Locks
from knaster.engines.references.transactions.movers import Movers, Phase, next_phase
from knaster.engines.references.transactions.summaries import Summaries
from knaster.engines.references.transactions.walk import Path
from knaster.semantics.heap.failure import DEADLOCK, UNHANDLED, Fails
from knaster.semantics.heap.handlers import handler
from knaster.views.heap.canonical_states import Frame
from knaster.views.heap.memory_layout import Layout
from knaster.views.heap.reductions.thread_order import asks_for_numbers
from knaster.views.heap.reductions.watched_memory import Shot, WatchedMemory
from knaster.views.heap.stepper import Stepper


class Search:
    """One fixed point; `meet` and `fail` hear of places and failures on the way."""

    def __init__(
        self,
        layout: Layout,
        discipline: Discipline,
        limits: tuple[int, int, int],
        meet: Callable[[Path], None],
        fail: Callable[[str, Any], None],
    ) -> None:
        self.layout = layout
        self.hear = fail
        self.states = BoundaryStates(layout, limits[0])
        self.summaries = Summaries(Movers(layout, discipline), limits[1:], meet, fail, self.ended, self.waits)
        self.walks = self.summaries.walks
        self.blocked: dict[int, dict[int, dict[bool, tuple[Context, Block]]]] = {}  # by state and thread
        self.numbered = bool(discipline.channels.uses) or asks_for_numbers(layout.program)

    def run(self, tick: Callable[[], None]) -> None:
        """Work until nothing is new."""
        memory, threads = Stepper(self.layout.program).start()
        start = Shot(tuple(memory.statics), tuple(memory.heap[1:]), ())
        self.states.add(start, [tuple(frames) for frames in threads], [frozenset() for _ in threads], None)
        expanded = 0
        while expanded < len(self.states.states) or not self.summaries.is_done:
            if expanded < len(self.states.states):
                self.expand(expanded)
                expanded += 1
            self.summaries.run(tick)
        self.find_deadlocks()
        self.summaries.find_endless()

    def expand(self, state: int) -> None:
        """Let every thread of a state begin a transaction."""
        _, statics, stacks, cells = self.states.state(state)
        for thread, stack in enumerate(stacks, start=1):
            if stack:
                mine = self.states.states[state][1][thread - 1]
                context = Context(state, thread, len(stack) - 1)
                self.begin(context, stack[-1], False, Phase.CLEAN, mine, Shot(statics, cells, ()))

    def begin(self, context: Context, frame: Frame, inside: bool, phase: Phase, mine: Locks, shot: Shot) -> None:
        """Let a frame of a thread go on, below which others may wait."""
        _, _, stacks, cells = self.states.state(context.state)
        stack = stacks[context.thread - 1]
        public = context.depth > 0 and not self.walks.code(*stack[context.depth - 1][:2]).takes_local
        others = self.states.others(context.state, context.thread)
        thread = context.thread if self.numbered else 0
        key = RootKey(thread, frame, inside, public, phase, mine, shot, len(cells), others)
        self.summaries.wait(self.summaries.root(key, context), context)

    def ended(self, context: Context, end: Effect | Cut) -> None:
        """Hear how the top frame of a thread ended, or the transaction in it."""
        if isinstance(end, Cut):
            self.end_turn(context, end, end.shot, end.frames, end.mine)
        elif end.exception is not None:
            self.throw(context, end)
        elif context.depth == 0:
            self.end_turn(context, end, end.shot, (), end.mine)
        else:
            self.return_to(context, end)

    def end_turn(
        self, context: Context, end: Effect | Cut | None, shot: Shot, frames: tuple[Frame, ...], mine: Locks
    ) -> None:
        """Add the state in which a thread has ended its transaction."""
        stacks = list(self.states.state(context.state)[2])
        held = list(self.states.states[context.state][1])
        stacks[context.thread - 1] = (*stacks[context.thread - 1][: context.depth], *frames)
        held[context.thread - 1] = mine
        self.states.add(shot, stacks, held, Origin(context, end))

    def return_to(self, context: Context, effect: Effect) -> None:
        """Let a thread return to a frame that waited when its transaction began."""
        stack = self.states.state(context.state)[2][context.thread - 1]
        procedure, location, base, local = stack[context.depth - 1]
        code = self.walks.code(procedure, location)
        values, memory = list(local), WatchedMemory(self.layout, effect.shot)
        key = effect.parent.root.key
        before = list(memory.statics), list(memory.heap), list(memory.started)
        try:
            code.take(memory, values, key.thread, effect.results)
        except Fails as fails:
            self.walks.movers.of(memory.touched, before, key.others, effect.mine, key.old, key.thread)
            self.hear(fails.kind, (context, effect))
            return
        mover = self.walks.movers.of(memory.touched, before, key.others, effect.mine, key.old, key.thread)
        phase, inside = next_phase(effect.phase, mover), code.keeps or base
        frame = procedure, code.next, base, tuple(values)
        lower = Context(context.state, context.thread, context.depth - 1, (context, effect))
        self.resume(lower, frame, code.next <= location, inside, phase, effect.mine, memory.shot())

    def resume(
        self, lower: Context, frame: Frame, backwards: bool, inside: bool, phase: Phase, mine: Locks, shot: Shot
    ) -> None:
        """Go on in a frame that waited; end the transaction where it has committed and jumps backwards."""
        if backwards and phase is Phase.AFTER and not inside:
            self.end_turn(lower, None, shot, (frame,), mine)
            return
        self.begin(lower, frame, inside, phase, mine, shot)

    def throw(self, context: Context, effect: Effect) -> None:
        """Let an exception go to a frame that waited when the transaction began."""
        stack = self.states.state(context.state)[2][context.thread - 1]
        assert effect.exception is not None
        for depth in range(context.depth, 0, -1):
            procedure, location, base, local = stack[depth - 1]
            target = handler(self.layout.procedures[procedure].procedure, location, effect.exception)
            if target is not None:
                inside = base or self.walks.code(procedure, location).keeps
                lower = Context(context.state, context.thread, depth - 1, (context, effect))
                frame = procedure, target, base, local
                self.resume(lower, frame, target <= location, inside, effect.phase, effect.mine, effect.shot)
                return
        self.hear(UNHANDLED, (context, effect))

    def waits(self, context: Context, may_end: bool, block: Block) -> None:
        """Hear that a thread may wait."""
        threads = self.blocked.setdefault(context.state, {})
        threads.setdefault(context.thread, {}).setdefault(may_end, (context, block))

    def find_deadlocks(self) -> None:
        """Look for states in which every thread is finished or waits, and one waits that may not end there."""
        for number, (key, _) in enumerate(self.states.states):
            live = [thread for thread, stack in enumerate(key[2:], start=1) if stack]
            blocked = self.blocked.get(number, {})
            if not live or any(thread not in blocked for thread in live):
                continue
            if any(False in blocked[thread] for thread in live):
                ends = [blocked[thread].get(False) or blocked[thread][True] for thread in live]
                self.hear(DEADLOCK, (number, ends))
