"""Answers as text, in the format of muCKE, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2
from typing import Any

from knaster.base.errors import Problem
from knaster.calculus.answers.evaluation import Session
from knaster.calculus.answers.outcomes import (
    Count,
    Outcome,
    Reason,
    Size,
    Text,
    Truth,
    Unanswered,
    Undefined,
    WitnessTree,
)
from knaster.calculus.language.lexer import Source
from knaster.calculus.language.system import System
from knaster.calculus.language.values import show


def answer_text(answer: Outcome) -> str:
    """Return an answer as lines: `: ` before a result, `*** ` before an error."""
    match answer:
        case Truth(text, _, value):
            return f": value of\n:   {text}\n: is\n:   {'true' if value else 'false'}"
        case Size(name, _, nodes):
            return f": size of `{name}' is {_power(nodes)} -- {nodes}"
        case Count(name, _, count, out_of):
            percent = 100 * count / out_of
            return f": onset size of `{name}' is {_power(count)} -- {count} ({percent:.6f}% out of {_power(out_of)})"
        case Text(text):
            return text
        case WitnessTree(_, _, value, root):
            what = "witness" if value else "counterexample"
            return "\n".join([f": {what} for", f":   {answer.text}", *_tree(root)])
        case Undefined(text, _, reason):
            return f": value of\n:   {text}\n: is\n:   <undefined>\n*** {reason}"
        case Unanswered(text):
            return f": value of\n:   {text}\n: is\n:   <unknown>"


def warning_text(source: Source, problem: Problem) -> str:
    """Return a warning as lines: `--- ` in front."""
    hint = f"\n---   {problem.hint}" if problem.hint else ""
    return f"--- {source.name}:{problem.span.line}:{problem.span.column}: warning: {problem.message}{hint}"


def answer_json(answer: Outcome) -> dict[str, Any]:
    """Return an answer as JSON data."""
    match answer:
        case Truth(text, line, value):
            return {"kind": "query", "line": line, "query": text, "value": value}
        case Size(name, line, nodes):
            return {"kind": "size", "line": line, "predicate": name, "nodes": nodes}
        case Count(name, line, count, out_of):
            return {"kind": "count", "line": line, "predicate": name, "count": count, "out_of": out_of}
        case Text(text, line):
            return {"kind": "text", "line": line, "text": text}
        case WitnessTree(text, line, value, root):
            kind = "witness" if value else "counterexample"
            return {"kind": kind, "line": line, "query": text, "value": value, "reasons": _flat(root)}
        case Undefined(text, line, reason):
            return {"kind": "undefined", "line": line, "query": text, "reason": reason}
        case Unanswered(text, line, reason):
            return {"kind": "unknown", "line": line, "query": text, "reason": reason}


def list_unanswered(system: System, answered: int, reason: str) -> list[Unanswered]:
    """Return that the requests after the first ones were not answered."""
    waiting = [request for request in system.requests if request.wants_answer]
    return [Unanswered(request.asked, request.line, reason) for request in waiting[answered:]]


def statistics_text(session: Session, seconds: float) -> str:
    """Return what the work took as lines: `+++ ` in front."""
    lines = [f"+++ {seconds:.2f} seconds"]
    lines += [f"+++ {name.replace('_', ' ')}: {value}" for name, value in session.statistics.items()]
    for name, rounds in session.rounds.items():
        lines.append(f"+++ {name}: {rounds} rounds, {max(session.sizes.get(name, [0]))} nodes at most")
    return "\n".join(lines)


def answers_json(file: str, system: System, answers: Sequence[Outcome], code: int, reason: str) -> dict[str, Any]:
    """Return all answers to the requests of a file as JSON data."""
    data: dict[str, Any] = {
        "file": file,
        "exit_code": code,
        "queries": [answer.value for answer in answers if isinstance(answer, Truth)],
        "queries_asked": sum(1 for request in system.requests if not request.directive),
        "answers": [answer_json(answer) for answer in answers],
        "warnings": [{"file": source.name, **problem_json(problem)} for source, problem in system.warnings],
    }
    return {**data, "reason": reason} if reason else data


def problem_json(problem: Problem) -> dict[str, Any]:
    """Return a mistake or a warning as JSON data."""
    span = problem.span
    return {"line": span.line, "column": span.column, "message": problem.message, "hint": problem.hint}


def statistics_json(session: Session, seconds: float) -> dict[str, Any]:
    """Return what the work took as JSON data."""
    statistics = {**session.statistics, "seconds": round(seconds, 3), "rounds_of": dict(session.rounds)}
    return {"statistics": statistics, "sizes": session.sizes}


def _power(number: int) -> str:
    return f"2^{log2(number):.3f}" if number else "2^-inf"


def _visit(root: Reason) -> Iterable[tuple[int, int, Reason]]:
    """Yield each reason with its indentation and its distance from the root, parents first.

    A single child stands below its parent, several are indented.
    """
    todo = [(0, 0, root)]
    while todo:
        indent, depth, reason = todo.pop()
        yield indent, depth, reason
        step = 1 if len(reason.children) > 1 else 0
        todo.extend((indent + step, depth + 1, child) for child in reversed(reason.children))


def _tree(root: Reason) -> list[str]:
    lines: list[str] = []
    for indent, _, reason in _visit(root):
        blanks = "  " * indent
        lines.append(f": {blanks}{reason.kind} {reason.text}".rstrip())
        lines.extend(f": {blanks}    {name} = {show(value)}" for name, value in reason.values)
    return lines


def _flat(root: Reason) -> list[dict[str, Any]]:
    """Return the reasons as a flat list, parents first, each with its depth, so that depth is no nesting."""
    return [
        {"depth": depth, "kind": reason.kind, "text": reason.text, "values": dict(reason.values)}
        for _, depth, reason in _visit(root)
    ]
