"""The check of all paths of a program with memory: they are gone through again, and what was left out is impossible.

At each decision the proof says which values are possible.  Each of them is tried; that there is no other one is an
obligation for solvers (`checkers.c.solvers`), one for all decisions of a path between two that have several values.
No code of the engine is used; the lines of symbols are those of `semantics.memory.symbols`, which says what a run
computes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import dataclass, field
from knaster.checkers.c.obligations import Fact, Kind, Let, Obligation, Step
from knaster.checkers.c.solvers import Solvers
from knaster.checkers.memory.memory_ends import Ends
from knaster.evidence.proofs.memory.memory_paths import MemoryPaths
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import is_asked, kinds_in, site_kinds, strict_kinds
from knaster.program.expression import (
    FALSE,
    TRUE,
    Binary,
    Compare,
    Comparison,
    Const,
    Expr,
    Not,
    Operator,
    Var,
    variables,
)
from knaster.program.memory import FloatTerm
from knaster.program.model import Place, Program
from knaster.program.types import Bool, Type
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.machine import Machine, Strict
from knaster.semantics.memory.sites import Sites
from knaster.semantics.memory.symbolic.symbols import Symbol, SymbolicInputs, SymbolTable
from knaster.smt.door import EASY, HARD

STEPS = 8_000_000  # of all runs together
NUMBERS = EASY, HARD  # how much work a question is worth
FLOATS = *NUMBERS, 400  # the same with floating-point numbers


def check_memory_paths(proof: MemoryPaths, program: Program, targets: Iterable[Target], budget: Budget) -> str:
    """Return who has answered where no run reaches a target, and all of them end; else raise `InternalError`."""
    wanted = tuple(targets)
    strict = strict_kinds(wanted)
    kinds = {kind for kind in strict if isinstance(kind, str)}
    if not kinds <= set(proof.strict) or not kinds_in(strict) <= set(proof.asked):
        raise InternalError("the paths of the proof pass over undefined steps that are asked for")
    return _Paths(proof, program, wanted, budget).walk()


def check_ending(proof: MemoryPaths, program: Program, budget: Budget) -> str:
    """Return who has answered where every run of a program ends; else raise `InternalError`."""
    return check_memory_paths(proof, program, (), budget)


@dataclass(slots=True)
class _Decision:
    """A decision of the path that is being gone through, and which of its values is taken."""

    name: str
    values: tuple[int, ...]
    taken: int = 0


@dataclass(slots=True)
class _Stack:
    """The path that is being gone through, and what the proof says of the decisions to come."""

    rest: Iterator[tuple[int, ...]]
    decisions: list[_Decision] = field(default_factory=list)
    asked: int = 0  # decisions of which it was shown that they have no other values

    def advance(self) -> bool:
        """Go on to the next path; tell whether there is one."""
        while self.decisions:
            last = self.decisions[-1]
            if last.taken + 1 < len(last.values):
                last.taken += 1
                self.asked = min(self.asked, len(self.decisions))
                return True
            self.decisions.pop()
            self.asked = min(self.asked, len(self.decisions))
        return False


class _Inputs(SymbolicInputs):
    """The inputs of one run along a stack."""

    def __init__(self, table: SymbolTable, stack: _Stack, asked: Collection[str]) -> None:
        super().__init__(table, asked)
        self.stack = stack
        self.position = 0
        self.known: dict[str, int] = {}

    def take_way(self, truth: Symbol) -> bool:
        """Decide a truth value."""
        value = self._take(truth.name)
        if value not in (0, 1):
            raise InternalError("a truth value is neither 0 nor 1")
        return value == 1

    def take_value(self, number: Symbol) -> int:
        """Decide which value a number has."""
        return self._take(number.name)

    def _take(self, name: str) -> int:
        if name in self.known:
            return self.known[name]
        if self.position == len(self.stack.decisions):
            values = next(self.stack.rest, None)
            if values is None or len(set(values)) != len(values):
                raise InternalError("the proof ends before the paths do, or has a value twice")
            self.stack.decisions.append(_Decision(name, values))
        decision = self.stack.decisions[self.position]
        if decision.name != name:
            raise InternalError("a run goes on in another way on the same decisions")
        self.position += 1
        self.known[name] = decision.values[decision.taken]
        return self.known[name]


class _Paths:
    """All paths of a program, one after the other."""

    def __init__(self, proof: MemoryPaths, program: Program, targets: Sequence[Target], budget: Budget) -> None:
        self.proof = proof
        self.codes = Codes(program)
        self.strict: Strict = strict_kinds(targets) | frozenset(proof.strict)
        self.places = frozenset(target.place for target in targets if target.has_place)
        self.asked = [target for target in targets if not target.has_place]  # undefined steps that no run may come to
        self.sites, self.listed = Sites(program), site_kinds(self.asked)
        self.budget = budget
        self.table = SymbolTable()
        self.types: dict[str, Type] = {}
        self.solvers = Solvers(self.types, budget)
        self.lets: dict[str, Let] = {}
        self.entry: Place = program.threads[0], program.procedure(program.threads[0]).entry
        self.ends = Ends(budget)

    def walk(self) -> str:
        """Go through all of them; return who has answered."""
        stack = _Stack(iter(self.proof.decisions))
        count = 0
        while True:
            count += 1
            self._run(_Inputs(self.table, stack, self.proof.asked))
            self._show(stack)
            if not stack.advance():
                break
        if next(stack.rest, None) is not None or count != self.proof.paths:
            raise InternalError(f"the program has {count} paths, not {self.proof.paths}")
        return self.solvers.words or "runs"

    def _run(self, inputs: _Inputs) -> None:
        machine = Machine(self.codes, inputs, self.strict)
        fault = self.ends.fault_of(machine, lambda place: place in self.places)
        if fault is not None and any(is_asked(target, fault.kind, fault.span) for target in self.asked):
            raise InternalError(f"a run comes to an undefined step at line {fault.span.line}: {fault.message}")
        steps = [*machine.lapses, (fault.kind, fault.span)] if fault is not None else machine.lapses
        if why := self.sites.why_unlisted(self.listed, steps):
            raise InternalError(why)

    def _show(self, stack: _Stack) -> None:
        """Show that the decisions which this path has added have no other values."""
        at = stack.asked
        while at < len(stack.decisions):  # mutant: it would ask about no decision
            end = at
            # mutant(<, -): only how many decisions are asked about at once
            while end < len(stack.decisions) - 1 and len(stack.decisions[end].values) == 1:
                end += 1
            self._ask(stack.decisions[:at], stack.decisions[at : end + 1])
            at = end + 1
        stack.asked = len(stack.decisions)

    def _ask(self, before: list[_Decision], new: list[_Decision]) -> None:
        """Show that no run that has decided as before decides otherwise then.

        What was decided although nothing else was possible needs no mention; `new` has several values at its end alone.
        """
        others = [other for each in new if (other := self._others(each)) != FALSE]
        if not others:
            return
        whole = others[0]
        for other in others[1:]:
            whole = Binary(Operator.OR, whole, other)
        # mutant(>): what has one value alone was shown to have it
        facts = [_is(self.table, each.name, each.values[each.taken]) for each in before if len(each.values) > 1]
        steps: list[Step] = list(self._lets((*facts, whole)))
        steps += [Fact(TRUE, fact, Kind.CLAIMED) for fact in (*facts, whole)]
        works = FLOATS if any(isinstance(let.value, FloatTerm) for let in steps if isinstance(let, Let)) else NUMBERS
        self.solvers.prove([Obligation(self.entry, "no other branch is possible", tuple(steps), (), self.types)], works)

    def _others(self, decision: _Decision) -> Expr:
        """Return that a decision has a value that the proof does not name."""
        type = self.table.lines[decision.name].type
        if isinstance(type, Bool) and set(decision.values) >= {0, 1}:  # mutant(>=): a solver says so too
            return FALSE
        whole: Expr | None = None
        for value in decision.values:
            part = Not(_is(self.table, decision.name, value))
            whole = part if whole is None else Binary(Operator.AND, whole, part)
        assert whole is not None
        return whole

    def _lets(self, facts: Iterable[Expr]) -> list[Let]:
        """Return the definitions of all names that some facts need, each after those that it needs."""
        found: dict[str, Let] = {}
        done: set[str] = set()
        todo = [(name, False) for fact in facts for name in variables(fact)]
        while todo:
            name, ready = todo.pop()
            value, type = self.table.lines[name]
            if value is None:
                self.types[name] = type
            elif ready:
                found[name] = self._let(name, value, type)
            elif name not in done:
                done.add(name)
                todo.append((name, True))
                todo += [(other, False) for other in variables(value)]
        return list(found.values())

    def _let(self, name: str, value: Expr, type: Type) -> Let:
        if name not in self.lets:
            self.lets[name] = Let(name, type, value)
        return self.lets[name]


def _is(table: SymbolTable, name: str, value: int) -> Expr:
    """Return that a name has a value."""
    if isinstance(table.lines[name].type, Bool):
        return Var(name) if value else Not(Var(name))
    return Compare(Comparison.EQUAL, Var(name), Const(value))
