"""The check of a table of effects: it contains all that can happen, by the interpreter, one path edge at a time.

No code of the engines is used.  The start looks like the first root.  Each root has the row in which its procedure
begins; each step from a row leads to a row, or to the end, of which there is an effect; each call looks like the root
that it names, and each effect of that leads to a row again; and no step fails in a way, and nobody ever stands at a
place, that is excluded.  A root stands for every call that agrees with it where its entry is known, so no step may
read what is not; and it says which cells others may use later, so a row may be silent about other cells that nobody
reaches.

Qadeer and Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005), sections 4 to 6.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.heap.effect_arcs import Arcs
from knaster.checkers.heap.endless_regions import EFFECT, ROW, Outcome, Regions
from knaster.checkers.heap.exclusions import Exclusions
from knaster.checkers.heap.form import Form, referring_statics, referring_variables
from knaster.checkers.heap.matching import apply_effect, held_outside, match_root
from knaster.checkers.heap.partial_heap import partial
from knaster.checkers.heap.rows import check_root
from knaster.evidence.proofs.heap.effect_table import EffectTable, PathRow, RootRow
from knaster.evidence.questions.question import Target
from knaster.program.model import Call, Program, Return
from knaster.program.objects import Join, Raise
from knaster.semantics.heap.configuration import Configuration, Frame
from knaster.semantics.heap.evaluate import Evaluator
from knaster.semantics.heap.failure import ASSERTION, BLOCKED, DEADLOCK, ENDLESS, UNHANDLED, Fails
from knaster.semantics.heap.handlers import handler
from knaster.semantics.heap.interpreter import FailedAssume, Machine


def check_effect_table(
    table: EffectTable, program: Program, targets: Iterable[Target], budget: Budget, arcs: Arcs | None = None
) -> None:
    """Raise `InternalError` where a table does not prove that no target is reachable; `arcs` hear what leads where."""
    machine = Machine(program)
    if not table.roots or len(program.threads) != 1:
        _refuse("it is not about this program")
    for root in table.roots:
        check_root(machine, root, len(table.roots))
    start = machine.start()
    first = table.roots[0]
    if (first.procedure, first.base) != (program.threads[0], False) or match_root(first, (), start) is None:
        _refuse("the start is not in it")
    excluded, regions = Exclusions(targets), Regions()
    heard = arcs or Arcs()
    checkings = [_Root(table, number, machine, excluded, regions, heard) for number in range(len(table.roots))]
    for checking in checkings:
        for number in range(len(checking.root.paths)):
            budget.check()
            checking.expand(number)
    if ENDLESS in excluded.kinds and regions.never_end():
        excluded.fail(ENDLESS)


class _Root:
    """One root under examination."""

    def __init__(
        self, table: EffectTable, number: int, machine: Machine, excluded: Exclusions, regions: Regions, arcs: Arcs
    ) -> None:
        self.table, self.number, self.root = table, number, table.roots[number]
        self.machine, self.excluded, self.regions, self.arcs = machine, excluded, regions, arcs
        program, root = machine.program, self.root
        self.procedure = machine.procedures[root.procedure]
        self.names = self.procedure.parameters + self.procedure.locals
        self.locals = referring_variables(program, self.procedure)
        self.statics = referring_statics(program)
        self.rows: dict[Hashable, int] = {}
        for index, path in enumerate(root.paths):
            self.rows[self._key(path.location, path.inside, self.configuration(path))] = index
        self.effects: dict[Hashable, int] = {}
        for index, effect in enumerate(root.effects):
            memory = self._memory(effect.statics, effect.changed, [])
            self.effects[self._effect_key(effect.results, effect.exception, memory)] = index
        self.kept = {path.location for path in root.paths}
        frame = machine.frame(root.procedure, root.formals, root.base)
        first = self._key(frame.location, root.base, self._memory(root.statics, {}, [frame]))
        if first not in self.rows:
            _refuse(f"a call of '{root.procedure}' does not begin in it")
        regions.first(number, self.rows[first])
        arcs.firsts[number] = self.rows[first]

    def configuration(self, path: PathRow) -> Configuration:
        """Return a row as the interpreter knows it."""
        values = dict(zip(self.names, path.values, strict=True))
        return self._memory(
            path.statics, path.changed, [Frame(self.root.procedure, path.location, self.root.base, values)]
        )

    def _memory(self, statics: Sequence[Any], changed: Mapping[Any, Any], frames: list[Frame]) -> Configuration:
        cells = {**self.root.cells, **changed}
        largest = max((cell.number for cell in cells), default=0)
        named = dict(zip(self.machine.program.globals, statics, strict=True))
        return partial(named, cells, frames, dict.fromkeys(self.machine.cells, largest))

    def _key(self, location: int, inside: bool, configuration: Configuration) -> Hashable:
        """Return the same for all paths that nobody can tell apart from here on."""
        (frame,) = configuration.threads[0]
        form = Form(dict(configuration.heap), self.root.cells)
        values = form.spell_all(tuple(frame.values.values()), self.locals)
        return location, inside, values, self._rest(form, configuration)

    def _effect_key(self, results: Sequence[Any], exception: str | None, configuration: Configuration) -> Hashable:
        form = Form(dict(configuration.heap), self.root.cells)
        return exception, tuple([form.spell(value) for value in results]), self._rest(form, configuration)

    def _rest(self, form: Form, configuration: Configuration) -> Hashable:
        """Return the statics, and all cells that anybody can reach."""
        found = form.spell_all(tuple(configuration.statics.values()), self.statics)
        for cell in self.root.held if self.root.held is not None else self.root.cells:
            form.spell(cell)
        return found, form.cells()

    def expand(self, index: int) -> None:
        """Check every step from a row."""
        path, machine = self.root.paths[index], self.machine
        configuration = self.configuration(path)
        if isinstance(machine.edges_from(configuration.threads[0][-1])[0].action, Call):
            self.call(index)
            return
        number = self.alternatives(configuration, path.inside)
        for alternative in range(number):
            found = self.walk(self.configuration(path), path.inside, alternative)
            if found is not None:
                self.arcs.step((self.number, index), alternative if number > 1 else None, found)
            if number == 1 and found is not None:
                self.regions.step((self.number, index), found)

    def alternatives(self, configuration: Configuration, inside: bool) -> int:
        """Return how many alternatives the next step has; 0 where there is no next step."""
        try:
            return len(self.machine.alternatives(configuration, 1))
        except Fails as fails:
            kind = fails.kind
            join = self.machine.edges_from(configuration.threads[0][-1])[0].action
            if kind == BLOCKED and not inside:
                if isinstance(join, Join) and join.may_end:
                    return 0
                kind = DEADLOCK
            self.excluded.fail(kind)
            return 0

    def walk(self, configuration: Configuration, inside: bool, chosen: int | None) -> Outcome | None:
        """Go on to the next row or to the end; say which, and whether nobody else could run meanwhile.

        `chosen` is the alternative of the first step, from a row; None where the walk begins between rows.
        """
        kept = True
        for steps in range(self.procedure.size + 2):
            (frame,) = configuration.threads[0]
            self.excluded.stand(frame.procedure, frame.location)
            if self.machine.failure_of(configuration, 1) is not None:
                self.excluded.fail(ASSERTION)
                return None
            if chosen is None and frame.location in self.kept:
                row = self.rows.get(self._key(frame.location, inside, configuration))
                if row is not None:
                    return Outcome(ROW, row, kept, steps)
            match self.machine.edges_from(frame)[0].action:
                case Return(values):
                    return self.leave_by_return(configuration, frame, values, kept, steps)
                case Raise(exception) if handler(self.procedure, frame.location, exception) is None:
                    return self.leave((), exception, configuration, kept)
                case Call():
                    break
            if chosen is None:
                number = self.alternatives(configuration, inside)
                if number > 1:
                    break
                if not number:
                    return None
            try:
                inside = self.machine.step(configuration, 1, chosen or 0).keeps
            except FailedAssume:
                return None
            except Fails as fails:
                self.excluded.fail(fails.kind)
                return None
            kept, chosen = kept and inside, None
        _refuse(f"a step of '{self.root.procedure}' leads out of it")

    def leave_by_return(
        self, configuration: Configuration, frame: Frame, values: Sequence[Any], kept: bool, steps: int
    ) -> Outcome | None:
        """See that there is an effect for a return."""
        try:
            results = [Evaluator(self.machine, configuration, frame, 1).value(value) for value in values]
        except Fails as fails:
            self.excluded.fail(fails.kind)
            return None
        return self.leave(results, None, configuration, kept, steps + 1)

    def leave(
        self, results: Sequence[Any], exception: str | None, memory: Configuration, kept: bool, steps: int = 0
    ) -> Outcome:
        """See that there is an effect for what a call leaves behind."""
        if exception is not None and self.number == 0:
            self.excluded.fail(UNHANDLED)
        found = self.effects.get(self._effect_key(results, exception, memory))
        if found is None:
            _refuse(f"'{self.root.procedure}' leaves behind what is not in it")
        return Outcome(EFFECT, found, kept, steps)

    def call(self, index: int) -> None:
        """Check the call that a row makes."""
        path, machine = self.root.paths[index], self.machine
        configuration = self.configuration(path)
        self.excluded.stand(self.root.procedure, path.location)
        try:
            keeps = machine.step(configuration, 1).keeps
        except Fails as fails:
            self.excluded.fail(fails.kind)
            return
        caller, callee = configuration.threads[0]
        if path.callee < 0:
            _refuse(f"a call of '{callee.procedure}' has no root")
        root = self.table.roots[path.callee]
        names = None
        if (root.procedure, root.base) == (callee.procedure, callee.base):
            formals = list(callee.values.values())[: len(root.formals)]
            names = match_root(root, formals, configuration)
        if names is None:
            _refuse(f"a call of '{callee.procedure}' is another one than its root")
        if root.held is not None:
            self.see_held(root, caller, names, configuration)
        if keeps:
            self.regions.call((self.number, index), path.callee)
        self.arcs.call((self.number, index), path.callee)
        for number, effect in enumerate(root.effects):
            again = self.configuration(path)
            machine.step(again, 1)
            results = apply_effect(root, effect, names, again, machine.cells)
            found = self.back(again, results, effect.exception)
            if found is not None:
                self.arcs.back((self.number, index), number, found)
                self.regions.back((self.number, index), number, found)

    def see_held(self, root: RootRow, caller: Frame, names: Any, configuration: Configuration) -> None:
        """See that a root says of every cell that the caller can use later that somebody can."""
        if self.root.held is None:
            _refuse("a root says what is held, and its caller does not")
        assert root.held is not None
        outside = held_outside(caller.values.values(), self.root.held, names, configuration.heap)
        if not outside.keys() <= set(root.held):
            _refuse(f"a cell that a caller of '{root.procedure}' can use later is not said to be held")

    def back(self, configuration: Configuration, results: Sequence[Any], exception: str | None) -> Outcome | None:
        """Go on in the caller after a call."""
        frames = configuration.threads[0]
        try:
            if exception is None:
                keeps = self.machine.leave(configuration, 1, results)
            else:
                del frames[-1]
                if handler(self.procedure, frames[-1].location, exception) is None:
                    return self.leave((), exception, configuration, True)
                keeps = self.machine.throw(frames, exception)[1]
        except Fails as fails:
            self.excluded.fail(fails.kind)
            return None
        return self.walk(configuration, keeps, None)


def _refuse(problem: str) -> NoReturn:
    raise InternalError(f"the table of effects does not hold: {problem}")
