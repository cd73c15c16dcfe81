"""Threads in so many rounds as one sequential program, over variables of any type.

A. Lal and T. Reps, Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis (CAV 2008; Lal's thesis,
section 7.1).  A round gives each thread one turn, in their order.  Of every shared variable there is a copy for each
round; those of later rounds are guessed at the start, and each thread works on the copies of its round.  At the end a
copy must be what was guessed for the next round.  Differences: at a point a thread goes on to any later round at once,
so nothing is added that repeats itself; round R is none, and who comes there leaves all of its calls; who reaches a
target notes it and leaves too.  What is noted counts at the end alone.

Where main ends, all is over: nobody who comes after it in the order takes a step of that round or a later one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.records import dataclass, replace
from knaster.evidence.questions.question import Reach, Target
from knaster.program.algebra import conjunction, conjuncts, negation, substitute
from knaster.program.expression import (
    Choice,
    Compare,
    Comparison,
    Conditional,
    Const,
    Expr,
    Var,
    has_choice,
)
from knaster.program.model import Action, Assign, Assume, Call, Edge, Location, Place, Procedure, Program, Return
from knaster.program.types import BOOL, Bool, Int, Type, default
from knaster.transform.memory_threads.shared_edges import with_values
from knaster.transform.memory_threads.shared_program import SharedProgram, share, with_callers

ROUND, LAST, LIMIT, HIT = "#round", "#last round", "#limit", "#target"
FIRST = "#rounds"  # the procedure that lets the threads run
NUMBER = Int(8, False)
MOST = 100  # rounds


@dataclass(frozen=True, slots=True)
class RoundProgram:
    """The sequential program for threads and a number of rounds; what its targets stand for (None: unclear)."""

    shared: SharedProgram
    rounds: int
    program: Program
    targets: tuple[tuple[Target, Target | None], ...]

    @property
    def question(self) -> Reach:
        """What is asked of the sequential program."""
        return Reach(tuple(target for target, _ in self.targets))


def copy_of(variable: str, at: int) -> str:
    """Return the copy of a shared variable for a round."""
    return f"{variable} #{at}"


def guess_of(variable: str, at: int) -> str:
    """Return what was guessed for a variable and a round."""
    return f"{variable} #guess {at}"


def reduce_rounds(program: Program, asked: Sequence[Target], rounds: int) -> RoundProgram:
    """Return the sequential program for threads of a program with memory; raise `Refused` where there is none."""
    return in_rounds(share(program, asked), rounds)


def in_rounds(shared: SharedProgram, rounds: int) -> RoundProgram:
    """Return the sequential program for so many rounds, at least one."""
    return _Sequential(shared, rounds).make()


class _Sequential:
    """A sequential program while it is made."""

    def __init__(self, shared: SharedProgram, rounds: int) -> None:
        assert 1 <= rounds <= MOST
        self.shared = shared
        self.rounds = rounds
        self.types: dict[str, Type] = {name: BOOL for name in shared.program.globals} | dict(shared.program.types)
        self.now = {name: self._read(name) for name in shared.shared}
        self.codes: dict[Place, int] = {}
        for target, _ in shared.targets:
            self.codes.setdefault(target.place, len(self.codes) + 1)
        left = {name for name, points in shared.points.items() if points} | {name for name, _ in self.codes}
        self.leaving = with_callers(shared.program, left)  # whoever leaves for ever comes back from them in no round
        self.chosen: dict[str, Type] = {}

    def make(self) -> RoundProgram:
        """Return the program."""
        own, program = self.shared.shared, self.shared.program
        first, places = self._first()
        procedures = (first, *(_Body(self, procedure).make() for procedure in program.procedures))
        types = {name: type for name, type in self.types.items() if name not in own}
        for name in own:
            types |= {copy_of(name, at): self.types[name] for at in range(self.rounds)}
            types |= {guess_of(name, at): self.types[name] for at in range(1, self.rounds)}
        types |= dict.fromkeys((ROUND, LAST, LIMIT, HIT), NUMBER) | self.chosen
        start: Mapping[str, Expr] = {name: Var(copy_of(name, 0)) for name in own}
        init = conjunction([substitute(part, start) for part in conjuncts(program.init)])
        made = replace(
            program,
            globals=tuple(types),
            procedures=procedures,
            threads=(FIRST,),
            init=init,
            types=tuple((name, type) for name, type in types.items() if not isinstance(type, Bool)),
        )
        targets = tuple(
            (replace(target, procedure=FIRST, location=places[self.codes[target.place]]), original)
            for target, original in self.shared.targets
        )
        return RoundProgram(self.shared, self.rounds, made, targets)

    def _read(self, name: str) -> Expr:
        """Return what a shared variable is in the round of the thread that runs."""
        found: Expr = Var(copy_of(name, self.rounds - 1))
        for at in range(self.rounds - 2, -1, -1):
            found = Conditional(is_round(at), Var(copy_of(name, at)), found)
        return found

    def _first(self) -> tuple[Procedure, dict[int, Location]]:
        """Return the procedure that lets the threads run one after the other, and its places for what they note."""
        actions: list[Action] = []
        own = self.shared.shared
        guessed = [(name, at) for name in own for at in range(1, self.rounds)]
        if guessed:
            copies = tuple(copy_of(name, at) for name, at in guessed)
            actions += [
                Assign((copy,), (Choice(self.types[name]),)) for copy, (name, _) in zip(copies, guessed, strict=True)
            ]
            actions.append(Assign(tuple(guess_of(name, at) for name, at in guessed), tuple(map(Var, copies))))
        actions.append(Assign((LIMIT, HIT), (Const(self.rounds), Const(0))))
        for number, root in enumerate(self.shared.program.threads):
            results = self.shared.program.procedure(root).results
            actions += [Assign((ROUND,), (Const(0),)), Call(root, (), (None,) * len(results))]
            if number == 0:
                actions.append(Assign((LIMIT,), (Var(ROUND),)))
        actions += [
            Assume(Compare(Comparison.EQUAL, Var(copy_of(name, at - 1)), Var(guess_of(name, at))))
            for name, at in guessed
        ]
        edges = [Edge(at, action, at + 1) for at, action in enumerate(actions)]
        end, places = len(actions), {code: len(actions) + code for code in self.codes.values()}
        edges += [Edge(end, Assume(_equals(HIT, code)), place) for code, place in places.items()]
        last = end + len(places) + 1
        edges.append(Edge(end, Return(()), last))
        return Procedure(FIRST, (), (), (), 0, last, tuple(edges), failures=tuple(places.values())), places


def _equals(name: str, value: int) -> Expr:
    return Compare(Comparison.EQUAL, Var(name), Const(value))


def is_round(at: int) -> Expr:
    """Return that a thread runs in a round."""
    return _equals(ROUND, at)


class _Body:
    """A procedure of a thread while it is made; its locations keep their numbers."""

    def __init__(self, whole: _Sequential, procedure: Procedure) -> None:
        self.whole = whole
        self.procedure = procedure
        self.points = whole.shared.points[procedure.name]
        self.size = procedure.size
        self.edges: list[Edge] = []
        self.out: Location | None = None
        self.after: dict[Location, Location] = {}  # where a thread goes on after a point

    def make(self) -> Procedure:
        """Return the procedure."""
        for point in sorted(self.points):
            self._interrupt(point)
        for edge in self.procedure.edges:
            self._edge(edge, self.after.get(edge.source, edge.source))
        for (name, location), code in self.whole.codes.items():
            if name == self.procedure.name:
                self._note(location, code)
        edges = tuple(sorted(self.edges, key=lambda edge: edge.source))
        return replace(self.procedure, edges=edges, failures=(), labels=())

    def _new(self) -> Location:
        self.size += 1
        return self.size - 1

    def _add(self, source: Location, action: Action, target: Location | None = None) -> Location:
        after = self._new() if target is None else target
        self.edges.append(Edge(source, action, after, self.procedure.span))
        return after

    def _way_out(self) -> Location:
        """Return from where a thread leaves its activation and does nothing any more."""
        if self.out is None:
            self.out = self._new()
            types = dict(self.procedure.types)
            nothing = tuple(Const(default(types.get(name, BOOL))) for name in self.procedure.results)
            self._add(self.out, Return(nothing), self.procedure.exit)
        return self.out

    def _interrupt(self, point: Location) -> None:
        """Let a thread go on in this or a later round, or never."""
        here = self._add(point, Assign((LAST,), (Var(ROUND),)))
        here = self._add(here, Assign((ROUND,), (Choice(NUMBER),)))
        over = is_round(self.whole.rounds)
        self._add(here, Assume(over), self._way_out())
        here = self._add(here, Assume(negation(over)))
        later = Compare(Comparison.AT_MOST, Var(LAST), Var(ROUND))
        inside = Compare(Comparison.LESS, Var(ROUND), Var(LIMIT))
        self.after[point] = self._add(here, Assume(conjunction((later, inside))))

    def _note(self, location: Location, code: int) -> None:
        here = self._add(location, Assume(_equals(HIT, 0)))
        self._add(here, Assign((HIT, ROUND), (Const(code), Const(self.whole.rounds))), self._way_out())

    def _edge(self, edge: Edge, source: Location) -> None:
        action = with_values(edge.action, self.whole.now)
        if isinstance(action, Assign):
            self._assign(edge, source, action)
        elif isinstance(action, Call) and action.procedure in self.whole.leaving:
            here = self._new()
            self.edges.append(replace(edge, source=source, action=action, target=here))
            over = is_round(self.whole.rounds)
            self._add(here, Assume(over), self._way_out())
            self._add(here, Assume(negation(over)), edge.target)
        else:
            self.edges.append(replace(edge, source=source, action=action))

    def _assign(self, edge: Edge, source: Location, action: Assign) -> None:
        """Write copies of shared variables; an input waits in a variable of its own until it is known where to."""
        targets: list[str] = []
        values: list[Expr] = []
        late: list[tuple[str, Expr]] = []
        for name, value in zip(action.targets, action.values, strict=True):
            if name not in self.whole.now:
                targets.append(name)
                values.append(value)
            elif has_choice(value):
                waiting = f"#chosen {name}"
                self.whole.chosen[waiting] = self.whole.types[name]
                targets.append(waiting)
                values.append(value)
                late.append((name, Var(waiting)))
            else:
                self._write(targets, values, name, value)
        if not late:
            self.edges.append(replace(edge, source=source, action=Assign(tuple(targets), tuple(values))))
            return
        here = self._new()
        self.edges.append(replace(edge, source=source, action=Assign(tuple(targets), tuple(values)), target=here))
        targets, values = [], []
        for name, value in late:
            self._write(targets, values, name, value)
        self._add(here, Assign(tuple(targets), tuple(values)), edge.target)

    def _write(self, targets: list[str], values: list[Expr], name: str, value: Expr) -> None:
        for at in range(self.whole.rounds):
            copy = copy_of(name, at)
            targets.append(copy)
            values.append(value if self.whole.rounds == 1 else Conditional(is_round(at), value, Var(copy)))
