"""Encodes the chains of a program as Horn clauses: a relation for each kept point, and one for the calls.

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
from knaster.views.steps.chains import CallLink, Chain, Chains

GOAL = "goal"


class Encoding:
    """The clauses of a program, and what their relations mean."""

    def __init__(self, chains: Chains, clauses: Clauses, bounded: bool, down: bool) -> None:
        self.chains = chains
        self.formulas = chains.formulas
        self.program = chains.formulas.program
        self.clauses = clauses
        self.bounded = bounded  # say in every clause what the types say
        self.down = down
        self.main = self.program.threads[0]
        self.changed = {name: own.mod for name, own in effects(self.program).items()}
        self.columns = columns(self.program, chains.kept)
        self.entry = {name: self.formulas.copy(name, f"{name}~") for name in chains.kept}
        self.places: dict[str, Place] = {}  # by the name of a relation
        self.at: dict[Place, Any] = {}
        self.calls: dict[str, Any] = {}  # `bad` or `in`
        reaching = self._find_reaching()
        into = {(chain.procedure, chain.target) for chain in chains.staying}
        for name, own in self.columns.items():
            given = [self.formulas.variables[name][column].value.sort() for column in own.entry]
            for location in own.now:
                if location != self.program.procedure(name).entry or (name, location) in into:
                    self._add_relation(name, location, given)
            if (own.entry or name != self.main) if down else name in reaching:
                self.calls[name] = clauses.relation(f"{name}@{'in' if down else 'bad'}", given)
        self.goal = clauses.relation(GOAL, ())
        self._add()

    def _add_relation(self, name: str, location: Location, given: list[Any]) -> None:
        label = f"{name}@{location}"
        self.places[label] = (name, location)
        sorts = [self.formulas.variables[name][column].value.sort() for column in self.columns[name].now[location]]
        self.at[name, location] = self.clauses.relation(label, [*given, *sorts])

    def _find_reaching(self) -> set[str]:
        """Return the procedures whose calls may reach a target, as far as the calls tell."""
        found = {chain.procedure for chain in self.chains.failing}
        callers: dict[str, set[str]] = {}
        for chain in self.chains.entering:
            assert chain.entered is not None
            callers.setdefault(chain.entered.call.callee, set()).add(chain.procedure)
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
                self._add_rule(
                    name, (), self._place_fact(name, entry, self.formulas.variables[name]), self._facts_at_entry(name)
                )
        for chain in self.chains.staying:
            self._add_chain(chain, self._place_fact(chain.procedure, chain.target, chain.state))
        for chain in self.chains.failing:
            if self.down:
                self._add_chain(chain, self.goal())
            elif chain.procedure in self.calls:
                self._add_chain(chain, self._call_fact(chain.procedure))
        for chain in self.chains.entering:
            self._add_entering(chain)
        start = self.formulas.variables[self.main]
        begins = [*self.formulas.start(), *self.formulas.ranges(start)]
        if self.down and self.main in self.calls:
            self._add_rule(self.main, (), self.calls[self.main](*self._entry_values(self.main, start)), begins)
        if not self.down and self.main in self.calls:
            bad = self.calls[self.main](*self._entry_values(self.main, start))
            self._add_rule(self.main, (), self.goal(), [bad, *begins])

    def _add_entering(self, chain: Chain) -> None:
        assert chain.entered is not None
        callee = chain.entered.call.callee
        if callee not in self.calls:
            return
        there = self.calls[callee](*self._entry_values(callee, chain.entered.given))
        if self.down:
            self._add_chain(chain, there)
        elif chain.procedure in self.calls:
            self._add_chain(chain, self._call_fact(chain.procedure), [there])

    def _add_chain(self, chain: Chain, head: Formula, more: Iterable[Formula] = ()) -> None:
        """Add a clause for a chain."""
        here = (chain.procedure, chain.source)
        if here in self.at:
            body = [
                self._place_fact(*here, self.formulas.variables[chain.procedure]),
                *self._type_facts(chain.procedure),
            ]
        else:
            body = self._facts_at_entry(chain.procedure)
        free = list(chain.free)
        for link in chain.calls:
            body += self._facts_after_call(link)
            free += [term.value for term in link.leave.values()]
        self._add_rule(chain.procedure, free, head, [*body, *chain.guard, *more])

    def _facts_after_call(self, link: CallLink) -> list[Formula]:
        """Return what holds after a call that returned."""
        name = link.call.callee
        place = (name, self.program.procedure(name).exit)
        own = self.columns[name]
        if place not in self.at:
            return [self.goal() == self.goal()]
        now = [link.leave[column] for column in own.now[place[1]]]
        ended = self.at[place](*self._entry_values(name, link.given), *(term.value for term in now))
        kept = [g for g in self.program.globals if g not in self.changed[name]]
        same = [link.leave[g].value == link.given[g].value for g in kept]
        ranges = [fact for term in now for fact in self.formulas.translation.numbers.within(term)]
        return [ended, *same, *(ranges if self.bounded else [])]

    def _facts_at_entry(self, name: str) -> list[Formula]:
        """Return what holds at the entry of a procedure: what is given has its entry value, and the rest any."""
        variables, entry, own = self.formulas.variables[name], self.entry[name], self.columns[name]
        same = [variables[column].value == entry[column].value for column in own.entry if column not in own.rigid]
        body = [*same, *self.formulas.ranges(variables)]
        if self.down and name in self.calls:
            body.insert(0, self._call_fact(name))
        if name == self.main and not own.entry:
            body += self.formulas.start()
        return body

    def _place_fact(self, name: str, location: Location, state: State) -> Formula:
        """Return the fact that a call stands at a location in a state."""
        given = [self._entry_term(name, column) for column in self.columns[name].entry]
        now = self.columns[name].now[location]
        return self.at[name, location](*given, *(state[column].value for column in now))

    def _call_fact(self, name: str) -> Formula:
        return self.calls[name](*(self._entry_term(name, column) for column in self.columns[name].entry))

    def _entry_values(self, name: str, state: State) -> list[Formula]:
        return [state[column].value for column in self.columns[name].entry]

    def _entry_term(self, name: str, column: str) -> Formula:
        rigid = column in self.columns[name].rigid
        return (self.formulas.variables if rigid else self.entry)[name][column].value

    def _add_rule(self, name: str, free: Iterable[Formula], head: Formula, body: list[Formula]) -> None:
        self.clauses.rule([*self._variables_of(name), *free], head, body)

    def _variables_of(self, name: str) -> Iterator[Formula]:
        yield from (term.value for term in self.formulas.variables[name].values())
        yield from (term.value for term in self.entry[name].values())

    def _type_facts(self, name: str) -> list[Formula]:
        """Return what the types say of the state before a step, where clauses are to say it."""
        return self.formulas.ranges(self.formulas.variables[name]) if self.bounded else []
