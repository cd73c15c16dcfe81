"""The check of a run that never ends: a stem is replayed, then a cycle that leads back to where it can be repeated.

It can be repeated where it comes back to the same place with the same values of all that decides whether it can be
taken, and of what they are computed from (`Needs`): then the same inputs lead through the same steps again.  A cycle
that ends in an activation further up the stack never returns from the one in which it began, so what is below does not
matter.  A run that violates a formula has a word on which that does not hold (`temporal.words`); it may have ended.
Over unbounded data the states may differ: they are in a set from which a run can always come back into it
(`c.recurrence`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from knaster_check.evaluate import outcomes
from knaster_check.fitting import formulas
from knaster_check.formula import read_formula, read_value
from knaster_check.paths import Path, enter, replay_paths
from knaster_check.program import Action, Assign, Call, Formula, Procedure, Program, Return, Target
from knaster_check.refused import expect, list_of, number_of, object_with, text_of, truth_of
from knaster_check.steps import agree, check_start, writes
from knaster_check.table import Tick, Verdict

_FIELDS = ("paths", "stem", "cycle", "deeper", "set", "inputs", "others")
_MORE = (("written",), ("formula", "stays"))
_DEEP = 200  # calls in calls; what is deeper is taken to need everything


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that a run never ends."""
    expect(not targets, "a run that never ends excludes no target")
    expect(program.kind != "references" and not program.is_threaded, "it is a run of one thread without references")
    data = document["lasso"]
    more = [name for names in _MORE if set(names) & data.keys() for name in names]
    object_with(data, (*_FIELDS, *more), "'lasso'")
    expect(data.get("written", True) is True, "'written' is no truth value")
    paths = replay_paths(program, data["paths"], "written" in data, tick)
    numbers = {part: _numbers(data[part], len(paths)) for part in ("stem", "cycle")}
    stem, cycle = ([paths[number] for number in numbers[part]] for part in ("stem", "cycle"))
    for part in (stem, cycle):
        _check_chain(program, part)
    _check_begin(program, stem, cycle)
    if "formula" in data:
        return _check_violation(program, data, stem, cycle, numbers["cycle"])
    _check_end(stem, cycle)
    expect(truth_of(data["deeper"], "'deeper'") is (len(cycle) > 1), "the cycle is wrong about the stack")
    answered = {"replayed": sum(path.length for path in (*stem, *cycle))}
    if data["set"] is None:
        expect(not data["inputs"] and not data["others"], "there is more about a set, and no set")
        Needs(program, data["paths"]).check_again(cycle, numbers["cycle"])
        return Verdict("endless", answered=answered)
    return Verdict("endless", answered={**answered, **_check_sets(program, data, cycle, tick)})


def _numbers(data: object, count: int) -> list[int]:
    found = [number_of(number, "a path", count) for number in list_of(data, "a part of a lasso")]
    expect(bool(found), "a part of a lasso has no path")
    return found


def _check_chain(program: Program, paths: Sequence[Path]) -> None:
    """Refuse paths of which one does not call the next."""
    for path, following in pairwise(paths):
        expect(path.calling is not None, "a path ends without a call, and another one follows")
        assert path.calling is not None and isinstance(path.calling.action, Call)
        enter(program, path.state, path.calling.action, following, path.inputs)
    expect(paths[-1].calling is None, "a run ends with a call that nobody enters")


def _check_begin(program: Program, stem: Sequence[Path], cycle: Sequence[Path]) -> None:
    first, last, begin = stem[0], stem[-1], cycle[0]
    expect(first.procedure.name == program.threads[0] and first.begin is None, "the run starts elsewhere")
    check_start(program, first.procedure, first.start, True)
    location = begin.procedure.entry if begin.begin is None else begin.begin
    place = (last.procedure, last.location)
    expect((begin.procedure, location) == place and begin.start == last.state, "the cycle begins elsewhere")


def _check_end(stem: Sequence[Path], cycle: Sequence[Path]) -> None:
    place = (stem[-1].procedure, stem[-1].location)
    expect((cycle[-1].procedure, cycle[-1].location) == place, "the cycle ends elsewhere")
    expect(any(path.length for path in cycle), "the cycle has no step")


def _check_violation(
    program: Program, data: Mapping[str, Any], stem: Sequence[Path], cycle: Sequence[Path], numbers: Sequence[int]
) -> Verdict:
    """Return that a formula does not hold on a run."""
    from knaster_check.temporal.formula import atoms, normal_form, read_formula
    from knaster_check.temporal.letters import letter, meaning_of
    from knaster_check.temporal.path_letters import letters_of
    from knaster_check.temporal.words import holds

    text = text_of(data["formula"], "the formula")
    formula = read_formula(text)
    meanings = {atom: meaning_of(program, atom) for atom in atoms(formula)}
    expect((data["set"], data["inputs"], data["others"]) == (None, [], []), "states that are not known have no letters")
    around = letters_of(program, cycle, meanings)
    if truth_of(data["stays"], "'stays'"):
        last = stem[-1]
        ended = (len(stem) == 1 and last.location == last.procedure.exit) or last.location in last.procedure.failures
        expect(ended and not around and not data["deeper"], "the run stays and has not ended")
        around = [letter(meanings, [], {name: last.state[name] for name in program.globals}, True)]
    else:
        _check_end(stem, cycle)
        expect(truth_of(data["deeper"], "'deeper'") is (len(cycle) > 1), "the cycle is wrong about the stack")
        conditions = [meaning.condition for meaning in meanings.values() if meaning.condition is not None]
        Needs(program, data["paths"], names_in(conditions)).check_again(cycle, numbers)
    violated = holds(normal_form(formula, False), letters_of(program, stem, meanings), around)
    expect(violated, "the formula holds on the run")
    answered = {"replayed": sum(path.length for path in (*stem, *cycle))}
    return Verdict("violated", answered=answered, formula=text)


def _check_sets(program: Program, data: Mapping[str, Any], cycle: Sequence[Path], tick: Tick) -> Mapping[str, int]:
    """Return who has answered that the sets of a lasso are recurrent."""
    from knaster_check.c.claims import read_place
    from knaster_check.c.recurrence import Recurrence
    from knaster_check.c.solvers import Solvers

    expect(program.kind == "integers", "it speaks of integers, and the program has none")
    formula, name = read_formula(data["set"], "a set"), cycle[0].procedure.name
    for state in (cycle[0].start, cycle[-1].state):
        expect(list(outcomes(formula, state)) == [True], "the cycle leaves the set")
    sets = {(name, cycle[-1].location): formula}
    for row in list_of(data["others"], "sets"):
        own, location, other = list_of(row, "a set", 3)
        place = read_place(own, location, program)
        expect(place not in sets, "there are two sets at one place", f"'{own}'")
        sets[place] = read_formula(other, "a set")
    given = {}
    for row in list_of(data["inputs"], "inputs"):
        edge, value = list_of(row, "an input", 2)
        given[name, number_of(edge, "an input", len(program.procedures[name].edges))] = read_value(value)
    solvers = Solvers(tick)
    for obligation in Recurrence(program, sets, given, tick).obligations():
        solvers.refute(obligation)
    return solvers.answered


class Needs:
    """Which values decide that a recorded run can be taken again, from its last step back to the first."""

    def __init__(self, program: Program, rows: Sequence[Any], observed: Iterable[str] = ()) -> None:
        self.program = program
        self.rows = rows
        self.observed = frozenset(observed)  # globals that have to agree before every step
        self.known: dict[tuple[int, frozenset[str]], set[str]] = {}

    def check_again(self, cycle: Sequence[Path], numbers: Sequence[int]) -> None:
        """Refuse a cycle that cannot be taken again as it was."""
        agrees = agree(cycle[0].start, cycle[-1].state, self.of_cycle(numbers))
        expect(agrees, "the cycle ends in another state")

    def of_cycle(self, numbers: Sequence[int]) -> set[str]:
        """Return some variables: where two states agree on them, both can take the cycle, and agree on them again."""
        needed: set[str] = set()
        while True:
            before = self._before_path(numbers[-1], needed)
            for number in reversed(numbers[:-1]):
                before = self._before_path(number, before)
            if before <= needed:
                return needed
            needed |= before

    def _before_path(self, number: int, after: Iterable[str], depth: int = 0) -> set[str]:
        """Return what has to agree before a path; `after` speaks of its end, or of the entry that it calls last."""
        key = number, frozenset(after)
        if key not in self.known:
            procedure, steps = self.program.procedures[self.rows[number][0]], self.rows[number][3]
            enforced, needed = self.observed.union(names_in([procedure.enforce])), set(after)
            for edge, _, inside, *_ in reversed(steps):
                needed = self._before(procedure, procedure.edges[edge].action, inside, needed, depth) | enforced
            self.known[key] = needed | enforced
        return self.known[key]

    def _before(
        self, procedure: Procedure, action: Action, inside: int | None, needed: set[str], depth: int
    ) -> set[str]:
        if isinstance(action, Call):
            return self._before_call(action, inside, needed, depth)
        if not isinstance(action, Assign | Return):
            return needed | set(names_in(formulas(action)))
        targets, values, constraint = writes(procedure, action)
        primed = set(names_in([constraint], "next"))
        found = (needed | primed).difference(targets) | set(names_in([constraint]))
        for target, value in zip(targets, values, strict=True):
            if target in needed | primed or _may_be_undefined(value):
                found |= set(names_in([value]))
        return found

    def _before_call(self, call: Call, inside: int | None, needed: set[str], depth: int) -> set[str]:
        callee, shared = self.program.procedures[call.procedure], set(self.program.globals)
        pairs = list(zip(call.targets, callee.results, strict=False))
        written = {target for target, _ in pairs if target is not None}
        rest: set[str] = set()
        entry = needed  # of a call that the next path enters
        if inside is not None:
            rest = needed - shared - written
            left = needed & shared - written | {result for target, result in pairs if target in needed}
            # mutant(<, +): how deep it looks; what is deeper needs everything
            entry = self._before_path(inside, left, depth + 1) if depth < _DEEP else {*shared, *callee.parameters}
        arguments = zip(callee.parameters, call.arguments, strict=True)
        used = [value for name, value in arguments if name in entry or _may_be_undefined(value)]
        return rest | entry & shared | set(names_in(used))


def _may_be_undefined(formula: Formula) -> bool:
    partial = ("/", "%", "<<", ">>")
    return any(
        node[0] in ("element", "updated") or (node[0] == "arithmetic" and node[1] in partial) for node in formula
    )


def names_in(some: Iterable[Formula], head: str = "variable") -> Iterator[str]:
    """Yield the variables of which some formulas speak."""
    return (node[1] for formula in some for node in formula if node[0] == head)
