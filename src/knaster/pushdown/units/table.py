"""All units of a program, callees first and then callers first; what was solved before is taken from a table.

Lal (PhD thesis, University of Wisconsin, 2009), section 4.2.3: after an edit only procedures whose summaries change are
solved again.  A unit's summaries depend on its text and on the summaries that it calls; what holds inside it, on these
and on how it is entered.  So each is kept under the digest of all that it depends on: what has the same digest is the
same, whatever else an edit changed, and a summary that comes out as before changes nothing above it.

Summaries and entries are texts here, in a form that is the same for equal weights (`Units` makes them).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from knaster.base.graphs import components

Table = dict[str, Any]  # digest → plain data


class Inside(NamedTuple):
    """What is asked about each procedure of a unit, and how the unit enters the procedures that it calls."""

    results: Mapping[str, Any]
    passed: Mapping[str, str]


class Units(Protocol):
    """A program as procedures with digests, and who solves its units."""

    @property
    def names(self) -> Sequence[str]:
        """All procedures, the one that runs first."""
        ...

    def callees(self, name: str, /) -> Sequence[str]:
        """Return the procedures that a procedure calls, perhaps some more."""
        ...

    def digest(self, name: str, /) -> str:
        """Return what tells the procedure from others, its neighbours aside."""
        ...

    def start(self) -> str:
        """Return how the first procedure is entered."""
        ...

    def summarize(self, members: Sequence[str], outside: Mapping[str, str], /) -> Mapping[str, str]:
        """Return the summaries of a unit."""
        ...

    def enter(
        self, members: Sequence[str], summaries: Mapping[str, str], entered: Mapping[str, Sequence[str]], /
    ) -> Inside:
        """Return what holds inside a unit whose procedures are entered so; `summaries` has its own, too."""
        ...


class Unit(NamedTuple):
    """Procedures that call each other, and the digests under which the table has what was solved of them."""

    members: list[str]
    summary: str
    inside: str


class Solved(NamedTuple):
    """The results of all procedures, the table for the next time with its units, and who was solved again."""

    results: dict[str, Any]
    table: Table
    order: list[Unit]  # callees first
    first: str  # under which the table has how the first procedure is entered
    summarized: list[str]
    entered: list[str]

    def sentence(self) -> str:
        """Say what was solved."""
        again = sorted({*self.summarized, *self.entered})
        shown = f" ({', '.join(again)})" if 0 < len(again) <= 5 else ""
        return f"{len(again):,} of {len(self.results):,} procedures solved{shown}, the others taken from the session"


def solve_units(units: Units, known: Table) -> Solved:
    """Solve every unit that the table does not know."""
    table: Table = {}
    order: list[Unit] = []
    digests = {name: units.digest(name) for name in units.names}
    summaries: dict[str, str] = {}
    summarized: list[str] = []
    for members in map(sorted, components(units.names, units.callees)):
        own = frozenset(members)
        outside = {name: summaries[name] for each in members for name in units.callees(each) if name not in own}
        key = summary_key([digests[name] for name in members], outside)
        if key in known:
            table[key] = known[key]
        else:
            table[key] = dict(units.summarize(members, outside))
            summarized += members
        summaries |= table[key]
        order.append(Unit(members, key, ""))
    results: dict[str, Any] = {}
    first = first_key(digests[units.names[0]])
    table[first] = known[first] if first in known else units.start()
    entered: dict[str, set[str]] = {units.names[0]: {table[first]}}
    again: list[str] = []
    for number, unit in reversed([*enumerate(order)]):
        members = unit.members
        called = {name: summaries[name] for each in members for name in (each, *units.callees(each))}
        how = {name: sorted(entered[name]) for name in members if name in entered}
        key = inside_key([digests[name] for name in members], called, how)
        if key in known:
            table[key] = known[key]
        else:
            inside = units.enter(members, called, how)
            table[key] = [dict(inside.results), dict(inside.passed)]
            again += members
        order[number] = unit._replace(inside=key)
        found, passed = table[key]
        results |= found
        for name, weight in passed.items():
            entered.setdefault(name, set()).add(weight)
    return Solved(results, table, order, first, summarized, again)


def first_key(digest: str) -> str:
    """Return the key of how the first procedure is entered."""
    return "i" + digest


def summary_key(digests: Sequence[str], outside: Mapping[str, str]) -> str:
    """Return the key of the summaries of a unit."""
    return "s" + digest_of([digests, sorted(outside.items())])


def inside_key(digests: Sequence[str], called: Mapping[str, str], how: Mapping[str, Sequence[str]]) -> str:
    """Return the key of what holds inside a unit."""
    return "e" + digest_of([digests, sorted(called.items()), sorted(how.items())])


def digest_of(parts: object) -> str:
    """Return what tells plain data from others."""
    return sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
