"""Invariants: what has to be true so that no run reaches a target.

R. W. Floyd, Assigning Meanings to Programs (1967); C. A. R. Hoare, Procedures and Parameters (1971).  What the first
procedure requires holds at the start; what a procedure requires implies what is said of its entry; from each place what
is said of the next ones holds, what a callee requires holds where it is called, and no target is passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from knaster_check.c.claims import Claims, expect_plain, expect_truth, read_claims
from knaster_check.c.nodes import FALSE, TRUE, Node, all_of, build, negate
from knaster_check.c.solvers import Solvers
from knaster_check.c.walk import Arrival, Region, State, Walk
from knaster_check.program import Program, Target
from knaster_check.refused import expect
from knaster_check.table import Tick, Verdict


class Obligation(NamedTuple):
    """A condition that must be impossible, and what is wrong where it is not."""

    wrong: Node
    place: str
    why: str


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run reaches a target."""
    expect_plain(program)
    expect(bool(targets), "the proof excludes no target")
    expect(all(target.procedure for target in targets), "invariants exclude places, and a target has none")
    claims = read_claims(document["invariants"], program)
    solvers = Solvers(tick)
    for obligation in Invariants(claims, tick).obligations(targets):
        solvers.refute(obligation)
    return Verdict("unreachable", targets, answered=solvers.answered)


class Invariants:
    """The obligations of invariants."""

    def __init__(self, claims: Claims, tick: Tick) -> None:
        self.claims = claims
        self.program = claims.program
        self.walk = Walk(claims.program, claims.requires, tick)
        self.walk.returns = lambda callee, given, left: self.claims.invariant((callee.name, callee.exit), given, left)

    def obligations(self, targets: Sequence[Target]) -> Iterator[Obligation]:
        """Yield everything that has to be shown."""
        yield self._start()
        for name in self.claims.requires:
            yield self._entry(name)
        for place in self.claims.at:
            entry, start = self.begin(*place)
            region = self.walk.region(start, self.claims.places(place[0]))
            yield from self._ends(region, entry)
            yield from self._calls(region, place[0])
            yield from self._targets(region, targets)

    def begin(self, name: str, location: int) -> tuple[State, Arrival]:
        """Return entry values, and any run at a place of which the proof says something."""
        procedure, now = self.program.procedures[name], self.walk.any_state(name)
        entry = self.walk.any_state(name, (*self.program.globals, *procedure.parameters))
        said = [self.claims.requirement(name, entry)]
        if (name, location) in self.claims.at:
            said.append(self.claims.invariant((name, location), entry, now))
        return entry, Arrival((name, location), all_of(map(expect_truth, said)), now)

    def obligation(self, flag: Node, holds: Node, place: str, why: str) -> Obligation:
        """Return that a condition holds where a flag is true."""
        wrong = FALSE if holds is TRUE else all_of([flag, negate(expect_truth(holds))])
        return Obligation(wrong, place, why)

    def _start(self) -> Obligation:
        name = self.program.threads[0]
        state = self.walk.any_state(name)
        begun, defined = build(self.program.init, state)
        holds = self.claims.requirement(name, state)
        return self.obligation(
            all_of([begun, *defined]), holds, f"'{name}'", "what it requires may not hold at the start"
        )

    def _entry(self, name: str) -> Obligation:
        procedure, now = self.program.procedures[name], self.walk.any_state(name)
        entry = {each: now[each] for each in (*self.program.globals, *procedure.parameters)}
        holds = self.claims.invariant((name, procedure.entry), entry, now)
        flag = expect_truth(self.claims.requirement(name, entry))
        return self.obligation(flag, holds, f"'{name}'", "the invariant at the entry may not hold")

    def _ends(self, region: Region, entry: State) -> Iterator[Obligation]:
        for place, flag, state in region.ends:
            holds = self.claims.invariant(place, entry, state)
            yield self.obligation(flag, holds, f"'{place[0]}'", f"the invariant at location {place[1]} may not hold")

    def _calls(self, region: Region, name: str) -> Iterator[Obligation]:
        for call in region.calls:
            own = call.callee.name
            holds = self.claims.requirement(own, call.given) if own in self.claims.requires else FALSE
            where = f"'{name}', line {call.edge.line}"
            yield self.obligation(call.flag, holds, where, f"what '{own}' requires may not hold")

    def _targets(self, region: Region, targets: Sequence[Target]) -> Iterator[Obligation]:
        for place, flag, _ in region.passed:
            for target in targets:
                if (target.procedure, target.location) == place:
                    yield Obligation(flag, f"'{place[0]}'", f"{target.name} may be reached")
