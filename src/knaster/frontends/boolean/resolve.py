"""Resolves the names that only the whole text explains: labels, callees, numbers of results.

A procedure whose text declares no number of results has as many as its first `return` gives; without a `return`, as
many as the first call that takes results expects.  A call without `:=` throws all results away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.records import replace
from knaster.frontends.boolean.draft import CallSite, Draft
from knaster.frontends.boolean.mistakes import Mistakes, with_noun
from knaster.frontends.text.tokens import Tokens
from knaster.program.model import Call, Concurrent, Location, Procedure


def finish_procedures(drafts: Sequence[Draft], tokens: Tokens, mistakes: Mistakes) -> list[Procedure]:
    """Return the procedures with every jump and call resolved; report the names that lead nowhere."""
    known = _distinct(drafts, tokens, mistakes)
    results = _count_results(drafts, known, tokens)
    for draft in drafts:
        _resolve_labels(draft, tokens, mistakes)
        _check_returns(draft, results[draft.name], mistakes)
        for call in draft.calls:
            _resolve_call(draft, call, known, results, tokens, mistakes)
    return [
        draft.graph.procedure(
            name=draft.name,
            parameters=draft.parameters,
            results=results[draft.name],
            local=draft.locals,
            labels=draft.labels,
            enforce=draft.enforce,
            span=tokens.span(draft.at),
        )
        for draft in known.values()
    ]


def _distinct(drafts: Sequence[Draft], tokens: Tokens, mistakes: Mistakes) -> Mapping[str, Draft]:
    known: dict[str, Draft] = {}
    for draft in drafts:
        if draft.name in known:
            line = tokens.line(known[draft.name].at)
            mistakes.add(draft.at, f"the procedure '{draft.name}' is already defined on line {line}")
        else:
            known[draft.name] = draft
    return known


def _count_results(drafts: Sequence[Draft], known: Mapping[str, Draft], tokens: Tokens) -> Mapping[str, int]:
    expected: dict[str, int] = {}
    for draft in drafts:
        for call in draft.calls:
            if call.results is not None:
                expected.setdefault(tokens.spellings[call.at], call.results)
    counts: dict[str, int] = {}
    for name, draft in known.items():
        if draft.results is not None:
            counts[name] = draft.results
        elif draft.returns:
            counts[name] = draft.returns[0][0]
        else:
            counts[name] = expected.get(name, 0)
    return counts


def _resolve_labels(draft: Draft, tokens: Tokens, mistakes: Mistakes) -> None:
    graph = draft.graph
    places: dict[str, Location] = {}
    ambiguous: set[str] = set()  # such a label may be asked for, but it is no place to go to
    for label, location in draft.labels:
        if label in places:
            ambiguous.add(label)
        places[label] = location
    missing: set[str] = set()
    for edge, at in draft.jumps + draft.starts:
        label = tokens.spellings[at]
        action = graph.actions[edge]
        if label in ambiguous:
            mistakes.add(at, f"the label '{label}' stands on several statements of '{draft.name}'")
        elif label not in places:
            if label not in missing:
                hint = mistakes.nearest(label, places)
                mistakes.add(at, f"the procedure '{draft.name}' has no label '{label}'", hint)
            missing.add(label)
        elif isinstance(action, Concurrent):
            graph.actions[edge] = replace(action, location=places[label])
        else:
            graph.targets[edge] = places[label]


def _check_returns(draft: Draft, results: int, mistakes: Mistakes) -> None:
    for count, at in draft.returns:
        if count != results:
            mistakes.add(at, f"'{draft.name}' has {with_noun(results, 'result')}, here it returns {count or 'none'}")


def _resolve_call(
    draft: Draft,
    call: CallSite,
    known: Mapping[str, Draft],
    results: Mapping[str, int],
    tokens: Tokens,
    mistakes: Mistakes,
) -> None:
    name = tokens.spellings[call.at]
    callee = known.get(name)
    if callee is None:
        mistakes.add(call.at, f"there is no procedure '{name}'", mistakes.nearest(name, known))
        return
    if call.arguments != len(callee.parameters):
        wanted = with_noun(len(callee.parameters), "argument")
        mistakes.add(call.at, f"'{name}' takes {wanted}, here it gets {call.arguments or 'none'}")
    action = draft.graph.actions[call.edge]
    if call.results is None:
        if isinstance(action, Call) and results[name]:
            draft.graph.actions[call.edge] = replace(action, targets=(None,) * results[name])
    elif call.results != results[name]:
        mistakes.add(call.at, f"'{name}' has {with_noun(results[name], 'result')}, here {call.results} are taken")
