"""Resolves what only the whole text explains: labels, callees, numbers of results; threads and their initial state.

A procedure whose text declares no number of results has as many as its first `return` gives; without a `return`, as
many as the first call that takes results expects.  A call without `:=` throws all results away.

Then it finds the procedures that run from the start, by the conventions of the dialects.  A program with `main` is
sequential.  Two dialects name their threads instead:

- Getafix: procedures `thread1`, `thread2`, ... beside a procedure `init`, or without `main`; a `main` runs beside them.
  No thread switches while a global called `atomic` is 1.
- One `main_...` procedure for each thread, and no `main`.

Threads have no parameters; they are listed in the order of the text.  A procedure `init` that no other one calls runs
before all of them; it assigns constants, so it becomes part of the initial state.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from knaster.base.errors import Problem, Span
from knaster.base.records import replace
from knaster.frontends.boolean.graph import CallSite, Draft
from knaster.frontends.boolean.mistakes import Mistakes, with_noun
from knaster.frontends.text.tokens import Tokens
from knaster.program.expression import TRUE, Binary, Choice, Const, Expr, Not, Operator, Var
from knaster.program.model import Assign, Assume, Call, Concurrent, Location, Procedure, Return


def finish_procedures(drafts: Sequence[Draft], tokens: Tokens, mistakes: Mistakes) -> list[Procedure]:
    """Return the procedures with every jump and call resolved; report the names that lead nowhere."""
    known = _distinct(drafts, tokens, mistakes)
    results = _count_results(drafts, known, tokens)
    for draft in drafts:
        if draft.jumps or draft.starts:
            _resolve_labels(draft, tokens, mistakes)
        for count, at in draft.returns:
            if count != (due := results[draft.name]):
                message = f"'{draft.name}' has {with_noun(due, 'result')}, here it returns {count or 'none'}"
                mistakes.add(at, message)
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


# Threads


def find_threads(procedures: Sequence[Procedure]) -> tuple[str, ...]:
    """Return the procedures that run from the start; `main` where no dialect names others."""
    names = {procedure.name for procedure in procedures}
    starters = [procedure.name for procedure in procedures if not procedure.parameters]
    threads = [name for name in starters if _is_thread(name)]
    if threads and ("init" in starters or "main" not in names):
        return (*threads, *(name for name in starters if name == "main"))
    if "main" not in names:
        return tuple(name for name in starters if re.fullmatch("main_[A-Za-z0-9_]+", name)) or ("main",)
    return ("main",)


def shared_lock(threads: Sequence[str], shared: Collection[str]) -> str | None:
    """Return the global that forbids switches while it is 1, by the convention of Getafix."""
    return "atomic" if "atomic" in shared and any(map(_is_thread, threads)) else None


def _is_thread(name: str) -> bool:
    """Tell whether a name is `thread` and a number, as Getafix calls threads."""
    return name.startswith("thread") and re.fullmatch("[0-9]+", name[6:]) is not None


def find_initializer(procedures: Sequence[Procedure]) -> Procedure | None:
    """Return the procedure `init` where it runs before all threads: no other procedure calls it."""
    found = next((procedure for procedure in procedures if procedure.name == "init" and not procedure.parameters), None)
    if found is None:
        return None
    callers = [procedure for procedure in procedures if procedure is not found]
    actions = (edge.action for procedure in callers for edge in procedure.edges)
    called = any(isinstance(action, Call | Concurrent) and action.procedure == "init" for action in actions)
    return None if called else found


def initial_state(init: Procedure, shared: Sequence[str], problems: list[Problem]) -> Expr:
    """Return what holds after `init` as a formula over the globals; report a statement that assigns no constant."""
    values: dict[str, bool] = {}
    if init.enforce != TRUE:
        _refuse(init.span, problems)
    for edge in init.edges:
        match edge.action:
            case Assume(condition) if condition == TRUE and edge.target == edge.source + 1:
                pass
            case Return() if edge.source + 1 == init.exit:
                pass
            case Assign(targets, constants, constraint) if constraint == TRUE and edge.target == edge.source + 1:
                for target, constant in zip(targets, constants, strict=False):  # unequal numbers are reported already
                    match constant:
                        case Const(value):
                            values[target] = bool(value)
                        case Choice():
                            values.pop(target, None)
                        case _:
                            _refuse(edge.span, problems)
            case _:
                _refuse(edge.span, problems)
    state: Expr = TRUE
    for name in shared:
        if name in values:
            literal: Expr = Var(name) if values[name] else Not(Var(name))
            state = conjoin(state, literal)
    return state


def _refuse(span: Span, problems: list[Problem]) -> None:
    message = "the procedure 'init' of a program with threads may only assign constants, one statement after the other"
    problems.append(Problem(message, span))


def conjoin(left: Expr, right: Expr) -> Expr:
    """Return the conjunction; true disappears, and so does a conjunct that is there already."""
    if left == TRUE:
        return right
    if right == TRUE:
        return left
    return Binary(Operator.AND, left, right)
