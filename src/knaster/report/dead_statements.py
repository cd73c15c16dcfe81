"""What no run reaches: an assertion that cannot fail because control never comes to it, and other dead statements.

Users of Spin know the second as "unreached in proctype", those of CBMC the first as a property that holds vacuously.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.question import Target
from knaster.program.model import Place
from knaster.report.sentence import Report

SHOWN = 6  # stretches of lines that are named where not all are wanted


class Statement(NamedTuple):
    """A statement that no run reaches."""

    line: int
    procedure: str
    location: int


def unreached_statements(report: Report) -> list[Statement] | None:
    """Return the statements that no run reaches, in the order of the text; None where that is not known."""
    if report.unreached is None:
        return None
    lines = {(p.name, edge.source): edge.span.line for p in report.program.procedures for edge in reversed(p.edges)}
    return sorted(Statement(lines[place], *place) for place in report.unreached)


def vacuous_targets(report: Report) -> dict[Target, set[Place]]:
    """Return the assertions that cannot fail because no run comes to them, each with where it stands."""
    never = set(report.unreached or ())
    procedures = {procedure.name: procedure for procedure in report.program.procedures}
    found: dict[Target, set[Place]] = {}
    for target, _ in report.answers if never else ():
        if not target.has_place:
            continue
        procedure = procedures[target.procedure]
        if target.location in procedure.failures:
            stands = {(procedure.name, edge.source) for edge in procedure.edges if edge.target == target.location}
            found |= {target: stands} if stands <= never else {}
    return found


def unreached_to_text(report: Report, verbose: bool = False) -> Iterator[str]:
    """Yield sentences about what no run reaches; the targets themselves are not mentioned again."""
    vacuous = vacuous_targets(report)
    lines = [target.line for target in vacuous]
    if len(lines) == 1:
        yield f"The assertion at line {lines[0]} is never reached."
    elif lines:
        yield f"{len(lines):,} assertions are never reached: {_in_words(lines, verbose)}."
    said = {target.place for target, _ in report.answers}.union(*vacuous.values())
    never = unreached_statements(report) or ()
    others = [line for line, procedure, location in never if (procedure, location) not in said]
    if others:
        number = "1 statement is" if len(others) == 1 else f"{len(others):,} statements are"
        yield f"{number} never reached: {_in_words(others, verbose)}."


def _in_words(lines: Sequence[int], verbose: bool) -> str:
    """Return lines in words, neighbours as a stretch: "lines 12-14, 20"."""
    stretches: list[list[int]] = []
    for line in sorted(set(lines)):
        if stretches and line == stretches[-1][1] + 1:
            stretches[-1][1] = line
        else:
            stretches.append([line, line])
    shown = stretches if verbose else stretches[:SHOWN]
    named = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in shown)
    word = "line" if len(stretches) == 1 and stretches[0][0] == stretches[0][1] else "lines"
    return f"{word} {named}" + (" and others" if len(shown) < len(stretches) else "")
