"""The command `knaster pushdown`: read a file, saturate, and say what was found.

Sets are given as a file or as an expression such as `< p, a .* >` (`formats/expressions.py`).  What is asked:

- a file with two sets, or one set and `ask`: can a configuration of the first reach one of the second?
- one set only: which configurations does it reach (post*), or which reach it (pre*)?

`shortest` uses the lengths of the rules, 1 for each where the file gives none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import isinf
from pathlib import Path
from typing import Any, Literal

from knaster.errors import Problem, SourceError, Span, UsageError
from knaster.pushdown.automaton import without_weights
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.formats.expressions import parse_set
from knaster.pushdown.formats.instance import Instance, Sets
from knaster.pushdown.formats.pdaaal import read_json, read_rule_list
from knaster.pushdown.formats.wali import read_xml
from knaster.pushdown.runs.witness import Witness, witness
from knaster.pushdown.saturation.query import weight_in
from knaster.pushdown.saturation.saturated import Answer
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import Between, Configuration, Rule, execute
from knaster.pushdown.unbounded import SignedLengths, best_pre_star, best_run_in

UNREACHABLE, REACHABLE = 0, 10

Direction = Literal["post", "pre"]
Format = Literal["text", "json"]

SHOWN = 12  # symbols of a stack in text output; the rest is counted
TRACED = 1_000_000  # symbols in all stacks of a run; a run with more is given by its rules only


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found: a verdict with its weight and run, or, where nothing was asked, the saturated automaton."""

    file: str
    direction: Direction
    reachable: bool | None
    weight: Length | None = None
    found: Witness[Any] | None = None
    answer: Answer[Any] | None = None


def run(
    path: str | Path,
    *,
    post: str | None = None,
    pre: str | None = None,
    ask: str | None = None,
    shortest: bool = False,
    format: Format = "text",
) -> tuple[str, int]:
    """Return the text to print and the exit code: 10 where what was asked for is reachable, else 0."""
    if post is not None and pre is not None:
        raise UsageError("choose one of post* and pre*")
    instance = read_instance(Path(path))
    start = pre if post is None else post
    given = None if start is None else read_set(start, instance)
    asked = None if ask is None else read_set(ask, instance)
    direction: Direction = "pre" if pre is not None else "post" if post is not None else instance.direction or "post"
    instance = instance.with_sets(*((given, asked) if direction == "post" else (asked, given)))
    outcome = solve(str(path), instance, direction, shortest)
    text = to_json(outcome) if format == "json" else to_text(outcome)
    return text, REACHABLE if outcome.reachable else UNREACHABLE


def read_instance(path: Path) -> Instance:
    """Return the pushdown system of a file, by its content: JSON, XML, or a list of rules."""
    text = _read(path)
    found: Instance | Sets
    match text.lstrip()[:1]:
        case "{" | "[":
            found = read_json(text, str(path))
        case "<":
            found = read_xml(text, str(path))
        case _:
            found = read_rule_list(text, str(path))[0]
    if not isinstance(found, Instance):
        raise UsageError(f"{path} holds a set of configurations, not a pushdown system")
    return found


def read_set(given: str, instance: Instance) -> Sets:
    """Return a set of configurations: an expression, or a file with one, or with a P-automaton as JSON or XML."""
    path, text, file = Path(given), given, "<set>"
    if not given.lstrip().startswith("<"):
        text, file = _read(path), given
    known = {str(state): state for state in instance.states}
    found: Instance | Sets
    if text.lstrip().startswith("{"):
        found = read_json(text, file, instance)
    elif text.lstrip().startswith(("<WFA", "<?xml", "<!--")):
        found = read_xml(text, file, instance)
    else:
        found = parse_set(text, known.get, file)
    if isinstance(found, Instance):
        raise UsageError(f"{given} holds a pushdown system, not a set of configurations")
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SourceError(str(path), "", [Problem("this is no UTF-8 text", Span(1, 1))]) from None


def solve(file: str, instance: Instance, direction: Direction, shortest: bool) -> Outcome:
    """Return what saturation finds out about the sets of an instance."""
    first, second = instance.sources, instance.targets
    start, asked = (first, second) if direction == "post" else (second, first)
    if start is None:
        raise UsageError("there is nothing to start from: give a set, or a file with one")
    if shortest and instance.has_negative_lengths():
        return _solve_signed(file, instance, direction)
    saturate: Any = post_star if direction == "post" else pre_star
    answer: Answer[Any]
    if shortest:
        answer = saturate(instance.measured(MinPath()), start, witnesses="one")
    else:
        answer = saturate(instance.unweighted(Boolean()), without_weights(start), witnesses="one")
    if asked is None:
        return Outcome(file, direction, None, answer=answer)
    found = witness(answer, without_weights(asked))
    if found is None:
        return Outcome(file, direction, False)
    weight = weight_in(answer, without_weights(asked)) if shortest else None
    return Outcome(file, direction, True, weight, found, answer)


def _solve_signed(file: str, instance: Instance, direction: Direction) -> Outcome:
    """Return the answer where lengths may be negative: pre* of the targets, asked about the sources."""
    if instance.sources is None or instance.targets is None:
        raise UsageError("with negative lengths both sets are needed")
    answer = best_pre_star(instance.measured(SignedLengths()), instance.targets)
    weight, found = best_run_in(answer, without_weights(instance.sources))
    if weight == SignedLengths().zero:
        return Outcome(file, "pre", False)
    return Outcome(file, "pre", True, weight, found, answer)


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
    lines.append(f"  {_shown(start.state, start.stack[:SHOWN], len(start.stack))}")
    for rule, state, top, height in steps:
        cost = f" [{rule.weight}]" if outcome.weight is not None else ""
        lines.append(f"  {_shown(state, top, height)}  by {rule}{cost}")
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


def _shown(state: Any, top: tuple[Any, ...], height: int) -> str:
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
    return f"#{name.state}" if type(name).__name__ == "Inner" else str(name)


def to_json(outcome: Outcome) -> str:
    """Return the outcome for programs: verdict, weight, and the run as rules and, unless huge, as configurations."""
    content: dict[str, Any] = {"schema": 1, "file": outcome.file, "direction": outcome.direction}
    if outcome.reachable is None and outcome.answer is not None:
        content["transitions"] = sorted(
            [_state(t.source), None if t.symbol is None else str(t.symbol), _state(t.target), _plain_weight(t.weight)]
            for t in outcome.answer.transitions()
        )
        content["accepting"] = sorted(_state(outcome.answer.state_name(state)) for state in outcome.answer.final)
    else:
        content["verdict"] = "reachable" if outcome.reachable else "unreachable"
    if outcome.weight is not None:
        content["weight"] = _plain_weight(outcome.weight)
    if outcome.found is not None:
        start = outcome.found.start
        content["rules"] = [_rule(rule, outcome.weight is not None) for rule, *_ in _steps(outcome, 0)]
        if len(start.stack) + sum(height for *_, height in _steps(outcome, 0)) <= TRACED:
            content["trace"] = [_configuration(start.state, start.stack)]
            content["trace"] += [_configuration(state, stack) for _, state, stack, _ in _steps(outcome, TRACED)]
        else:
            content["start"] = _configuration(start.state, start.stack)
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _configuration(state: Any, stack: tuple[Any, ...]) -> dict[str, Any]:
    return {"state": str(state), "stack": [str(symbol) for symbol in stack]}


def _rule(rule: Rule[Any], weighted: bool) -> dict[str, Any]:
    content = {"from": str(rule.source), "symbol": str(rule.symbol), "to": str(rule.target)}
    weight = {"weight": rule.weight} if weighted else {}
    return {**content, "push": [str(symbol) for symbol in rule.push], **weight}


def _plain_weight(weight: Any) -> Any:
    return _number(weight) if isinstance(weight, float) else weight
