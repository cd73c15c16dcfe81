"""A term as a script of SMT-LIB: names are declared, facts are asserted, and what is used twice is written once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from knaster_check.c.terms import Term


def to_script(assertion: Term) -> str:
    """Return a script that asserts a term and the facts about what it speaks of; it asks nothing."""
    roots = _with_facts(assertion)
    order = postorder(roots)
    inside = _bound_in(order)
    uses: dict[Term, int] = {}
    for term in order:
        for part in term.parts:
            # mutant: what has no name of its own is written twice
            uses[part] = uses.get(part, 0) + 1
    lines = ["(set-logic ALL)"]
    lines += dict.fromkeys(f"(declare-const {term.head} {term.sort})" for term in order if term.free)
    text: dict[Term, str] = {}
    pending: list[tuple[str, str]] = []  # names for what is used twice below the next quantifier
    for number, term in enumerate(order):
        written = _write(term, [text[part] for part in term.parts], pending)
        if term.bound:
            pending = []
        if term.parts and uses.get(term, 0) > 1:
            name = f"t!{number}"
            if term in inside:
                pending.append((name, written))
            else:
                lines.append(f"(define-fun {name} () {term.sort} {written})")
            written = name
        text[term] = written
    lines += dict.fromkeys(f"(assert {text[root]})" for root in roots if root not in inside)
    return "\n".join(lines)


def _with_facts(assertion: Term) -> list[Term]:
    """Return a term with the facts about what it speaks of, and about what these speak of."""
    roots = {assertion: None}
    while True:
        more = [fact for term in postorder(roots) for fact in term.fact if fact not in roots]
        if not more:
            return list(roots)
        roots |= dict.fromkeys(more)


def _write(term: Term, parts: Sequence[str], pending: Sequence[tuple[str, str]]) -> str:
    if term.bound:
        names = " ".join(f"({one.head} {one.sort})" for one in term.bound)
        lets = "".join(f"(let (({name} {text})) " for name, text in pending)
        return f"(exists ({names}) {lets}{parts[0]}{')' * len(pending)})"
    return f"({term.head} {' '.join(parts)})" if parts else term.head


def _bound_in(order: Iterable[Term]) -> set[Term]:
    """Return the terms that speak of the names of a quantifier, which mean nothing outside."""
    order = list(order)
    bound = {one.head for term in order for one in term.bound}
    found: set[Term] = set()
    for term in order:
        if not term.bound and (term.head in bound or any(part in found for part in term.parts)):
            found.add(term)
    return found


def postorder(roots: Iterable[Term]) -> list[Term]:
    """Return terms, each after its parts and once."""
    found: dict[Term, None] = {}
    stack = [(root, False) for root in reversed(list(roots))]
    while stack:
        term, done = stack.pop()
        if done:
            found.setdefault(term)
        elif term not in found:
            stack.append((term, True))
            stack += [(part, False) for part in reversed(term.parts)]
    return list(found)
