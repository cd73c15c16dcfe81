"""The page of `knaster facts`: the text with what holds before each line above it, and what each call does."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from knaster.evidence.answers.facts import Facts
from knaster.report.facts import NEVER, NOWHERE, texts_of_facts
from knaster.report.stepper.page import data_element, search_bar, whole
from knaster.report.stepper.panels import panel


def facts_page(facts: Facts) -> str:
    """Return the page, which has the style of those that `check` makes."""
    file = facts.program.file
    said = f"what holds before each line ({', '.join(facts.domains)})"
    note = f"<p>{escape(facts.note)}</p>" if facts.note else ""
    header = f'<header><h1>{escape(file)}</h1><p id="verdict">{escape(said)}</p>{note}</header>'
    columns = f'<div class="column">{_source(facts)}</div>'
    if facts.summaries:
        columns += f'<div class="column">{_summaries(facts)}</div>'
    body = f'<main data-steps="0" data-step="0">{search_bar()}<div class="panels">{columns}</div></main>'
    return whole(file, f"{header}\n{body}\n{data_element({})}")


def _source(facts: Facts) -> str:
    said: dict[int, list[str]] = {}
    nowhere: set[int] = set()
    for row in facts.lines:
        if row.equations is None:
            nowhere.add(row.line)
        else:
            said.setdefault(row.line, []).extend(texts_of_facts(facts, row.procedure, row.equations))
    lines = facts.program.source.splitlines()
    body = "".join(_line(n, text, said.get(n, ()), n in nowhere and n not in said) for n, text in enumerate(lines, 1))
    inner = f'<div class="scroll code" tabindex="0" role="region" aria-label="source text">{body}</div>'
    return panel("source", "Source", inner)


def _line(number: int, text: str, facts: Sequence[str], nowhere: bool) -> str:
    never = f'<span class="never">{NOWHERE}</span>' if nowhere else ""
    shown = "".join(f'<span class="fact" data-proof>{escape(fact)}</span>' for fact in facts)
    return f'<div data-line="{number}">{shown}<i>{number}</i><code>{escape(text)}</code>{never}</div>'


def _summaries(facts: Facts) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(own.procedure)}</th><td>'
        f"{escape(NEVER if own.equations is None else ', '.join(texts_of_facts(facts, own.procedure, own.equations)))}"
        "</td></tr>"
        for own in facts.summaries
    )
    head = '<th scope="col">procedure</th><th scope="col">what holds when it returns</th>'
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    inner = f'<div class="scroll" tabindex="0" role="region" aria-label="what each call does">{table}</div>'
    return panel("summaries", "What each call does", inner)
