"""Facts of a program that was edited since a session: those of a fresh run; only what changed is solved.

Lal (2009), section 4.2.3.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from knaster.base.limits import Budget
from knaster.decide.asked import Source
from knaster.decide.crew import start_at
from knaster.decide.facts import facts_of, places_of
from knaster.decide.sessions.fact_units import SavedFacts, affine_units, constant_units
from knaster.decide.sessions.known_units import say, solve_known
from knaster.decide.sessions.session_file import Session
from knaster.evidence.answers.facts import Facts


def facts_since(
    source: Source, domains: Sequence[str], at: Collection[int], entry: str | None, session: Session
) -> Facts:
    """Return the facts of a program in domains of which sessions are kept; the session keeps what was solved."""
    program = start_at(source.read()[0], entry)
    listed = [(procedure, location) for procedure, location, _ in places_of(program)]
    known: list[SavedFacts] = []
    said = []
    for domain in domains:
        units: Any = affine_units(program, listed) if domain == "affine" else constant_units(program, listed)
        table, why = session.known(domain, units.signatures)
        solved = solve_known(units, table)
        session.keep(domain, solved.table, units.signatures)
        known.append(SavedFacts(solved.results, listed))
        said.append(f"{domain}: {say(solved, why)}")
    session.said = "; ".join(said)
    return facts_of(program, tuple(domains), known, at, Budget())
