"""Answers about a Boolean program that was edited since a session: reachability and projections.

The answers are those of a fresh run; what was solved again is told in a sentence (Lal 2009, section 4.2.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from knaster.base.errors import UsageError
from knaster.base.limits import Budget
from knaster.decide.asked import Asked, Source
from knaster.decide.crew import set_up, start_at
from knaster.decide.node_tables import with_enough_nodes
from knaster.decide.sessions.boolean_units import BooleanUnits, Library, names_places, refuse_others
from knaster.decide.sessions.known_units import DAMAGED, say, solve_known
from knaster.decide.sessions.outline import Outline
from knaster.decide.sessions.program_library import ProgramLibrary
from knaster.decide.sessions.session_file import Session
from knaster.decide.sessions.text_library import TextLibrary, split_text
from knaster.evidence.answers.projection import Node, Projection
from knaster.evidence.questions.question import Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.pushdown.units.edits import solve_edited
from knaster.pushdown.units.table import Solved

MAIN = "main"
WHOLE = ("asserts", "all-labels")  # names that stand for as many targets as there are


class Reached(NamedTuple):
    """Which targets are reached: the name of each, its line, and whether; how much of that was checked, and when."""

    targets: tuple[tuple[str, int, bool], ...]
    checked_now: int = 0  # procedures whose path edges the checker looked at
    checked_before: int = 0  # those at which it looked when the session was made
    unchecked: int = 0

    @property
    def any(self) -> bool:
        """Tell whether some target is reached."""
        return any(hit for _, _, hit in self.targets)


def reach_since(
    source: Source,
    text: str,
    asked: Sequence[str] | None,
    entry: str | None,
    session: Session,
    budget: Budget | None = None,
) -> Reached:
    """Return which targets of a Boolean program are reached; keep in the session what was solved.

    The text is that of the source, which is read as a whole where it is not plainly a list of procedures.
    """
    budget = budget or Budget()
    library, solved = _solve_edited(source, text, asked, entry, session, budget) or _solve_text(
        source, text, asked, entry, session, budget
    )
    rows = [(name, row) for name in library.names for row in solved.results[name]["targets"]]
    there = {name for result in solved.results.values() for name in result["names"]}
    if not rows or not there.issuperset({*(asked or ())}.difference(WHOLE)):
        resolve_targets(start_at(source.read()[0], entry), asked)  # says which one, and what is like it
        raise UsageError(f"{library.file}: none of the targets is there")
    again = set(solved.entered)
    checked = {name for name, result in solved.results.items() if result.get("checked")}
    counts = len(checked & again), len(checked - again), len(solved.results) - len(checked)
    return Reached(tuple(_target(library, name, row) for name, row in rows), *counts)


def project_since(
    source: Source,
    asked: Sequence[str] | None,
    entry: str | None,
    session: Session,
    budget: Budget | None = None,
) -> Projection:
    """Return the projection of a Boolean program; its note is empty, and the session keeps what was solved."""
    running = set_up(source.read()[0], Asked.of(asked, None, entry))
    program, question = running.program, running.question
    refuse_others(program)
    assert isinstance(question, Reach)
    library = ProgramLibrary(program)
    solved, session.said = _solve(library, program.threads[0], asked, True, session, budget or Budget())
    lines = {(own.name, edge.source): edge.span.line for own in program.procedures for edge in own.edges}
    places = [(name, place) for name in library.names for place in solved.results[name]["places"]]
    met = {place for place in places if place in lines}
    return Projection(program, question.targets, tuple(Node(place, lines[place]) for place in lines if place in met))


def _solve_edited(
    source: Source, text: str, asked: Sequence[str] | None, entry: str | None, session: Session, budget: Budget
) -> tuple[TextLibrary, Solved] | None:
    """Solve what an edit inside procedures reaches; None where this is another question, or the edit another one."""
    try:
        outline = Outline.of_fields(session.outlines["reach"])
        edited = outline.edit(text, source.file or str(source.what), source.dialect, entry or MAIN, asked)
        if edited is None:
            return None
        library, changed = edited
        table, order, first = session.tables["reach"], outline.order, outline.first

        def attempt(nodes: int) -> Solved:
            units = BooleanUnits(library, entry or MAIN, asked, False, budget, nodes)
            return solve_edited(units, table, order, first, changed)

        solved, _ = with_enough_nodes(attempt, budget)
    except DAMAGED:
        return None
    _keep_outline(session, library, entry, asked, solved)
    session.tables["reach"], session.said = solved.table, solved.sentence()
    return library, solved


def _solve_text(
    source: Source, text: str, asked: Sequence[str] | None, entry: str | None, session: Session, budget: Budget
) -> tuple[Library, Solved]:
    """Solve what the session does not know; the text is read as a whole where it is no list of procedures."""
    session.outlines.pop("reach", None)
    library = split_text(text, source.file or str(source.what), source.dialect)
    first = entry or MAIN
    if library is not None and first in library.names:
        solved, session.said = _solve(library, first, asked, False, session, budget)
        _keep_outline(session, library, entry, asked, solved)
        return library, solved
    program = start_at(source.read()[0], entry)
    refuse_others(program)
    whole = ProgramLibrary(program)
    solved, session.said = _solve(whole, program.threads[0], asked, False, session, budget)
    return whole, solved


def _keep_outline(
    session: Session, library: TextLibrary, entry: str | None, asked: Sequence[str] | None, solved: Solved
) -> None:
    if not names_places(asked):
        outline = Outline(library, entry or MAIN, asked, solved.order, solved.first)
        session.outlines["reach"] = outline.to_fields()


def _solve(
    library: Library, entry: str, asked: Sequence[str] | None, projects: bool, session: Session, budget: Budget
) -> tuple[Solved, str]:
    kind = "project" if projects else "reach"
    known, why = session.known(kind, library.signatures)

    def attempt(nodes: int) -> Solved:
        return solve_known(BooleanUnits(library, entry, asked, projects, budget, nodes), known)

    solved, _ = with_enough_nodes(attempt, budget)
    session.keep(kind, solved.table, library.signatures)
    return solved, say(solved, why)


def _target(library: Library, procedure: str, row: Sequence[Any]) -> tuple[str, int, bool]:
    name, _, line, hit = row
    placed = line + library.line(procedure)
    return ("assert at line " + str(placed) if name.startswith("assert at line ") else name), placed, hit
