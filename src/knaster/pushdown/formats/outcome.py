"""Writes what was decided about a file, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isinf
from typing import Any

from knaster.pushdown.automaton import Inner
from knaster.pushdown.decide import Outcome
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.system import Between, Configuration, Rule, execute

SHOWN = 12  # symbols of a stack in text output; the rest is counted
TRACED = 1_000_000  # symbols in all stacks of a run; a run with more is given by its rules only


def to_text(outcome: Outcome) -> str:
    """Return the outcome for people."""
    lines: list[str] = []
    if outcome.reachable is None:
        lines += _transitions(outcome)
    elif not outcome.reachable:
        lines.append("unreachable")
    else:
        lines.append("reachable")
        if outcome.weight is not None:
            lines.append(f"length {_number(outcome.weight)}")
        lines += _trace(outcome)
    return "\n".join(lines) + "\n"


def _trace(outcome: Outcome) -> list[str]:
    if outcome.found is None:
        return ["there is no shortest run: going round makes it shorter again and again"]
    start = outcome.found.start
    steps = list(_steps(outcome, SHOWN))
    lines = [f"a run of {len(steps)} rule{'' if len(steps) == 1 else 's'}:"]
    lines.append(f"  {_show_head(start.state, start.stack[:SHOWN], len(start.stack))}")
    for rule, state, top, height in steps:
        cost = f" [{rule.weight}]" if outcome.weight is not None else ""
        lines.append(f"  {_show_head(state, top, height)}  by {rule}{cost}")
    return lines


def _steps(outcome: Outcome, keep: int) -> Iterator[tuple[Rule[Any], Any, tuple[Any, ...], int]]:
    """Yield the rules that the user gave, each with the state, the top of the stack and its height after it."""
    if outcome.found is None or outcome.answer is None:
        return
    system, found = outcome.answer.system, outcome.found
    given: Rule[Any] | None = None
    for number, (state, stack) in zip(found.numbers, execute(found.start, found.run), strict=True):
        origin = system.origin[number]
        given = given if origin is None else system.given[origin]
        if given is not None and not isinstance(state, Between):
            yield given, state, tuple(stack[: -keep - 1 : -1]), len(stack)


def _show_head(state: Any, top: tuple[Any, ...], height: int) -> str:
    rest = height - len(top)
    return str(Configuration(state, (*top, f"… ({rest} more)") if rest else top))


def _number(weight: Length) -> str:
    return ("-" if weight < 0 else "") + "infinity" if isinf(weight) else str(weight)


def _transitions(outcome: Outcome) -> list[str]:
    """Return the saturated automaton, one transition a line, final states marked."""
    answer = outcome.answer
    if answer is None:
        return []
    finals = sorted(str(_state(answer.state_name(state))) for state in answer.final)
    lines = [f"{outcome.direction}*: {len(answer)} transitions; final: {', '.join(finals)}"]
    weighted = isinstance(answer.system.domain, MinPath)
    rows = []
    for source, symbol, target, weight in answer.transitions():
        cost = f" [{_number(weight)}]" if weighted else ""
        rows.append(f"  {_state(source)} --{'ε' if symbol is None else symbol}--> {_state(target)}{cost}")
    return lines + sorted(rows)


def _state(name: Any) -> str:
    return f"#{name.state}" if isinstance(name, Inner) else str(name)


def to_json(outcome: Outcome) -> str:
    """Return `content` as text."""
    return json.dumps(content(outcome), indent=2, ensure_ascii=False) + "\n"


def content(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome for programs: verdict, weight, and the run as rules and, unless huge, as configurations."""
    found: dict[str, Any] = {"file": outcome.file, "direction": outcome.direction}
    if outcome.reachable is None and outcome.answer is not None:
        rows = [
            [_state(t.source), None if t.symbol is None else str(t.symbol), _state(t.target), _plain_weight(t.weight)]
            for t in outcome.answer.transitions()
        ]
        found["transitions"] = sorted(rows, key=lambda row: (row[0], row[1] is not None, row[1], row[2]))
        found["accepting"] = sorted(_state(outcome.answer.state_name(state)) for state in outcome.answer.final)
    else:
        found["verdict"] = "reachable" if outcome.reachable else "unreachable"
    if outcome.weight is not None:
        found["weight"] = _plain_weight(outcome.weight)
    if outcome.found is not None:
        found |= _run(outcome, outcome.found.start)
    return found


def _run(outcome: Outcome, start: Configuration) -> dict[str, Any]:
    rules = [_rule(rule, outcome.weight is not None) for rule, *_ in _steps(outcome, 0)]
    first = _configuration(start.state, start.stack)
    if len(start.stack) + sum(height for *_, height in _steps(outcome, 0)) > TRACED:
        return {"rules": rules, "start": first}
    rest = [_configuration(state, stack) for _, state, stack, _ in _steps(outcome, TRACED)]
    return {"rules": rules, "trace": [first, *rest]}


def _configuration(state: Any, stack: tuple[Any, ...]) -> dict[str, Any]:
    return {"state": str(state), "stack": [str(symbol) for symbol in stack]}


def _rule(rule: Rule[Any], weighted: bool) -> dict[str, Any]:
    content = {"from": str(rule.source), "symbol": str(rule.symbol), "to": str(rule.target)}
    weight = {"weight": rule.weight} if weighted else {}
    return {**content, "push": [str(symbol) for symbol in rule.push], **weight}


def _plain_weight(weight: Any) -> Any:
    return _number(weight) if isinstance(weight, float) else weight
