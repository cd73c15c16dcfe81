"""Checks a tree of reasons against the formulas, by enumeration: shares nothing with the code that makes such trees.

Everything is recomputed on sets of tuples by the paper's Evaluate (`Oracle`).  The check walks formula and tree side by
side.  It keeps, for each recursive predicate that it is inside of, the round at which it stands: a claim that a least
fixed point holds (or a greatest one does not) must hold because of an *earlier* round than the first in which it does,
so that no claim supports itself; a claim may refer to one above only where the same was claimed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from knaster.calculus.answers.outcomes import Reason
from knaster.calculus.language import formula as core
from knaster.calculus.language.formula import Bit, Formula, Predicate
from knaster.calculus.language.values import all_values, decode, encode
from support.generators.calculus_systems import Oracle, Row, Rows

At = dict[int, tuple[bool, ...]]


@dataclass(frozen=True)
class Standing:
    """A predicate at one of its rounds."""

    name: str
    rounds: tuple[Rows, ...]
    stage: int


Inside = tuple[Standing, ...]  # outermost first


@dataclass
class Checker:
    """Accepts or refuses the reasons for the value of a closed formula."""

    oracle: Oracle
    explained: set[Hashable] = field(default_factory=set)
    _rounds: dict[Hashable, tuple[Rows, ...]] = field(default_factory=dict)
    _values: dict[Hashable, Rows] = field(default_factory=dict)

    def accepts(self, reason: Reason, formula: Formula, sign: bool, at: At, inside: Inside) -> bool:
        """Tell whether a tree says why `formula` has the value `sign`."""
        if reason.kind == "CUT OFF":
            return True
        if self.holds(formula, at, inside) != sign:
            return False
        match formula:
            case core.Not(operand) if not isinstance(operand, core.Exists):
                return self.accepts(reason, operand, not sign, at, inside)
            case core.Call():
                return self._call(reason, formula, sign, at, inside)
        if reason.kind in ("FACT", "FORALL"):
            universal = isinstance(formula, core.Not) == sign  # `forall` is written with `exists`
            compound = (core.And, core.Or, core.Equivalent, core.Choose)
            opened = isinstance(formula, compound) or (isinstance(formula, core.Exists | core.Not) and not universal)
            return not reason.children and not opened
        return any(
            reason.kind == kind and len(parts) == len(reason.children) and self._all(reason.children, parts, inside)
            for kind, parts in self._openings(formula, sign, at, inside)
        )

    def _all(self, children: tuple[Reason, ...], parts: list[tuple[Formula, bool, At]], inside: Inside) -> bool:
        before = set(self.explained)
        for child, (formula, sign, at) in zip(children, parts, strict=True):
            if not self.accepts(child, formula, sign, at, inside):
                self.explained = before
                return False
        return True

    def _openings(
        self, formula: Formula, sign: bool, at: At, inside: Inside
    ) -> Iterator[tuple[str, list[tuple[Formula, bool, At]]]]:
        """Yield every way to give a reason: its kind, and what has to be explained then."""
        match formula:
            case core.And(operands) | core.Or(operands):
                if isinstance(formula, core.And) == sign:
                    yield "AND", [(operand, sign, at) for operand in operands]
                else:
                    yield from (("OR", [(operand, sign, at)]) for operand in operands)
            case core.Equivalent(left, right):
                yield "IFF", [(side, self.holds(side, at, inside), at) for side in (left, right)]
            case core.Choose(condition, then, otherwise):
                chosen = self.holds(condition, at, inside)
                yield "IF", [(condition, chosen, at), (then if chosen else otherwise, sign, at)]
            case core.Exists(variables, body) | core.Not(core.Exists(variables, body)):
                wanted = True
                if isinstance(formula, core.Not) and isinstance(body, core.Not):
                    body, wanted = body.operand, False
                for row in all_values([variable.type for variable in variables]):
                    codes = {v.number: tuple(encode(v.type, each)) for v, each in zip(variables, row, strict=True)}
                    yield "EXISTS", [(body, wanted, {**at, **codes})]

    def _call(self, reason: Reason, call: core.Call, sign: bool, at: At, inside: Inside) -> bool:
        predicate = self.oracle.system.predicates[call.name]
        row: Row = tuple(
            tuple(at[each.variable][each.position] if isinstance(each, Bit) else each for each in argument)
            for argument in call.arguments
        )
        parameters = predicate.parameters
        shown = tuple((p.name, decode(p.type, bits)) for p, bits in zip(parameters, row, strict=True))
        if reason.values != shown:
            return False
        if predicate.body is None or not predicate.kind:
            return reason.kind == "FUNDEF" and not reason.children
        kind = predicate.kind.upper()
        within = self._unfold(predicate, row, sign, inside)
        if within is None:
            return reason.kind == f"{kind} (start)" and not reason.children
        claim = (call.name, row, sign, within[-1].stage, self._read(call.name, within))
        if reason.kind == f"{kind} (see above)":
            return claim in self.explained and not reason.children
        self.explained.add(claim)
        frame = {parameter.number: bits for parameter, bits in zip(parameters, row, strict=True)}
        return (
            reason.kind == kind
            and len(reason.children) == 1
            and self.accepts(reason.children[0], predicate.body, sign, frame, within)
        )

    def _unfold(self, predicate: Predicate, row: Row, sign: bool, inside: Inside) -> Inside | None:
        """Return where the body has this value: one round before; None where there is no round before."""
        names = [standing.name for standing in inside]
        if predicate.name in names:
            place = names.index(predicate.name)
            rounds, stage = inside[place].rounds, inside[place].stage
        else:
            place, rounds = len(inside), self.rounds(predicate, inside)
            stage = len(rounds) - 1
        if (predicate.kind == "mu") == sign:
            stage = next(number for number, value in enumerate(rounds) if (row in value) == sign)
        elif stage == len(rounds) - 1:
            stage += 1
        return (*inside[:place], Standing(predicate.name, rounds, stage - 1)) if stage else None

    def rounds(self, predicate: Predicate, inside: Inside) -> tuple[Rows, ...]:
        """Return the values of a predicate before the first round and after each."""
        key = (predicate.name, self._read(predicate.name, inside))
        if key not in self._rounds:
            frozen = {standing.name: standing.rounds[standing.stage] for standing in inside}
            self._rounds[key] = tuple(self.oracle.rounds(predicate.name, frozen))
        return self._rounds[key]

    def _read(self, name: str, inside: Inside) -> Hashable:
        """Return what the value of a predicate depends on: the frozen ones that it reads, through others or not."""
        frozen = {standing.name: standing.rounds[standing.stage] for standing in inside if standing.name != name}
        found, todo = {name}, [name]
        while todo:
            body = self.oracle.system.predicates[todo.pop()].body
            for callee in core.callees(body) if body is not None else []:
                if callee not in found:
                    found.add(callee)
                    todo += [] if callee in frozen else [callee]
        return tuple(sorted((each, frozen[each]) for each in found if each in frozen))

    def holds(self, formula: Formula, at: At, inside: Inside) -> bool:
        """Tell whether a formula is true, by enumeration."""
        frozen = {standing.name: standing.rounds[standing.stage] for standing in inside}
        values: dict[str, Rows] = {}
        for callee in core.callees(formula):
            key = (callee, callee in frozen, frozen.get(callee), self._read(callee, inside))
            if key not in self._values:
                self._values[key] = self.oracle.evaluate(callee, frozen)
            values[callee] = self._values[key]
        return self.oracle.holds(formula, at, values)
