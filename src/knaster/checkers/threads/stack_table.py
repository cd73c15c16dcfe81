"""The check of a table of stacks: it contains all that can happen, by the meaning of threads, one step at a time.

No code of the engines is used, no pushdown rules and no saturation.  The table has the start; each row is closed under
every step of its thread, of which a step sees the two topmost activations; wherever another thread may run there is a
row in which it does, with at least these stacks; and no row has a target on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.evidence.proofs.threads.stack_table import ContextRow, Letter, Moment, StackSet, StackTable
from knaster.evidence.questions.question import Target
from knaster.program.model import Program
from knaster.semantics.sequential import can_hold, valuations
from knaster.semantics.threads import UNBEGUN, Activation, Configuration, Stack, Threads

BELOW = Activation("", 0, ())  # whatever lies below the two topmost activations


def check_stack_table(table: StackTable, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Raise `InternalError` where a table does not prove that no target is reachable."""
    problem = _Checker(table, program, budget).problem()
    if problem:
        raise InternalError(f"the table of contexts does not hold: {problem}")
    places = table.places()
    for target in targets:
        if not target.has_place or target.place in places:
            raise InternalError(f"the table of contexts does not hold: '{target.name}' is in it")


class _Checker:
    def __init__(self, table: StackTable, program: Program, budget: Budget) -> None:
        self.program, self.rows, self.budget = program, table.rows, budget
        if any(len(row.stacks) != len(program.threads) for row in table.rows):
            raise InternalError("the table of contexts is about other threads")
        self.known: dict[tuple[int, Moment], list[ContextRow]] = {}
        for row in table.rows:
            for moment in row.reached:
                self.known.setdefault((row.running, moment), []).append(row)
        self.threads = Threads(program)
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.lock = program.globals.index(program.atomic) if program.atomic is not None else None

    def problem(self) -> str:
        starts = [Letter(Activation(name, UNBEGUN, ()), True) for name in self.program.threads]
        stacks = [StackSet(({letter: 1}, {}), (False, True)) for letter in starts]
        for state in valuations(self.program.globals):
            if can_hold(self.program.init, state):
                moment = Moment(tuple(state.values()), False, False)
                if not all(self._is_covered(number, moment, stacks) for number in range(len(stacks))):
                    return f"the start {state} is not in it"
        for row in self.rows:
            for moment, stacks_here in row.reached.items():
                if not self._stays(row, moment, stacks_here):
                    return f"a step of thread {row.running + 1} leads out of it"
                if not self._passes(row, moment, stacks_here):
                    return f"a switch from thread {row.running + 1} leads out of it"
        return ""

    def _stays(self, row: ContextRow, moment: Moment, stacks: StackSet) -> bool:
        """Tell whether each step from a set of stacks leads into a set of the same row."""
        for stack, rest in _tops(stacks):
            self.budget.check()
            for after in self._after(moment, stack):
                if len(after.stacks) > 1:
                    raise InternalError("a table of contexts says nothing of threads that are started")
                top = after.stacks[0][-1] if after.stacks[0] else None
                then = Moment(after.shared, after.section, top is not None and self._is_failure(top))
                target = row.reached.get(then)
                if target is None or not _holds(target, after.stacks[0], stacks, rest):
                    return False
        return True

    def _after(self, moment: Moment, stack: Stack) -> Iterator[Configuration]:
        here = Configuration(moment.shared, (stack,), 0, moment.section)
        if stack[-1].location != UNBEGUN:
            yield from (after for _, after in self.threads.steps(here))
            return
        procedure = self.procedures[stack[-1].procedure]
        shared = dict(zip(self.program.globals, moment.shared, strict=True))
        for own in valuations(procedure.frame):
            if can_hold(procedure.enforce, {**shared, **own}):
                begun = Activation(procedure.name, procedure.entry, tuple(own.values()))
                yield here._replace(stacks=((begun,),))

    def _passes(self, row: ContextRow, moment: Moment, stacks: StackSet) -> bool:
        """Tell whether every other thread has a row where it may run on."""
        failed = [self._is_failure(letter.activation) for letter in stacks.moves[0]]
        if moment.section or (failed and all(failed)) or (self.lock is not None and moment.shared[self.lock]):
            return True
        now = (*row.stacks[: row.running], stacks, *row.stacks[row.running + 1 :])
        others = [number for number in range(len(now)) if number != row.running]
        return all(self._is_covered(number, moment._replace(failed=False), now) for number in others)

    def _is_covered(self, running: int, moment: Moment, stacks: Sequence[StackSet]) -> bool:
        self.budget.check()
        return any(
            all(
                _is_contained(small, 0, row.reached[moment] if number == running else row.stacks[number], 0)
                for number, small in enumerate(stacks)
            )
            for row in self.known.get((running, moment), ())
        )

    def _is_failure(self, activation: Activation) -> bool:
        return activation.location in self.procedures[activation.procedure].failures


def _tops(stacks: StackSet) -> Iterator[tuple[Stack, int | None]]:
    """Yield the two topmost activations of each stack, on `BELOW` if there are more, and the state for the rest.

    Only stacks of the form that runs have count: each activation but the topmost waits for a callee.
    """
    for top, state in stacks.moves[0].items():
        if top.activation.calling is not None:
            continue
        if top.lowest:
            yield (top.activation,), None
            continue
        for second, after in stacks.moves[state].items():
            if second.activation.calling is None:
                continue
            if second.lowest:
                yield (second.activation, top.activation), None
            else:
                yield (BELOW, second.activation, top.activation), after


def _holds(target: StackSet, stack: Stack, source: StackSet, rest: int | None) -> bool:
    """Tell whether a set has each stack that consists of these activations and the rest of a stack of another set.

    A thread that has ended has no stack: what lay below the activation that ended it is gone.
    """
    if not stack:
        return target.accepting[0]
    state: int | None = 0
    known = stack[1:] if rest is not None else stack
    for depth in range(len(known) - 1, -1, -1):
        letter = Letter(known[depth], rest is None and depth == 0)
        state = target.moves[state].get(letter) if state is not None else None
    if state is None:
        return False
    if rest is None:
        return target.accepting[state]
    return all(
        letter in target.moves[state] and _is_contained(source, after, target, target.moves[state][letter])
        for letter, after in source.moves[rest].items()
    )


def _is_contained(small: StackSet, first: int, large: StackSet, second: int) -> bool:
    """Tell whether each word from one state of a set is one from a state of the other set."""
    if small is large and first == second:
        return True
    todo, seen = [(first, second)], {(first, second)}
    while todo:
        here, there = todo.pop()
        if small.accepting[here] and not large.accepting[there]:
            return False
        for letter, target in small.moves[here].items():
            match = large.moves[there].get(letter)
            if match is None:
                return False
            if (target, match) not in seen:
                seen.add((target, match))
                todo.append((target, match))
    return True
