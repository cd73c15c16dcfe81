"""Why every run ends, for people and for programs: what decreases in each loop and recursion."""

from __future__ import annotations

from collections.abc import Iterator

from knaster.evidence.proofs.ranking_ranking import Ranking, shown
from knaster.program.expression import FALSE
from knaster.program.model import Place, Program
from knaster.report.envelope import Json
from knaster.report.source import SourceText


def ranking_to_text(program: Program, proof: Ranking) -> Iterator[str]:
    """Yield a line for each loop and recursion, with what decreases there."""
    spelling = SourceText(program).spelling
    rows = []
    for place, measure in shown(proof):
        never = proof.invariants.at.get(place) == FALSE
        why = "nothing: no run comes there" if never else "nothing: it is passed once"
        rows.append((*_where(program, place), ", then ".join(map(spelling.expression, measure)) or why))
    if not rows:
        yield "  there is no loop and no recursion"
        return
    width = max(len(spelling.routine), *(len(name) for _, name, _, _ in rows))
    yield f"  line  {spelling.routine:<{width}}  decreases"
    for line, name, kind, said in sorted(rows):
        yield f"  {line:>4}  {name:<{width}}  {said}{kind}"


def ranking_to_json(program: Program, proof: Ranking) -> Json:
    """Return what decreases at each loop head and entry."""
    spell = SourceText(program).spelling.expression
    return [
        {"line": _where(program, place)[0], "function": place[0], "decreases": [spell(expr) for expr in measure]}
        for place, measure in shown(proof)
    ]


def _where(program: Program, place: Place) -> tuple[int, str, str]:
    """Return the line and the procedure of a point, and a word where it is an entry."""
    procedure = program.procedure(place[0])
    if place[1] == procedure.entry and not any(edge.target == place[1] for edge in procedure.edges):
        return procedure.span.line, place[0], " (at each call)"
    lines = [edge.span.line for edge in procedure.edges if edge.source == place[1]]
    return min(lines, default=procedure.span.line), place[0], ""
