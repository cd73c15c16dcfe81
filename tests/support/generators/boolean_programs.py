"""Random programs: small, truly recursive, with every construct of the language, and about half of it unreachable.

`random_program(rng)` takes any `random.Random`; `programs()` is the Hypothesis strategy over the same generator.
Every statement is labelled, as `main_0`, `f1_3`: the procedure and the number of the statement as generated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from hypothesis import strategies as st

from knaster.program.expression import CHOICE, TRUE, Binary, Conditional, Const, Expr, Not, Operator, Var
from knaster.program.model import Assign, Assume, Call, Procedure, Program, Return
from support.building import SKIP, Assert, Goto, If, Labelled, Statement, While, dead, procedure

Range = tuple[int, int]
REFERENCES = ("auto", "patterns", "visible")  # engines for programs with references only


@dataclass(frozen=True, slots=True)
class Size:
    """How large random programs are, and how likely the rarer constructs."""

    procedures: Range = (2, 4)
    globals: Range = (0, 3)
    parameters: Range = (0, 2)
    locals: Range = (0, 2)
    results: Range = (0, 2)
    scope: int = 6  # at most so many globals, parameters and locals together
    statements: Range = (2, 6)  # in the body of a procedure, without those inside ifs and whiles
    nesting: int = 2
    depth: int = 2  # of expressions
    choice: float = 0.13  # a leaf is a choice
    constrained: float = 0.2  # an assignment has a constraint
    enforced: float = 0.3
    ignored: float = 0.3  # a global does not occur in a procedure
    initialised: float = 0.6


SMALL = Size()
TINY = Size(procedures=(1, 3), globals=(0, 2), locals=(0, 1), parameters=(0, 1), results=(0, 1), statements=(1, 4))
LARGE = Size(procedures=(3, 6), globals=(1, 4), scope=7, statements=(3, 9), nesting=3, depth=3)


@dataclass(frozen=True, slots=True)
class _Signature:
    name: str
    parameters: tuple[str, ...]
    results: int
    locals: tuple[str, ...]


def random_program(rng: Random, size: Size = SMALL) -> Program:
    """Return a well-formed sequential program; the same for the same state of `rng`."""
    shared = tuple(f"g{index}" for index in range(rng.randint(*size.globals)))
    count = rng.randint(*size.procedures)
    signatures = [_signature(rng, size, "main" if index == 0 else f"f{index}", len(shared)) for index in range(count)]
    procedures = tuple(_Body(rng, size, shared, signature, signatures).procedure() for signature in signatures)
    init: Expr = TRUE
    if shared and rng.random() < size.initialised:
        init = Expressions(rng, replace(size, choice=0.0), shared).constraint()
    return Program(shared, procedures, init=init)


def programs(size: Size = SMALL) -> st.SearchStrategy[Program]:
    """Return a Hypothesis strategy for the programs of `random_program`."""
    return st.randoms(use_true_random=False).map(lambda rng: random_program(rng, size))


def _signature(rng: Random, size: Size, name: str, taken: int) -> _Signature:
    free = size.scope - taken
    parameters = 0 if name == "main" else min(rng.randint(*size.parameters), free)
    local = min(rng.randint(*size.locals), free - parameters)
    results = 0 if name == "main" and rng.random() < 0.8 else rng.randint(*size.results)
    return _Signature(
        name, tuple(f"p{index}" for index in range(parameters)), results, tuple(f"x{index}" for index in range(local))
    )


class Expressions:
    """Random expressions over some variables."""

    def __init__(self, rng: Random, size: Size, names: Sequence[str]) -> None:
        self.rng = rng
        self.size = size
        self.names = names

    def leaf(self, primed: Sequence[str] = ()) -> Expr:
        if self.rng.random() < self.size.choice:
            return CHOICE
        if not self.names or self.rng.random() < 0.06:
            return Const(self.rng.random() < 0.5)
        if primed and self.rng.random() < 0.5:
            return Var(self.rng.choice(primed), primed=True)
        return Var(self.rng.choice(self.names))

    def expression(self, depth: int | None = None, primed: Sequence[str] = ()) -> Expr:
        depth = self.size.depth if depth is None else depth
        kind = self.rng.random()
        if depth == 0 or kind < 0.35:
            return self.leaf(primed)
        if kind < 0.55:
            return Not(self.expression(depth - 1, primed))
        operands = [self.expression(depth - 1, primed) for _ in range(3 if kind > 0.93 else 2)]
        if len(operands) == 3:
            return Conditional(*operands)
        return Binary(self.rng.choice(list(Operator)), *operands)

    def constraint(self, primed: Sequence[str] = ()) -> Expr:
        """Return an expression that more often than not leaves something possible."""
        weak = self.rng.choice([Operator.OR, Operator.IMPLIES, Operator.XOR, Operator.EQUAL])
        return Binary(weak, self.expression(1, primed), self.expression(1, primed))


class _Body:
    """The statements of one random procedure."""

    def __init__(
        self, rng: Random, size: Size, shared: Sequence[str], signature: _Signature, callees: Sequence[_Signature]
    ) -> None:
        self.rng = rng
        self.size = size
        self.signature = signature
        self.callees = callees
        known = tuple(name for name in shared if rng.random() >= size.ignored)
        self.scope = known + signature.parameters + signature.locals
        self.expressions = Expressions(rng, size, self.scope)
        self.labels: list[str] = []
        self.gotos: list[list[str]] = []

    def procedure(self) -> Procedure:
        body = self.block(self.rng.randint(*self.size.statements), self.size.nesting)
        if self.signature.name == "main":
            body.insert(self.rng.randrange(len(body) + 1), self.labelled(self.call))
        for labels in self.gotos:
            labels += self.rng.sample(self.labels, min(len(self.labels), self.rng.choice([1, 2, 2, 3])))
        enforce: Expr = TRUE
        if self.scope and self.rng.random() < self.size.enforced:
            enforce = self.invariant()
        return procedure(
            self.signature.name,
            body,
            " ".join(self.signature.parameters),
            " ".join(self.signature.locals),
            self.signature.results,
            enforce,
        )

    def invariant(self) -> Expr:
        """Return a condition for `enforce` that calls and assignments may well violate."""
        first, second = (Var(self.rng.choice(self.scope)) for _ in range(2))
        weak = self.rng.choice([Operator.OR, Operator.IMPLIES, Operator.EQUAL])
        return self.rng.choice([Binary(weak, first, Not(second)), Not(first), self.expressions.constraint()])

    def block(self, length: int, nesting: int) -> list[Statement]:
        return [self.statement(nesting) for _ in range(length)]

    def labelled(self, make: Callable[[], Statement]) -> Statement:
        label = f"{self.signature.name}_{len(self.labels)}"
        self.labels.append(label)
        return Labelled(label, make())

    def statement(self, nesting: int) -> Statement:
        kinds = [self.assignment] * 8 + [self.assume, self.kill, self.check, lambda: SKIP]
        kinds += [self.call] * (5 if self.signature.name == "main" else 1)
        if nesting:
            kinds += [lambda: self.branch(nesting - 1)] * 7 + [lambda: self.loop(nesting - 1)] * 2
        if nesting < self.size.nesting:  # what leaves the straight path stands under a condition
            kinds += [self.call] * 5 + [self.goto, self.goto, self.leave, self.leave]
        return self.labelled(self.rng.choice(kinds))

    def targets(self, limit: int) -> tuple[str, ...]:
        return tuple(self.rng.sample(self.scope, min(len(self.scope), limit)))

    def assignment(self) -> Statement:
        if not self.scope:
            return SKIP
        targets = self.targets(self.rng.choice([1, 1, 1, 2, 3]))
        values = tuple(self.expressions.expression() for _ in targets)
        if self.rng.random() < self.size.constrained:
            return Assign(targets, values, self.expressions.constraint(self.scope))
        return Assign(targets, values)

    def call(self) -> Statement:
        callee = self.rng.choice(self.callees[1:] or self.callees)
        if self.rng.random() < 0.04:
            callee = self.callees[0]
        arguments = tuple(self.expressions.expression(1) for _ in callee.parameters)
        kept: list[str | None] = list(self.targets(callee.results))
        kept += [None] * (callee.results - len(kept))
        kept = [None if self.rng.random() < 0.2 else target for target in kept]
        return Call(callee.name, arguments, tuple(kept))

    def assume(self) -> Statement:
        return Assume(self.expressions.expression())

    def goto(self) -> Statement:
        self.gotos.append([])
        return Goto(self.gotos[-1])

    def leave(self) -> Statement:
        return Return(tuple(self.expressions.expression(1) for _ in range(self.signature.results)))

    def kill(self) -> Statement:
        return dead(*self.targets(self.rng.choice([1, 2]))) if self.scope else SKIP

    def check(self) -> Statement:
        return Assert(self.expressions.expression())

    def branch(self, nesting: int) -> Statement:
        then = self.block(self.rng.randint(0, 2), nesting)
        otherwise = self.block(self.rng.choice([0, 0, 1, 2]), nesting)
        return If(self.expressions.expression(), then, otherwise)

    def loop(self, nesting: int) -> Statement:
        return While(self.expressions.expression(), self.block(self.rng.randint(0, 2), nesting))
