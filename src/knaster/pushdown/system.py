"""Weighted pushdown systems with extended rules, their configurations, and the value of a run.

Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin, 2009),
Definitions 2.3.1, 2.4.2 and 3.1.3; the value of a run is the stack of weights of section 3.2.2, (3.1).

Notation: <p, g> -> <p', u> a rule, p and p' control states, g a stack symbol, u the word that replaces it, its leftmost
symbol on top; f(r) the weight of a rule, g_r the merge function of a push rule, |u| = 2.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar, overload

from knaster.base.errors import UsageError
from knaster.base.records import dataclass, field
from knaster.pushdown.merge import Merge
from knaster.pushdown.numbering import RuleTable
from knaster.pushdown.semiring import Semiring, require_weight

W = TypeVar("W")

State = Hashable
Symbol = Hashable


@dataclass(frozen=True, slots=True)
class Configuration:
    """A control state and a stack, its top on the left."""

    state: State
    stack: tuple[Symbol, ...] = ()

    def __str__(self) -> str:
        return f"<{self.state}, {' '.join(map(str, self.stack))}>" if self.stack else f"<{self.state}, ε>"


@dataclass(frozen=True, slots=True)
class Rule(Generic[W]):
    """<source, symbol> -> <target, push> with a weight; a push rule may have a merge function of its own."""

    source: State
    symbol: Symbol
    target: State
    push: tuple[Symbol, ...]
    weight: W
    merge: Merge[W] | None = None

    def __str__(self) -> str:
        return f"{Configuration(self.source, (self.symbol,))} -> {Configuration(self.target, self.push)}"


@dataclass(frozen=True, slots=True)
class Between:
    """A control state inside a rule that pushes three or more symbols: `left` of them are still to be pushed."""

    rule: int
    left: int


@dataclass(frozen=True, slots=True)
class PushdownSystem(Generic[W]):
    """A weighted pushdown system; make one with `PushdownSystem.of` or a `SystemBuilder`.

    `rules` have at most two symbols on the right.  `origin[i]` is the given rule that rule i stands for; None where
    rule i only continues a longer push that the rule before it began.
    """

    domain: Semiring[W]
    rules: Sequence[Rule[W]]
    given: Sequence[Rule[W]]
    origin: Sequence[int | None]
    table: RuleTable = field(repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<PushdownSystem over {type(self.domain).__name__}: {len(self.given)} rules>"

    def _repr_svg_(self) -> str | None:
        from knaster.pushdown.drawing import draw_system

        return draw_system(self)

    @classmethod
    def of(cls, domain: Semiring[W], rules: Iterable[Rule[W]]) -> PushdownSystem[W]:
        """Return the system of `rules`; raise `UsageError` for a weight that is not of `domain`."""
        given = tuple(rules)
        checked: dict[int, W] = {}  # by identity: large systems share few weights
        small: list[Rule[W]] = []
        origin: list[int | None] = []
        for number, rule in enumerate(given):
            if id(rule.weight) not in checked:
                checked[id(rule.weight)] = _require(domain, rule)
            if rule.merge is not None and len(rule.push) != 2:
                raise UsageError(f"{rule}: only a rule that pushes two symbols can have a merge function")
            parts = _short_rules(domain, rule, number)
            small += parts
            origin += [number, *(None for _ in parts[1:])]
        table = RuleTable.of((rule.source, rule.symbol, rule.target, rule.push) for rule in small)
        return cls(domain, tuple(small), given, tuple(origin), table)

    @classmethod
    def of_table(cls, domain: Semiring[W], table: RuleTable, weights: Sequence[W]) -> PushdownSystem[W]:
        """Return the system of a table, a weight for each of its rules; a rule is made when it is looked at."""
        for weight in {id(weight): weight for weight in set(weights)}.values():
            require_weight(domain, weight)
        rules = TableRules(table, weights)
        return cls(domain, rules, rules, range(len(rules)), table)

    @property
    def weights(self) -> Sequence[W]:
        """The weight of each rule."""
        return self.rules.weights if isinstance(self.rules, TableRules) else [rule.weight for rule in self.rules]

    def has_path_extension(self) -> bool:
        """Tell whether every merge function satisfies path extension."""
        return self.is_plain() or all(rule.merge is None or rule.merge.path_extension for rule in self.rules)

    def is_plain(self) -> bool:
        """Tell whether no rule has a merge function of its own."""
        return isinstance(self.rules, TableRules) or all(rule.merge is None for rule in self.rules)


class TableRules(Sequence[Rule[W]]):
    """The rules of a table with their weights, none with a merge function, each made when it is looked at."""

    def __init__(self, table: RuleTable, weights: Sequence[W]) -> None:
        self.table = table
        self.weights = weights

    def __len__(self) -> int:
        return len(self.table)

    @overload
    def __getitem__(self, index: int) -> Rule[W]: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Rule[W], ...]: ...

    def __getitem__(self, index: int | slice) -> Rule[W] | tuple[Rule[W], ...]:
        if isinstance(index, slice):
            return tuple(self[number] for number in range(*index.indices(len(self))))
        return Rule(*self.table.names_in(index), self.weights[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(operator.eq, self, other))

    __hash__ = None  # type: ignore[assignment]


class SystemBuilder(Generic[W]):
    """Collects rules: `rule("p", "n1", "p", "n2")`, and `build()`."""

    def __init__(self, domain: Semiring[W]) -> None:
        self.domain = domain
        self.rules: list[Rule[W]] = []

    def rule(
        self,
        source: State,
        symbol: Symbol,
        target: State,
        *push: Symbol,
        weight: W | None = None,
        merge: Merge[W] | None = None,
    ) -> Rule[W]:
        """Add <source, symbol> -> <target, push>, of weight 1 unless given, and return it."""
        rule = Rule(source, symbol, target, push, self.domain.one if weight is None else weight, merge)
        self.rules.append(rule)
        return rule

    def build(self) -> PushdownSystem[W]:
        """Return the system of the rules so far."""
        return PushdownSystem.of(self.domain, self.rules)


def _require(domain: Semiring[W], rule: Rule[W]) -> W:
    try:
        return require_weight(domain, rule.weight)
    except UsageError as error:
        raise UsageError(f"{rule}: {error}") from error


def _short_rules(domain: Semiring[W], rule: Rule[W], number: int) -> list[Rule[W]]:
    """Return rules with at most two symbols on the right that do together what `rule` does.

    <p, g> -> <p', a b c> becomes <p, g> -> <t, b c>, <t, b> -> <p', a b> with a control state t of its own, so that
    configurations whose state is not of this kind are reached exactly as before.
    """
    if len(rule.push) <= 2:
        return [rule]
    parts: list[Rule[W]] = []
    source, symbol, weight = rule.source, rule.symbol, rule.weight
    for left in range(len(rule.push) - 2, -1, -1):
        pair = rule.push[left : left + 2]
        target = Between(number, left) if left else rule.target
        parts.append(Rule(source, symbol, target, pair, weight))
        source, symbol, weight = target, pair[0], domain.one
    return parts


def execute(start: Configuration, run: Iterable[Rule[W]]) -> Iterator[tuple[State, list[Symbol]]]:
    """Yield the control state and the stack after every rule; raise `UsageError` where a rule cannot fire.

    The stack is one list, its top at the *end*, which the next step changes: copy it to keep it.
    """
    state, stack = start.state, list(reversed(start.stack))
    for rule in run:
        if state != rule.source or not stack or stack[-1] != rule.symbol:
            raise UsageError(f"{rule} cannot fire in {Configuration(state, tuple(reversed(stack)))}")
        state = rule.target
        stack[-1:] = reversed(rule.push)
        yield state, stack


def configurations(start: Configuration, run: Iterable[Rule[W]]) -> list[Configuration]:
    """Return the configurations along a run, the first one included; raise `UsageError` where a rule cannot fire."""
    return [start, *(Configuration(state, tuple(reversed(stack))) for state, stack in execute(start, run))]


def last_configuration(start: Configuration, run: Iterable[Rule[W]]) -> Configuration:
    """Return where a run ends, in time linear in its length; raise `UsageError` where a rule cannot fire."""
    state, stack = start.state, list(reversed(start.stack))
    for state, stack in execute(start, run):  # noqa: B007  only the last pair matters
        pass
    return Configuration(state, tuple(reversed(stack)))


def first_configuration(end: Configuration, run: Sequence[Rule[W]]) -> Configuration:
    """Return where a run that ends in `end` starts; raise `UsageError` where it cannot end there."""
    state, stack = end.state, list(reversed(end.stack))
    for rule in reversed(run):
        height = len(stack) - len(rule.push)
        if state != rule.target or height < 0 or stack[height:] != list(reversed(rule.push)):
            raise UsageError(f"{rule} does not lead to {Configuration(state, tuple(reversed(stack)))}")
        state = rule.source
        stack[height:] = [rule.symbol]
    return Configuration(state, tuple(reversed(stack)))


def run_value(domain: Semiring[W], run: Sequence[Rule[W]]) -> W:
    """Return v(run) by the stack semantics of section 3.2.2: a return merges with the call that it matches."""
    top = domain.one
    frames: list[tuple[W, Rule[W]]] = []  # the caller's weight and the call rule of every unfinished call
    for rule in run:
        match len(rule.push):
            case 1:
                top = domain.extend(top, rule.weight)
            case 0:
                top = domain.extend(top, rule.weight)
                if frames:
                    caller, call = frames.pop()
                    top = merge_weights(domain, call, caller, top)
            case 2:
                frames.append((top, rule))
                top = domain.one
            case _:
                raise UsageError(
                    f"{rule} pushes more than two symbols; take the rules of the system, not the given ones"
                )
    for caller, call in reversed(frames):  # flatten: unmatched calls contribute their weight
        top = domain.extend(domain.extend(caller, call.weight), top)
    return top


def merge_weights(domain: Semiring[W], call: Rule[W], caller: W, callee: W) -> W:
    """Return g_call(caller, callee); without a merge function caller · f(call) · callee."""
    if call.merge is None:
        return domain.extend(domain.extend(caller, call.weight), callee)
    return call.merge(caller, callee)
