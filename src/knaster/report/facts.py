"""Facts for people and programs: the source text with what holds before each line, JSON, and ACSL in a copy of C."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from knaster.base.errors import UsageError
from knaster.base.visible import make_line, make_visible
from knaster.evidence.answers.facts import Alias, Fact, Facts, Range
from knaster.program.model import Procedure
from knaster.program.types import Type
from knaster.report.envelope import Json, envelope, to_line
from knaster.report.equations import equation_to_acsl, equation_to_text

NOWHERE = "no path leads here"
NEVER = "no call of it returns"
STATEMENT_MAY_FOLLOW = ";{}:"  # elsewhere an assertion would be the branch of an `if`


def facts_to_text(facts: Facts) -> str:
    """Return the program with what holds before a line above it, and what each procedure does at the end."""
    said: dict[int, list[str]] = {}
    for row in facts.lines:
        said.setdefault(row.line, []).append(_sentence(facts, row.procedure, row.equations, NOWHERE))
    shown = [make_line(f"{facts.program.file}: what holds before each line ({', '.join(facts.domains)})"), ""]
    asked_some = len(facts.summaries) == 0 and len(facts.lines) == 1
    for number, line in enumerate(facts.program.source.splitlines(), start=1):
        if asked_some and number not in said:
            continue
        shown += [make_visible(f"{'':7}| {each}") for each in said.get(number, ()) if each]
        shown.append(make_visible(f"{number:5d}  {line.rstrip()}"))
    if facts.summaries:
        shown += ["", "what each call does:"]
        for own in facts.summaries:
            shown.append(make_visible(f"  {own.procedure}: {_summary(facts, own.procedure, own.equations)}"))
    if facts.note:
        shown += ["", make_line(f"Note: {facts.note}")]
    return "\n".join(shown) + "\n"


def facts_to_json(facts: Facts, options: Mapping[str, object] | None = None) -> str:
    """Return the facts as one JSON object on one line; `options` are what was in force."""
    lines: list[Json] = [
        {
            "line": row.line,
            "procedure": row.procedure,
            "reachable": row.equations is not None,
            "facts": _equations(facts, row.procedure, row.equations),
        }
        for row in facts.lines
    ]
    summaries: list[Json] = [
        {
            "procedure": own.procedure,
            "returns": own.equations is not None,
            "facts": _equations(facts, own.procedure, own.equations),
        }
        for own in facts.summaries
    ]
    body: dict[str, Json] = {"domains": list(facts.domains), "lines": lines, "procedures": summaries}
    if facts.note:
        body["note"] = facts.note
    return to_line(envelope("facts", facts.program.file, "answered", None, "", options or {}, body))


def annotate_source(facts: Facts) -> str:
    """Return a copy of a C program with what holds before a line as an ACSL assertion above it."""
    if facts.program.language != "c":
        raise UsageError(f"annotations are written into C, and {facts.program.file} is none")
    said: dict[int, list[str]] = {}
    for row in facts.lines:
        if row.equations:
            types = _types(facts, row.procedure)
            formulas = [equation_to_acsl(each, types) for each in row.equations]
            said[row.line] = [f"//@ assert {each};" for each in formulas if each]
    written: list[str] = []
    end = ";"  # of the text so far
    for number, line in enumerate(facts.program.source.splitlines(), start=1):
        indent = line[: len(line) - len(line.lstrip())]
        if end in STATEMENT_MAY_FOLLOW:
            written += [f"{indent}{each}" for each in said.get(number, ())]
        written.append(line)
        end = line.partition("//")[0].rstrip()[-1:] or end
    return "\n".join(written) + "\n"


def _sentence(facts: Facts, procedure: str, equations: Sequence[Fact] | None, otherwise: str) -> str:
    if equations is None:
        return otherwise
    return ", ".join(texts_of_facts(facts, procedure, equations))


def _summary(facts: Facts, procedure: str, equations: Sequence[Fact] | None) -> str:
    return _sentence(facts, procedure, equations, NEVER) or "nothing that these domains can say"


def texts_of_facts(facts: Facts, procedure: str, equations: Sequence[Fact]) -> Iterator[str]:
    """Yield facts of a procedure as they are written in its language."""
    types = _types(facts, procedure)
    return (equation_to_text(each, types) for each in equations)


def _equations(facts: Facts, procedure: str, equations: Sequence[Fact] | None) -> list[Json]:
    types = _types(facts, procedure)
    return [_fact(each, types) for each in equations or ()]


def _fact(fact: Fact, types: Mapping[str, Type]) -> dict[str, Json]:
    text = equation_to_text(fact, types)
    if isinstance(fact, Alias):
        return {"text": text, "left": fact.left, "right": fact.right, "always": fact.always}
    if isinstance(fact, Range):
        return {"text": text, "variable": fact.variable, "low": fact.low, "high": fact.high}
    return {"text": text, "constant": fact.constant, "factors": dict(fact.factors), "modulo_bits": fact.bits}


def _types(facts: Facts, procedure: str) -> Mapping[str, Type]:
    own: Procedure = facts.program.procedure(procedure)
    return facts.program.types_in(own)
