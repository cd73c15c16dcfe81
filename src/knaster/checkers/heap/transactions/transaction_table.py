"""The check of a table of states between transactions: from every row every transaction leads to a row.

The transactions are run by the interpreter (`steps`), with what calls do inside them kept once (`inside`).  The start
is a row; nothing that is excluded fails or is met on the way; and in no row every thread can wait, where one may not
end.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.heap.exclusions import Exclusions
from knaster.checkers.heap.form import Form, referring_statics, referring_variables
from knaster.checkers.heap.matching import references
from knaster.checkers.heap.rows import check_state
from knaster.checkers.heap.transactions.calls import Entry, Halt, Left, Running, Thread
from knaster.checkers.heap.transactions.channel_use import ChannelUse
from knaster.checkers.heap.transactions.frozen import Activation, Memory, rename_frame
from knaster.checkers.heap.transactions.inside import Inside, is_public
from knaster.checkers.heap.transactions.lock_use import Place, Use, uses_of
from knaster.checkers.heap.transactions.protection import Locks, Phase, Protection
from knaster.checkers.heap.transactions.steps import Steps, Way
from knaster.evidence.proofs.heap.transaction_table import TransactionTable
from knaster.evidence.questions.question import Target
from knaster.program.expression import Apply, postorder
from knaster.program.model import Call, Program
from knaster.program.objects import Join
from knaster.semantics.heap.failure import DEADLOCK, ENDLESS, UNHANDLED, Fails
from knaster.semantics.heap.handlers import handler
from knaster.semantics.heap.interpreter import Machine


def check_transaction_table(
    table: TransactionTable, program: Program, targets: Iterable[Target], budget: Budget
) -> None:
    """Raise `InternalError` where a table does not prove that no target is reachable."""
    _Checker(table, program, targets, budget).run()


class _Checker:
    def __init__(self, table: TransactionTable, program: Program, targets: Iterable[Target], budget: Budget) -> None:
        self.table, self.program, self.budget = table, program, budget
        self.machine = Machine(program)
        self.excluded = Exclusions(targets)
        uses: dict[Place, tuple[str, Use]] = {}
        for lock in table.locks:
            uses.update({place: (lock, use) for place, use in uses_of(program, lock).items()})
        channels = ChannelUse(program, table.crowded)
        self.steps = Steps(self.machine, self.excluded, Protection(table.unprotected, table.locks, channels), uses)
        self.referring = {each.name: referring_variables(program, each) for each in program.procedures}
        self.statics = referring_statics(program)
        self.known: set[Hashable] = set()
        self.inside = Inside(self.steps, self.ended, self.note_wait)
        self.waits: list[dict[int, set[bool]]] = [{} for _ in table.rows]

    def run(self) -> None:
        """Check the table."""
        if _calls_in_conditions(self.program) or len(self.table.held) != len(self.table.rows):
            _refuse("it is not about this program")
        for row, held in zip(self.table.rows, self.table.held, strict=True):
            self.budget.check()
            check_state(self.machine, row)
            if row.choosing or len(held) != len(row.threads):
                _refuse("a row is no state between transactions")
            stacks = [
                tuple(Activation(f.procedure, f.location, f.base, f.values) for f in each) for each in row.threads
            ]
            self.known.add(self.key(row.statics, row.cells, stacks, held))
        start = self.machine.start()
        first = [tuple(map(self.steps.activation, frames)) for frames in start.threads]
        nothing = [frozenset[str]() for _ in first]
        if self.key(tuple(start.statics.values()), start.heap, first, nothing) not in self.known:
            _refuse("the start is not in it")
        for number in range(len(self.table.rows)):
            self.begin_row(number)
            self.inside.run(self.budget)
        self.see_deadlocks()
        if ENDLESS in self.excluded.kinds and self.inside.regions.never_end():
            self.excluded.fail(ENDLESS)

    def key(self, statics: Any, cells: Any, stacks: Any, held: Any) -> Hashable:
        """Return the same for states that differ in names and garbage only."""
        form = Form(dict(cells), {})
        spelled = form.spell_all(tuple(statics), self.statics)
        threads = tuple(
            tuple(
                (f.procedure, f.location, f.base, form.spell_all(f.values, self.referring[f.procedure])) for f in stack
            )
            for stack in stacks
        )
        return spelled, threads, form.cells(), tuple(frozenset(locks) for locks in held)

    # Threads of rows

    def stack(self, thread: Thread) -> list[Activation]:
        """Return the frames of a thread when its transaction began."""
        found = self.table.rows[thread.row].threads[thread.number - 1]
        return [Activation(f.procedure, f.location, f.base, tuple(f.values)) for f in found]

    def begin_row(self, number: int) -> None:
        """Let every thread of a row begin a transaction."""
        row = self.table.rows[number]
        memory = Memory(tuple(row.statics), tuple(sorted(row.cells.items())), ())
        for thread, stack in enumerate(row.threads, start=1):
            if stack:
                mine = frozenset(self.table.held[number][thread - 1])
                runs = Thread(number, thread, len(stack) - 1)
                self.resume(runs, self.stack(runs)[-1], False, Phase.CLEAN, mine, memory)

    def resume(
        self, thread: Thread, frame: Activation, inside: bool, phase: Phase, mine: Locks, memory: Memory
    ) -> None:
        """Let a frame of a thread go on."""
        public = thread.depth > 0 and self.is_public(self.stack(thread)[thread.depth - 1])
        entry = self.entry(thread, frame, inside, public, phase, mine, memory)
        self.inside.wait(self.inside.begin(entry), thread)

    def is_public(self, caller: Activation) -> bool:
        """Tell whether a frame that waits puts what is returned where others can see it."""
        call = self.machine.procedures[caller.procedure].leaving[caller.location][0].action
        assert isinstance(call, Call)
        return is_public(self.machine, caller.procedure, call)

    def entry(
        self, thread: Thread, frame: Activation, inside: bool, public: bool, phase: Phase, mine: Locks, memory: Memory
    ) -> Entry:
        """Return with what a frame of a thread begins."""
        row = self.table.rows[thread.row]
        stacks = [stack for number, stack in enumerate(row.threads, start=1) if number != thread.number]
        others = frozenset(references([f.values for stack in stacks for f in stack])) if len(row.threads) > 1 else None
        return Entry(thread.number, frame, inside, public, phase, mine, memory, frozenset(row.cells), others)

    def ended(self, thread: Thread, end: Left | Halt) -> None:
        """Hear how the top frame of a thread ended, or the transaction in it."""
        if isinstance(end, Halt):
            self.see_row(thread, end.memory, end.frames, end.mine)
        else:
            self.return_to(thread, end)

    def note_wait(self, thread: Thread, may_end: bool) -> None:
        """Hear that a thread may wait."""
        self.waits[thread.row].setdefault(thread.number, set()).add(may_end)

    def return_to(self, thread: Thread, end: Left) -> None:
        """Let a thread go on in a frame that waited when its transaction began, or finish."""
        stack, depth, exception = self.stack(thread), thread.depth, end.exception
        while depth and exception is not None:
            lower = self.machine.procedures[stack[depth - 1].procedure]
            if handler(lower, stack[depth - 1].location, exception) is not None:
                break
            depth -= 1
        if not depth:
            if exception is not None:
                self.excluded.fail(UNHANDLED)
            else:
                self.see_row(thread, end.memory, (), end.mine)
            return
        self.return_in(Thread(thread.row, thread.number, depth - 1), stack[depth - 1], end)

    def return_in(self, lower: Thread, caller: Activation, end: Left) -> None:
        """Go on in a frame that waited."""
        frame = self.steps.frame(caller)
        frame.calling = self.machine.edges_from(frame)[0]
        notes: list[Any] = []
        configuration = self.steps.configuration(end.memory, lower.number, [frame], notes)
        running = Running(0, self.entry(lower, caller, False, False, end.phase, end.mine, end.memory))
        way = Way(running, configuration, notes, list(end.memory.started), False, end.phase, end.mine)
        frames = configuration.threads[lower.number - 1]
        if end.exception is not None:
            keeps = self.machine.throw(frames, end.exception)[1]
        else:
            shared = self.steps.shared(way)
            frames.append(frame)
            try:
                keeps = self.machine.leave(configuration, lower.number, end.results)
            except Fails as fails:
                self.steps.commutes(way, shared)
                self.excluded.fail(fails.kind)
                return
            if not self.steps.commutes(way, shared):
                way.phase = Phase.COMMITTED
        after = self.steps.activation(way.frame)
        memory, names = self.inside.freeze(way, after.values)
        after = rename_frame(after, names)
        self.excluded.stand(after.procedure, after.location)
        # mutant(<=): no call leads to where it stands
        if way.phase is Phase.COMMITTED and after.location <= caller.location:
            self.see_row(lower, memory, (after,), end.mine)
        else:
            self.resume(lower, after, keeps, way.phase, end.mine, memory)

    def see_row(self, thread: Thread, memory: Memory, frames: tuple[Activation, ...], mine: Locks) -> None:
        """See that the state in which a transaction has ended is in the table."""
        row = self.table.rows[thread.row]
        stacks = [[Activation(f.procedure, f.location, f.base, tuple(f.values)) for f in each] for each in row.threads]
        stacks[thread.number - 1] = [*stacks[thread.number - 1][: thread.depth], *frames]
        stacks += [[frame] for frame in memory.started]
        held = [*map(frozenset, self.table.held[thread.row]), *(frozenset[str]() for _ in memory.started)]
        held[thread.number - 1] = mine
        if self.key(memory.statics, memory.cells, stacks, held) not in self.known:
            _refuse("a transaction leads out of it")
        for stack in stacks:
            if stack:
                self.excluded.stand(stack[-1].procedure, stack[-1].location)

    def see_deadlocks(self) -> None:
        """See that in no row all threads can wait."""
        for row, waits in zip(self.table.rows, self.waits, strict=True):
            live = [number for number, stack in enumerate(row.threads, start=1) if stack]
            if live and all(number in waits for number in live) and any(False in waits[number] for number in live):
                self.excluded.fail(DEADLOCK)


def _calls_in_conditions(program: Program) -> bool:
    joins = [
        edge.action for procedure in program.procedures for edge in procedure.edges if isinstance(edge.action, Join)
    ]
    return any(isinstance(node, Apply) for join in joins for wait in join.waits for node in postorder(wait))


def _refuse(problem: str) -> None:
    raise InternalError(f"the table of transactions does not hold: {problem}")
