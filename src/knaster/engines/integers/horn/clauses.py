"""A program as Horn clauses: a relation for each place that ways lead to, and one for the calls.

    f@k (entry values, values now)    a call of f that began with the entry values can stand at k with these values
    f@bad (entry values)              bottom up: a call of f that begins with these values can reach a target
    f@in (entry values)               top down: some run calls f with these values

Bottom up a procedure is summarised whatever it is called with, and `bad` is what callers have to avoid; top down it is
summarised for the calls that happen.  What never changes in a procedure has one column; what is dead has none
(`program.liveness`).  A. Gurfinkel, T. Kahsai, A. Komuravelli and J. A. Navas, The SeaHorn Verification Framework (CAV
2015), section 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from knaster.engines.integers.inference.columns import columns
from knaster.program.effects import effects
from knaster.program.model import Location, Place
from knaster.smt.horn import Clauses
from knaster.smt.terms import Formula, State
from knaster.views.steps.chains import Inside, Way, Ways

GOAL = "goal"


class Encoding:
    """The clauses of a program, and what their relations mean."""

    def __init__(self, ways: Ways, clauses: Clauses, bounded: bool, down: bool) -> None:
        self.ways = ways
        self.blocks = ways.blocks
        self.program = ways.blocks.program
        self.clauses = clauses
        self.bounded = bounded  # say in every clause what the types say
        self.down = down
        self.main = self.program.threads[0]
        self.changed = {name: own.mod for name, own in effects(self.program).items()}
        self.columns = columns(self.program, ways.kept)
        self.entry = {name: self.blocks.copy(name, f"{name}~") for name in ways.kept}
        self.places: dict[str, Place] = {}  # by the name of a relation
        self.at: dict[Place, Any] = {}
        self.calls: dict[str, Any] = {}  # `bad` or `in`
        reaching = self._reaching()
        into = {(way.procedure, way.target) for way in ways.inner}
        for name, own in self.columns.items():
            given = [self.blocks.variables[name][column].value.sort() for column in own.entry]
            for location in own.now:
                if location != self.program.procedure(name).entry or (name, location) in into:
                    self._relation(name, location, given)
            if (own.entry or name != self.main) if down else name in reaching:
                self.calls[name] = clauses.relation(f"{name}@{'in' if down else 'bad'}", given)
        self.goal = clauses.relation(GOAL, ())
        self._add()

    def _relation(self, name: str, location: Location, given: list[Any]) -> None:
        label = f"{name}@{location}"
        self.places[label] = (name, location)
        sorts = [self.blocks.variables[name][column].value.sort() for column in self.columns[name].now[location]]
        self.at[name, location] = self.clauses.relation(label, [*given, *sorts])

    def _reaching(self) -> set[str]:
        """Return the procedures whose calls may reach a target, as far as the calls tell."""
        found = {way.procedure for way in self.ways.failing}
        callers: dict[str, set[str]] = {}
        for way in self.ways.entering:
            assert way.entered is not None
            callers.setdefault(way.entered.call.callee, set()).add(way.procedure)
        todo = sorted(found)
        while todo:
            for caller in sorted(callers.get(todo.pop(), ())):
                if caller not in found:
                    found.add(caller)
                    todo.append(caller)
        return found

    def _add(self) -> None:
        """Add the clauses."""
        for name in self.columns:
            entry = self.program.procedure(name).entry
            if (name, entry) in self.at:
                self._rule(name, (), self._stands(name, entry, self.blocks.variables[name]), self._begun(name))
        for way in self.ways.inner:
            self._way(way, self._stands(way.procedure, way.target, way.state))
        for way in self.ways.failing:
            if self.down:
                self._way(way, self.goal())
            elif way.procedure in self.calls:
                self._way(way, self._called(way.procedure))
        for way in self.ways.entering:
            self._entering(way)
        start = self.blocks.variables[self.main]
        begins = [*self.blocks.start(), *self.blocks.ranges(start)]
        if self.down and self.main in self.calls:
            self._rule(self.main, (), self.calls[self.main](*self._values(self.main, start)), begins)
        if not self.down and self.main in self.calls:
            bad = self.calls[self.main](*self._values(self.main, start))
            self._rule(self.main, (), self.goal(), [bad, *begins])

    def _entering(self, way: Way) -> None:
        assert way.entered is not None
        callee = way.entered.call.callee
        if callee not in self.calls:
            return
        there = self.calls[callee](*self._values(callee, way.entered.given))
        if self.down:
            self._way(way, there)
        elif way.procedure in self.calls:
            self._way(way, self._called(way.procedure), [there])

    def _way(self, way: Way, head: Formula, more: Iterable[Formula] = ()) -> None:
        """Add a clause for a way."""
        here = (way.procedure, way.source)
        if here in self.at:
            body = [self._stands(*here, self.blocks.variables[way.procedure]), *self._types(way.procedure)]
        else:
            body = self._begun(way.procedure)
        free = list(way.free)
        for inside in way.calls:
            body += self._returned(inside)
            free += [term.value for term in inside.leave.values()]
        self._rule(way.procedure, free, head, [*body, *way.guard, *more])

    def _returned(self, inside: Inside) -> list[Formula]:
        """Return what holds after a call that returned."""
        name = inside.call.callee
        place = (name, self.program.procedure(name).exit)
        own = self.columns[name]
        if place not in self.at:
            return [self.goal() == self.goal()]
        now = [inside.leave[column] for column in own.now[place[1]]]
        ended = self.at[place](*self._values(name, inside.given), *(term.value for term in now))
        kept = [g for g in self.program.globals if g not in self.changed[name]]
        same = [inside.leave[g].value == inside.given[g].value for g in kept]
        ranges = [fact for term in now for fact in self.blocks.translation.numbers.within(term)]
        return [ended, *same, *(ranges if self.bounded else [])]

    def _begun(self, name: str) -> list[Formula]:
        """Return what holds at the entry of a procedure: what is given has its entry value, and the rest any."""
        variables, entry, own = self.blocks.variables[name], self.entry[name], self.columns[name]
        same = [variables[column].value == entry[column].value for column in own.entry if column not in own.rigid]
        body = [*same, *self.blocks.ranges(variables)]
        if self.down and name in self.calls:
            body.insert(0, self._called(name))
        if name == self.main and not own.entry:
            body += self.blocks.start()
        return body

    def _stands(self, name: str, location: Location, state: State) -> Formula:
        """Return the fact that a call stands at a location in a state."""
        given = [self._given(name, column) for column in self.columns[name].entry]
        now = self.columns[name].now[location]
        return self.at[name, location](*given, *(state[column].value for column in now))

    def _called(self, name: str) -> Formula:
        return self.calls[name](*(self._given(name, column) for column in self.columns[name].entry))

    def _values(self, name: str, state: State) -> list[Formula]:
        return [state[column].value for column in self.columns[name].entry]

    def _given(self, name: str, column: str) -> Formula:
        rigid = column in self.columns[name].rigid
        return (self.blocks.variables if rigid else self.entry)[name][column].value

    def _rule(self, name: str, free: Iterable[Formula], head: Formula, body: list[Formula]) -> None:
        self.clauses.rule([*self._own(name), *free], head, body)

    def _own(self, name: str) -> Iterator[Formula]:
        yield from (term.value for term in self.blocks.variables[name].values())
        yield from (term.value for term in self.entry[name].values())

    def _types(self, name: str) -> list[Formula]:
        """Return what the types say of the state before a step, where clauses are to say it."""
        return self.blocks.ranges(self.blocks.variables[name]) if self.bounded else []
