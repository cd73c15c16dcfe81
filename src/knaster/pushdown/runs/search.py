"""Finding runs that make up a weight, where all derivations were kept.

Runs are found one after the other.  Going down the derivations from the left, a choice is taken only if its weight, put
in its place, still adds something to what the runs so far make up.  Because weights distribute, every such choice holds
a run that adds something, so nothing is ever undone.

Notation: a *place* is a transition or a node of the product (`query.py`) in one of its versions; `left` the weight of
the run so far, `after` the combined weight of everything that follows a place within its procedure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

from knaster.pushdown.numbering import NONE
from knaster.pushdown.runs.derivations import AllDerivations, Derivation
from knaster.pushdown.saturation.query import Summary
from knaster.pushdown.saturation.saturated import Answer
from knaster.pushdown.system import merged

W = TypeVar("W")


class Found(NamedTuple, Generic[W]):
    """A run: the transitions that read the asked configuration, its control state, the rules, the value."""

    path: list[int]
    control: int
    numbers: list[int]
    value: W


class RunSearch(Protocol[W]):
    """Finds runs, each of which adds to the combined value `reached` of those before; `total` is all there is."""

    reached: W
    total: W

    def next_run(self) -> Found[W]:
        """Return a run whose value is not below `reached`, which it joins."""
        ...


class _Place(NamedTuple):
    """A transition (or a node, `node` True) in one of its versions, still to be turned into rules."""

    number: int
    version: int
    node: bool


class _Fire(NamedTuple):
    """A rule to be emitted; `call` True opens the frame of a matched call."""

    rule: int
    call: bool


class _Return(NamedTuple):
    """The end of a matched call."""


class _Frame(NamedTuple, Generic[W]):
    """An open call: the caller's weight before it, its rule, and what follows its return, if it has one."""

    caller: W
    rule: int
    matched: bool
    after: W


@dataclass(slots=True)
class _State(Generic[W]):
    """A run in the making: `todo` from right to left, each with what comes after it; one frame per open call."""

    todo: list[tuple[_Place | _Fire | _Return, W]]
    left: W
    frames: list[_Frame[W]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    path: list[int] = field(default_factory=list)


class Search(Generic[W]):
    """Finds runs, each of which adds to the combined value `reached` of those before."""

    def __init__(self, answer: Answer[W], log: AllDerivations[W], summary: Summary[W]) -> None:
        self.answer = answer
        self.domain = answer.system.domain
        self.log = log
        self.summary = summary
        self.reached = self.domain.zero
        self.relaxed = not answer.system.has_path_extension()
        self.roots: list[tuple[_Place, int, W]] = []
        for node in summary.starts:
            if summary.weights[node]:
                place = _Place(node, len(summary.weights[node]) - 1, node=True)
                self.roots.append((place, summary.nodes[node][0], summary.weights[node][-1]))
        for t in summary.empty:
            self.roots.append((_Place(t, log.version(t), node=False), answer.source[t], answer.weight[t]))
        self.total = self.domain.zero
        for _, _, weight in self.roots:
            self.total = self.domain.combine(self.total, weight)

    def next_run(self) -> Found[W]:
        """Return a run whose value is not below `reached`, which it joins."""
        one = self.domain.one
        root, control, _ = next(choice for choice in self.roots if self._adds(choice[2]))
        state = _State([(root, one)], one)
        if not root.node:
            state.path.append(root.number)
        while state.todo:
            item, after = state.todo.pop()
            match item:
                case _Place():
                    self._replace(state, item, after)
                case _Fire():
                    self._fire(state, item, after)
                case _Return():
                    state.left = self._merge(state.frames.pop(), state.left)
        value = self._flatten(state.left, state.frames)
        self.reached = self.domain.combine(self.reached, value)
        return Found(state.path, control, state.numbers, value)

    def _adds(self, value: W) -> bool:
        return bool(self.domain.combine(self.reached, value) != self.reached)

    def _fire(self, state: _State[W], item: _Fire, after: W) -> None:
        rule = self.answer.system.rules[item.rule]
        state.numbers.append(item.rule)
        if item.call or (self.relaxed and len(rule.push) == 2):
            state.frames.append(_Frame(state.left, item.rule, item.call, after))
            state.left = self.domain.one
        else:
            state.left = self.domain.extend(state.left, rule.weight)

    def _replace(self, state: _State[W], place: _Place, after: W) -> None:
        """Put the parts of a derivation of `place` in its place, the oldest derivation that adds something."""
        shares = (self.summary.shares if place.node else self.log.shares)[place.number]
        for version in range(place.version + 1):
            if version == place.version or self._adds(self._bound(state, shares[version], after)):
                break
        if place.node:
            step = self.summary.steps[place.number][version]
            if step.transition == NONE:
                return
            state.path.append(step.transition)
            parts: list[_Place | _Fire | _Return] = [
                _Place(step.transition, self.log.version(step.transition), node=False),
                _Place(step.next, step.version, node=True),
            ]
            self._push(state, parts if self.answer.forward else parts[::-1], after)
            return
        derivation = self.log.derivations[place.number][version]
        if derivation.rule == derivation.first == NONE:  # an edge of the automaton, or the entry of a callee
            state.left = self.domain.extend(state.left, shares[version])
        else:
            self._push(state, self._parts(derivation), after)

    def _parts(self, derivation: Derivation) -> list[_Place | _Fire | _Return]:
        """Return what a derivation consists of, from left to right."""
        rule, first, first_version, second, second_version = derivation
        answer = self.answer
        matched = rule != NONE and second != NONE and (not answer.forward or answer.target[first] < answer.controls)
        call = matched and (self.relaxed or answer.system.rules[rule].merge is not None)
        fire = [_Fire(rule, call)] if rule != NONE else []
        left = [_Place(first, first_version, node=False)] if first != NONE else []
        right = [_Place(second, second_version, node=False)] if second != NONE else []
        end = [_Return()] if call else []
        return [*fire, *left, *end, *right] if answer.forward else [*left, *fire, *right, *end]

    def _push(self, state: _State[W], parts: list[_Place | _Fire | _Return], after: W) -> None:
        """Put parts on top of `todo`, each with the weight of what follows it in its frame."""
        domain, rules = self.domain, self.answer.system.rules
        outer = after
        for part in reversed(parts):
            calls = isinstance(part, _Fire) and part.call
            state.todo.append((part, outer if calls else after))
            match part:
                case _Return():
                    outer, after = after, domain.one
                case _Fire() if part.call:
                    after = domain.extend(merged(domain, rules[part.rule], domain.one, after), outer)
                case _Fire():
                    after = domain.extend(rules[part.rule].weight, after)
                case _Place():
                    after = domain.extend(self._weight(part), after)

    def _weight(self, place: _Place) -> W:
        weights = self.summary.weights if place.node else self.log.weights
        return weights[place.number][place.version]

    def _bound(self, state: _State[W], weight: W, after: W) -> W:
        """Return the value of the whole run if `weight` were the value of the place in question."""
        value = self.domain.extend(state.left, weight)
        if self.relaxed:
            return self._simulate(state, value)
        value = self.domain.extend(value, after)
        for frame in reversed(state.frames):
            value = self.domain.extend(self._merge(frame, value), frame.after)
        return value

    def _merge(self, frame: _Frame[W], callee: W) -> W:
        return merged(self.domain, self.answer.system.rules[frame.rule], frame.caller, callee)

    def _simulate(self, state: _State[W], value: W) -> W:
        """Return the value of the whole run without path extension: merges see the caller's own weight only."""
        domain, rules = self.domain, self.answer.system.rules
        frames = list(state.frames)
        for item, after in reversed(state.todo):
            match item:
                case _Place():
                    value = domain.extend(value, self._weight(item))
                case _Fire() if item.call or len(rules[item.rule].push) == 2:
                    frames.append(_Frame(value, item.rule, item.call, after))
                    value = domain.one
                case _Fire():
                    value = domain.extend(value, rules[item.rule].weight)
                case _Return():
                    value = self._merge(frames.pop(), value)
        return self._flatten(value, frames)

    def _flatten(self, value: W, frames: list[_Frame[W]]) -> W:
        """Return the value of a run whose calls in `frames` were never matched."""
        for frame in reversed(frames):
            weight = self.answer.system.rules[frame.rule].weight
            value = self.domain.extend(self.domain.extend(frame.caller, weight), value)
        return value
