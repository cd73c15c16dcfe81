"""PDAAAL's files: JSON with a pushdown system, a P-automaton, or an instance of both, and lists of rules.

JSON, by example (the README of PDAAAL, https://github.com/DEIS-Tools/PDAAAL, has more):

    {"pda": {"states": {"p": {"A": [{"to": "q", "push": "B", "weight": 1}, {"to": "p", "pop": ""}]}}}}
    {"P-automaton": {"initial": ["p"], "accepting": [3], "edges": [["p", "A", 3]]}}
    {"instance": [{"state-names": true, "weight-type": "uint"}, PDA, FROM, TO]}

States are a list, and then numbers, or an object.  `push` keeps the symbol below the new one, `swap` replaces it.  The
label `*` stands for every label.  In a P-automaton the states of the system keep their names; any other is its own, and
an edge with an empty label reads nothing.  A list of rules has one `0 A -> 2 B` (swap), `1 B -> 2 +B` (push) or
`2 B -> 0 -` (pop) a line, with `| weight` if wanted, after its labels, initial states and accepting states.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from knaster.base.errors import Problem, SourceError, Span, UnsupportedError, UsageError
from knaster.pushdown.automaton import EMPTY, Automaton, Edge, sorted_names
from knaster.pushdown.domains.minpath import Length
from knaster.pushdown.formats.columns import split_json
from knaster.pushdown.formats.instance import ANY_SYMBOL, FileRule, Instance, Sets
from knaster.pushdown.system import State, Symbol


def read_json(text: str, file: str = "<json>", instance: Instance | None = None) -> Instance | Sets:
    """Return what a JSON file holds: an instance, or a set of configurations of `instance`."""
    try:
        split = split_json(text)
        if split is not None:
            return _Reader(file, split.instance).read(split.rest, instance)
        return _Reader(file).read(json.loads(text), instance)
    except json.JSONDecodeError as error:
        span = Span(error.lineno, error.colno)
        raise SourceError(file, text, [Problem(f"this is no JSON: {error.msg}", span)]) from None
    except _Unexpected as error:
        span = Span(*_position(text, error.near))
        raise SourceError(file, text, [Problem(f"{error.where}: {error.message}", span)]) from None
    except RecursionError:
        raise SourceError(file, "", [Problem("the JSON is nested too deeply", Span(1, 1))]) from None
    except ValueError:  # Python's limit on the digits of an integer
        raise SourceError(file, "", [Problem("a number has too many digits", Span(1, 1))]) from None


class _Unexpected(Exception):
    """Something in the JSON that should not be there: what, in which part, and a text that is close to it."""

    def __init__(self, where: str, message: str, near: str = "") -> None:
        super().__init__(message)
        self.where, self.message, self.near = where, message, near


def _position(text: str, near: str) -> tuple[int, int]:
    """Return line and column of the first occurrence of a JSON string; the beginning of the text if there is none."""
    offset = max(text.find(json.dumps(near)), 0) if near else 0
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1


class _Reader:
    """Checks JSON and turns it into rules and automata."""

    def __init__(self, file: str, system: Instance | None = None) -> None:
        """Prepare to read a file, whose system is known where its rules were read apart."""
        self.file = file
        self.known = system

    def read(self, data: Any, instance: Instance | None) -> Instance | Sets:
        """Return what the top-level object holds."""
        match data:
            case {"instance": [meta, system, *sets]} if len(sets) <= 2:
                self._check_meta(meta)
                known = self._system(system, "instance[1]")
                automata = [self._automaton(each, known, f"instance[{2 + i}]") for i, each in enumerate(sets)]
                return known.with_sets(*(*automata, None, None)[:2])
            case {"pda": system}:
                return self._system(system, "pda")
            case {"P-automaton": automaton}:
                if instance is None:
                    raise UsageError(f"{self.file} holds a P-automaton, not a pushdown system")
                return self._automaton(automaton, instance, "P-automaton")
        raise _Unexpected("top level", 'expected an object with "pda", "P-automaton" or "instance"')

    def _check_meta(self, meta: Any) -> None:
        kind = meta.get("weight-type", "none") if isinstance(meta, dict) else None
        if isinstance(kind, list):
            raise UnsupportedError("weights that are vectors", file=self.file)
        if kind not in ("none", "void", "uint", "int", ""):
            raise _Unexpected("instance[0]", 'expected {"state-names": …, "weight-type": "none", "uint" or "int"}')

    def _system(self, data: Any, where: str) -> Instance:
        if self.known is not None:
            return self.known
        states = data.get("states") if isinstance(data, dict) else None
        named: Iterable[tuple[State, Any]]
        if isinstance(states, list):
            named = enumerate(states)
        elif isinstance(states, dict):
            named = states.items()
        else:
            raise _Unexpected(where, 'expected {"states": …} with a list or an object')
        rules: list[FileRule] = []
        names: list[State] = []
        for state, labels in named:
            names.append(state)
            if not isinstance(labels, dict):
                raise _Unexpected(f"{where}, state {state}", "expected an object from labels to rules", str(state))
            for label, found in labels.items():
                for rule in found if isinstance(found, list) else [found]:
                    rules.append(self._rule(state, label, rule, isinstance(states, dict), where))
        return Instance(tuple(rules), tuple(dict.fromkeys([*names, *(rule.target for rule in rules)])))

    def _rule(self, state: State, label: str, data: Any, named: bool, where: str) -> FileRule:
        if not isinstance(data, dict):
            raise self._wrong_rule(state, label, where, "expected a rule")
        target, length = data.get("to"), data.get("weight")
        if not _is_state(target, named):
            message = f'"to" must be {"the name" if named else "the number"} of a state'
            raise self._wrong_rule(state, label, where, message)
        if length is not None and (not isinstance(length, int) or isinstance(length, bool)):
            raise self._wrong_rule(state, label, where, "a weight must be an integer")
        symbol: Symbol = ANY_SYMBOL if label == "*" else label
        value: Symbol = data.get("swap", data.get("push", data.get("pop")))
        if not isinstance(value, str) or len(data) != (2 if length is None else 3):
            message = 'expected one of "pop", "swap" and "push", "to", and perhaps "weight"'
            raise self._wrong_rule(state, label, where, message)
        if "swap" in data:
            push: tuple[Symbol, ...] = (ANY_SYMBOL if value == "*" and label == "*" else value,)
        else:
            push = (value, symbol) if "push" in data else ()
        return FileRule(state, symbol, target, push, length)

    def _wrong_rule(self, state: State, label: str, where: str, message: str) -> _Unexpected:
        return _Unexpected(f"{where}, state {state}, label {label}", message, label)

    def _automaton(self, data: Any, instance: Instance, where: str) -> Sets:
        if isinstance(data, dict) and "states" in data:
            return self._old_automaton(data["states"], instance, where)
        match data:
            case {"accepting": list(accepting), "edges": list(edges)}:
                pass
            case _:
                raise _Unexpected(where, 'expected "accepting" and "edges", both lists')
        known = set(instance.states)
        initial = data.get("initial", [])
        for state in initial if isinstance(initial, list) else [initial]:
            if not isinstance(state, str | int) or state not in known:
                raise _Unexpected(where, f"the initial state {state!r} is no state of the system", str(state))
        built: list[Edge[Length]] = []
        for edge in edges:
            match edge:
                case [(str() | int()) as source, str(label), (str() | int()) as target]:
                    built.append(Edge(source, label or EMPTY, target))
                case _:
                    raise _Unexpected(where, f"expected an edge [from, label, to], not {json.dumps(edge)}")
        if not all(isinstance(state, str | int) for state in accepting):
            raise _Unexpected(where, '"accepting" must list states')
        mentioned = [state for edge in built for state in (edge.source, edge.target)] + accepting
        return Automaton(tuple(built), frozenset(accepting), frozenset(s for s in mentioned if s in known))

    def _old_automaton(self, states: Any, instance: Instance, where: str) -> Sets:
        """Return the automaton of the older format: a list of states with edges and marks."""
        if not isinstance(states, list) or not all(isinstance(state, dict) for state in states):
            raise _Unexpected(where, '"states" must be a list of objects')
        built: list[Edge[Length]] = []
        for number, state in enumerate(states):
            edges = state.get("edges", [])
            if not isinstance(edges, list):
                raise _Unexpected(where, f'"edges" of state {number} must be a list')
            for edge in edges:
                match edge:
                    case {"label": str(label), "to": int(target)}:
                        built.append(Edge(number, label or EMPTY, target))
                    case _:
                        raise _Unexpected(where, f'expected an edge {{"label": …, "to": …}}, not {json.dumps(edge)}')
        final = frozenset(number for number, state in enumerate(states) if state.get("accepting"))
        initial = frozenset(number for number, state in enumerate(states) if state.get("initial"))
        unknown = sorted_names(initial - set(instance.states))
        if unknown:
            raise _Unexpected(where, f"the initial state {unknown[0]!r} is no state of the system")
        return Automaton(tuple(built), final, initial)


def _is_state(value: Any, named: bool) -> bool:
    return isinstance(value, str) if named else isinstance(value, int) and not isinstance(value, bool) and value >= 0


def write_automaton(automaton: Sets) -> str:
    """Return PDAAAL's JSON of a set; states that are no control states are numbered after those that are numbers."""
    controls = sorted_names(automaton.initial)
    following = 1 + max((state for state in controls if isinstance(state, int)), default=-1)
    number: dict[State, Any] = {state: state for state in controls}
    for edge in automaton.edges:
        for state in (edge.source, edge.target):
            if state not in number:
                number[state] = following
                following += 1
    for state in sorted_names(automaton.final):
        if state not in number:
            number[state] = following
            following += 1
    edges = [[number[e.source], "" if e.symbol == EMPTY else str(e.symbol), number[e.target]] for e in automaton.edges]
    accepting = sorted((number[state] for state in automaton.final), key=str)
    content = {"accepting": accepting, "edges": edges, "initial": controls}
    return json.dumps({"P-automaton": content}, separators=(",", ":"))


_LONGEST = 10_000
_RULE_LINE = re.compile(r"(\S+)\s+(\S+)\s*->\s*(\S+)\s+(-|\+?\S+)(?:\s*\|\s*(-?[0-9]{1,4000}))?$")


def read_rule_list(text: str, file: str = "<rules>") -> tuple[Instance, list[State], list[State]]:
    """Return the rules of a list with its initial and its accepting states."""
    header: list[list[str]] = []
    rules: list[FileRule] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if len(header) < 3:
            header.append([part.strip() for part in line.split(",")])
            continue
        found = _RULE_LINE.match(line) if len(line) <= _LONGEST else None  # a rule takes time with the square of it
        if found is None:
            hint = "a rule is `state label -> state operation`: `-` pops, `+label` pushes, `label` swaps"
            raise SourceError(file, text, [Problem("expected a rule", Span(number, 1, len(raw) or 1), hint)])
        source, label, target, operation, length = found.groups()
        push = () if operation == "-" else (operation[1:], label) if operation[0] == "+" else (operation,)
        rules.append(FileRule(source, label, target, push, None if length is None else int(length)))
    if len(header) < 3:
        span = Span(max(text.count("\n"), 1), 1)
        raise SourceError(file, text, [Problem("expected labels, initial states and accepting states", span)])
    states = dict.fromkeys([*header[1], *header[2], *(s for rule in rules for s in (rule.source, rule.target))])
    return Instance(tuple(rules), tuple(states)), list(header[1]), list(header[2])
