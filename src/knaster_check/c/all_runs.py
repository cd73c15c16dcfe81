"""All runs of a program that reads few inputs: they are walked through, from call to call, until nothing new comes.

A value that is not known is `ANY`: what was never written, an input with many values, and the variables that the proof
calls dead at a location, which it forgets there.  A condition over `ANY` passes, so that whatever the proof calls dead,
no run is missed.  Each activation is walked once for its globals and arguments.  The states at calls and exits have to
be those of the proof.  No target is passed; where no way leads back to where it was, every run ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, NoReturn

from knaster_check.c.claims import expect_plain, read_place
from knaster_check.c.nodes import choices
from knaster_check.c.walk import formulas_of
from knaster_check.evaluate import UNDEFINED, belongs, outcomes
from knaster_check.formula import read_value
from knaster_check.graphs import components
from knaster_check.program import TRUE, Assign, Assume, Call, Edge, Formula, Program, Return, Target, Type, Value
from knaster_check.refused import Refused, Unsupported, expect, list_of, object_with
from knaster_check.steps import type_of
from knaster_check.table import Tick, Verdict

Values = tuple[Value, ...]
Context = tuple[str, Values]  # a procedure, its globals and arguments
Key = tuple[str, Values, int, Values]  # a context, a location, and the values in scope
MOST = 300  # values of an input that are tried
MOST_STATES = 200_000  # that are walked: a run without end would take all memory


class _Any:
    def __repr__(self) -> str:
        return "any"


ANY = _Any()


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run reaches a target; without targets, that every run ends."""
    expect_plain(program)
    data = object_with(document["runs"], ("states", "dead"), "'runs'")
    walk = Runs(program, data, {(target.procedure, target.location) for target in targets}, tick)
    walk.run()
    answered = {"walked": len(walk.ways)}
    if targets:
        return Verdict("unreachable", targets, answered=answered)
    if components(walk.ways):
        walk.refuse("a run may come back to where it was, so not every run ends")
    return Verdict("ends", answered=answered)


class Runs:
    """The walk through all runs: `ways` has what follows what."""

    def __init__(self, program: Program, data: Mapping[str, Any], targets: set[tuple[str, int]], tick: Tick) -> None:
        self.program = program
        self.targets = targets
        self.tick = tick
        self.ways: dict[Key, list[Key]] = {}
        self.exits: dict[Context, list[Values]] = {}
        self.callers: dict[Context, set[Key]] = {}
        self.todo: list[Key] = []
        self.unsure = False  # a condition over `ANY` has passed
        self.leaving: dict[tuple[str, int], list[Edge]] = {}
        self.scopes = {name: program.scope(procedure) for name, procedure in program.procedures.items()}
        for name, procedure in program.procedures.items():
            expect(procedure.enforce == TRUE, "'enforce' is nothing for runs of C", f"'{name}'")
            for edge in procedure.edges:
                self.leaving.setdefault((name, edge.source), []).append(edge)
        self.dead: dict[tuple[str, int], frozenset[str]] = {}
        for row in list_of(data["dead"], "dead variables"):
            name, location, names = list_of(row, "dead variables", 3)
            self.dead[read_place(name, location, program)] = frozenset(list_of(names, "dead variables"))
        self.said: dict[tuple[str, int], set[tuple[Values, Values]]] = {}
        for row in list_of(data["states"], "states"):
            name, given, location, now = list_of(row, "a state", 4)
            place, values = (
                read_place(name, location, program),
                self._of_scope(name, read_value(list_of(now, "values"))),
            )
            entered = read_value(list_of(given, "values"))
            self.said.setdefault(place, set()).add((entered, self._forget(place, values)))

    def _of_scope(self, name: str, values: Values) -> Values:
        expect(len(values) == len(self.scopes[name]), "a state has more or fewer values than variables", f"'{name}'")
        return values

    def _forget(self, place: tuple[str, int], values: Values) -> Values:
        dead = self.dead.get(place, frozenset())
        return tuple(ANY if name in dead else value for name, value in zip(self.scopes[place[0]], values, strict=True))

    def refuse(self, reason: str, place: str = "") -> NoReturn:
        """Refuse the proof; where a condition over `ANY` has passed, only say that nothing is known."""
        raise (Unsupported if self.unsure else Refused)(reason, place)

    def run(self) -> None:
        """Walk until nothing new comes."""
        main = self.program.procedures[self.program.threads[0]]
        begun = dict(_equalities(self.program.init))
        shared = tuple(begun.get(name, ANY) for name in self.program.globals)
        self._expect_types(main.name, self.program.globals, shared)
        expect(not main.parameters, "the first procedure has parameters")
        self._enter(main.name, shared)
        while self.todo:
            self.tick()
            key = self.todo.pop()
            self.ways[key] = list(dict.fromkeys(self._following(key)))

    def _arrive(self, context: Context, location: int, values: Values) -> Key:
        """Return a state at a location; note it where it is new."""
        place = context[0], location
        key = (*context, location, self._forget(place, values))
        if key in self.ways:
            return key
        if place in self.targets:
            self.refuse(f"a run may reach location {location}, which is a target", f"'{place[0]}'")
        meets = any(isinstance(edge.action, Call) for edge in self.leaving.get(place, ()))
        if meets or location in (self.program.procedures[place[0]].entry, self.program.procedures[place[0]].exit):
            self._expect_said(key)
        if len(self.ways) >= MOST_STATES:
            raise Unsupported("there are too many states", f"'{place[0]}'")
        self.ways[key] = []
        self.todo.append(key)
        if location == self.program.procedures[place[0]].exit:
            self.exits.setdefault(context, []).append(key[3])
            self.todo += self.callers.get(context, ())
        return key

    def _expect_said(self, key: Key) -> None:
        """Refuse where a state at an entry, a call or an exit is none of the proof's.

        What is dead at a call may be alive in the callee, for another caller: there it is `ANY`, whatever is said.
        """
        name, given, location, values = key
        said = self.said.get((name, location), set())
        if (given, values) not in said and not any(_covers(given, one) and _covers(values, two) for one, two in said):
            self.refuse(f"the proof leaves out a state at location {location}", f"'{name}'")

    def _enter(self, name: str, given: Values) -> Key:
        procedure = self.program.procedures[name]
        known = dict(zip((*self.program.globals, *procedure.parameters), given, strict=True))
        values = tuple(known.get(each, ANY) for each in self.scopes[name])
        return self._arrive((name, given), procedure.entry, values)

    def _following(self, key: Key) -> Iterator[Key]:
        name, given, location, values = key
        state = dict(zip(self.scopes[name], values, strict=True))
        for edge in self.leaving.get((name, location), ()):
            if isinstance(edge.action, Call):
                yield from self._call(key, edge, edge.action, state)
                continue
            for after in self._step(name, edge, state):
                yield self._arrive((name, given), edge.target, after)

    def _call(self, key: Key, edge: Edge, call: Call, state: Mapping[str, Value]) -> Iterator[Key]:
        """Yield the entry of a call, and what follows where it returns."""
        callee = self.program.procedures[call.procedure]
        for inputs in self._inputs(key[0], edge):
            passed = self._evaluate(call.arguments, state, inputs)
            if passed is None:
                continue
            self._expect_types(call.procedure, callee.parameters, passed)
            context = callee.name, (*(state[name] for name in self.program.globals), *passed)
            yield self._enter(*context)
            self.callers.setdefault(context, set()).add(key)
            for end in self.exits.get(context, ()):
                left = dict(zip(self.scopes[callee.name], end, strict=True))
                after = {**state, **{name: left[name] for name in self.program.globals}}
                pairs = zip(call.targets, callee.results, strict=False)
                after |= {target: left[result] for target, result in pairs if target is not None}
                written = [target for target in call.targets if target is not None]
                self._expect_types(key[0], written, [after[target] for target in written])
                yield self._arrive(key[:2], edge.target, tuple(after[name] for name in self.scopes[key[0]]))

    def _step(self, name: str, edge: Edge, state: Mapping[str, Value]) -> Iterator[Values]:
        """Yield the values after an edge that is no call."""
        action = edge.action
        some = action.values if isinstance(action, Assign | Return) else formulas_of(edge)
        for inputs in self._inputs(name, edge):
            values = self._evaluate(some, state, inputs)
            if values is None:
                continue
            after = dict(state)
            match action:
                case Assume():
                    if values[0] is False:
                        continue
                    self.unsure = self.unsure or values[0] is ANY  # mutant: refused or not decided, it is not believed
                case Assign(targets, _, constraint):
                    if constraint != TRUE:
                        raise Unsupported("a constraint is nothing for runs of C", f"'{name}', line {edge.line}")
                    after |= dict(zip(targets, values, strict=True))
                    self._expect_types(name, targets, values)
                case Return():
                    results = self.program.procedures[name].results
                    after |= dict(zip(results, values, strict=True))
                    self._expect_types(name, results, values)
                case _:
                    raise Unsupported("a statement is nothing for runs of C", f"'{name}', line {edge.line}")
            yield tuple(after[each] for each in self.scopes[name])

    def _expect_types(self, name: str, names: Iterable[str], values: Iterable[Value]) -> None:
        procedure = self.program.procedures[name]
        for each, value in zip(names, values, strict=True):
            known = value is ANY or belongs(value, type_of(self.program, procedure, each))
            expect(known, f"{value!r} is no value of '{each}'", f"'{name}'")

    def _evaluate(self, some: Iterable[Formula], state: Mapping[str, Value], inputs: Values) -> Values | None:
        """Return the values of formulas; `ANY` where they read something that is; None where one is undefined."""
        left, found = list(inputs), []
        for formula in some:
            own = [left.pop(0) for _ in choices([formula])]
            if any(node[0] == "variable" and state[node[1]] is ANY for node in formula) or ANY in own:
                found.append(ANY)
                continue
            (value,) = outcomes(formula, state, iter(own))
            if value is UNDEFINED:
                return None
            found.append(value)
        return tuple(found)

    def _inputs(self, name: str, edge: Edge) -> Iterator[Values]:
        """Yield the inputs of an edge; `ANY` for those with many values, and where what is written is forgotten."""
        action, dead = edge.action, self.dead.get((name, edge.target), frozenset())
        # mutant(<=): what is forgotten may be told apart as well
        forgotten = isinstance(action, Assign) and set(action.targets) <= dead
        types = choices(formulas_of(edge))
        yield from product(*((ANY,) if forgotten else _values(type) for type in types))


def _covers(values: Values, said: Values) -> bool:
    """Tell whether some values are those that are said, as far as they are known."""
    return len(values) == len(said) and all(one is ANY or one == two for one, two in zip(values, said, strict=True))


def _values(type: Type) -> Iterable[Value]:
    match type:
        case ("bool",):
            return (False, True)
        case ("int", int(width), signed) if 1 << width <= MOST:
            low = -(1 << width - 1) if signed else 0
            return range(low, low + (1 << width))
    return (ANY,)


def _equalities(init: Formula) -> Iterator[tuple[str, Value]]:
    """Yield what a conjunction of equalities says of globals; what else it says is not used."""
    stack: list[list[tuple[str, Value]]] = []
    for node in init:
        match node:
            case ("truth" | "number" | "value", value):
                stack.append([("", value)])
            case ("variable", name):
                stack.append([(name, ANY)])
            case ("compare", "=="):
                right, left = stack.pop(), stack.pop()
                stack.append([(left[0][0], right[0][1])] if len(left) == len(right) == 1 else [])
            case ("logic", "&"):
                right, left = stack.pop(), stack.pop()
                stack.append([*left, *right])
            case _:
                return
    yield from stack[0] if len(stack) == 1 else ()  # the name of a constant is empty, the value of a variable `ANY`
