"""Turns: from the stack of a thread and what all threads share, the moves that it can make next; remembered.

A *move* leads to the next scheduling point, or to a choice between alternatives.  It is *quiet* where every cell keeps
its name, whatever the other threads hold: nothing was allocated, and the references that are followed are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.program.model import Program
from knaster.semantics.heap.decisions import Turn
from knaster.semantics.heap.failure import ENDLESS, LONGEST_REGION, Fails
from knaster.views.heap.compiler import Kind
from knaster.views.heap.interning import Interning, Key, Shared
from knaster.views.heap.repetition import FIRST, Repetition
from knaster.views.heap.stepper import FailedAssume, Memory, Stepper


class Move(NamedTuple):
    """Where a thread goes: its stack, and the shared part, in numbers where the move is quiet."""

    quiet: bool
    choosing: int
    shared: int  # where it is quiet
    stack: int
    turn: Turn
    statics: int = 0
    cells: tuple[int, ...] = ()
    started: tuple[int, ...] = ()


class Waits(NamedTuple):
    """A thread that cannot move; a deadlock, if nobody can, unless it may end there."""

    may_end: bool


Moves = Waits | tuple[Move, ...]


class Turns:
    """The moves of the threads of one program; `meet` and `fail` hear of places and failures on the way.

    `meet` is told the top frame of the thread that has come there and its turn, and says whether the run ends at it.
    Where the search is `reduced`, a thread runs on while nobody notices; one that was just started does, too, unless
    switches are counted (`leading`).
    """

    def __init__(
        self,
        program: Program,
        reduced: bool,
        meet: Callable[..., bool],
        fail: Callable[[str, Turn], None],
        region: int = LONGEST_REGION,
        leading: bool = True,
    ) -> None:
        self.stepper = Stepper(program, region)
        self.region = region  # steps of one atomic region
        self.interned = Interning(self.stepper.layout)
        self.reduced = reduced
        self.leading = reduced and leading
        self.meet = meet
        self.fail = fail
        self.known: dict[tuple[int, int, int], Moves] = {}

    def start(self) -> Key:
        """Return the first state."""
        memory, threads = self.stepper.start()
        interned = self.interned
        cells = [interned.cells.number(cell) for cell in memory.heap[1:]]
        stacks = [interned.stacks.number(tuple(frames)) for frames in threads]
        return interned.canonical_key(0, interned.statics.number(tuple(memory.statics)), cells, stacks)

    def moves(self, thread: int, stack: int, shared: int) -> Moves:
        """Return what a thread can do."""
        known = self.known.get((thread, stack, shared))
        if known is None:
            known = self.known[thread, stack, shared] = self._moves(thread, stack, shared)
        return known

    def alternatives(self, thread: int, stack: int, shared: int) -> tuple[Move, ...]:
        """Return what a thread can do that is about to choose."""
        known = self.known.get((-thread, stack, shared))
        if known is None:
            memory, frames = self._memory(shared), list(self.interned.stacks.parts[stack])
            values = self.stepper.alternatives(memory, frames, thread)
            assert values is not None
            found = [self._go(thread, stack, shared, (number,), value) for number, value in enumerate(values)]
            known = self.known[-thread, stack, shared] = tuple([move for move in found if move is not None])
        assert not isinstance(known, Waits)
        return known

    def next_key(self, key: Key, thread: int, move: Move) -> Key:
        """Return the state to which a move of a thread leads."""
        if move.quiet:
            parts = list(key)
            parts[0], parts[1], parts[thread + 1] = move.choosing, move.shared, move.stack
            return tuple(parts)
        stacks = [*key[2:], *move.started]
        stacks[thread - 1] = move.stack
        return self.interned.canonical_key(move.choosing, move.statics, move.cells, stacks)

    def _memory(self, shared: int) -> Memory:
        found, interned = self.interned.shared[shared], self.interned
        parts = interned.cells.parts
        return Memory(self.stepper, interned.statics.parts[found.statics], [parts[cell] for cell in found.cells])

    def waits(self, thread: int, stack: int, shared: int) -> Waits | None:
        """Return how a thread waits that cannot move; None where it can."""
        frames = self.interned.stacks.parts[stack]
        code = self.stepper.code(frames[-1])
        if code.kind is Kind.SELECT:
            try:
                if not self.stepper.enabled_branches(self._memory(shared), list(frames), thread):
                    return Waits(code.may_end)
            except Fails:
                pass  # it fails when it is its turn
        return None

    def _moves(self, thread: int, stack: int, shared: int) -> Moves:
        if (waits := self.waits(thread, stack, shared)) is not None:
            return waits
        move = self._go(thread, stack, shared, (), None)
        return () if move is None else (move,)

    def _go(self, thread: int, stack: int, shared: int, taken: tuple[int, ...], value: Any) -> Move | None:
        """Let a thread run to its next scheduling point or choice; `value` is its first choice, if any."""
        stepper, memory = self.stepper, self._memory(shared)
        frames: list[Any] = list(self.interned.stacks.parts[stack])
        threads: list[list[Any]] = []  # that are started
        chosen, steps, known = bool(taken), 0, 0
        repetition: Repetition | None = None
        try:
            for count in range(LONGEST_REGION):
                if count >= FIRST:
                    repetition = repetition or Repetition(stepper.layout, self.region)
                    if repetition.is_endless(count, frames, memory):
                        break
                if not chosen:
                    values = stepper.alternatives(memory, frames, thread)
                    if values is not None:
                        if len(values) > 1:
                            return self._move(
                                thread, stack, shared, frames, memory, threads, Turn(thread, steps, taken)
                            )
                        value = values[0]
                keeps = stepper.step(memory, frames, thread, value, threads)
                chosen, steps = False, steps + 1
                if frames and self.meet(frames[-1], thread, steps, taken):
                    return None
                if len(threads) > known:
                    known = len(threads)
                    self.meet(threads[-1][-1], thread, steps, taken)
                if not keeps:
                    steps += self._run_on(memory, frames, Turn(thread, steps, taken)) if self.reduced else 0
                    turn = Turn(thread, steps, taken)
                    turn = self._lead(memory, threads, turn) if self.leading and threads else turn
                    return self._move(0, stack, shared, frames, memory, threads, turn)
            self.fail(ENDLESS, Turn(thread, len(taken), taken))
        except FailedAssume:
            pass
        except Fails as fails:
            self.fail(fails.kind, Turn(thread, steps, taken))
        return None

    def _lead(self, memory: Memory, threads: Sequence[list[Any]], turn: Turn) -> Turn:
        """Let threads that were just started take the steps that nobody else can notice; return the turn with them."""
        for frames in threads:
            turn = turn._replace(leads=(*turn.leads, self._run_on(memory, frames, turn, True)))
        return turn

    def _run_on(self, memory: Memory, frames: list[Any], turn: Turn, is_new: bool = False) -> int:
        """Let a thread run on as long as nobody else can notice; return how many steps it took.

        The turn is that of the thread, or of the one that has just started it; its own number is not known then.
        """
        stepper, (thread, before, taken, leads) = self.stepper, turn
        assert before is not None
        passed: set[tuple[int, int]] = set()
        steps = 0
        while frames:
            top = frames[-1]
            code = stepper.code(top)
            place = top[0], top[1]
            if not code.local or place in passed or code.keeps or (is_new and code.numbered):
                break
            if code.kind is Kind.RETURN and len(frames) > 1 and not stepper.code(frames[-2]).takes_local:
                break
            passed.add(place)
            try:
                stepper.step(memory, frames, thread, None, [])
            except Fails:
                break  # the step has changed nothing but its own locals, which are not stored yet
            steps += 1
            on = (before, taken, (*leads, steps)) if is_new else (before + steps, taken)
            if frames and self.meet(frames[-1], thread, *on):
                break
        return steps

    def _move(
        self,
        choosing: int,
        stack: int,
        shared: int,
        frames: list[Any],
        memory: Memory,
        threads: Sequence[list[Any]],
        turn: Turn,
    ) -> Move:
        """Return the move that has led to some frames and a memory."""
        interned = self.interned
        before = interned.shared[shared]
        old = interned.cells.parts
        known = len(before.cells)
        cells = tuple(
            [
                before.cells[index]
                if index < known and cell is old[before.cells[index]]
                else interned.cells.number(cell)
                for index, cell in enumerate(memory.heap[1:])
            ]
        )
        statics = interned.statics.number(tuple(memory.statics))
        after = interned.stacks.number(tuple(frames))
        started = tuple([interned.stacks.number(tuple(each)) for each in threads])
        if started or not self._is_quiet(before, stack, statics, cells, after):
            return Move(False, choosing, 0, after, turn, statics, cells, started)
        return Move(True, choosing, interned.share(statics, cells, before.common), after, turn)

    def _is_quiet(self, before: Shared, stack: int, statics: int, cells: tuple[int, ...], after: int) -> bool:
        """Tell whether the traversal of the state meets the same cells in the same order, whatever others hold."""
        interned = self.interned
        if len(cells) != len(before.cells):
            return False
        mentioned = interned.statics.mentioned
        if mentioned[statics] != mentioned[before.statics]:
            return False
        mentioned = interned.cells.mentioned
        for old, new in zip(before.cells, cells, strict=True):
            if old != new and mentioned[old] != mentioned[new]:
                return False
        mentioned = interned.stacks.mentioned
        if mentioned[stack] == mentioned[after]:
            return True
        common = before.common
        return [a for a in mentioned[stack] if a > common] == [a for a in mentioned[after] if a > common]
